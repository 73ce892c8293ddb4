"""The operators of the language over traced values, by what the operands are: arrays, numbers, containers, others."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ...core.dtypes import DType
from ...guards.guard import Different, Same
from ..regions.numbers import functions
from ..regions.numbers.arithmetic import condition, host_number, is_symbolic, opposite
from ..regions.numbers.optional import Optional
from ..regions.numbers.python_or_numpy import PythonOrNumpyNumber
from ..regions.standalone import by_kernels, standalone_number
from ..values.arrays.array import ArrayValue
from ..values.base import MutableValue, Sentinel, Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import Constant, is_singleton
from ..values.containers.sequences import TupleValue
from ..values.containers.struct_sequences import StructSequence
from ..values.functions.functions import FunctionValue
from ..values.numbers import input_scalar
from ..values.numbers.computed import ComputedNumber
from ..values.objects.objects import ModuleValue
from ..values.tensors.tensor import TensorValue, refuse_merged
from . import dunder_operators
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


def identity(trace: Trace, left: Value, right: Value, *, negated: bool) -> Value:
    """`left is right`, or `is not`. Errors: a break where the objects' identity is not known."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ComputedNumber) and one.python_type is bool and isinstance(other, Constant):
            if type(other.value) is bool:
                return one if other.value is not negated else opposite(trace, one)
    return Constant(identical(trace, left, right) is not negated)


def identical(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right`. Errors: a break where the objects' identity is not known."""
    for each in (left, right):
        if isinstance(each, Optional):
            raise each.unsupported("the operator `is`")
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant) and is_singleton(one.value):
            if isinstance(other, input_scalar.InputNumber):
                input_scalar.rely_on_type(trace, other)
            return isinstance(other, Constant) and other.value is one.value or _outcome_is(trace, other, one.value)
    if dunder_operators.concerns(left, right):
        return dunder_operators.is_same(trace, left, right)
    for rounds in trace.iterations:
        rounds.refuse_identity(left, right)
    if isinstance(left, TensorValue) and isinstance(right, TensorValue):
        for each in (left, right):
            refuse_merged(each, "an identity that only the run knows")
    if left is right:
        return True
    if left.is_one_object or right.is_one_object:
        return False
    if (
        isinstance(left, ArrayValue)
        and isinstance(right, ArrayValue)
        and not left.is_numpy_scalar
        and not right.is_numpy_scalar
    ):
        if left.source is not None and right.source is not None:
            trace.guard(Different, left.source, other=right.source)
        return False
    if isinstance(left, TensorValue) and isinstance(right, TensorValue):
        if left.source is not None and right.source is not None:
            trace.guard(Different, left.source, other=right.source)
        return False
    if isinstance(left, MutableValue) and isinstance(right, MutableValue) and left.met_once and right.met_once:
        if left.source is not None and right.source is not None:
            if left.home is not None and right.home is not None:
                trace.guard(Different, left.source, other=right.source)
                return False
    if _are_different(trace, left, right):
        return False
    if isinstance(left, Sentinel) and isinstance(right, Sentinel):
        return left.is_same(trace, right)
    if isinstance(left, BuiltinCallable) and isinstance(right, BuiltinCallable):
        return left.function is right.function
    if isinstance(left, ModuleValue) and isinstance(right, ModuleValue):
        return left.module is right.module
    if isinstance(left, FunctionValue) and isinstance(right, FunctionValue):
        return _is_same_function(trace, left, right)
    if isinstance(left, Constant) and isinstance(right, Constant) and type(left.value) is type(right.value):
        kind: Any = type(left.value)
        if kind is DType or kind.__eq__ is object.__eq__:  # a layout, say, which is relied on as the object that it is
            return left.value is right.value
    raise left.unsupported("the operator `is`")


def _is_same_function(trace: Trace, left: FunctionValue, right: FunctionValue) -> bool:
    """Whether two functions are one object: those from outside are met by several names."""
    if left.real is None or right.real is None or left.place is None or right.place is None:
        return False  # the trace made one of them, and knows it by one value alone
    same = left.real is right.real
    if left.place != right.place:
        trace.guard(Same if same else Different, left.place, other=right.place)
    return same


def _are_different(trace: Trace, left: Value, right: Value) -> bool:
    """Whether two values are surely two objects: by their types, or since the trace made one that can be changed."""
    for each in (left, right):
        if isinstance(each, input_scalar.InputNumber):
            input_scalar.rely_on_type(trace, each)
    if left.python_type is not right.python_type:
        return True
    mutable = left.python_type in (list, dict, set, deque)
    return mutable and (left.source is None or right.source is None)


def _outcome_is(trace: Trace, value: Value, wanted: Any) -> bool:
    if isinstance(value, input_scalar.InputNumber) and type(value.example) is bool and isinstance(wanted, bool):
        return value.truth(trace) is wanted
    kind = (
        value.python
        if isinstance(value, PythonOrNumpyNumber)
        else value.python_type
        if isinstance(value, ComputedNumber)
        else None
    )
    if kind is bool and isinstance(wanted, bool):
        raise value.unsupported("the operator `is`")
    return False
