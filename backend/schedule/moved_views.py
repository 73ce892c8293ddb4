"""The memory of values that are moved only: permuted, reshaped, expanded, cut. Nothing is computed or stored."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.sizes import is_symbolic
from ...graph.node import Node
from ...ops import movement
from ..evaluate.buffers import BufferView
from .groups import Schedule

Part = tuple[int, int]
"""A size, and the step from one to the next. Units: elements. See Note [Axes in parts] of `window_products`."""
Axis = tuple[Part, ...]
MOVED = (movement.PERMUTE, movement.RESHAPE, movement.EXPAND, movement.SLICE)


def memory_of(schedule: Schedule, node: Node) -> BufferView | None:
    """The memory that holds `node` already, if all that stands between is moved; else None."""
    if node in schedule.places:
        return schedule.places[node]
    if node.op not in MOVED or is_symbolic(node.shape) or not node.type.size:
        return None
    view = memory_of(schedule, node.inputs[0])
    return None if view is None else moved_view(node, view)


def moved_view(node: Node, view: BufferView) -> BufferView | None:
    """The memory of one of `MOVED`, by that of its operand; None where no steps lead from element to element."""
    strides: Sequence[int] | None
    offset = view.offset
    if node.op is movement.PERMUTE:
        axes = node.attr("axes")
        assert isinstance(axes, tuple)
        strides = [view.strides[axis] for axis in axes]
    elif node.op is movement.EXPAND:
        lead = len(node.shape) - len(view.shape)
        inner = zip(view.shape, view.strides, node.shape[lead:], strict=True)
        strides = [0] * lead + [0 if have != want else step for have, step, want in inner]
    elif node.op is movement.SLICE:
        region = view.region(*(node.attr(name) for name in ("starts", "sizes", "steps")))  # type: ignore[arg-type]
        strides, offset = region.strides, region.offset
    else:
        strides = _reshaped(view, node.shape)
    return None if strides is None else BufferView(view.buffer, node.shape, tuple(strides), offset)


def _reshaped(view: BufferView, shape: Sequence[int]) -> list[int] | None:
    """The strides of a view under another shape, where every axis of that has one."""
    parts = list(merged(tuple(zip(view.shape, view.strides, strict=True))))
    strides: list[int] = []
    for size in reversed(shape):
        if size == 1:
            strides.append(0)
            continue
        if not parts:
            return None
        have, step = parts.pop()
        if have % size:
            return None
        strides.append(step)
        if have > size:
            parts.append((have // size, step * size))
    return None if parts else strides[::-1]


def merged(parts: Axis) -> Axis:
    """The parts without those of one entry, and those that follow one another in memory as one."""
    found: list[Part] = []
    for size, step in parts:
        if size == 1:
            continue
        if found and found[-1][1] == size * step:
            found[-1] = (found[-1][0] * size, step)
        else:
            found.append((size, step))
    return tuple(found)
