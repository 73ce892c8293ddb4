"""Operators and comparisons of containers, texts and classes, and of known values, by Python itself."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ...core.config import config
from ..breaks import ProgramRaised
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import LITERALS, Constant
from ..values.containers.deques import DequeValue
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.element_protocol import constant_value
from ..values.containers.iterators import Iterator
from ..values.containers.ranges import RangeValue, SliceValue
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.containers.sets import SetValue, compare_sets, set_operator
from ..values.late_text import texts_for
from ..values.numbers.input_scalar import InputNumber, rely_on_type
from ..values.numbers.object_id import IdentityValue
from ..values.numbers.symbolic_int import SymInt
from ..values.objects.builtin_types import union
from ..values.python_operators import BINARY
from ..values.text import text_of
from . import dunder_operators

if TYPE_CHECKING:
    from ..tracing.trace import Trace

CONTAINERS = (Sequence, DequeValue, DictValue, DictView, SetValue, RangeValue, SliceValue)
_STAND_INS: dict[type, Any] = {kind: kind() for kind in (list, tuple, deque, dict, set, frozenset)}


# Comparisons.
def compare_values(trace: Trace, name: str, left: Value, right: Value) -> Value:
    """`left <name> right`. Errors: a break where there is no rule, or where Python raises."""
    if isinstance(left, IdentityValue) and isinstance(right, IdentityValue) and name in ("==", "!="):
        return Constant(left.equals(trace, right) is (name == "=="))
    if name in ("==", "!=") and _compare_by_identity(left, right):
        return Constant((left is right) is (name == "=="))
    compare = BINARY[name][0]
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
    try:
        return Constant(compare(left.constant(trace), right.constant(trace)))
    except TypeError as error:
        raise ProgramRaised(error) from None


def _compare_by_identity(left: Value, right: Value) -> bool:
    sides = left.is_one_object, right.is_one_object
    literal = any(type(each) is Constant and type(each.value) in LITERALS for each in (left, right))
    return all(sides) or any(sides) and literal


def is_or_equals(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right or left == right`, as containers ask it. Errors: a break where that is not known."""
    if dunder_operators.concerns(left, right):
        return dunder_operators.is_or_equals(trace, left, right)
    left, right = texts_for(trace, [left, right], lambda: left is right)
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
    return isinstance(left, InputNumber) and isinstance(right, InputNumber) and left.source == right.source


def _is_nan(value: Value) -> bool:
    if type(value) is SymInt:
        return False
    known = value.example if isinstance(value, InputNumber) else getattr(value, "value", None)
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
    return Constant(BINARY[name][0](len(left), len(right)))


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
    compare = BINARY[name][0]
    one, other = (stand_in(trace, each) for each in (left, right))
    try:
        compare(one, other)
    except TypeError as error:
        raise ProgramRaised(error) from None
    return Constant(name == "!=")


def stand_in(trace: Trace, value: Value) -> Any:
    """An object of the value's built-in type, to have Python say what it thinks of such operands.

    Errors: a break for objects of other classes.
    """
    if isinstance(value, InputNumber):
        rely_on_type(trace, value)
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


# Other operators.
def operate_values(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    """`left <name> right`. Errors: a break where there is no rule, or where Python raises."""
    if isinstance(left, Constant) and type(left.value) in (str, bytes) and name == "%":
        return text_of(BINARY[name][0], [left.value, right.constant(trace)], {})
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
        if answer is not None:
            return answer
        raise _unfit(trace, name, left, right, in_place=in_place)
    if name == "|" and (isinstance(left, BuiltinCallable) or isinstance(right, BuiltinCallable)):
        return union(left, right)
    if isinstance(left, Sequence) or isinstance(right, Sequence):
        return _operate_sequences(trace, name, left, right, in_place=in_place)
    if _is_known(left) and _is_known(right) and name in BINARY:
        return constant_value(_fold_any(trace, BINARY[name][0], left, right))
    raise _unfit(trace, name, left, right, in_place=in_place)


def _is_known(value: Value) -> bool:
    return isinstance(value, InputNumber) or isinstance(value, Constant) and type(value.value) in LITERALS


def _fold_any(trace: Trace, function: Any, left: Value, right: Value) -> Any:
    try:
        return function(left.constant(trace), right.constant(trace))
    except (ArithmeticError, ValueError, TypeError, LookupError) as error:
        raise ProgramRaised(error) from None


def _operate_sequences(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value:
    if name == "+" and in_place and isinstance(left, ListValue):
        extend_list(trace, left, right)
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
    if in_place or name not in BINARY:
        return left.unsupported(f"the operator `{name}`")
    try:
        BINARY[name][0](stand_in(trace, left), stand_in(trace, right))
    except TypeError as error:
        return ProgramRaised(error)
    return left.unsupported(f"the operator `{name}`")


def extend_list(trace: Trace, target: ListValue, items: Value) -> None:
    """`target.extend(items)`; what an iterator gives is appended as it comes, since its code may look at the list."""
    for each in items if isinstance(items, Iterator) else items.elements(trace):
        target.append(each)


def _repeated(sequence: Sequence, times: int) -> list[Value]:
    """The items so many times over. Errors: a break where they are more than a trace may evaluate."""
    if len(sequence.items) * times > config.trace_limit:
        raise sequence.unsupported(f"more than {config.trace_limit} elements")
    return sequence.items * times
