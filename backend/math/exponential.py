"""exp and its kin: x = n*log(2) + r with a whole n and |r| <= log(2)/2, a polynomial in r, scaled by 2**n.

The log(2) of the reduction has two parts; n times the first is exact (Cody & Waite 1980). n comes from adding MAGIC,
1.5 * 2**(bits of the fraction): the sum rounds to a whole number that stands in the low bits. So a NaN never meets a
conversion to an integer, which would be undefined.
"""

from __future__ import annotations

from .coefficients import EXP_F32, EXP_F64
from .declare import FLOATS, T, Value, per_float, scalar_function
from .primitives import absolute_value, as_float, as_integer, i32, i64, polynomial

LOG2_E = 1.4426950408889634
LN2 = 0.6931471805599453
LN2_HIGH = per_float(0.693145751953125, 0.6931471806019545)  # 15 and 32 bits
LN2_LOW = per_float(1.428606765330187e-06, -4.2009150726810846e-11)
MAGIC = per_float(1.5 * 2.0**23, 1.5 * 2.0**52)
MAGIC_BITS = per_float(0x4B400000, 0x4338000000000000)
BIAS = per_float(127, 1023)
FRACTION_BITS = per_float(23, 52)
Whole = per_float(i32, i64)
EXP = per_float(EXP_F32, EXP_F64)

# Beyond these the result is inf or 0 (-1 for expm1), and the exponent of the scale still fits. What gives 0 is computed
# as for an argument of 0, and 0 chosen at the end: on many processors a product that underflows takes a hundred cycles,
# and scores masked by -inf come by the thousand.
EXP_HIGH, EXP_LOW = per_float(89.0, 710.0), per_float(-105.0, -746.0)
EXP2_HIGH, EXP2_LOW = per_float(129.0, 1025.0), per_float(-151.0, -1076.0)
EXPM1_LOW = per_float(-20.0, -40.0)
TINY = per_float(2.0**-30, 2.0**-60)


def clamped(x: Value, low: float, high: float) -> Value:
    """x within [low, high]; NaN stays."""
    return T(high) if x > high else (T(low) if x < low else x)


def reduced(x: Value) -> tuple[Value, Value]:
    """n + MAGIC and r, with x = n*log(2) + r."""
    shifted = x * LOG2_E + MAGIC
    n = shifted - MAGIC
    return shifted, (x - n * LN2_HIGH) - n * LN2_LOW


def whole(shifted: Value) -> Value:
    """n of n + MAGIC, as an integer."""
    return as_integer(shifted) - MAGIC_BITS


def power_of_two(n: Value) -> Value:
    """2**n for the exponents of normal numbers."""
    return as_float((n + BIAS) << FRACTION_BITS)


def scaled(p: Value, n: Value) -> Value:
    """p * 2**n, rounded once: in two steps, since 2**n itself may overflow or be subnormal where the product is not."""
    half = n >> 1
    return p * power_of_two(half) * power_of_two(n - half)


def exp_of_reduced(r: Value) -> Value:
    """exp(r) for |r| <= log(2)/2."""
    return (r + r * r * polynomial(r, EXP)) + 1.0


@scalar_function(FLOATS, contract=True)
def exp(x: Value) -> Value:
    """e**x."""
    vanishes = x < EXP_LOW
    shifted, r = reduced(T(0.0) if vanishes else (T(EXP_HIGH) if x > EXP_HIGH else x))
    result = scaled(exp_of_reduced(r), whole(shifted))
    return 0.0 if vanishes else result


@scalar_function(FLOATS, contract=True)
def exp2(x: Value) -> Value:
    """2**x."""
    vanishes = x < EXP2_LOW
    bounded = T(0.0) if vanishes else (T(EXP2_HIGH) if x > EXP2_HIGH else x)
    shifted = bounded + MAGIC
    result = scaled(exp_of_reduced((bounded - (shifted - MAGIC)) * LN2), whole(shifted))
    return 0.0 if vanishes else result


@scalar_function(FLOATS, contract=True)
def expm1(x: Value) -> Value:
    """e**x - 1, without loss near 0.

    With h = 2**(n-1), half the result is (h*r + (h - 1/2)) + h*(exp(r) - 1 - r): the first sum holds nearly all of it,
    and h stays a normal number up to the overflow of the result.
    """
    shifted, r = reduced(clamped(x, EXPM1_LOW, EXP_HIGH))
    h = power_of_two(whole(shifted) - 1)
    half = (h * r + (h - 0.5)) + h * (r * r * polynomial(r, EXP))
    return x if absolute_value(x) < TINY else half + half


@scalar_function(FLOATS, contract=True)
def sigmoid(x: Value) -> Value:
    """1 / (1 + e**-x), to full relative accuracy where it is small as well: e**x / (1 + e**x) for x < 0.

    Rounding e**x, the sum and the quotient would pass 2 ulp together. So e**-|x| = s*(1 + t) stays apart, what the
    rounded numerator and denominator lost is kept, and corrects the quotient.
    """
    bounded = clamped(-absolute_value(x), EXP_LOW, EXP_HIGH)
    shifted, r = reduced(bounded)
    n = shifted - MAGIC
    t = r + ((((bounded - n * LN2_HIGH) - r) - n * LN2_LOW) + r * r * polynomial(r, EXP))
    k = whole(shifted)
    s = power_of_two(k if k > -100 else Whole(-100))
    near_one = 1.0 + s
    below = near_one + s * t
    below_lost = (near_one - below) + s * t
    of_numerator = t if x < 0.0 else 0.0
    above = 1.0 + of_numerator
    above_lost = of_numerator - (above - 1.0)
    ratio = above / below
    # 1 - (below - 1)/2 is 1/below within an eighth.
    corrected = ratio + (above_lost - ratio * below_lost) * (1.5 - 0.5 * below)
    return scaled(corrected, k if x < 0.0 else Whole(0))
