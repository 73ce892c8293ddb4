"""Sums are accurate, infinities and NaNs pass through the compensation, and extremes are found at their places."""

import math

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native
from backend.plain_runner import run_plain

from guardlift.backend.compile import compile_graph
from guardlift.core import dtypes


def summing(values):
    p = Program()
    x = p.input(values.shape, dtypes.from_numpy(values.dtype))
    graph = p.builder.finish([p.sum(x, axes=(0,))])
    return compile_graph(graph, layout_for(graph, [values])).build()


def total(values):
    return summing(values)(values)[0][()]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [100, 500, 1000, 2000, 20_000])
def test_sums_are_on_average_as_accurate_as_those_of_numpy(dtype, size):
    call = summing(np.zeros(size, dtype))
    ours = theirs = 0.0
    for seed in range(100):
        values = np.random.default_rng(seed).standard_normal(size).astype(dtype)
        exact = math.fsum(values.tolist())
        ours += (float(call(values)[0]) - exact) ** 2
        theirs += (float(np.sum(values)) - exact) ** 2
    assert ours <= 1.2 * theirs  # NumPy's lanes and ours depend on the machine


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_infinities_and_nans_come_out_as_in_numpy(dtype):
    base = np.ones(3000, dtype)
    for places in ({7: np.inf}, {2500: -np.inf}, {7: np.inf, 2000: -np.inf}, {100: np.nan}, {5: np.inf, 2999: np.inf}):
        values = base.copy()
        for place, number in places.items():
            values[place] = number
        with np.errstate(invalid="ignore"):
            expected = np.sum(values)
        assert np.array_equal(total(values), expected, equal_nan=True)


def test_large_terms_that_cancel_leave_the_small_ones():
    values = np.concatenate([np.full(2048, 1e16), np.full(2048, 1.0), np.full(2048, -1e16)])
    assert total(values) == 2048.0
    assert math.fsum(values) == 2048.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1,), (5,), (3, 4), (1, 4), (4, 1), (3, 300)])
def test_the_sum_of_minus_zeros_alone_is_plus_zero_as_in_numpy(shape, dtype):
    values = np.full(shape, -0.0, dtype)
    for axes in {*((k,) for k in range(values.ndim)), tuple(range(values.ndim))}:
        p = Program()
        x = p.input(shape, dtypes.from_numpy(values.dtype))
        graph = p.builder.finish([p.sum(x, axes=axes)])
        found = compile_graph(graph, layout_for(graph, [values])).build()(values)[0]
        assert not np.signbit(found).any() and not np.signbit(values.sum(axis=axes)).any(), axes


@pytest.mark.parametrize("columns", [1, 255, 256, 4096, 4097, 9000])
@pytest.mark.parametrize("rows", [1, 3, 4, 11])
def test_rows_of_any_width_are_added_up_once_each(rows, columns):
    """Narrow and very wide rows are taken four at a time, others one after the other."""
    p = Program()
    x = p.input((rows, columns), dtypes.float32)
    values = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns) % 1000
    graph = p.builder.finish([p.sum(x, axes=(0,))])
    assert (compile_graph(graph, layout_for(graph, [values])).build()(values)[0] == values.sum(axis=0)).all()


ROWS, COLUMNS = 5, 7


def producers(p, x, i):
    """Values of shape (5, 7), each of which a kernel computes or finds in another way."""
    wide = p.input((ROWS, 9))
    return {
        "rows by index": p.take(p.input((4, COLUMNS)), i, axis=0),
        "columns by index": p.take(wide, p.input((COLUMNS,), dtypes.int64), axis=1),
        "elements by index": p.gather(wide, p.input((ROWS, COLUMNS), dtypes.int64), axis=1),
        "an index of an index": p.take(p.take(p.input((4, COLUMNS)), p.input((6,), dtypes.int64), axis=0), i, axis=0),
        "arithmetic on rows by index": p.exp(p.take(p.input((4, COLUMNS)), i, axis=0)),
        "what fails where it is negative": p.cast(
            p.power(p.cast(x, dtype=dtypes.int64), p.absolute(p.cast(x, dtype=dtypes.int64))), dtype=dtypes.float64
        ),
        "one row again and again": p.expand(p.multiply(p.input((1, COLUMNS)), p.input((1, COLUMNS))), shape=x.shape),
        "memory": x,
    }


NAMES = [
    "rows by index",
    "columns by index",
    "elements by index",
    "an index of an index",
    "arithmetic on rows by index",
    "what fails where it is negative",
    "one row again and again",
    "memory",
]


@pytest.mark.parametrize("runner", [run_plain, run_native])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_the_place_of_an_extreme_is_that_of_what_was_folded(name, axis, runner):
    p = Program()
    x, i = p.input((ROWS, COLUMNS)), p.input((ROWS,), dtypes.int64)
    made = producers(p, x, i)[name]
    results = [p.argmax(made, axes=(axis,)), p.argmin(made, axes=(axis,)), p.max(made, axes=(axis,))]
    rng = np.random.default_rng(axis)
    arrays = [
        rng.integers(0, 4, node.shape) if node.type.dtype.is_integer else rng.integers(-3, 4, node.shape) / 2
        for node in p.builder.inputs
    ]
    check(p.builder.finish(results), arrays, runner, exact=name != "arithmetic on rows by index")
    if runner is run_plain and name != "memory":
        check(p.builder.finish([*results, made]), arrays, runner, exact=name != "arithmetic on rows by index")


@pytest.mark.parametrize("dtype", [dtypes.bool_, dtypes.uint8, dtypes.int64, dtypes.float32, dtypes.float64], ids=str)
def test_the_first_of_equal_extremes_is_found_in_any_block(dtype):
    """Values that are put aside while they are reduced, block by block; also where none beats the identity."""
    for size in (1, 3, 255, 256, 257, 700):
        equal_extremes(size, dtype, run_native)
    equal_extremes(257, dtype, run_plain)


def equal_extremes(size, dtype, runner):
    p = Program()
    x, i = p.input((3, size), dtype), p.input((size,), dtypes.int64)
    picked = p.take(x, i, axis=1)
    graph = p.builder.finish([p.argmax(picked, axes=(1,)), p.argmin(picked, axes=(1,))])
    values = np.zeros((3, size), dtype.numpy)
    values[0, size // 2 :] = 1
    values[1] = np.arange(size) // 2 * 2 % 256
    if dtype.is_float:
        values[1, size // 3] = np.nan
        values[2] = -np.inf
    check(graph, [values, np.arange(size)[::-1].copy()], runner)


def test_a_search_looks_at_nothing_that_is_computed_once_more():
    """The fold loads again what is only loaded; it puts anything else aside."""
    for producer, aside in (("memory", False), ("columns by index", True), ("one row again and again", True)):
        p = Program()
        made = producers(p, p.input((ROWS, COLUMNS)), p.input((ROWS,), dtypes.int64))[producer]
        graph = p.builder.finish([p.argmax(made, axes=(1,))])
        arrays = [np.zeros(node.shape, node.type.dtype.numpy) for node in graph.inputs]
        search = compile_graph(graph, layout_for(graph, arrays)).calls[-1].text.split("_from >= 0")[1]
        assert ("p0[" in search) == (not aside) and ("_values[" in search) == aside and "p1[i0 + " not in search
