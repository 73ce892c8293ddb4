"""Writes of iterations of a loop over tensors, done behind the loop at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....graph.node import Node
from ....tensor.item_assignment import setitem
from ....tensor.rearranging import flip
from ....tensor.shaping import permute, reshape_to
from ...values.tensors.tensor import fresh
from .iteration_parts import PartWrite

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def write_rows(trace: Trace, write: PartWrite, rows: Node, trip_count: int) -> None:
    """Writes the rows that iterations gave to their parts. Shapes: rows [iterations, *part]."""
    from ...tensors.surface.functions import natively

    target, place = write.target, write.place
    axis, first, step = place.axis, place.first, place.step
    value: Any = fresh(trace, rows, requires_grad=write.tracked, leaf=not write.tracked)
    with natively(trace):
        if step < 0:
            value, first, step = flip(value, (0,)), first + step * (trip_count - 1), -step
        order = (*range(1, axis + 1), 0, *range(axis + 1, len(rows.shape)))
        value = permute(value, order)
        width = place.width or 1
        if place.width is not None:
            value = reshape_to(value, (*value.shape[:axis], trip_count * width, *value.shape[axis + 2 :]))
        count, step = trip_count * width, step if width == 1 else 1
        part = slice(first, first + step * (count - 1) + 1, step)
        setitem(target, (*(slice(None) for _ in range(axis)), part), value)
    counted = target.root.counter or target.root
    counted.bumps += trip_count - 1
