"""The operators of the language over traced values, by what the operands are: arrays, numbers, containers, others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..regions.numbers import functions
from ..regions.numbers.arithmetic import condition, host_number, is_symbolic, opposite
from ..regions.standalone import by_kernels, standalone_number
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.sequences import TupleValue
from ..values.containers.struct_sequences import StructSequence
from ..values.numbers import input_scalar
from .container_operators import compare_values, is_or_equals, operate_values

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def operate(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """`left <name> right`. Errors: a break where there is no rule, or where Python raises."""
    for asked in by_rank(left, right):
        answer = asked.binary(trace, name, left, right, in_place=in_place)
        if answer is not None:
            return answer
    return operate_values(trace, name, left, right, in_place=in_place)


def by_rank(left: Value, right: Value) -> tuple[Value, Value]:
    """The two operands, first the one that is asked first."""
    return (left, right) if left.operator_rank >= right.operator_rank else (right, left)


def compare(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` for a comparison."""
    left, right = (each.plain() if isinstance(each, StructSequence) else each for each in (left, right))
    for asked in by_rank(left, right):
        answer = asked.compare(trace, name, left, right)
        if answer is not None:
            return answer
    return compare_values(trace, name, left, right)


def equal(trace: Trace, left: Value, right: Value) -> bool:
    """Whether a container or an iterator takes the two for the same: by identity, else by `==`."""
    return is_or_equals(trace, left, right)


def operate_unary(trace: Trace, name: str, value: Value) -> Value:
    """`<name> value`."""
    if name == "not":
        if is_symbolic(trace, value):
            return opposite(trace, value)
        if isinstance(value, input_scalar.InputNumber) and type(value.example) is bool:
            return value.unary(trace, name)
        return Constant(not truth(trace, value))
    return value.unary(trace, name)


def as_bool(trace: Trace, value: Value) -> Value:
    """`bool(value)` as a value."""
    if is_symbolic(trace, value):
        return host_number(trace, condition(trace, value))
    return Constant(truth(trace, value))


def truth(trace: Trace, value: Value) -> bool:
    """`bool(value)`."""
    return value.truth(trace)


def contains(trace: Trace, element: Value, container: Value) -> bool:
    """`element in container`."""
    return container.contains(trace, element)


def membership(trace: Trace, element: Value, container: Value, *, negated: bool) -> Value:
    """`element in container`, or `not in`, as a value."""
    if by_kernels(trace, element) and isinstance(container, (TupleValue, Constant)):
        items = container.elements(trace)
        return standalone_number(trace, lambda: functions.among(trace, element, items, negated=negated))
    return Constant(contains(trace, element, container) is not negated)
