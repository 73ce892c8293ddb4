"""Addresses of the matrix products that NumPy itself was linked with."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

from ....core.records import dataclass
from ..compiler.c_functions import finds

# Names with the width of the library's integers, in bits. Looked up in NumPy's own extension, whose dependencies the
# dynamic linker searches as well.
_SYMBOLS = (("scipy_cblas_{}64_", 64), ("cblas_{}64_", 64), ("cblas_{}", 32))
_LETTERS = {np.dtype(np.float32): "s", np.dtype(np.float64): "d"}


@dataclass(frozen=True, slots=True)
class Routine:
    """A cblas routine: its address, its name and the bits of its integers."""

    address: int
    symbol: str
    integer_bits: int


def gemm(dtype: np.dtype[np.generic]) -> Routine | None:
    """NumPy's matrix product for float32 or float64; None for other types, or when NumPy has no BLAS."""
    letter = _LETTERS.get(dtype)
    return None if letter is None else routine(f"{letter}gemm")


def gemv(dtype: np.dtype[np.generic]) -> Routine | None:
    """NumPy's product of a matrix with a vector, likewise."""
    letter = _LETTERS.get(dtype)
    return None if letter is None else routine(f"{letter}gemv")


@finds("blas")
def _address(name: str) -> int | None:
    found = routine(name)
    return None if found is None else found.address


@cache
def routine(name: str) -> Routine | None:
    """A routine of the BLAS that NumPy was linked with, `dgemm`; None when NumPy has none."""
    extension = ctypes.CDLL(_multiarray_umath.__file__)
    for pattern, bits in _SYMBOLS:
        symbol = pattern.format(name)
        try:
            address = ctypes.cast(extension[symbol], ctypes.c_void_p).value
        except AttributeError:
            continue
        if address:
            return Routine(address, symbol, bits)
    return None
