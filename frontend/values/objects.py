"""Modules, classes and instances of users' classes."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ...guards.guard import Is, LacksAttribute, LacksKey, TypeIs
from ...guards.sources import Attribute, InstanceAttribute, Pinned, Source
from ..breaks import RAISES, SIDE_EFFECT
from .base import Value, wrap, wraps, wraps_when
from .functions import BoundMethod, Function, Known

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace


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
        if name not in vars(self.module):
            raise self.unsupported(f"the attribute {name!r}")
        return wrap(trace, vars(self.module)[name], Attribute(self.source, name))


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
        cls = type(self.value)
        class_source = Pinned(cls, cls.__qualname__)
        found = _class_attribute(cls, name)
        own = vars(self.value)
        if found is None:
            trace.guard(LacksAttribute, class_source, name=name)
            if name not in own:
                raise RAISES.stop(error=f"AttributeError: {cls.__name__!r} object has no attribute {name!r}")
            return wrap(trace, own[name], InstanceAttribute(self.source, name))
        if isinstance(found, types.FunctionType):
            if name in own:
                raise self.unsupported(f"the attribute {name!r}, a method hidden by the instance")
            trace.guard(LacksKey, Attribute(self.source, "__dict__"), key=name)
            function = wrap(trace, found, Attribute(class_source, name))
            return BoundMethod(function, self)
        if isinstance(found, staticmethod) and name not in own:
            trace.guard(LacksKey, Attribute(self.source, "__dict__"), key=name)
            return wrap(trace, found.__func__, Attribute(class_source, name))
        if type(found) in (int, float, str, bool, tuple, type(None), np.ndarray):
            if name in own:
                trace.guard(Is, Attribute(class_source, name), expected=found)
                return wrap(trace, own[name], InstanceAttribute(self.source, name))
            trace.guard(LacksKey, Attribute(self.source, "__dict__"), key=name)
            return wrap(trace, found, Attribute(class_source, name))
        raise self.unsupported(f"the attribute {name!r}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        found = _class_attribute(type(self.value), "__call__")
        if not isinstance(found, types.FunctionType):
            raise self.unsupported("a call")
        cls = type(self.value)
        function = wrap(trace, found, Attribute(Pinned(cls, cls.__qualname__), "__call__"))
        return function.call(trace, [self, *args], kwargs)

    def set_attribute(self, name: str) -> None:
        raise SIDE_EFFECT.stop(name=f"{self.source}.{name}")

    def rebuild(self, writer: Writer) -> str:
        return self.source.text(writer.pool)


def _class_attribute(cls: type, name: str) -> Any:
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


def _reads_plainly(value: Any) -> bool:
    cls = type(value)
    return (
        type(cls) is type
        and cls.__getattribute__ is object.__getattribute__
        and _class_attribute(cls, "__getattr__") is None
        and isinstance(getattr(value, "__dict__", None), dict)
        and not isinstance(value, type)
        and cls.__module__.split(".")[0] not in ("numpy", "builtins")
    )


@wraps(type)
def wrap_class(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Known(value, source)


@wraps_when(lambda value: isinstance(value, np.ufunc))
def wrap_ufunc(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(Is, source, expected=value)
    return Known(value, source)


@wraps_when(lambda value: type(value).__module__.startswith("numpy") and callable(value) and not isinstance(value, np.ndarray))
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
    return Instance(value, source)


__all__ = ["Function", "Instance", "Module"]
