"""Regions in a schedule: each is a step of its own, whose kernel the frontend wrote."""

from __future__ import annotations

from ...core.records import dataclass
from ...core.types import TensorType
from ...graph.node import Node
from ...ops.regions import REGION, REGION_RESULT
from ..evaluate.buffers import Buffer, BufferView
from .calls import ScheduledStep, realises
from .groups import GivenPlaces, GroupRoot, Schedule, add_root, add_step, temporary
from .hazards import protect, store_goes_in_place
from .operands import results_by_index, store_value


@dataclass(frozen=True, slots=True, eq=False)
class RegionKernel(ScheduledStep):
    """A kernel that the frontend wrote. program, sizes: it and its sizes, as the region's node has them."""

    operands: tuple[BufferView, ...]
    program: object
    sizes: object

    def loads(self, places: GivenPlaces) -> set[Buffer]:
        return {view.buffer for view in self.operands}


@realises(REGION, REGION_RESULT)
def realise_region(schedule: Schedule, node: Node) -> None:
    """The step that runs a region. Memory that it writes and others still need is copied first."""
    written, dtypes = node.attr("written"), node.attr("results")
    assert isinstance(written, tuple) and isinstance(dtypes, tuple)
    results = results_by_index(schedule, node)
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
    operands = (*(views[number] for number in range(len(node.inputs))), *numbers)
    changed = [views[number].buffer for number in written] + [view.buffer for view in numbers]
    region = RegionKernel(operands, node.attr("program"), node.attr("sizes"))
    add_step(schedule, region, [view.buffer for view in operands], changed)


def _home(schedule: Schedule, node: Node) -> BufferView:
    views = schedule.targets.get(node)
    return views[0] if views else temporary(schedule, node.type)


def _read(schedule: Schedule, operand: Node) -> BufferView:
    if operand.type.size == 0 and operand not in schedule.places:
        return temporary(schedule, operand.type)
    return store_value(schedule, operand)


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
