"""Variables of native loops that exchange arrays: double buffering, rotation, rebinding; which is which behind."""

# ruff: noqa: B007, F841, PIE790 (what is written is what is tested)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import broken, native
from oracle import check

RANDOM = np.random.default_rng(26)
LINE = RANDOM.integers(-4, 9, 11).astype(float)


@pytest.mark.parametrize("steps", [1, 4, 7])
def test_two_buffers(steps: int) -> None:
    def heat(u: Any, n: int) -> Any:
        v = u.copy()
        for _ in range(n):
            v[1:-1] = u[1:-1] + 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
            u, v = v, u
        return u

    def both(u: Any, v: Any, n: int) -> Any:
        t = 0
        while t < n:
            for i in range(1, len(u)):
                v[i] = u[i - 1] + u[i]
            u, v = v, u
            t += 1
        u[0] = 100.0
        return v, u, u[1:] * 2

    (native if steps > 1 else check)(heat, LINE, steps)  # type: ignore[operator]
    check(both, LINE, LINE + 1, steps, backend="reference")


def test_three_arrays_in_turn_and_rows_of_matrices() -> None:
    def wave(a: Any, n: int) -> Any:
        b, c = a.copy(), np.zeros_like(a)
        for t in range(n):
            for i in range(1, a.shape[0] - 1):
                c[i] = 2 * b[i] - a[i] + 0.5 * (b[i + 1] - 2 * b[i] + b[i - 1])
            a, b, c = b, c, a
            c[0, t] = t
        return a, b

    native(wave, RANDOM.random((6, 7)), 5, rtol=1e-12)


def test_exchanges_under_a_condition() -> None:
    def chosen(a: Any, b: Any, n: int) -> Any:
        best, seen = a, 0.0
        for i in range(n):
            if a[i] > b[i]:
                best = b
            elif a[i] < 0:
                a, b = b, a
            best[i] += 10.0
            seen += best[0] - a[i] * b[i]
        return best, a, b, seen

    native(chosen, LINE, LINE[::-1].copy(), 11)
    native(chosen, np.zeros(11), LINE, 9)


def test_what_is_known_to_be_apart_is_so() -> None:
    def shifted(a: Any, b: Any, n: int) -> Any:
        for i in range(n):
            a[1:] = b[:-1] + 1
            if i % 3 == 2:
                b = a
            elif i % 3 == 1:
                a, b = b, a
        return a, b

    native(shifted, LINE, LINE * 2, 3)
    native(shifted, LINE, LINE * 2, 8)


def test_inner_loops_and_inlined_functions() -> None:
    def step(u: Any, out: Any) -> Any:
        for i in range(len(u)):
            out[i] = u[i - 1] * 0.5

    def nested(a: Any, n: int) -> Any:
        b, total = np.ones_like(a), 0.0
        for i in range(n):
            for j in range(i):
                step(a, b)
                a, b = b, a
                if a[j] < 0.125:
                    break
            total += a[0] + b[i]
        return total, a, b

    native(nested, LINE, 5)


def test_only_read_and_returned_from_a_round() -> None:
    def least(a: Any, b: Any, n: int) -> Any:
        low = a
        for i in range(n):
            if b[i] < low[i]:
                low = b
            if low[i] > 7:
                return b
        return low

    native(least, LINE, LINE[::-1].copy(), 11)
    a = LINE.copy()
    a.flags.writeable = False
    native(least, a, LINE + 1, 11)


def test_a_third_name() -> None:
    def named(a: Any, b: Any) -> Any:
        c = a
        for i in range(1, len(a)):
            b[i] = a[i - 1] + c[i]
            c[0] += 1
            a, b = b, a
        return c, a, b, c * 2

    native(named, LINE, LINE + 1)


def test_what_is_not_exchanged_natively() -> None:
    def other_name(a: Any, b: Any) -> Any:
        c = a[2:]
        for i in range(1, len(a)):
            b[i] = a[i - 1] + c[i - 3]
            a, b = b, a
        return a, b, c

    def a_part(a: Any, b: Any) -> Any:
        for i in range(1, len(a)):
            b[0] = a[0]
            a, b = b[1:], a[1:]
        return a, b

    def other_kinds(a: Any, b: Any) -> Any:
        for i in range(1, len(a)):
            b[i] += a[i - 1]
            a, b = b, a
        return a, b

    def new_ones(a: Any, b: Any) -> Any:
        for i in range(1, len(a)):
            b[i] += a[i - 1]
            a, b = b + 1, a
        return a, b

    for function in (other_name, a_part, other_kinds, new_ones):
        second = LINE.astype(int) if function is other_kinds else LINE + 1
        check(function, LINE, second, backend="reference")
    broken(other_name, LINE, LINE + 1)
    square = RANDOM.random((4, 4))
    check(other_kinds, square, np.asfortranarray(square), backend="reference")
    check(other_kinds, LINE, LINE, backend="reference")


def test_one_array_under_both_names() -> None:
    def turned(a: Any) -> Any:
        b = a
        c = a * 2
        for i in range(1, len(a)):
            b[i] += a[i - 1] + c[i]
            b, c = c, b
        return a, b, c

    check(turned, LINE, backend="reference")


def test_a_loop_that_exchanges_arrays_is_met_again() -> None:
    def again(a: Any, b: Any) -> Any:
        for factor in (2.0, 3.0, 5.0):
            for i in range(1, len(a)):
                a[i] = factor * b[i - 1]
                a, b = b, a
        return a, b

    check(again, np.arange(6.0), np.ones(6), backend="reference")
    check(again, np.arange(7.0), np.ones(7))


def test_which_object_it_is_and_what_it_equals_behind_the_loop() -> None:
    def rebound(a: Any, b: Any) -> Any:
        k = 2
        while k:
            k -= 1
            a = b
        return a is b, a is not b, b is a, a is None, a == 1.0, a == a, a * 2

    def turned(a: Any, b: Any, n: int) -> Any:
        c, d = a, b
        for i in range(1, n):
            a[i] = b[i - 1]
            a, b = b, a
        return a is c, a is d, b is c, a == "text", [a == 1.0][0], a * 2

    def inside(a: Any, b: Any, n: int) -> Any:
        c, same = a, 0
        for i in range(1, n):
            a[i] = b[i - 1]
            if a is c:
                same += 1
            a, b = b, a
        return same, a, b

    check(rebound, np.array([1.0, 2.0]), np.array([1.0, 4.0]), backend="reference")
    for n in (4, 5):
        check(turned, LINE, LINE + 1, n, backend="reference")
        check(inside, LINE, LINE + 1, n, backend="reference")


def test_a_view_of_all_of_an_array_is_another_object() -> None:
    def viewed(a: Any, b: Any, c: Any, n: int, m: int) -> Any:
        for i in range(3):
            if max(i, n) == i * m % 7:
                pass
            elif i < abs(m):
                b = third = a[...]
            else:
                third, a = c, b
            pass
        return a + 1, a, b

    def rebound(a: Any, b: Any, n: int) -> Any:
        whole = a[:]
        for i in range(n):
            if a[i % 3] > 0:
                a, b = b, whole
        return a, b, whole

    def turned(a: Any, b: Any, n: int) -> Any:
        for i in range(n):
            a[i] = b[i] + 1
            a, b = b[...], a
        return a, b

    for n in (2, 3):
        check(viewed, LINE, LINE + 1, LINE + 2, 1, n, backend="reference")
        check(rebound, LINE, LINE + 1, n, backend="reference")
        check(turned, LINE, LINE + 1, n, backend="reference")
