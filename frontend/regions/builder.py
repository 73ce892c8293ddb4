"""A region under construction: the statements so far, and what they refer to."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...backend.cpu.call_outs import KIND as IN_PYTHON
from ...backend.cpu.compiler.c_functions import Name
from ...backend.evaluate.expressions import applied
from ...core import dtypes
from ...core.dtypes import DType
from ...core.sizes import is_whole, structure
from ...core.types import TensorType
from ...graph.node import Node
from ...loop_ir.ir import (
    Access,
    Address,
    Amount,
    Apply,
    Argument,
    Assign,
    Expression,
    Fail,
    If,
    IndexValue,
    Invoke,
    Leave,
    Let,
    Literal,
    Load,
    Statement,
    Store,
    Variable,
)
from ...ops.creation import FULL
from ...ops.pointwise import LESS, MULTIPLY, POWER
from ...ops.registry import PLACEHOLDER, OpDef, Pointwise
from ..tracing.nodes import constant_node
from ..tracing.speculation import LoopKey, unsupported_in_region
from ..values.numbers.computed import INT64, Bounds
from .memory import RegionMemory
from .value_ranges import ValueRanges

if TYPE_CHECKING:
    from ..breaks import GraphBreak
    from ..tracing.trace import Trace
    from ..values.arrays.array import ArrayValue, Storage
    from ..values.base import Value
    from .arrays.swapped import SwappedArrays
    from .arrays.views import ArrayExpression

Affine = tuple[frozenset[tuple[Node, int]], int]
"""A sum of values with factors, and a constant."""
Size = tuple[str, int | Name, int]
"""A shape or a stride, ``("shape", operand, axis)``, or ``("value", number, 0)``, or ``("function", name, 0)``."""


class Region:
    """Statements of loop IR, written while the loop's body is evaluated once.

    A value of the region is a node of rank 0 that stands for a let; arithmetic over such nodes becomes statements here
    and never comes into the graph. What does not depend on them is computed before the region, in the graph.
    """

    def __init__(self, trace: Trace, key: LoopKey) -> None:
        self.trace: Trace = trace
        self.key = key
        self.operands: list[Node] = []
        self.sizes: list[Size] = []
        self._known_sizes: list[Any] = []
        self.prologue: list[Statement] = []
        self.blocks: list[list[Statement]] = [[]]
        self.lets: dict[Node, str] = {}
        self.reach: dict[Node, tuple[int, int]] = {}
        """Between which numbers indices lie, where that is known."""
        self.parts: dict[Node, tuple[Node, Node]] = {}
        """The real and imaginary parts of complex numbers that were put together here."""
        self.facts = ValueRanges()
        self.leaves = False
        self.memory = RegionMemory(trace, key)
        self.affine: dict[Node, Affine] = {}
        """The int64 values that are known as sums of others."""
        self.expressions: list[weakref.ref[ArrayExpression]] = []
        """The array expressions that were made."""
        self.swapped: SwappedArrays | None = None
        self._fixed: dict[Node, str] = {}
        self._constants: dict[tuple[str, DType], str] = {}
        self._fresh = 0
        self.first_nones: list[Value] = []
        """The values of variables that are None before a loop, and in its iterations as far as is known."""
        self.doubts: list[GraphBreak] = []
        """The breaks because of them."""
        self.spent: list[tuple[Any, tuple[Any, ...]]] = []
        """The iterators that its loops run over, and how these stood."""
        self.tables: dict[tuple[int, ...], tuple[ArrayValue, list[Value]]] = {}
        """The memory of sequences of numbers, by the identities of these, which it keeps alive."""
        self.may_unroll = False
        """Whether its loop would be unrolled if it were no region."""
        self.loops = 0
        """The number of loops that have been begun."""

    # Statements.
    def put(self, statement: Statement) -> None:
        """Appends a statement to the block that is being written."""
        self.blocks[-1].append(statement)

    @contextmanager
    def block(self, again: list[Statement] | None = None) -> Iterator[list[Statement]]:
        """A context in which statements go to a new block, or to the end of one that was left."""
        made: list[Statement] = [] if again is None else again
        self.blocks.append(made)
        try:
            with self.facts.block():
                yield made
        finally:
            self.blocks.pop()

    @contextmanager
    def own_expressions(self) -> Iterator[list[weakref.ref[ArrayExpression]]]:
        """A context for statements that may not run. The expressions that were made in it are in the list afterwards.

        They are nobody's to store behind it: what they are made of may not have been computed there.
        """
        before = len(self.expressions)
        own: list[weakref.ref[ArrayExpression]] = []
        try:
            yield own
        finally:
            own += self.expressions[before:]
            del self.expressions[before:]

    def name(self, letter: str = "t") -> str:
        """A name that was not used yet. Those of loops begin with i or j."""
        self.loops += letter in "ij"
        self._fresh += 1
        return f"{letter}{self._fresh - 1}"

    def let(self, dtype: DType, expression: Expression) -> Node:
        """A new value of the region."""
        name = self.name()
        self.put(Let(name, dtype, expression))
        return self.local(name, dtype)

    def local(self, name: str, dtype: DType) -> Node:
        """The value that is known by this name in the statements."""
        node = Node(PLACEHOLDER, (), TensorType((), dtype), (), name)
        self.lets[node] = name
        return node

    def variable(self, dtype: DType, value: Node) -> str:
        """A new variable, which holds `value` first."""
        name = self.name("v")
        self.put(Variable(name, dtype, self.text(value)))
        return name

    def assign(self, name: str, dtype: DType, value: Node) -> None:
        """Let the variable hold `value`."""
        self.put(Assign(name, dtype, self.text(value)))

    def now(self, name: str, dtype: DType) -> Node:
        """The value that a variable holds at this place; a copy, which later assignments do not change."""
        return self.let(dtype, Apply("{0}", (name,)))

    def invoke(
        self, function: Name, dtype: DType | None, arguments: Sequence[Node | Address | Argument]
    ) -> Node | None:
        """The result of a C function for these numbers and addresses; None when it gives nothing."""
        given = tuple(
            Argument(self.text(each), each.type.dtype) if isinstance(each, Node) else each for each in arguments
        )
        name = self.name() if dtype else ""
        self.put(Invoke(name, dtype, self.size(("function", function, 0)), given, in_python=function[0] == IN_PYTHON))
        return self.local(name, dtype) if dtype else None

    def address(self, storage: Storage, index: list[Node]) -> Address:
        """The place of an element of a storage."""
        return Address(self.access(storage, index), storage.node.type.dtype)

    def change(self, storage: Storage) -> None:
        """Notes that a storage has another value from now on: a function writes it, or it stands for what one does."""
        self.number_of(storage)
        self.memory.written[id(storage)] = storage

    def leave_if(self, condition: Node, outside: Node | None = None) -> None:
        """Give the call back to Python where the bool `condition` is true; for `outside`, see `If`."""
        self.leaves = True
        self.put(If(self.text(condition), (Leave(),), outside="" if outside is None else self.text(outside)))

    def fail_if(self, condition: Node) -> None:
        """Give the call back to Python where the bool `condition` is true, but a loop may come to its end before.

        It is for what does no harm in the iterations until then.
        """
        self.leaves = True
        self.put(Fail(self.text(condition)))

    def leave(self) -> None:
        """Give the call back to Python."""
        self.leaves = True
        self.put(Leave())

    # Values.
    def depends(self, node: Node) -> bool:
        """Whether a node is a value of this region."""
        return node in self.lets

    def text(self, node: Node) -> str:
        """The name of a number: one of the region, or one from before it."""
        known = self.lets.get(node) or self._fixed.get(node)
        if known is None:
            assert node.shape == (), "an array is no number"
            dtype = node.type.dtype
            value = node.kwargs["value"] if node.op is FULL else None
            expression: Expression
            if isinstance(value, (bool, int, float)):
                same = repr(value), dtype
                if same in self._constants:
                    return self._constants[same]
                known = self._fixed[node] = self._constants[same] = self.name()
                expression = Literal(value)
            else:
                known = self._fixed[node] = self.name()
                self.operands.append(node)
                expression = Load(Access(len(self.operands) - 1))
            self.prologue.append(Let(known, dtype, expression))
        return known

    def let_of(self, node: Node) -> Node:
        """A number as a value of the region, so that what is computed from it belongs to the region."""
        if self.depends(node):
            return node
        made = self.let(node.type.dtype, Apply("{0}", (self.text(node),)))
        if node.type.dtype is dtypes.int64:
            self.affine[made] = self.sum_of(node)
        return made

    def integer(self, value: int) -> Node:
        """A known int64 as a value of the region. It is no part of the kernel, which serves others as well."""
        made = self.let(dtypes.int64, IndexValue((), self.size(("value", value, 0))))
        self.affine[made] = frozenset(), value
        return made

    def size(self, wanted: Size) -> str:
        """The name of a size of an operand, or of a number that the plan passes."""
        known = structure(wanted)  # compared so, no size is relied on
        if known not in self._known_sizes:
            self._known_sizes.append(known)
            self.sizes.append(wanted)
        return f"s{self._known_sizes.index(known)}"

    def add(self, op: OpDef, inputs: tuple[Node, ...], attrs: dict[str, Any]) -> Node | None:
        """The value of an op over values of the region; None when none of the operands is one.

        Errors: a break for an op that has no form in a region.
        """
        if not any(map(self.depends, inputs)):
            return None
        type = op.meta(*(node.type for node in inputs), **attrs)
        if not isinstance(op.lower, Pointwise) or type.shape:
            raise unsupported_in_region(f"the op {op.name}")
        if op is POWER and type.dtype.is_integer:
            few = self._few_products(inputs[0], inputs[1])
            if few is not None:
                return few
            self._leave_if_negative(inputs[1])
        text, widens = applied(op, inputs[0].type.dtype, type.dtype)
        made = self.let(type.dtype, Apply(text, tuple(map(self.text, inputs)), widens))
        self.facts.note_arithmetic(op, inputs, made)
        return made

    def note_sum(self, made: Node, one: Node, other: Node, factor: int = 1) -> None:
        """Notes that `made` is `one + factor * other`."""
        (terms, constant), (others, more) = self.sum_of(one), self.sum_of(other)
        counted = dict(terms)
        for node, times in others:
            counted[node] = counted.get(node, 0) + factor * times
        kept = frozenset((node, times) for node, times in counted.items() if times)
        self.affine[made] = kept, constant + factor * more

    def sum_of(self, node: Node) -> Affine:
        """An int64 as far as it is known as a sum of others."""
        if node.op is FULL:
            value: Any = node.kwargs["value"]
            return frozenset(), value if is_whole(value) else int(value)
        return self.affine.get(node) or (frozenset({(node, 1)}), 0)

    def learn(self, node: Node, bounds: Bounds) -> None:
        """Notes that an int64 lies between these here; and what that says of the value it is a known number above."""
        self.facts.learn(node, bounds)
        terms, more = self.sum_of(node)
        if len(terms) == 1 and type(more) is int and all(type(each) is int for each in bounds):
            ((base, times),) = terms
            low, high = bounds[0] - more, bounds[1] - more
            if times == 1 and INT64[0] <= low and high <= INT64[1]:
                self.facts.learn(base, (low, high))

    def _few_products(self, base: Node, exponent: Node) -> Node | None:
        """A small known power of integers, by products, which wrap as NumPy's; None for other powers."""
        times = exponent.kwargs["value"] if exponent.op is FULL else None
        if not isinstance(times, int) or not 1 <= times <= 8:
            return None
        made = self.let_of(base)
        for _ in range(times - 1):
            more = self.add(MULTIPLY, (made, base), {})
            assert more is not None
            made = more
        return made

    def _leave_if_negative(self, exponent: Node) -> None:
        """Gives the call back to Python where an exponent of integers is negative: NumPy raises."""
        if exponent.type.dtype.kind == "u" or exponent.op is FULL:  # a known one that is negative has no graph
            return
        zero = constant_node(self.trace, 0, (), exponent.type.dtype)
        self.leave_if(self.trace.add(LESS, self.let_of(exponent), zero))

    # Memory.
    def number_of(self, storage: Storage) -> int:
        """The operand that the memory of a storage is."""
        known = self.memory.storages
        if id(storage) not in known:  # two arrays may hold one value of the graph, and be written apart
            self.operands.append(storage.node)
            known[id(storage)] = storage, len(self.operands) - 1
        return known[id(storage)][1]

    def access(self, storage: Storage, index: list[Node]) -> Access:
        """The element of a storage at an index of its own axes."""
        number = self.number_of(storage)
        terms = [(self.text(each), self.size(("stride", number, axis))) for axis, each in enumerate(index)]
        return Access(number, tuple[tuple[str, Amount], ...](terms))

    def load(self, storage: Storage, index: list[Node]) -> Node:
        """The element there."""
        return self.let(storage.node.type.dtype, Load(self.access(storage, index)))

    def store(self, storage: Storage, index: list[Node], value: Node) -> None:
        """The element there becomes `value`, of the storage's dtype. Errors: `RegionRestart` if nobody foresaw that."""
        self.memory.note_write(storage)
        access = self.access(storage, index)
        self.put(Store(access, self.text(value), storage.node.type.dtype))
        self.memory.written[id(storage)] = storage
