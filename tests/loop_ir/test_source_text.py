import numpy as np
import pytest

from guardlift.backend.math.table import TABLE
from guardlift.core import dtypes
from guardlift.loop_ir.source_text import literal


@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=str)
@pytest.mark.parametrize("number", [0.1, -0.0, 1e-45, 3e38, float("inf"), float("-inf"), float("nan"), 16777217])
def test_a_literal_is_the_number_rounded_once(dtype, number):
    with np.errstate(over="ignore"):
        found = eval(literal(number, dtype), {dtype.name: dtype.numpy.type, **TABLE})
        expected = dtype.numpy.type(number)
    assert type(found) is type(expected)
    assert np.array_equal(found, expected, equal_nan=True) and np.signbit(found) == np.signbit(expected)


@pytest.mark.parametrize("dtype", dtypes.INTEGERS, ids=str)
def test_the_extreme_integers_have_literals(dtype):
    info = np.iinfo(dtype.numpy)
    for number in (info.min, info.max):
        assert eval(literal(int(number), dtype), {dtype.name: dtype.numpy.type}) == number
