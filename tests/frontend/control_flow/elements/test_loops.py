"""Loops over elements as native loops: control flow, variables, ways out, and what they cannot hold."""

# ruff: noqa: B023, PLR5501, SIM102 (what is written is what is tested)

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import Report, check

RANDOM = np.random.default_rng(20)
LINE = RANDOM.standard_normal(60)


def native(function: Callable[..., Any], *args: Any, **options: Any) -> Report:
    """`check`, and that the function was traced whole with a region in its graph."""
    report = check(function, *args, backend="reference", expect="compiled", **options)
    assert "region" in report.op_names, "the loop is no region"
    return report


def broken(function: Callable[..., Any], *args: Any) -> None:
    """`check`, and that no loop became a region."""
    report = check(function, *args, backend="reference")
    assert "region" not in report.op_names


def test_a_loop_is_traced_once_however_long_it_is() -> None:
    def prefix(a: Any) -> Any:
        for i in range(1, a.shape[0]):
            a[i] += a[i - 1]
        return a

    short, long = (native(prefix, np.ones(size)).entries[0].details["instructions"] for size in (20, 4000))
    assert short == long < 60


def test_another_size_runs_the_same_kernel() -> None:
    def reversed_sums(a: Any) -> Any:
        for i in range(a.shape[0] - 2, -1, -1):
            a[i] += a[i + 1]
        return a

    texts = set()
    for size in (17, 40):
        report = check(reversed_sums, np.arange(float(size)), expect="compiled")
        texts.add(report.entries[0].details["compiled"].kernels[-1].text)
    assert len(texts) == 1


def test_nested_loops_whose_bounds_are_variables_of_outer_ones() -> None:
    def lower(a: Any) -> Any:
        n = a.shape[0]
        for k in range(n):
            for i in range(k + 1, n):
                a[i, k] = a[i, k] / a[k, k]
                for j in range(k + 1, n):
                    a[i, j] -= a[i, k] * a[k, j]
        return a

    native(lower, RANDOM.random((8, 8)) + 8 * np.eye(8))


def test_branches_and_numbers_that_both_arms_bind() -> None:
    def weighed(a: Any) -> Any:
        total, sign, seen = a[0], 1, 0
        for i in range(len(a)):
            if a[i] > 0.5:
                sign = 1
                total += a[i]
            elif a[i] > 0 and i % 3 == 0 or not a[i] < 2:
                seen += 1
            else:
                sign = -1
                total -= 2 * a[i]
            total += sign
        return total, sign, seen

    native(weighed, LINE)


@pytest.mark.parametrize("limit", [-9.0, 0.0, 9.0])
def test_break_continue_else_and_return(limit: float) -> None:
    def searched(a: Any, limit: float) -> Any:
        for i in range(len(a)):
            if i % 2:
                continue
            if a[i] > limit:
                where = i
                break
        else:
            where = -1
        return where

    def found(a: Any, limit: float) -> Any:
        for i in range(len(a)):
            for j in range(i, len(a)):
                if a[i] + a[j] > limit:
                    return i
        return -1.5 if limit > 100 else -1

    native(searched, LINE, limit)
    native(found, LINE, limit)


def test_while_loops() -> None:
    def bisected(a: Any, wanted: float) -> Any:
        low, high = 0, a.shape[0]
        while low < high:
            middle = (low + high) // 2
            if a[middle] < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def run_lengths(a: Any, out: Any) -> Any:
        i = count = 0
        while i < len(a):
            j = i
            while j < len(a) and a[j] == a[i]:
                j += 1
            out[count] = j - i
            count += 1
            i = j
        return count

    native(bisected, np.sort(LINE), 0.25)
    native(run_lengths, RANDOM.integers(0, 2, 40), np.zeros(40, np.int64))


def test_calls_of_functions_are_inlined_with_their_branches() -> None:
    def clamp(value: Any, low: float, high: float) -> Any:
        if value < low:
            return low
        if value > high:
            return high
        return value

    def clamped(a: Any) -> Any:
        for i in range(len(a)):
            a[i] = clamp(a[i], -0.5, 0.5)
        return a

    native(clamped, LINE)


def test_variables_bound_in_the_loop_are_there_behind_it() -> None:
    def last(a: Any) -> Any:
        for i in range(len(a)):
            value = a[i] * 2
        return i, value

    native(last, LINE)


def test_two_variables_are_exchanged() -> None:
    def fibonacci(out: Any) -> Any:
        a, b = 0, 1
        for i in range(len(out)):
            out[i] = a
            a, b = b, a + b
        return out

    native(fibonacci, np.zeros(50, np.int64))
    check(fibonacci, np.zeros(95, np.int64), backend="reference")  # beyond int64, where NumPy raises


def test_errors_come_at_the_users_line_with_everything_before_written() -> None:
    def beyond(a: Any) -> Any:
        for i in range(len(a)):
            a[i + 1] = a[i] + 1
        return a

    def divided(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            n = 5 - i
            out[i] = a[i] + 1 / n
        return out

    check(beyond, LINE)
    check(divided, LINE, np.zeros(20))


def test_negative_indices_count_from_the_end() -> None:
    def mirrored(a: Any, out: Any) -> Any:
        for i in range(len(a)):
            out[i] = a[-i] + a[i - 1]
        return out

    native(mirrored, LINE, np.zeros(60))


def test_integers_wrap_as_numpys_and_python_ints_never_do() -> None:
    def hashed(a: Any) -> Any:
        state = a[0]
        for i in range(len(a)):
            state = state * 31 + a[i]
        return state

    def factorial(a: Any) -> Any:
        product = 1
        for i in range(1, len(a)):
            product = product * i
            a[i] = product % 1000
        return a

    native(hashed, RANDOM.integers(1, 9, 40))
    check(factorial, np.zeros(30))


def test_what_a_loop_does_to_other_objects_keeps_it_from_being_native() -> None:
    def collected(a: Any) -> Any:
        found = []
        for i in range(len(a)):
            if i % 2:
                found.append(a[i])
        return found

    def counted(a: Any, table: Any) -> Any:
        for i in range(len(a)):
            table["n"] = table["n"] + 1
            a[i] += 1
        return a

    broken(collected, LINE[:12])
    broken(counted, LINE[:12], {"n": 0})


def test_loops_of_other_code_are_left_as_they_are() -> None:
    def layered(x: Any, weights: Any) -> Any:
        for k in range(6):
            x = np.tanh(x * weights[k])
        return x

    broken(layered, LINE, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


def test_an_empty_array_and_a_loop_without_rounds() -> None:
    def total(a: Any) -> Any:
        s = 0.0
        for i in range(a.shape[0]):
            for j in range(i):
                s += a[i] * a[j]
        return s

    check(total, np.zeros(0), backend="reference")
    check(total, np.ones(1), backend="reference")
    native(total, np.ones(9))


def test_an_index_that_is_a_quotient_may_be_smaller_than_what_was_divided() -> None:
    def divided(a: Any, out: Any) -> Any:
        for i in range(len(a)):
            for j in range(len(a)):
                out[i, j] = a[(i + 10) // (j + 1) - 10]
        return out

    native(divided, np.arange(20.0), np.zeros((20, 20)))


def test_a_variable_that_is_still_an_int_is_computed_with_as_an_int() -> None:
    def negated(a: Any, out: Any) -> Any:
        total = 0
        for i in range(len(a)):
            out[i] = a[i] / (total * -1)
            total += a[i]
        return total

    def tripled(a: Any) -> Any:
        total = 1
        for i in range(len(a)):
            if i > a[0]:
                total = total + a[i]
            else:
                total = total * 3
        return total

    native(negated, np.ones(9), np.zeros(9))
    check(tripled, np.full(60, 100.0), backend="reference")
    check(tripled, np.full(60, 20.0), backend="reference")


def test_a_variable_that_may_still_be_pythons_is_returned_beside_others() -> None:
    def counted(a: Any) -> Any:
        total, count, seen = 0.0, 0, False
        for i in range(len(a)):
            if a[i] > 3:
                total += a[i]
                count += 1
                seen = True
        return total, count, seen

    native(counted, np.ones(6))
    native(counted, np.ones(6) * 5)


def test_a_logarithm_of_another_base_is_left_to_python() -> None:
    def logarithms(a: Any) -> Any:
        total = 0.0
        for i in range(len(a)):
            total += math.log(a[i], 2)
        return total

    check(logarithms, np.ones(9) + 1, backend="reference")


@pytest.mark.parametrize("wide", [np.uint8, np.int64, np.uint64])
def test_a_number_that_does_not_fit_a_narrower_array_raises(wide: Any) -> None:
    def copied(a: Any, out: Any) -> Any:
        for i in range(len(a)):
            out[i] = a[i]
        return out

    check(copied, np.array([0, 1, 100, 3, 1, 2], wide), np.zeros(6, np.int8), backend="reference")
    check(copied, np.array([0, 1, 200, 3, 1, 2], wide), np.zeros(6, np.int8), backend="reference")


def test_a_variable_that_only_some_rounds_bind_may_be_unbound_behind_the_loop() -> None:
    def last_positive(a: Any) -> Any:
        for i in range(len(a)):
            if a[i] > 0:
                where = i
                continue
            a[i] = 0.0
        return where

    check(last_positive, -np.ones(9), backend="reference")
    check(last_positive, np.ones(9), backend="reference")


def test_a_while_loop_whose_first_test_nobody_knows() -> None:
    def solved(m: Any, b: Any, tolerance: float) -> Any:
        x = np.zeros_like(b)
        r = b - m @ x
        p = r.copy()
        rest = r @ r
        while np.sqrt(rest) > tolerance * np.linalg.norm(b):
            q = m @ p
            step = rest / (p @ q)
            x += step * p
            r -= step * q
            following = r @ r
            p = r + (following / rest) * p
            rest = following
        return x

    m = RANDOM.random((6, 6))
    native(solved, m @ m.T + 6 * np.eye(6), RANDOM.random(6), 1e-9, rtol=1e-9)


def test_comparisons_in_a_chain() -> None:
    def between(a: Any, low: float, high: float) -> Any:
        count = 0
        for i in range(len(a)):
            if not low < a[i] <= high:
                count += 1
        return count

    native(between, LINE, -0.5, 0.5)


@pytest.mark.parametrize(
    ("start", "count", "move"),
    [(0, 8, 0), (0, 9, 0), (-3, 4, 0), (-9, 8, 0), (2, 8, -3), (0, 5, 4), (8, 2, 9), (3, 3, 99)],
)
@pytest.mark.parametrize("falling", [False, True])
def test_indices_checked_ahead_of_a_loop(start: int, count: int, move: int, falling: bool) -> None:
    def rising(a: Any, b: Any, start: Any, stop: Any, move: Any) -> Any:
        for i in range(start, stop):
            b[i] += 1.0
            a[i + move] = b[move - i] * 2.0
        return a

    def sinking(a: Any, b: Any, start: Any, stop: Any, move: Any) -> Any:
        for i in range(stop, start, -1):
            b[i] += 1.0
            a[i + move] = b[move - i] * 2.0
        return a

    check(sinking if falling else rising, np.arange(8.0), np.ones(8), start, count, move)


def test_an_index_that_a_loop_assigns_is_checked_in_every_round() -> None:
    def pick(a: Any, at: Any, first: Any) -> Any:
        k = first
        total = 0.0
        for i in range(len(at)):
            total += a[k]
            k = at[i]
        return total

    for at in ([1, 2, 3], [1, 9, 3], [1, -9, 0], [1, 2, 99]):
        check(pick, np.arange(4.0), np.array(at), 0)


def test_sums_that_leave_int64_in_some_round_only() -> None:
    def reach(a: Any, start: Any, stop: Any, move: Any) -> Any:
        total = 0
        for i in range(start, stop):
            total = max(total, i + move)
            a[i - start] = total > 0
        return total

    edge = 2**63 - 1
    for move in (edge - 9, edge - 3, edge - 10, -5):
        check(reach, np.zeros(10, bool), 1, 10, move)
