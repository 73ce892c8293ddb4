"""Sine, cosine and tangent: x = n*pi/2 + r with |r| <= pi/4, polynomials for the sine and cosine of r.

pi/2 has four parts of which the first three have 33 bits: times an n below 2**20 they are exact, and each subtraction
keeps what it rounds away. float32 is computed in float64, where two parts are enough. Beyond that range the C library
takes over, element by element, behind a branch that costs little while it is not taken.
"""

from __future__ import annotations

from .coefficients import COS_F64, COS_WIDE, SIN_F64, SIN_WIDE
from .declare import Value, scalar_function
from .exponential import MAGIC, whole
from .primitives import absolute_value, f32, f64, polynomial, usually

TWO_OVER_PI = 0.6366197723675814
HALF_PI_1 = 1.5707963267341256
HALF_PI_2 = 6.077100506303966e-11
HALF_PI_3 = 2.0222662487111665e-21
HALF_PI_4 = 8.4784276603689e-32
HALF_PI_2_ON = 6.077100506506192e-11
REDUCIBLE = 1.6e6  # below 2**20 * pi/2


def reduced_by_half_pi(x: Value) -> tuple[Value, Value, Value]:
    """n modulo 4, r, and what r lost to rounding."""
    shifted = x * TWO_OVER_PI + MAGIC
    n = shifted - MAGIC
    r1 = x - n * HALF_PI_1
    r2 = r1 - n * HALF_PI_2
    r3 = r2 - n * HALF_PI_3
    lost = (((r1 - r2) - n * HALF_PI_2) + ((r2 - r3) - n * HALF_PI_3)) - n * HALF_PI_4
    r = r3 + lost
    return whole(shifted) & 3, r, (r3 - r) + lost


def sin_parts(r: Value, lost: Value) -> tuple[Value, Value]:
    """sin(r + lost) as a leading part and the rest."""
    z = r * r
    return r, (lost - z * (0.5 * lost)) + r * z * polynomial(z, SIN_F64)


def cos_parts(r: Value, lost: Value) -> tuple[Value, Value]:
    """cos(r + lost) as a leading part and the rest."""
    z = r * r
    half = 0.5 * z
    leading = 1.0 - half
    return leading, ((1.0 - leading) - half) + (z * z * polynomial(z, COS_F64) - r * lost)


def sin_and_cos(r: Value, lost: Value) -> tuple[Value, Value]:
    """The sine and the cosine of r + lost."""
    s, s_rest = sin_parts(r, lost)
    c, c_rest = cos_parts(r, lost)
    return s + s_rest, c + c_rest


def sum_and_lost(large: Value, small: Value) -> tuple[Value, Value]:
    """The rounded sum, and what it lost."""
    total = large + small
    return total, small - (total - large)


def reduced_wide(x: Value) -> tuple[Value, Value]:
    """n modulo 4 and r, for a float64 that holds a float32."""
    shifted = x * TWO_OVER_PI + MAGIC
    n = shifted - MAGIC
    return whole(shifted) & 3, (x - n * HALF_PI_1) - n * HALF_PI_2_ON


def sin_wide(r: Value) -> Value:
    """sin(r) with 37 good bits."""
    z = r * r
    return r + r * z * polynomial(z, SIN_WIDE)


def cos_wide(r: Value) -> Value:
    """cos(r) with 43 good bits."""
    z = r * r
    return (1.0 - 0.5 * z) + z * z * polynomial(z, COS_WIDE)


@scalar_function(("f64",), name="sin", contract=True)
def sin_double(x: Value) -> Value:
    """The sine."""
    quadrant, r, lost = reduced_by_half_pi(x)
    s, c = sin_and_cos(r, lost)
    wave = c if (quadrant & 1) != 0 else s
    signed = x if x == 0.0 else (-wave if quadrant >= 2 else wave)
    return usually(not absolute_value(x) >= REDUCIBLE, signed, "sin", x)


@scalar_function(("f64",), name="cos", contract=True)
def cos_double(x: Value) -> Value:
    """The cosine."""
    quadrant, r, lost = reduced_by_half_pi(x)
    s, c = sin_and_cos(r, lost)
    wave = s if (quadrant & 1) != 0 else c
    signed = -wave if quadrant == 1 or quadrant == 2 else wave
    return usually(not absolute_value(x) >= REDUCIBLE, signed, "cos", x)


@scalar_function(("f64",), name="tan", contract=True)
def tan_double(x: Value) -> Value:
    """The tangent."""
    quadrant, r, lost = reduced_by_half_pi(x)
    s, s_lost = sum_and_lost(*sin_parts(r, lost))
    c, c_lost = sum_and_lost(*cos_parts(r, lost))
    turned = (quadrant & 1) != 0
    above, below = -c if turned else s, s if turned else c
    above_lost, below_lost = -c_lost if turned else s_lost, s_lost if turned else c_lost
    ratio = above / below
    # 2 - c is 1/c within a tenth; turned, 1/below is that times -ratio.
    one_over_below = (2.0 - c) * (-ratio if turned else 1.0)
    corrected = ratio + (above_lost - ratio * below_lost) * one_over_below
    return usually(not absolute_value(x) >= REDUCIBLE, x if x == 0.0 else corrected, "tan", x)


@scalar_function(("f32",), name="sin", at="f64", contract=True)
def sin_single(x: Value) -> Value:
    """The sine."""
    wide = f64(x)
    quadrant, r = reduced_wide(wide)
    wave = cos_wide(r) if (quadrant & 1) != 0 else sin_wide(r)
    signed = wide if x == 0.0 else (-wave if quadrant >= 2 else wave)
    return f32(usually(not absolute_value(wide) >= REDUCIBLE, signed, "sin", wide))


@scalar_function(("f32",), name="cos", at="f64", contract=True)
def cos_single(x: Value) -> Value:
    """The cosine."""
    wide = f64(x)
    quadrant, r = reduced_wide(wide)
    wave = sin_wide(r) if (quadrant & 1) != 0 else cos_wide(r)
    signed = -wave if quadrant == 1 or quadrant == 2 else wave
    return f32(usually(not absolute_value(wide) >= REDUCIBLE, signed, "cos", wide))


@scalar_function(("f32",), name="tan", at="f64", contract=True)
def tan_single(x: Value) -> Value:
    """The tangent."""
    wide = f64(x)
    quadrant, r = reduced_wide(wide)
    s, c = sin_wide(r), cos_wide(r)
    turned = (quadrant & 1) != 0
    ratio = (-c if turned else s) / (s if turned else c)
    return f32(usually(not absolute_value(wide) >= REDUCIBLE, wide if x == 0.0 else ratio, "tan", wide))
