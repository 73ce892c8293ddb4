"""Functions of statistics that NumPy computes by iterating: the zeta function, shares of the gamma distribution.

And draws from it, whose derivative is that of the number below which the same share lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .counts import drawing
from .emitter import Emitter
from .matrix_forms import laid_out
from .ordering import found_by_numpy
from .registry import Array, Sample
from .special import DIGAMMA, LGAMMA

Value = Any
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
MOST_TERMS = 20_000
"""The number of terms of a series, or steps of a fraction, after which it is taken as it is."""
ENOUGH = 2e-15
"""The share of its value by which a fraction still moves when it is taken as it is."""


def _pair_meta(first: TensorType, second: TensorType) -> TensorType:
    if first != second or first.dtype not in dtypes.FLOATS:
        raise OpError(f"takes two operands of one float type, got {first} and {second}")
    return first


# zeta: the sum of (q + k) ** -s over all k from 0 up, s above 1.
def hurwitz_zeta(s: Array, q: Array) -> Array:
    """The sums: the first terms, and the formula of Euler and Maclaurin for the rest."""
    with np.errstate(all="ignore"):
        order, start = s.astype(np.float64), q.astype(np.float64)
        total, place, k = np.zeros(s.shape), start.copy(), 0
        while True:
            more = (k < 10) | ((place <= 9) & np.isfinite(place))
            if not more.any() or k > 10_000_000:
                break
            total = np.where(more, total + np.power(place, -order), total)
            place = np.where(more, place + 1, place)
            k += 1
        total += np.power(place, 1 - order) / (order - 1) + 0.5 * np.power(place, -order)
        factor, power = order.copy(), np.power(place, -order - 1)
        for k, each in enumerate(BERNOULLI, start=1):
            total += each / math.factorial(2 * k) * factor * power
            factor *= (order + 2 * k - 1) * (order + 2 * k)
            power /= place * place
        whole = (start <= 0) & (np.floor(start) == start)
        total = np.where(whole, np.inf, np.where((start <= 0) & (np.floor(order) != order), np.nan, total))
        total = np.where(np.isposinf(start), 0.0, total)
        total = np.where(order == 1, np.inf, np.where(order < 1, np.nan, total))
        return laid_out(np.where(np.isnan(order) | np.isnan(start), np.nan, total), s)


def not_implemented(function: str, operand: str) -> Callable[..., Value]:
    """A rule for an operand that has no derivative: it raises NotImplementedError, where zeros would be wrong."""

    def rule(f: Emitter, g: Value) -> Value:
        raise NotImplementedError(
            f"the derivative for '{function}: {operand}' is not implemented; detach() {operand} if it is a constant"
        )

    return rule


def _zeta_rule(f: Emitter, g: Value, self: Value, other: Value) -> Value:
    """The cotangent of what is counted from; there is none of the power."""
    return f.multiply(g, f.negative(f.multiply(self, f.zeta(f.add(self, 1.0), other))))


def _zeta_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((samples.uniform(1.5, 6, (3, 4), dtype), samples.uniform(0.5, 9, (3, 4), dtype, 1)))
    yield Sample(
        (np.array([2.0, 3.0, 1.0, 0.5, 2.0, 2.5, 2.0]), np.array([-0.5, -2.0, 2.0, 2.0, np.inf, -1.5, np.nan]))
    )


ZETA = found_by_numpy(
    "zeta",
    _pair_meta,
    hurwitz_zeta,
    _zeta_samples,
    ("self", "other"),
    vjp=(not_implemented("zeta", "input"), _zeta_rule),
    grad_name="SpecialZeta",
)


# gammainc: the share of the gamma distribution of shape `self` that lies below `other`; gammaincc: what is left of it.
def _share_below(a: Array, x: Array) -> tuple[Array, Array]:
    """Both shares, each from a series or a fraction that does not cancel."""
    with np.errstate(all="ignore"):
        a, x = np.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
        low = np.array(x < a + 1)
        below, above = np.empty(a.shape), np.empty(a.shape)
        scale = np.exp(a * np.log(x) - x - LGAMMA.eager(np.array(a)))
        series = _series(np.where(low, a, 1.0), np.where(low, x, 0.5))
        fraction = _fraction(np.where(low, 1.0, a), np.where(low, 3.0, x))
        below = np.where(low, scale / np.where(low, a, 1.0) * series, 1 - scale * fraction)
        above = np.where(low, 1 - below, scale * fraction)
        edge = x == 0
        below, above = np.where(edge, 0.0, below), np.where(edge, 1.0, above)
        edge = np.isposinf(x) & np.isfinite(a)
        below, above = np.where(edge, 1.0, below), np.where(edge, 0.0, above)
        edge = (a == 0) & (x > 0)
        below, above = np.where(edge, 1.0, below), np.where(edge, 0.0, above)
        edge = np.isposinf(a) & np.isfinite(x)
        below, above = np.where(edge, 0.0, below), np.where(edge, 1.0, above)
        bad = (a < 0) | (x < 0) | np.isnan(a) | np.isnan(x) | ((a == 0) & (x == 0)) | (np.isinf(a) & np.isinf(x))
        return np.where(bad, np.nan, below), np.where(bad, np.nan, above)


def _series(a: Array, x: Array) -> Array:
    """1 + x / (a + 1) + x**2 / ((a + 1) (a + 2)) + ..."""
    total, term = np.ones(a.shape), np.ones(a.shape)
    for k in range(1, MOST_TERMS):
        term = term * x / (a + k)
        total += term
        if not (np.abs(term) > 1e-17 * np.abs(total)).any():
            break
    return total


def _fraction(a: Array, x: Array) -> Array:
    """The continued fraction 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)), from the front on.

    Source: Thompson & Barnett 1986, "Coulomb and Bessel functions of complex arguments and order", section 4.
    """
    tiny = 1e-300
    b = x + 1 - a
    c, d = np.full(a.shape, 1 / tiny), 1 / np.where(b == 0, tiny, b)
    found = d.copy()
    for k in range(1, MOST_TERMS):
        numerator = -k * (k - a)
        b = b + 2
        d = numerator * d + b
        d = 1 / np.where(d == 0, tiny, d)
        c = b + numerator / c
        c = np.where(c == 0, tiny, c)
        step = c * d
        found *= step
        if not (np.abs(step - 1) > ENOUGH).any():
            break
    return found


def share_below(a: Array, x: Array) -> Array:
    """The share of the gamma distribution of shape `a` below `x`."""
    return laid_out(_share_below(a, x)[0], a)


def share_above(a: Array, x: Array) -> Array:
    """The share of the gamma distribution of shape `a` above `x`."""
    return laid_out(_share_below(a, x)[1], a)


def _density(f: Emitter, a: Value, x: Value) -> Value:
    """The density of the gamma distribution of shape `a` at `x`."""
    power = f.subtract(f.multiply(f.subtract(a, 1.0), f.log(x)), x)
    return f.exp(f.subtract(power, f.lgamma(a)))


def _below_by_shape(f: Emitter, g: Value, self: Value, other: Value) -> Value:
    """A share is kept where the number grows by `gamma_slope` with the shape: so it falls by that times the density."""
    return f.negative(_above_by_shape(f, g, self, other))


def _above_by_shape(f: Emitter, g: Value, self: Value, other: Value) -> Value:
    return f.multiply(g, f.multiply(f.gamma_slope(self, other), _density(f, self, other)))


def _share_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((samples.uniform(0.3, 9, (3, 4), dtype), samples.uniform(0.1, 12, (3, 4), dtype, 1)))
    edges = np.array([0.0, 1.0, 0.0, -1.0, 2.0, np.inf, 1.0, np.nan, 40.0, 0.5])
    yield Sample((edges, np.array([1.0, 0.0, 0.0, 1.0, np.inf, 1.0, -1.0, 1.0, 50.0, 1e-8])))


GAMMAINC = found_by_numpy(
    "gammainc",
    _pair_meta,
    share_below,
    _share_samples,
    ("self", "other"),
    vjp=(_below_by_shape, lambda f, g, self, other: f.multiply(g, _density(f, self, other))),
    grad_name="Igamma",
)
GAMMAINCC = found_by_numpy(
    "gammaincc",
    _pair_meta,
    share_above,
    _share_samples,
    ("self", "other"),
    vjp=(_above_by_shape, lambda f, g, self, other: f.negative(f.multiply(g, _density(f, self, other)))),
    grad_name="Igammac",
)


# gamma_slope: how fast the number below which a share of the gamma distribution lies grows with the shape `self`.
def slope_of_share(a: Array, x: Array) -> Array:
    """Minus the derivative of the share below `x` by the shape, over the density: that of a draw by its shape.

    Source: Figurnov, Mohamed & Mnih 2018, "Implicit reparameterization gradients".
    """
    with np.errstate(all="ignore"):
        shape, place = a.astype(np.float64), np.maximum(x.astype(np.float64), 1e-300)
        low = place < shape + 1
        by_series = _slope_low(np.where(low, shape, 1.0), np.where(low, place, 0.5))
        by_fraction = _slope_high(np.where(low, 1.0, shape), np.where(low, 3.0, place))
        found = np.where(low, by_series, by_fraction)
        return laid_out(np.where(np.isnan(shape) | np.isnan(x), np.nan, found), a)


def _slope_low(a: Array, x: Array) -> Array:
    """From the series of the share, term by term: share over density is (x / a) (1 + x / (a + 1) + ...)."""
    total, term = np.ones(a.shape), np.ones(a.shape)
    by_shape, inner = np.zeros(a.shape), np.zeros(a.shape)
    for k in range(1, MOST_TERMS):
        term = term * x / (a + k)
        inner = inner - 1 / (a + k)
        total += term
        by_shape += term * inner
        if not (np.abs(term * inner) > 1e-17 * np.abs(by_shape)).any():
            break
    # share = scale / a * total, of which the logarithm has the derivative log(x) - digamma(a) - 1 / a.
    steep = np.log(x) - DIGAMMA.eager(a + 1)
    return np.asarray(-(x / a) * (total * steep + by_shape))


def _slope_high(a: Array, x: Array) -> Array:
    """From the fraction of the share above, differentiated step by step."""
    tiny = 1e-300
    b, b_slope = x + 1 - a, -1.0
    c, c_slope = np.full(a.shape, 1 / tiny), np.zeros(a.shape)
    d = 1 / np.where(b == 0, tiny, b)
    d_slope = -d * d * b_slope
    found, slope = d.copy(), d_slope.copy()
    for k in range(1, MOST_TERMS):
        numerator, by_shape = -k * (k - a), float(k)
        b = b + 2
        under = numerator * d + b
        under_slope = by_shape * d + numerator * d_slope + b_slope
        d = 1 / np.where(under == 0, tiny, under)
        d_slope = -d * d * under_slope
        new = b + numerator / c
        c_slope = b_slope + by_shape / c - numerator * c_slope / (c * c)
        c = np.where(new == 0, tiny, new)
        step, step_slope = c * d, c * d_slope + c_slope * d
        slope = slope * step + found * step_slope
        found = found * step
        moved = np.abs(found * step_slope) > 1e-14 * (np.abs(slope) + np.abs(found))
        if not ((np.abs(step - 1) > ENOUGH) | moved).any():
            break
    # above = scale * fraction, scale over density is x.
    steep = np.log(x) - DIGAMMA.eager(np.array(a))
    return np.asarray(x * (found * steep + slope))


def _slope_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((samples.uniform(0.3, 9, (3, 4), dtype), samples.uniform(0.1, 12, (3, 4), dtype, 1)))
    yield Sample((np.zeros((0, 2)), np.zeros((0, 2))))


GAMMA_SLOPE = found_by_numpy(
    "gamma_slope",
    _pair_meta,
    slope_of_share,
    _slope_samples,
    ("self", "output"),
    vjp=(not_implemented("gamma_slope", "input"), not_implemented("gamma_slope", "output")),
)


# standard_gamma: draws from the gamma distribution of a shape and scale 1; a function of the shape and a key.
def _draw_meta(alpha: TensorType, key: TensorType) -> TensorType:
    if key.shape != (1,) or key.dtype is not dtypes.int64:
        raise OpError(f"a key is int64[1], got {key}")
    if alpha.dtype not in dtypes.FLOATS:
        raise OpError(f"standard_gamma takes float32 and float64, got {alpha}")
    return alpha


def gamma_draws(alpha: Array, key: Array) -> Array:
    """The draws: NaN where the shape is negative or NaN, and never less than the smallest normal number."""
    legal = alpha >= 0
    drawn = drawing(key).standard_gamma(np.where(legal, alpha, 1.0).astype(np.float64))
    smallest = float(np.finfo(alpha.dtype).tiny)
    return laid_out(np.where(legal, np.maximum(drawn, smallest), np.nan), alpha)


def _draw_samples() -> Iterable[Sample]:
    for number, shape in enumerate(samples.SHAPES):
        for dtype in dtypes.FLOATS:
            yield Sample((samples.uniform(0.1, 9, shape, dtype), np.array([2**62 + number])))
    yield Sample((np.array([0.0, -1.0, np.nan, 1e9, 0.001]), np.array([5])))


STANDARD_GAMMA = found_by_numpy(
    "standard_gamma",
    _draw_meta,
    gamma_draws,
    _draw_samples,
    ("self", "key"),
    vjp=(lambda f, g, self, result: f.multiply(g, f.gamma_slope(self, result)), None),
    grad_name="StandardGamma",
)

__all__ = ["GAMMAINC", "GAMMAINCC", "GAMMA_SLOPE", "STANDARD_GAMMA", "ZETA"]
