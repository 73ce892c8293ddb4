"""The memory of moved values: which movements have steps through the memory of what they move."""

from __future__ import annotations

import numpy as np

import guardlift as gl
from guardlift.backend.evaluate.buffers import Buffer, BufferView
from guardlift.backend.launch.calls import KernelCall
from guardlift.backend.schedule import moved_views as m
from guardlift.core.dtypes import float64
from guardlift.frontend import state_of


def view(shape: tuple[int, ...], strides: tuple[int, ...]) -> BufferView:
    return BufferView(Buffer("temporary", 0, float64), shape, strides)


def test_a_view_keeps_its_strides_under_another_shape_or_has_none() -> None:
    assert m._reshaped(view((4, 6), (6, 1)), (2, 2, 3, 2)) == [12, 6, 2, 1]
    assert m._reshaped(view((4, 6), (12, 2)), (24,)) == [2]
    assert m._reshaped(view((4, 6), (10, 1)), (24,)) is None
    assert m._reshaped(view((1, 6), (0, 1)), (6, 1)) == [1, 0]


def test_products_read_what_is_only_moved_where_it_lies() -> None:
    """A part of an argument, its axes merged and exchanged, and repeated for each matrix, is not copied for BLAS."""

    def run(weight: np.ndarray, x: np.ndarray) -> np.ndarray:
        left = np.broadcast_to(weight[1:].reshape(3, 20).T, (5, 20, 3))
        return left @ x.reshape(5, 3, 14)

    weight, x = np.arange(80.0).reshape(4, 4, 5), np.arange(210.0).reshape(5, 3, 2, 7)
    fast = gl.jit(run)
    np.testing.assert_array_equal(fast(weight, x), run(weight, x))
    (entry,) = state_of(fast).entries
    assert not [call for call in entry.details["compiled"].calls if isinstance(call, KernelCall)]
