"""Writes `ops/special_coefficients.py`, polynomials behind gamma, error and Bessel functions. It needs mpmath:

    python benchmarks/fit_special_functions.py > ops/special_coefficients.py

Each is the interpolation at Chebyshev points, of which terms below the rounding of float64 are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp  # type: ignore[import-not-found, import-untyped]

mp.dps = 60


def fitted(function: Callable[[Any], Any], low: Any, high: Any, rounding: float) -> list[float]:
    """The coefficients, lowest power first, of a polynomial in t from -1 to 1, the ends of the range.

    Terms are left out as soon as all that follow add up to less than `rounding` of the first one.
    """
    low, high, count = mp.mpf(low), mp.mpf(high), 64
    points = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / count) for k in range(count)]
    values = [function((high - low) / 2 * t + (high + low) / 2) for t in points]
    terms = [
        2 * mp.fsum(v * mp.cos(j * mp.pi * (k + mp.mpf(1) / 2) / count) for k, v in enumerate(values)) / count
        for j in range(count)
    ]
    terms[0] /= 2
    while abs(terms[-1]) < rounding * abs(terms[0]):
        terms.pop()
    return [float(each) for each in _powers(terms)]


def _powers(terms: list[Any]) -> list[Any]:
    """The coefficients by powers of a sum of Chebyshev polynomials."""
    before, now = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    found = [mp.mpf(0)] * len(terms)
    for polynomial, term in _chebyshev(before, now, terms):
        for power, factor in enumerate(polynomial):
            found[power] += term * factor
    return found


def _chebyshev(before: list[Any], now: list[Any], terms: list[Any]) -> Any:
    for term in terms:
        yield before, term
        following = [mp.mpf(0), *(2 * each for each in now)]
        for power, factor in enumerate(before):
            following[power] -= factor
        before, now = now, following


def near_one(x: Any) -> Any:
    """lgamma without its zeros at 1 and 2."""
    x = mp.mpf(x)
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def inverse_error(y: Any) -> Any:
    """erfinv over its operand, as a function of the square."""
    root = mp.sqrt(y)
    return mp.erfinv(root) / root


def inverse_error_tail(s: Any) -> Any:
    """The root of erfinv, which is x in 1 - erf(x)**2 = exp(-s**2)."""
    target = mp.exp(-s * s)
    # erf(x)**2 = 1 - target, as an equation in erfc, which keeps its digits.
    wanted = target / (1 + mp.sqrt(1 - target))
    return mp.findroot(lambda x: mp.log(mp.erfc(x)) - mp.log(wanted), s * mp.mpf("0.93") + mp.mpf("0.05"))


def scaled_error(t: Any) -> Any:
    """exp(x**2) * erfc(x) over t, for t = 1 / (1 + x / 2)."""
    x = 2 * (1 / t - 1)
    return mp.exp(x * x) * mp.erfc(x) / t


def bessel_near(order: int) -> Callable[[Any], Any]:
    """I0, or I1 over its operand, as a function of the square."""

    def function(y: Any) -> Any:
        x = mp.sqrt(y)
        return mp.besseli(order, x) / x**order

    return function


def bessel_far(order: int) -> Callable[[Any], Any]:
    """I0 or I1 times sqrt(x) * exp(-x), as a function of 1 / x."""

    def function(inverse: Any) -> Any:
        x = 1 / inverse
        return mp.besseli(order, x) * mp.sqrt(x) * mp.exp(-x)

    return function


PIECES = (
    ("LGAMMA", "lgamma(x) / ((x - 1) * (x - 2)), x from 1 to 2.5", near_one, 1, "2.5"),
    ("ERFINV_NEAR", "erfinv(y) / y, y**2 from 0 to 0.5625", inverse_error, 0, "0.5625"),
    ("ERFINV_MIDDLE", "erfinv(y), sqrt(-log(1 - y**2)) from 0.9 to 2.5", inverse_error_tail, "0.9", "2.5"),
    ("ERFINV_FAR", "erfinv(y), sqrt(-log(1 - y**2)) from 2.5 to 6.5", inverse_error_tail, "2.5", "6.5"),
    ("ERFINV_BEYOND", "erfinv(y), sqrt(-log(1 - y**2)) from 6.5 to 27.5", inverse_error_tail, "6.5", "27.5"),
    ("ERFCX", "exp(x**2) * erfc(x) / t, t = 1 / (1 + x / 2) from 0 to 1", scaled_error, 0, 1),
    ("I0_NEAR", "I0(x), x**2 from 0 to 64", bessel_near(0), 0, 64),
    ("I0_FAR", "I0(x) * sqrt(x) * exp(-x), 1 / x from 0 to 1 / 8", bessel_far(0), 0, "0.125"),
    ("I1_NEAR", "I1(x) / x, x**2 from 0 to 64", bessel_near(1), 0, 64),
    ("I1_FAR", "I1(x) * sqrt(x) * exp(-x), 1 / x from 0 to 1 / 8", bessel_far(1), 0, "0.125"),
)


def main() -> None:
    """Prints the module."""
    print(
        '"""Polynomials behind functions of statistics, lowest power first, in t: '
        "-1 and 1 are the ends of their ranges."
    )
    print('\nWritten by `benchmarks/fit_special_functions.py`.\n"""\n')
    for name, meaning, function, low, high in PIECES:
        print(f"# {meaning}")
        print(f"{name} = (")
        for each in fitted(function, low, high, 1e-17):
            print(f"    {each!r},")
        print(")")


if __name__ == "__main__":
    main()
