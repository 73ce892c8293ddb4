"""The memory of operands and results of steps that have a place of their own in the order of execution."""

from __future__ import annotations

from ...core.types import TensorType, contiguous_strides
from ...graph.node import Node
from ...ops.registry import Pointwise
from ..evaluate.buffers import BufferView
from .groups import GroupRoot, Schedule, add_root, temporary
from .matmul import as_view


def store_value(schedule: Schedule, node: Node) -> BufferView:
    """The memory of `node`, which is computed and stored now if it was not."""
    from .schedule import realise

    return realise(schedule, node)


def results_by_index(schedule: Schedule, node: Node) -> dict[int, Node]:
    """The nodes that stand for what a step gives, by index."""
    users = [schedule.nodes[k] for k in schedule.users[node] if k < len(schedule.nodes)]
    return {int(user.attr("index")): user for user in users}  # type: ignore[call-overload]


def operand_view(schedule: Schedule, operand: Node) -> BufferView:
    """The memory of a step's operand, under whatever strides. What lies nowhere yet is computed and stored now."""
    if operand in schedule.places:
        return schedule.places[operand]
    if operand.type.size == 0:
        return temporary(schedule, operand.type)
    view = None if isinstance(operand.op.lower, Pointwise) else as_view(schedule, operand)
    return store_value(schedule, operand) if view is None else view


def home_of(schedule: Schedule, result: Node | None, type: TensorType) -> BufferView:
    """The place of a result of a body, row by row."""
    strides = contiguous_strides(type.shape)
    views = schedule.targets.get(result, []) if result is not None else []
    view = next((each for each in views if each.strides == strides), None) or temporary(schedule, type)
    if result is not None:
        schedule.places[result] = view
    return view


def dense_operand(schedule: Schedule, operand: Node) -> BufferView:
    """The memory of an operand that lies row by row; a copy of one that does not."""
    view = operand_view(schedule, operand)
    strides = contiguous_strides(operand.shape)
    if all(n == 1 or a == b for n, a, b in zip(view.shape, view.strides, strides, strict=True)):
        return BufferView(view.buffer, view.shape, strides, view.offset)
    copy = temporary(schedule, operand.type)
    add_root(schedule, GroupRoot(operand, (copy,)))
    return copy
