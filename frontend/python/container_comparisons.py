"""Comparisons of containers, element by element, and of known values, by Python itself."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ..breaks import raised
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import LITERALS, Constant
from ..values.containers.deques import DequeValue
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.ranges import RangeValue, SliceValue
from ..values.containers.sequences import Sequence
from ..values.containers.sets import SetValue, compare_sets
from ..values.created.class_templates import metaclass
from ..values.created.classes import NewClass
from ..values.numbers import input_scalar
from ..values.numbers.symbolic_int import SymInt
from . import dunder_operators

if TYPE_CHECKING:
    from ..tracing.trace import Trace

CONTAINERS = (Sequence, DequeValue, DictValue, DictView, SetValue, RangeValue, SliceValue)
_STAND_INS: dict[type, Any] = {kind: kind() for kind in (list, tuple, deque, dict, set, frozenset)}


def compare_values(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right`. Errors: a break where there is no rule, or where Python raises."""
    compare = input_scalar.SCALAR_OPERATORS[name][0]
    if isinstance(left, Sequence) and isinstance(right, Sequence) and left.python_type is right.python_type:
        return _sequences(trace, name, left, right)
    if isinstance(left, DequeValue) and isinstance(right, DequeValue):
        return _deques(trace, name, left, right)
    if isinstance(left, DictValue) and isinstance(right, DictValue) and name in ("==", "!="):
        return Constant(_equal_dicts(trace, left, right) is (name == "=="))
    if isinstance(left, RangeValue) and isinstance(right, RangeValue) and name in ("==", "!="):
        return Constant(compare(left.range, right.range))
    if isinstance(left, SliceValue) and isinstance(right, SliceValue):
        return _tuples(trace, name, list(left.parts), list(right.parts))
    found = compare_sets(trace, compare, left, right)
    if found is None and (isinstance(left, CONTAINERS) or isinstance(right, CONTAINERS)):
        return _unlike(trace, name, left, right)
    if found is not None:
        return found
    if name in ("==", "!=") and (isinstance(left, NewClass) or isinstance(right, NewClass)):
        return Constant(_is_one_class(left, right) is (name == "=="))
    try:
        return Constant(compare(left.constant(trace), right.constant(trace)))
    except TypeError as error:
        raise raised(error) from None


def _is_one_class(left: Value, right: Value) -> bool:
    """`left == right` where one is a class of the call's own. Errors: a break where the other may see it otherwise."""
    for each in (left, right):
        if (
            not isinstance(each, BuiltinCallable)
            or not isinstance(each.function, type)
            or metaclass(each.function) is not type
        ):
            raise each.unsupported("the operator `==`")
    return left is right


def is_or_equals(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right or left == right`, as containers ask it. Errors: a break where that is not known."""
    if dunder_operators.concerns(left, right):
        return dunder_operators.is_or_equals(trace, left, right)
    if left is right or _one_object(left, right):
        return True
    from .operators import compare, truth

    if truth(trace, compare(trace, "==", left, right)):
        return True
    if _is_nan(left) and _is_nan(right):
        raise left.unsupported("a comparison of NaNs, which are equal if they are one object,")
    return False


def _one_object(left: Value, right: Value) -> bool:
    """Whether two traced values are surely one object."""
    if type(left) is SymInt or type(right) is SymInt:
        return False
    if isinstance(left, Constant) and isinstance(right, Constant):
        return left.value is right.value
    return (
        isinstance(left, input_scalar.InputNumber)
        and isinstance(right, input_scalar.InputNumber)
        and left.source == right.source
    )


def _is_nan(value: Value) -> bool:
    if type(value) is SymInt:
        return False
    known = value.example if isinstance(value, input_scalar.InputNumber) else getattr(value, "value", None)
    return type(known) in (float, complex) and known != known


def _sequences(trace: Trace, name: str, left: Sequence, right: Sequence) -> Value:
    if left.python_type is list and name in ("==", "!=") and len(left.items) != len(right.items):
        return Constant(name == "!=")
    return _tuples(trace, name, left.items, right.items)


def _deques(trace: Trace, name: str, left: DequeValue, right: DequeValue) -> Value:
    from .operators import truth

    if name in ("==", "!=") and len(left.items) != len(right.items):
        return Constant(name == "!=")
    begun = left.changed, right.changed
    answer = truth(trace, _tuples(trace, name, list(left.items), list(right.items)))
    if (left.changed, right.changed) != begun:
        raise left.unsupported("a comparison that changes it")
    return Constant(answer)


def _tuples(trace: Trace, name: str, left: list[Value], right: list[Value]) -> Value:
    from .operators import compare

    for one, other in zip(left, right, strict=False):
        if not is_or_equals(trace, one, other):
            return Constant(name == "!=") if name in ("==", "!=") else compare(trace, name, one, other)
    return Constant(input_scalar.SCALAR_OPERATORS[name][0](len(left), len(right)))


def _equal_dicts(trace: Trace, left: DictValue, right: DictValue) -> bool:
    if len(left.items) != len(right.items):
        return False
    for key, value in left.items.items():
        found = right.items.get(key)
        if found is None or not is_or_equals(trace, value, found):
            return False
    return True


def _unlike(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """A comparison of a container with a value of another built-in type."""
    compare = input_scalar.SCALAR_OPERATORS[name][0]
    one, other = (stand_in(trace, each) for each in (left, right))
    try:
        compare(one, other)
    except TypeError as error:
        raise raised(error) from None
    return Constant(name == "!=")


def stand_in(trace: Trace, value: Value) -> Any:
    """An object of the value's built-in type, to have Python say what it thinks of such operands.

    Errors: a break for objects of other classes.
    """
    if isinstance(value, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, value)
        return value.example
    if isinstance(value, Constant) and type(value.value) in LITERALS:
        return value.value
    if isinstance(value, RangeValue):
        return value.range
    if isinstance(value, SliceValue):
        return slice(None)
    if isinstance(value, DictView):
        return getattr({}, value.name)()
    if isinstance(value, (Sequence, DequeValue, DictValue, SetValue)) and value.python_type in _STAND_INS:
        return _STAND_INS[value.python_type]
    raise value.unsupported("an operator")


__all__ = ["CONTAINERS", "compare_values", "is_or_equals", "stand_in"]
