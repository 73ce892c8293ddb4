"""Element types: one interned `DType` for each that a kernel can compute with.

The `code` (``f32``, ``i64``, ``b1`` …) is the one short name used in printed graphs, in kernel text and in the names of
scalar functions (``exp_f32``).
"""

# Note [Half floats]
# NumPy computes with float16 by way of float32: it converts the operands, which is exact, computes, and rounds what
# comes out to float16. So do graphs, by casts around what is computed; a kernel holds a float16 as the uint16 of its
# bits, which loads, stores and movement leave as they are. Of + - * / and sqrt the result is the rounded exact one,
# since float32 has more than twice as many bits and two. The surfaces put the casts: they know what NumPy rounds.
# The other narrow floats, bfloat16 and two float8, are dtypes of tensors alone: ml_dtypes gives NumPy's arrays of them,
# and no rule of NumPy's. A cast between one of them and any other dtype goes by way of float32, everywhere.

from __future__ import annotations

from typing import Final

import ml_dtypes
import numpy as np

from .records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One element type; interned, so compare with `is`."""

    name: str
    code: str
    kind: str
    itemsize: int
    numpy: np.dtype  # type: ignore[type-arg]

    def __repr__(self) -> str:
        return self.name

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def is_floating_point(self) -> bool:
        """Whether it is one of floats, as PyTorch asks it."""
        return self.kind == "f"

    @property
    def is_signed(self) -> bool:
        """Whether it has negative numbers."""
        return self.kind in "ifc"

    @property
    def is_integer(self) -> bool:
        return self.kind in "iu"

    @property
    def is_complex(self) -> bool:
        return self.kind == "c"

    @property
    def is_differentiable(self) -> bool:
        """Whether tensors of it have gradients: those of floats and of complex numbers do."""
        return self.kind in "fc"

    @property
    def is_narrow(self) -> bool:
        """Whether memory holds its bits, and kernels compute with float32 in its place. See Note [Half floats]."""
        return self.kind == "f" and self.itemsize < 4

    @property
    def is_half(self) -> bool:
        """Whether it is float16 or bfloat16, narrow floats that programs compute with."""
        return self.is_narrow and self.itemsize == 2

    @property
    def bits(self) -> DType:
        """The unsigned integers as which kernels hold a narrow float."""
        return uint16 if self.itemsize == 2 else uint8

    @property
    def is_bool(self) -> bool:
        return self.kind == "b"

    def to_complex(self) -> DType:
        """The complex dtype of values of this one: complex128 for float64, complex64 for narrower floats and others."""
        return self if self.is_complex else complex128 if self is float64 else complex64

    def to_real(self) -> DType:
        """The dtype of the parts of a complex one; any other itself."""
        return float32 if self is complex64 else float64 if self is complex128 else self

    def __reduce__(self) -> str:
        return self.name if self.name != "bool" else "bool_"


def _define(name: str, code: str) -> DType:
    numpy_dtype = np.dtype(name)
    return DType(name, code, numpy_dtype.kind, numpy_dtype.itemsize, numpy_dtype)


def _define_narrow(number: type[np.generic], code: str) -> DType:
    numpy_dtype = np.dtype(number)  # whose kind is that of raw bytes
    return DType(numpy_dtype.name, code, "f", numpy_dtype.itemsize, numpy_dtype)


bool_: Final = _define("bool", "b1")
int8: Final = _define("int8", "i8")
int16: Final = _define("int16", "i16")
int32: Final = _define("int32", "i32")
int64: Final = _define("int64", "i64")
uint8: Final = _define("uint8", "u8")
uint16: Final = _define("uint16", "u16")
uint32: Final = _define("uint32", "u32")
uint64: Final = _define("uint64", "u64")
float32: Final = _define("float32", "f32")
float64: Final = _define("float64", "f64")

float16: Final = _define("float16", "f16")
bfloat16: Final = _define_narrow(ml_dtypes.bfloat16, "bf16")
float8_e4m3fn: Final = _define_narrow(ml_dtypes.float8_e4m3fn, "f8e4m3fn")
float8_e5m2: Final = _define_narrow(ml_dtypes.float8_e5m2, "f8e5m2")
complex64: Final = _define("complex64", "c64")
complex128: Final = _define("complex128", "c128")

ALL: Final = (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64)
FLOATS: Final = (float32, float64)
INTEGERS: Final = (int8, int16, int32, int64, uint8, uint16, uint32, uint64)

COMPLEX: Final = (complex64, complex128)
"""The complex dtypes that memory holds: pairs of floats, which kernels take apart before they compute with them."""
PART: Final = {complex64: float32, complex128: float64}
"""The dtype of the real and the imaginary part of a complex dtype."""

TENSORS_ONLY: Final = (bfloat16, float8_e4m3fn, float8_e5m2)
NARROW: Final = (float16, *TENSORS_ONLY)
"""Floats that memory holds as bits. See Note [Half floats]."""

IN_MEMORY: Final = (float16, *COMPLEX)
"""All that memory holds besides what kernels compute with, as NumPy knows it."""

PYTHON_TYPES: Final = {bool: bool_, int: int64, float: float64, complex: complex128}
"""The dtypes that types of Python stand for, where one is asked for: each the widest of its kind."""

_BY_NUMPY: Final = {dtype.numpy: dtype for dtype in ALL}
_IN_MEMORY: Final = {**_BY_NUMPY, **{dtype.numpy: dtype for dtype in IN_MEMORY}}
_HELD: Final = {**_IN_MEMORY, **{dtype.numpy: dtype for dtype in NARROW}}
_BY_CODE: Final = {dtype.code: dtype for dtype in _HELD.values()}


def from_numpy(dtype: object) -> DType | None:
    """The `DType` of a NumPy dtype in native byte order; None when kernels do not compute with it yet."""
    return _BY_NUMPY.get(np.dtype(dtype))  # type: ignore[call-overload]


def in_memory(dtype: object) -> DType | None:
    """The `DType` of a NumPy dtype that memory can hold: those of kernels, float16 and the complex ones; else None."""
    return _IN_MEMORY.get(np.dtype(dtype))  # type: ignore[call-overload]


def held(dtype: object) -> DType | None:
    """The `DType` of a NumPy dtype that a tensor can have: those of `in_memory`, bfloat16 and float8; else None."""
    return _HELD.get(np.dtype(dtype))  # type: ignore[call-overload]


def from_code(code: str) -> DType:
    """The `DType` whose short code is `code`. Errors: KeyError for an unknown code."""
    return _BY_CODE[code]
