"""A group evaluated: its items in the segments and inner loops of one loop nest, before loops are ordered and
merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from math import prod

from ...core import dtypes
from ...core.records import dataclass
from ...graph.node import Node
from ...loop_ir.ir import SEARCHED
from ...loop_ir.reductions import better_text, identity, step
from ...ops.indexing import SCATTER
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.expressions import Conflict, Evaluator, IndexItem, Item, KernelValue, LoadItem, Local, Place, StoreItem
from ..evaluate.index_algebra import Affine, Domain, NeedSplit, Var
from .groups import GivenPlaces, Group, GroupRoot, canonical, evaluate_root, nothing_local


@dataclass(frozen=True, slots=True)
class ReductionItem:
    """A reduction of `value` over an inner loop; `result` is its let. `position` is the let of the index along the
    axis."""

    result: KernelValue
    combine: str
    value: KernelValue
    position: str = ""


@dataclass(slots=True)
class Phase:
    """Items of the kept loops, then one inner loop over the others (or none), then the stores of its results."""

    kept: list[Item] = field(default_factory=list)
    inner: list[Item] = field(default_factory=list)
    reductions: list[ReductionItem] = field(default_factory=list)
    after: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Nest:
    """`kept` and `reduced` are the loop variables of the two levels; a "map" has only the first."""

    kind: str
    kept: list[Var]
    reduced: list[Var]
    phases: list[Phase]
    indices: dict[Var, frozenset[Var]]
    starts: list[tuple[BufferView, Affine, bool | int | float]] = field(default_factory=list)
    """The statements of a "column" nest that are stored before the first row."""
    evaluated: list[tuple[Node, int, bool]] = field(default_factory=list)
    """(virtual node, inner loop, whether in the innermost loop), once for each time it is computed."""

    @property
    def size(self) -> int:
        return prod(var.extent for var in (*self.kept, *self.reduced))


def evaluate_group(group: Group, domain: Domain, places: GivenPlaces) -> Nest:
    """The items of all roots of `group`. Errors: NeedSplit, NotAffine, Conflict when they do not fit together."""
    kept = [var for var in domain.variables if var.dim not in group.axes]
    reduced = [var for var in domain.variables if var.dim in group.axes]
    nest = Nest(group.kind, kept, reduced, [], {})
    match group.kind:
        case "scatter":
            _scatter(group, domain, places, nest)
        case "column":
            _column(group, domain, places, nest)
        case _:
            _row(group, domain, places, nest)
    return nest


def evaluated(group: Group, places: GivenPlaces) -> Nest:
    """The nest of `group`, over its domain refined as far as its roots need. It is kept until the group changes."""
    while group.nest is None:
        try:
            group.nest = evaluate_group(group, group.domain, places)
        except NeedSplit as need:
            group.domain.split(need.var, need.size)
    return group.nest


def inner_loops_of(group: Group) -> dict[GroupRoot, int]:
    """The inner loop that computes each full root; for a kept one, how many inner loops come before it."""
    inner_loops: dict[GroupRoot, int] = {}
    for root in group.roots:  # a root needs only roots that were there before it
        inner_loops[root] = max((inner_loops[need] + bool(need.combine) for need in root.needs), default=0)
    return inner_loops


def _row(group: Group, domain: Domain, places: GivenPlaces, nest: Nest) -> None:
    kept = frozenset(nest.kept)
    made: dict[Node, GroupRoot] = {}  # filled as roots are evaluated: one that comes later is still virtual
    evaluator = Evaluator(places, nothing_local)
    nest.indices = evaluator.indices
    inner_loops = inner_loops_of(group)
    for inner_loop in range(max(inner_loops.values(), default=0) + 1):
        phase = Phase()
        nest.phases.append(phase)
        for root in group.roots:
            if inner_loops[root] == inner_loop and root.level == "kept":
                evaluator.local = _stored_before(root, group, domain, made, evaluator)
                _evaluate(evaluator, group, root, domain, places, phase.kept)
        now = [root for root in group.roots if inner_loops[root] == inner_loop and root.level == "full"]
        items: list[Item] = []
        seen = len(evaluator.evaluated)
        for root in now:
            evaluator.local = _stored_before(root, group, domain, made, evaluator)
            if root.combine:
                _reduction(evaluator, root, domain, places, phase, items, kept)
            else:
                _evaluate(evaluator, group, root, domain, places, items)
        for item in items:
            is_inside = bool(group.axes) and (not item.value.vars <= kept or isinstance(item, StoreItem))
            (phase.inner if is_inside else phase.kept).append(item)
        inner = frozenset(nest.reduced or nest.kept[-1:])
        nest.evaluated += [(node, inner_loop, bool(found & inner)) for node, found in evaluator.evaluated[seen:]]
        if group.axes:
            evaluator.forget(kept)
        reductions = [root for root in now if root.combine]
        for root, reduction in zip(reductions, phase.reductions, strict=True):
            _finish_reduction(evaluator, group, root, domain, reduction.result, phase)
        made.update(
            (root.defines, root) for root in group.roots if inner_loops[root] == inner_loop and root.defines is not None
        )


def _stored_before(
    reader: GroupRoot, group: Group, domain: Domain, made: Mapping[Node, GroupRoot], evaluator: Evaluator
) -> Local:
    """A function that finds the values that earlier inner loops have stored, as far as `reader` may know of them.

    A root that joined the group after `reader` may be done in an earlier inner loop. `reader` was tried without it, so
    it computes that value itself.
    """
    earlier = frozenset(group.roots[: group.roots.index(reader)])

    def local(node: Node, place: Place) -> KernelValue | None:
        root = made.get(node)
        if root is None or root not in earlier:
            return None
        if place != canonical(group, root, domain) or (root.combine and group.kind != "column"):
            raise Conflict
        return evaluator.load(root.targets[0], place)

    return local


def _evaluate(
    evaluator: Evaluator, group: Group, root: GroupRoot, domain: Domain, places: GivenPlaces, items: list[Item]
) -> None:
    """The items of a root that is stored, appended to `items`."""
    evaluator.places = places.before(root.horizon)
    place = canonical(group, root, domain)
    value = evaluate_root(evaluator, root, place)
    items += evaluator.items
    evaluator.items = []
    items += [StoreItem(value, view.buffer, view.at(place)) for view in root.targets]
    if root.defines is not None:
        evaluator.define(root.defines, place, value)


def _reduction(
    evaluator: Evaluator,
    root: GroupRoot,
    domain: Domain,
    places: GivenPlaces,
    phase: Phase,
    items: list[Item],
    kept: frozenset[Var],
) -> None:
    """The items of what a root reduces, appended to `items`, and its reduction."""
    evaluator.places = places.before(root.horizon)
    place = domain.of_shape(root.shape)
    value = evaluate_root(evaluator, root, place)
    position = ""
    if root.combine in SEARCHED:
        along = evaluator.new(dtypes.int64, frozenset(var for var, _ in domain.index[root.axes[0]].terms))
        evaluator.items.append(IndexItem(along, domain.index[root.axes[0]]))
        position = along.name
    items += evaluator.items
    evaluator.items = []
    assert root.defines is not None
    evaluator.fresh += 1
    result = KernelValue(f"r{evaluator.fresh - 1}", root.defines.type.dtype, kept)
    phase.reductions.append(ReductionItem(result, root.combine, value, position))


def _finish_reduction(
    evaluator: Evaluator, group: Group, root: GroupRoot, domain: Domain, result: KernelValue, phase: Phase
) -> None:
    """From here on the reduction's result is a register of the kept level."""
    assert root.defines is not None
    place = canonical(group, root, domain)
    evaluator.define(root.defines, place, result)
    phase.after += [StoreItem(result, view.buffer, view.at(place)) for view in root.targets]


def _column(group: Group, domain: Domain, places: GivenPlaces, nest: Nest) -> None:
    """Phase 0 accumulates in memory; phase 1 is what follows, column by column."""
    made: dict[Node, GroupRoot] = {}  # filled as roots are evaluated: one that comes later is still virtual
    evaluator = Evaluator(places, nothing_local)
    nest.indices = evaluator.indices
    body, after = Phase(), Phase()
    nest.phases = [body, after]
    for root in group.roots:
        if root.level != "full":
            continue
        if not root.combine:
            _evaluate(evaluator, group, root, domain, places, body.inner)
            continue
        evaluator.places = places.before(root.horizon)
        value = evaluate_root(evaluator, root, domain.of_shape(root.shape))
        body.inner += evaluator.items
        evaluator.items = []
        body.inner += _accumulation(evaluator, group, root, value, domain, nest)
        evaluator.items = []
    nest.evaluated = [(node, 0, True) for node, _ in evaluator.evaluated]
    evaluator.forget(frozenset())
    made.update((root.defines, root) for root in group.roots if root.level == "full" and root.defines is not None)
    for root in group.roots:
        place = canonical(group, root, domain)
        if root.level == "kept":
            evaluator.local = _stored_before(root, group, domain, made, evaluator)
            _evaluate(evaluator, group, root, domain, places, after.kept)
        elif root.combine and len(root.targets) > 1:
            value = evaluator.load(root.targets[0], place)
            after.kept += evaluator.items
            evaluator.items = []
            after.kept += [StoreItem(value, view.buffer, view.at(place)) for view in root.targets[1:]]


def _accumulation(
    evaluator: Evaluator, group: Group, root: GroupRoot, value: KernelValue, domain: Domain, nest: Nest
) -> list[Item]:
    """The items that reduce `value` into memory, column by column."""
    place, view = canonical(group, root, domain), root.targets[0]
    if root.scratch is None:
        nest.starts.append((view, view.at(place), identity(root.combine, view.buffer.dtype)))
        return [StoreItem(value, view.buffer, view.at(place), root.combine)]
    kept = root.scratch
    nest.starts.append((kept, kept.at(place), identity(root.combine, value.dtype)))
    nest.starts.append((view, view.at(place), 0))
    row = domain.index[root.axes[0]]
    along = evaluator.new(dtypes.int64, evaluator.vars_of(row))
    evaluator.items.append(IndexItem(along, row))
    best, index = evaluator.load(kept, place), evaluator.load(view, place)
    better = evaluator.apply(better_text(root.combine, value.dtype, "{0}", "{1}"), (value, best), dtypes.bool_)
    stores = [
        StoreItem(
            evaluator.apply("({1} if {0} else {2})", (better, new, old), old.dtype), where.buffer, where.at(place)
        )
        for new, old, where in ((value, best, kept), (along, index, view))
    ]
    return [*evaluator.items, *stores]


def _scatter(group: Group, domain: Domain, places: GivenPlaces, nest: Nest) -> None:
    node, indices, values = group.scatter
    view: BufferView = group.operands[0]
    evaluator = Evaluator(places.before(group.horizon), lambda node, place: None)
    nest.indices = evaluator.indices
    axis = node.attr("axis")
    assert isinstance(axis, int)
    place = domain.of_shape(values.shape)
    index = evaluator.checked(evaluator.value(indices, (place[axis],)), view.shape[axis])
    phase = Phase()
    nest.phases = [phase]
    if index is not None:
        value = evaluator.value(values, place)
        where = (*place[:axis], index, *place[axis + 1 :])
        stored = _scattered(evaluator, node, view, where, value)
        evaluator.items.append(StoreItem(stored, view.buffer, view.at(where)))
    phase.kept += evaluator.items
    first = [var for var in nest.kept if place[axis].coefficient(var)]
    nest.kept = first + [var for var in nest.kept if var not in first]


def _scattered(evaluator: Evaluator, node: Node, view: BufferView, where: Place, value: KernelValue) -> KernelValue:
    """The value at `where` after `value` went there."""
    if node.op is SCATTER:
        return value
    dtype = view.buffer.dtype
    combine = node.kwargs.get("combine", "sum")
    assert isinstance(combine, str)
    # Floats are added and multiplied in the order in which they come.
    in_order = {"sum": "({0} + {1})", "prod": "({0} * {1})"} if dtype.is_float or combine == "sum" else {}
    text = in_order.get(combine) or step(combine, dtype, "{0}", "{1}")
    return evaluator.apply(text, (evaluator.load(view, where), value), dtype, dtype.is_integer and combine == "sum")


def buffers_read(nest: Nest) -> set[Buffer]:
    """The memory that a nest loads from."""
    return {item.buffer for item in items_of(nest) if isinstance(item, LoadItem)}


def items_of(nest: Nest) -> list[Item]:
    """Every item, in order."""
    return [item for phase in nest.phases for part in (phase.kept, phase.inner, phase.after) for item in part]
