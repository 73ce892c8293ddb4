"""Inverse trigonometric functions: the argument is brought near 0 by an identity, then a series in its square."""

from __future__ import annotations

import math

from .coefficients import ASIN_F32, ASIN_F64, ATAN_F32, ATAN_F64
from .declare import FLOATS, Value, per_float, scalar_function
from .logarithm import HIGH_PART, SMALLEST_NORMAL
from .primitives import absolute_value, as_float, as_integer, copy_sign, larger, polynomial, square_root

INFINITY = math.inf
ATAN, ASIN = per_float(ATAN_F32, ATAN_F64), per_float(ASIN_F32, ASIN_F64)
HALF_PI = per_float(1.5707963705062866, 1.5707963267948966)
HALF_PI_LOW = per_float(-4.371138828673793e-08, 6.123233995736766e-17)
QUARTER_PI = per_float(0.7853981852531433, 0.7853981633974483)
QUARTER_PI_LOW = per_float(-2.1855694143368964e-08, 3.061616997868383e-17)
NEARLY_TOO_LARGE = per_float(2.0**120, 2.0**1000)


def arctan_of_ratio(y: Value, x: Value) -> Value:
    """arctan(y / x) for y, x >= 0 that may be added without overflow; not both 0, not both inf.

    Beyond 2 it is pi/2 - arctan(x/y), from 1/2 to 2 pi/4 + arctan((y - x)/(y + x)), where y - x is exact.
    """
    steep, middle = y > 2.0 * x, y > 0.5 * x
    numerator = 0.0 - x if steep else (y - x if middle else y)
    denominator = y if steep else (y + x if middle else x)
    t = numerator / denominator
    z = t * t
    of_series = t * z * polynomial(z, ATAN)
    angle = HALF_PI if steep else (QUARTER_PI if middle else 0.0)
    low = HALF_PI_LOW if steep else (QUARTER_PI_LOW if middle else 0.0)
    return angle + (t + (of_series + low))


@scalar_function(FLOATS, contract=True)
def arctan(x: Value) -> Value:
    """The inverse tangent."""
    return copy_sign(arctan_of_ratio(absolute_value(x), 1.0), x)


@scalar_function(FLOATS, contract=True)
def arctan2(y: Value, x: Value) -> Value:
    """The angle of the point (x, y), from -pi to pi."""
    a, b = absolute_value(y), absolute_value(x)
    scale = 0.25 if larger(a, b) > NEARLY_TOO_LARGE else 1.0
    both_inf = a == INFINITY and b == INFINITY
    rise, run = 1.0 if both_inf else a * scale, 1.0 if both_inf or (a == 0.0 and b == 0.0) else b * scale
    angle = arctan_of_ratio(rise, run)
    behind = 2.0 * HALF_PI - (angle - 2.0 * HALF_PI_LOW)
    return copy_sign(behind if as_integer(x) < 0 else angle, y)


def arcsin_pieces(x: Value) -> tuple[Value, Value, Value]:
    """Whether |x| > 1/2; s = |x|, or sqrt((1 - |x|)/2) there; and arcsin(s) - s."""
    a = absolute_value(x)
    beyond = a > 0.5
    halved = (1.0 - a) * 0.5
    s = square_root(halved) if beyond else a
    z = halved if beyond else a * a
    return beyond, s, s * z * polynomial(z, ASIN)


@scalar_function(FLOATS, contract=True)
def arcsin(x: Value) -> Value:
    """The inverse sine; beyond 1/2 it is pi/2 - 2*arcsin(s), s = sqrt((1 - |x|)/2).

    There s enters as a short leading part, whose square is exact, and the rest. Subtracted from pi/4 twice over, the
    leading part loses nothing.
    """
    beyond, s, rest = arcsin_pieces(x)
    leading = as_float(as_integer(s) & HIGH_PART)
    remaining = ((1.0 - absolute_value(x)) * 0.5 - leading * leading) / (s + leading + SMALLEST_NORMAL)
    small = 2.0 * rest - (HALF_PI_LOW - 2.0 * remaining)
    far = QUARTER_PI - (small - (QUARTER_PI - 2.0 * leading))
    return copy_sign(far if beyond else s + rest, x)


@scalar_function(FLOATS, contract=True)
def arccos(x: Value) -> Value:
    """The inverse cosine: pi/2 - arcsin(x), and beyond 1/2 twice the arcsine of sqrt((1 - |x|)/2), or pi less that."""
    beyond, s, rest = arcsin_pieces(x)
    near = HALF_PI - (copy_sign(s, x) - (HALF_PI_LOW - copy_sign(rest, x)))
    twice = 2.0 * (s + rest)
    return (2.0 * HALF_PI - (twice - 2.0 * HALF_PI_LOW) if x < 0.0 else twice) if beyond else near
