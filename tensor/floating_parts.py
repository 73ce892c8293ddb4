"""Floats as a fraction and a power of two, by their bits."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core import dtypes
from ..ops.bitcasts import BITCAST
from .arithmetic import abs as absolute
from .arithmetic import add, floor_divide, mul, neg, sub
from .creation import full
from .dispatch import apply
from .elementary import bitwise_left_shift, bitwise_right_shift
from .pointwise import bitwise_and, eq, isfinite, logical_not, logical_or, lt, where
from .promotion import to_dtype
from .surface import method

Value = Any


class MantissaAndExponent(NamedTuple):
    """The result of `frexp`: ``mantissa * 2 ** exponent``."""

    mantissa: Value
    exponent: Value


_FORMS = {dtypes.float32: (dtypes.int32, 23, 127), dtypes.float64: (dtypes.int64, 52, 1023)}
"""The integers with the bits of a float, how many of these the fraction has, and what exponents are moved up by."""


def _power(exponent: Value, of: Any) -> Value:
    """2 to a whole power, which is far from the ends of the range, in a dtype."""
    bits, fraction, shift = _FORMS[of]
    return apply(BITCAST, bitwise_left_shift(to_dtype(add(exponent, shift), bits), fraction), dtype=of)


def _exponent(x: Value) -> Value:
    """The power of two above the size of each element; 0 for 0 and for what is not finite."""
    bits, fraction, shift = _FORMS[x.dtype]
    small = lt(absolute(x), 2.0 ** (2 - shift))  # subnormal ones have fewer bits, so they are made larger first
    scaled = where(small, mul(x, 2.0 ** (fraction + 2)), x)
    found = bitwise_right_shift(apply(BITCAST, scaled, dtype=bits), fraction)
    found = sub(bitwise_and(found, 2 * shift + 1), shift - 1)
    found = where(small, sub(found, fraction + 2), found)
    nothing = logical_or(eq(x, 0), logical_not(isfinite(x)))
    return where(nothing, full((), 0, dtype=bits, device=x.device), found)


@method("frexp")
def frexp(self: Value) -> MantissaAndExponent:
    """A fraction, of a size from 0.5 to 1, and the whole power of two that make up each element.

    Shapes: floats [*] -> floats [*] of that dtype, int32 [*]. The power is 0 for 0, infinities and NaN.
    Errors: RuntimeError for what is not of floats.
    """
    if not self.dtype.is_float:
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    x = to_dtype(self, dtypes.float32) if self.dtype.is_narrow else self
    exponent = _exponent(x.detach())
    # In two steps, as the power of a subnormal number is beyond the range.
    half = floor_divide(exponent, 2)
    mantissa = mul(mul(x, _power(neg(half), x.dtype)), _power(sub(half, exponent), x.dtype))
    return MantissaAndExponent(to_dtype(mantissa, self.dtype), to_dtype(exponent, dtypes.int32))
