"""Rounding, signs, classes of floats, and what else is one exact operation by definition."""

from __future__ import annotations

import math
from typing import Any

from .declare import FLOATS, INTEGERS, SIGNED, UNSIGNED, PerDtype, Value, scalar_function
from .primitives import (
    absolute_value,
    as_integer,
    copy_sign,
    round_down,
    round_half_even,
    round_to_zero,
    round_up,
    square_root,
)

INFINITY = math.inf
RECIPROCAL_OF_ZERO: Any = PerDtype({"i8": 0, "i16": 0, "i32": -(2**31), "i64": -(2**63)})
"""NumPy's result of 1 / 0, by integer type: an infinity converted to the type."""


@scalar_function(FLOATS)
def floor(x: Value) -> Value:
    """The largest integer not above x."""
    return round_down(x)


@scalar_function(FLOATS)
def ceil(x: Value) -> Value:
    """The smallest integer not below x."""
    return round_up(x)


@scalar_function(FLOATS)
def trunc(x: Value) -> Value:
    """x without its fraction."""
    return round_to_zero(x)


@scalar_function(FLOATS)
def rint(x: Value) -> Value:
    """The integer nearest to x, the even one of two."""
    return round_half_even(x)


@scalar_function(FLOATS)
def sqrt(x: Value) -> Value:
    """The square root, correctly rounded."""
    return square_root(x)


@scalar_function(FLOATS)
def fabs(x: Value) -> Value:
    """x without its sign."""
    return absolute_value(x)


@scalar_function(FLOATS, name="absolute")
def absolute_float(x: Value) -> Value:
    """x without its sign."""
    return absolute_value(x)


@scalar_function(SIGNED, name="absolute")
def absolute_signed(x: Value) -> Value:
    """x without its sign; the smallest value stays."""
    return 0 - x if x < 0 else x


@scalar_function(UNSIGNED, name="absolute")
def absolute_unsigned(x: Value) -> Value:
    """x."""
    return x


@scalar_function(FLOATS, name="sign")
def sign_float(x: Value) -> Value:
    """1, -1, 0 (for -0.0 too), or NaN."""
    signed = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else x)
    return signed + 0.0  # -0.0 + 0.0 is 0.0


@scalar_function(SIGNED, name="sign")
def sign_signed(x: Value) -> Value:
    """1, -1 or 0."""
    return 1 if x > 0 else (-1 if x < 0 else x)


@scalar_function(UNSIGNED, name="sign")
def sign_unsigned(x: Value) -> Value:
    """1 or 0."""
    return 1 if x != 0 else x


@scalar_function(FLOATS)
def copysign(x: Value, y: Value) -> Value:
    """|x| with the sign of y."""
    return copy_sign(x, y)


@scalar_function(FLOATS, "b1")
def signbit(x: Value) -> Value:
    """Whether the sign bit is set, of zeros and NaNs too."""
    return as_integer(x) < 0


@scalar_function(FLOATS, "b1")
def isnan(x: Value) -> Value:
    """Whether x is NaN."""
    return x != x


@scalar_function(FLOATS, "b1")
def isinf(x: Value) -> Value:
    """Whether x is an infinity."""
    return absolute_value(x) == INFINITY


@scalar_function(FLOATS, "b1")
def isfinite(x: Value) -> Value:
    """Whether x is neither NaN nor an infinity."""
    return absolute_value(x) < INFINITY


@scalar_function(INTEGERS + FLOATS)
def square(x: Value) -> Value:
    """x * x."""
    return x * x


@scalar_function(FLOATS, name="reciprocal")
def reciprocal_float(x: Value) -> Value:
    """1 / x."""
    return 1.0 / x


@scalar_function(SIGNED, name="reciprocal")
def reciprocal_signed(x: Value) -> Value:
    """1 / x cut off, so 0 unless |x| is 1."""
    return RECIPROCAL_OF_ZERO if x == 0 else (x if absolute_signed(x) == 1 else 0)


@scalar_function(UNSIGNED, name="reciprocal")
def reciprocal_unsigned(x: Value) -> Value:
    """1 / x cut off, so 0 unless x is 1."""
    return x if x == 1 else 0
