"""Loops that run natively though they need not: long ones over small arrays, unless they do little but call NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import Report, check

X = np.arange(30.0)


def loop(body: str, iterations: Any = 100, start: str = "0.0") -> Any:
    namespace: dict[str, Any] = {"np": np}
    text = f"def f(x, rng):\n    t = {start}\n    for k in range({iterations}):\n        {body}\n    return t, x"
    exec(text, namespace)
    return namespace["f"]


def generator() -> Any:
    return np.random.default_rng(3)


def left(report: Report) -> None:
    assert report.breaks and set(report.breaks) == {"B313"} and "region" not in report.op_names, report.breaks


@pytest.mark.parametrize(
    "body",
    [
        "t += rng.normal()",
        "t += rng.integers(10)",
        "t += rng.random(5).sum() + k",
        "t = t * 0.5 + np.where(x > k, x, 0.0).sum()",
        "t += x[x > k].sum()",
        "x = x * 0.99; t += x.max()",
        "t += (x * k).mean() - rng.uniform()",
    ],
)
def test_a_long_loop_without_subscripts_runs_natively_over_small_arrays(body: str) -> None:
    native(loop(body), X, generator(), rtol=1e-13)


def test_a_short_one_is_unrolled() -> None:
    report = check(loop("t = t * 0.5 + np.where(x > k, x, 0.0).sum()", 5), X, None, backend="reference", rtol=1e-13)
    assert "region" not in report.op_names and not report.breaks


def test_one_over_large_arrays_is_not_for_the_rounds_of_a_kernel() -> None:
    report = check(loop("t += np.where(x > k, x, 0.0).sum()", 70), np.ones(40_000), None, backend="reference")
    assert "region" not in report.op_names


@pytest.mark.parametrize(
    "body",
    [
        "t += rng.choice(x)",
        "rng.shuffle(x); t += x[0]",
        "t += rng.permutation(x)[0]",
        "x[0] = k; t += np.sort(x)[3]",
        "t += np.interp(k * 0.5, x, x)",
        "x[k % 7] = 1.0; t += np.median(x)",
        "t += np.median(x) + np.searchsorted(x, k)",
    ],
)
def test_a_long_loop_whose_rounds_do_little_but_call_numpy_is_left_to_python(body: str) -> None:
    left(check(loop(body), X, generator(), backend="reference", expect="broken"))


def test_what_stands_before_and_behind_such_a_loop_is_compiled() -> None:
    def f(x: Any, rng: Any) -> Any:
        y, t = x * 2, 0.0
        for _ in range(200):
            t += rng.choice(y)
        return (y - t) ** 2, t

    report = check(f, X, generator(), backend="reference", expect="broken")
    left(report)
    assert {"multiply", "subtract"} <= report.op_names


def test_a_call_of_numpy_beside_much_other_work_is_made_by_the_kernel() -> None:
    def f(x: Any, out: Any) -> Any:
        for k in range(100):
            x[0] = k
            y = np.sort(x)
            for i in range(1, len(x) - 1):
                for j in range(3):
                    out[i] += y[i - 1] * 0.25 + y[i] * 0.5 + y[i + 1] * 0.25 - out[i - 1] * 0.1 * j
        return out

    native(f, X, np.zeros(30), rtol=1e-12)


def test_a_short_loop_with_calls_of_numpy_is_native_still() -> None:
    native(loop("x[k] = 1.0; t += np.median(x)", 12), X, generator())


@pytest.mark.parametrize("start", ["0.0", "0", "np.float64(0)", "np.float32(1.5)", "True"])
@pytest.mark.parametrize("iterations", [0, 1, 100])
@pytest.mark.parametrize("body", ["t += n[1]", "t = t * 2 - n[2]", "t = n[k % 3] - t", "t = t / 2 + b[k % 2]"])
def test_a_float_beside_whole_numbers_of_numpy_is_numpys_from_the_first_round_on(
    body: str, iterations: int, start: str
) -> None:
    namespace: dict[str, Any] = {"np": np}
    exec(f"def f(n, b, r):\n    t = {start}\n    for k in range(r):\n        {body}\n    return t", namespace)
    check(namespace["f"], np.array([3, -1, 7]), np.array([True, False]), iterations, backend="reference")
    check(namespace["f"], np.array([3, 1, 7], np.uint8), np.array([True, False]), iterations, backend="reference")
