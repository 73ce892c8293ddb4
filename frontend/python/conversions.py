"""Built-in functions of one object that ask its class: `hash`, `int`, `str`, `abs` and their like."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...guards.guard import Is
from ..breaks import ProgramRaised
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import Constant
from ..values.containers.builtin_subclasses import BuiltinSubclassInstance
from ..values.numbers import input_scalar
from ..values.objects.classes import class_attribute, shown_name
from ..values.objects.user_object import UserObject

if TYPE_CHECKING:
    from ..tracing.trace import Trace

CALLED = {
    abs: "__abs__", round: "__round__", math.floor: "__floor__", math.ceil: "__ceil__", math.trunc: "__trunc__",
}  # fmt: skip
"""Built-in functions that are one special method."""
_OF_FLOAT = frozenset(
    getattr(math, name)
    for name in """
    acos acosh asin asinh atan atanh cos cosh degrees erf erfc exp expm1 fabs gamma isfinite isinf isnan lgamma log1p
    radians sin sinh sqrt tan tanh
    """.split()
)
"""Functions that take whatever has a `__float__`."""


def call_built_in(trace: Trace, function: Any, value: UserObject, *args: Value) -> Value:
    """`abs(value)` and its like. Errors: a break for a function or a class that has another way to answer."""
    if isinstance(value, BuiltinSubclassInstance) and value.plain_type is float and function in _OF_FLOAT:
        return BuiltinCallable(function).call(trace, [value.held, *args], {})  # which asks no `__float__` then
    name = CALLED.get(function)
    answer = value.special(trace, name, *args) if name is not None else None
    if answer is None and function in _OF_FLOAT and not args:
        return BuiltinCallable(function).call(trace, [as_number(trace, float, value)], {})
    if answer is None:
        raise value.unsupported(f"{function.__name__}()")
    return answer


def as_hash(trace: Trace, value: UserObject) -> Value:
    """`hash(value)` by its own method. Errors: a break where that is no function in Python."""
    found, source = class_attribute(trace, value.python_type, "__hash__")
    if found is None:
        trace.guard(Is, source, expected=None)
        raise ProgramRaised(TypeError(f"unhashable type: {shown_name(value.python_type)!r}"))
    answer = value.special(trace, "__hash__")
    known: Any = None if answer is None else answer.constant(trace)
    if type(known) not in (int, bool):
        raise value.unsupported("hash()")
    fits = -(1 << 63) <= known < 1 << 63
    number = int(known) if fits else hash(known)
    return Constant(-2 if number == -1 else number)


def as_index(trace: Trace, value: UserObject) -> int:
    """`operator.index(value)`."""
    if isinstance(value, BuiltinSubclassInstance) and value.plain_type is int:
        return int(value.held.constant(trace))  # which asks no `__index__`
    answer = value.special(trace, "__index__")
    if answer is None:
        raise value.unsupported("a subscript")
    found = answer.constant(trace)
    if type(found) is not int:
        raise value.unsupported("a subscript")
    return found


def as_number(trace: Trace, kind: type, value: UserObject) -> Value:
    """`int(value)` or `float(value)`."""
    answer = value.special(trace, f"__{kind.__name__}__")
    if answer is None:
        raise value.unsupported(f"{kind.__name__}()")
    if isinstance(answer, input_scalar.InputNumber):
        input_scalar.rely_on_type(trace, answer)
    if answer.python_type is not kind:
        raise value.unsupported(f"{kind.__name__}()")
    return answer


def as_text(trace: Trace, value: UserObject, name: str = "__str__", *args: Value) -> Value:
    """`str(value)`, `repr(value)` or `format(value, spec)`, by the special method's name."""
    found, _ = class_attribute(trace, value.python_type, name)
    if name == "__format__" and found is object.__format__ and args[0].constant(trace) == "":
        return as_text(trace, value)
    if name == "__str__" and found is object.__str__:
        return as_text(trace, value, "__repr__")
    answer = value.special(trace, name, *args)
    assert answer is not None
    if answer.python_type is not str:
        raise ProgramRaised(TypeError(f"{name} returned non-string (type {answer.python_type.__name__})"))
    return answer
