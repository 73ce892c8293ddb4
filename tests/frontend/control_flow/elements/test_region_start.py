"""Regions that are evaluated once more from where they begin, and loops that are unrolled after all: in one trace."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl
from guardlift.frontend.compile import entry as compile_module

LINE = np.arange(-3.0, 6.0)


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Checks a function against Python, and counts how often it is traced."""

    def count(function: Any, *args: Any) -> int:
        traced: list[Any] = []
        trace_call = compile_module.trace_call
        with monkeypatch.context() as patch:
            patch.setattr(
                compile_module, "trace_call", lambda *given, **more: traced.append(1) or trace_call(*given, **more)
            )
            check(function, *args)
        return len(traced)

    return count


def test_loops_that_accumulate_are_traced_once(traces: Callable[..., int]) -> None:
    def sums(a: Any, b: Any) -> Any:
        s, t, low = 0.0, 0, 0
        for i in range(len(a)):
            s += a[i] * b[i]
        for i in range(len(a)):
            t += b[i]
            if a[i] < 0:
                low -= 1
        for x in a:
            s = s * 0.5 + x
        return s, t, low

    assert traces(sums, LINE, LINE[::-1] * 2) == 1


def test_loops_within_loops_and_functions_are_traced_once(traces: Callable[..., int]) -> None:
    def dot(a: Any, b: Any) -> Any:
        s = 0.0
        for i in range(len(a)):
            s += a[i] * b[i]
        return s

    def rows(a: Any) -> Any:
        out = np.zeros(len(a))
        for i in range(len(a)):
            best = 0
            for k in range(a.shape[1]):
                best = a[i, k] if a[i, k] > best else best
            out[i] = best
        return out, dot(out, out), dot(a[0], a[1])

    assert traces(rows, np.arange(12.0).reshape(3, 4) % 5) == 1


def test_variables_that_exchange_arrays_are_traced_once(traces: Callable[..., int]) -> None:
    def steps(a: Any, b: Any, n: int) -> Any:
        for _ in range(n):
            for i in range(1, len(a) - 1):
                b[i] = (a[i - 1] + a[i + 1]) / 2
            a, b = b, a
        return a, b

    assert traces(steps, LINE.copy(), LINE.copy(), 5) == 1


def test_short_loops_that_fill_lists_are_unrolled_in_the_same_trace(traces: Callable[..., int]) -> None:
    def lists(a: Any) -> Any:
        first, second = [], [1.5]
        for i in range(3):
            first.append(a[i] * 2)
        for i, x in enumerate(a[:2]):
            second += [x, i]
        while len(first) < 5:
            first.append(a[len(first)])
        return first, second

    assert traces(lists, LINE) == 1


def test_an_iterator_that_was_spent_in_vain_goes_on_where_it_stood(traces: Callable[..., int]) -> None:
    def rest(a: Any) -> Any:
        numbers, out = iter(range(4)), []
        for i in numbers:
            out.append(a[i])
            if i == 1:
                break
        pairs = enumerate(numbers)
        for k, i in pairs:
            out.append(a[i] + k)
        return out, list(numbers), list(pairs)

    assert traces(rest, LINE) == 1


KEPT: list[Any] = []


def test_a_change_of_an_object_from_outside_happens_once() -> None:
    def kept(a: Any) -> Any:
        total = 0.0
        for i in range(3):
            total += a[i]
            KEPT.append(i)
        return total

    jitted = gl.jit(kept)
    for calls in range(1, 4):
        assert jitted(LINE) == LINE[:3].sum()
        assert KEPT == [0, 1, 2] * calls


def test_what_lies_before_a_break_is_traced_alike_with_and_without_it() -> None:
    def printed(a: Any) -> Any:
        s, out = 0.0, []
        for i in range(len(a)):
            s += a[i]
        for i in range(2):
            out.append(a[i] - s)
        print(s, file=sys.stderr)
        for i in range(len(a)):
            s -= a[i] * 2
        return s, out

    check(printed, LINE)


def test_a_temporary_list_of_an_inlined_function_does_not_outlive_the_attempt(traces: Callable[..., int]) -> None:
    def pair(x: Any, y: Any) -> Any:
        both = []
        both.append(x)
        both.append(y)
        return both[0] - both[1]

    def differences(a: Any) -> Any:
        s = 0.0
        for i in range(1, 4):
            s += pair(a[i], a[i - 1])
        return s

    assert traces(differences, LINE) == 1
