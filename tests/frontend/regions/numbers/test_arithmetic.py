"""Python's values in native loops: tuples, errors, `in`, powers, functions of numbers."""

# ruff: noqa: B023 (what is written is what is tested)

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

LINE = np.random.default_rng(27).integers(-3, 7, 9).astype(float)


def test_tuples_in_variables_and_as_results() -> None:
    def ordered(a: Any, b: Any) -> Any:
        low, high, best = 0.0, 0.0, (0, (0.0, 1))
        for i in range(len(a)):
            p, q = a[i], b[i]
            (low, high) = (p, q) if p < q else (q, p)
            if high > best[1][0]:
                best = (i, (high, 2))
            pair = (low, i)
            p, q = q, pair[0]
        return low, high, best, pair

    def found(a: Any, g: Any, wanted: float) -> Any:
        for i in range(len(a)):
            for j in range(g.shape[1]):
                if a[i] == g[i, j] + wanted:
                    return i, (j, a[i])
        return -1, (0, 1.5)

    native(ordered, LINE, LINE[::-1].copy())
    for wanted in (1.0, 100.0):
        check(found, LINE, np.outer(LINE, LINE[:4]) % 5, wanted, backend="reference")


def test_a_round_that_raises() -> None:
    def solved(a: Any, least: float) -> Any:
        total = 0.0
        for i in range(len(a)):
            if a[i] < least:
                raise ValueError(f"too small: {a[i]} in place {i}")
            if a[i] == 100:
                raise AssertionError("a hundred")
            a[i] *= 2
            total += a[i]
        return total

    def caught(a: Any, least: float) -> Any:
        for i in range(len(a)):
            try:
                a[i] += solved(a[i:], least)
            except ValueError as error:
                return str(error), a
        return a

    native(solved, LINE + 4, 0.0)
    check(solved, LINE, 0.0, backend="reference")
    check(solved, LINE * 0 + 100, 0.0, backend="reference")
    check(caught, LINE, -2.0, backend="reference")


def test_in() -> None:
    def counted(a: Any) -> Any:
        n = 0
        for i in range(len(a)):
            n += i in (1, 3, 5)
            if a[i] in (1.0, 2, n) or i not in (2, 7, True):
                n += 2
        return n

    native(counted, LINE)
    native(counted, np.array([np.nan, 2.0, 1.0]))


@pytest.mark.parametrize("scale", [1.0, -1.0])
def test_powers(scale: float) -> None:
    def series(a: Any, x: float) -> Any:
        total, n = 0.0, 0
        for i in range(len(a)):
            total += (-1) ** i * a[i] + 2**i + float(i) ** 2 + float(a[i]) ** 3 + (x * x) ** 0.5 + 1.5 ** float(a[i])
            n += i**4 + ~i
        return total, n

    def risky(a: Any) -> Any:
        total = 0.0
        for i in range(len(a)):
            total += float(a[i]) ** 0.5
        return total

    native(series, LINE, scale * 3.0, rtol=1e-12)
    check(risky, np.abs(LINE), backend="reference", rtol=1e-12)
    check(risky, LINE, backend="reference", rtol=1e-12)  # complex numbers


def test_powers_that_raise() -> None:
    def large(a: Any) -> Any:
        total, n = 0.0, 0
        for i in range(len(a)):
            total += (10.0 + a[i].item()) ** (i * 100)
            n += 2 ** (i * 20)
        return total, n

    def small(a: Any) -> Any:
        for i in range(1, len(a)):
            a[i] = a[i].item() ** (-i)
        return a

    check(large, LINE, backend="reference", rtol=1e-9)
    check(large, LINE[:2], backend="reference", rtol=1e-9)
    check(small, np.zeros(4), backend="reference")
    check(small, np.arange(1.0, 8.0), backend="reference", rtol=1e-12)


def test_functions_of_numbers() -> None:
    def calls(a: Any) -> Any:
        n, t = 0, 0.0
        for i in range(1, len(a)):
            q, r = divmod(n + 7, i)
            n = (n + q - r + round(a[i]) + int(a[i]) + len(a) + bool(a[i])) % 1000
            t += float(n) + abs(a[i]) + min(a[i], t, 3.0) + max(1, 2.5, a[i])
            x = a[i] / 10
            t += math.copysign(2.0, a[i]) + math.asin(x) + math.acos(x) + math.sinh(x) + math.cosh(x) + math.expm1(x)
            t += math.log1p(x) + math.floor(a[i]) + math.isnan(t) + math.isfinite(x) - math.isinf(t)
            d, m = divmod(t, 2.5)
            t = m + d % 7
        return n, t

    def inner(a: Any) -> Any:
        k = 2.0

        def scaled(x: Any, y: float = 2.0) -> Any:
            return x * y + k

        total = 0.0
        for i in range(len(a)):
            total += scaled(a[i]) + scaled(y=a[i], x=2.0) + (lambda z: z * z)(a[i])
        return total

    def walked(a: Any) -> Any:
        i, total = 0, 0.0
        while (x := a[i]) < 6 and i < len(a) - 1:
            total += (x and 3.0) * (i or 7)
            i += 1
        return total, i, x

    native(calls, LINE, rtol=1e-9)
    check(calls, LINE * 10, backend="reference", rtol=1e-9)  # where math.asin raises
    native(inner, LINE)
    native(walked, LINE)
