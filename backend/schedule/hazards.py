"""Stores over memory that others read: when they are allowed, and what has to be saved first.

# Note [Stores in place]
A graph is pure; memory is not. A store may overwrite the memory of its base when (1) nobody needs the base afterwards,
as itself or through another name for its memory, (2) every virtual value that reads that memory and is needed later
has been realised, and (3) the stored value reads that memory at the very element it overwrites, or has been realised.
Inputs that may share memory count as one. Memory of an input is overwritten only if the graph writes it at its end,
and never while a kernel with a side exit may still run.

Stores of which the last is an output all happen in the output's memory: `share_homes` says so before any is realised.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from ...core.types import TensorType
from ...graph.node import Node
from ...ops.call_outs import CALL_OUT
from ...ops.conds import COND
from ...ops.loops import LOOP
from ...ops.regions import REGION, REGION_RESULT
from ...ops.registry import Indexed
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.index_algebra import Affine
from .calls import REALISED
from .groups import GroupRoot, Schedule, add_root, alone, temporary

STEPS = (REGION, CALL_OUT, LOOP, COND)
"""Done where they are met, never later."""


def has_side_exits(schedule: Schedule) -> bool:
    """Whether any kernel of the graph may end with a status."""
    return any(map(may_fail, schedule.nodes))


def may_fail(node: Node) -> bool:
    """Whether a kernel that evaluates a node may end with a status."""
    if node.op.name == "region":
        return bool(node.attr("leaves"))
    if node.op.name == "call_out":
        return True
    return node.op.may_raise and (isinstance(node.op.lower, Indexed) or node.type.dtype.kind == "i")


def may_leave(schedule: Schedule, node: Node, memo: dict[Node, bool]) -> bool:
    """Whether a kernel that evaluates `node` now may end with a status."""
    return _virtual_has(schedule, node, may_fail, lambda view: False, memo)


def store_goes_in_place(schedule: Schedule, node: Node, base: Node) -> bool:
    """Whether a store may overwrite the memory of its base. See Note [Stores in place]."""
    place = schedule.places.get(base)
    if place is None or schedule.targets.get(node, []) != ([place] if place.buffer.place == "output" else []):
        return False
    if place.buffer.place == "input" and not _input_may_change(schedule, place.buffer):
        return False
    for other, view in schedule.places.items():
        if schedule.alias(view.buffer, place.buffer) and any(k > schedule.now for k in schedule.users.get(other, ())):
            return False
    return True


def share_homes(schedule: Schedule) -> None:
    """Give a store that only another store reads the output that the other one goes to."""
    for node in reversed(schedule.nodes):
        views, base = schedule.targets.get(node, []), _base_of(node)
        if len(views) == 1 and base is not None and base not in schedule.targets and _base_of(base) is not None:
            if len(schedule.users[base]) == 1:
                schedule.targets[base] = views


def _base_of(node: Node) -> Node | None:
    """The value of which a store, or a region's result, changes a part; None for other operations."""
    if node.op.name == "slice_store":
        return node.inputs[0]
    if node.op is not REGION_RESULT:
        return None
    region, number = node.inputs[0], node.attr("index")
    written = region.attr("written")
    assert isinstance(written, tuple) and isinstance(number, int)
    return region.inputs[written[number]] if number < len(written) else None


def _input_may_change(schedule: Schedule, buffer: Buffer) -> bool:
    targets = [schedule.places[write.target].buffer for write in schedule.graph.writes]
    if targets.count(buffer) != 1 or has_side_exits(schedule):
        return False
    return not any(other is not buffer and schedule.alias(other, buffer) for other in targets)


def protect(schedule: Schedule, buffer: Buffer) -> None:
    """Realise every virtual value that reads `buffer` and is needed after the present position."""
    from .schedule import realise

    memo: dict[Node, bool] = {}
    for node in schedule.nodes[: schedule.now]:
        later = any(k > schedule.now for k in schedule.users[node])
        virtual = node not in schedule.places and node.op not in STEPS and node.op.name not in REALISED
        if later and virtual and reads_memory(schedule, node, buffer, memo):
            realise(schedule, node)


def reads_memory(schedule: Schedule, node: Node, buffer: Buffer, memo: dict[Node, bool]) -> bool:
    """Whether evaluating `node` now may read the memory of `buffer`."""
    return _virtual_has(schedule, node, lambda each: False, lambda view: schedule.alias(view.buffer, buffer), memo)


def reads_any(schedule: Schedule, node: Node, buffers: Collection[Buffer], memo: dict[Node, bool]) -> bool:
    """Whether evaluating `node` now may read the memory of one of `buffers`."""

    def met(view: BufferView) -> bool:
        others = schedule.aliases.get(view.buffer, ())
        return view.buffer in buffers or any(other in buffers for other in others)

    return _virtual_has(schedule, node, lambda each: False, met, memo)


def _virtual_has(
    schedule: Schedule,
    node: Node,
    computed: Callable[[Node], bool],
    stored: Callable[[BufferView], bool],
    memo: dict[Node, bool],
) -> bool:
    """Whether, of what evaluating `node` now takes, some node to compute or some memory to read is of that kind."""
    pending = [node]
    while pending:
        each = pending[-1]
        if each in memo:
            pending.pop()
        elif each in schedule.places:
            memo[each] = stored(schedule.places[each])
        elif computed(each):
            memo[each] = True
        else:
            unknown = [operand for operand in each.inputs if operand not in memo]
            if unknown:
                pending.extend(unknown)
            else:
                memo[each] = any(memo[operand] for operand in each.inputs)
    return memo[node]


def safe_source(schedule: Schedule, value: Node, region: BufferView) -> BufferView | None:
    """A saved copy of `value` when storing it to `region` would overwrite what it still has to read; else None."""
    root = GroupRoot(value, (region,))
    evaluator, domain = alone(schedule, root)
    own = region.at(domain.of_shape(value.shape))
    if all(_same_element(schedule, buffer, place, region, own) for buffer, place in evaluator.read):
        return None
    return saved(schedule, value)


def _same_element(schedule: Schedule, buffer: Buffer, place: Affine, region: BufferView, own: Affine) -> bool:
    return not schedule.alias(buffer, region.buffer) or (buffer is region.buffer and place == own)


def saved(schedule: Schedule, value: Node) -> BufferView:
    """A copy of `value` in an intermediate of its own."""
    copy = temporary(schedule, TensorType(value.shape, value.type.dtype))
    add_root(schedule, GroupRoot(value, (copy,), value if value not in schedule.places else None))
    schedule.places.setdefault(value, copy)
    return copy
