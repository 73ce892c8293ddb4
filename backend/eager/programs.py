"""The graphs of eager operations, and the calls that are compiled of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes as of
from ...core.devices import CPU
from ...core.dtypes import DType
from ...core.errors import GraphError
from ...core.records import dataclass
from ...core.types import contiguous_strides
from ...graph.aot.emitter import GraphEmitter
from ...graph.builder import GraphBuilder
from ...graph.node import Node, Write
from ...graph.passes import run_passes
from ...ops.creation import ARANGE, FULL
from ...ops.devices import TO_DEVICE
from ...ops.elementary import OF_BOOLS
from ...ops.emitter import ufunc_of
from ...ops.movement import EXPAND
from ...ops.narrow import KEEPING
from ...ops.pointwise import CAST, WHERE
from ...ops.random import RANDOM_INTEGERS, integers_from
from ...ops.registry import OPS, OpDef, broadcasts
from ...ops.segments import JOIN, SEGMENT
from ..call_layout import CallLayout, InputLayout, OutputLayout
from ..compile import CompiledGraph, compile_graph
from .operands import EagerOperand, within
from .result_strides import eager_strides

if TYPE_CHECKING:
    from ...ops.derivative import Derivative

Ints = tuple[int, ...]
Call = tuple[OpDef | None, tuple[int, ...], int]
"""An op, the places of its operands, and that of its result; None copies."""


@dataclass(frozen=True, slots=True)
class ResultForm:
    """The use of the results of a call: for each of the values that somebody wants the number of a result, -1 for
    the first operand itself, None for no value."""

    places: tuple[int | None, ...] = ()

    def filled(self, found: Any, operands: Sequence[Any]) -> list[Any]:
        """The values. found: what the call gave."""
        given = found or ()
        return [None if k is None else operands[0] if k < 0 else given[k] for k in self.places]


class GraphOverOperands:
    """A graph in the making, with a node for each operand."""

    def __init__(self, given: Sequence[EagerOperand], device: str = CPU) -> None:
        self.builder = GraphBuilder()
        self.f = GraphEmitter(self.builder)
        self.nodes: list[Node] = []
        known: dict[int, Node] = {}
        self.device = next((each.type.device for each in given if each.type.device != CPU), device)
        for k, each in enumerate(given):
            if id(each) not in known:
                known[id(each)] = self.builder.input(each.type, f"x{k}")
            self.nodes.append(known[id(each)])

    def applied(self, op: OpDef, nodes: Sequence[Node], attrs: Mapping[str, Any]) -> Node:
        """The node of an op as NumPy's functions compute it, of bools too. Errors: OpError."""
        if nodes and nodes[0].type.dtype.is_bool:
            op = OF_BOOLS.get(op, op)
        return self.f.apply(op, *nodes, **attrs)

    def in_dtype(self, node: Node, dtype: DType) -> Node:
        """A node in that dtype."""
        return node if node.type.dtype is dtype else self.f.apply(CAST, node, dtype=dtype)

    def on_device(self, node: Node) -> Node:
        """A node whose value lies on the device; rules give constants, which are on the CPU."""
        device = self.device
        return node if node.type.device == device else self.builder.add(TO_DEVICE, node, device=device, source=CPU)

    def spread(self, node: Node, shape: Ints) -> Node:
        """A node in that shape."""
        return node if node.shape == shape else self.builder.add(EXPAND, node, shape=shape)


@dataclass(frozen=True, slots=True)
class EagerGraph:
    """A graph to be compiled. strides: of each result, in elements; written: the operands that it writes, by number.

    bare: whether the call gives its one result, and no tuple."""

    program: GraphOverOperands
    results: tuple[Node, ...]
    strides: tuple[Ints, ...]
    writes: tuple[tuple[int, Node], ...] = ()
    bare: bool = True
    form: ResultForm = ResultForm()
    convert: Mapping[int, Any] = field(default_factory=dict)
    """Functions that make a number of the call of one that was given, by the number of its operand, if not its own."""


def compiled_graph(made: EagerGraph, given: Sequence[EagerOperand], verify: bool | None = None) -> CompiledGraph:
    """The graph compiled for operands laid out so. Errors: GraphError where it holds what no lowering knows."""
    program = made.program
    written = {k for k, _ in made.writes}
    writes = [Write(program.nodes[k], value) for k, value in made.writes]
    graph = run_passes(program.builder.finish(made.results, writes), verify)
    inputs = tuple(InputLayout(each.kind, each.type, each.strides, k in written) for k, each in enumerate(given))
    outputs = tuple(OutputLayout("fresh", k, strides) for k, strides in enumerate(made.strides))
    arrays = [k for k, each in enumerate(given) if each.kind == "array"]
    pairs = frozenset((i, j) for i in arrays for j in arrays if i < j and (i in written or j in written))
    unwrap, ignores = made.bare and len(outputs) == 1, program.device == CPU
    return compile_graph(graph, CallLayout(inputs, outputs, pairs, unwrap=unwrap, ignores_errstate=ignores))


# -- what each operation becomes ---------------------------------------------------------------------------------------
def operation(op: OpDef, given: Sequence[EagerOperand], attrs: Mapping[str, Any]) -> EagerGraph:
    """An op as a graph of its own. Errors: those of the graph, where it does not take the operands."""
    program = GraphOverOperands(given)
    if op is TO_DEVICE:
        raise GraphError("a copy to another device is no kernel")
    nodes, convert = _aligned(program, program.nodes, op, given)
    result = program.on_device(program.applied(op, nodes, attrs))
    return EagerGraph(program, (result,), (eager_strides(op, given, result.shape, attrs),), convert=convert)


def by_ufunc(ufunc: np.ufunc, given: Sequence[EagerOperand], target: EagerOperand | None = None) -> EagerGraph:
    """One of NumPy's ufuncs, where it computes in the dtype of its operands; the result is written to `target`, if any.

    Errors: GraphError where it does not, or is no op.
    """
    op = OPS.get(ufunc.__name__)
    if op is None or ufunc_of(op) is not ufunc:
        raise GraphError(f"{ufunc.__name__} is no op")
    if len({each.dtype for each in given if each.dtype is not None}) > 1:
        raise GraphError("operands of several dtypes")
    if any(each.kind != "array" for each in given) and _partner_of(given).is_narrow:
        raise GraphError("NumPy takes a number in the narrow dtype")
    return operation(op, given, {}) if target is None else in_place(op, [target, *given], {}, casts=False)


def in_place(op: OpDef, given: Sequence[EagerOperand], attrs: Mapping[str, Any], casts: bool = True) -> EagerGraph:
    """An op of all operands but the first, to which its result is written. Errors: GraphError for another shape, too,
    and for another dtype unless it `casts`."""
    program = GraphOverOperands(given)
    target = given[0].type
    nodes, convert = _aligned(program, program.nodes[1:], op, given[1:])
    result = program.applied(op, nodes, attrs)
    if result.shape != target.shape or not (casts or result.type.dtype is target.dtype):
        raise GraphError("the result of an operation in place is not of the type that it is written to")
    return EagerGraph(program, (), (), ((0, program.in_dtype(result, target.dtype)),), convert=convert)


def assigned(given: Sequence[EagerOperand]) -> EagerGraph:
    """The second operand written to the first, broadcast and cast. Errors: GraphError where it does not broadcast."""
    program = GraphOverOperands(given)
    target, value = given[0].type, program.nodes[1]
    lead = len(value.shape) - len(target.shape)
    if lead > 0 or any(
        size not in (1, whole) for size, whole in zip(value.shape, target.shape[-lead:] if lead else target.shape)
    ):
        raise GraphError("the value of an assignment does not broadcast to what it is assigned to")
    value = program.spread(program.in_dtype(value, target.dtype), target.shape)
    return EagerGraph(program, (), (), ((0, value),))


def copied(given: Sequence[EagerOperand], strides: Ints, dtype: DType | None) -> EagerGraph:
    """A copy of the only operand with such strides, in bytes."""
    program = GraphOverOperands(given)
    node = program.nodes[0] if dtype is None else program.in_dtype(program.nodes[0], dtype)
    itemsize = node.type.dtype.itemsize
    return EagerGraph(program, (node,), (tuple(stride // itemsize for stride in strides),))


def created(
    op: OpDef, given: Sequence[EagerOperand], names: Sequence[str], attrs: Mapping[str, Any], device: str
) -> EagerGraph:
    """The result of an op that makes an array on a device; the last operands are the attributes of these names."""
    program = GraphOverOperands(given, device)
    f, first = program.f, len(given) - len(names)
    values = dict(zip(names, program.nodes[first:]))
    dtype: DType = attrs["dtype"]
    if op is FULL and values:
        result = program.spread(program.in_dtype(values["value"], dtype), attrs["shape"])
    elif op is ARANGE and values:
        result = _ramp(program, values["start"], values["step"], attrs["size"], dtype)
    else:
        result = f.apply(op, *program.nodes[:first], **attrs)
    return EagerGraph(program, (program.on_device(result),), (contiguous_strides(result.shape),))


def drawn(op: OpDef, given: Sequence[EagerOperand], shape: Ints, attrs: Mapping[str, Any]) -> EagerGraph:
    """A draw of random numbers of that shape. Integers are given how many there are, and the first of them."""
    program = GraphOverOperands(given)
    if op is RANDOM_INTEGERS:
        seed, offset, span, low = program.nodes
        result = integers_from(program.f, seed, offset, span, low, shape, attrs["dtype"])
    else:
        result = program.f.apply(op, *program.nodes, shape=shape, **attrs)
    return EagerGraph(program, (result,), (contiguous_strides(result.shape),))


def _ramp(program: GraphOverOperands, start: Node, step: Node, size: int, dtype: DType) -> Node:
    """``start + step * i``, computed as `ARANGE` does: from the first two elements, in the result's own dtype."""
    f = program.f
    first = program.in_dtype(start, dtype)
    if dtype.is_integer:
        delta = program.in_dtype(step, dtype)
    else:
        delta = f.subtract(
            program.in_dtype(f.add(*(program.in_dtype(each, of.float64) for each in (start, step))), dtype), first
        )
    ramp = program.in_dtype(f.arange(start=0, step=1, size=size, dtype=of.int64), dtype)
    return f.add(f.multiply(ramp, delta), first)  # type: ignore[no-any-return]


def gradients(
    rules: Derivative,
    given: Sequence[EagerOperand],
    names: Sequence[str],
    shapes: Sequence[Ints],
    kinds: Sequence[DType],
    attrs: Mapping[str, Any],
) -> EagerGraph:
    """The gradients of an op's operands, of the gradient of its result and the values that its rules read.

    Narrow floats are computed with in float32, and rounded once.
    """
    program = GraphOverOperands(given)
    g = program.nodes[0]
    narrow = g.type.dtype.is_narrow
    wide = program.in_dtype(g, of.float32) if narrow else g
    values = {}
    for name, operand, node in zip(names, given[1:], program.nodes[1:]):
        if operand.kind != "array":
            node = program.in_dtype(node, operand.dtype or wide.type.dtype)
            node = program.spread(node, wide.shape) if operand.array is None and operand.dtype is None else node
        values[name] = program.in_dtype(node, of.float32) if node.type.dtype.is_narrow else node
    answers = rules.apply(program.f, wide, values, shapes, kinds, attrs)
    results: list[Node] = []
    places: list[int | None] = []
    for answer, shape, kind in zip(answers, shapes, kinds):
        if answer is None:
            places.append(None)
            continue
        if answer is wide and kind is g.type.dtype:
            places.append(-1)
            continue
        if answer.shape != shape:
            raise GraphError("a rule gives a gradient of another shape than its operand has")
        node = program.on_device(program.in_dtype(answer, kind))
        if node not in results:
            results.append(node)
        places.append(results.index(node))
    form = ResultForm(tuple(places))
    return EagerGraph(
        program, tuple(results), tuple(contiguous_strides(each.shape) for each in results), (), False, form
    )


def written(formula: Callable[..., Sequence[Node]], given: Sequence[EagerOperand], targets: int) -> EagerGraph:
    """The values that a formula gives of all operands, written to the first of them, the targets.

    Errors: GraphError for a value of another type than its target.
    """
    program = GraphOverOperands(given)
    values = formula(program.f, *program.nodes)
    if [each.type for each in values] != [each.type for each in given[:targets]]:
        raise GraphError("a formula gives values of other types than the arrays that they are written to")
    return EagerGraph(program, (), (), tuple(enumerate(values)))


def stepped(
    body: Sequence[Call], given: Sequence[EagerOperand], rows: int, columns: int, written: Sequence[int]
) -> EagerGraph:
    """The calls of a step over rows of arrays, all alike, which are written in place.

    given: the arrays of all rows, row by row, then the numbers that the calls take, as scalars.   body: each call as
    its op, the places of its operands and that of its result. The places are the columns of a row, then the numbers,
    then whatever else. Narrow floats are computed with in float32, and rounded once.
    """
    program = GraphOverOperands(given)
    f, count = program.f, rows * columns
    shapes = [each.shape for each in program.nodes[:count:columns]]
    kind = program.nodes[0].type.dtype
    computed = of.float32 if kind.is_narrow else kind
    places: dict[int, Node] = {}
    for column in range(columns):
        nodes = program.nodes[column:count:columns]
        joined = nodes[0] if rows == 1 else f.apply(JOIN, *nodes)
        places[column] = program.in_dtype(joined, computed)
    for k, node in enumerate(program.nodes[count:]):
        places[columns + k] = program.in_dtype(node, computed)
    for op, operands, out in body:
        values = [places[each] for each in operands]
        if op is WHERE:  # conditions lie in a place as 1.0 and 0.0
            values[0] = f.not_equal(values[0], 0.0)
        result = values[0] if op is None else f.apply(op, *values)
        places[out] = program.in_dtype(result, computed)
    writes = []
    for column in written:
        whole, start = program.in_dtype(places[column], kind), 0
        for row, shape in enumerate(shapes):
            piece = program.spread(whole, shape) if rows == 1 else f.apply(SEGMENT, whole, start=start, shape=shape)
            writes.append((row * columns + column, piece))
            start += math.prod(shape)
    return EagerGraph(program, (), (), tuple(writes))


# -- operands ----------------------------------------------------------------------------------------------------------
def _aligned(
    program: GraphOverOperands, nodes: list[Node], op: OpDef, given: Sequence[EagerOperand]
) -> tuple[list[Node], dict[int, Any]]:
    """The nodes of the operands, numbers in the dtype in which they meet the arrays; and `EagerGraph.convert`.

    Errors: GraphError for a number that this dtype does not hold, whatever its value.
    """
    convert: dict[int, Any] = {}
    if all(each.kind == "array" for each in given):
        return nodes, convert
    if not broadcasts(op):
        raise GraphError(f"{op.name} takes no numbers")
    beside = given[1:] if op is WHERE else given
    partner = _partner_of(beside)
    wide = of.float32 if partner.is_narrow and op.name not in KEEPING else partner
    aligned = []
    for each, node in zip(given, nodes):
        if each.kind != "array":
            kind = each.dtype or partner
            if (each.kind == "float" and not kind.is_float) or (
                each.kind != "float" and kind.is_bool and not each.dtype
            ):
                raise GraphError(f"{op.name} of a number beside {partner}, which does not hold it")
            if each.kind == "int" and kind.is_integer and each.dtype is None:
                convert[each.number] = within(kind)
            node = program.in_dtype(node, each.dtype or wide)
        aligned.append(node)
    return aligned, convert


def _partner_of(given: Sequence[EagerOperand]) -> DType:
    """The dtype of the first array among operands. Errors: GraphError where there is none."""
    for each in given:
        if each.kind == "array" and each.dtype is not None:
            return each.dtype
    raise GraphError("numbers alone have no dtype")
