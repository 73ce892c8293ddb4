"""Addresses of the matrix products that NumPy itself was linked with."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

from ....core.records import dataclass
from ..compiler.c_functions import finds

# With the width of the library's integers, in bits.
_SYMBOLS = (("scipy_cblas_{}64_", 64), ("cblas_{}64_", 64), ("cblas_{}", 32))
_CORE_NAMES = ("scipy_openblas_get_corename64_", "openblas_get_corename64_", "openblas_get_corename")
"""Names of OpenBLAS's function that tells for which processor the kernels are that it took."""
_NARROW_CORES = frozenset({b"Sandybridge", b"Haswell", b"Zen"})
"""Processors of 256 bits, whose kernels it takes for others that it does not know, such as AMD's of 512 bits."""
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
    for pattern, bits in _SYMBOLS:
        symbol = pattern.format(name)
        if address := _address_in_numpy(symbol):
            return Routine(address, symbol, bits)
    return None


@cache
def is_narrow() -> bool:
    """Whether NumPy's BLAS is an OpenBLAS whose kernels are of 256 bits, whatever registers this processor has."""
    return _core_name() in _NARROW_CORES


def _core_name() -> bytes | None:
    addresses = (_address_in_numpy(symbol) for symbol in _CORE_NAMES)
    address = next((each for each in addresses if each), None)
    return None if address is None else ctypes.CFUNCTYPE(ctypes.c_char_p)(address)()


def _address_in_numpy(symbol: str) -> int | None:
    """The address of a symbol of NumPy's own extension, or of the libraries that it was linked with."""
    try:
        return ctypes.cast(_numpy_extension()[symbol], ctypes.c_void_p).value
    except AttributeError:
        return None


@cache
def _numpy_extension() -> ctypes.CDLL:
    return ctypes.CDLL(_multiarray_umath.__file__)
