"""Call-outs in a schedule: each is a step of its own, in which NumPy is called."""

from __future__ import annotations

from ...graph.node import Node
from ...ops.call_outs import leaf_type, leaves
from ..evaluate.buffers import BufferView
from ..evaluate.index_algebra import domain_of
from .groups import Group, Schedule, note, temporary
from .matmul import as_view


def realise_call_out(schedule: Schedule, node: Node) -> None:
    """The step that calls out. Its operands are read where they lie, under whatever strides."""
    operands = [operand_view(schedule, each) for each in node.inputs]
    results = results_by_index(schedule, node)
    homes = []
    for index, form in enumerate(leaves(node.attr("results"))):  # type: ignore[arg-type]
        user = results.get(index)
        views = schedule.targets.get(user, []) if user is not None else []
        view = views[0] if views else temporary(schedule, leaf_type(form))
        if user is not None:
            schedule.places[user] = view
        homes.append(view)
    group = Group("call_out", (), (), domain_of(()), len(schedule.groups))
    group.operands = (*operands, *homes)
    group.program = node
    schedule.groups.append(group)
    note(schedule, group.position, [view.buffer for view in operands], [view.buffer for view in homes])


def results_by_index(schedule: Schedule, node: Node) -> dict[int, Node]:
    """The nodes that stand for what a step gives, by index."""
    users = [schedule.nodes[k] for k in schedule.users[node] if k < len(schedule.nodes)]
    return {int(user.attr("index")): user for user in users}  # type: ignore[call-overload]


def operand_view(schedule: Schedule, operand: Node) -> BufferView:
    """The memory of a step's operand, under whatever strides."""
    from .schedule import realise

    if operand in schedule.places:
        return schedule.places[operand]
    if operand.type.size == 0:
        return temporary(schedule, operand.type)
    view = as_view(schedule, operand)
    return realise(schedule, operand) if view is None else view
