"""The formulas of functions of statistics, in plain Python and float64, that composites are held against."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

MANY = 2000


def _digamma(x: float) -> float:
    far = x + MANY
    return math.log(far) - 1 / (2 * far) - 1 / (12 * far**2) - math.fsum(1 / (x + k) for k in range(MANY))


def _zeta(s: float, q: float) -> float:
    if math.isnan(s) or math.isnan(q) or s < 1 or (q <= 0 and s % 1 and q % 1):
        return math.nan
    if s == 1 or (q <= 0 and not q % 1):
        return math.inf
    if math.isinf(q):
        return 0.0
    far = q + MANY
    rest = far ** (1 - s) / (s - 1) + far**-s / 2 + s * far ** (-s - 1) / 12
    return math.fsum([*(math.pow(q + k, -s) for k in range(MANY)), rest])


def _share_below(a: float, x: float) -> float:
    if math.isnan(a) or math.isnan(x) or a < 0 or x < 0 or a == x == 0:
        return math.nan
    if x == 0 or math.isinf(a):
        return 0.0
    if a == 0 or math.isinf(x):
        return 1.0
    terms = [1.0]
    while terms[-1] > 1e-20 * terms[0] or len(terms) < x:
        terms.append(terms[-1] * x / (a + len(terms)))
    return math.exp(a * math.log(x) - x - math.lgamma(a + 1)) * math.fsum(terms)


def _slope(a: float, x: float) -> float:
    """Minus the integral of the derivative of the density by the shape, over the density, on one side of `x`."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    sign, width = (1, 0.25) if x > a + 1 else (-1, 2.0)
    u = np.concatenate([width * (part + (1 + nodes) / 2) for part in range(80)])
    t = x * np.exp(sign * u)
    density = np.exp(np.maximum(a * np.log(t) - t - math.lgamma(a), -800.0))
    total = float((np.tile(weights, 80) * width / 2 * density * (np.log(t) - _digamma(a))).sum())
    return sign * total / math.exp((a - 1) * math.log(x) - x - math.lgamma(a))


def _draws(alpha: Any, key: Any) -> Any:
    source = np.random.Generator(np.random.Philox(key=int(key[0])))
    drawn = source.standard_gamma(np.where(alpha >= 0, alpha, 1.0))
    return np.where(alpha >= 0, np.maximum(drawn, np.finfo(float).tiny), np.nan)


def _angles(concentration: Any, key: Any) -> Any:
    source = np.random.Generator(np.random.Philox(key=int(key[0])))
    drawn = source.vonmises(0.0, np.where(concentration >= 0, concentration, 1.0))
    return np.where(concentration >= 0, drawn, np.nan)


def _i1(x: Any) -> Any:
    """The mean of cos(t) exp(x cos(t)) over even angles, which is exact for enough of them."""
    t = np.cos(2 * np.pi * np.arange(128) / 128)
    return (t * np.exp(np.multiply.outer(x, t))).mean(-1)


def _each(function: Callable[..., float]) -> Callable[..., Any]:
    return np.vectorize(function, otypes=[float])


ROOT = math.sqrt(2)
MEANINGS: dict[str, Callable[..., Any]] = {
    "lgamma": _each(math.lgamma),
    "digamma": _each(_digamma),
    "polygamma": lambda x, *, n: (-1) ** (n + 1) * math.factorial(n) * _each(_zeta)(n + 1.0, x),
    "erfinv": _each(lambda y: NormalDist().inv_cdf((1 + y) / 2) / ROOT),
    "erfcx": _each(lambda x: math.exp(x * x) * math.erfc(x)),
    "erfc": _each(math.erfc),
    "log_ndtr": _each(lambda x: math.log(math.erfc(-x / ROOT) / 2)),
    "ndtri": _each(NormalDist().inv_cdf),
    "entr": lambda x: -x * np.log(x),
    "zeta": _each(_zeta),
    "gammainc": _each(_share_below),
    "gammaincc": _each(lambda a, x: 1 - _share_below(a, x)),
    "gamma_slope": _each(_slope),
    "standard_gamma": _draws,
    "von_mises": _angles,
    "i0": np.i0,
    "i0e": lambda x: np.exp(-np.abs(x)) * np.i0(x),
    "i1": _i1,
    "i1e": lambda x: np.exp(-np.abs(x)) * _i1(x),
}
