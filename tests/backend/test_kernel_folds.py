"""How accurate sums are, and that infinities and NaNs pass through the compensation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from backend.graph_cases import layout_for, run_native
from backend.test_writes import Program

from guardlift.backend.compile import compile_graph
from guardlift.core import dtypes


def total(values):
    p = Program()
    x = p.input(values.shape, dtypes.from_numpy(values.dtype))
    graph = p.builder.finish([p.sum(x, axes=(0,))])
    return run_native(compile_graph(graph, layout_for(graph, [values])), [values])[0][()]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 5, 1000, 1024, 1025, 100_000])
def test_a_sum_is_at_least_as_accurate_as_that_of_numpy(dtype, size):
    values = np.random.default_rng(size).standard_normal(size).astype(dtype) * dtype(1e3)
    exact = sum(map(Fraction, values.tolist()))
    ours, theirs = (abs(Fraction(float(each)) - exact) for each in (total(values), np.sum(values)))
    ulp = Fraction(float(np.spacing(np.abs(np.sum(np.abs(values)))))) / 64
    assert ours <= max(theirs, ulp)


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
