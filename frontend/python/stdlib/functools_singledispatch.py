"""`functools.singledispatch`: which function is chosen for a class."""

# Note [What was chosen once]
# Python keeps what it has chosen for a class until something is registered, also when the bases of the class change
# meanwhile. So the trace reads what is kept, and keeps what it chooses, as Python would in its place: the choice is the
# same whoever comes first. What is registered is guarded, as any dict that is read.

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...breaks import UNKNOWN_CALL
from ...values.base import Value
from ...values.containers.dicts import DictValue
from ...values.functions.functions import FunctionValue
from ...values.functions.scopes import OuterScope

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_INSIDE = functools.singledispatch.__code__.co_consts
_DISPATCH = next(each for each in _INSIDE if isinstance(each, types.CodeType) and each.co_name == "dispatch")

Rule = Callable[["Trace", FunctionValue, list[Value], dict[str, Value]], Value]


def rule_by_code(code: types.CodeType) -> Rule | None:
    """The rule for a function of the standard library that is made anew again and again, known by its code."""
    return _dispatch if code is _DISPATCH else None


def _dispatch(trace: Trace, function: FunctionValue, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """`dispatch(cls)`: what is registered for the first class of the MRO that has anything registered."""
    unknown = UNKNOWN_CALL.stop(name="singledispatch in this form")
    registry = function.scope.free_cell(trace, "registry").value
    if len(args) != 1 or kwargs or not isinstance(registry, DictValue) or not isinstance(function.scope, OuterScope):
        raise unknown
    cls = args[0].constant(trace)
    if cls in registry.items:
        return registry.items[cls]
    if type(cls) is not type or not all(type(each) is type for each in registry.items):
        raise UNKNOWN_CALL.stop(name="singledispatch among abstract classes")
    real, kept = (_cell(function.scope.function, name) for name in ("registry", "dispatch_cache"))
    if any(key == id(registry) for key, _ in trace.effects.pending) or type(kept) is not weakref.WeakKeyDictionary:
        raise unknown
    choices: dict[Any, Any] = vars(kept)["data"]
    chosen = choices.get(weakref.ref(cls))
    if chosen is None:
        chosen = real[next(each for each in cls.__mro__ if each in real)]
        choices[weakref.ref(cls, vars(kept)["_remove"])] = chosen
    return next(registry.items[each] for each in real if real[each] is chosen)


def _cell(function: types.FunctionType, name: str) -> Any:
    assert function.__closure__ is not None
    return function.__closure__[function.__code__.co_freevars.index(name)].cell_contents
