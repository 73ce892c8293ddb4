"""Properties, static and class methods, and cached properties that the traced function makes."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from ...breaks import ProgramRaised
from ...tracing.rules import traces
from ..base import Value
from ..constant import NONE, Constant, is_none
from ..functions.functions import FunctionValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

_ACCESSORS = {"getter": "fget", "setter": "fset", "deleter": "fdel"}


class NewDescriptor(Value):
    """One of them; `parts` are the arguments by name that make it."""

    __slots__ = ("_stand_in", "kind", "parts")

    def __init__(self, kind: type, parts: dict[str, Value]) -> None:
        self.kind = kind
        self.parts = parts
        self._stand_in: Any = None

    @property
    def python_type(self) -> type:
        return self.kind

    def stand_in(self, parts: list[Any]) -> Any:
        """The real one of these parts, the same at each time."""
        if self._stand_in is None:
            named = dict(zip(self.parts, parts, strict=True))
            self._stand_in = property(**named) if self.kind is property else self.kind(*parts)
        return self._stand_in

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if self.kind is staticmethod:
            return next(iter(self.parts.values())).call(trace, args, kwargs)
        raise ProgramRaised(TypeError(f"{self.kind.__name__!r} object is not callable"))

    def attribute(self, trace: Trace, name: str) -> Value:
        if self.kind is property and name in _ACCESSORS:
            return _Accessor(self, name)
        if self.kind is property and name in _ACCESSORS.values():
            return self.parts.get(name, NONE)
        if self.kind in (staticmethod, classmethod) and name in ("__func__", "__wrapped__"):
            return self.parts["function"]
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: self._new(writer))

    def _new(self, writer: EntryWriter) -> str:
        if any(isinstance(each, FunctionValue) and each.attributes is not None for each in self.parts.values()):
            raise self.unsupported("a return")  # the attributes are copied, and some may have been set since
        given = [each.rebuild(writer) for each in self.parts.values()]
        if self.kind is property:
            given = [f"{name}={text}" for name, text in zip(self.parts, given, strict=True)]
        return f"{writer.pool.add(self.kind)}({', '.join(given)})"


class _Accessor(Value):
    """`setter` and its like, of a property."""

    def __init__(self, owner: NewDescriptor, name: str) -> None:
        self.owner = owner
        self.name = name

    @property
    def python_type(self) -> type:
        return types.BuiltinMethodType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) != 1 or kwargs or is_none(args[0]):
            raise self.unsupported("a call")
        return NewDescriptor(property, {**self.owner.parts, _ACCESSORS[self.name]: args[0]})


def _fits(value: Value) -> bool:
    return isinstance(value, FunctionValue)


@traces(property)
def property_(
    trace: Trace, fget: Value = NONE, fset: Value = NONE, fdel: Value = NONE, doc: Value | None = None
) -> Value:
    """`property(fget, fset, fdel, doc)`."""
    given = {"fget": fget, "fset": fset, "fdel": fdel}
    parts = {name: value for name, value in given.items() if not is_none(value)}
    refused = next((each for each in parts.values() if not _fits(each)), None)
    if refused is not None or doc is not None and not isinstance(doc, Constant):
        raise (refused or doc or NONE).unsupported("property()")
    return NewDescriptor(property, parts if doc is None or is_none(doc) else {**parts, "doc": doc})


def _of_function(kind: type, function: Value) -> Value:
    if not _fits(function):
        raise function.unsupported(f"{kind.__name__}()")
    return NewDescriptor(kind, {"func" if kind is functools.cached_property else "function": function})


@traces(staticmethod)
def static_method(trace: Trace, function: Value, /) -> Value:
    """`staticmethod(function)`."""
    return _of_function(staticmethod, function)


@traces(classmethod)
def class_method(trace: Trace, function: Value, /) -> Value:
    """`classmethod(function)`."""
    return _of_function(classmethod, function)


@traces(functools.cached_property)
def cached_property(trace: Trace, func: Value) -> Value:
    """`functools.cached_property(func)`."""
    return _of_function(functools.cached_property, func)
