"""The rows of a foreach kernel: what flat values read, where each row has its operands, and their order of elements.

As data it is a table: a kernel's operands row by row, and the vector whose segments the rows are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from ...core.records import dataclass
from ...core.types import TensorType, contiguous_strides
from ...graph.node import Node
from ...ops.registry import PLACEHOLDER, Pointwise
from ...ops.segments import JOIN, SPREAD
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.expressions import Evaluator
from ..evaluate.index_algebra import domain_of
from .calls import ScheduledStep
from .groups import GivenPlaces, GroupRoot, Schedule, add_root, add_step, nothing_local, temporary
from .operands import operand_view, store_value
from .stored_values import cost_of

DEAR_SCALAR = 8.0
"""Cost, in additions, from which a scalar is computed once and not for each row."""


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The division of a vector: the size and the start of each segment, and which one starts where (empty ones aside).

    `small`: too few elements in most segments for rows to pay. See Note [Foreach kernels]."""

    sizes: tuple[int, ...]
    starts: tuple[int, ...]
    """One more than there are sizes: the last is the size of the vector."""
    rows: Mapping[int, int]
    small: bool


@dataclass(slots=True, eq=False)
class ForeachRoot:
    """A flat value that a foreach kernel computes, stored as a vector to `flat`, and segment by segment to `rows`."""

    node: Node
    flat: tuple[BufferView, ...]
    rows: dict[int, list[BufferView]] = field(default_factory=dict)
    stores: list[int] = field(default_factory=list)
    """The columns that say where its rows go."""


Column = Sequence[tuple[Buffer, int] | None]
"""The place at which each row has an operand, if it has it: element (offset) of a buffer."""


@dataclass(slots=True, eq=False)
class ForeachKernel(ScheduledStep):
    """One kernel over the rows of `columns`, a row for each segment. `leaves` are the values read from a column."""

    segments: Segments
    roots: list[ForeachRoot]
    leaves: dict[Node, int] = field(default_factory=dict)
    columns: list[Column] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    """The distance, in each column, to the next element of a row."""
    uniform: set[Buffer] = field(default_factory=set)
    """The memory that all rows read at one place."""
    horizon: int = 0
    """The time of its entry: it sees the places that had been given by then."""

    def add(self, column: Column, step: int) -> int:
        """The number of a new column."""
        self.columns.append(column)
        self.steps.append(step)
        return len(self.columns) - 1

    def buffers(self, columns: Iterable[int]) -> set[Buffer]:
        """The memory that these columns name."""
        return {operand[0] for number in columns for operand in self.columns[number] if operand is not None}

    @property
    def read(self) -> set[Buffer]:
        """The memory that it reads."""
        return self.buffers(self.leaves.values()) | self.uniform

    def loads(self, places: GivenPlaces) -> set[Buffer]:
        return self.read


class Leaves:
    """The values that flat values read: joins and spreads (of this segmentation), vectors in memory, and scalars."""

    def __init__(self, schedule: Schedule, segments: Segments) -> None:
        self.schedule, self.segments = schedule, segments
        self.joins: dict[Node, None] = {}
        self.spreads: dict[Node, None] = {}
        self.vectors: dict[Node, BufferView] = {}
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
            self.vectors[node] = operand_view(self.schedule, node)

    def _scalar(self, node: Node) -> None:

        if node not in self.schedule.places and cost_of(self.schedule, node)[0] >= DEAR_SCALAR:
            store_value(self.schedule, node)
        if node in self.schedule.places:
            self.uniform.add(self.schedule.places[node].buffer)
            return
        evaluator = Evaluator(self.schedule.places, nothing_local)
        evaluator.value(node, domain_of(()).of_shape(node.shape))
        self.uniform |= {buffer for buffer, _ in evaluator.read}


def add_foreach(schedule: Schedule, segments: Segments, roots: list[ForeachRoot]) -> None:
    """Append the group that computes `roots`, after the copies it needs."""
    leaves = Leaves(schedule, segments)
    for root in roots:
        leaves.enter(root.node)
    dense = bool(leaves.vectors) or any(root.flat for root in roots)
    joined = [[operand_view(schedule, operand) for operand in join.inputs] for join in leaves.joins]
    goals = [_goal_columns(segments, root) for root in roots]
    late = _agree(schedule, segments, joined, [column for columns in goals for column in columns], dense)
    foreach = ForeachKernel(segments, roots)
    for join, views in zip(leaves.joins, joined, strict=True):
        foreach.leaves[join] = foreach.add([(view.buffer, view.offset) for view in views], 1)
    for spread in leaves.spreads:
        foreach.leaves[spread] = foreach.add(column_of_spread(schedule, spread), 0)
    for node, view in leaves.vectors.items():
        foreach.leaves[node] = foreach.add(_column_of_vector(segments, view), view.strides[0])
    for root, columns in zip(roots, goals, strict=True):
        for view in root.flat:
            root.stores.append(foreach.add(_column_of_vector(segments, view), view.strides[0]))
        for goal in columns:
            root.stores.append(foreach.add([None if each is None else (each.buffer, each.offset) for each in goal], 1))
    foreach.uniform = leaves.uniform
    _append(schedule, foreach)
    for made, view in late:
        add_root(schedule, GroupRoot(_stand_in(view), (view,), source=made))


def _append(schedule: Schedule, foreach: ForeachKernel) -> None:
    foreach.horizon = len(schedule.places)
    stores = {slot for root in foreach.roots for slot in root.stores}
    add_step(schedule, foreach, [*foreach.read], [*foreach.buffers(stores)])


def column_of_spread(schedule: Schedule, spread: Node) -> list[tuple[Buffer, int]]:
    """The place of the number that each row of a spread repeats."""
    (vector,) = spread.inputs
    if vector.op is JOIN and vector not in schedule.places and all(each.type.size == 1 for each in vector.inputs):
        views = [operand_view(schedule, each) for each in vector.inputs]
        return [(view.buffer, view.offset) for view in views]
    store_value(schedule, vector)
    view = schedule.places[vector]
    (step,) = view.strides
    return [(view.buffer, view.offset + k * step) for k in range(vector.type.size)]


def _column_of_vector(segments: Segments, view: BufferView) -> list[tuple[Buffer, int]]:
    buffer, offset, (step,) = view.buffer, view.offset, view.strides
    return [(buffer, offset + start * step) for start in segments.starts[:-1]]


def _goal_columns(segments: Segments, root: ForeachRoot) -> list[list[BufferView | None]]:
    """For each row, where its elements go; as many columns as the row with most goals."""
    width = max(map(len, root.rows.values()), default=0)
    columns: list[list[BufferView | None]] = [[None] * len(segments.sizes) for _ in range(width)]
    for row, views in root.rows.items():
        for column, view in zip(columns, views, strict=False):
            column[row] = view
    return columns


# -- the order of a row's elements -------------------------------------------------------------------------------------
def _agree(
    schedule: Schedule,
    segments: Segments,
    joined: list[list[BufferView]],
    goals: list[list[BufferView | None]],
    dense: bool,
) -> list[tuple[BufferView, BufferView]]:
    """Give all operands of a row one order of elements in dense memory, by copies where they have not.

    `joined` and `goals` are changed to the copies. Returns the copies to make afterwards, as pairs: from, to. With
    `dense` the order is row-major."""
    late: list[tuple[BufferView, BufferView]] = []
    row_major: dict[tuple[int, ...], tuple[int, ...]] = {}

    def in_order(view: BufferView) -> bool:
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


def _common(leading: Iterable[BufferView | None], all_views: list[BufferView | None]) -> BufferView | None:
    """The view whose order all take; None for row-major, which arrays of several shapes have to take."""
    first = next(view for view in leading if view is not None)
    if any(view is not None and view.shape != first.shape for view in all_views):
        return None
    return first if _is_dense(first) else None


def _same_order(view: BufferView, like: BufferView | None, in_order: Callable[[BufferView], bool]) -> bool:
    if like is None:
        return in_order(view)
    return _squeezed(view.shape, view.strides) == _squeezed(like.shape, like.strides)


def _squeezed(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((size, step) for size, step in zip(shape, strides, strict=True) if size != 1)


def _is_dense(view: BufferView) -> bool:
    expected = 1
    for step, size in sorted((step, size) for size, step in _squeezed(view.shape, view.strides)):
        if step != expected:
            return False
        expected *= size
    return True


def same_elements(one: BufferView, other: BufferView) -> bool:
    """Whether two views, each in the order of its row, are the same elements in the same order."""
    if one.offset != other.offset:
        return False
    if one is other:
        return True
    return one.shape != other.shape or _squeezed(one.shape, one.strides) == _squeezed(other.shape, other.strides)


def _like(schedule: Schedule, view: BufferView, like: BufferView | None) -> BufferView:
    """A new intermediate of the shape of `view`, with its elements in the order of `like`."""
    order = None
    if like is not None:
        order = tuple(sorted(range(len(like.shape)), key=lambda axis: (like.shape[axis] != 1, -like.strides[axis])))
    return temporary(schedule, TensorType(view.shape, view.buffer.dtype), order)


def _copy(schedule: Schedule, view: BufferView, like: BufferView | None) -> BufferView:
    copy = _like(schedule, view, like)
    add_root(schedule, GroupRoot(_stand_in(view), (copy,), source=view))
    return copy


def _stand_in(view: BufferView) -> Node:
    """A node of the type of what `view` holds."""
    return Node(PLACEHOLDER, (), TensorType(view.shape, view.buffer.dtype))
