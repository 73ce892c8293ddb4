"""Conversions of bfloat16, float8_e4m3fn and float8_e5m2, whose bits kernels hold: `cast_f32_<to>`, `cast_<from>_f32`.

Integer arithmetic and selects, which LLVM vectorises. Rounded to the nearest, of two to the even one; beyond its range
e5m2 is infinite, and e4m3fn, which has no infinities, its largest number; of a NaN only the sign is kept, but for those
that bfloat16 holds, and all other bits of a float8 are set. Bit for bit PyTorch's, and ml_dtypes' but for those two
things. Casts of other dtypes go by way of float32 (see `source_text.cast_text`).
"""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from .declare import PerDtype, ScalarFunction, Value, declare
from .primitives import as_float, as_unsigned, u8, u16, u32

SIGN_OF_32, INFINITE_32, QUIET_32 = 0x8000_0000, 0x7F80_0000, 0x7FC0_0000
LEAST_NORMAL_32 = 1 << 23


def _per_float8(e4m3fn: int | float, e5m2: int | float) -> Any:  # which in bodies stands for the constant
    return PerDtype({"f8e4m3fn": e4m3fn, "f8e5m2": e5m2})


BELOW = _per_float8(20, 21)
"""The number of bits of a float32's fraction that a float8 lacks."""
HALF = _per_float8(0x7_FFFF, 0xF_FFFF)
"""Just less than half of its last place, as bits of a float32."""
BIAS = _per_float8((127 - 7) << 23, (127 - 15) << 23)
"""By how much the exponents differ, likewise."""
NORMAL_FROM = _per_float8((127 - 6) << 23, (127 - 14) << 23)
LEAST_NORMAL = _per_float8(2.0**-6, 2.0**-14)
BESIDE_SUBNORMAL = _per_float8(2.0**14, 2.0**7)
"""A number beside which the last bit of a float32 is that of a subnormal float8."""
TO_SUBNORMAL = _per_float8((127 + 14) << 23, (127 + 7) << 23)
"""The number `BESIDE_SUBNORMAL`, as bits of a float32."""
TOP = _per_float8(0x7F, 0x7C)
"""The bits that follow those of the largest finite number."""
CEILING = _per_float8(0x7E, 0x7C)
"""The greatest bits of a magnitude that is no NaN: all that is greater becomes these."""
NAN = 0x7F
INFINITE = _per_float8(0x80, 0x7C)
"""Bits that no magnitude has, where there is no infinity."""


def float8_of(x: Value) -> Value:
    """The bits of a float32 rounded to a float8."""
    bits = as_unsigned(x)
    magnitude = bits & 0x7FFF_FFFF
    odd = (magnitude >> BELOW) & 1
    normal = (magnitude - BIAS + HALF + odd) >> BELOW
    subnormal = as_unsigned(as_float(magnitude) + BESIDE_SUBNORMAL) - TO_SUBNORMAL
    rounded = subnormal if magnitude < NORMAL_FROM else normal
    finite = rounded if rounded < CEILING else CEILING
    return u8((finite if magnitude <= INFINITE_32 else NAN) | ((bits & SIGN_OF_32) >> 24))


def value_of_float8(x: Value) -> Value:
    """The float32 that the bits of a float8 stand for."""
    bits = u32(x)
    code = bits & 0x7F
    magnitude = code << BELOW
    subnormal = as_unsigned(as_float(magnitude + NORMAL_FROM) - LEAST_NORMAL)
    finite = subnormal if magnitude < LEAST_NORMAL_32 else magnitude + BIAS
    special = u32(INFINITE_32) if code == INFINITE else u32(QUIET_32)
    return as_float((finite if code < TOP else special) | ((bits & 0x80) << 24))


def bfloat16_of(x: Value) -> Value:
    """The upper half of a float32's bits, rounded."""
    bits = as_unsigned(x)
    magnitude = bits & 0x7FFF_FFFF
    rounded = magnitude + 0x7FFF + ((magnitude >> 16) & 1)
    return u16(((rounded if magnitude <= INFINITE_32 else QUIET_32) | (bits & SIGN_OF_32)) >> 16)


def value_of_bfloat16(x: Value) -> Value:
    """The float32 whose upper half has these bits."""
    return as_float(u32(x) << 16)


for _dtype in dtypes.TENSORS_ONLY:
    _code, _bits = _dtype.code, _dtype.bits.code
    _down, _up = (bfloat16_of, value_of_bfloat16) if _dtype.is_half else (float8_of, value_of_float8)
    declare(ScalarFunction(f"cast_f32_{_code}", _down, _code, ("f32",), _bits))
    declare(ScalarFunction(f"cast_{_code}_f32", _up, _code, (_bits,), "f32"))
