"""The attribute protocol of objects: what reading, writing and deleting `owner.name` does, by Python's own rules."""

from __future__ import annotations

import enum
import functools
import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import Equals, Is
from ....guards.sources import Attribute, ConstantSource, Source
from ...breaks import ProgramRaised
from ..base import Value, wrap
from ..builtin_callable import BuiltinCallable
from ..constant import NONE, Constant
from ..functions.functions import BoundMethod, FunctionValue
from .classes import ABSENT, SLOT_WRAPPERS, class_attribute, class_itself, is_data, shown_name
from .inherited_methods import NativeMethod
from .type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .user_object import UserObject

_OF_METACLASS = frozenset(name for name, found in vars(type).items() if isinstance(found, types.GetSetDescriptorType))
_OF_METACLASS |= {"__class__", "__base__", "__basicsize__", "__flags__", "__mro__", "__itemsize__", "__dictoffset__"}
FROM_KEYS = vars(dict)["fromkeys"]
"""`dict.fromkeys`, as it is looked up by subclasses."""
_PLAIN_SETTERS = (object.__setattr__, BaseException.__setattr__, types.SimpleNamespace.__setattr__)
_PLAIN_DELETERS = (object.__delattr__, BaseException.__delattr__, types.SimpleNamespace.__delattr__)


def missing(owner: Value, name: str) -> ProgramRaised:
    """The error for an attribute that is not there."""
    return ProgramRaised(AttributeError(f"{shown_name(owner.python_type)!r} object has no attribute {name!r}"))


def no_room(trace: Trace, owner: Value, name: str, *, deletes: bool = False) -> ProgramRaised:
    """The error for an attribute that is to be set, or deleted, where there is no dict for it."""
    cls = owner.python_type
    trace.guard(Equals, Attribute(ConstantSource(cls, cls.__qualname__), "__name__"), expected=cls.__name__)
    defined = {} if class_attribute(trace, cls, name)[0] is ABSENT else {name: None}
    stand_in = type(cls.__name__, (), {"__slots__": (), **defined})()
    try:
        delattr(stand_in, name) if deletes else setattr(stand_in, name, None)
    except AttributeError as error:
        return ProgramRaised(error.with_traceback(None))
    raise AssertionError("an object without a dict has room for an attribute")


# Reading.
def read_attribute(trace: Trace, owner: UserObject, name: str) -> Value:
    """`owner.name`; `__getattr__` has the last word."""
    try:
        return read_plainly(trace, owner, name)
    except ProgramRaised as raised:
        if not isinstance(raised.error, AttributeError):
            raise
        found, source = class_attribute(trace, owner.python_type, "__getattr__")
        if found is ABSENT:
            raise
        if not isinstance(found, types.FunctionType):
            raise owner.unsupported(f"the attribute {name!r}") from None
        return wrap(trace, found, source).call(trace, [owner, Constant(name)], {})


def read_plainly(trace: Trace, owner: UserObject, name: str) -> Value:
    """The attribute as `object.__getattribute__` gives it."""
    found, source = class_attribute(trace, owner.python_type, name)
    if found is ABSENT:
        value = owner.own(trace, name)
        if value is None:
            raise missing(owner, name)
        return value
    if not is_data(trace, found, source):
        value = owner.own(trace, name)
        if value is not None:
            trace.guard(Is, source, expected=found)
            return value
    return get(trace, found, source, owner, owner.python_type, name)


def get(trace: Trace, found: Any, source: Source, owner: UserObject | None, cls: type, name: str) -> Value:
    """The result of reading a class's entry on an instance, or on the class itself, where `owner` is None."""
    kind = type(found)
    if kind is staticmethod:
        trace.guard(Is, source, expected=found)
        return wrap(trace, found.__func__, Attribute(source, "__func__"))
    if kind is classmethod:
        trace.guard(Is, source, expected=found)
        function = wrap(trace, found.__func__, Attribute(source, "__func__"))
        if not isinstance(function, FunctionValue):
            raise class_itself(cls).unsupported(f"the classmethod {name!r}")
        return BoundMethod(function, class_itself(cls))
    if kind is types.ClassMethodDescriptorType and name == "fromkeys" and issubclass(cls, dict):
        return NativeMethod(class_itself(cls), FROM_KEYS)
    if owner is None:
        return _get_on_class(trace, found, source, cls, name)
    if isinstance(found, types.FunctionType):
        return BoundMethod(wrap(trace, found, source), owner)
    if kind in SLOT_WRAPPERS:
        trace.guard(Is, source, expected=found)
        return NativeMethod(owner, found, source)
    if kind is property:
        trace.guard(Is, source, expected=found)
        if found.fget is None:
            raise _refused_by(trace, found, cls, "__get__")
        return wrap(trace, found.fget, Attribute(source, "fget")).call(trace, [owner], {})
    if kind is enum.property and name in ("name", "value") and found is vars(enum.Enum)[name]:
        trace.guard(Is, source, expected=found)
        return read_plainly(trace, owner, f"_{name}_")
    if kind is types.MemberDescriptorType and name != "__dict__":
        trace.guard(Is, source, expected=found)
        return owner.slot(trace, found, name)
    if kind is functools.cached_property:
        return _fill(trace, found, source, owner, name)
    if kind in (types.GetSetDescriptorType, types.MemberDescriptorType):
        return _built_in(trace, found, owner, name)
    return _through_get(trace, found, source, owner, cls, name)


def _get_on_class(trace: Trace, found: Any, source: Source, cls: type, name: str) -> Value:
    kind = type(found)
    if isinstance(found, types.FunctionType):
        return wrap(trace, found, source)
    if kind in SLOT_WRAPPERS:
        trace.guard(Is, source, expected=found)
        return BuiltinCallable(found, source)
    if kind in (property, functools.cached_property, types.MemberDescriptorType, types.GetSetDescriptorType):
        raise class_itself(cls).unsupported(f"the attribute {name!r}")
    return _through_get(trace, found, source, None, cls, name)


def _through_get(trace: Trace, found: Any, source: Source, owner: UserObject | None, cls: type, name: str) -> Value:
    """An entry of any other class: what its `__get__` gives, or itself where it has none."""
    getter, place = class_attribute(trace, type(found), "__get__")
    if getter is ABSENT:
        return wrap(trace, found, source)
    if not isinstance(getter, types.FunctionType):
        raise (owner or class_itself(cls)).unsupported(f"the attribute {name!r}")
    descriptor = wrap(trace, found, source)
    return wrap(trace, getter, place).call(trace, [descriptor, owner or NONE, class_itself(cls)], {})


def _fill(trace: Trace, found: Any, source: Source, owner: UserObject, name: str) -> Value:
    """A cached property that is not filled yet: computed, and kept by the instance."""
    trace.guard(Is, source, expected=found)
    if found.attrname is None or not owner.takes_new_attributes(trace):
        raise owner.unsupported("a cached property that is not filled yet")
    trace.guard(Equals, Attribute(source, "attrname"), expected=found.attrname)
    value = wrap(trace, found.func, Attribute(source, "func")).call(trace, [owner], {})
    owner.put(trace, found.attrname, value)
    return value


def _built_in(trace: Trace, found: Any, owner: UserObject, name: str) -> Value:
    if name == "__class__" and found is vars(object)["__class__"]:
        return class_itself(owner.python_type)
    if name == "__dict__":
        return owner.namespace(trace)
    from ..containers.builtin_subclasses import BuiltinSubclassInstance

    if isinstance(owner, BuiltinSubclassInstance) and found.__objclass__ is owner.plain_type:
        return owner.held.attribute(trace, name)  # type: ignore[no-any-return]
    raise owner.unsupported(f"the attribute {name!r}")


def read_class(trace: Trace, owner: BuiltinCallable, name: str) -> Value:
    """The result of reading an attribute of a class itself."""
    cls = owner.function
    if name in ("__name__", "__qualname__", "__module__"):
        return wrap(trace, getattr(cls, name), Attribute(ConstantSource(cls, cls.__qualname__), name))
    if name == "__class__":
        return class_itself(type(cls))
    if name == "__doc__" and cls.__flags__ & HEAP_TYPE and type(vars(cls).get(name)) in (str, type(None)):
        found, source = class_attribute(trace, cls, name)
        return wrap(trace, found, source)
    if name in _OF_METACLASS:
        raise owner.unsupported(f"the attribute {name!r}")
    put = trace.effects.external.class_value(cls, name)
    if put is not None:
        return put
    found, source = class_attribute(trace, cls, name)
    if found is ABSENT:
        if class_attribute(trace, type(cls), name)[0] is ABSENT:
            raise ProgramRaised(AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}"))
        raise owner.unsupported(f"the attribute {name!r}")
    return get(trace, found, source, None, cls, name)


def _refused_by(trace: Trace, found: property, cls: type, method: Any, *args: None) -> ProgramRaised:
    """The error of a property that cannot be read, set or deleted, which names the class."""
    trace.guard(Equals, Attribute(ConstantSource(cls, cls.__qualname__), "__qualname__"), expected=cls.__qualname__)
    stand_in = type(cls.__name__, (), {"__qualname__": cls.__qualname__})()
    try:
        getattr(found, method)(stand_in, *args)
    except AttributeError as error:
        return ProgramRaised(error.with_traceback(None))
    raise AssertionError("a property without that function gave a value")


# Writing.
def write_attribute(trace: Trace, owner: UserObject, name: str, value: Value) -> None:
    """`owner.name = value`."""
    setter, source = class_attribute(trace, owner.python_type, "__setattr__")
    if setter in _PLAIN_SETTERS:
        store(trace, owner, name, value)
    elif isinstance(setter, types.FunctionType):
        wrap(trace, setter, source).call(trace, [owner, Constant(name), value], {})
    else:
        raise owner.unsupported(f"an assignment to {name!r}")


def store(trace: Trace, owner: UserObject, name: str, value: Value) -> None:
    """Sets an attribute as `object.__setattr__` does."""
    found, source = class_attribute(trace, owner.python_type, name)
    if found is not ABSENT and is_data(trace, found, source):
        _change(trace, found, source, owner, name, value)
        return
    if found is not ABSENT:
        trace.guard(Is, source, expected=found)
    owner.put(trace, name, value)


def remove_attribute(trace: Trace, owner: UserObject, name: str) -> None:
    """`del owner.name`."""
    deleter, source = class_attribute(trace, owner.python_type, "__delattr__")
    if deleter in _PLAIN_DELETERS:
        discard(trace, owner, name)
    elif isinstance(deleter, types.FunctionType):
        wrap(trace, deleter, source).call(trace, [owner, Constant(name)], {})
    else:
        raise owner.unsupported(f"a deletion of {name!r}")


def discard(trace: Trace, owner: UserObject, name: str) -> None:
    """Deletes an attribute as `object.__delattr__` does."""
    found, source = class_attribute(trace, owner.python_type, name)
    if found is not ABSENT and is_data(trace, found, source):
        _change(trace, found, source, owner, name, None)
        return
    if found is not ABSENT:
        trace.guard(Is, source, expected=found)
    owner.remove(trace, name)


def _change(trace: Trace, found: Any, source: Source, owner: UserObject, name: str, value: Value | None) -> None:
    """Hand a new value to a data descriptor; None deletes."""
    given = [] if value is None else [value]
    if type(found) is property:
        trace.guard(Is, source, expected=found)
        part = "fdel" if value is None else "fset"
        function = getattr(found, part)
        if function is None:
            raise _refused_by(
                trace, found, owner.python_type, *(["__delete__"] if value is None else ["__set__", None])
            )
        wrap(trace, function, Attribute(source, part)).call(trace, [owner, *given], {})
    elif type(found) is types.MemberDescriptorType:
        trace.guard(Is, source, expected=found)
        owner.put_slot(trace, found, name, value)
    else:
        method = "__delete__" if value is None else "__set__"
        function, place = class_attribute(trace, type(found), method)
        if not isinstance(function, types.FunctionType):
            raise owner.unsupported(f"an assignment to {name!r}")
        wrap(trace, function, place).call(trace, [wrap(trace, found, source), owner, *given], {})
