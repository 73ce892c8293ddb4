"""How accurate sums are, and that infinities and NaNs pass through the compensation."""

import math

import numpy as np
import pytest
from backend.graph_cases import Program, layout_for

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
