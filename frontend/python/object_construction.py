"""Calls of classes, and what `object` itself does: `__new__`, `__init__`, `__setattr__` and their like."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...guards.guard import Is
from ...guards.sources import Attribute
from ..breaks import UNKNOWN_CALL, GraphBreak, ProgramRaised
from ..tracing.inline_policy import is_followed, is_numpys
from ..tracing.rules import traces
from ..values.base import Value, wrap
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import NONE
from ..values.containers.builtin_subclasses import BuiltinSubclassInstance, native
from ..values.objects.classes import ORDINARY_METACLASSES, SLOT_WRAPPERS, class_attribute
from ..values.objects.descriptors import discard, read_plainly, store
from ..values.objects.new_instance import new_instance
from ..values.objects.user_object import UserObject
from .builtin_subclass_methods import call_native

if TYPE_CHECKING:
    from ..tracing.trace import Trace

NEW = object.__new__

Constructor = Callable[["Trace", BuiltinCallable, list[Value], dict[str, Value]], "Value | None"]
_CONSTRUCTORS: dict[type, Constructor] = {}
"""By a base class: what a call of a class below it gives, or None where that is to be found as `type.__call__` does."""


def constructs(base: type) -> Callable[[Constructor], Constructor]:
    """Registers the rule for calls of `base` and of the classes below it."""

    def register(rule: Constructor) -> Constructor:
        _CONSTRUCTORS[base] = rule
        return rule

    return register


def construct(trace: Trace, cls: BuiltinCallable, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """`cls(*args, **kwargs)`, as `type.__call__` does it: `__new__`, then `__init__` of what that gave."""
    kind = cls.function
    scope = {"__name__": vars(kind).get("__module__")}
    if type(kind) not in ORDINARY_METACLASSES or not is_followed(scope) or is_numpys(scope):
        raise UNKNOWN_CALL.stop(name=cls.describe())
    call, source = class_attribute(trace, type(kind), "__call__")
    trace.guard(Is, source, expected=call)
    for base, rule in _CONSTRUCTORS.items():
        ready = rule(trace, cls, args, kwargs) if issubclass(kind, base) else None
        if ready is not None:
            return ready
    made = _new(trace, cls, args, kwargs)
    if isinstance(made, UserObject) and issubclass(made.python_type, kind):
        _initialise(trace, made, args, kwargs)
    return made


def _new(trace: Trace, cls: BuiltinCallable, args: list[Value], kwargs: dict[str, Value]) -> Value:
    kind = cls.function
    found, source = class_attribute(trace, kind, "__new__")
    trace.guard(Is, source, expected=found)
    if found is NEW:
        initialises = class_attribute(trace, kind, "__init__")[0] is not object.__init__
        if (args or kwargs) and not initialises:
            raise ProgramRaised(TypeError(f"{kind.__name__}() takes no arguments"))
        return new_instance(trace, kind)
    if type(found) is types.BuiltinFunctionType and native(kind) is not None:
        return BuiltinCallable(found).call(trace, [cls, *args], kwargs)
    if not isinstance(found, staticmethod) or not isinstance(found.__func__, types.FunctionType):
        raise UNKNOWN_CALL.stop(name=cls.describe())
    return wrap(trace, found.__func__, Attribute(source, "__func__")).call(trace, [cls, *args], kwargs)


def _initialise(trace: Trace, made: UserObject, args: list[Value], kwargs: dict[str, Value]) -> None:
    found, source = class_attribute(trace, made.python_type, "__init__")
    if found is object.__init__:
        return  # `__new__` had its say on superfluous arguments
    if isinstance(made, BuiltinSubclassInstance) and type(found) in SLOT_WRAPPERS:
        call_native(trace, found, made, args, kwargs)
        return
    if not isinstance(found, types.FunctionType):
        raise UNKNOWN_CALL.stop(name=f"{made.python_type.__name__}.__init__")
    result = wrap(trace, found, source).call(trace, [made, *args], kwargs)
    if result.python_type is not type(None):
        raise ProgramRaised(TypeError(f"__init__() should return None, not '{result.python_type.__name__}'"))


def _object(trace: Trace, value: Value, operation: str) -> UserObject:
    if not isinstance(value, UserObject):
        raise _unfit(operation)
    return value


def _unfit(operation: str) -> GraphBreak:
    return UNKNOWN_CALL.stop(name=f"object.{operation} in this form")


@traces(object.__new__)
def new(trace: Trace, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`object.__new__(cls)`."""
    if not isinstance(cls, BuiltinCallable) or type(cls.function) not in ORDINARY_METACLASSES or args or kwargs:
        raise _unfit("__new__")
    return new_instance(trace, cls.function)


@traces(object.__init__)
def init(trace: Trace, owner: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`object.__init__(self)`, which does nothing."""
    _object(trace, owner, "__init__")
    if args or kwargs:
        raise _unfit("__init__")
    return NONE


@traces(object.__setattr__)
def set_attribute(trace: Trace, owner: Value, name: Value, value: Value, /) -> Value:
    """`object.__setattr__(self, name, value)`, as frozen dataclasses use it."""
    trace.refuse_in_iterations("object.__setattr__()")
    store(trace, _object(trace, owner, "__setattr__"), name.constant(trace), value)
    return NONE


@traces(object.__delattr__)
def delete_attribute(trace: Trace, owner: Value, name: Value, /) -> Value:
    """`object.__delattr__(self, name)`."""
    trace.refuse_in_iterations("object.__delattr__()")
    discard(trace, _object(trace, owner, "__delattr__"), name.constant(trace))
    return NONE


@traces(object.__getattribute__)
def get_attribute(trace: Trace, owner: Value, name: Value, /) -> Value:
    """`object.__getattribute__(self, name)`."""
    return read_plainly(trace, _object(trace, owner, "__getattribute__"), name.constant(trace))
