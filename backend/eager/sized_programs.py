"""Programs of eager operations for operands of many sizes: lowered once, and bound to the sizes of each call."""

# Note [Sizes of eager operations]
# The sizes of operands that lie row by row become symbols, equal sizes one symbol, and the graph is lowered over them.
# What lowering asks about them is kept as facts, as in a jitted function. For other sizes of which all facts hold, the
# kernels are the same, and their sizes are worked out. Sizes of 0 and 1 are no symbols. Programs that need memory in
# between, or put a size into a constant, are made for each set of sizes.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...core.devices import CPU
from ...core.records import dataclass, replace
from ...core.sizes import LARGEST, Facts, FloatOf, at_values, symbol
from ...core.types import TensorType, contiguous_strides
from ...graph.node import Graph, Node, Write
from ...ops.registry import PLACEHOLDER
from ..call_layout import CallLayout
from ..compile import CompiledGraph
from ..compiled_program import CompiledProgram, first_output
from ..evaluate.buffers import BufferView
from ..launch.call_outs import CallOutCall
from ..launch.calls import KernelCall
from ..launch.program import program_of
from ..lowered import Lowered
from ..lowering.lower import Pointer
from ..schedule.calls import Call
from ..schedule.matmul import ProductCall
from ..schedule.scans import ScanCall
from .operands import EagerOperand, Ints
from .programs import EagerGraph, compiled_graph

P = TypeVar("P")
Pattern = tuple[Any, ...]
"""The part of operands that is alike in calls which one program may serve: of each array its dtype, and for each axis
the number of its symbol, or -2 and -1 for a size of 0 and 1."""


@dataclass(frozen=True, slots=True)
class SizedOperands:
    """Operands over symbols. values: of the symbols, here."""

    pattern: Pattern
    values: tuple[int, ...]
    numbers: dict[int, int]
    """The number of the symbol of each size."""

    @classmethod
    def of(cls, given: Sequence[EagerOperand], shapes: Sequence[Ints]) -> SizedOperands | None:
        """None where an operand does not lie row by row. shapes: further ones that the program is told of."""
        numbers: dict[int, int] = {}
        pattern: list[Any] = []
        for each in given:
            if each.kind != "array":
                pattern.append((each.kind, each.dtype))
                continue
            if each.strides != contiguous_strides(each.type.shape):
                return None
            pattern.append((each.dtype, *_numbered(each.type.shape, numbers)))
        pattern += [_numbered(shape, numbers) for shape in shapes]
        if not numbers or max(numbers) > LARGEST:
            return None
        return cls(tuple(pattern), tuple(numbers), numbers)


def _numbered(shape: Ints, numbers: dict[int, int]) -> Ints:
    return tuple([numbers.setdefault(size, len(numbers)) if size > 1 else size - 2 for size in shape])


@dataclass(frozen=True, slots=True)
class SizedProgram:
    """A lowered graph over symbols."""

    facts: Facts
    made: EagerGraph
    layout: CallLayout
    types: tuple[TensorType, ...]
    lowered: Lowered

    def at(self, values: Sequence[int]) -> CompiledGraph | None:
        """The program for these values of the symbols; None where one of its facts does not hold."""
        if self.facts.broken(values):
            return None
        atoms = self.facts.atom_values(values)

        def bound(value: Any) -> Any:
            return at_values(value, self.facts, atoms)

        inputs = tuple(
            replace(each, type=each.type.with_shape(bound(each.type.shape)), strides=bound(each.strides))
            for each in self.layout.inputs
        )
        outputs = tuple(replace(each, strides=bound(each.strides)) for each in self.layout.outputs)
        results = tuple(Node(PLACEHOLDER, (), each.with_shape(bound(each.shape))) for each in self.types)
        given = tuple(Node(PLACEHOLDER, (), each.type) for each in inputs)
        writes = tuple(Write(given[k], given[k]) for k, _ in self.made.writes)
        lowered = replace(self.lowered, calls=tuple(_bound_call(each, bound) for each in self.lowered.calls))
        layout = replace(self.layout, inputs=inputs, outputs=outputs)
        lazy = _Bound(lowered, first_output(layout) + len(outputs))
        return CompiledGraph(Graph(given, (), results, writes), layout, lazy)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Bound:
    """Stands for `LazyProgram` where a program is lowered already. operands: of a call, results among them."""

    lowered: Lowered
    operands: int

    @property
    def memory(self) -> Lowered:
        """See `LazyProgram.memory`."""
        return self.lowered

    @property
    def program(self) -> CompiledProgram:
        """See `LazyProgram.program`."""
        made = self.lowered
        return program_of(made.calls, made.slots, self.operands, made.temporaries, made.arena_nbytes)

    @property
    def settings(self) -> frozenset[str]:
        """See `LazyProgram.settings`."""
        return frozenset().union(*(call.settings for call in self.lowered.calls))

    def device_program(self, device: Any, by_value: bool, make: Callable[[], P]) -> P:
        """See `LazyProgram.device_program`."""
        return make()


def _bound_call(call: Call, bound: Callable[[Any], Any]) -> Call:
    if isinstance(call, KernelCall):
        kernel = call.bound
        pointers = tuple(Pointer(each.buffer, bound(each.offset)) for each in kernel.pointers)
        sizes, extent, work = bound(kernel.sizes), bound(kernel.extent), bound(kernel.work)
        return replace(call, bound=replace(kernel, pointers=pointers, sizes=sizes, extent=extent, work=work))

    def view(each: BufferView) -> BufferView:
        return BufferView(each.buffer, bound(each.shape), bound(each.strides), bound(each.offset))

    if isinstance(call, ScanCall):
        return replace(call, source=view(call.source), result=view(call.result))
    if isinstance(call, CallOutCall):  # of which a device asks for nothing else that has sizes
        return replace(call, operands=tuple(map(view, call.operands)), results=tuple(map(view, call.results)))
    assert isinstance(call, ProductCall)
    return replace(call, left=view(call.left), right=view(call.right), result=view(call.result))


def sized_program(
    given: Sequence[EagerOperand],
    sized: SizedOperands,
    shapes: Sequence[Ints],
    make: Callable[[list[EagerOperand], Sequence[Ints]], EagerGraph],
) -> SizedProgram | None:
    """The program of a graph over the symbols of operands; None where it cannot be one for many sizes.

    Errors: those of `make`, and of lowering.
    """
    facts = Facts()
    facts.by_form = True
    symbols = [symbol(facts, f"s{k}", value) for k, value in enumerate(sized.values)]

    def over(shape: Ints) -> Any:
        return tuple(symbols[sized.numbers[size]] if size > 1 else size for size in shape)

    operands = []
    for each in given:
        if each.kind == "array":
            shape = over(each.type.shape)
            each = replace(each, type=each.type.with_shape(shape), strides=contiguous_strides(shape))
        operands.append(each)
    made = make(operands, [over(shape) for shape in shapes])
    # The verifier would ask of sizes what nobody else does.
    compiled = compiled_graph(made, operands, verify=False)
    lowered = compiled.lazy.lowered
    attributes = (value for node in compiled.graph.nodes for _, value in node.attrs)
    on_host = all(each.type.device == CPU for each in given)  # where NumPy is told of sizes
    simple = all(
        isinstance(each, (KernelCall, ProductCall) if on_host else (KernelCall, ProductCall, CallOutCall))
        for each in lowered.calls
    )
    if lowered.temporaries or not simple or any(isinstance(value, FloatOf) for value in attributes):
        return None
    facts.sealed = True
    types = tuple(each.type for each in compiled.graph.outputs)
    return SizedProgram(facts, made, compiled.layout, types, lowered)
