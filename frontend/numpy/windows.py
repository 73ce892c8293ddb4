"""`np.lib.stride_tricks.sliding_window_view`: views of all windows of an array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...core.records import dataclass
from ...core.sizes import hinted, is_symbolic
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import ARANGE
from ...ops.indexing import TAKE
from ...ops.movement import PERMUTE
from ..breaks import NUMPY_ARGUMENT
from ..tracing.restarts import StaticSizes
from ..tracing.rules import asked, traces
from ..values.arrays.symbolic_fake import SymbolicFakeArray
from ..values.arrays.view_steps import Broadcast, FakeArray, Ints, expand, reshape
from ..values.base import Value
from ..values.constant import FALSE, NONE
from .shaping import array_operand, owned

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace


@dataclass(frozen=True)
class Windows(Broadcast):
    """A view step that only reads, to windows along some axes, one after the other; their own axes come last."""

    windows: tuple[tuple[int, int], ...] = ()
    """Pairs of an axis and a width."""

    def read(self, trace: Trace, node: Node) -> Node:
        for axis, width in self.windows:
            count = node.shape[axis] - width + 1
            node = trace.add(TAKE, node, _places(trace, count, width), axis=axis)
            others = [each for each in range(len(node.shape)) if each != axis + 1]
            node = trace.add(PERMUTE, node, axes=(*others, axis + 1))
        return node


def _places(trace: Trace, count: int, width: int) -> Node:
    """The elements that each window has."""
    begin = reshape(trace, trace.add(ARANGE, start=0, step=1, size=count, dtype=dtypes.int64), (count, 1))
    within = trace.add(ARANGE, start=0, step=1, size=width, dtype=dtypes.int64)
    return trace.add(p.ADD, expand(trace, begin, (count, width)), expand(trace, within, (count, width)))


def _windows(fake: FakeArray, widths: Ints, along: Ints) -> FakeArray:
    """The view of all windows of an array with symbolic sizes. Errors: `StaticSizes` where it has none."""
    assert isinstance(fake, SymbolicFakeArray)
    shape = list(fake.shape)
    for axis, width in zip(along, widths, strict=True):
        if shape[axis] < width:
            raise StaticSizes("an array that is smaller than a window has no view of windows")
        shape[axis] = shape[axis] - width + 1
    made = fake.seen((*shape, *widths), (*fake.strides, *(fake.strides[axis] for axis in along)))
    made.flags.writeable = False
    return made


@traces(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(
    trace: Trace, x: Value, window_shape: Value, axis: Value = NONE, *, subok: Value = FALSE, writeable: Value = FALSE
) -> Value:
    """A view that cannot be written."""
    array = owned(trace, array_operand(trace, x))
    if subok.constant(trace) or writeable.constant(trace):
        raise NUMPY_ARGUMENT.stop(name="sliding_window_view", argument="subok, or writeable")
    widths, axes = window_shape.constant(trace), axis.constant(trace)
    seen = np.broadcast_to(np.zeros((), array.fake.dtype), hinted(array.shape)) if is_symbolic(array.shape) else None
    shown = array.fake if seen is None else seen
    fake: FakeArray = asked(np.lib.stride_tricks.sliding_window_view, shown, widths, axes)
    widths = tuple(widths) if isinstance(widths, Iterable) else (widths,)
    along: Ints = tuple(range(len(array.shape))) if axes is None else axes if type(axes) is tuple else (axes,)
    along = tuple(int(each) % len(array.shape) for each in along)
    if seen is not None:
        fake = _windows(array.fake, widths, along)
    if not fake.size:
        raise NUMPY_ARGUMENT.stop(name="sliding_window_view", argument="windows without elements")

    def text(writer: EntryWriter) -> str:
        made = writer.pool.add(np.lib.stride_tricks.sliding_window_view)
        return f"{made}({writer.array(array)}, {writer.pool.add(widths)}, {writer.pool.add(along)})"

    return array.view(Windows(fake.shape, text, tuple(zip(along, widths, strict=True))), fake)
