"""Regions in a schedule: each is a step of its own, whose kernel the frontend wrote."""

from __future__ import annotations

from ...core.types import TensorType
from ...graph.node import Node
from ..evaluate.buffers import BufferView
from ..evaluate.index_algebra import domain_of
from .groups import Group, GroupRoot, Schedule, add_root, note, temporary
from .hazards import protect, store_goes_in_place


def realise_region(schedule: Schedule, node: Node) -> None:
    """The step that runs a region. Memory that it writes and others still need is copied first."""
    written, dtypes = node.attr("written"), node.attr("results")
    assert isinstance(written, tuple) and isinstance(dtypes, tuple)
    results = _results(schedule, node)
    views: dict[int, BufferView] = {}
    for number, operand in enumerate(node.inputs):
        if number not in written:
            views[number] = _read(schedule, operand)
    for place, number in enumerate(written):
        views[number] = _written(schedule, node.inputs[number], results.get(place), list(views.values()))
        if place in results:
            schedule.places[results[place]] = views[number]
    numbers = []
    for place, dtype in enumerate(dtypes, len(written)):
        result = results.get(place)
        view = temporary(schedule, TensorType((), dtype)) if result is None else _home(schedule, result)
        if result is not None:
            schedule.places[result] = view
        numbers.append(view)
    group = Group("region", (), (), domain_of(()), len(schedule.groups))
    group.operands = (*(views[number] for number in range(len(node.inputs))), *numbers)
    group.program, group.sizes = node.attr("program"), node.attr("sizes")
    schedule.groups.append(group)
    changed = [views[number].buffer for number in written] + [view.buffer for view in numbers]
    note(schedule, group.position, [view.buffer for view in group.operands], changed)


def _results(schedule: Schedule, node: Node) -> dict[int, Node]:
    """The nodes that stand for the region's results, by index; results of one index are one after the passes."""
    users = [schedule.nodes[k] for k in schedule.users[node] if k < len(schedule.nodes)]
    return {int(user.attr("index")): user for user in users}  # type: ignore[call-overload]


def _home(schedule: Schedule, node: Node) -> BufferView:
    views = schedule.targets.get(node)
    return views[0] if views else temporary(schedule, node.type)


def _read(schedule: Schedule, operand: Node) -> BufferView:
    from .schedule import realise

    if operand.type.size == 0 and operand not in schedule.places:
        return temporary(schedule, operand.type)
    return realise(schedule, operand)


def _written(schedule: Schedule, base: Node, result: Node | None, others: list[BufferView]) -> BufferView:
    """The memory of an operand that the region changes: its own where nobody misses what was there, else a copy."""
    if result is not None and store_goes_in_place(schedule, result, base):
        home = schedule.places[base]
        if not any(schedule.alias(home.buffer, other.buffer) for other in others):
            protect(schedule, home.buffer)
            return home
    home = temporary(schedule, base.type) if result is None else _home(schedule, result)
    add_root(schedule, GroupRoot(base, (home,)))
    return home
