"""Python numbers from outside: run-time inputs whose value the trace does not fix.

Their arithmetic stays Python's: it is written into the entry code as a source (`Computed`), and only the final number
is handed to the plan. A branch guards the outcome; structural uses (a length, a loop bound, an index) specialise on the
value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.types import TensorType
from ....graph.node import Node
from ....guards.computed_sources import CallSource, Computed
from ....guards.guard import Equals, Evaluates, Is, IsThere, Outcome, TypeIs
from ....guards.sources import ConstantSource, Source
from ...breaks import LONG_NUMBER, RAISES, UNKNOWN_VALUE, ProgramRaised
from ..base import Value, wraps
from ..constant import Constant, fold, is_known_number
from ..late_text import number_text
from ..python_operators import BINARY, UNARY, OperatorRank

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

_PARTIAL = frozenset(BINARY[name][1] for name in ("/", "//", "%", "**", "<<", ">>"))
"""Forms that can raise for some numbers of the right types."""
_OPERATIONS = 150
"""The most operations behind one number: CPython's parser takes 200 brackets in each other."""
_COMPARISONS = frozenset(BINARY[name][1] for name in ("<", "<=", "==", "!=", ">", ">="))


class InputNumber(Value):
    """A Python number read at `source`; `example` is its value in the traced call."""

    __slots__ = ("example", "source")
    operator_rank = OperatorRank.INPUT_NUMBER

    def __init__(self, source: Source, example: int | float | bool) -> None:
        self.source: Source = source
        self.example = example

    @property
    def python_type(self) -> type:
        return type(self.example)

    def constant(self, trace: Trace) -> Any:
        if self.source.is_computed:
            rely_on_types(trace, self.source)
        elif self.example != self.example:
            trace.guard(Is, self.source, expected=self.example)  # two NaNs are found in a container by identity only
        trace.guard(Equals, self.source, expected=self.example)
        return self.example

    def formatted(self, trace: Trace, spec: Value) -> Value:
        rely_on_types(trace, self.source)
        return number_text(trace, self, spec) or super().formatted(trace, spec)

    def truth(self, trace: Trace) -> bool:
        outcome = bool(self.example)
        rely_on_types(trace, self.source)
        trace.guard(Outcome, self.source, expected=outcome)
        return outcome

    def node(self, trace: Trace) -> Node:
        """The number as a rank-0 graph input: float64 for a float, int64 for an int."""
        rely_on_types(trace, self.source)
        if type(self.example) is float:
            return trace.scalar_input("float", TensorType((), dtypes.float64), self.source, self.example)
        if type(self.example) is int and -(2**63) <= self.example < 2**63:
            return trace.scalar_input("int", TensorType((), dtypes.int64), self.source, self.example)
        wide = type(self.example) is int
        raise self.unsupported("array arithmetic beyond 64 bits" if wide else "array arithmetic")

    def unary(self, trace: Trace, name: str) -> Value:
        if name == "~" and self.python_type is bool:
            raise self.unsupported("the operator `~`")  # Python warns of it, at the user's line
        function, form = UNARY[name]
        return _computed(trace, function, form, (self.source,), (self.example,))

    def binary(self, trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
        return operate(trace, name, left, right)

    def attribute(self, trace: Trace, name: str) -> Value:
        return Constant(self.constant(trace)).attribute(trace, name)

    def rebuild(self, writer: EntryWriter) -> str:
        rely_on_types(writer.trace, self.source)
        return self.source.text(writer.pool)


def rely_on_types(trace: Trace, source: Source) -> None:
    """Guards that the numbers a computed source starts from keep their types."""
    if source.is_computed:
        for operand in source.parts():
            rely_on_types(trace, operand)
    elif not isinstance(source, ConstantSource):
        trace.guard(TypeIs, source, expected=trace.inputs.scalar_types[source])


def rely_on_all_types(trace: Trace) -> None:
    """Guards the type of every number that the trace has met: whichever of them led to an error, it was by its type."""
    for source in trace.inputs.scalar_types:
        rely_on_types(trace, source)


def rely_on_type(trace: Trace, value: InputNumber) -> None:
    """Guards that the number has the type it has now; `2 ** n` or `max(n, 0.5)` may change theirs with their values."""
    rely_on_types(trace, value.source)
    if value.source.is_computed:
        trace.guard(TypeIs, value.source, expected=type(value.example))


def _operand(value: Value) -> tuple[Source | Any, Any]:
    if isinstance(value, InputNumber):
        return value.source, value.example
    assert isinstance(value, Constant)
    return value.value, value.value


def is_number(value: Value) -> bool:
    """Whether a value is a plain Python number, known or not."""
    return isinstance(value, InputNumber) or is_known_number(value)


def operate(trace: Trace, name: str, left: Value, right: Value) -> Value | None:
    """`left <name> right` of plain Python numbers; None where one of them is none."""
    if name not in BINARY or not (is_number(left) and is_number(right)):
        return None
    function, form = BINARY[name]
    if isinstance(left, Constant) and isinstance(right, Constant):
        return fold(function, left, right)
    (left_text, left_value), (right_text, right_value) = _operand(left), _operand(right)
    return _computed(trace, function, form, (left_text, right_text), (left_value, right_value))


def apply(trace: Trace, function: Callable[..., Any], label: str, values: list[Value]) -> Value:
    """`function(*values)` for a pure built-in of numbers."""
    operands = [_operand(value) for value in values]
    source = CallSource(function, label, tuple(text for text, _ in operands))
    return _number(trace, source, function, tuple(value for _, value in operands), may_raise=True)


def _computed(
    trace: Trace, function: Callable[..., Any], form: str, texts: tuple[Any, ...], values: tuple[Any, ...]
) -> Value:
    # An int that is too large for a float raises; a known one would have done so now.
    mixed = len({type(each) for each in values}) > 1 and any(
        type(each) is int and isinstance(text, Source) for each, text in zip(values, texts, strict=True)
    )
    may_raise = form in _PARTIAL or mixed and form not in _COMPARISONS
    return _number(trace, Computed(form, texts), function, values, may_raise=may_raise)


def _number(
    trace: Trace,
    source: Computed | CallSource,
    function: Callable[..., Any],
    values: tuple[Any, ...],
    *,
    may_raise: bool,
) -> Value:
    if sum(each.is_computed for each in source.below()) >= _OPERATIONS:
        raise LONG_NUMBER.stop(limit=_OPERATIONS)
    # Whatever becomes of the result: of other types the operation may raise, write in place, or run code of the user's.
    for place in source.parts():
        if not place.is_computed:
            rely_on_types(trace, place)
    try:
        example = function(*values)
    except (ArithmeticError, ValueError) as error:
        for operand, value in zip(source.operands, values, strict=True):
            if isinstance(operand, Source):
                trace.guard(Equals, operand, expected=value)
        raise ProgramRaised(error) from None
    except TypeError as error:  # whose words are others for the in-place form
        raise RAISES.stop(error=f"TypeError: {error}") from None
    if type(example) not in (bool, int, float):
        raise UNKNOWN_VALUE.stop(operation=f"`{source}`, a {type(example).__name__},", name="numbers")
    if may_raise:
        trace.guard(Evaluates, source)
    return InputNumber(source, example)


@wraps(int, float)
def wrap_number(trace: Trace, value: Any, source: Source) -> Value:
    """A number whose value is free to change."""
    trace.inputs.scalar_types[source] = type(value)
    trace.inputs.scalar_examples[source] = value
    if source.may_vanish:
        trace.guard(IsThere, source)
    return InputNumber(source, value)
