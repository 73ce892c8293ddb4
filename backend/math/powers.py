"""Powers and roots of floats."""

from __future__ import annotations

import math

from .coefficients import CBRT_F32, CBRT_F64, EXP_WIDE, LOG_TAIL, LOG_WIDE
from .declare import FLOATS, Value, per_float, scalar_function
from .exponential import (
    EXP2_HIGH,
    EXP2_LOW,
    LN2,
    LOG2_E,
    MAGIC,
    clamped,
    exp_of_reduced,
    power_of_two,
    scaled,
    whole,
)
from .logarithm import HIGH_PART, as_real, split, split_any
from .primitives import (
    absolute_value,
    as_float,
    as_integer,
    copy_sign,
    f32,
    f64,
    larger,
    multiply_add,
    polynomial,
    round_half_even,
    square_root,
)

CBRT = per_float(CBRT_F32, CBRT_F64)
CBRT_2 = 1.2599210498948732
THIRD, THIRD_LOW = 1.0 / 3.0, 1.850371707708594e-17
TWO_LOG2_E, TWO_LOG2_E_LOW = 2.8853900817779268, 4.0710547481862066e-17
INFINITY, NAN = math.inf, math.nan
# hypot scales by a power of two so that no square overflows, nor the larger one loses bits.
LARGE, SHRINK = per_float(2.0**60, 2.0**500), per_float(2.0**-70, 2.0**-600)
SMALL, GROW = per_float(2.0**-40, 2.0**-400), per_float(2.0**90, 2.0**600)


@scalar_function(FLOATS, contract=True)
def hypot(x: Value, y: Value) -> Value:
    """The length of (x, y); inf when either is infinite, even beside NaN."""
    a, b = absolute_value(x), absolute_value(y)
    longer = larger(a, b)
    scale = SHRINK if longer > LARGE else (GROW if longer < SMALL else 1.0)
    unscale = 1.0 / SHRINK if longer > LARGE else (1.0 / GROW if longer < SMALL else 1.0)
    p, q = a * scale, b * scale
    length = square_root(p * p + q * q) * unscale
    return INFINITY if a == INFINITY or b == INFINITY else length


@scalar_function(FLOATS, contract=True)
def cbrt(x: Value) -> Value:
    """The cube root: with |x| = 2**(3*j) * m, a polynomial for the root t of m, one step of Halley's, times 2**j.

    The step works on a t cut short, whose square is exact.
    """
    a = absolute_value(x)
    k, f = split_any(a)
    shifted = k * THIRD + MAGIC
    remaining = k - 3.0 * (shifted - MAGIC)
    m = (f + 1.0) * (2.0 if remaining > 0.0 else (0.5 if remaining < 0.0 else 1.0))
    root_of_two = CBRT_2 if remaining > 0.0 else (1.0 / CBRT_2 if remaining < 0.0 else 1.0)
    t = as_float(as_integer(polynomial(f, CBRT) * root_of_two) & HIGH_PART)
    ratio = m / (t * t)
    root = (t + t * ((ratio - t) / (t + t + ratio))) * power_of_two(whole(shifted))
    return copy_sign(root, x) if a > 0.0 and a < INFINITY else x


def log2_wide(a: Value) -> Value:
    """The logarithm to base 2 of a positive normal float64, with 44 good bits; -inf of 0; inf and NaN stay."""
    k, f = split(a)
    s = f / (f + 2.0)
    z = s * s
    result = as_real(k) + (2.0 * s + s * z * polynomial(z, LOG_WIDE)) * LOG2_E
    return -INFINITY if a == 0.0 else (result if a < INFINITY else a)


def exp2_wide(w: Value) -> Value:
    """2**w in float64 with 37 good bits, for |w| < 1000."""
    shifted = w + MAGIC
    r = (w - (shifted - MAGIC)) * LN2
    return ((r + r * r * polynomial(r, EXP_WIDE)) + 1.0) * power_of_two(whole(shifted))


def power_of(magnitude: Value, x: Value, y: Value) -> Value:
    """x**y, given |x|**y: its sign, NaN for a negative x and a broken y, and what is 1 even beside NaN or inf."""
    is_whole = round_half_even(y) == y
    is_odd = is_whole and round_half_even(0.5 * y) != 0.5 * y
    signed = -magnitude if is_odd and as_integer(x) < 0 else magnitude
    real = NAN if x < 0.0 and x > -INFINITY and not is_whole else signed
    return 1.0 if y == 0.0 or x == 1.0 or (x == -1.0 and absolute_value(y) == INFINITY) else real


@scalar_function(("f32",), name="power", at="f64", contract=True)
def power_single(base: Value, exponent: Value) -> Value:
    """base ** exponent, computed in float64: 2**(exponent * log2(|base|)), then the cases of C's pow."""
    x, y = f64(base), f64(exponent)
    return f32(power_of(exp2_wide(clamped(y * log2_wide(absolute_value(x)), -200.0, 200.0)), x, y))


def log2_in_two(a: Value) -> tuple[Value, Value]:
    """log2(a) of a positive float64 as a leading part and the rest, with 65 good bits together.

    Each product keeps what its rounding lost (`multiply_add` gives that exactly), as does the quotient s = f/(2 + f).
    Must not be contracted: a product fused into a sum would bring in what it lost a second time.
    """
    k, f = split_any(a)
    below = f + 2.0
    inverse = 1.0 / below
    s = f * inverse
    s_low = (multiply_add(-s, below, f) - s * (f - (below - 2.0))) * inverse
    z = s * s
    z_low = multiply_add(s, s, -z) + 2.0 * s * s_low
    u = z * THIRD
    u_low = multiply_add(z, THIRD, -u) + (z * THIRD_LOW + z_low * THIRD) + z * z * polynomial(z, LOG_TAIL)
    v = s * u
    v_low = multiply_add(s, u, -v) + (s * u_low + s_low * u)
    half = s + v
    half_low = (v - (half - s)) + (s_low + v_low)
    p = half * TWO_LOG2_E
    p_low = multiply_add(half, TWO_LOG2_E, -p) + (half * TWO_LOG2_E_LOW + half_low * TWO_LOG2_E)
    total = k + p
    return -INFINITY if a == 0.0 else (total if a < INFINITY else a), (p - (total - k)) + p_low


@scalar_function(("f64",), name="power")
def power_double(base: Value, exponent: Value) -> Value:
    """base ** exponent: 2**w, w = exponent * log2(|base|) in two parts, then the cases of C's pow."""
    logarithm, rest = log2_in_two(absolute_value(base))
    product = exponent * logarithm
    w = clamped(product, EXP2_LOW, EXP2_HIGH)
    w_low = multiply_add(exponent, logarithm, -product) + exponent * rest
    shifted = w + MAGIC
    # Where w was clamped, w_low means nothing, and may be inf or NaN.
    r = (w - (shifted - MAGIC)) + (w_low if w == product else 0.0)
    return power_of(scaled(exp_of_reduced(r * LN2), whole(shifted)), base, exponent)
