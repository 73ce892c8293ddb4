"""Logarithms: x = 2**k * m with m from sqrt(1/2) to sqrt(2), and a series for log(m).

With f = m - 1 and s = f/(2 + f), log(1 + f) = 2*s + s**3*P(s**2). Written as f - (f**2/2 - s*(f**2/2 + s**2*P)), its
first two terms do not feel the rounding of s, and the rest is small beside them.
"""

from __future__ import annotations

import math

from .coefficients import LOG_F32, LOG_F64
from .declare import FLOATS, Value, per_float, scalar_function
from .exponential import FRACTION_BITS, LN2_HIGH, LN2_LOW, MAGIC, MAGIC_BITS, TINY, power_of_two
from .primitives import absolute_value, as_float, as_integer, polynomial

INFINITY, NAN = math.inf, math.nan
LOG = per_float(LOG_F32, LOG_F64)
SQRT_HALF_BITS = per_float(0x3F3504F3, 0x3FE6A09E667F3BCD)
SMALLEST_NORMAL = per_float(2.0**-126, 2.0**-1022)
RAISE, RAISED_BY = per_float(2.0**24, 2.0**54), per_float(24, 54)
NEGLIGIBLE_FROM = 64
"""Exponent of 1 + x from which on the rounding of that sum does not count."""
HIGH_PART = per_float(-(1 << 12), -(1 << 32))
"""Mask of the leading bits of a float: their product with a constant as short is exact."""
LOG2_E_HIGH = per_float(1.44287109375, 1.4426946640014648)  # 12 and 21 bits
LOG2_E_LOW = per_float(-0.00017605285393074155, 3.768874985636099e-07)
LOG10_E_HIGH = per_float(0.434326171875, 0.4342944622039795)
LOG10_E_LOW = per_float(-3.168997136526741e-05, 1.9699272335463627e-08)
LOG10_2_HIGH = per_float(0.301025390625, 0.3010299956658855)  # 15 and 32 bits: exact times k
LOG10_2_LOW = per_float(4.605039066518657e-06, -1.9043128467164274e-12)


def split(x: Value) -> tuple[Value, Value]:
    """k, an integer, and m - 1 for a normal x = 2**k * m."""
    bits = as_integer(x)
    k = (bits - SQRT_HALF_BITS) >> FRACTION_BITS
    return k, as_float(bits - (k << FRACTION_BITS)) - 1.0


def as_real(k: Value) -> Value:
    """A small integer as a float; not every machine has a vector instruction for that in 64 bits."""
    return as_float(k + MAGIC_BITS) - MAGIC


def split_any(x: Value) -> tuple[Value, Value]:
    """k, as a float, and m - 1 for any positive x."""
    subnormal = x < SMALLEST_NORMAL
    k, f = split(x * RAISE if subnormal else x)
    return as_real(k - RAISED_BY if subnormal else k), f


def series(f: Value) -> tuple[Value, Value]:
    """f**2/2 and s*(f**2/2 + s**2*P(s**2)): log(1 + f) is f less the first plus the second."""
    s = f / (f + 2.0)
    z = s * s
    half_square = 0.5 * f * f
    return half_square, s * (half_square + z * polynomial(z, LOG))


def with_limits(result: Value, x: Value) -> Value:
    """`result`, but -inf for 0, NaN below, x itself for inf and NaN."""
    finite = result if x < INFINITY else x
    return -INFINITY if x == 0.0 else (NAN if x < 0.0 else finite)


@scalar_function(FLOATS, contract=True)
def log(x: Value) -> Value:
    """The natural logarithm."""
    k, f = split_any(x)
    half_square, rest = series(f)
    return with_limits(k * LN2_HIGH - ((half_square - (rest + k * LN2_LOW)) - f), x)


@scalar_function(FLOATS, contract=True)
def log1p(x: Value) -> Value:
    """log(1 + x), without loss near 0.

    The rounding error c of u = 1 + x enters to first order, c/u; 1/(1 + f) need be known to a few percent only.
    """
    u = x + 1.0
    k, f_of_u = split(u)
    c = (1.0 - (u - x) if x >= 1.0 else x - (u - 1.0)) * power_of_two(0 - k)
    f = x if k == 0 else f_of_u
    correction = c * (1.0 - f * (1.0 - f * (1.0 - f))) if k != 0 and k < NEGLIGIBLE_FROM else 0.0
    n = as_real(k)
    half_square, rest = series(f)
    result = n * LN2_HIGH - ((half_square - (rest + (n * LN2_LOW + correction))) - f)
    return x if absolute_value(x) < TINY else with_limits_1p(result, x)


def with_limits_1p(result: Value, x: Value) -> Value:
    """`result`, but -inf for -1, NaN below, x itself for inf and NaN."""
    finite = result if x < INFINITY else x
    return -INFINITY if x == -1.0 else (NAN if x < -1.0 else finite)


def parts(f: Value) -> tuple[Value, Value]:
    """log(1 + f) as a short leading part and the rest."""
    half_square, rest = series(f)
    high = as_float(as_integer(f - half_square) & HIGH_PART)
    return high, ((f - high) - half_square) + rest


@scalar_function(FLOATS, contract=True)
def log2(x: Value) -> Value:
    """The logarithm to base 2."""
    k, f = split_any(x)
    high, low = parts(f)
    leading = high * LOG2_E_HIGH
    total = k + leading
    return with_limits((low * LOG2_E_HIGH + (low + high) * LOG2_E_LOW + ((k - total) + leading)) + total, x)


@scalar_function(FLOATS, contract=True)
def log10(x: Value) -> Value:
    """The logarithm to base 10."""
    k, f = split_any(x)
    high, low = parts(f)
    leading, of_power = high * LOG10_E_HIGH, k * LOG10_2_HIGH
    total = of_power + leading
    small = low * LOG10_E_HIGH + (low + high) * LOG10_E_LOW + k * LOG10_2_LOW
    return with_limits((small + ((of_power - total) + leading)) + total, x)
