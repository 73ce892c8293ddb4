"""bfloat16 and float8 as float32, and back: what ml_dtypes gives, many times as fast, by tables.

Two things are PyTorch's: what lies beyond the range of float8_e4m3fn, infinities too, is its largest number; and all
bits but the sign of a NaN that a float8 is made are set.
"""

# Note [Rounded by a table]
# The upper half of a float32's bits, its last bit set where any below it is, has three digits more than a float8 keeps:
# rounded to the nearest it gives what the float32 itself gives. So a table of 2**16 results is enough.

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]


def widened(x: Array) -> Array:
    """bfloat16 or float8 as float32."""
    if x.itemsize == 1:
        return _taken(_values(x.dtype), x.view(np.uint8), x, np.dtype(np.float32))
    bits = x.view(np.uint16).astype(np.uint32)
    bits <<= np.uint32(16)
    return bits.view(np.float32)


def narrowed(x: Array, dtype: DType) -> Array:
    """float32 as bfloat16 or float8."""
    if dtype.itemsize == 2:
        return x.astype(dtype)
    bits = x.view(np.uint32)
    key = (bits >> np.uint32(16)).astype(np.uint16)
    key |= bits.astype(np.uint16) != 0
    return _taken(_roundings(dtype), key, x, dtype)


def of_number(value: bool | int | float, dtype: DType) -> Array:
    """A Python number as a narrow float, an array of no axes: by way of float32, but for float16, which NumPy knows."""
    with np.errstate(all="ignore"):
        if dtype == np.float16:
            return np.asarray(value, dtype)
        return narrowed(np.asarray(value, np.float32), dtype)


def _taken(table: Array, key: Array, like: Array, dtype: DType) -> Array:
    """The entries of a table, laid out as `like` is."""
    result = np.empty_like(like, dtype)
    np.take(table, key, out=result.view(table.dtype), mode="clip")
    return result


@cache
def _values(dtype: DType) -> Array:
    """The float32 that each of a float8's bits stand for."""
    with np.errstate(all="ignore"):
        return np.arange(2**8, dtype=np.uint8).view(dtype).astype(np.float32)


@cache
def _roundings(dtype: DType) -> Array:
    """The bits of a float8 for each upper half of a float32. See Note [Rounded by a table]."""
    exact = (np.arange(2**16, dtype=np.uint32) << np.uint32(16)).view(np.float32)
    largest = np.nanmax(_values(dtype))  # infinite where there is an infinity
    with np.errstate(all="ignore"):
        rounded = np.clip(exact, -largest, largest).astype(dtype).view(np.uint8)
    return np.where(np.isnan(exact), rounded | np.uint8(0x7F), rounded)
