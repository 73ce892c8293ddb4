"""The body of a loop over tensors while it is evaluated: a graph in the making, and what goes into it and comes out."""

# Note [Bodies]
# An iteration is evaluated once. What variables hold when an iteration begins are inputs of the body, stand-ins of the
# loop's own memory; all else that its nodes read is the same in all iterations. A node over such values alone is made
# before the loop, once: also because readers remember what they have read (the alias of a leaf, a view of an input),
# and who reads it behind the loop must not be given a node of the body. Constants, which read nothing, belong to the
# body.

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.types import TensorType
from ....graph.bodies import encode, result_types
from ....graph.builder import GraphBuilder
from ....graph.node import Graph, Location, Node
from ....graph.passes.rewrite import with_operands
from ....ops.creation import ARANGE
from ....ops.indexing import CAT
from ....ops.loops import LOOP, LOOP_RESULT
from ....ops.movement import EXPAND, PERMUTE, RESHAPE, SLICE
from ....ops.registry import PLACEHOLDER, OpDef
from ...breaks import LOOP_PARTS
from ...tracing.nodes import cast
from ...tracing.round_draws import RoundDraws
from ...values.arrays.array import ArrayValue, Storage
from ...values.arrays.view_steps import expand, fake_of
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import TupleValue
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.tensor import TensorValue
from .iteration_parts import PartWrite, is_whole, place_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_CHEAP = (EXPAND, PERMUTE, RESHAPE)
"""The ops whose results are made in each iteration though they could be made once: nobody wants them in memory."""


class SubgraphBuilder(GraphBuilder):
    """Collects the nodes of a body; others go to the builder around it. See Note [Bodies]."""

    def __init__(self, outer: GraphBuilder) -> None:
        super().__init__()
        self.outer = outer
        self.own: set[Node] = set()
        self.cheap: set[Node] = set()
        """The nodes that were made outside for the body, and may as well be made inside."""

    def input(self, type: TensorType, name: str, location: Location | None = None) -> Node:
        """An input of the whole graph."""
        return self.outer.input(type, name, location)

    def placeholder(self, type: TensorType, name: str) -> Node:
        """An input of the body."""
        node = Node(PLACEHOLDER, (), type, (), name)
        self.own.add(node)
        return node

    def add(self, op: OpDef, *inputs: Node, location: Location | None = None, **attrs: object) -> Node:
        if inputs and self.own.isdisjoint(inputs):
            node = self.outer.add(op, *inputs, location=location, **attrs)
            if op in _CHEAP:
                self.cheap.add(node)
            return node
        node = super().add(op, *inputs, location=location, **attrs)
        self.own.add(node)
        return node


class Subgraph:
    """The graph of a body in the making, and what goes into it and comes out.

    starts: of each carried value, the node that it is before the loop, and its stand-in.
    rows:   of each scanned array, its node outside and the stand-in of a row.
    stands: the memory for which the memory of a stand-in stands, and its version then.
    tracked: the stand-ins through which gradients go.
    writes: the parts of tensors from before that iterations write.
    draws:  what iterations draw of random numbers.
    """

    is_loop = True

    def __init__(self, trace: Trace, trip_count: int) -> None:
        self.trace = trace
        self.trip_count = trip_count
        self.builder = SubgraphBuilder(trace.builder)
        self.depth = len(trace.progress.frames)
        self.starts: list[tuple[Node, Node]] = []
        self.rows: list[tuple[Node, Node]] = []
        self.stands: dict[Storage, tuple[Storage, int] | None] = {}
        self.tracked: set[Node] = set()
        self.writes: list[PartWrite] = []
        self.draws: RoundDraws | None = None
        self._rows: dict[object, Node] = {}
        self._counter: Node | None = None

    # Inputs.
    def stand_in(self, value: TensorValue) -> TensorValue:
        """The stand-in of a tensor that is carried."""
        with self.trace.into(self.builder.outer):
            start = value.read()
        node = self.builder.placeholder(start.type, "carried")
        self.starts.append((start, node))
        storage = value.array.storage
        made = self._tensor(node, value.strides, value.requires_grad, value.is_leaf, (storage, storage.version))
        made.root.like = value.root
        made.blind, made.kind = value.blind, value.kind
        return made

    def carried(self, start: Node) -> Node:
        """The stand-in of a number that is carried, and is `start` before the loop."""
        node = self.builder.placeholder(start.type, "carried")
        self.starts.append((start, node))
        return node

    def row(self, value: TensorValue, axis: int, first: int, step: int, width: int | None = None) -> TensorValue:
        """The part at `first + step * round` along an axis of a tensor that is there before the loop.

        width: of how many elements it is, where it keeps the axis.
        """
        storage, trace = value.array.storage, self.trace
        with trace.into(self.builder.outer):
            whole = value.read()
            key = (whole, axis, first, step, width)
            if key not in self._rows:
                scan = self._scanned if width is None else partial(self._windows, width=width)
                node = scan(whole, axis, first, step)
                row = self.builder.placeholder(node.type.with_shape(node.shape[1:]), "row")
                self.rows.append((node, row))
                self._rows[key] = row
        tracked = value.requires_grad and trace.grad_enabled
        strides = value.strides if width is not None else (*value.strides[:axis], *value.strides[axis + 1 :])
        made = self._tensor(self._rows[key], strides, tracked, not tracked, (storage, storage.version))
        made.root.like = value.root
        return made

    def part(self, value: TensorValue, key: Value) -> Value | None:
        """`value[key]` where the key holds one number of the iteration, behind whole slices if behind any; else None.

        Errors: a break for a tensor of the iteration's own, and where some index is out of range.
        """
        place = place_of(self.trace, value, key)
        if place is None or not place.step:
            return None
        part = place.body.row(value, place.axis, place.first, place.step, place.width)
        if not place.rest:
            return part
        before = [SliceValue(Constant(None), Constant(None), Constant(None))] * (place.axis + (place.width is not None))
        return part.item(self.trace, TupleValue([*before, *place.rest]))

    def write_part(self, target: TensorValue, key: Value, value: Value) -> bool:
        """Notes `target[key] = value` where the key holds the number of this iteration; False for any other key.

        Errors: a break for a value that is no tensor of the iteration, and for a part that is not the iteration's own.
        """
        place = place_of(self.trace, target, key)
        if place is None:
            return False
        width = place.width or 1
        if place.body is not self or not all(map(is_whole, place.rest)):
            raise LOOP_PARTS.stop(what="a write into a part that is not the round's own")
        if abs(place.step) < width or (width > 1 and place.step != width) or not isinstance(value, TensorValue):
            raise LOOP_PARTS.stop(what="a write into parts that overlap, or of a number")
        if any(each.target.array.storage is target.array.storage for each in self.writes):
            raise LOOP_PARTS.stop(what="two writes into one tensor")
        node = cast(self.trace, value.read(), target.dtype)
        kept = () if place.width is None else (width,)
        shape = (*target.shape[: place.axis], *kept, *target.shape[place.axis + 1 :])
        while len(node.shape) > len(shape) and node.shape[:1] == (1,):
            raise LOOP_PARTS.stop(what="a value of more axes than the part that it is written to")
        node = expand(self.trace, node, shape)
        if node not in self.builder.own:
            raise LOOP_PARTS.stop(what="a write of what is the same in each round")
        tracked = self.trace.grad_enabled and value.requires_grad and target.dtype.is_differentiable
        self.writes.append(PartWrite(target, place, node, tracked))
        return True

    def is_outside(self, value: TensorValue) -> bool:
        """Whether a tensor is there before the loop, and so the same in all iterations, also of the loops inside."""
        node, iterations = value.read(), self.trace.iterations
        return not any(node in each.builder.own for each in iterations[iterations.index(self) :])

    def _scanned(self, node: Node, axis: int, first: int, step: int, count: int = 0) -> Node:
        """The parts along a first axis of their own; as many as there are iterations, or `count`."""
        trace, count = self.trace, count or self.trip_count
        if axis:
            order = (axis, *(k for k in range(len(node.shape)) if k != axis))
            node = trace.add(PERMUTE, node, axes=order)
        if first or step != 1 or node.shape[0] != count:
            rest = node.shape[1:]
            starts, sizes, steps = (first, *(0 for _ in rest)), (count, *rest), (step, *(1 for _ in rest))
            node = trace.add(SLICE, node, starts=starts, sizes=sizes, steps=steps)
        return node

    def _windows(self, node: Node, axis: int, first: int, step: int, *, width: int) -> Node:
        """The parts of `width` elements along a first axis of their own; they keep `axis`."""
        trace, rest = self.trace, (*node.shape[:axis], *node.shape[axis + 1 :])
        if step == width:
            whole = self._scanned(node, axis, first, 1, self.trip_count * width)
            made = trace.add(RESHAPE, whole, shape=(self.trip_count, width, *rest))
        else:
            each = [self._scanned(node, axis, first + place, step) for place in range(width)]
            shape = (self.trip_count, 1, *rest)
            made = trace.add(CAT, *(trace.add(RESHAPE, part, shape=shape) for part in each), axis=1)
        if not axis:
            return made
        order = (0, *range(2, axis + 2), 1, *range(axis + 2, len(rest) + 2))
        return trace.add(PERMUTE, made, axes=order)

    def refuse_identity(self, *values: Value) -> None:
        """Errors: a break where one of two tensors stands for another object in each iteration."""
        if all(isinstance(each, TensorValue) for each in values):
            if any(each.array.storage in self.stands for each in values):  # type: ignore[attr-defined]
                raise values[0].unsupported("an identity that changes from round to round")

    def refuse_attribute(self, value: TensorValue, name: str) -> None:
        """Errors: a break for an attribute of a stand-in that says more than its form."""
        if value.array.storage in self.stands and name in ("data", "grad"):
            raise value.unsupported(f"the attribute {name!r}, which may change from round to round")

    def counter(self, trace: Trace) -> Node:
        """The number of the iteration, counted from zero."""
        if self._counter is None:
            with trace.into(self.builder.outer):
                numbers = trace.add(ARANGE, start=0, step=1, size=self.trip_count, dtype=dtypes.int64)
            self._counter = self.builder.placeholder(TensorType((), dtypes.int64), "round")
            self.rows.append((numbers, self._counter))
        return self._counter

    def _tensor(
        self, node: Node, strides: tuple[int, ...], requires_grad: bool, leaf: bool, stands: tuple[Storage, int] | None
    ) -> TensorValue:
        from ....tensor import Tensor

        fake = fake_of(node.type, strides)
        storage = Storage(node, fake)
        self.trace.inputs.storages.append(storage)
        root = AutogradIdentity(storage, requires_grad, leaf, inference=self.trace.tape.inference)
        storage.roots.append(root)
        self.stands[storage] = stands
        if requires_grad:
            self.tracked.add(node)
        return TensorValue(self.trace, ArrayValue(storage, (), fake), root, Tensor)

    # The graph.
    def finished(self, results: Iterable[Node]) -> tuple[Graph, list[Node]]:
        """The body with these results, carried ones first, and the operands of its loop."""
        new: dict[Node, Node] = {}
        nodes: list[Node] = []
        same: dict[Node, Node] = {}
        inputs = [node for _, node in (*self.starts, *self.rows)]
        new.update((node, node) for node in inputs)

        def taken(node: Node) -> Node:
            if node not in new:
                if node in self.builder.cheap:
                    new[node] = with_operands(node, tuple(taken(each) for each in node.inputs))
                    nodes.append(new[node])
                else:
                    new[node] = same[node] = Node(PLACEHOLDER, (), node.type, (), node.name, node.location)
            return new[node]

        for node in self.builder.nodes:
            made = with_operands(node, tuple(taken(each) for each in node.inputs))
            nodes.append(made)
            new[node] = made
        outputs = tuple(taken(node) for node in results)
        operands = [node for node, _ in (*self.starts, *self.rows)] + list(same)
        return Graph((*inputs, *same.values()), tuple(nodes), outputs), operands


def is_tracked(trace: Trace, node: Node, ends: Collection[Node]) -> bool:
    """Whether a gradient of `node` goes on to a leaf, or to one of `ends`."""
    tape = trace.tape
    met: set[Node] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each in tape.leaves or each in ends:
            return True
        if each not in met and each in tape.recorded:
            met.add(each)
            step = tape.steps.get(each)
            waiting.extend(each.inputs if step is None else step.inputs)
    return False


def add_loop(
    trace: Trace, body: Graph, operands: list[Node], trip_count: int, carried: int, scanned: int
) -> list[Node]:
    """The results of a loop, in the graph of the trace."""
    loop = trace.add(
        LOOP, *operands, body=encode(body), trips=trip_count, carried=carried, scanned=scanned, reverse=False
    )
    return [
        trace.add(LOOP_RESULT, loop, index=index, shape=type.shape, dtype=type.dtype)
        for index, type in enumerate(result_types(loop, body))
    ]
