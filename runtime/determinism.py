"""`gl.use_deterministic_algorithms` and `gl.are_deterministic_algorithms_enabled`. Names and meanings are PyTorch's."""

from __future__ import annotations

from ..core.config import config


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """From now on, each run gives the same bits, or need not; the same as setting `gl.config.deterministic_algorithms`.

    mode: True, the default of a process, which differs from PyTorch's. With False, a GPU adds floats that are scattered
    (`index_add`, `scatter_add`, the gradients of `embedding` and of indexing) in any order, which takes less time; the
    sums are as exact, and their last bits differ from run to run. What was compiled for such sums is compiled again.
    On the CPU, and of integers, results are the same bits always.
    warn_only: as in PyTorch; no operation here has only an algorithm that is not deterministic, so nobody is warned.
    Errors: `SettingValueError`, which is a ValueError, for a mode that is no bool.
    """
    config.deterministic_algorithms = mode


def are_deterministic_algorithms_enabled() -> bool:
    """Whether each run gives the same bits: see `use_deterministic_algorithms`."""
    return bool(config.deterministic_algorithms)


__all__ = ["are_deterministic_algorithms_enabled", "use_deterministic_algorithms"]
