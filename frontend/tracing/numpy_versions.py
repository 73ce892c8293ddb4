"""The differences between versions of NumPy, as facts that the rest asks for: nothing else compares such versions.

Each fact stands with the version that changed it. The oldest version is the one that `pyproject.toml` promises.
"""

from __future__ import annotations

import numpy as np

from ...core.records import dataclass


@dataclass(frozen=True, slots=True)
class NumpyFacts:
    """The behaviour of one version of NumPy, where versions differ."""

    reshape_takes_copy: bool
    """2.1: `np.reshape(x, shape, copy=False)` raises where the elements would be copied."""

    asanyarray_takes_copy: bool
    """2.1: `np.asanyarray` takes `copy` and `device`, as `np.asarray` does."""

    full_checks_range: bool
    """2.1: `np.full(3, 300, np.uint8)` raises OverflowError; before, the number wraps."""

    clip_bounds_are_free: bool
    """2.1: the bounds of `np.clip` may lack, be named `min` and `max`, and lie beyond the range of the dtype."""

    clip_keeps_equal_numbers: bool
    """2.1: `np.clip(x, 0.0, 1.0)` leaves what equals a bound, as -0.0 does; before, only of float16."""

    take_casts_uint64: bool
    """2.1: `np.take` takes indices of uint64; before, it raises TypeError."""

    power_loop_knows_roots: bool
    """2.3: one exponent of 0.5 is a square root for `np.power`, too, and `**` goes by the dtypes of its operands.

    Before, `array ** exponent` goes by the value of one exponent, whatever its dtype; `np.power` by no value.
    """

    round_copies_integers: bool
    """2.4: `np.round` of an array of integers is a new array; before, it is the array itself where that has axes."""

    fix_is_deprecated: bool
    """2.5: `np.fix` warns."""

    setting_shape_is_deprecated: bool
    """2.5: `x.shape = (2, 3)` warns."""


def facts_of(version: str) -> NumpyFacts:
    """The facts of a version of NumPy, from 2.0.0 on."""

    def since(first: str) -> bool:
        return np.lib.NumpyVersion(version) >= first

    return NumpyFacts(
        reshape_takes_copy=since("2.1.0"),
        asanyarray_takes_copy=since("2.1.0"),
        full_checks_range=since("2.1.0"),
        clip_bounds_are_free=since("2.1.0"),
        clip_keeps_equal_numbers=since("2.1.0"),
        take_casts_uint64=since("2.1.0"),
        power_loop_knows_roots=since("2.3.0"),
        round_copies_integers=since("2.4.0"),
        fix_is_deprecated=since("2.5.0"),
        setting_shape_is_deprecated=since("2.5.0"),
    )


NUMPY = facts_of(np.__version__)
"""The facts of the NumPy that is installed."""
