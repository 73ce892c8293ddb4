"""cuDNN, which nothing here uses. What is set has no effect: results are the same in each run anyway."""

from __future__ import annotations

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available() -> bool:
    """False."""
    return False


def version() -> int | None:
    """None: there is no version of it."""
    return None


__all__ = ["allow_tf32", "benchmark", "deterministic", "enabled", "is_available", "version"]
