"""Python numbers that change from iteration to iteration of a loop over tensors: nodes of the loop's body."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....ops import pointwise as p
from ...breaks import LOOP_NUMBER, GraphBreak
from ...tracing.nodes import constant_node
from ..base import Value
from ..constant import Constant
from ..python_operators import BINARY, OperatorRank
from .input_scalar import InputNumber, is_number
from .symbolic_int import as_scalar

if TYPE_CHECKING:
    from ....graph.node import Node
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

EXACT = 2**53
"""Up to here every int is a float64."""
_COMPARISONS = frozenset(("<", "<=", "==", "!=", ">", ">="))
_EXACT_OPS = {"+": p.ADD, "-": p.SUBTRACT, "*": p.MULTIPLY}
Affine = tuple[int, int]
"""A number of iterations times the first, plus the second, with iterations counted from zero."""


class LoopVaryingNumber(InputNumber):
    """An int or a float of which every iteration has its own; what no kernel computes as Python does, breaks the graph.

    make:   gives the node. example: what it is in the first iteration, of the type that it has in all.
    affine: how it follows from the iteration's number, where it does; trip_count: how many iterations there are.
    bounds: of an int, between which numbers it lies, both included.
    """

    __slots__ = ("_make", "affine", "bounds", "trip_count")
    operator_rank = OperatorRank.LOOP_VARYING_NUMBER

    def __init__(
        self,
        make: Callable[[Trace], Node],
        example: int | float,
        trip_count: int,
        affine: Affine | None = None,
        bounds: tuple[int, int] = (0, 0),
    ) -> None:
        self._make = make
        self.example = example
        self.trip_count = trip_count
        self.affine = affine
        self.bounds = bounds

    @property
    def source(self) -> Any:  # type: ignore[override]
        """Errors: always a break, since a number that varies in a loop can be read at no one place."""
        raise _unknown("a use that relies on the value")

    def describe(self) -> str:
        return "a number of which only the run knows the value"

    def node(self, trace: Trace) -> Node:
        return self._make(trace)

    def constant(self, trace: Trace) -> Any:
        raise _unknown("a use that relies on the value")

    def truth(self, trace: Trace) -> bool:
        raise _unknown("a branch")

    def attribute(self, trace: Trace, name: str) -> Value:
        raise _unknown(f"the attribute {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        raise _unknown("a return")

    def unary(self, trace: Trace, name: str) -> Value:
        if name != "-":
            raise _unknown(f"the operator `{name}`")
        return combined(trace, "*", self, Constant(-1))

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        if not (is_number(left) and is_number(right)):
            return None
        return combined(trace, name, as_scalar(trace, left), as_scalar(trace, right))

    def last(self) -> Value:
        """The number's value in the last iteration. Errors: a break where only the run knows it."""
        if self.affine is None:
            raise _unknown("a use behind the loop")
        return Constant(self.affine[0] * (self.trip_count - 1) + self.affine[1])


class InductionVariable(LoopVaryingNumber):
    """An int that is a multiple of the iteration's number plus a constant.

    counter: gives the node of that number.
    divide:  makes the trace anew with the iterations from a number on as another loop, if there may be one more.
    """

    __slots__ = ("counter", "divide")

    def __init__(
        self, counter: Callable[[Trace], Node], divide: Callable[[int], None], affine: Affine, trip_count: int
    ) -> None:
        ends = sorted((affine[1], affine[0] * (trip_count - 1) + affine[1]))
        super().__init__(self._node, affine[1], trip_count, affine, (ends[0], ends[1]))
        self.counter, self.divide = counter, divide

    def truth(self, trace: Trace) -> bool:
        return bool(_whole("!=", self, Constant(0), self).constant(trace))

    def _node(self, trace: Trace) -> Node:
        assert self.affine is not None
        scale, offset = self.affine
        found = self.counter(trace)
        if scale != 1:
            found = trace.add(p.MULTIPLY, found, _constant(trace, scale))
        return trace.add(p.ADD, found, _constant(trace, offset)) if offset else found


def combined(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right`, one of the loop's. Errors: a break for what kernels do not compute as Python does."""
    number = left if isinstance(left, LoopVaryingNumber) else right
    assert isinstance(number, LoopVaryingNumber)
    kinds = [each.python_type for each in (left, right)]
    known = all(isinstance(each, (Constant, InputNumber)) for each in (left, right))
    if not known or not set(kinds) <= {int, float}:
        raise _unknown(f"the operator `{name}`")
    if kinds == [int, int] and name != "/":
        return _whole(name, left, right, number)
    if name not in (*_EXACT_OPS, "/") or name == "/" and not _is_never_zero(right):
        raise _unknown(f"the operator `{name}`")
    for each in (left, right):
        if each.python_type is int and max(map(abs, _bounds(each))) > EXACT:
            raise _unknown(f"the operator `{name}` of a large int")
    op = p.DIVIDE if name == "/" else _EXACT_OPS[name]
    return LoopVaryingNumber(
        lambda trace: trace.add(op, _float(trace, left), _float(trace, right)), 0.0, number.trip_count
    )


def _whole(name: str, left: Value, right: Value, number: LoopVaryingNumber) -> Value:
    """An int made of two, or how they compare. Errors: a break for an int that is no multiple of the iteration's number
    plus a constant.
    """
    one, other = _affine_of(left), _affine_of(right)
    is_known = name in _EXACT_OPS or name in _COMPARISONS
    if not is_known or one is None or other is None or not isinstance(number, InductionVariable):
        raise _unknown(f"the operator `{name}`")
    if isinstance(left, InductionVariable) and isinstance(right, InductionVariable) and left.counter != right.counter:
        raise _unknown(f"the operator `{name}` between numbers of two loops")
    (a, b), (c, d) = one, other
    if name in _COMPARISONS:
        return _compared(name, (a - c, b - d), number)
    if name == "*":
        if a and c:
            raise _unknown("the product of two numbers of rounds")
        made = (a * d + c * b, b * d)
    else:
        sign = 1 if name == "+" else -1
        made = (a + sign * c, b + sign * d)
    if abs(made[0]) * number.trip_count + abs(made[1]) > EXACT:
        raise _unknown("a large int")
    return InductionVariable(number.counter, number.divide, made, number.trip_count)


def _compared(name: str, difference: Affine, number: InductionVariable) -> Value:
    """The outcome of comparing a difference with 0. Errors: `Restart` where it changes between two iterations."""
    slope, offset = difference
    if slope and type(number.trip_count) is not int:
        raise _unknown(f"the operator `{name}`")

    def holds(iteration: int) -> bool:
        return bool(BINARY[name][0](slope * iteration + offset, 0))

    if slope:
        turn = -offset // slope  # what a difference of this form is compared with changes beside its root alone
        for iteration in range(max(1, turn - 1), min(number.trip_count, turn + 3)):
            if holds(iteration) != holds(0):
                number.divide(iteration)
                raise _unknown(f"the operator `{name}`")
    return Constant(holds(0))


def _affine_of(value: Value) -> Affine | None:
    if isinstance(value, LoopVaryingNumber):
        return value.affine
    return (0, value.value) if isinstance(value, Constant) and type(value.value) is int else None


def _bounds(value: Value) -> tuple[int, int]:
    """Errors: a break for an int of which nobody knows how large it may be."""
    if isinstance(value, LoopVaryingNumber):
        return value.bounds
    if isinstance(value, Constant):
        return value.value, value.value
    raise _unknown("arithmetic with an int of any size")


def _is_never_zero(value: Value) -> bool:
    if isinstance(value, Constant):
        return bool(value.value)
    if isinstance(value, LoopVaryingNumber) and value.python_type is int:
        low, high = value.bounds
        return low > 0 or high < 0
    return False


def _float(trace: Trace, value: Value) -> Node:
    if isinstance(value, InputNumber):
        node = value.node(trace)
        return node if node.type.dtype is dtypes.float64 else trace.add(p.CAST, node, dtype=dtypes.float64)
    assert isinstance(value, Constant)
    return constant_node(trace, float(value.value), (), dtypes.float64)


def _constant(trace: Trace, value: int) -> Node:
    return constant_node(trace, value, (), dtypes.int64)


def _unknown(operation: str) -> GraphBreak:
    return LOOP_NUMBER.stop(operation=operation)
