"""The entries of class templates: real objects of the right types, which hold nothing of the program's."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ...breaks import CLASS_INSIDE, GraphBreak
from ..base import Value
from ..builtin_callable import BuiltinCallable
from ..constant import LITERALS, Constant
from ..containers.sequences import Sequence
from ..functions.functions import BoundMethod, FunctionValue, bare
from ..objects.classes import ABSENT, SLOT_WRAPPERS, class_attribute
from ..objects.objects import Instance
from ..objects.user_object import UserObject
from .class_templates import metaclass
from .descriptors import NewDescriptor
from .instances import NewInstance

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_PROTOCOL = ("__get__", "__set__", "__delete__")
_WRAPPED = ("__new__", "__init_subclass__", "__class_getitem__")
"""Names whose functions `type` makes static methods or class methods."""


def stand_in(trace: Trace, name: str, value: Value) -> Any:
    """The entry of a template for a traced value. See Note [Templates]. Errors: a break for one without a stand-in."""
    if name == "__slots__":
        return _slots(trace, value)
    if isinstance(value, Constant):
        return value.value if type(value.value) in LITERALS else _plain(name, type(value.value))
    if isinstance(value, BoundMethod):
        return object()  # it binds no further
    if isinstance(value, NewDescriptor):
        return value.stand_in([_part(trace, each) for each in value.parts.values()])
    if isinstance(value, (FunctionValue, BuiltinCallable)):
        return _callable(trace, name, value)
    if isinstance(value, UserObject):
        return _object(trace, name, value)
    return _plain(name, value.python_type)


def _unfit(name: str, what: str) -> GraphBreak:
    return CLASS_INSIDE.stop(what=f"{what} as {name!r}")


def _slots(trace: Trace, value: Value) -> tuple[str, ...]:
    listed = value.elements(trace) if isinstance(value, Sequence) else [value]
    names = tuple(each.constant(trace) for each in listed)
    if {"__dict__", "__weakref__"} & set(names):
        raise _unfit("__slots__", "a slot for what a base may have already")
    return names


def _plain(name: str, kind: type) -> object:
    """For a value that its class gives as it is."""
    if any(hasattr(kind, each) for each in (*_PROTOCOL, "__set_name__")):
        raise _unfit(name, f"a {kind.__name__}")
    return object()


def _noted(trace: Trace, value: Value, code: types.CodeType) -> types.FunctionType:
    """The function that stands for a traced value wherever that is, so that `is` tells the same of both."""
    known = next((real for real, noted in trace.template_values.values() if noted is value), None)
    real: types.FunctionType = bare(code) if known is None else known
    trace.template_values[id(real)] = real, value
    return real


def _callable(trace: Trace, name: str, value: FunctionValue | BuiltinCallable) -> Any:
    if isinstance(value, FunctionValue):
        return _noted(trace, value, value.code) if value.real is None or name in _WRAPPED else value.real
    if isinstance(value.function, types.FunctionType):
        return _noted(trace, value, value.function.__code__)
    if isinstance(value.function, SLOT_WRAPPERS):
        return value.function
    kind = type(value.function)
    return _plain(name, metaclass(value.function) if issubclass(kind, type) else kind)


def _part(trace: Trace, value: Value) -> Any:
    """The object that stands for a part of a property, or for the function of a static method or class method."""
    if isinstance(value, Constant):
        return value.value
    code = value.code if isinstance(value, FunctionValue) else (lambda: None).__code__
    return _noted(trace, value, code)


def _object(trace: Trace, name: str, value: UserObject) -> Any:
    """For an object of a user's class, which may be a descriptor."""
    kind = value.python_type
    if class_attribute(trace, kind, "__set_name__")[0] is not ABSENT:
        raise _unfit(name, "an object with a __set_name__")
    if all(class_attribute(trace, kind, each)[0] is ABSENT for each in _PROTOCOL):
        return object()
    if not isinstance(value, (Instance, NewInstance)) or class_attribute(trace, kind, "__del__")[0] is not ABSENT:
        raise _unfit(name, f"a {kind.__name__}")
    return object.__new__(kind)
