"""Writes what derivative rules and composites say into a graph: broadcasting and Python numbers made explicit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.devices import CPU
from ...core.dtypes import PART, DType, float32
from ...core.errors import OpError
from ...core.sized_shapes import broadcast_shapes
from ...core.sizes import FloatOf, float_of, is_whole, same_sizes
from ...core.types import TensorType
from ...ops.complex_numbers import COMPLEX, KEPT
from ...ops.creation import FULL
from ...ops.devices import TO_DEVICE
from ...ops.emitter import Emitter, LoopStep
from ...ops.movement import EXPAND
from ...ops.narrow import KEEPING
from ...ops.pointwise import CAST, WHERE
from ...ops.registry import OpDef, broadcasts
from ..bodies import add_loop
from ..builder import GraphBuilder
from ..node import Location, Node

Number = bool | int | float | FloatOf
Place = Location | Callable[[], Location | None] | None


class GraphEmitter(Emitter):
    """Appends nodes to `builder`.

    A pointwise operand of smaller shape gets an `expand`, a Python number a `full` of the dtype of the other operands.
    `location` is the line that new nodes bear: a location, something to call for one, or None. It may be set between
    two nodes; `at` sets it for a while.
    """

    __slots__ = ("builder", "location")

    def __init__(self, builder: GraphBuilder, location: Place = None) -> None:
        self.builder = builder
        self.location = location

    def apply(self, op: OpDef, *operands: Node | Number, **attrs: object) -> Node:
        """The new node: `op` applied to `operands`. Errors: OpError when the op does not take these operands."""
        if op.name not in KEPT:
            made = attrs.get("dtype")
            for each in operands:
                if isinstance(each, Node) and each.type.dtype.is_complex:
                    return self._of_parts(op, operands, attrs)
            if isinstance(made, DType) and made.is_complex:
                return self._of_parts(op, operands, attrs)
        if op.name not in KEEPING:
            for each in operands:
                if isinstance(each, Node) and each.type.dtype.is_narrow:
                    return self._rounded(op, operands, attrs, each.type.dtype)
        nodes = self._aligned(op, operands) if broadcasts(op) else _only_nodes(op, operands)
        return self.builder.add(op, *nodes, location=self._here(), **attrs)

    def _of_parts(self, op: OpDef, operands: tuple[Node | Number, ...], attrs: dict[str, Any]) -> Node:
        """The op on complex numbers, in ops on their parts."""
        from ...ops.complex_forms import compute  # which programs without complex numbers do not need

        return compute(self, op, operands, attrs)  # type: ignore[no-any-return]

    def _rounded(self, op: OpDef, operands: tuple[Node | Number, ...], attrs: dict[str, Any], dtype: DType) -> Node:
        """The op on narrow floats: computed in float32, and rounded once. See Note [Half floats]."""
        wide = (
            self.apply(CAST, each, dtype=float32) if isinstance(each, Node) and each.type.dtype.is_narrow else each
            for each in operands
        )
        node = self.apply(op, *wide, **attrs)
        return self.apply(CAST, node, dtype=dtype) if node.type.dtype is float32 else node

    def constant(self, value: Number, like: Node) -> Node:
        """A node of the type of `like` with `value` in every place."""
        return self._full(value, like.shape, like.type.dtype)

    def beside(self, node: Node, like: Node) -> Node:
        """`node` on the device of `like`; rules give constants, which are on the CPU."""
        device, source = like.type.device, node.type.device
        return node if device == source else self.builder.add(TO_DEVICE, node, device=device, source=source)

    def shape(self, value: Node) -> tuple[int, ...]:
        """The shape of a node."""
        return value.shape

    def dtype(self, value: Node) -> DType:
        """The dtype of a node."""
        return value.type.dtype

    def on_device(self, value: Node) -> bool:
        """See `Emitter.on_device`."""
        return value.type.device != CPU

    def loop(
        self, step: LoopStep, carried: Sequence[Node], scanned: Sequence[Node], fixed: Sequence[Node]
    ) -> tuple[list[Node], list[Node]]:
        """See `Emitter.loop`; the rounds are one node."""
        builder = GraphBuilder()
        rows = [TensorType(each.shape[1:], each.type.dtype) for each in scanned]
        types = [
            *(TensorType(each.shape, each.type.dtype) for each in carried),
            *rows,
            *(TensorType(each.shape, each.type.dtype) for each in fixed),
        ]
        inputs = [builder.input(each, f"input_{k}") for k, each in enumerate(types)]
        first, last = len(carried), len(carried) + len(scanned)
        ends, made = step(GraphEmitter(builder, self.location), inputs[:first], inputs[first:last], inputs[last:])
        results = add_loop(
            self.builder,
            builder.finish([*ends, *made]),
            [*carried, *scanned, *fixed],
            trips=scanned[0].shape[0],
            carried=len(carried),
            scanned=len(scanned),
            location=self._here(),
        )
        return [results[k] for k in range(first)], [results[k] for k in range(first, len(results))]

    @contextmanager
    def at(self, location: Place) -> Iterator[None]:
        """Within the block, new nodes bear `location`."""
        before, self.location = self.location, location
        try:
            yield
        finally:
            self.location = before

    def _here(self) -> Location | None:
        return self.location() if callable(self.location) else self.location

    def _full(self, value: Number, shape: tuple[int, ...], dtype: DType) -> Node:
        if dtype.is_complex:
            number = complex(value)  # type: ignore[arg-type]
            halves = (self._full(each, shape, PART[dtype]) for each in (number.real, number.imag))
            return self.builder.add(COMPLEX, *halves, location=self._here())
        return self.builder.add(FULL, location=self._here(), value=_in_kind_of(dtype, value), shape=shape, dtype=dtype)

    def _aligned(self, op: OpDef, operands: tuple[Node | Number, ...]) -> list[Node]:
        """The operands as nodes of one shape."""
        shapes = [operand.shape for operand in operands if isinstance(operand, Node)]
        alike = shapes and all(same_sizes(each, shapes[0]) for each in shapes[1:])
        shape = shapes[0] if alike else _broadcast(op, operands)
        dtype = _dtype_of_numbers(op, operands)
        aligned: list[Node] = []
        # From the last to the first: the engine of eager mode hands gradients to operands from the first to the last,
        # and a backward pass over the graph meets these expands in the opposite order.
        for operand in reversed(operands):
            if not isinstance(operand, Node):
                aligned.append(self._full(operand, shape, dtype))
            elif same_sizes(operand.shape, shape):
                aligned.append(operand)
            else:
                aligned.append(self.builder.add(EXPAND, operand, location=self._here(), shape=shape))
        return aligned[::-1]


def _only_nodes(op: OpDef, operands: tuple[Node | Number, ...]) -> list[Node]:
    nodes = [operand for operand in operands if isinstance(operand, Node)]
    if len(nodes) != len(operands):
        raise OpError(f"{op.name} takes no Python numbers among its operands; only pointwise ops do")
    return nodes


def _broadcast(op: OpDef, operands: tuple[Node | Number, ...]) -> tuple[int, ...]:
    shapes = [operand.shape for operand in operands if isinstance(operand, Node)]
    if not shapes:
        raise OpError(f"{op.name} of Python numbers alone has no dtype; make one of them a constant")
    try:
        return broadcast_shapes(*shapes)
    except ValueError:
        raise OpError(f"{op.name} cannot broadcast the shapes {', '.join(map(str, shapes))} to one") from None


def _dtype_of_numbers(op: OpDef, operands: tuple[Node | Number, ...]) -> DType:
    """The dtype that the op's numbers take, if it has any."""
    values = operands[1:] if op is WHERE else operands  # the condition of `where` is no partner of the values
    for operand in values:
        if isinstance(operand, Node):
            return operand.type.dtype
    raise OpError(f"{op.name} of Python numbers alone has no dtype; make one of them a constant")


def _in_kind_of(dtype: DType, value: Number) -> Number:
    """`value` as the Python type that stands for `dtype`, so that equal constants have equal attributes."""
    if dtype.is_float:
        return value if isinstance(value, FloatOf) else float_of(value) if is_whole(value) else float(value)
    if dtype.is_bool:
        return bool(value)
    return int(value) if isinstance(value, bool) else value  # a float is refused where the node is made
