"""Loops that are left to Python as a whole: where the split lies, what is compiled behind it, and what is said."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl

RANDOM = np.random.default_rng(25)
LINE = RANDOM.integers(-4, 9, 90).astype(float)


def left(function: Any, *args: Any, compiles: int) -> gl.Report:
    """`check`, that the function breaks at loops alone, and how often it is compiled over several calls."""
    report = check(function, *args, backend="reference")
    assert set(report.breaks) <= {"B313"}, report.breaks
    jitted = gl.jit(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(4):
            jitted(*args)
    found = gl.explain(jitted)
    assert found.compiles == compiles, found
    return found


def test_what_lies_before_and_behind_the_loop_is_compiled() -> None:
    def peaks(a: Any) -> Any:
        a = a * 2 + 1
        found = []
        for k in range(1, len(a) - 1):
            if a[k] > a[k - 1] and a[k] > a[k + 1]:
                found.append(k)
        b = np.sqrt(np.abs(a)) + 1
        return found, b

    found = left(peaks, LINE, compiles=2)
    (stop,) = found.breaks
    assert "a change of an object that is no array" in str(stop)


def test_the_reason_names_the_line() -> None:
    def told(a: Any) -> Any:
        total = 0.0
        for k in range(1, len(a)):
            total += a[k]
            total += math.gamma(abs(a[k]) + 1)
        return total

    (stop,) = left(told, LINE, compiles=0).breaks
    assert "math.gamma" in str(stop) or "gamma" in str(stop)
    assert f":{told.__code__.co_firstlineno + 4}" in str(stop)


def test_short_loops_that_break_are_left_too() -> None:
    def walk(a: Any) -> Any:
        path, i = [], len(a) - 1
        a = a + 1
        while i > 0:
            if a[i] > 2:
                path.append(a[i])
                i -= 2
            else:
                i -= 1
        return path, a * 2

    left(walk, LINE[:9], compiles=2)


def test_nested_loops_are_left_from_the_outermost() -> None:
    def pairs(a: Any) -> Any:
        a, found = a * 2, {}
        for i in range(len(a)):
            for j in range(i):
                if a[i] == a[j]:
                    found[i] = j
        return found, a + 1

    left(pairs, LINE[:30], compiles=2)


def test_a_loop_inside_a_loop_that_breaks_first() -> None:
    def totals(a: Any, z: Any) -> Any:
        a, out = a * 2, []
        for i in range(len(a)):
            start = complex(i) * z[i]
            for j in range(i):
                start += a[j] * z[j]
            out.append(start)
        return out, a + 1

    check(totals, LINE, LINE * 1j, backend="reference")


def test_a_loop_in_a_called_function_is_left_there() -> None:
    def kept(a: Any, least: float) -> Any:
        found = []
        for k in range(len(a)):
            if a[k] > least:
                found.append(a[k])
        return found

    def both(a: Any) -> Any:
        return len(kept(a + 1, 2.0)), kept(a * 2, 4.0), a + 3

    check(both, LINE, backend="reference")


def test_a_loop_that_is_left_with_errors_and_breaks() -> None:
    def found(a: Any, wanted: float) -> Any:
        a, seen = a + 1, []
        try:
            for k in range(200):
                seen.append(a[k])
                if a[k] == wanted:
                    break
            else:
                return "none"
        except IndexError as error:
            return str(error), seen, a * 2
        return k, seen, a * 3

    for wanted in (LINE[40] + 1, 1000.0):
        check(found, LINE, wanted, backend="reference")
    check(found, np.zeros(300), 7.0, backend="reference")


def test_rounds_that_fit_no_entry_are_asked_about_no_more() -> None:
    def iterations(x: Any, n: int) -> Any:
        for k in range(n):
            x = x * (k + 1) % 7
            print(end="")
            x = x + k
        return x

    check(iterations, LINE, 150, backend="reference")


@pytest.mark.parametrize("size", [3, 70])
def test_iterators_before_a_loop_that_is_left(size: int) -> None:
    def told(a: Any) -> Any:
        a, names = a + 1, []
        for (k, x), y in zip(enumerate(a, 2), reversed(a), strict=True):
            names.append(f"{a[k - 2]} {x} {y}")
        return names, a * 2

    check(told, LINE[:size], backend="reference")
