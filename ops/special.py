"""Functions of statistics: the gamma function's logarithm and its derivatives, and inverses and tails of erf.

Of float32 all are computed in float64, so that what cancels on the way leaves no trace.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import ARRAYS, Emitter
from .registry import Array, Composite, OpDef, Rule, Sample, define_op, get
from .special_coefficients import ERFCX as ERFCX_PIECE
from .special_coefficients import ERFINV_BEYOND, ERFINV_FAR, ERFINV_MIDDLE, ERFINV_NEAR
from .special_coefficients import LGAMMA as LGAMMA_PIECE

Value = Any
SHIFT = 8
"""Operands below it are moved up by as much, for the series in their reciprocals."""
STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
DIGAMMA_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160)
TRIGAMMA_SERIES = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


def polynomial(f: Emitter, t: Value, coefficients: Sequence[float]) -> Value:
    """The sum of powers of `t`, the lowest first."""
    result = f.add(f.multiply(t, coefficients[-1]), coefficients[-2])
    for each in coefficients[-3::-1]:
        result = f.add(f.multiply(result, t), each)
    return result


def _on(f: Emitter, x: Value, low: float, high: float) -> Value:
    """`x` between -1 and 1, the ends of a range; what is outside becomes the end next to it."""
    scale = 2.0 / (high - low)
    t = f.add(f.multiply(x, scale), -(high + low) / (high - low))
    return f.minimum(f.maximum(t, -1.0), 1.0)


def _meta(x: TensorType, **attrs: Any) -> TensorType:
    if x.dtype not in dtypes.FLOATS:
        raise OpError(f"takes float32 and float64, got {x}")
    return x


def _function(
    name: str,
    expand: Callable[..., Value],
    rule: Rule,
    low: float,
    high: float,
    grad_name: str = "",
    attrs: Sequence[dict[str, Any]] = ({},),
) -> OpDef:
    """A composite of one float, which `expand` makes of float64; samples lie between `low` and `high`."""

    def wide(f: Emitter, x: Value, **keywords: Any) -> Value:
        if f.dtype(x) is dtypes.float64:
            return expand(f, x, **keywords)
        return f.cast(expand(f, f.cast(x, dtype=dtypes.float64), **keywords), dtype=f.dtype(x))

    def eager(x: Array, **keywords: Any) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(wide(ARRAYS, np.asarray(x), **keywords))

    def sampled() -> Iterable[Sample]:
        for keywords in attrs:
            for each in samples.unary(dtypes.FLOATS, low, high, False):
                yield samples.with_attrs(each.args, **keywords)

    return define_op(
        name,
        meta=_meta,
        eager=eager,
        lower=Composite(wide, elementwise=True),
        samples=sampled,
        exact=False,
        operands=("self",),
        vjp=(rule,),
        grad_name=grad_name,
    )


def _from_whole(f: Emitter, x: Value) -> Value:
    """The distance to the nearest whole number, with its sign."""
    return f.subtract(x, f.rint(x))


# lgamma: the logarithm of the size of the gamma function.
def _lgamma(f: Emitter, x: Value) -> Value:
    negative = f.less(x, 0.0)
    size = f.where(negative, f.subtract(1.0, x), x)
    found = f.where(f.less(size, 2.5), _lgamma_near(f, size), _lgamma_far(f, size))
    mirror = f.log(f.divide(math.pi, f.absolute(f.sin(f.multiply(_from_whole(f, x), math.pi)))))
    found = f.where(negative, f.subtract(mirror, found), found)
    return f.where(f.isinf(x), math.inf, found)


def _lgamma_near(f: Emitter, x: Value) -> Value:
    """From 0 to 2.5: a polynomial from 1 on, below it the recurrence."""
    small = f.less(x, 1.0)
    y = f.where(small, f.add(x, 1.0), x)
    # The distance of y from 1 is x where that is small, and keeps its digits.
    from_one = f.where(small, x, f.subtract(x, 1.0))
    from_two = f.where(small, f.subtract(x, 1.0), f.subtract(x, 2.0))
    found = f.multiply(f.multiply(from_one, from_two), polynomial(f, _on(f, y, 1.0, 2.5), LGAMMA_PIECE))
    return f.where(small, f.subtract(found, f.log(f.where(small, x, 1.0))), found)


def _lgamma_far(f: Emitter, x: Value) -> Value:
    """From 2.5 on: Stirling's series."""
    small = f.less(x, float(SHIFT))
    z = f.where(small, f.add(x, 6.0), x)
    factor = x
    for k in range(1, 6):
        factor = f.multiply(factor, f.add(x, float(k)))
    inverse = f.divide(1.0, z)
    series = f.multiply(inverse, polynomial(f, f.multiply(inverse, inverse), STIRLING))
    found = f.multiply(f.subtract(z, 0.5), f.subtract(f.log(z), 1.0))
    found = f.add(found, f.add(series, 0.5 * math.log(2 * math.pi) - 0.5))
    return f.subtract(found, f.log(f.where(small, factor, 1.0)))


LGAMMA = _function("lgamma", _lgamma, lambda f, g, self: f.multiply(g, f.digamma(self)), 0.2, 12.0, grad_name="Lgamma")


# digamma: the derivative of lgamma.
def _digamma(f: Emitter, x: Value) -> Value:
    negative = f.less(x, 0.0)
    size = f.where(negative, f.subtract(1.0, x), x)
    small = f.less(size, float(SHIFT))
    z = f.where(small, f.add(size, float(SHIFT)), size)
    inverse = f.divide(1.0, z)
    square = f.multiply(inverse, inverse)
    found = f.subtract(f.log(z), f.multiply(inverse, 0.5))
    found = f.subtract(found, f.multiply(square, polynomial(f, square, DIGAMMA_SERIES)))
    steps = f.divide(1.0, size)
    for k in range(1, SHIFT):
        steps = f.add(steps, f.divide(1.0, f.add(size, float(k))))
    found = f.where(small, f.subtract(found, steps), found)
    turned = f.divide(math.pi, f.tan(f.multiply(_from_whole(f, x), math.pi)))
    whole = f.bitwise_and(negative, f.equal(f.floor(x), x))
    return f.where(whole, math.nan, f.where(negative, f.subtract(found, turned), found))


DIGAMMA = _function(
    "digamma", _digamma, lambda f, g, self: f.multiply(g, f.polygamma(self, n=1)), 0.3, 12.0, grad_name="Digamma"
)


# polygamma: the derivative of digamma of order n, which is 1 or more.
def _polygamma(f: Emitter, x: Value, *, n: int) -> Value:
    if n == 1:
        return _trigamma(f, x)
    sign = 1.0 if n % 2 else -1.0
    order = f.full(value=float(n + 1), shape=f.shape(x), dtype=dtypes.float64)
    zeta = get("zeta")
    found = zeta.eager(order, x) if f is ARRAYS else zeta.lower.expand(f, order, x)  # type: ignore[union-attr]
    return f.multiply(found, sign * math.factorial(n))


def _trigamma(f: Emitter, x: Value) -> Value:
    negative = f.less(x, 0.0)
    size = f.where(negative, f.subtract(1.0, x), x)
    small = f.less(size, float(SHIFT))
    z = f.where(small, f.add(size, float(SHIFT)), size)
    inverse = f.divide(1.0, z)
    square = f.multiply(inverse, inverse)
    found = f.add(
        f.add(inverse, f.multiply(square, 0.5)),
        f.multiply(f.multiply(square, inverse), polynomial(f, square, TRIGAMMA_SERIES)),
    )
    steps = f.divide(1.0, f.multiply(size, size))
    for k in range(1, SHIFT):
        step = f.add(size, float(k))
        steps = f.add(steps, f.divide(1.0, f.multiply(step, step)))
    found = f.where(small, f.add(found, steps), found)
    mirror = f.divide(math.pi, f.sin(f.multiply(_from_whole(f, x), math.pi)))
    return f.where(negative, f.subtract(f.multiply(mirror, mirror), found), found)


POLYGAMMA = _function(
    "polygamma",
    _polygamma,
    lambda f, g, self, *, n: f.multiply(g, f.polygamma(self, n=n + 1)),
    0.6,
    9.0,
    grad_name="Polygamma",
    attrs=({"n": 1}, {"n": 2}, {"n": 3}),
)


# erfinv: the x whose erf is the operand.
def _erfinv_of_root(f: Emitter, s: Value) -> Value:
    """The size of erfinv(y), for s = sqrt(-log(1 - y**2)) from 0.9 on."""
    middle = polynomial(f, _on(f, s, 0.9, 2.5), ERFINV_MIDDLE)
    far = polynomial(f, _on(f, s, 2.5, 6.5), ERFINV_FAR)
    return f.where(f.less(s, 2.5), middle, far)


def _erfinv(f: Emitter, y: Value) -> Value:
    square = f.multiply(y, y)
    near = f.multiply(y, polynomial(f, _on(f, square, 0.0, 0.5625), ERFINV_NEAR))
    rest = f.multiply(f.subtract(1.0, y), f.add(y, 1.0))
    tail = f.copysign(_erfinv_of_root(f, f.sqrt(f.negative(f.log(rest)))), y)
    found = f.where(f.less_equal(square, 0.5625), near, tail)
    found = f.where(f.equal(f.absolute(y), 1.0), f.divide(y, 0.0), found)
    return f.where(f.less(1.0, f.absolute(y)), math.nan, f.where(f.isnan(y), y, found))


ERFINV = _function(
    "erfinv",
    _erfinv,
    lambda f, g, result: f.multiply(g, f.multiply(f.exp(f.multiply(result, result)), math.sqrt(math.pi) / 2)),
    -0.95,
    0.95,
    grad_name="Erfinv",
)


# erfcx: exp(x**2) * erfc(x), and erfc: 1 - erf(x), of which small values keep their digits.
def _scaled_tail(f: Emitter, x: Value) -> Value:
    """erfcx of what is not negative."""
    t = f.divide(1.0, f.add(f.multiply(x, 0.5), 1.0))
    return f.multiply(t, polynomial(f, _on(f, t, 0.0, 1.0), ERFCX_PIECE))


def _erfcx(f: Emitter, x: Value) -> Value:
    size = f.absolute(x)
    tail = _scaled_tail(f, size)
    grown = f.multiply(f.exp(f.multiply(x, x)), 2.0)
    return f.where(f.less(x, 0.0), f.subtract(grown, f.where(f.isinf(size), 0.0, tail)), tail)


ERFCX = _function(
    "erfcx",
    _erfcx,
    lambda f, g, self, result: f.multiply(
        g, f.subtract(f.multiply(f.multiply(self, result), 2.0), 2 / math.sqrt(math.pi))
    ),
    -2.0,
    8.0,
    grad_name="SpecialErfcx",
)


def _square_in_two(f: Emitter, x: Value) -> tuple[Value, Value]:
    """The square of `x` as a sum: of a number with few digits, whose square is exact, and what is left."""
    high = f.divide(f.rint(f.multiply(x, 1024.0)), 1024.0)
    rest = f.multiply(f.subtract(x, high), f.add(x, high))
    return f.multiply(high, high), rest


def _erfc(f: Emitter, x: Value) -> Value:
    size = f.minimum(f.absolute(x), 40.0)
    high, rest = _square_in_two(f, size)
    tail = f.multiply(f.multiply(f.exp(f.negative(high)), f.exp(f.negative(rest))), _scaled_tail(f, size))
    return f.where(f.less(x, 0.0), f.subtract(2.0, tail), tail)


ERFC = _function(
    "erfc",
    _erfc,
    lambda f, g, self: f.multiply(f.multiply(g, f.exp(f.negative(f.multiply(self, self)))), -2 / math.sqrt(math.pi)),
    -3.0,
    5.0,
    grad_name="Erfc",
)


# log_ndtr: the logarithm of the share of the normal distribution below the operand.
def _log_ndtr(f: Emitter, x: Value) -> Value:
    low = f.less(x, -1.0)
    tail = f.minimum(f.where(low, f.multiply(x, -math.sqrt(0.5)), 1.0), 1e200)
    below = f.subtract(f.log(f.multiply(_scaled_tail(f, tail), 0.5)), f.multiply(f.multiply(x, x), 0.5))
    inside = f.where(low, 0.0, x)
    above = f.log1p(f.multiply(_erfc(f, f.multiply(inside, math.sqrt(0.5))), -0.5))
    return f.where(f.isnan(x), x, f.where(low, below, above))


LOG_NDTR = _function(
    "log_ndtr",
    _log_ndtr,
    lambda f, g, self: f.divide(f.multiply(g, math.sqrt(2 / math.pi)), f.erfcx(f.multiply(self, -math.sqrt(0.5)))),
    -9.0,
    4.0,
    grad_name="SpecialLogNdtr",
)


# ndtri: the x below which that share of the normal distribution lies.
def _ndtri(f: Emitter, p: Value) -> Value:
    y = f.subtract(f.multiply(p, 2.0), 1.0)
    square = f.multiply(y, y)
    near = f.multiply(y, polynomial(f, _on(f, square, 0.0, 0.5625), ERFINV_NEAR))
    # 1 - y**2 = 4 p (1 - p), of which the logarithm keeps the digits of small shares.
    s = f.sqrt(f.negative(f.add(f.add(f.log(p), f.log1p(f.negative(p))), 2 * math.log(2.0))))
    beyond = polynomial(f, _on(f, s, 6.5, 27.5), ERFINV_BEYOND)
    tail = f.copysign(f.where(f.less(s, 6.5), _erfinv_of_root(f, s), beyond), y)
    found = f.multiply(f.where(f.less_equal(square, 0.5625), near, tail), math.sqrt(2.0))
    found = f.where(f.equal(p, 0.0), -math.inf, f.where(f.equal(p, 1.0), math.inf, found))
    outside = f.bitwise_or(f.less(p, 0.0), f.less(1.0, p))
    return f.where(outside, math.nan, f.where(f.isnan(p), p, found))


NDTRI = _function(
    "ndtri",
    _ndtri,
    lambda f, g, result: f.multiply(
        g, f.multiply(f.exp(f.multiply(f.multiply(result, result), 0.5)), math.sqrt(2 * math.pi))
    ),
    0.02,
    0.98,
    grad_name="SpecialNdtri",
)


# entr: -x log(x), 0 for 0 and minus infinity below it.
def _entr(f: Emitter, x: Value) -> Value:
    positive = f.less(0.0, x)
    inside = f.negative(f.multiply(x, f.log(f.where(positive, x, 1.0))))
    outside = f.where(f.equal(x, 0.0), x, -math.inf)
    return f.where(f.isnan(x), x, f.where(positive, inside, outside))


ENTR = _function(
    "entr",
    _entr,
    lambda f, g, self: f.multiply(g, f.subtract(f.negative(f.log(self)), 1.0)),
    0.1,
    4.0,
    grad_name="SpecialEntr",
)

__all__ = [
    "DIGAMMA",
    "ENTR",
    "ERFC",
    "ERFCX",
    "ERFINV",
    "LGAMMA",
    "LOG_NDTR",
    "NDTRI",
    "POLYGAMMA",
]
