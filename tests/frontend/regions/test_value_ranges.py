"""Checks that earlier checks, branches and variables that only grow make needless; and those that they do not."""

# ruff: noqa: SIM114 (what is written is what is tested)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl
from guardlift.frontend import state_of

LINE = np.random.default_rng(3).standard_normal(12)
MOST = 2**63 - 1


def ways_out(function: Callable[..., Any], *args: Any) -> int:
    """In how many places the loop's kernel gives the call back to Python; results are compared on two back ends."""
    check(function, *args, backend="reference")
    report = check(function, *args, expect="compiled")
    return sum(kernel.text.count("return 1") for kernel in report.entries[0].details["compiled"].kernels)


def same(function: Callable[..., Any], *args: Any) -> None:
    """Compares value or error, and what is written, with a program checked step by step and with a native one."""
    check(function, *args, backend="reference")
    check(function, *args)


def test_a_counter_below_a_size_needs_no_check() -> None:
    def runs(line: Any) -> Any:
        longest = 0
        k = 0
        while k < len(line):
            start = k
            while k < len(line) and line[k] >= line[start]:
                k += 1
            longest = max(longest, k - start)
            if k == start:
                k += 1
        return longest

    def squares(line: Any) -> Any:
        total, k = 0.0, 0
        for _ in range(20):
            if k < len(line):
                total += line[k] * line[k]
                k += 1
        return total

    assert ways_out(squares, LINE) == 0
    for line in (LINE[:1], LINE[:0], np.zeros(5), np.arange(5.0)):
        same(runs, line)


def test_a_passed_check_is_not_made_again() -> None:
    def twice(a: Any, indices: Any) -> Any:
        total = 0.0
        for k in range(len(indices)):
            j = indices[k]
            total += a[j] * a[j]
            a[j] = total
        return total

    once = ways_out(twice, LINE, np.array([0, 3, 11, -12, -1]))
    assert once == 1
    for wrong in (12, -13, MOST, -MOST - 1):
        same(twice, LINE.copy(), np.array([0, wrong]))
        same(twice, LINE.copy(), np.array([1, 2, -1, wrong, 3]))


def test_what_holds_for_a_long_array_does_not_for_a_short_one() -> None:
    def both(a: Any, b: Any, indices: Any) -> Any:
        total = 0.0
        for k in range(len(indices)):
            j = indices[k]
            total += a[j] + b[j] + a[j - 1] + b[j // 2]
        return total

    a, b = LINE, LINE[:7].copy()
    for indices in ([0, 6, 3], [0, 7], [-7, 3], [-8], [11], [-12], [-13], [12]):
        same(both, a, b, np.array(indices))
        same(both, b, a, np.array(indices))


@pytest.mark.parametrize("limit", (0, 4, 11, 12, 13, 40))
@pytest.mark.parametrize("first", (0, 5, -3, -12, -13))
def test_a_condition_holds_in_its_branch_only(first: int, limit: int) -> None:
    def inside(a: Any, first: Any, limit: Any) -> Any:
        total = 0.0
        k = first
        for _ in range(6):
            if k < limit:
                total += a[k]
            elif k == limit:
                total -= 1.0
            else:
                total += 2.0
            k += 3
        return total

    def behind(a: Any, first: Any, limit: Any) -> Any:
        total = 0.0
        k = first
        for _ in range(6):
            if k < 4 or not k >= 2:
                total += 1.0
            if not k < limit:
                total += 0.5
            total += a[k]
            k += 3
        return total

    same(inside, LINE, first, limit)
    same(behind, LINE, first, limit)


@pytest.mark.parametrize("name", ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal"))
def test_every_comparison_and_its_opposite(name: str) -> None:
    text = {"less": "<", "less_equal": "<=", "equal": "==", "not_equal": "!=", "greater": ">", "greater_equal": ">="}
    namespace: dict[str, Any] = {}
    source = f"""def compared(a, b, at):
    total = 0.0
    for i in range(12):
        for j in range(i - 2, i + 2):
            if i {text[name]} j + at:
                total += a[j]
            else:
                total += a[i - 6] * b[j - at] if -12 <= j - at < 7 else 1.0
    return total"""
    exec(source, namespace)
    for at in (-3, 0, 1, 5, 40):
        same(namespace["compared"], LINE, LINE[:7].copy(), at)


@pytest.mark.parametrize("step", (1, 2, 5))
def test_a_variable_that_falls_counts_from_the_end(step: int) -> None:
    def falling(a: Any, step: Any) -> Any:
        k = 3
        total = 0.0
        for _ in range(7):
            total += a[k]
            a[k] = total
            k -= step
        return total, k

    for size in (3, 4, 5, 9, 40):
        same(falling, np.arange(float(size)), step)


def test_a_variable_that_rises_in_one_loop_and_falls_in_another() -> None:
    def swings(a: Any) -> Any:
        k = 0
        total = 0.0
        for i in range(20):
            while k < 8:
                k += 3
                total += a[k]
            while k > i % 5 - 4:
                k -= 2
                total += a[k]
        return total, k

    def resets(a: Any) -> Any:
        total = 0.0
        last = 5
        for i in range(6):
            k = last
            for _ in range(i):
                total += a[k]
                k = k - 2 if i % 2 else k + 1
            last = i
        return total, last

    same(swings, LINE)
    same(swings, LINE[:10].copy())
    for size in (12, 8, 6, 2):
        same(resets, LINE[:size].copy())


def test_a_variable_that_one_way_out_of_a_loop_lets_fall() -> None:
    def leaves(a: Any, stop: Any) -> Any:
        k = 0
        total = 0.0
        while k < len(a):
            if a[k] > stop:
                k = -1 - k
                break
            k += 1
        total += a[k] if k < len(a) else 0.0
        for _ in range(2):
            total += a[k - 1]
        return total, k

    for stop in (-9.0, 0.0, 0.5, 9.0):
        same(leaves, LINE, stop)


@pytest.mark.parametrize("first", (0, 1, MOST - 3, MOST - 1, MOST, -MOST, -MOST - 1, -1))
def test_ints_next_to_the_ends_of_int64(first: int) -> None:
    def near(a: Any, first: Any) -> Any:
        up = down = first
        total = 0
        for i in range(3):
            a[i] = 1.0
            up = up + 2
            down = down - 3
            total = 5 - down
            total = -7 - total + 7
        return up, down, total

    def compared(a: Any, first: Any) -> Any:
        count = 0
        k = first
        for i in range(4):
            if k < 100:
                k = k + 60
            elif k > MOST - 2:
                k = k - MOST
            else:
                k = k + 1
            if 0 <= k < len(a):
                a[k] += 1.0
            count += 1 if -5 - k < 3 else i
        return k, count

    same(near, LINE.copy(), first)
    same(compared, LINE.copy(), first)


def test_numpys_integers_wrap_and_are_checked_again() -> None:
    def wraps(a: Any, indices: Any) -> Any:
        total = 0.0
        for k in range(len(indices)):
            j = indices[k]
            total += a[(j + 1) % 12] + a[(j * 3) % -12]
            total += a[j] + a[j - 11]
        return total

    for indices in ([0, 11], [-1], [-12], [12], [-13], [MOST], [-MOST - 1], [5, 6, 7]):
        with np.errstate(all="ignore"):
            same(wraps, LINE, np.array(indices))


def test_an_error_in_the_last_round_keeps_what_was_written() -> None:
    def writes(a: Any, n: Any) -> Any:
        k = 0
        while k < n:
            a[k] = k
            k += 1
        return k

    for n in (0, 1, 12, 13, 50):
        same(writes, LINE.copy(), n)


def test_a_remainder_and_drawn_places_need_no_check() -> None:
    def ring(a: Any) -> Any:
        total = 0.0
        n = a.shape[0]
        for i in range(n):
            total += a[(i + 1) % n] * a[(i - 1) % n]
        return total

    assert ways_out(ring, LINE) == 0


@pytest.mark.parametrize("low, high, endpoint", ((0, 12, False), (-12, 11, True), (3, 13, False), (-13, -1, False)))
def test_a_drawn_place(low: int, high: int, endpoint: bool) -> None:
    def drawn(a: Any, rng: Any) -> Any:
        total = 0.0
        for _ in range(40):
            k = rng.integers(low, high, endpoint=endpoint)
            total += a[k]
        return total

    same(drawn, LINE, np.random.default_rng(5))


def test_a_loop_that_leaves_for_one_call_serves_the_next() -> None:
    @gl.jit
    def pick(a: Any, first: Any, count: Any) -> Any:
        k = first
        total = 0.0
        for _ in range(count):
            total += a[k]
            k += 1
        return total

    assert pick(LINE, 2, 5) == pick.__wrapped__(LINE, 2, 5)
    with pytest.raises(IndexError, match="out of bounds"):
        pick(LINE, 9, 5)
    assert pick(LINE, -4, 5) == pick.__wrapped__(LINE, -4, 5)
    assert len(state_of(pick).entries) <= 3


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.slow
def test_a_float_that_no_byte_holds_is_found_behind_the_loop() -> None:
    def bytes_of(a: Any, out: Any, count: Any) -> Any:
        for i in range(len(a)):
            for j in range(count):
                out[i, j] = a[i] * (j + 1)
        return out

    def down(a: Any, out: Any) -> Any:
        i = 0
        while i < len(a):
            out[i, 0] = a[i]
            i += 1 if out[i, 0] < 200 else 2
        return out

    a, out = np.arange(6.0), np.zeros((6, 4), np.uint8)
    for count in (0, 1, 4):
        same(bytes_of, a, out, count)
        for place, value in ((0, np.nan), (5, 300.0), (3, -1.0), (2, np.inf), (5, 64.0)):
            wrong = a.copy()
            wrong[place] = value
            same(bytes_of, wrong, out, count)
            same(down, wrong, out)
