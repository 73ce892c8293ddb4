"""Values made of parts, each stored to a region of one buffer: joins, padding, in-place stores, scattered sums."""

from __future__ import annotations

from ...graph.node import Node
from ...ops import creation
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.index_algebra import NeedSplit, NotAffine, domain_of, squeezed
from .groups import Group, GroupRoot, Schedule, add_root, given_places, note, temporary
from .hazards import protect, safe_source, store_goes_in_place
from .loop_nest import buffers_read, evaluate_group


def _home(schedule: Schedule, node: Node) -> BufferView:
    views = schedule.targets.get(node)
    return views[0] if views else temporary(schedule, node.type)


def realise_cat(schedule: Schedule, node: Node) -> None:
    """Store each operand of a `cat` in its part of the result."""
    home = _home(schedule, node)
    axis = node.attr("axis")
    assert isinstance(axis, int)
    at = 0
    for part in node.inputs:
        starts = tuple(at if k == axis else 0 for k in range(node.type.rank))
        region = home.region(starts, part.shape, (1,) * node.type.rank)
        add_root(schedule, GroupRoot(part, (region,), disjoint=True))
        at += part.shape[axis]
    schedule.places[node] = home


def realise_pad(schedule: Schedule, node: Node) -> None:
    """Fill the result, then store the operand in its middle."""
    home = _home(schedule, node)
    fill_with(schedule, home, node, node.attr("value"))
    before = node.attr("before")
    assert isinstance(before, tuple)
    operand = node.inputs[0]
    add_root(schedule, GroupRoot(operand, (home.region(before, operand.shape, (1,) * node.type.rank),)))
    schedule.places[node] = home


def fill_with(schedule: Schedule, view: BufferView, node: Node, value: object) -> None:
    """Store one constant all over `view`."""
    attrs = (("dtype", node.type.dtype), ("shape", node.shape), ("value", value))
    add_root(schedule, GroupRoot(Node(creation.FULL, (), node.type, attrs), (view,)))


def realise_store(schedule: Schedule, node: Node) -> None:
    """Store a region into its base: in place where nobody misses what was there, else into a copy."""
    base, value = node.inputs
    if value.type.size == 0 and base in schedule.places:
        schedule.places[node] = _copied(schedule, node, base)
        return
    starts, sizes, steps = (node.attr(name) for name in ("starts", "sizes", "steps"))
    if store_goes_in_place(schedule, node, base):
        home = schedule.places[base]
        region = home.region(starts, sizes, steps)  # type: ignore[arg-type]
        source = safe_source(schedule, value, region)
        protect(schedule, home.buffer)
    else:
        home = _copied(schedule, node, base)
        region = home.region(starts, sizes, steps)  # type: ignore[arg-type]
        source = None
    add_root(schedule, GroupRoot(value, (region,), source=source), own_group=home.buffer.place == "input")
    schedule.places[node] = home


def _copied(schedule: Schedule, node: Node, base: Node) -> BufferView:
    home = _home(schedule, node)
    add_root(schedule, GroupRoot(base, (home,)))
    return home


def realise_scatter(schedule: Schedule, node: Node) -> None:
    """Copy the base, then combine the values with it, one index after the other."""
    base, indices, values = node.inputs
    home = _copied(schedule, node, base)
    schedule.places[node] = home
    if values.type.size:
        scatter_over(schedule, node, home, indices, values)


def scatter_over(schedule: Schedule, node: Node, home: BufferView, indices: Node, values: Node) -> None:
    """Combine the values with what is at `home`, one index after the other."""
    axis = node.attr("axis")
    assert isinstance(axis, int)
    place_of_axis = sum(size != 1 for size in values.shape[:axis])
    group = Group("scatter", squeezed(values.shape), (), domain_of(values.shape), len(schedule.steps))
    group.operands, group.scatter, group.scatter_axis = (home,), (node, indices, values), place_of_axis
    read = _with_refined_domain(schedule, group)
    schedule.steps.append(group)
    note(schedule, group.position, [*read, home.buffer], [home.buffer])


def _with_refined_domain(schedule: Schedule, group: Group) -> set[Buffer]:
    """The buffers that a group of its own loads from, its domain refined so that all it reads has indices there. A
    reshape that none expresses gets a place; indices and values may want splits that exclude each other."""
    from .schedule import realise_reshape

    while True:
        group.position, group.horizon = len(schedule.steps), len(schedule.places)
        try:
            return buffers_read(evaluate_group(group, group.domain, given_places(schedule)))
        except NeedSplit as need:
            group.domain.split(need.var, need.size)
        except NotAffine as found:
            assert isinstance(found.node, Node)
            realise_reshape(schedule, found.node)
            group.domain = domain_of(group.scatter[2].shape)
