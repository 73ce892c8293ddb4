"""`np.lib.stride_tricks.sliding_window_view`: views of all windows of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...core.records import dataclass
from ...core.sizes import is_symbolic
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import ARANGE
from ...ops.indexing import TAKE
from ...ops.movement import PERMUTE
from ..breaks import NUMPY_ARGUMENT
from ..tracing.rules import asked, traces
from ..values.arrays.view_steps import Broadcast, Ints, expand, reshape
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


@traces(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(
    trace: Trace, x: Value, window_shape: Value, axis: Value = NONE, *, subok: Value = FALSE, writeable: Value = FALSE
) -> Value:
    """A view that cannot be written."""
    array = owned(trace, array_operand(trace, x))
    if subok.constant(trace) or writeable.constant(trace) or is_symbolic(array.shape):
        raise NUMPY_ARGUMENT.stop(name="sliding_window_view", argument="subok, writeable, or sizes that change")
    widths, axes = window_shape.constant(trace), axis.constant(trace)
    fake = asked(np.lib.stride_tricks.sliding_window_view, array.fake, widths, axes)
    widths = widths if type(widths) is tuple else (widths,)
    along: Ints = tuple(range(len(array.shape))) if axes is None else axes if type(axes) is tuple else (axes,)
    along = tuple(int(each) % len(array.shape) for each in along)
    if not fake.size:
        raise NUMPY_ARGUMENT.stop(name="sliding_window_view", argument="windows without elements")

    def text(writer: EntryWriter) -> str:
        made = writer.pool.add(np.lib.stride_tricks.sliding_window_view)
        return f"{made}({writer.array(array)}, {writer.pool.add(widths)}, {writer.pool.add(along)})"

    return array.view(Windows(fake.shape, text, tuple(zip(along, widths, strict=True))), fake)
