"""What the entries of templates are made of: real objects of the right types, which hold nothing of the program's."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ..breaks import CLASS_INSIDE, GraphBreak
from .base import Value
from .classes import ABSENT, SLOT_WRAPPERS, class_attribute
from .constant import LITERALS, Constant
from .functions import Function, bare
from .known import Known
from .new_descriptors import NewDescriptor
from .new_instances import NewInstance
from .objects import Instance
from .sequences import Sequence
from .templates import metaclass
from .user_object import UserObject

if TYPE_CHECKING:
    from ..trace import Trace

_PROTOCOL = ("__get__", "__set__", "__delete__")


def stand_in(trace: Trace, name: str, value: Value) -> Any:
    """The entry of a template for a traced value. See Note [Templates]. Errors: a break for one without a stand-in."""
    if name == "__slots__":
        return _slots(trace, value)
    if isinstance(value, Constant):
        return value.value if type(value.value) in LITERALS else _plain(name, value, type(value.value))
    if isinstance(value, NewDescriptor):
        return value.made([_part(trace, each) for each in value.parts.values()])
    if isinstance(value, (Function, Known)):
        return _callable(trace, name, value)
    if isinstance(value, UserObject):
        return _object(trace, name, value)
    return _plain(name, value, value.python_type)


def _unfit(name: str, what: str) -> GraphBreak:
    return CLASS_INSIDE.stop(what=f"{what} as {name!r}")


def _slots(trace: Trace, value: Value) -> tuple[str, ...]:
    names = value.elements(trace) if isinstance(value, Sequence) else [value]
    return tuple(each.constant(trace) for each in names)


def _plain(name: str, value: Value, kind: type) -> object:
    """For a value that its class gives as it is."""
    if any(hasattr(kind, each) for each in (*_PROTOCOL, "__set_name__")):
        raise _unfit(name, f"a {kind.__name__}")
    return object()


def _noted(trace: Trace, real: Any, value: Value) -> Any:
    trace.stand_ins[id(real)] = real, value
    return real


def _callable(trace: Trace, name: str, value: Function | Known) -> Any:
    if isinstance(value, Function):
        return _noted(trace, bare(value.code), value)
    if isinstance(value.function, types.FunctionType):
        return _noted(trace, bare(value.function.__code__), value)
    if isinstance(value.function, SLOT_WRAPPERS):
        return value.function
    if isinstance(value.function, type):
        if metaclass(value.function) is not type:
            raise _unfit(name, "a class with a metaclass")
        return object()
    return _plain(name, value, type(value.function))


def _part(trace: Trace, value: Value) -> Any:
    """What stands for a part of a property, or of a method of the class."""
    if isinstance(value, Constant):
        return value.value
    code = value.code if isinstance(value, Function) else (lambda: None).__code__
    return _noted(trace, bare(code), value)


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
