"""Addresses of the matrix products that NumPy itself was linked with."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

# Names with the width of the library's integers, in bits. Looked up in NumPy's own extension, whose dependencies the
# dynamic linker searches as well.
_SYMBOLS = (("scipy_cblas_{}64_", 64), ("cblas_{}64_", 64), ("cblas_{}", 32))
_ROUTINES = {np.dtype(np.float32): "sgemm", np.dtype(np.float64): "dgemm"}


@dataclass(frozen=True, slots=True)
class Gemm:
    """A cblas matrix product: its address, its name and the bits of its integers."""

    address: int
    symbol: str
    integer_bits: int


@cache
def gemm(dtype: np.dtype[np.generic]) -> Gemm | None:
    """NumPy's matrix product for float32 or float64; None for other types, or when NumPy has no BLAS."""
    routine = _ROUTINES.get(dtype)
    if routine is None:
        return None
    extension = ctypes.CDLL(_multiarray_umath.__file__)
    for pattern, bits in _SYMBOLS:
        symbol = pattern.format(routine)
        try:
            address = ctypes.cast(extension[symbol], ctypes.c_void_p).value
        except AttributeError:
            continue
        if address:
            return Gemm(address, symbol, bits)
    return None
