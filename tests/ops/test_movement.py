import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.core.types import TensorType
from guardlift.ops import OPS
from guardlift.ops.movement import region


@given(extent=st.integers(0, 9), cut=st.slices(9))
def test_any_python_slice_is_a_start_a_size_and_a_step(extent: int, cut: slice) -> None:
    x = np.arange(extent)
    start, stop, step = cut.indices(extent)
    size = len(range(start, stop, step))
    np.testing.assert_array_equal(x[region((start,), (size,), (step,))], x[cut])
    assert OPS["slice"].meta(
        TensorType((extent,), dtypes.int64), starts=(start,), sizes=(size,), steps=(step,)
    ).shape == (size,)


@pytest.mark.parametrize(
    ("name", "attrs"),
    [
        ("reshape", {"shape": (5,)}),
        ("reshape", {"shape": (-2, -3)}),
        ("permute", {"axes": (0, 0)}),
        ("permute", {"axes": (0,)}),
        ("permute", {"axes": (-1, 0)}),
        ("expand", {"shape": (3,)}),
        ("expand", {"shape": (2, 6)}),
        ("slice", {"starts": (0,), "sizes": (1,), "steps": (1,)}),
        ("slice", {"starts": (0, 0), "sizes": (3, 1), "steps": (1, 1)}),
        ("slice", {"starts": (0, 0), "sizes": (2, 1), "steps": (-1, 1)}),
        ("slice", {"starts": (0, 3), "sizes": (1, 1), "steps": (1, 1)}),
        ("slice", {"starts": (0, 0), "sizes": (1, -1), "steps": (1, 1)}),
        ("slice", {"starts": (0, 0), "sizes": (1, 1), "steps": (1, 0)}),
    ],
)
def test_a_movement_refuses_what_leaves_its_operand(name: str, attrs: dict[str, object]) -> None:
    with pytest.raises(OpError, match=name):
        OPS[name].meta(TensorType((2, 3), dtypes.float32), **attrs)
