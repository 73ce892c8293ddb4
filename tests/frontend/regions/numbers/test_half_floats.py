"""float16 in native loops: elements, slices, sums and products, numbers that become variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

RANDOM = np.random.default_rng(17)


def halves(*shape: int) -> Any:
    return (RANDOM.standard_normal(shape) * 3).astype(np.float16)


def native(function: Any, *args: Any, **options: Any) -> None:
    """The function has a native loop, run in NumPy and as a kernel."""
    for backend in ("reference", "numba"):
        report = check(function, *args, backend=backend, expect="compiled", **options)
        assert "region" in report.op_names


def test_a_recurrence_rounds_at_each_step() -> None:
    def smoothed(x: Any, y: Any, w: float) -> Any:
        for i in range(1, len(x)):
            x[i] = (x[i] + x[i - 1]) / 2 + w * y[i]
        return x

    native(smoothed, halves(70), halves(70), 0.1)


def test_a_number_that_is_summed_step_by_step() -> None:
    def total(x: Any) -> Any:
        s = np.float16(0)
        for each in range(len(x)):
            s = s + x[each]
        return s

    def from_zero(x: Any) -> Any:
        s = 0.0
        for each in range(len(x)):
            s += x[each]
        return s

    native(total, halves(70))
    native(from_zero, halves(70))
    native(total, np.full(3000, 1.001, np.float16))  # from 2048 on nothing is added


def test_branches_on_elements() -> None:
    def counted(x: Any) -> Any:
        above, zeros = 0, 0
        for i in range(len(x)):
            if x[i] > 0.1:
                above += 1
            if not x[i]:
                zeros += 1
        return above, zeros

    x = halves(70)
    x[3:6], x[6] = (0, -0.0, 6e-8), np.nan
    native(counted, x)


def test_slices_sums_and_products() -> None:
    def stepped(a: Any, b: Any) -> Any:
        for i in range(1, len(a)):
            a[i, 1:] = a[i - 1, :-1] * 2 + a[i, 1:]
            b[i] = a[i].sum() / 4 + a[i].mean() + a[i].max()
            b[i] -= a[i, :i] @ b[:i]
            a[i] *= np.minimum(abs(a[i]), 1)
        return a, b

    native(stepped, halves(20, 5)[:5], halves(5), ulp=8)


def test_places_of_extremes() -> None:
    def places(a: Any) -> Any:
        found = np.zeros((len(a), 2), int)
        for i in range(len(a)):
            found[i, 0] = a[i].argmax()
            found[i, 1] = np.argmin(a[i])
        return found

    native(places, halves(20, 7))


def test_arrays_made_in_each_round_and_other_dtypes() -> None:
    def mixed(x: Any, wide: Any, counts: Any) -> Any:
        for i in range(len(x)):
            row = np.zeros(4, np.float16)
            row += x[i] * 3
            wide[i] = row.sum() + wide[i]
            counts[i] = int(x[i])
            x[i] = wide[i] / 3
        return x, wide, counts

    native(mixed, halves(30), RANDOM.standard_normal(30), np.zeros(30, int))
    native(mixed, halves(30), RANDOM.standard_normal(30).astype(np.float32), np.zeros(30, np.int16))


def test_python_numbers_of_elements() -> None:
    def computed(x: Any, y: Any) -> Any:
        for i in range(len(x)):
            f = float(x[i])
            y[i] = f * f + 0.1
            while f > 1:
                f = f / 2
            x[i] = f
        return x, y

    native(computed, halves(30), np.zeros(30))


@pytest.mark.parametrize("exponent", [2, 0.5, 1.5])
def test_powers(exponent: float) -> None:
    def powers(x: Any, y: Any) -> Any:
        for i in range(len(x)):
            y[i] = x[i] ** exponent
            y[i] = (x[i : i + 2] ** exponent).sum() + y[i]
        return y

    x = abs(halves(30))
    x[2], x[3] = -0.0, -np.inf
    with np.errstate(all="ignore"):
        check(powers, x, halves(30))


def test_a_variable_that_holds_another_array_in_each_round() -> None:
    def relaxed(x: Any, steps: Any) -> Any:
        for i in range(len(steps)):
            x = x + steps[i] * (1 - x * x)
        return x

    native(relaxed, halves(9) / 9, abs(halves(90)) / 16)


def test_a_while_loop_over_a_sum() -> None:
    def grown(x: Any) -> Any:
        rounds = 0
        while x.sum() < 1000:
            x = x * 1.5 + 1
            rounds += 1
        return x, rounds

    check(grown, abs(halves(5)))
