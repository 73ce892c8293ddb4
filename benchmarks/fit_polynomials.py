"""Fits the polynomials of `backend/math/coefficients.py`: Remez exchange in mpmath, then rounding.

Run `python -P benchmarks/fit_polynomials.py > backend/math/coefficients.py` (needs mpmath, a few seconds). The
terms that must be exact, the first one or two of each series, are not part of the fit, so rounding the rest is enough.

Source: E. Remez 1934, the exchange algorithm.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from mpmath import mp, mpf

mp.dps = 50
Function = Callable[[mpf], mpf]


@dataclass(frozen=True)
class Fit:
    """One polynomial: `target` on [low, high], the error weighed by `weight` (how much of it reaches the result)."""

    name: str
    meaning: str
    target: Function
    low: float
    high: float
    degree: int
    weight: Function
    single: bool = False  # rounded to float32, not float64


def _nodes(low: mpf, high: mpf, count: int) -> list[mpf]:
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def _evaluate(coefficients: list[mpf], x: mpf) -> mpf:
    return mp.polyval(coefficients[::-1], x) if coefficients else mpf(0)


def remez(target: Function, weight: Function, low: mpf, high: mpf, degree: int) -> tuple[list[mpf], mpf]:
    """Coefficients of the polynomial with the least largest |weight * error| on [low, high], and that error."""
    count = degree + 2
    points = _nodes(low, high, count)
    # The grid lies densest at the ends, as the extrema do.
    grid = _nodes(low, high, 24 * count)
    values = [(x, target(x), weight(x)) for x in grid]
    for _ in range(12):
        matrix, right = mp.matrix(count, count), mp.matrix(count, 1)
        for row, x in enumerate(points):
            for power in range(degree + 1):
                matrix[row, power] = x**power
            matrix[row, count - 1] = (-1) ** row / weight(x)
            right[row] = target(x)
        solution = mp.lu_solve(matrix, right)
        found = [solution[i] for i in range(count - 1)]
        errors = [(x, w * (_evaluate(found, x) - t)) for x, t, w in values]
        extrema = _alternating(errors, count)
        worst = max(abs(e) for _, e in errors)
        if len(extrema) < count or worst <= abs(solution[count - 1]) * mpf("1.01"):
            break
        points = extrema
    return found, worst


def _alternating(errors: list[tuple[mpf, mpf]], count: int) -> list[mpf]:
    """The largest error of each run of one sign, `count` of them, dropping the smaller end while there are more."""
    runs: list[tuple[mpf, mpf]] = []
    for x, error in errors:
        if runs and (runs[-1][1] > 0) == (error > 0):
            if abs(error) > abs(runs[-1][1]):
                runs[-1] = (x, error)
        else:
            runs.append((x, error))
    while len(runs) > count:
        runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
    return [x for x, _ in runs]


def rounded(fit: Fit) -> tuple[list[float], float]:
    """The coefficients in the target precision, and the weighed error that is left."""
    low, high = mpf(fit.low), mpf(fit.high)
    found, _ = remez(fit.target, fit.weight, low, high, fit.degree)
    kept = [float(np.float32(float(c))) if fit.single else float(c) for c in found]
    exact = [mpf(c) for c in kept]
    worst = max(abs(fit.weight(x) * (fit.target(x) - _evaluate(exact, x))) for x in _nodes(low, high, 500))
    return kept, float(worst)


TINY = 1e-12  # series in z = x**2 are fitted from here on, so that their quotients keep their digits


def _exp(r: mpf) -> mpf:
    return (mp.expm1(r) - r) / r**2


def _in_square(function: Function) -> Function:
    """(function(x)/x - 1) / x**2 as a function of z = x**2, for an odd function with slope 1 at 0."""
    return lambda z: (function(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def _atanh(z: mpf) -> mpf:
    return 2 * (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def _atanh_tail(z: mpf) -> mpf:
    return ((mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z - mpf(1) / 3) / z


def _cos(z: mpf) -> mpf:
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2


def _erf(z: mpf) -> mpf:
    return mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1


def _erf_weight(z: mpf) -> mpf:
    return mp.sqrt(z) / mp.erf(mp.sqrt(z))


def _log_erfc(x: mpf) -> mpf:
    return mp.log(mp.erfc(x))


def _cbrt(f: mpf) -> mpf:
    return mp.cbrt(1 + f)


def _cbrt_weight(f: mpf) -> mpf:
    return 1 / mp.cbrt(1 + f)


HALF_LN2 = 0.34662
S_SQUARED = 0.0294373  # s = f / (2 + f) for 1 + f in [sqrt(1/2), sqrt(2)]
QUARTER_PI_SQUARED = 0.617
EXP_MEANING = "exp(r) = 1 + r + r**2 * P(r), |r| <= log(2)/2"
LOG_MEANING = "log(1 + f) = 2*s + s**3 * P(s**2), s = f / (2 + f), 1 + f from sqrt(1/2) to sqrt(2)"
LOG_TAIL_MEANING = "log(1 + f) = 2*s*(1 + s**2/3 + s**4 * P(s**2)), s as above"
TANH_MEANING = "tanh(x) = x + x**3 * P(x**2), |x| <= 0.5625"
SINH_MEANING = "sinh(x) = x + x**3 * P(x**2), |x| <= 1"
SIN_MEANING = "sin(x) = x + x**3 * P(x**2), |x| <= pi/4"
COS_MEANING = "cos(x) = 1 - x**2/2 + x**4 * P(x**2), |x| <= pi/4"
ATAN_MEANING = "arctan(x) = x + x**3 * P(x**2), |x| <= 1/2"
ASIN_MEANING = "arcsin(x) = x + x**3 * P(x**2), |x| <= 1/2"
CBRT_MEANING = "cbrt(1 + f) = P(f), the start of an iteration, 1 + f from sqrt(1/2) to sqrt(2)"
ERF_MEANING = "erf(x) = x + x * P(x**2), |x| <= 1"
ERFC_MEANING = "log(1 - erf(x)) = P(x), x from 1 to "

FITS = (
    Fit("EXP_F32", EXP_MEANING, _exp, -HALF_LN2, HALF_LN2, 4, abs, single=True),
    Fit("EXP_F64", EXP_MEANING, _exp, -HALF_LN2, HALF_LN2, 10, abs),
    Fit("EXP_WIDE", EXP_MEANING, _exp, -HALF_LN2, HALF_LN2, 6, abs),
    Fit("LOG_F32", LOG_MEANING, _atanh, TINY, S_SQUARED, 2, lambda z: z / 2, single=True),
    Fit("LOG_F64", LOG_MEANING, _atanh, TINY, S_SQUARED, 6, lambda z: z / 2),
    Fit("LOG_WIDE", LOG_MEANING, _atanh, TINY, S_SQUARED, 4, lambda z: z / 2),
    Fit("LOG_TAIL", LOG_TAIL_MEANING, _atanh_tail, 1e-9, S_SQUARED, 7, lambda z: z * z),
    Fit("TANH_F32", TANH_MEANING, _in_square(mp.tanh), TINY, 0.5626**2, 4, lambda z: z, single=True),
    Fit("TANH_F64", TANH_MEANING, _in_square(mp.tanh), TINY, 0.5626**2, 10, lambda z: z),
    Fit("SINH_F64", SINH_MEANING, _in_square(mp.sinh), TINY, 1.0, 6, lambda z: z),
    Fit("SIN_F64", SIN_MEANING, _in_square(mp.sin), TINY, QUARTER_PI_SQUARED, 5, lambda z: z),
    Fit("SIN_WIDE", SIN_MEANING, _in_square(mp.sin), TINY, QUARTER_PI_SQUARED, 3, lambda z: z),
    Fit("COS_F64", COS_MEANING, _cos, TINY, QUARTER_PI_SQUARED, 5, lambda z: z * z),
    Fit("COS_WIDE", COS_MEANING, _cos, TINY, QUARTER_PI_SQUARED, 3, lambda z: z * z),
    Fit("ATAN_F32", ATAN_MEANING, _in_square(mp.atan), TINY, 0.2501, 5, lambda z: z, single=True),
    Fit("ATAN_F64", ATAN_MEANING, _in_square(mp.atan), TINY, 0.2501, 12, lambda z: z),
    Fit("ASIN_F32", ASIN_MEANING, _in_square(mp.asin), TINY, 0.25, 5, lambda z: z, single=True),
    Fit("ASIN_F64", ASIN_MEANING, _in_square(mp.asin), TINY, 0.25, 12, lambda z: z),
    Fit("CBRT_F32", CBRT_MEANING, _cbrt, -0.29290, 0.41422, 3, _cbrt_weight, single=True),
    Fit("CBRT_F64", CBRT_MEANING, _cbrt, -0.29290, 0.41422, 6, _cbrt_weight),
    Fit("ERF_F32", ERF_MEANING, _erf, TINY, 1.0, 6, _erf_weight, single=True),
    Fit("ERF_F64", ERF_MEANING, _erf, TINY, 1.0, 12, _erf_weight),
    Fit("ERFC_F32", ERFC_MEANING + "4", _log_erfc, 1.0, 4.0, 7, mp.erfc, single=True),
    Fit("ERFC_F64", ERFC_MEANING + "6", _log_erfc, 1.0, 6.0, 18, mp.erfc),
)

HEADER = '''"""Coefficients of the polynomials behind the transcendental functions, lowest power first.

Written by `benchmarks/fit_polynomials.py`; "error" is the largest relative error that the polynomial leaves in the
function it serves. `_F32` holds float32 values, `_WIDE` serves float32 functions that compute in float64.
"""
'''


def main() -> None:
    """Prints the module of coefficients."""
    print(HEADER)
    for fit in FITS:
        coefficients, error = rounded(fit)
        print(f"# {fit.meaning}; error 2**{np.log2(error):.1f}")
        print(f"{fit.name} = (")
        for coefficient in coefficients:
            print(f"    {coefficient!r},")
        print(")")
        print(fit.name, f"2**{np.log2(error):.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
