"""The operators of the language over traced values, by what the operands are: arrays, numbers, containers, others."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ...core.config import config
from ...core.dtypes import DType
from ...guards.guard import Different, Same
from ..breaks import RAISES, raised
from ..regions.arrays.views import RegionArray, is_array
from ..regions.numbers.arithmetic import condition, host_number, is_python_number, is_symbolic, negate, opposite
from ..regions.numbers.arithmetic import operate as number_operator
from ..regions.numbers.host_comparing import compared
from ..regions.numbers.optional import Optional
from ..regions.numbers.python_or_numpy import PythonOrNumpyNumber
from ..regions.numbers.python_or_numpy import operate as loose_operator
from ..regions.standalone import standalone_number
from ..values import protocols
from ..values.arrays.array import ArrayValue
from ..values.base import MutableValue, Sentinel, Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import LITERALS, Constant, is_singleton
from ..values.containers.deques import DequeValue
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.element_protocol import constant_value
from ..values.containers.iterators import Iterator
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.containers.sets import SetValue, set_operator
from ..values.containers.struct_sequences import StructSequence
from ..values.functions.functions import FunctionValue
from ..values.numbers import input_scalar, symbolic_int
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.object_id import IdentityValue
from ..values.numbers.symbolic_int import SymInt
from ..values.objects.builtin_types import union
from ..values.objects.user_object import UserObject
from ..values.tensors.tensor import TensorValue, refuse_merged
from ..values.text import text_of
from . import dunder_operators
from .container_comparisons import compare_values, is_or_equals, stand_in

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def operate(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """`left <name> right`. Errors: a break where there is no rule, or where Python raises."""
    if dunder_operators.concerns(left, right):
        return dunder_operators.operate(trace, name, left, right, in_place=in_place)
    if of_region(left, right) and (trace.region is not None or not _are_loose(left, right)):
        return region_operator(trace, name, left, right)
    if type(left) is SymInt or type(right) is SymInt:
        of_sizes = symbolic_int.operate(name, left, right)
        if of_sizes is not None:
            return of_sizes
        if input_scalar.is_number(left) and input_scalar.is_number(right):
            left, right = symbolic_int.as_scalar(trace, left), symbolic_int.as_scalar(trace, right)
    if isinstance(left, TensorValue) or isinstance(right, TensorValue):
        return protocols.tensor_operator(trace, name, left, right, in_place=in_place)
    if isinstance(left, (ArrayValue, RegionArray)) or isinstance(right, (ArrayValue, RegionArray)):
        return protocols.array_operator(trace, name, left, right, in_place=in_place)
    if input_scalar.is_number(left) and input_scalar.is_number(right):
        if isinstance(left, Constant) and isinstance(right, Constant):
            return (
                _fold(input_scalar.SCALAR_OPERATORS[name][0], left, right)
                if name in input_scalar.SCALAR_OPERATORS
                else _refuse(left, name)
            )
        return input_scalar.binary(trace, name, left, right)
    if isinstance(left, Constant) and type(left.value) in (str, bytes) and name == "%":
        return text_of(input_scalar.SCALAR_OPERATORS[name][0], [left.value, right.constant(trace)], {})
    if isinstance(left, (SetValue, DictView)) and isinstance(right, (SetValue, DictView)):
        return set_operator(trace, name, left, right, in_place=in_place)
    if isinstance(left, DictValue) and name == "|":
        from .dict_methods import join

        joined = join(trace, left, right, in_place=in_place)
        if joined is not None:
            return joined
    if isinstance(left, DequeValue) or isinstance(right, DequeValue):
        from .stdlib import collections_deque

        answer = collections_deque.operate(trace, name, left, right, in_place=in_place)
        if answer is None:
            raise _unfit(trace, name, left, right, in_place=in_place)
        return answer
    if name == "|" and (isinstance(left, BuiltinCallable) or isinstance(right, BuiltinCallable)):
        return union(left, right)
    if in_place and name == "+" and hasattr(left, "extended"):
        return left.extended(trace, right)  # type: ignore[no-any-return]
    if isinstance(left, Sequence) or isinstance(right, Sequence):
        return _sequences(trace, name, left, right, in_place=in_place)
    if _is_known(left) and _is_known(right) and name in input_scalar.SCALAR_OPERATORS:
        return constant_value(_fold_any(trace, input_scalar.SCALAR_OPERATORS[name][0], left, right))
    raise _unfit(trace, name, left, right, in_place=in_place)


def of_region(left: Value, right: Value) -> bool:
    """Whether an operation is one of Python numbers that a region computes."""
    if isinstance(left, PythonOrNumpyNumber) or isinstance(right, PythonOrNumpyNumber):
        return not (is_array(left) or is_array(right))
    computed = isinstance(left, ComputedNumber) or isinstance(right, ComputedNumber)
    return computed and is_python_number(left) and is_python_number(right)


def region_operator(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` of such numbers."""
    if _are_loose(left, right):
        return loose_operator(trace, name, left, right)
    return standalone_number(trace, lambda: number_operator(trace, name, left, right))


def _are_loose(*values: Value) -> bool:
    return any(isinstance(each, PythonOrNumpyNumber) for each in values)


def _refuse(value: Value, name: str) -> Value:
    raise _refuse_error(value, name)


def _refuse_error(value: Value, name: str) -> Exception:
    return value.unsupported(f"the operator `{name}`")


def _fold(function: Any, *operands: Constant) -> Value:
    try:
        return Constant(function(*(each.value for each in operands)))
    except (ArithmeticError, ValueError) as error:
        raise raised(error) from None
    except TypeError as error:  # whose words are others for the in-place form
        raise RAISES.stop(error=f"TypeError: {error}") from None


def _is_known(value: Value) -> bool:
    return isinstance(value, input_scalar.InputNumber) or isinstance(value, Constant) and type(value.value) in LITERALS


def _fold_any(trace: Trace, function: Any, left: Value, right: Value) -> Any:
    try:
        return function(left.constant(trace), right.constant(trace))
    except (ArithmeticError, ValueError, TypeError, LookupError) as error:
        raise raised(error) from None


def _sequences(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    if name == "+" and in_place and isinstance(left, ListValue):
        extend(trace, left, right)
        return left
    if name == "*" and in_place and isinstance(left, ListValue) and type(times := right.constant(trace)) is int:
        left.changing()[:] = _repeated(left, times)
        return left
    if name == "+" and type(left) is type(right) and isinstance(left, Sequence) and isinstance(right, Sequence):
        if type(left) is TupleValue and not (left.items and right.items):
            return left if left.items else right  # the very object, as in Python
        return type(left)([*left.items, *right.items])
    if name == "*" and not (isinstance(left, Sequence) and isinstance(right, Sequence)):
        sequence, count = (left, right) if isinstance(left, Sequence) else (right, left)
        if isinstance(sequence, Sequence) and type(times := count.constant(trace)) is int:
            if type(sequence) is TupleValue and (times == 1 or not sequence.items):
                return sequence
            return type(sequence)(_repeated(sequence, times))
    raise _unfit(trace, name, left, right, in_place=in_place)


def _unfit(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Exception:
    """The break for operands that do not go together: Python raises, unless one is of a class that may know how."""
    if in_place or name not in input_scalar.SCALAR_OPERATORS:
        return _refuse_error(left, name)
    try:
        input_scalar.SCALAR_OPERATORS[name][0](stand_in(trace, left), stand_in(trace, right))
    except TypeError as error:
        return raised(error)
    return _refuse_error(left, name)


def extend(trace: Trace, target: ListValue, items: Value) -> None:
    """`target.extend(items)`; what an iterator gives is appended as it comes, since its code may look at the list."""
    for each in items if isinstance(items, Iterator) else items.elements(trace):
        target.append(each)


def _repeated(sequence: Sequence, times: int) -> list[Value]:
    """The items so many times over. Errors: a break where they are more than a trace may evaluate."""
    if len(sequence.items) * times > config.trace_limit:
        raise sequence.unsupported(f"more than {config.trace_limit} elements")
    return sequence.items * times


def compare(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right` for a comparison."""
    left, right = (each.plain() if isinstance(each, StructSequence) else each for each in (left, right))
    if dunder_operators.concerns(left, right):
        return dunder_operators.compare(trace, name, left, right)
    _refuse_optional(f"the operator `{name}`", left, right)
    if trace.region is not None and of_region(left, right):
        return region_operator(trace, name, left, right)
    if isinstance(left, ComputedNumber) or isinstance(right, ComputedNumber):
        of_numbers = compared(trace, name, left, right)
        if of_numbers is not None:
            return of_numbers
    if type(left) is SymInt or type(right) is SymInt:
        of_sizes = symbolic_int.operate(name, left, right)
        if of_sizes is not None:
            return of_sizes
    if isinstance(left, TensorValue) or isinstance(right, TensorValue):
        return protocols.tensor_operator(trace, name, left, right)
    if isinstance(left, (ArrayValue, RegionArray)) or isinstance(right, (ArrayValue, RegionArray)):
        return protocols.array_operator(trace, name, left, right)
    if isinstance(left, IdentityValue) and isinstance(right, IdentityValue) and name in ("==", "!="):
        return Constant(left.equals(trace, right) is (name == "=="))
    if name in ("==", "!=") and _compare_by_identity(left, right):
        return Constant((left is right) is (name == "=="))
    if isinstance(left, input_scalar.InputNumber) or isinstance(right, input_scalar.InputNumber):
        if input_scalar.is_number(left) and input_scalar.is_number(right):
            return input_scalar.binary(trace, name, left, right)
    return compare_values(trace, name, left, right)


def _refuse_optional(operation: str, *values: Value) -> None:
    for each in values:
        if isinstance(each, Optional):
            raise each.unsupported(operation)


def _compare_by_identity(left: Value, right: Value) -> bool:
    sides = left.is_one_object, right.is_one_object
    literal = any(type(each) is Constant and type(each.value) in LITERALS for each in (left, right))
    return all(sides) or any(sides) and literal


def equal(trace: Trace, left: Value, right: Value) -> bool:
    """Whether a container or an iterator takes the two for the same: by identity, else by `==`."""
    return is_or_equals(trace, left, right)


def operate_unary(trace: Trace, name: str, value: Value) -> Value:
    """`<name> value`."""
    if name == "not":
        if is_symbolic(trace, value):
            return opposite(trace, value)
        if isinstance(value, input_scalar.InputNumber) and type(value.example) is bool:
            return input_scalar.unary(trace, name, value)
        return Constant(not truth(trace, value))
    if type(value) is SymInt:
        of_size = symbolic_int.operate(name, value)
        if of_size is not None:
            return of_size
    if isinstance(value, ComputedNumber) and name == "-":
        return standalone_number(trace, lambda: negate(trace, value))
    if isinstance(value, ComputedNumber) and name == "~" and value.python_type is int:
        return standalone_number(trace, lambda: number_operator(trace, "-", Constant(-1), value))
    if name == "~" and isinstance(value, (Constant, input_scalar.InputNumber)) and value.python_type is bool:
        raise _refuse_error(value, name)  # Python warns of it, at the user's line
    if isinstance(value, UserObject):
        return dunder_operators.operate_unary(trace, name, value)
    if isinstance(value, TensorValue):
        return protocols.tensor_unary(trace, name, value)
    if isinstance(value, (ArrayValue, RegionArray)):
        return protocols.array_unary(trace, name, value)
    if isinstance(value, input_scalar.InputNumber):
        return input_scalar.unary(trace, name, value)
    if isinstance(value, Constant) and not (name == "~" and type(value.value) is bool):  # which may warn
        return _fold(input_scalar.UNARY_OPERATORS[name][0], value)
    raise _refuse_error(value, name)


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


def identity(trace: Trace, left: Value, right: Value, *, negated: bool) -> Value:
    """`left is right`, or `is not`. Errors: a break where the objects' identity is not known."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ComputedNumber) and one.python_type is bool and isinstance(other, Constant):
            if type(other.value) is bool:
                return one if other.value is not negated else opposite(trace, one)
    return Constant(identical(trace, left, right) is not negated)


def identical(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right`. Errors: a break where the objects' identity is not known."""
    _refuse_optional("the operator `is`", left, right)
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
    if isinstance(left, ArrayValue) and isinstance(right, ArrayValue) and not left.generic and not right.generic:
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
    if isinstance(left, FunctionValue) and isinstance(right, FunctionValue):
        return _is_same_function(trace, left, right)
    if isinstance(left, Constant) and isinstance(right, Constant) and type(left.value) is type(right.value) is DType:
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
