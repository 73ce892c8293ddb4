"""Attention in a schedule: a step of its own on devices, whose operands may be views, and of narrow floats.

A cast of narrow floats to float32 before it, and of its results to narrow floats after it, are done by its kernels; and
so are permutations of the axes before the last two that were made one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...core import dtypes
from ...core.records import dataclass
from ...core.types import TensorType, contiguous_strides
from ...graph.node import Node
from ...ops.fused_attention import (
    FUSED_ATTENTION,
    FUSED_ATTENTION_RESULT,
    FUSED_GRADIENTS,
    FUSED_GRADIENTS_RESULT,
)
from ...ops.movement import PERMUTE, RESHAPE
from ...ops.pointwise import CAST
from ..evaluate.buffers import Buffer, BufferView
from .calls import Call, realises
from .groups import Schedule, add_step, temporary
from .operands import dense_operand, home_of, operand_view, results_by_index

HALVES = (dtypes.float16, dtypes.bfloat16)


@dataclass(frozen=True, slots=True)
class AttentionOperands:
    """The memory that attention and its gradients read.

    query, key, value:  [outer, heads, rows, columns], with the same `heads`, in whatever order they lie in memory.
    mask:               [1 or n, 1 or l, s], where n counts outer times heads.
    draws:              where the draws of a dropout begin, and the probability with which a share stays.
    """

    query: BufferView
    key: BufferView
    value: BufferView
    mask: BufferView | None
    draws: tuple[BufferView, ...]
    scale: float
    causal: bool

    @property
    def views(self) -> tuple[BufferView, ...]:
        """All memory that is read."""
        return self.query, self.key, self.value, *([] if self.mask is None else [self.mask]), *self.draws

    @property
    def batch(self) -> int:
        """The rows of the batch."""
        return self.query.shape[0] * self.query.shape[1]

    @property
    def work(self) -> int:
        """Additions of the product of queries and keys."""
        return self.batch * self.query.shape[2] * self.key.shape[2] * self.query.shape[3]


@dataclass(frozen=True, slots=True)
class AttentionCall(Call):
    """Attention. result: [outer, heads, l, v]; sums: see `FUSED_ATTENTION`, None where nobody reads them."""

    given: AttentionOperands
    result: BufferView
    sums: BufferView | None

    @property
    def stored(self) -> tuple[BufferView, ...]:
        """All memory that is written."""
        return (self.result,) if self.sums is None else (self.result, self.sums)

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return tuple(view.buffer for view in (*self.given.views, *self.stored))

    @property
    def work(self) -> int:
        return 2 * self.given.work

    def describe(self) -> list[str]:
        names = ", ".join(str(view.buffer) for view in self.given.views)
        return [f"attention of {names} -> {self.result.buffer}"]


@dataclass(frozen=True, slots=True)
class AttentionGradientsCall(Call):
    """The cotangents of query, key and value, as `given` has those, None where nobody reads one.

    slope: that of the result, as `given` has its operands; sums, means: see `FUSED_GRADIENTS`."""

    given: AttentionOperands
    slope: BufferView
    sums: BufferView
    means: BufferView
    for_query: BufferView | None
    for_key: BufferView | None
    for_value: BufferView | None

    @property
    def stored(self) -> tuple[BufferView, ...]:
        """All memory that is written."""
        return tuple(each for each in (self.for_query, self.for_key, self.for_value) if each is not None)

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        views = (*self.given.views, self.slope, self.sums, self.means, *self.stored)
        return tuple(view.buffer for view in views)

    @property
    def work(self) -> int:
        return 7 * self.given.work

    def describe(self) -> list[str]:
        names = ", ".join(str(view.buffer) for view in (*self.given.views, self.slope))
        return [f"attention gradients of {names} -> {', '.join(str(each.buffer) for each in self.stored)}"]


@realises(FUSED_ATTENTION, FUSED_ATTENTION_RESULT)
def realise_attention(schedule: Schedule, node: Node) -> None:
    """The step of an attention."""
    given, _ = _operands(schedule, node, [])
    results = results_by_index(schedule, node)
    batch, rows = given.batch, given.query.shape[2]
    result = _home(schedule, results.get(0), (batch, rows, given.value.shape[3]), given.query.shape[1])
    sums = None if 1 not in results else home_of(schedule, results[1], TensorType((batch, rows, 2), dtypes.float32))
    call = AttentionCall(given, result, sums)
    add_step(schedule, call, [*call.buffers], [view.buffer for view in call.stored])


@realises(FUSED_GRADIENTS, FUSED_GRADIENTS_RESULT)
def realise_gradients(schedule: Schedule, node: Node) -> None:
    """The step of the gradients of an attention."""
    *_, slope, sums, means = node.inputs
    given, (slope_view,) = _operands(schedule, node, [slope])
    sums_view, means_view = dense_operand(schedule, sums), dense_operand(schedule, means)
    results, batch = results_by_index(schedule, node), given.batch
    shapes = [(batch, *view.shape[2:]) for view in (given.query, given.key, given.value)]
    heads = given.query.shape[1]
    homes = [_home(schedule, results[k], shape, heads) if k in results else None for k, shape in enumerate(shapes)]
    call = AttentionGradientsCall(given, slope_view, sums_view, means_view, *homes)
    add_step(schedule, call, [*call.buffers], [view.buffer for view in call.stored])


def _operands(schedule: Schedule, node: Node, more: Sequence[Node]) -> tuple[AttentionOperands, tuple[BufferView, ...]]:
    """The memory that the kernels read, and `more` matrices in the same form."""
    rest = list(node.inputs[3:])
    mask = _mask(schedule, rest.pop(0)) if node.attr("masked") else None
    draws = tuple(operand_view(schedule, each) for each in rest[:2]) if node.attr("dropped") else ()
    matrices = [*node.inputs[:3], *more]
    parted = [_parted(schedule, each) for each in matrices]
    heads = {view.shape[1] for view in parted if view is not None}
    if len(heads) > 1:
        parted = [None for _ in matrices]
    each_outer = heads.pop() if len(heads) == 1 else node.inputs[0].shape[0]
    views = [
        _in_parts(_stored(schedule, matrix), each_outer) if view is None else view
        for matrix, view in zip(matrices, parted, strict=True)
    ]
    scale = node.attr("scale")
    assert isinstance(scale, float)
    query, key, value, *others = views
    return AttentionOperands(query, key, value, mask, draws, scale, bool(node.attr("causal"))), tuple(others)


def _in_parts(view: BufferView, heads: int) -> BufferView:
    """[n, rows, columns] with the batch as an outer axis and so many heads."""
    batch, rows, columns = view.shape
    shape = (batch // heads, heads, rows, columns)
    return BufferView(view.buffer, shape, (view.strides[0] * heads, *view.strides), view.offset)


def _widened(node: Node) -> Node:
    """The half floats that `node` casts to float32, if that is what it does."""
    return node.inputs[0] if node.op is CAST and node.inputs[0].type.dtype in HALVES else node


def _parted(schedule: Schedule, node: Node) -> BufferView | None:
    """The memory of [n, rows, columns] under an outer axis and heads; None where it was not made of those."""
    if node in schedule.places:
        return None
    whole = _widened(node)
    if whole.op is not RESHAPE or whole.inputs[0].type.rank < 3:
        return None
    source = _widened(whole.inputs[0]) if whole is node else whole.inputs[0]
    *lead, rows, columns = source.shape
    if (rows, columns) != tuple(node.shape[1:]) or whole in schedule.places:
        return None
    view = operand_view(schedule, source)
    outer, heads = prod(lead[:-1]), lead[-1]
    steps = _one_step(view.shape[:-3], view.strides[:-3])
    if steps is None:
        return None
    return BufferView(view.buffer, (outer, heads, rows, columns), (steps, *view.strides[-3:]), view.offset)


def _one_step(shape: Sequence[int], strides: Sequence[int]) -> int | None:
    """Elements from one entry to the next of some axes taken as one; None where that is not always the same."""
    step, size = 0, 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent == 1:
            continue
        if size != 1 and stride != step * size:
            return None
        step = stride if size == 1 else step
        size *= extent
    return step


def _stored(schedule: Schedule, node: Node) -> BufferView:
    """The memory of a matrix, narrow where it is that."""
    return operand_view(schedule, node if node in schedule.places else _widened(node))


def _mask(schedule: Schedule, node: Node) -> BufferView:
    view = operand_view(schedule, node)
    strides = tuple(0 if size == 1 else stride for size, stride in zip(view.shape, view.strides, strict=True))
    return BufferView(view.buffer, view.shape, strides, view.offset)


def _home(schedule: Schedule, result: Node | None, shape: tuple[int, ...], heads: int) -> BufferView:
    """The place of a result [n, rows, columns], as [outer, heads, rows, columns]: that of what becomes of it, while it
    is only cast to half floats and arranged otherwise, and nobody else reads it on the way."""
    parts = (shape[0] // heads, heads, *shape[1:])
    if result is None:
        return _under(home_of(schedule, None, TensorType(shape, dtypes.float32)), parts)
    path = _Path(parts)
    nodes = [result]
    while (user := _only_user(schedule, nodes[-1])) is not None and path.goes_on(user):
        nodes.append(user)
    last = nodes[-1]
    strides = contiguous_strides(path.shape)
    views = schedule.targets.get(last, [])
    given = [
        BufferView(view.buffer, path.shape, view.strides if view.shape == path.shape else strides, view.offset)
        for view in views
        if view.shape == path.shape or view.strides == contiguous_strides(view.shape)
    ]
    taken = given[0] if given else temporary(schedule, TensorType(path.shape, last.type.dtype))
    whole = next((view for view in views if view.buffer is taken.buffer), None)
    for node in nodes:  # of which nobody reads any but the last
        schedule.places[node] = BufferView(taken.buffer, node.shape, contiguous_strides(node.shape), taken.offset)
    schedule.places[last] = whole or schedule.places[last]
    steps = [taken.strides[path.order.index(axis)] for axis in range(len(parts))]
    return BufferView(taken.buffer, parts, tuple(steps), taken.offset)


def _under(view: BufferView, parts: tuple[int, ...]) -> BufferView:
    """A dense view in another shape."""
    return BufferView(view.buffer, parts, contiguous_strides(parts), view.offset)


class _Path:
    """The way of a result: `order` says which of its four axes stand where in memory, whose sizes `shape` has."""

    def __init__(self, parts: tuple[int, ...]) -> None:
        self.parts = parts
        self.order = list(range(len(parts)))
        self.turned = self.narrow = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.parts[axis] for axis in self.order)

    def goes_on(self, user: Node) -> bool:
        """Whether a node leaves all elements as they are, in an order that a kernel can store them in."""
        if user.op is CAST and user.type.dtype in HALVES and not self.narrow:
            self.narrow = True
            return True
        if user.op is PERMUTE and not self.turned and tuple(user.inputs[0].shape) == self.parts:
            axes = user.attr("axes")
            assert isinstance(axes, tuple)
            self.order, self.turned = list(axes), True
            return True
        return user.op is RESHAPE


def _only_user(schedule: Schedule, node: Node) -> Node | None:
    """The one node that reads another, which is no result of the graph."""
    users = schedule.users[node]
    if len(users) != 1 or users[0] >= len(schedule.nodes) or schedule.targets.get(node):
        return None
    return schedule.nodes[users[0]]
