"""Python numbers that kernels compute, outside of loops: conversions, rounding, `max`, powers, bounds of ranges."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import oracle
import pytest

LINE = np.array([1.5, -2.5, 3.25])
BACKENDS = ["reference", "numba"]
check = functools.partial(oracle.check, backend="reference")


@pytest.mark.parametrize("backend", BACKENDS)
def test_conversions(backend: str) -> None:
    def converted(x: Any, k: Any) -> Any:
        one = int(x.max()), int(x[1]), float(k[0]), bool(x[0] > 1), int(x[0] > 1), float(x[2] < 0), bool(k[1])
        return one, int(float(x[2])), float(int(x[2])), int(np.float32(x[0])), [int(each) for each in x], bool(x[1])

    check(converted, LINE, np.array([3, 0]), expect="compiled", backend=backend)
    check(converted, -LINE, np.array([3, 7], np.uint8), expect="compiled", backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_functions_of_one_number_and_of_several(backend: str) -> None:
    def rounded(x: Any) -> Any:
        one = math.floor(x[2]), math.ceil(x[1]), math.trunc(x[1]), round(float(x[2])), abs(int(x[1])), abs(float(x[1]))
        two = (
            max(0, int(x[0])),
            min(int(x[0]), int(x[1]), 7),
            max(x[0], x[1]),
            divmod(int(x[2]), 2),
            int(x[0]) in (1, 2),
        )
        return one, two, 2.0 ** int(x[2]), int(x[2]) ** 2, 2 ** int(x[2]), math.isnan(x[0]), -int(x[1])

    check(rounded, LINE, expect="compiled", backend=backend)
    check(rounded, LINE * 2, expect="compiled", backend=backend)

    def transcendental(x: Any) -> Any:
        return math.exp(x[0]), math.sqrt(x[2]), math.log(x[0]), math.atan2(x[0], x[1])

    check(transcendental, LINE, expect="compiled", backend=backend, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.bool_, np.int16, np.float32, np.float64, np.uint64])
@pytest.mark.parametrize("function", [round, math.floor, math.ceil, math.trunc], ids=lambda each: each.__name__)
def test_numbers_that_numpy_does_not_round(function: Any, dtype: Any) -> None:
    check(lambda x: function(x[0]), np.array([1], dtype))

    def rounded(x: Any, y: Any) -> Any:
        for i in range(2):
            y[i] = function(x[i])
        return y

    check(rounded, np.array([1, 0], dtype), np.zeros(2))


@pytest.mark.parametrize("number", [np.nan, np.inf, 2.0**62, -(2.0**63), 1e300, -0.0, 0.99])
def test_numbers_that_are_no_int64_are_pythons(number: float) -> None:
    def truncated(x: Any, log: Any) -> Any:
        log[0] += 1
        found = int(x[0]), math.floor(x[0] * 1.0)
        log[1] += 1
        return found

    check(truncated, np.array([number]), np.zeros(2))


def test_a_uint64_is_given_back_and_not_computed_with() -> None:
    large = np.array([2**63 + 5], np.uint64)
    check(lambda x: (int(x[0]), x[0].item()), large, expect="compiled")
    for function in (
        lambda x: int(x[0]) + 1,
        lambda x: int(x[0]) // 3,
        lambda x: -int(x[0]),
        lambda x: max(int(x[0]), 5),
        lambda x: float(x[0]) + 1,
        lambda x: (np.arange(3.0) + int(x[0]), int(x[0]) > 7),
    ):
        check(function, large)


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.float32, np.bool_, np.complex64])
def test_narrow_numbers_are_wide_as_pythons(dtype: Any) -> None:
    def computed(x: Any) -> Any:
        value = x[1].item()
        return value, value * 3 + 0.1, -value, value + 2**20

    check(computed, np.array([1, 100], dtype))

    def summed(x: Any, y: Any) -> Any:
        k = x[1].item()
        for i in range(3):
            y[i] += k * 1000 + x[i % 2].item()
        return y, ~int(x[0].real)

    check(summed, np.array([1, 100], dtype), np.zeros(3, np.complex128))


def test_a_bool_of_an_element_is_true_or_false_itself() -> None:
    def asked(a: Any) -> Any:
        a = a + 1
        positive = bool(a[0] > 0)
        return positive is True, positive is False, False is not positive, positive is None, a

    def in_a_loop(a: Any) -> Any:
        count = 0
        for k in range(len(a)):
            if bool(a[k] > 0) is True:
                count += 1
            if (float(a[k]) < 0) is not False:
                count += 10
        return count

    for function in (asked, in_a_loop):
        for sign in (1, -1):
            check(function, sign * np.arange(1.0, 9), backend="reference", expect="compiled")


def test_errors_are_pythons() -> None:
    check(lambda x: math.sqrt(x[1]), LINE)
    check(lambda x: math.log(x[0] - x[0]), LINE)
    check(lambda x: math.exp(x[0] * 1000), LINE)
    check(lambda x: 2.0 ** int(x[0] * 1000), LINE)
    check(lambda x: int(x), LINE)
    check(lambda x: divmod(int(x[0]), int(x[0] * 0)), LINE)


def test_what_only_the_run_can_tell_breaks_the_graph() -> None:
    assert check(lambda x: max(x[0], 2.0), LINE).breaks == ["B102"]
    assert check(lambda x: [7, 8, 9][int(x[0])], LINE).breaks == ["B102"]


@pytest.mark.parametrize("count", [0, 1, 2, 5, -3])
def test_loops_over_as_many_rounds_as_a_kernel_computes(count: int) -> None:
    def doubled(x: Any, n: Any) -> Any:
        times = int(n.max())
        made = x.copy()
        for _ in range(times):
            made = made @ made
        for i in range(1, times):
            x[i % 2, 0] += i
        for i in range(times, 0, -1):
            x[0, i % 2] *= i
        return made, x, 2.0**times, range(times)

    matrix, numbers = np.array([[1.0, 0.5], [0.25, 1.0]]), np.array([count, -7])
    report = check(doubled, matrix, numbers, backend="reference", expect="compiled")
    assert "region" in report.op_names

    def listed(n: Any) -> Any:
        found, last = [], None
        for last in range(int(n[0])):
            found.append(last)
        return found, last

    check(listed, numbers)

    def unbound(x: Any, n: Any) -> Any:
        for i in range(int(n[0])):
            x[0, 0] += 1
            last = i
        return x, last, i

    check(unbound, matrix, numbers)


def test_a_range_asked_for_more_than_its_numbers() -> None:
    def asked(n: Any) -> Any:
        numbers = range(int(n[0]))
        return len(numbers), list(numbers), 2 in numbers, bool(numbers), numbers[1:]

    check(asked, np.array([4.0]))
    check(lambda n: list(range(0, 9, int(n[0]))), np.array([4.0]))
    check(lambda n: list(range(0, 9, int(n[0]))), np.array([0.0]))
    check(lambda n: sum(range(int(n[0]))), np.array([4.0]))
    check(lambda n: list(enumerate(range(int(n[0])))), np.array([4.0]))
    check(lambda n: list(zip(range(int(n[0])), "ab", strict=False)), np.array([4.0]))
    check(lambda n: range(int(n[0])) == range(4), np.array([4.0]))


def test_a_computed_step_of_zero_is_an_error_of_its_line() -> None:
    def stepped(x: Any, n: Any) -> Any:
        step = int(n[0])
        found = x[::step]
        return found

    for step in (2.0, -1.0, 0.0):
        check(stepped, LINE, np.array([step]))


def test_a_step_that_is_an_argument_beside_a_computed_bound() -> None:
    def stepped(x: Any, n: Any, step: Any) -> Any:
        found = x[: int(n[0]) : step]
        return found

    for step in (2, -1, 0):
        check(stepped, LINE, np.array([3.0]), step)
