"""Values that are scattered over the memory of an input, in place: the time that takes goes by their number."""

# Note [Scattered values in place]
# The graph ends with a write of `scatter_add(x, indices, values)` over `x` itself, or of another op that scatters, and
# nobody else reads its result. Then no copy of `x` is needed: the values go where they belong once everything else is
# done, the other writes included, so nobody reads what `x` was any more. What goes there, and where, is stored before
# the first write. There the indices are checked as well, all of them: the kernel does not leave in the midst.

from __future__ import annotations

from ...core.devices import CPU
from ...graph.node import Node, Write
from ...ops.checks import CHECKED_INDEX
from ...ops.creation import FULL
from ...ops.indexing import SCATTER, SCATTER_ADD, SCATTER_REDUCE
from ...ops.pointwise import ADD, LESS, WHERE
from .groups import Schedule
from .hazards import saved
from .joins import scatter_over

_SCATTERING = (SCATTER, SCATTER_ADD, SCATTER_REDUCE)


def scatters_in_place(schedule: Schedule, node: Node) -> bool:
    """Whether what is scattered waits for the end. See Note [Scattered values in place]."""
    return _write_of(schedule, node) is not None


def _write_of(schedule: Schedule, node: Node) -> Write | None:
    """The write of scattered values that may be made in place."""
    if node.op not in _SCATTERING or node in schedule.targets or len(schedule.users[node]) != 1:
        return None
    base, _, values = node.inputs
    write = next((each for each in schedule.graph.writes if each.value is node), None)
    if write is None or write.target is not base or not values.type.size or base.type.device != CPU:
        return None
    own = schedule.places[base].buffer
    for other in schedule.graph.writes:
        buffer = schedule.places[other.target].buffer
        if other is not write and (buffer is own or schedule.alias(buffer, own)):
            return None
    return write


def store_scattered(schedule: Schedule, sums: list[Node]) -> list[tuple[Node, Node, Node]]:
    """For each scattering node, itself with the checked indices and the values, all of which have a place now."""
    found = []
    for node in sums:
        base, indices, values = node.inputs
        axis = node.attr("axis")
        assert isinstance(axis, int)
        checked = _checked(indices, base.shape[axis])
        for each in (checked, values):
            place = schedule.places.get(each)
            if place is None or place.buffer.place == "input":
                saved(schedule, each)
        found.append((node, checked, values))
    return found


def _checked(indices: Node, size: int) -> Node:
    """The indices counted from the front, after all of them were checked."""
    type_ = indices.type
    zero, extent = (
        Node(FULL, (), type_, (("dtype", type_.dtype), ("shape", type_.shape), ("value", value))) for value in (0, size)
    )
    negative = Node(LESS, (indices, zero), LESS.meta(type_, type_))
    counted = Node(WHERE, (negative, Node(ADD, (indices, extent), type_), indices), type_)
    return Node(CHECKED_INDEX, (counted,), type_, (("ignore", None), ("size", size)))


def scatter_in_place(schedule: Schedule, node: Node, indices: Node, values: Node) -> None:
    """Scatter the values over the memory of the input."""
    scatter_over(schedule, node, schedule.places[node.inputs[0]], indices, values)
