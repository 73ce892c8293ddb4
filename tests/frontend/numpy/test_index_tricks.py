"""NumPy's objects that are only asked for a subscript: `mgrid`, `ogrid`, `r_`, `c_`, `s_`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl

X = np.arange(12.0).reshape(3, 4) - 5
GRIDS = [
    "0:3, 0:4", "0:3", ":3, :4", "5:0:-2, 1:9:3", "0:1:0.25, 0:2", "0:1:5j", "-1:1:3j, 0:4", "0:1:1j, 0:2",
    "2.5:4, 0:2", "0:x.shape[0], 0:x.shape[1]", ":x.shape[1], x.shape[0]:0:-1", "0:2, 0:3, 0:2", "0:0, 0:2",
]  # fmt: skip
WRONG = ["3", "0:3:0, 0:2", "5:0, 0:2", "0:3, 4"]
ROWS = ["x[0], 1.0, x[1]", "0:5, x[0]", "-1:1:6j", "x, x", "'0,2', x[0], x[1]", "x[0]", "1, 2, 3", "np.zeros(0), x[0]"]


def call(text: str) -> Any:
    return eval(f"lambda x: ({text})", {"np": np})


@pytest.mark.parametrize("key", GRIDS)
def test_grids_are_part_of_the_graph(key: str) -> None:
    check(call(f"np.mgrid[{key}] * 2 + x[0, 0]"), X, expect="compiled")
    check(call(f"[each * 2 + x[0, 0] for each in np.ogrid[{key}]]"), X, expect="compiled")
    check(call(f"(np.mgrid[{key}], np.ogrid[{key}], x + 1)"), X, expect="compiled")


@pytest.mark.parametrize("name", ["mgrid", "ogrid"])
@pytest.mark.parametrize("key", WRONG)
def test_keys_that_numpy_refuses_are_refused(name: str, key: str) -> None:
    check(call(f"np.{name}[{key}], x + 1"), X)


@pytest.mark.parametrize("key", ROWS)
def test_rows_and_columns_are_joined(key: str) -> None:
    check(call(f"np.r_[{key}] + x[0, 0]"), X)
    check(call(f"np.c_[{key}] + x[0, 0]"), X)


def test_rows_of_arrays_and_numbers_are_part_of_the_graph() -> None:
    for text in ("np.r_[x[0], 1.0, x[1]] * 2", "np.c_[x[0], x[1]] * 2", "np.r_[0:4] * x", "x[np.s_[1:, ::2]] + 1"):
        check(call(text), X, expect="compiled")


def test_grids_follow_sizes_that_change() -> None:
    def distances(x: Any) -> Any:
        i, j = np.ogrid[: x.shape[0], : x.shape[1]]
        return np.sqrt(i * i + j * j) + x

    jitted = gl.jit(distances)
    for n in (3, 5, 9, 4):
        x = np.arange(n * (n + 1.0)).reshape(n, n + 1)
        np.testing.assert_array_equal(jitted(x), distances(x))
    assert gl.explain(jitted).breaks == ()


ARRAYS = ["[1, 2], ndmin=2", "x, ndmin=3", "x, copy=None", "x[0], copy=None, ndmin=2", "2.5, ndmin=1", "x, subok=True"]


@pytest.mark.parametrize("given", ARRAYS)
def test_arrays_are_made_with_as_many_axes_as_are_asked_for(given: str) -> None:
    check(call(f"np.array({given}) * 2 + x[0, 0]"), X, expect="compiled")
    check(call(f"np.array({given}).flags.writeable, x + 1"), X)


def test_an_open_grid_is_made_of_views() -> None:
    def crossed(x: Any, i: Any, j: Any) -> Any:
        grid = np.ix_(i, j)
        picked = x[grid] * 2
        x[np.ix_(j, [0])] = -1
        return grid, np.ix_(i), picked, np.ix_([], [1, 2]), np.ix_()

    for i, j in (([0, 2], np.array([1, 0])), (np.array([1, 0, 1]), np.array([], np.int64)), (X[0] > 0, np.array([1]))):
        check(crossed, X, i, j)
    assert not check(crossed, X, np.array([1, 0]), np.array([1])).breaks
    check(lambda x: (x + 1, np.ix_([[0]], [1])), X)
