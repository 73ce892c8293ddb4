"""Conversions to and from float16, whose bits kernels hold as a uint16: `cast_f16_<to>` and `cast_<from>_f16`.

Integer arithmetic and selects, which LLVM vectorises, and no instruction that not every machine has. Bit for bit
NumPy's, NaNs among them, but for what the machine's float32 arithmetic makes of a signalling one on the way.
Source of the two main ones: F. Giesen, "Float->half conversion, finally" (2012).
"""

from __future__ import annotations

from .casts import converted, through_int32, through_int64, through_uint64, to_bool
from .declare import SCALAR_TYPES, ScalarFunction, Value, declare
from .primitives import as_float, as_unsigned, f32, f64, u16, u32

SIGN, SIGN_OF_32 = 0x8000, 0x8000_0000
INFINITE, INFINITE_32 = 0x7C00, 0x7F80_0000
BELOW = 13
"""The number of bits of a float32's fraction that a float16 lacks."""
BIAS = 112 << 23
"""By how much the exponents differ, as bits of a float32."""
NORMAL_FROM = 113 << 23
"""The smallest normal float16, as bits of a float32."""
LEAST_NORMAL = 2.0**-14
BEYOND = 143 << 23
"""2**16 likewise, which is more than a float16 holds."""
TO_SUBNORMAL = 126 << 23
"""0.5 likewise, beside which the last bit of a float32 is that of a subnormal float16."""


def bits_of(x: Value) -> Value:
    """The bits of a float32 rounded to float16: to the nearest, of two to the even one."""
    bits = as_unsigned(x)
    magnitude = bits & 0x7FFF_FFFF
    odd = (magnitude >> BELOW) & 1
    normal = (magnitude - BIAS + 0xFFF + odd) >> BELOW
    subnormal = as_unsigned(as_float(magnitude) + 0.5) - TO_SUBNORMAL
    payload = (magnitude >> BELOW) & 0x3FF
    nan = INFINITE + (payload if payload != 0 else 1)
    finite = subnormal if magnitude < NORMAL_FROM else normal
    special = nan if magnitude > INFINITE_32 else INFINITE | (magnitude & 0)
    return u16((special if magnitude >= BEYOND else finite) | ((bits & SIGN_OF_32) >> 16))


def value_of(x: Value) -> Value:
    """The float32 that float16 bits stand for."""
    bits = u32(x)
    magnitude = (bits & 0x7FFF) << BELOW
    normal = magnitude + BIAS
    subnormal = as_unsigned(as_float(magnitude + NORMAL_FROM) - LEAST_NORMAL)
    finite = subnormal if magnitude < 1 << 23 else normal
    whole = magnitude + 2 * BIAS if magnitude >= INFINITE << BELOW else finite
    return as_float(whole | ((bits & SIGN) << 16))


def odd_rounded(x: Value) -> Value:
    """A float64 as float32, rounded to the neighbour with the odd fraction: what is rounded once more is as if once."""
    near = f32(x)
    bits = as_unsigned(near)
    wide = f64(near)
    above = (wide if wide > 0 else 0.0 - wide) > (x if x > 0 else 0.0 - x)
    odd = bits - 1 if above else bits + 1
    inexact = wide != x and x == x
    return as_float(odd if inexact and (bits & 1) == 0 else bits)


def from_single(x: Value) -> Value:
    """A float32 as float16."""
    return bits_of(x)


def from_double(x: Value) -> Value:
    """A float64 as float16, rounded once."""
    return bits_of(odd_rounded(x))


def from_bool(x: Value) -> Value:
    """0 or 1 as float16."""
    return u16(0x3C00) if x else u16(0)


def from_integer(x: Value) -> Value:
    """An integer as float16, by way of float32 as NumPy goes."""
    return bits_of(f32(x))


def same(x: Value) -> Value:
    """x."""
    return x


def whole(x: Value) -> Value:
    """A float16 in the target type, by way of float32."""
    return through_int32(value_of(x))


def long_whole(x: Value) -> Value:
    """A float16 in the target type, by way of int64."""
    return through_int64(value_of(x))


def unsigned_whole(x: Value) -> Value:
    """A float16 as uint64."""
    return through_uint64(value_of(x))


def truth(x: Value) -> Value:
    """Whether a float16 is not zero; True for NaN."""
    return to_bool(x & 0x7FFF)


def wide(x: Value) -> Value:
    """A float16 as another float."""
    return converted(value_of(x))


_FROM = {"f32": from_single, "f64": from_double, "b1": from_bool}
_TO = {"f32": wide, "f64": wide, "b1": truth, "u32": long_whole, "i64": long_whole, "u64": unsigned_whole}

for _code in SCALAR_TYPES:
    declare(ScalarFunction(f"cast_{_code}_f16", _FROM.get(_code, from_integer), _code, (_code,), "u16"))
    declare(ScalarFunction(f"cast_f16_{_code}", _TO.get(_code, whole), _code, ("u16",), _code))
declare(ScalarFunction("cast_f16_f16", same, "u16", ("u16",), "u16"))
