"""`functools.singledispatch`: which function is chosen for a class."""

# Note [What was chosen once]
# Python keeps what it has chosen for a class until something is registered, also when the bases of the class change
# meanwhile. So the trace reads what is kept, and keeps what it chooses, as Python would in its place: the choice is the
# same whoever comes first. What is registered is guarded, as any dict that is read.

from __future__ import annotations

import functools
import types
import weakref
from typing import TYPE_CHECKING, Any

from ....guards.sources import ConstantSource
from ...breaks import UNKNOWN_CALL
from ...tracing.rules import Rule, traces_family
from ...values.base import Value
from ...values.containers.dicts import DictValue
from ...values.functions.scopes import OuterScope

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_INSIDE = functools.singledispatch.__code__.co_consts
_DISPATCH = next(each for each in _INSIDE if isinstance(each, types.CodeType) and each.co_name == "dispatch")


@traces_family
def find_dispatch(function: Any) -> Rule | None:
    """The rule for the function `dispatch`, which each generic function has one of."""
    known = type(function) is types.FunctionType and function.__code__ is _DISPATCH
    return functools.partial(_dispatch, function) if known else None


def _dispatch(function: types.FunctionType, trace: Trace, cls: Value) -> Value:
    """`dispatch(cls)`: what is registered for the first class of the MRO that has anything registered."""
    scope = OuterScope(function, ConstantSource(function, "dispatch"))
    registry = scope.free_cell(trace, "registry").value
    unknown = UNKNOWN_CALL.stop(name="singledispatch in this form")
    if not isinstance(registry, DictValue):
        raise unknown
    kind = cls.constant(trace)
    if kind in registry.items:
        return registry.items[kind]
    if type(kind) is not type or not all(type(each) is type for each in registry.items):
        raise UNKNOWN_CALL.stop(name="singledispatch among abstract classes")
    real, kept = (_cell(function, name) for name in ("registry", "dispatch_cache"))
    if any(key == id(registry) for key, _ in trace.effects.pending) or type(kept) is not weakref.WeakKeyDictionary:
        raise unknown
    choices: dict[Any, Any] = vars(kept)["data"]
    chosen = choices.get(weakref.ref(kind))
    if chosen is None:
        chosen = real[next(each for each in kind.__mro__ if each in real)]
        choices[weakref.ref(kind, vars(kept)["_remove"])] = chosen
    return next(registry.items[each] for each in real if real[each] is chosen)


def _cell(function: types.FunctionType, name: str) -> Any:
    assert function.__closure__ is not None
    return function.__closure__[function.__code__.co_freevars.index(name)].cell_contents
