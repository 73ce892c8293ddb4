"""NumPy numbers that a call begins with, where Python needs their values: indices, bounds, sizes, branches."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import Tolerance, check, check_in_turn

import guardlift as gl

TABLE = np.arange(42.0).reshape(6, 7) + 1


def picks(x: Any, i: Any, j: Any) -> Any:
    return x[i, j] * 2, x[i] + 1, x[:, j] * 2, x[i : i + 2, j:].sum(), np.zeros(i + 1), x[: int(i)], np.full(3, i)


def repeats(x: Any, n: Any) -> Any:
    total = x * 0
    for k in range(n):
        total = total + x[k]
    return total, list(range(n)), [1, 2, 3, 4, 5, 6, 7][n], f"{n:03d}", np.arange(n)


def branches(x: Any, n: Any) -> Any:
    k = n + 1
    if k > 100:
        return x[:2]
    if n - 1 < 0 or n // 2 == 1 or n % 3 == 2:
        return x + n
    return x[:k], k


def compares(x: Any, a: Any) -> Any:
    if a > 0.6:
        return x * a
    return x + 1 if a else x - 1


def test_a_numpy_int_is_a_run_time_number_where_a_python_int_is() -> None:
    for function, rows in (
        (picks, [(TABLE, np.int64(i), np.int64(j)) for i, j in ((1, 2), (2, 3), (3, 4), (0, 6))]),
        (repeats, [(TABLE, np.int64(n)) for n in (2, 3, 4)]),
    ):
        report = check_in_turn(function, rows, Tolerance(sums=True))
        assert not report.breaks
        assert report.compiles <= (3 if function is picks else 6)
    assert gl.explain(gl.jit(repeats)).breaks == ()


def test_integers_that_wrap_around_and_every_type_are_numpys() -> None:
    kinds = (np.int8(127), np.int8(-128), np.int8(3), np.uint8(0), np.uint8(255), np.int32(2), np.int64(2**63 - 1))
    with np.errstate(all="ignore"):
        numbers = (*kinds, np.bool_(True), 3, np.int64(4), np.int64(5))
        check_in_turn(branches, [(TABLE, n) for n in numbers], Tolerance(), backend="reference")


def test_a_branch_on_a_numpy_number_is_decided_in_its_own_precision() -> None:
    numbers = (np.float32(0.6), np.float32(0.7), np.float16(0.6), np.float64(0.6), np.float64(np.nan), np.float64(0.0))
    report = check_in_turn(compares, [(TABLE, a) for a in (*numbers, np.float32(-0.0), np.int8(1))], Tolerance())
    assert not report.breaks


def test_what_is_asked_of_the_number_itself_is_what_numpy_answers() -> None:
    def asked(x: Any, n: Any) -> Any:
        names = {1: "one", 2: "two"}
        return x + 1, n in names, names.get(n), (n, 1) == (1, 1), str(n), repr(n), f"{n}", type(n), n

    for n in (np.int64(1), np.float32(0.1), np.bool_(True)):
        check(asked, TABLE, n, backend="reference")
    for text in ("x[n]", "range(n)", "np.zeros(n)", "[1, 2][n]", "x[:n]"):
        space: dict[str, Any] = {"np": np}
        exec(f"def wrong(x, n):\n    y = x + 1\n    return y, {text}", space)
        check(space["wrong"], TABLE, np.float64(1.0), backend="reference")
        check(space["wrong"], TABLE, np.int64(-40), backend="reference")


def test_a_number_that_divides_is_left_to_numpy() -> None:
    def divides(x: Any, n: Any, m: Any) -> Any:
        return x + 1 if n // m > 0 else x[n % m :]

    rows = [(TABLE, np.int64(5), np.int64(m)) for m in (2, 0, -3)]
    with np.errstate(all="ignore"):
        check_in_turn(divides, rows, Tolerance(), backend="reference")


INTS = (
    "np.arange(n), np.arange(1, n), np.linspace(0, n, 5), np.logspace(0, n, 3), np.full(3, n), np.zeros(n), np.eye(n)",
    "np.tri(n), np.array([n, 1]), np.repeat(x, n), np.roll(x, n), np.tile(x, n), x.reshape(n, -1), x.sum(axis=n - 2)",
    "np.vander(x[0], n), np.diag(x, n), np.round(x, n), np.clip(x, 0, n), np.moveaxis(x, 0, n - 2), np.insert(x, n, 0)",
    "np.delete(x, n), np.trace(x, n), np.rot90(x, n), x.take(n), np.percentile(x, n), np.cumsum(x, axis=n - 2)",
    "[n] * 2, n * [n], abs(n), n.dtype, n.real",
    "[k for k in range(n)], x[n], x[n, n], x[:n, ::n], float(n) * 2, int(n) ** 2, -n, ~n, n + x, np.split(x[0, :6], n)",
)
FLOATS = (
    "np.linspace(0, n, 5), np.full(3, n), np.arange(n), np.geomspace(1, n, 3), np.array([n, 1]), np.clip(x, 0, n)",
    "np.quantile(x, n / 4), n + 1, np.round(n), float(n), int(n), bool(n), np.where(x > n, x, n), x + np.float32(n)",
)


def test_functions_of_numpy_see_the_type_of_the_number() -> None:
    floats = np.float32(2.5), np.float16(2.5), np.float64(3)
    for texts, numbers in ((INTS, (np.int64(2), np.int8(2), np.uint8(2), np.uint64(2))), (FLOATS, floats)):
        space: dict[str, Any] = {"np": np}
        for k, text in enumerate(texts):
            exec(f"def asked_{k}(x, n):\n    return {text}", space)
            for n in numbers:
                check(space[f"asked_{k}"], TABLE, n, calls=1, backend="reference")
    for text in ("np.tril(x, n)", "np.split(np.ones(300), n)", "x.sum(axis=n - 2)", "np.arange(n, 0, -n)"):
        exec(f"def one(x, n):\n    return x + 1, {text}", space)
        for n in (np.uint8(2), np.int8(-2), np.uint64(3)):
            check(space["one"], TABLE, n, calls=1, backend="reference")
