"""Functions of one complex number, as formulas over pairs of its parts; `complex_forms.py` makes forms of them.

Source of those with branch cuts: Kahan 1987, Branch cuts for complex elementary functions.
"""

from __future__ import annotations

from collections.abc import Callable

from .complex_pairs import Pair, Value, length_of, over, turned, turned_back
from .emitter import Emitter


def exp(f: Emitter, pair: Pair) -> Pair:
    """exp(z)."""
    a, b = pair
    size = f.exp(a)
    return f.multiply(size, f.cos(b)), f.multiply(size, f.sin(b))


def expm1(f: Emitter, pair: Pair) -> Pair:
    """exp(z) - 1, exact near 0."""
    a, b = pair
    half = f.sin(f.multiply(b, 0.5))
    real = f.subtract(f.multiply(f.expm1(a), f.cos(b)), f.multiply(f.multiply(half, half), 2.0))
    return real, f.multiply(f.exp(a), f.sin(b))


def log(f: Emitter, pair: Pair) -> Pair:
    """The logarithm; where the length is near 1, its own is made of what it is more than 1."""
    a, b = pair
    length = length_of(f, pair)
    near = f.bitwise_and(f.less(0.5, length), f.less(length, 2.0))
    flat = f.less_equal(f.absolute(b), f.absolute(a))
    large, small = f.where(near, f.where(flat, a, b), 1.0), f.where(near, f.where(flat, b, a), 0.0)
    more = f.add(f.multiply(f.subtract(large, 1.0), f.add(large, 1.0)), f.multiply(small, small))
    return f.where(near, f.multiply(f.log1p(more), 0.5), f.log(f.where(near, 1.0, length))), f.arctan2(b, a)


def log1p(f: Emitter, pair: Pair) -> Pair:
    """log(1 + z), exact near 0."""
    a, b = pair
    small = f.less(length_of(f, pair), 0.5)
    x, y = f.where(small, a, 0.0), f.where(small, b, 0.0)
    near = f.multiply(f.log1p(f.add(f.multiply(x, f.add(x, 2.0)), f.multiply(y, y))), 0.5)
    far, angle = log(f, (f.where(small, 1.0, f.add(a, 1.0)), f.where(small, 0.0, b)))
    return f.where(small, near, far), f.where(small, f.arctan2(y, f.add(x, 1.0)), angle)


def sqrt(f: Emitter, pair: Pair) -> Pair:
    """The square root whose real part is not negative."""
    a, b = pair
    left = f.less(a, 0.0)
    size = f.where(left, f.negative(a), a)  # not `absolute`, which has no slope at 0
    long = f.sqrt(f.add(f.multiply(size, 0.5), f.multiply(length_of(f, pair), 0.5)))
    short = f.divide(f.multiply(b, 0.5), f.where(f.equal(long, 0.0), 1.0, long))
    upright = f.multiply(short, f.copysign(1.0, b))  # not `absolute`: on the cut, the slope is that of a side
    return f.where(left, upright, long), f.where(left, f.copysign(long, b), short)


def sinh(f: Emitter, pair: Pair) -> Pair:
    """sinh(z)."""
    a, b = pair
    return f.multiply(f.sinh(a), f.cos(b)), f.multiply(f.cosh(a), f.sin(b))


def cosh(f: Emitter, pair: Pair) -> Pair:
    """cosh(z)."""
    a, b = pair
    return f.multiply(f.cosh(a), f.cos(b)), f.multiply(f.sinh(a), f.sin(b))


FLAT_FROM = 20.0
"""The real part from which the hyperbolic tangent is 1 to the last bit."""


def tanh(f: Emitter, pair: Pair) -> Pair:
    """tanh(z), without the overflow of its numerator and its denominator."""
    a, b = pair
    flat = f.less(FLAT_FROM, f.absolute(a))
    near, far = f.where(flat, 0.0, a), f.where(flat, a, FLAT_FROM)
    sinh, cos, sin = f.sinh(near), f.cos(b), f.sin(b)
    turn = f.multiply(sin, cos)
    under = f.add(f.multiply(sinh, sinh), f.multiply(cos, cos))
    little = f.multiply(f.multiply(turn, 4.0), f.exp(f.multiply(f.absolute(far), -2.0)))
    real = f.where(flat, f.sgn(far), f.divide(f.multiply(sinh, f.cosh(near)), under))
    return real, f.where(flat, little, f.divide(turn, f.where(flat, 1.0, under)))


def sigmoid(f: Emitter, pair: Pair) -> Pair:
    """1 / (1 + exp(-z)), by the exponential that does not overflow."""
    a, b = pair
    left = f.less(a, 0.0)
    small = exp(f, (f.where(left, a, f.negative(a)), f.where(left, b, f.negative(b))))
    top = f.where(left, small[0], 1.0), f.where(left, small[1], 0.0)
    return over(f, top, (f.add(small[0], 1.0), small[1]))


def _roots_beside_one(f: Emitter, pair: Pair) -> tuple[Pair, Pair]:
    """sqrt(1 - z) and sqrt(1 + z)."""
    a, b = pair
    return sqrt(f, (f.subtract(1.0, a), f.negative(b))), sqrt(f, (f.add(a, 1.0), b))


def _cross(f: Emitter, left: Pair, right: Pair) -> Value:
    """The imaginary part of the conjugate of one pair times another."""
    (a, b), (c, d) = left, right
    return f.subtract(f.multiply(a, d), f.multiply(b, c))


def arcsin(f: Emitter, pair: Pair) -> Pair:
    """arcsin(z)."""
    below, above = _roots_beside_one(f, pair)
    under = f.subtract(f.multiply(below[0], above[0]), f.multiply(below[1], above[1]))
    return f.arctan2(pair[0], under), f.arcsinh(_cross(f, below, above))


def arccos(f: Emitter, pair: Pair) -> Pair:
    """arccos(z)."""
    below, above = _roots_beside_one(f, pair)
    return f.multiply(f.arctan2(below[0], above[0]), 2.0), f.arcsinh(_cross(f, above, below))


def arccosh(f: Emitter, pair: Pair) -> Pair:
    """arccosh(z)."""
    a, b = pair
    below, above = sqrt(f, (f.subtract(a, 1.0), b)), sqrt(f, (f.add(a, 1.0), b))
    real = f.arcsinh(f.add(f.multiply(below[0], above[0]), f.multiply(below[1], above[1])))
    return real, f.multiply(f.arctan2(below[1], above[0]), 2.0)


def arctanh(f: Emitter, pair: Pair) -> Pair:
    """arctanh(z)."""
    a, b = pair
    left = f.less(a, 0.0)
    size = f.where(left, f.negative(a), a)
    rest, square = f.subtract(1.0, size), f.multiply(b, b)
    real = f.multiply(f.log1p(f.divide(f.multiply(size, 4.0), f.add(f.multiply(rest, rest), square))), 0.25)
    imag = f.arctan2(f.multiply(b, 2.0), f.subtract(f.multiply(rest, f.add(size, 1.0)), square))
    return f.where(left, f.negative(real), real), f.multiply(imag, 0.5)


def beside(function: Callable[[Emitter, Pair], Pair]) -> Callable[[Emitter, Pair], Pair]:
    """-i times the function of i times the number: the tangent of the hyperbolic tangent, and its like."""
    return lambda f, pair: turned_back(f, function(f, turned(f, pair)))
