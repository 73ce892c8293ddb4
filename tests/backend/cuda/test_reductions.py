"""The text of device reductions, run by CPython over NumPy scalars."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from guardlift.backend.cuda.reductions import DeviceReduction
from guardlift.backend.math.table import TABLE
from guardlift.core import dtypes

NAMES = {dtype.name: dtype.numpy.type for dtype in dtypes.ALL if not dtype.is_bool} | {"boolean": np.bool_} | TABLE


def part(reduction, values, positions):
    """The variables of one thread after its values."""
    names = dict(NAMES)
    exec("\n".join(reduction.start()), names)
    for value, position in zip(values, positions, strict=True):
        names["value"], names["position"] = value, np.int64(position)
        exec("\n".join(reduction.update("value", "position")), names)
    return {name: names[name] for name, _ in reduction.parts}


def merged(reduction, left, right):
    names = dict(NAMES) | left | {f"{name}_other": value for name, value in right.items()}
    exec("\n".join(reduction.merge(lambda name: f"{name}_other")), names)
    return {name: names[name] for name, _ in reduction.parts}


def result(reduction, parts):
    names = dict(NAMES) | parts
    exec("\n".join(reduction.finish()), names)
    return names[reduction.name]


def over_threads(reduction, values, threads):
    """The reduction of `values`, dealt out to threads and merged in pairs."""
    places = [range(k, len(values), threads) for k in range(threads)]
    with np.errstate(all="ignore"):
        parts = [part(reduction, [values[k] for k in mine], mine) for mine in places]
        while len(parts) > 1:
            half = len(parts) // 2
            parts = [merged(reduction, left, right) for left, right in zip(parts[:half], parts[half:], strict=True)]
        return result(reduction, parts[0])


@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=str)
@pytest.mark.parametrize("threads", [1, 4])
def test_a_sum_is_the_exact_one_rounded_once(dtype, threads):
    draw = np.random.default_rng(threads)
    for scale in (1.0, 1e6):
        values = list((draw.standard_normal(300) * scale ** draw.standard_normal(300)).astype(dtype.numpy))
        exact = sum((Fraction(float(value)) for value in values), Fraction(0))
        found = over_threads(DeviceReduction("r", "sum", dtype, dtype), values, threads)
        assert type(found) is dtype.numpy.type
        assert abs(found - dtype.numpy.type(float(exact))) <= np.spacing(abs(found))


@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=str)
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0.0),
        ([-0.0, -0.0, -0.0], 0.0),
        ([-0.0, 0.0], 0.0),
        ([1.0, np.inf, 2.0], np.inf),
        ([np.inf, -np.inf], np.nan),
        ([1.0, np.nan], np.nan),
        ([3e38, 3e38], None),
    ],
)
def test_sums_of_awkward_values(dtype, values, expected):
    found = over_threads(DeviceReduction("r", "sum", dtype, dtype), [dtype.numpy.type(each) for each in values], 2)
    if expected is None:  # what overflows float32 does not overflow float64
        expected = np.inf if dtype is dtypes.float32 else sum(values)
    np.testing.assert_equal(found, dtype.numpy.type(expected))
    assert np.isnan(expected) or np.signbit(found) == np.signbit(expected)


@pytest.mark.parametrize("combine", ["argmax", "argmin"])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_of_equal_extremes_the_first_place_is_found_by_any_number_of_threads(combine, threads):
    reduction = DeviceReduction("r", combine, dtypes.float32, dtypes.int64)
    pool = [np.float32(each) for each in (1.0, 2.0, np.nan, -np.inf, np.inf)]
    for values in itertools.product(pool, repeat=4):
        assert over_threads(reduction, list(values), threads) == getattr(np, combine)(values)


@pytest.mark.parametrize("dtype", [dtypes.bool_, dtypes.int8, dtypes.uint64], ids=str)
def test_extremes_of_whole_numbers(dtype):
    least, most = (False, True) if dtype.is_bool else (np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max)
    for values in itertools.product([dtype.numpy.type(least), dtype.numpy.type(most)], repeat=4):
        for combine in ("argmax", "argmin"):
            reduction = DeviceReduction("r", combine, dtype, dtypes.int64)
            assert over_threads(reduction, list(values), 2) == getattr(np, combine)(values)
        assert over_threads(DeviceReduction("r", "max", dtype, dtype), list(values), 2) == max(values)
