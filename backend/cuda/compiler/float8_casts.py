"""Casts to and from float8 by the instructions of GPUs from compute capability 8.9 on; older ones count in integers.

The bits are those of `backend.math.narrow`. Imports llvmlite, so only code generators import this module.
"""

# Note [Casts to float8]
# The instruction rounds to nearest, of two to the even one, and gives the largest finite number for what lies beyond.
# That is what e4m3fn means here; e5m2 becomes infinite instead, from half a step beyond its largest number on. The
# instruction loses the sign of a NaN. So the sign is added to what it gives, and a select makes infinities. A float8 of
# e5m2 is the upper byte of a float16, so its value takes no such instruction, and one of e4m3fn fits into a float16.
# What a NaN becomes there is up to the device; a select makes it one of the bits that the CPU has.
#
# Source: PTX ISA, cvt.rn.satfinite.e4m3x2.f32, cvt.rn.f16x2.e4m3x2.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from ....core.dtypes import float8_e4m3fn, float8_e5m2

SINCE = (8, 9)
"""The compute capability from which on there are such instructions."""
BYTE, HALF, WORD, FLOAT = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.FloatType()
INFINITE_32, QUIET_32, MAGNITUDE_32 = 0x7F80_0000, 0x7FC0_0000, 0x7FFF_FFFF
INFINITE_FROM = 0x4770_0000
"""The bits of 61440.0, which rounds to what e5m2 has no finite number for."""
INFINITE = 0x7C
MAGNITUDE, SIGN = 0x7F, 0x80
NAN_ABOVE = {float8_e4m3fn: 0x7E, float8_e5m2: INFINITE}
"""The greatest bits of a magnitude that is no NaN."""

Cast = Callable[[Any, Sequence[Any]], Any]


def _rounded(name: str, builder: Any, operands: Sequence[Any]) -> Any:
    """The bits that an instruction rounds a float32 to, as a word, and the float32's own."""
    form = ir.FunctionType(HALF, [FLOAT, FLOAT])
    given = [ir.Constant(FLOAT, 0.0), operands[0]]
    pair = builder.asm(form, f"cvt.rn.satfinite.{name}x2.f32 $0, $1, $2;", "=h,f,f", given, side_effect=False)
    return builder.zext(pair, WORD), builder.bitcast(operands[0], WORD)


def _with_sign(builder: Any, magnitude: Any, bits: Any) -> Any:
    sign = builder.and_(builder.lshr(bits, WORD(24)), WORD(SIGN))
    return builder.trunc(builder.or_(magnitude, sign), BYTE)


def _to_e4m3fn(builder: Any, operands: Sequence[Any]) -> Any:
    return _with_sign(builder, *_rounded("e4m3", builder, operands))


def _to_e5m2(builder: Any, operands: Sequence[Any]) -> Any:
    found, bits = _rounded("e5m2", builder, operands)
    beyond = builder.sub(builder.and_(bits, WORD(MAGNITUDE_32)), WORD(INFINITE_FROM))
    is_infinite = builder.icmp_unsigned("<=", beyond, WORD(INFINITE_32 - INFINITE_FROM))  # and no NaN
    return _with_sign(builder, builder.select(is_infinite, WORD(INFINITE), found), bits)


def _of_half(builder: Any, half: Any, byte: Any, greatest: int) -> Any:
    """The float32 of a float16 that stands for the bits of a float8."""
    form = ir.FunctionType(FLOAT, [HALF])
    value = builder.bitcast(builder.asm(form, "cvt.f32.f16 $0, $1;", "=f,h", [half], side_effect=False), WORD)
    sign = builder.shl(builder.and_(byte, WORD(SIGN)), WORD(24))
    is_nan = builder.icmp_unsigned(">", builder.and_(byte, WORD(MAGNITUDE)), WORD(greatest))
    return builder.bitcast(builder.select(is_nan, builder.or_(sign, WORD(QUIET_32)), value), FLOAT)


def _of_e5m2(builder: Any, operands: Sequence[Any]) -> Any:
    half = builder.shl(builder.zext(operands[0], HALF), HALF(8))
    return _of_half(builder, half, builder.zext(operands[0], WORD), NAN_ABOVE[float8_e5m2])


def _of_e4m3fn(builder: Any, operands: Sequence[Any]) -> Any:
    form = ir.FunctionType(WORD, [HALF])
    pair = builder.zext(operands[0], HALF)
    halves = builder.asm(form, "cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h", [pair], side_effect=False)
    byte = builder.zext(operands[0], WORD)
    return _of_half(builder, builder.trunc(halves, HALF), byte, NAN_ABOVE[float8_e4m3fn])


CASTS: dict[str, Cast] = {
    f"cast_f32_{float8_e4m3fn.code}": _to_e4m3fn,
    f"cast_f32_{float8_e5m2.code}": _to_e5m2,
    f"cast_{float8_e4m3fn.code}_f32": _of_e4m3fn,
    f"cast_{float8_e5m2.code}_f32": _of_e5m2,
}
"""The casts that have instructions, by the names of the scalar functions. See Note [Casts to float8]."""
