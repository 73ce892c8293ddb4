"""Reductions with few results, in parts: right, exact where the whole is, and the same for any number of threads."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.lowering.parts import PART_ELEMENTS, PART_ROWS

random = np.random.default_rng(5)
EDGES = [PART_ELEMENTS * 10 + extra for extra in (-1, 0, 1, 12345)]
THREADS = (1, 2, 3, 7)


def kernels_of(function: Any) -> int:
    return sum(each.uses for each in gl.explain(function).entries[-1].kernels)


def with_threads(function: Any, *arguments: Any) -> list[Any]:
    """The results for each number of threads."""
    found = []
    for count in THREADS:
        with gl.config.patch(num_threads=count):
            found.append(function(*arguments))
    return found


def same_bits(results: list[Any]) -> bool:
    return len({np.asarray(each).tobytes() for each in results}) == 1


WHOLE: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "sum of all axes": lambda x: x.reshape(-1).sum(keepdims=True),
    "squares": lambda x: np.sqrt((x * x).sum()) + 1,
    "max": lambda x: x.max(),
    "min": lambda x: (x - 1).min(),
    "any": lambda x: (x > 2).any(),
    "all": lambda x: (x > -9).all(),
    "var": lambda x: x.var(),
    "prod": lambda x: np.where(x > 12, x.dtype.type(2), x.dtype.type(1)).prod(),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
def test_all_elements(name: str, dtype: str) -> None:
    python = WHOLE[name]
    function = gl.jit(python)
    for size in EDGES[1:3]:
        x = (random.standard_normal(size) * 3).astype(dtype)
        results = with_threads(function, x)
        assert same_bits(results)
        wanted = python(x)
        assert results[0].dtype == wanted.dtype and np.shape(results[0]) == np.shape(wanted)
        if dtype in ("int32", "uint8") and name not in ("var", "squares"):
            np.testing.assert_array_equal(results[0], wanted)
        else:
            np.testing.assert_allclose(results[0], wanted, rtol=3e-5 if dtype == "float32" else 1e-12)
    assert gl.explain(function).breaks == ()


@pytest.mark.parametrize("size", EDGES)
def test_sums_are_as_exact_as_can_be(size: int) -> None:
    function = gl.jit(lambda x: x.sum())
    own = np.random.default_rng(size)
    x = own.standard_normal(size) * 10.0 ** own.integers(-8, 8, size)
    exact = math.fsum(x)
    assert abs(float(function(x)) - exact) <= np.spacing(abs(x).sum()) * 2e-2 + np.spacing(abs(exact))
    single = x.astype(np.float32)
    assert abs(float(function(single)) - math.fsum(single)) <= np.spacing(np.float32(abs(math.fsum(single))))
    assert kernels_of(function) == 2


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_no_number_is_found_in_any_part(special: float, dtype: Any) -> None:
    function = gl.jit(lambda x: (x.sum(), x.max(), x.min()))
    for at in (0, PART_ELEMENTS, 10 * PART_ELEMENTS):
        x = random.random(EDGES[2]).astype(dtype)
        x[at] = special
        for result, wanted in zip(function(x), (x.sum(), x.max(), x.min()), strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-5)
    both = random.random(EDGES[2]).astype(dtype)
    both[1], both[-1] = np.inf, -np.inf
    assert np.isnan(function(both)[0])


def test_minus_zeros_add_up_to_zero_as_numpys() -> None:
    function = gl.jit(lambda x: x.sum())
    result = function(np.full(EDGES[0], -0.0))
    assert result == 0 and not np.signbit(result)


def test_what_is_stored_on_the_way_is_stored() -> None:
    def doubled(x: Any) -> Any:
        y = x * 2
        return y, y.sum()

    function = gl.jit(doubled)
    x = random.random(EDGES[3])
    for y, total in with_threads(function, x):
        np.testing.assert_array_equal(y, x * 2)
        assert total == pytest.approx((x * 2).sum())


def test_arrays_that_do_not_lie_in_one_piece() -> None:
    function = gl.jit(lambda x: (x + 1).sum())
    whole = random.random((1500, 2100))
    for x in (whole[::2, ::2][:, :1000], whole[:, 5:], whole.T[3:], whole[::-1]):
        results = with_threads(function, x)
        assert same_bits(results) and results[0] == pytest.approx((x + 1).sum())
    cube = random.random((90, 100, 110))[:, ::2]
    assert function(cube) == pytest.approx((cube + 1).sum())


def test_sums_of_places_know_where_they_are() -> None:
    function = gl.jit(lambda x: (x * np.arange(x.size)).sum())
    x = random.integers(-5, 5, EDGES[3])
    assert all(each == (x * np.arange(x.size)).sum() for each in with_threads(function, x))


def test_checks_within_parts_fail_the_call_as_numpy_does() -> None:
    def taken(x: Any, index: Any) -> Any:
        return (x[index] * 2).sum()

    function = gl.jit(taken)
    x, index = random.random(50), random.integers(-50, 50, EDGES[2])
    assert function(x, index) == pytest.approx(taken(x, index))
    index[7 * PART_ELEMENTS] = 50
    with pytest.raises(IndexError, match="index 50 is out of bounds"):
        function(x, index)


def test_sizes_that_are_symbols() -> None:
    function = gl.jit(lambda x: (x * x).sum(), dynamic=True)
    for size in (*EDGES, PART_ELEMENTS * 25 + 7):
        x = random.random(size)
        results = with_threads(function, x)
        assert same_bits(results) and results[0] == pytest.approx((x * x).sum(), rel=1e-13)
    assert gl.explain(function).compiles == 1
    assert function(random.random(1000)) > 0


@pytest.mark.parametrize("columns", [1, 3, 8, 100, 4096])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.slow
def test_columns(columns: int, dtype: str) -> None:
    rows = max(2 * PART_ROWS + 3, 900_000 // columns + 5)
    x = (random.standard_normal((rows, columns)) * 5).astype(dtype)
    for python in (lambda x: x.sum(axis=0), lambda x: x.max(axis=0) - x.min(axis=0), lambda x: (x + 1).mean(axis=0)):
        function = gl.jit(python)
        results = with_threads(function, x)
        assert same_bits(results)
        wanted = python(x.astype(np.float64) if dtype == "float32" else x)
        np.testing.assert_allclose(results[0], wanted, rtol=2e-5 if dtype == "float32" else 1e-11, atol=2e-2)
        assert results[0].dtype == python(x).dtype


def test_columns_and_what_is_stored_beside_them() -> None:
    def scaled(x: Any) -> Any:
        y = x * 3
        return y, y.sum(axis=0), y.argmax(axis=0)

    function = gl.jit(scaled)
    x = random.random((5000, 300))
    for found in with_threads(function, x):
        for result, wanted in zip(found, scaled(x), strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-12)


def test_columns_whose_rows_are_a_symbol() -> None:
    function = gl.jit(lambda x: x.sum(axis=0), dynamic=True)
    for rows in (30_000, 41_234, 50_001):
        x = random.random((rows, 64))
        results = with_threads(function, x)
        assert same_bits(results)
        np.testing.assert_allclose(results[0], x.sum(axis=0), rtol=1e-12)


def test_small_reductions_stay_whole() -> None:
    function = gl.jit(lambda x: (x.sum(), x.reshape(100, -1).sum(axis=0)))
    function(random.random(100_000))
    assert kernels_of(function) == 2
