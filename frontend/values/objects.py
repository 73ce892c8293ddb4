"""Modules, classes and instances of users' classes."""

# Note [Reading attributes]
# A guard must not run user code, so nothing here is read through the dots of the language. An attribute of an instance
# is an item of its own dict; one of a class is an item of the dict of the class in the MRO that defines it, with guards
# that the classes before it do not, that the MRO is the same, and that nobody has put a `__getattribute__` in the way.

from __future__ import annotations

import functools
import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.package import PACKAGE
from ...guards.containers import LacksKey
from ...guards.guard import Is, TypeIs
from ...guards.sources import Attribute, Item, Pinned, Source
from ..breaks import RAISES
from .base import Value, wrap, wraps, wraps_when
from .functions import BoundMethod, Function, Known, Named

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace

ABSENT = object()
_HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: a class whose attributes can be assigned."""
_DESCRIPTOR = ("__get__", "__set__", "__delete__")
_KNOWN_DESCRIPTORS = (types.FunctionType, staticmethod, classmethod, functools.cached_property)
"""Those of which the tracer knows what reading them gives; an instance's own attribute wins over each."""


class Module(Value):
    """A module; attributes are read from its dict and guarded by what they are."""

    __slots__ = ("module", "source")

    def __init__(self, module: types.ModuleType, source: Source) -> None:
        self.module = module
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return types.ModuleType

    def attribute(self, trace: Trace, name: str) -> Value:
        table = vars(self.module)
        if name not in table and table.get("__name__") == PACKAGE:
            getattr(self.module, name, None)  # a lazy name is there once it was asked for
        if name not in table:
            raise self.unsupported(f"the attribute {name!r}")
        return wrap(trace, table[name], Named(Item(Pinned(table, "the module's dict"), name), f"{self.source}.{name}"))


@wraps_when(lambda value: value is sys.modules.get(PACKAGE))
@wraps(types.ModuleType)
def wrap_module(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Module(value, source)


class Instance(Value):
    """An object of a class written in Python that reads attributes in the ordinary way."""

    __slots__ = ("source", "value")

    def __init__(self, value: Any, source: Source) -> None:
        self.value = value
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return type(self.value)

    def attribute(self, trace: Trace, name: str) -> Value:
        cls, own = type(self.value), vars(self.value)
        found, source = class_attribute(trace, cls, name)
        if found is ABSENT:
            if name not in own:
                raise RAISES.stop(error=f"AttributeError: {cls.__name__!r} object has no attribute {name!r}")
            return self._own(trace, name)
        if type(found) is property:
            trace.guard(Is, source, expected=found)
            if not isinstance(found.fget, types.FunctionType):
                raise self.unsupported(f"the property {name!r}")
            return wrap(trace, found.fget, Attribute(source, "fget")).call(trace, [self], {})
        if not _yields_to_instance(found):
            raise self.unsupported(f"the attribute {name!r}")
        if name in own:
            trace.guard(Is, source, expected=found)
            return self._own(trace, name)
        trace.guard(LacksKey, _dict_of(self.source), key=name)
        return bind(trace, found, source, self)

    def _own(self, trace: Trace, name: str) -> Value:
        return wrap(trace, vars(self.value)[name], Named(Item(_dict_of(self.source), name), f"{self.source}.{name}"))

    def holds(self, trace: Trace, name: str, value: Value) -> bool:
        """Whether assigning `value` to an attribute changes nothing, since the instance holds that very object."""
        from .array import ArrayValue

        cls = type(self.value)
        if not isinstance(value, ArrayValue) or value.generic or name not in vars(self.value):
            return False
        setter, source = class_attribute(trace, cls, "__setattr__")
        trace.guard(Is, source, expected=setter)
        if setter is not object.__setattr__ or class_attribute(trace, cls, name)[0] is not ABSENT:
            return False
        return self._own(trace, name) is value

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        found, source = class_attribute(trace, type(self.value), "__call__")
        if not isinstance(found, types.FunctionType):
            raise self.unsupported("a call")
        return wrap(trace, found, source).call(trace, [self, *args], kwargs)

    def rebuild(self, writer: Writer) -> str:
        return self.source.text(writer.pool)


def _dict_of(instance: Source) -> Source:
    return Named(Attribute(instance, "__dict__"), f"vars({instance})")


def class_attribute(trace: Trace, cls: type, name: str) -> tuple[Any, Source]:
    """What the class or a base defines as `name`, and its source; `ABSENT` when none does. Guarded either way."""
    if any(base.__flags__ & _HEAP_TYPE for base in cls.__mro__):
        trace.guard(Is, Attribute(Pinned(cls, cls.__qualname__), "__mro__"), expected=cls.__mro__)
    for base in cls.__mro__:
        table = Attribute(Pinned(base, base.__qualname__), "__dict__")
        if name in vars(base):
            return vars(base)[name], Named(Item(table, name), f"{cls.__qualname__}.{name}")
        if base.__flags__ & _HEAP_TYPE:
            trace.guard(LacksKey, Named(table, base.__qualname__), key=name)
    return ABSENT, Pinned(cls, cls.__qualname__)


def bind(trace: Trace, found: Any, source: Source, owner: Instance) -> Value:
    """What reading a class's entry gives on an instance."""
    if isinstance(found, types.FunctionType):
        return BoundMethod(wrap(trace, found, source), owner)
    if type(found) is staticmethod:
        trace.guard(Is, source, expected=found)
        return wrap(trace, found.__func__, Attribute(source, "__func__"))
    if type(found) is classmethod:
        trace.guard(Is, source, expected=found)
        function = wrap(trace, found.__func__, Attribute(source, "__func__"))
        if not isinstance(function, Function):
            raise owner.unsupported(f"the classmethod {source}")
        return BoundMethod(function, _class_itself(type(owner.value)))
    if type(found) is functools.cached_property:
        raise owner.unsupported("a cached property that is not filled yet")
    return wrap(trace, found, source)


def _class_itself(cls: type) -> Known:
    return Known(cls, Pinned(cls, cls.__qualname__))


def read_class(trace: Trace, owner: Known, name: str) -> Value:
    """What reading an attribute of a class itself gives."""
    cls = owner.function
    found, source = class_attribute(trace, cls, name)
    if found is ABSENT or type(found) is not classmethod and not _yields_to_instance(found):
        raise owner.unsupported(f"the attribute {name!r}")
    if type(found) is staticmethod:
        trace.guard(Is, source, expected=found)
        return wrap(trace, found.__func__, Attribute(source, "__func__"))
    if type(found) is classmethod:
        trace.guard(Is, source, expected=found)
        function = wrap(trace, found.__func__, Attribute(source, "__func__"))
        if isinstance(function, Function):
            return BoundMethod(function, _class_itself(cls))
        raise owner.unsupported(f"the attribute {name!r}")
    return wrap(trace, found, source)


def _yields_to_instance(found: Any) -> bool:
    """Whether an instance's own attribute wins over this entry of its class, and reading it runs no unknown code."""
    kind = type(found)
    if kind in _KNOWN_DESCRIPTORS:
        return True
    if kind.__flags__ & _HEAP_TYPE:
        return False
    return not any(name in vars(base) for base in kind.__mro__ for name in _DESCRIPTOR)


def is_read_plainly(trace: Trace, found: Any) -> bool:
    """The same, of entries of any class: guarded where that class could still be given such a method."""
    if type(found) in _KNOWN_DESCRIPTORS:
        return True
    return all(class_attribute(trace, type(found), name)[0] is ABSENT for name in _DESCRIPTOR)


def _reads_plainly(value: Any) -> bool:
    """Whether attributes of the object are read by the ordinary rules: found without running any code of its class."""
    cls = type(value)
    if type(cls) is not type or _package(cls) in ("numpy", "builtins"):
        return False
    own = {name for base in cls.__mro__ if base is not object for name in vars(base)}
    if own & {"__getattribute__", "__getattr__", "__class__"}:
        return False
    slots = [vars(base)["__dict__"] for base in cls.__mro__ if "__dict__" in vars(base)]
    return bool(slots) and all(type(each) is types.GetSetDescriptorType for each in slots) and type(vars(value)) is dict


_MODULE_OF = vars(type)["__module__"]


def _package(cls: type) -> str:
    # Asked of the class as `type` answers, so that no metaclass has a say.
    module = _MODULE_OF.__get__(cls)
    return module.partition(".")[0] if type(module) is str else ""


@wraps(type)
def wrap_class(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Known(value, source)


@wraps_when(lambda value: type(value) is np.ufunc)
def wrap_ufunc(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Known(value, source)


@wraps_when(
    lambda value: _package(type(value)) == "numpy" and callable(value) and not issubclass(type(value), np.ndarray)
)
def wrap_numpy_callable(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Known(value, source)


@wraps(types.MethodType)
def wrap_method(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=types.MethodType)
    function = wrap(trace, value.__func__, Attribute(source, "__func__"))
    return BoundMethod(function, wrap(trace, value.__self__, Attribute(source, "__self__")))


@wraps_when(_reads_plainly)
def wrap_instance(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=type(value))
    trace.guard(TypeIs, _dict_of(source), expected=dict)
    class_attribute(trace, type(value), "__getattribute__")  # guards that no class comes to define one
    return Instance(value, source)


__all__ = ["Function", "Instance", "Module", "class_attribute"]
