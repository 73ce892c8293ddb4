import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.ops.derivative import operand_gradients, reads
from guardlift.ops.emitter import ARRAYS
from guardlift.ops.segments import JOIN, SEGMENT, SPREAD

PARTS = [np.arange(6.0).reshape(2, 3).T, np.array(7.0), np.zeros((0, 2)), np.array([8.0, 9.0])]
VECTOR = np.array([0.0, 3, 1, 4, 2, 5, 7, 8, 9])


def gradients(op, g, operands, **attrs):
    shapes = [each.shape for each in operands]
    wanted = [True] * len(operands)
    assert reads(op, tuple(wanted)) == ()
    return operand_gradients(op, ARRAYS, g, wanted, {}, shapes, [dtypes.float64] * len(operands), attrs)


def test_join_puts_arrays_behind_each_other_in_row_major_order():
    joined = JOIN.eager(*PARTS)
    np.testing.assert_array_equal(joined, VECTOR)
    assert joined.flags.c_contiguous and joined.flags.owndata


def test_segment_gives_each_array_back():
    start = 0
    for part in PARTS:
        found = SEGMENT.eager(VECTOR, start=start, shape=part.shape)
        np.testing.assert_array_equal(found, part)
        start += part.size


def test_spread_repeats_each_number():
    assert SPREAD.eager(np.array([5, 6, 7]), sizes=(2, 0, 3)).tolist() == [5, 5, 7, 7, 7]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda f: JOIN.meta(f, f.with_dtype(dtypes.float32)), "join takes operands of one dtype"),
        (lambda f: SEGMENT.meta(f, start=4, shape=(2, 3)), "segment takes elements 4 to 10 of"),
        (lambda f: SEGMENT.meta(f, start=-1, shape=(2,)), "segment takes elements -1 to 1 of"),
        (lambda f: SEGMENT.meta(f.with_shape((3, 3)), start=0, shape=(2,)), "segment takes a vector"),
        (lambda f: SPREAD.meta(f, sizes=(1, 2)), "spread takes a vector and a count for each element"),
        (lambda f: SPREAD.meta(f, sizes=(-1,) + (1,) * 8), "spread takes a vector and a count"),
    ],
)
def test_operands_that_do_not_fit_are_refused(call, told):
    with pytest.raises(OpError, match=told):
        call(TensorType((9,), dtypes.float64))


def test_the_cotangent_of_a_join_is_cut_in_pieces():
    found = gradients(JOIN, VECTOR, PARTS)
    assert [each.shape for each in found] == [each.shape for each in PARTS]
    for each, part in zip(found, PARTS, strict=True):
        np.testing.assert_array_equal(each, part)


def test_the_cotangent_of_a_segment_lies_among_zeros():
    (found,) = gradients(SEGMENT, np.array([[1.0, 2], [3, 4]]), [VECTOR], start=3, shape=(2, 2))
    assert found.tolist() == [0, 0, 0, 1, 2, 3, 4, 0, 0]


def test_the_cotangent_of_a_spread_is_summed_up():
    (found,) = gradients(SPREAD, np.arange(1.0, 6), [np.zeros(3)], sizes=(2, 0, 3))
    assert found.tolist() == [3, 0, 12]
