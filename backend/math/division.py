"""Quotients, remainders and integer powers with NumPy's meaning: floored, wrapping, 0 for an integer divided by 0."""

from __future__ import annotations

import math
from typing import Any

from .declare import EXACT, FLOATS, INTEGERS, LOWEST, SIGNED, UNSIGNED, PerDtype, T, Value, scalar_function
from .primitives import (
    absolute_value,
    copy_sign,
    f32,
    f64,
    multiply_add,
    quotient,
    repeated_product,
    round_down,
    round_to_zero,
    usually,
)

INFINITY = math.inf
QUOTIENT_LIMIT = 2.0**52
NARROW_SIGNED, WIDE_SIGNED = SIGNED[:3], SIGNED[3:]
NARROW_UNSIGNED, WIDE_UNSIGNED = UNSIGNED[:3], UNSIGNED[3:]


def _cut_narrow(a: Value, b: Value) -> Value:
    # Integer division has no vector instruction; division of floats has.
    return T(EXACT(a) / EXACT(b))


def _divisor_signed(a: Value, b: Value) -> Value:
    """b, but 1 where a / b is undefined: then the quotient is a, which for LOWEST / -1 is the wrapped one."""
    return 1 if b == 0 or (a == LOWEST and b == -1) else b


def _floored(q: Value, r: Value, b: Value) -> Value:
    return q - 1 if r != 0 and (r < 0) != (b < 0) else q


def _with_sign_of(r: Value, b: Value) -> Value:
    return r + b if r != 0 and (r < 0) != (b < 0) else r


@scalar_function(NARROW_SIGNED, name="floor_divide")
def floor_divide_narrow(a: Value, b: Value) -> Value:
    """a // b; 0 when b is 0; the smallest value divided by -1 stays."""
    d = _divisor_signed(a, b)
    q = _cut_narrow(a, d)
    return 0 if b == 0 else _floored(q, a - q * d, d)


@scalar_function(WIDE_SIGNED, name="floor_divide")
def floor_divide_wide(a: Value, b: Value) -> Value:
    """a // b; 0 when b is 0; the smallest value divided by -1 stays."""
    d = _divisor_signed(a, b)
    q = quotient(a, d)
    return 0 if b == 0 else _floored(q, a - q * d, d)


@scalar_function(NARROW_UNSIGNED, name="floor_divide")
def floor_divide_narrow_unsigned(a: Value, b: Value) -> Value:
    """a // b; 0 when b is 0."""
    q = _cut_narrow(a, 1 if b == 0 else b)
    return 0 if b == 0 else q


@scalar_function(WIDE_UNSIGNED, name="floor_divide")
def floor_divide_wide_unsigned(a: Value, b: Value) -> Value:
    """a // b; 0 when b is 0."""
    q = quotient(a, 1 if b == 0 else b)
    return 0 if b == 0 else q


@scalar_function(NARROW_SIGNED, name="remainder")
def remainder_narrow(a: Value, b: Value) -> Value:
    """a % b with the sign of b; 0 when b is 0."""
    d = _divisor_signed(a, b)
    return 0 if b == 0 else _with_sign_of(a - _cut_narrow(a, d) * d, d)


@scalar_function(WIDE_SIGNED, name="remainder")
def remainder_wide(a: Value, b: Value) -> Value:
    """a % b with the sign of b; 0 when b is 0."""
    d = _divisor_signed(a, b)
    return 0 if b == 0 else _with_sign_of(a - quotient(a, d) * d, d)


@scalar_function(NARROW_SIGNED, name="fmod")
def fmod_narrow(a: Value, b: Value) -> Value:
    """The remainder with the sign of a; 0 when b is 0."""
    d = _divisor_signed(a, b)
    return 0 if b == 0 else a - _cut_narrow(a, d) * d


@scalar_function(WIDE_SIGNED, name="fmod")
def fmod_wide(a: Value, b: Value) -> Value:
    """The remainder with the sign of a; 0 when b is 0."""
    d = _divisor_signed(a, b)
    return 0 if b == 0 else a - quotient(a, d) * d


@scalar_function(NARROW_UNSIGNED, name="remainder")
def remainder_narrow_unsigned(a: Value, b: Value) -> Value:
    """a % b; 0 when b is 0."""
    d = 1 if b == 0 else b
    return a - _cut_narrow(a, d) * d


@scalar_function(WIDE_UNSIGNED, name="remainder")
def remainder_wide_unsigned(a: Value, b: Value) -> Value:
    """a % b; 0 when b is 0."""
    d = 1 if b == 0 else b
    return a - quotient(a, d) * d


@scalar_function(NARROW_UNSIGNED, name="fmod")
def fmod_narrow_unsigned(a: Value, b: Value) -> Value:
    """a % b; 0 when b is 0."""
    d = 1 if b == 0 else b
    return a - _cut_narrow(a, d) * d


@scalar_function(WIDE_UNSIGNED, name="fmod")
def fmod_wide_unsigned(a: Value, b: Value) -> Value:
    """a % b; 0 when b is 0."""
    d = 1 if b == 0 else b
    return a - quotient(a, d) * d


def cut_remainder(a: Value, b: Value) -> Value:
    """The remainder of float64 with the sign of a, exact.

    While the quotient has 52 bits, its rounding never passes a whole number but may reach the next one; then the
    remainder, exact in one multiply-add, is below 0 and lacks one divisor.
    """
    dividend, divisor = absolute_value(a), absolute_value(b)
    ratio = dividend / divisor
    left = multiply_add(-round_to_zero(ratio), divisor, dividend)
    usual = copy_sign(left + divisor if left < 0.0 else left, a)
    return usually(ratio < QUOTIENT_LIMIT and divisor < INFINITY, usual, "fmod", a, b)


@scalar_function(("f64",), name="fmod")
def fmod_double(a: Value, b: Value) -> Value:
    """The exact remainder with the sign of a."""
    return cut_remainder(a, b)


@scalar_function(("f32",), name="fmod", at="f64")
def fmod_single(a: Value, b: Value) -> Value:
    """The exact remainder with the sign of a."""
    return f32(cut_remainder(f64(a), f64(b)))


FMOD: Any = PerDtype({**fmod_double.instances, **fmod_single.instances})


@scalar_function(FLOATS, name="remainder")
def remainder_float(a: Value, b: Value) -> Value:
    """a % b with the sign of b; NaN when b is 0."""
    r = FMOD(a, b)
    signed = r + b if (r < 0.0) != (b < 0.0) else r
    return r if b == 0.0 else (copy_sign(0.0, b) if r == 0.0 else signed)


@scalar_function(FLOATS, name="floor_divide")
def floor_divide_float(a: Value, b: Value) -> Value:
    """a // b: the multiple of b nearest below a, divided by b and rounded; a / b when b is 0."""
    r = FMOD(a, b)
    exact = (a - r) / b
    quotient_ = exact - 1.0 if r != 0.0 and (r < 0.0) != (b < 0.0) else exact
    lower = round_down(quotient_)
    nearest = lower + 1.0 if quotient_ - lower > 0.5 else lower
    signed = copy_sign(0.0, a / b) if quotient_ == 0.0 else nearest
    return a / b if b == 0.0 else signed


@scalar_function(INTEGERS, name="power")
def power_integer(base: Value, exponent: Value) -> Value:
    """base ** exponent, wrapping; the exponent is not negative (NumPy raises there, so the caller must check)."""
    return repeated_product(base, exponent)
