"""Arithmetic over many arrays at once: one kernel, run for each row of a table of addresses.

    P = join(p0, p1, …)    G = join(g0, g1, …)    S = spread(scale, sizes)
    Q = P - S * G                                                            no vector P, G, S or Q is ever made:
    write p0 = segment(Q, 0), write p1 = segment(Q, n0), …                   row k: pk[i] = pk[i] - scale[k] * gk[i]

# Note [Foreach kernels]
A vector of segments is *flat*: a join, a spread, and what is computed from them element by element. Flat values stay
virtual as long as only segments read them that do nothing but go to writes and outputs (*sinks*). Those are stored at
the end, all of one segmentation together. A flat value that somebody else reads is stored as a vector. Rows of single
elements (step counts) do not pay: there joins are copied to vectors, computed as such, and the segments copied out.

A row reads and writes each memory at one index only, so it may overwrite what it reads. But the memory that a row
writes must not be read by any other row, nor by anything later: else the vector is stored first, then copied.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import accumulate

from ...core.records import dataclass
from ...graph.node import Node
from ...ops.registry import Pointwise
from ...ops.segments import JOIN, SEGMENT, SPREAD
from ..evaluate.buffers import Buffer, BufferView
from .foreach_rows import ForeachRoot, Leaves, Segments, add_foreach, column_of_spread, same_elements
from .groups import MOST_BUFFERS, MOST_ITEMS, Schedule, temporary
from .hazards import may_leave, reads_any
from .operands import operand_view, store_value

SMALL_ROW = 2
"""Mean elements of a row below which arithmetic goes faster over a vector, copies included."""


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


def stored_by_foreach(schedule: Schedule, node: Node) -> bool:
    """Whether `node`, as a vector, is stored by a foreach kernel."""
    segments = schedule.flat.get(node)
    return segments is not None and (node.op in (JOIN, SPREAD) or not segments.small)


def visit_flat(schedule: Schedule, node: Node, deepest: int) -> bool:
    """Whether the walk over the graph is done with `node`: it is a sink, stays virtual, or has been stored here."""
    if node in schedule.sinks:
        return True
    if not stored_by_foreach(schedule, node):
        return False
    if node in schedule.read_flat or schedule.flat[node].small or schedule.depth[node] > deepest:
        realise_flat(schedule, node)
        schedule.depth[node] = 0
    return True


def realise_flat(schedule: Schedule, node: Node) -> BufferView:
    """Store a flat value as a vector."""
    if node not in schedule.places:
        views = tuple(schedule.targets.get(node) or (temporary(schedule, node.type),))
        add_foreach(schedule, schedule.flat[node], [ForeachRoot(node, views)])
        schedule.places[node] = views[0]
        schedule.delivered.add(node)
    return schedule.places[node]


# -- the end of the graph ----------------------------------------------------------------------------------------------
@dataclass(slots=True, eq=False)
class _Batch:
    """Sinks of one segmentation: flat values, and where their rows go."""

    segments: Segments
    roots: dict[Node, dict[int, list[BufferView]]] = field(default_factory=dict)

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
    """The stores of all sinks that foreach kernels can make, and the written values among them.

    The others' vectors are stored now, so that they are segments like any other."""
    batches: dict[int, _Batch] = {}
    taken: set[Node] = set()
    goals: dict[Node, list[BufferView]] = {}
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
            store_value(schedule, source)
            if node in schedule.targets:
                store_value(schedule, node)
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
    leaves = Leaves(schedule, batch.segments)
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


def prepare_sinks(schedule: Schedule, stores: SinkStores) -> None:
    """Store, before anything is overwritten, the vectors that cannot be computed while it is."""
    leaving: dict[Node, bool] = {}
    for batch in stores.batches:
        for node in batch.roots:
            if node not in schedule.places and (batch.segments.small or may_leave(schedule, node, leaving)):
                store_value(schedule, node)
    stored: set[Buffer] = set()
    for batch in stores.batches:
        memo: dict[Node, bool] = {}
        for node in batch.roots:
            if node not in schedule.places and stored and reads_any(schedule, node, stored, memo):
                store_value(schedule, node)
        stored |= batch.stored


def store_sinks(schedule: Schedule, stores: SinkStores) -> None:
    """The groups that store all sinks."""
    for batch in stores.batches:
        roots = [ForeachRoot(node, (), rows) for node, rows in batch.roots.items()]
        if not _harmless(schedule, batch.segments, roots):
            for root in roots:
                store_value(schedule, root.node)
        add_foreach(schedule, batch.segments, roots)


def _harmless(schedule: Schedule, segments: Segments, roots: list[ForeachRoot]) -> bool:
    """Whether each memory that is overwritten is read by the row that does so only, at the same element."""
    written: dict[Buffer, tuple[int, BufferView]] = {}
    for root in roots:
        for row, views in root.rows.items():
            for view in views:
                if view.buffer.place == "input":
                    if view.buffer in written:
                        return False
                    written[view.buffer] = row, view
    if not written:
        return True
    leaves = Leaves(schedule, segments)
    for root in roots:
        leaves.enter(root.node)
    for join in leaves.joins:
        for row, operand in enumerate(join.inputs):
            view = operand_view(schedule, operand)
            goal = written.get(view.buffer)
            if goal is not None and not (goal[0] == row and same_elements(view, goal[1])):
                return False
    others = {view.buffer for view in leaves.vectors.values()} | leaves.uniform
    others |= {buffer for node in leaves.spreads for buffer, _ in column_of_spread(schedule, node)}
    return others.isdisjoint(written)
