"""In what the results of a backend differ from those expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from ml_dtypes import finfo

from ..core.dtypes import held

Array = np.ndarray[Any, Any]


def differences(
    found: Array, expected: Array, rtol: float, units: float = 0.0, scale: float = 0.0, *, zeros: bool = False
) -> Iterator[str]:
    """In what an array differs from the expected one: dtype, shape, or elements by more than may be.

    Floats may differ by `rtol` or by so many `units` in the last place, whichever is more, of their magnitude or of
    `scale`, the larger of the two. If both are 0, bits have to be equal, and with `zeros` the sign of a zero does not
    count. All NaNs are one.
    """
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        yield f"expected {expected.dtype}{list(expected.shape)}, got {found.dtype}{list(found.shape)}"
        return
    with np.errstate(all="ignore"):
        right = found == expected
        dtype = held(expected.dtype)
        if dtype is not None and (dtype.is_float or dtype.is_complex):
            allowed = max(rtol, units * float(finfo(expected.dtype).eps))  # type: ignore[no-untyped-call]
            if dtype.is_narrow:
                found, expected = found.astype(np.float32), expected.astype(np.float32)  # of which NumPy knows signs
            if allowed:
                right |= np.abs(found - expected) <= allowed * np.maximum(np.abs(expected), scale)
            elif not zeros:
                right &= np.signbit(found.real) == np.signbit(expected.real)
                right &= np.signbit(found.imag) == np.signbit(expected.imag)
            right |= np.isnan(found) & np.isnan(expected)
    if not right.all():
        wrong = np.argwhere(~right)
        first = tuple(map(int, wrong[0]))
        yield (
            f"{len(wrong)} of {found.size} elements differ; at {list(first)} "
            f"expected {expected[first]!r}, got {found[first]!r}"
        )


def largest(arrays: Sequence[Array]) -> float:
    """The largest magnitude of a finite number in these arrays; 0 if there is none."""
    parts = [np.abs(each[np.isfinite(each)]) for each in arrays if each.dtype.kind in "fc"]
    return max((float(each.max()) for each in parts if each.size), default=0.0)
