import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.ops.checks import CHECKED_INDEX


def checked(values, **attrs):
    return CHECKED_INDEX.eager(np.array(values), **attrs)


def test_indices_in_range_come_out_unchanged():
    index = np.array([0, 4, 2])
    assert CHECKED_INDEX.eager(index, size=5) is index


@pytest.mark.parametrize(("values", "bad"), [([0, 5], 5), ([0, -1], -1), ([[7, 0], [1, -3]], 7)])
def test_an_index_out_of_range_raises_and_is_named(values, bad):
    with pytest.raises(IndexError, match=f"^Target {bad} is out of bounds.$"):
        checked(values, size=5)


def test_the_ignored_value_passes_and_others_do_not():
    assert checked([1, -100], size=2, ignore=-100).tolist() == [1, -100]
    with pytest.raises(IndexError, match="Target -1 is"):
        checked([1, -100, -1], size=2, ignore=-100)


def test_no_index_is_in_range_of_nothing():
    with pytest.raises(IndexError):
        checked([0], size=0)
    assert checked(np.empty(0, np.int64), size=0).shape == (0,)


def test_only_integers_are_taken():
    with pytest.raises(OpError, match="checked_index takes integers"):
        CHECKED_INDEX.meta(TensorType((2,), dtypes.float32), size=3)
    with pytest.raises(OpError, match="size of 0 or more"):
        CHECKED_INDEX.meta(TensorType((2,), dtypes.int64), size=-1)
