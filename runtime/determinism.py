"""PyTorch's switch for results that are the same in each run, as they always are here."""

from __future__ import annotations


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Nothing: every algorithm is deterministic, on any number of threads, whatever `mode` and `warn_only` are."""


def are_deterministic_algorithms_enabled() -> bool:
    """True."""
    return True


__all__ = ["are_deterministic_algorithms_enabled", "use_deterministic_algorithms"]
