"""Arithmetic over many arrays at once: one kernel, run for each row of a table of addresses.

    P = join(p0, p1, …)    G = join(g0, g1, …)    S = spread(scale, sizes)
    Q = P - S * G                                                            no vector P, G, S or Q is ever made:
    write p0 = segment(Q, 0), write p1 = segment(Q, n0), …                   row k: pk[i] = pk[i] - scale[k] * gk[i]

# Note [Tables]
A vector of segments is *flat*: a join, a spread, and what is computed from them element by element. Flat values stay
virtual as long as only segments read them that do nothing but go to writes and outputs (*sinks*). Those are stored at
the end, all of one segmentation together. A flat value that somebody else reads is stored as a vector. Rows of single
elements (step counts) do not pay: there joins are copied to vectors, computed as such, and the segments copied out.

A row reads and writes each memory at one index only, so it may overwrite what it reads. But the memory that a row
writes must not be read by any other row, nor by anything later: else the vector is stored first, then copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from ..core.types import TensorType, contiguous_strides
from ..graph.node import Node
from ..ops.registry import PLACEHOLDER, Pointwise
from ..ops.segments import JOIN, SEGMENT, SPREAD
from .lowering_expressions import Evaluator
from .lowering_index import domain_of
from .memory import Buffer, View
from .schedule_groups import (
    MOST_BUFFERS,
    MOST_ITEMS,
    Group,
    Root,
    Schedule,
    Segments,
    Table,
    TableRoot,
    add_root,
    note,
    temporary,
)

SMALL_ROW = 2
"""Mean elements of a row below which arithmetic goes faster over a vector, copies included."""
DEAR_SCALAR = 8.0
"""Cost, in additions, from which a scalar is computed once and not for each row."""


# -- what is flat ------------------------------------------------------------------------------------------------------
def find_flat(schedule: Schedule) -> None:
    """Enter the flat nodes of the graph, the sinks, and the flat nodes that others read as vectors."""
    known: dict[tuple[int, ...], Segments] = {}
    for node in schedule.nodes:
        found = _segments(schedule, node, known)
        if found is not None and node.type.size:
            schedule.flat[node] = found
    nodes = schedule.nodes
    for node, segments in schedule.flat.items():
        read = node in schedule.targets
        for position in schedule.users[node]:
            user = nodes[position] if position < len(nodes) else None
            if user is not None and _is_sink(schedule, user, segments):
                schedule.sinks.add(user)
            elif user is None or schedule.flat.get(user) is not segments or not isinstance(user.op.lower, Pointwise):
                read = True
        if read:
            schedule.read_flat.add(node)


def _segments(schedule: Schedule, node: Node, known: dict[tuple[int, ...], Segments]) -> Segments | None:
    if node.op is JOIN:
        sizes = tuple(each.type.size for each in node.inputs)
    elif node.op is SPREAD:
        sizes = node.attr("sizes")  # type: ignore[assignment]
    elif isinstance(node.op.lower, Pointwise) and node.type.rank == 1:
        found = {id(each): each for operand in node.inputs if (each := schedule.flat.get(operand)) is not None}
        return next(iter(found.values())) if len(found) == 1 else None
    else:
        return None
    if sizes not in known:
        starts = (0, *accumulate(sizes))
        rows = {start: k for k, (start, size) in enumerate(zip(starts, sizes, strict=False)) if size}
        known[sizes] = Segments(sizes, starts, rows, starts[-1] < SMALL_ROW * max(len(rows), 1))
    return known[sizes]


def _is_sink(schedule: Schedule, node: Node, segments: Segments) -> bool:
    """Whether `node` is one whole segment, and goes nowhere but to writes and outputs."""
    if node.op is not SEGMENT or not node.type.size:
        return False
    row = segments.rows.get(node.attr("start"))  # type: ignore[call-overload]
    if row is None or segments.sizes[row] != node.type.size:
        return False
    return all(position >= len(schedule.nodes) for position in schedule.users[node])


def is_table(schedule: Schedule, node: Node) -> bool:
    """Whether `node`, as a vector, is stored by a table."""
    segments = schedule.flat.get(node)
    return segments is not None and (node.op in (JOIN, SPREAD) or not segments.small)


def visit_flat(schedule: Schedule, node: Node, deepest: int) -> bool:
    """Whether the walk over the graph is done with `node`: it is a sink, stays virtual, or has been stored here."""
    if node in schedule.sinks:
        return True
    if not is_table(schedule, node):
        return False
    if node in schedule.read_flat or schedule.flat[node].small or schedule.depth[node] > deepest:
        realise_flat(schedule, node)
        schedule.depth[node] = 0
    return True


def realise_flat(schedule: Schedule, node: Node) -> View:
    """Store a flat value as a vector."""
    if node not in schedule.places:
        views = tuple(schedule.targets.get(node) or (temporary(schedule, node.type),))
        _add_table(schedule, schedule.flat[node], [TableRoot(node, views)])
        schedule.places[node] = views[0]
        schedule.delivered.add(node)
    return schedule.places[node]


# -- the end of the graph ----------------------------------------------------------------------------------------------
@dataclass(slots=True, eq=False)
class _Batch:
    """Sinks of one segmentation: flat values, and where their rows go."""

    segments: Segments
    roots: dict[Node, dict[int, list[View]]] = field(default_factory=dict)

    @property
    def stored(self) -> set[Buffer]:
        """The inputs that the batch overwrites."""
        views = (view for rows in self.roots.values() for views in rows.values() for view in views)
        return {view.buffer for view in views if view.buffer.place == "input"}


@dataclass(slots=True)
class SinkStores:
    """Every sink's stores, to be made at the end of the graph."""

    batches: list[_Batch]

    @property
    def stored(self) -> set[Buffer]:
        """The inputs that they overwrite."""
        return set().union(*(batch.stored for batch in self.batches))


def collect_sinks(schedule: Schedule) -> tuple[SinkStores, set[Node]]:
    """The stores of all sinks that tables can make, and the written values among them.

    The others' vectors are stored now, so that they are segments like any other."""
    batches: dict[int, _Batch] = {}
    taken: set[Node] = set()
    goals: dict[Node, list[View]] = {}
    for write in schedule.graph.writes:
        if write.value in schedule.sinks:
            goals.setdefault(write.value, []).append(schedule.places[write.target])
    for node in schedule.sinks:
        goals.setdefault(node, []).extend(schedule.targets.get(node, ()))
    for node in schedule.nodes:  # in program order
        if node not in goals or node in schedule.places:
            continue
        (source,) = node.inputs
        if any(schedule.aliases.get(view.buffer) for view in goals[node]):
            _realise(schedule, source)
            if node in schedule.targets:
                _realise(schedule, node)
            continue
        segments = schedule.flat[source]
        batch = batches.setdefault(id(segments), _Batch(segments))
        start = node.attr("start")
        assert isinstance(start, int)
        batch.roots.setdefault(source, {}).setdefault(segments.rows[start], []).extend(goals[node])
        taken.add(node)
        schedule.delivered.add(node)
    ordered = sorted(batches.values(), key=lambda batch: batch.segments.small)
    return SinkStores([part for batch in ordered for part in _parts(schedule, batch)]), taken


def _parts(schedule: Schedule, batch: _Batch) -> Iterable[_Batch]:
    """The batch, in as many parts as make kernels of moderate size."""
    leaves = _Leaves(schedule, batch.segments)
    for node in batch.roots:
        leaves.enter(node)
    stores = sum(max(map(len, rows.values())) for rows in batch.roots.values())
    slots = stores + len(leaves.joins) + len(leaves.spreads) + len(leaves.vectors)
    if len(batch.roots) == 1 or (slots <= MOST_BUFFERS and len(leaves.seen) + stores <= MOST_ITEMS):
        return (batch,)
    roots = list(batch.roots.items())
    half = len(roots) // 2
    parts = (_Batch(batch.segments, dict(some)) for some in (roots[:half], roots[half:]))
    return [each for part in parts for each in _parts(schedule, part)]


def _realise(schedule: Schedule, node: Node) -> None:
    from .schedule import realise

    realise(schedule, node)


def prepare_sinks(schedule: Schedule, stores: SinkStores) -> None:
    """Store, before anything is overwritten, the vectors that cannot be computed while it is."""
    from .schedule_hazards import may_leave, reads_any

    leaving: dict[Node, bool] = {}
    for batch in stores.batches:
        for node in batch.roots:
            if node not in schedule.places and (batch.segments.small or may_leave(schedule, node, leaving)):
                _realise(schedule, node)
    stored: set[Buffer] = set()
    for batch in stores.batches:
        memo: dict[Node, bool] = {}
        for node in batch.roots:
            if node not in schedule.places and stored and reads_any(schedule, node, stored, memo):
                _realise(schedule, node)
        stored |= batch.stored


def store_sinks(schedule: Schedule, stores: SinkStores) -> None:
    """The groups that store all sinks."""
    for batch in stores.batches:
        roots = [TableRoot(node, (), rows) for node, rows in batch.roots.items()]
        if not _harmless(schedule, batch.segments, roots):
            for root in roots:
                _realise(schedule, root.node)
        _add_table(schedule, batch.segments, roots)


def _harmless(schedule: Schedule, segments: Segments, roots: list[TableRoot]) -> bool:
    """Whether each memory that is overwritten is read by the row that does so only, at the same element."""
    written: dict[Buffer, tuple[int, View]] = {}
    for root in roots:
        for row, views in root.rows.items():
            for view in views:
                if view.buffer.place == "input":
                    if view.buffer in written:
                        return False
                    written[view.buffer] = row, view
    if not written:
        return True
    leaves = _Leaves(schedule, segments)
    for root in roots:
        leaves.enter(root.node)
    for join in leaves.joins:
        for row, operand in enumerate(join.inputs):
            view = _operand(schedule, operand)
            goal = written.get(view.buffer)
            if goal is not None and not (goal[0] == row and _same_elements(view, goal[1])):
                return False
    others = {view.buffer for view in leaves.vectors.values()} | leaves.uniform
    others |= {buffer for node in leaves.spreads for buffer, _ in _column_of_spread(schedule, node)}
    return others.isdisjoint(written)


# -- one table ---------------------------------------------------------------------------------------------------------
class _Leaves:
    """What flat values read: joins and spreads (of this segmentation), vectors in memory, and scalars."""

    def __init__(self, schedule: Schedule, segments: Segments) -> None:
        self.schedule, self.segments = schedule, segments
        self.joins: dict[Node, None] = {}
        self.spreads: dict[Node, None] = {}
        self.vectors: dict[Node, View] = {}
        self.uniform: set[Buffer] = set()
        self.seen: set[Node] = set()

    def enter(self, root: Node) -> None:
        """Note what `root` reads; what has to be stored before is stored."""
        pending = [root]
        while pending:
            node = pending.pop()
            if node in self.seen:
                continue
            self.seen.add(node)
            if node in self.schedule.places:
                self.vectors[node] = self.schedule.places[node]
            elif self.schedule.flat.get(node) is self.segments:
                if node.op is JOIN:
                    self.joins[node] = None
                elif node.op is SPREAD:
                    self.spreads[node] = None
                else:
                    pending.extend(reversed(node.inputs))
            else:
                self._other(node, pending)

    def _other(self, node: Node, pending: list[Node]) -> None:
        """A vector without segments: the same scalar everywhere, arithmetic on such, or one to be stored."""
        if node.op.name == "full":
            return
        if node.op.name == "expand" and node.inputs[0].type.size == 1:
            self._scalar(node.inputs[0])
        elif isinstance(node.op.lower, Pointwise) and not any(each in self.schedule.flat for each in node.inputs):
            pending.extend(reversed(node.inputs))
        else:
            self.vectors[node] = _operand(self.schedule, node)

    def _scalar(self, node: Node) -> None:
        from .schedule import cost_of

        if node not in self.schedule.places and cost_of(self.schedule, node)[0] >= DEAR_SCALAR:
            _realise(self.schedule, node)
        if node in self.schedule.places:
            self.uniform.add(self.schedule.places[node].buffer)
            return
        evaluator = Evaluator(self.schedule.places, lambda node, place: None)
        evaluator.value(node, domain_of(()).of_shape(node.shape))
        self.uniform |= {buffer for buffer, _ in evaluator.read}


def _add_table(schedule: Schedule, segments: Segments, roots: list[TableRoot]) -> None:
    """Append the group that computes `roots`, after the copies it needs."""
    leaves = _Leaves(schedule, segments)
    for root in roots:
        leaves.enter(root.node)
    dense = bool(leaves.vectors) or any(root.flat for root in roots)
    joined = [[_operand(schedule, operand) for operand in join.inputs] for join in leaves.joins]
    goals = [_goal_columns(segments, root) for root in roots]
    late = _agree(schedule, segments, joined, [column for columns in goals for column in columns], dense)
    table = Table(segments, roots)
    for join, views in zip(leaves.joins, joined, strict=True):
        table.leaves[join] = table.add([(view.buffer, view.offset) for view in views], 1)
    for spread in leaves.spreads:
        table.leaves[spread] = table.add(_column_of_spread(schedule, spread), 0)
    for node, view in leaves.vectors.items():
        table.leaves[node] = table.add(_column_of_vector(segments, view), view.strides[0])
    for root, columns in zip(roots, goals, strict=True):
        for view in root.flat:
            root.stores.append(table.add(_column_of_vector(segments, view), view.strides[0]))
        for goal in columns:
            root.stores.append(table.add([None if each is None else (each.buffer, each.offset) for each in goal], 1))
    table.uniform = leaves.uniform
    _append(schedule, table)
    for made, view in late:
        add_root(schedule, Root(_stand_in(view), (view,), source=made))


def _append(schedule: Schedule, table: Table) -> None:
    group = Group("table", (), (), domain_of(()), len(schedule.groups), horizon=len(schedule.places), table=table)
    schedule.groups.append(group)
    stores = {slot for root in table.roots for slot in root.stores}
    reads = table.buffers(table.leaves.values())
    note(schedule, group.position, [*reads, *table.uniform], list(table.buffers(stores)))


def _operand(schedule: Schedule, node: Node) -> View:
    """Memory that holds a value, stored now if there was none."""
    from .schedule_products import as_view

    if node in schedule.places:
        return schedule.places[node]
    view = None if isinstance(node.op.lower, Pointwise) else as_view(schedule, node)
    if view is None:
        _realise(schedule, node)
        view = schedule.places[node]
    return view


def _column_of_spread(schedule: Schedule, spread: Node) -> list[tuple[Buffer, int]]:
    (vector,) = spread.inputs
    if vector.op is JOIN and vector not in schedule.places and all(each.type.size == 1 for each in vector.inputs):
        views = [_operand(schedule, each) for each in vector.inputs]
        return [(view.buffer, view.offset) for view in views]
    _realise(schedule, vector)
    view = schedule.places[vector]
    (step,) = view.strides
    return [(view.buffer, view.offset + k * step) for k in range(vector.type.size)]


def _column_of_vector(segments: Segments, view: View) -> list[tuple[Buffer, int]]:
    buffer, offset, (step,) = view.buffer, view.offset, view.strides
    return [(buffer, offset + start * step) for start in segments.starts[:-1]]


def _goal_columns(segments: Segments, root: TableRoot) -> list[list[View | None]]:
    """For each row, where its elements go; as many columns as the row with most goals."""
    width = max(map(len, root.rows.values()), default=0)
    columns: list[list[View | None]] = [[None] * len(segments.sizes) for _ in range(width)]
    for row, views in root.rows.items():
        for column, view in zip(columns, views, strict=False):
            column[row] = view
    return columns


# -- the order of a row's elements -------------------------------------------------------------------------------------
def _agree(
    schedule: Schedule,
    segments: Segments,
    joined: list[list[View]],
    goals: list[list[View | None]],
    dense: bool,
) -> list[tuple[View, View]]:
    """Give all operands of a row one order of elements in dense memory, by copies where they have not.

    `joined` and `goals` are changed to the copies. Returns the copies to make afterwards, as pairs: from, to. With
    `dense` the order is row-major."""
    late: list[tuple[View, View]] = []
    row_major: dict[tuple[int, ...], tuple[int, ...]] = {}

    def in_order(view: View) -> bool:
        strides = row_major.get(view.shape)
        if strides is None:
            strides = row_major[view.shape] = contiguous_strides(view.shape)
        return view.strides == strides or _squeezed(view.shape, view.strides) == _squeezed(view.shape, strides)

    for row, size in enumerate(segments.sizes):
        if not size:
            continue
        views = [column[row] for column in joined]
        places = [column[row] for column in goals if column[row] is not None]
        if all(map(in_order, views)) and all(in_order(view) for view in places if view is not None):
            continue
        like = None if dense else _common(places or views, [*views, *places])
        for column in joined:
            if not _same_order(column[row], like, in_order):
                column[row] = _copy(schedule, column[row], like)
        for goal in goals:
            view = goal[row]
            if view is not None and not _same_order(view, like, in_order):
                goal[row] = made = _like(schedule, view, like)
                late.append((made, view))
    return late


def _common(leading: Iterable[View | None], all_views: list[View | None]) -> View | None:
    """The view whose order all take; None for row-major, which arrays of several shapes have to take."""
    first = next(view for view in leading if view is not None)
    if any(view is not None and view.shape != first.shape for view in all_views):
        return None
    return first if _is_dense(first) else None


def _same_order(view: View, like: View | None, in_order: Callable[[View], bool]) -> bool:
    if like is None:
        return in_order(view)
    return _squeezed(view.shape, view.strides) == _squeezed(like.shape, like.strides)


def _squeezed(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((size, step) for size, step in zip(shape, strides, strict=True) if size != 1)


def _is_dense(view: View) -> bool:
    expected = 1
    for step, size in sorted((step, size) for size, step in _squeezed(view.shape, view.strides)):
        if step != expected:
            return False
        expected *= size
    return True


def _same_elements(one: View, other: View) -> bool:
    """Whether two views, each in the order of its row, are the same elements in the same order."""
    if one.offset != other.offset:
        return False
    if one is other:
        return True
    return one.shape != other.shape or _squeezed(one.shape, one.strides) == _squeezed(other.shape, other.strides)


def _like(schedule: Schedule, view: View, like: View | None) -> View:
    """A new intermediate of the shape of `view`, with its elements in the order of `like`."""
    order = None
    if like is not None:
        order = tuple(sorted(range(len(like.shape)), key=lambda axis: (like.shape[axis] != 1, -like.strides[axis])))
    return temporary(schedule, TensorType(view.shape, view.buffer.dtype), order)


def _copy(schedule: Schedule, view: View, like: View | None) -> View:
    copy = _like(schedule, view, like)
    add_root(schedule, Root(_stand_in(view), (copy,), source=view))
    return copy


def _stand_in(view: View) -> Node:
    """A node of the type of what `view` holds."""
    return Node(PLACEHOLDER, (), TensorType(view.shape, view.buffer.dtype))
