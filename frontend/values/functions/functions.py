"""Python functions and bound methods while tracing: their calls are inlined."""

from __future__ import annotations

import functools
import types
import weakref
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ....guards.containers import LacksKey
from ....guards.guard import Is, TypeIs
from ....guards.sources import Attribute, ConstantSource, Global, Item, Local, Named, Source
from ...breaks import SIDE_EFFECT, ProgramRaised
from ...tracing.rules import rule_for
from .. import protocols
from ..base import Value, wrap, wraps
from ..builtin_callable import BuiltinCallable
from ..constant import Constant
from .scopes import OuterScope, VariableScope

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace
    from ..containers.dicts import DictValue


COPIED = frozenset(functools.WRAPPER_ASSIGNMENTS) & {"__name__", "__qualname__", "__doc__", "__module__"}
"""The texts that a function has, all of which may be set anew."""

_FIELDS = frozenset({*vars(types.FunctionType), *vars(object)})
"""The attributes that every function has. (`hasattr` asks the class, which has no `__annotations__`.)"""


def bare(code: types.CodeType) -> types.FunctionType:
    """A function with this code, as a `def` statement makes it."""
    return types.FunctionType(code, {}, closure=tuple(types.CellType() for _ in code.co_freevars))


class FunctionValue(Value):
    """A Python function: one that existed before (`function`, reached by `source`), or one made during the trace."""

    def __init__(
        self,
        code: types.CodeType,
        *,
        name: str,
        scope: VariableScope,
        defaults: Value | None = None,
        keyword_defaults: Value | None = None,
        source: Source | None = None,
        place: Source | None = None,
        real: types.FunctionType | None = None,
    ) -> None:
        self.code = code
        self.name = name
        self.scope = scope
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults
        self.source = source
        self.place = place
        """The place where the object itself was found: of a jitted function, `source` leads to the one below it."""
        self.real = real
        """The object itself."""
        self.annotations: Value | None = None
        self.annotate: Value | None = None
        """The function that gives the annotations when they are asked for (since 3.14)."""
        self.attributes: DictValue | None = None
        """The attributes that the trace has put into the function's own dict."""
        self.wrapped: FunctionValue | None = None
        """The function that this one wraps, as `functools.wraps` was told."""

    @property
    def python_type(self) -> type:
        return types.FunctionType

    def describe(self) -> str:
        return self.name

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return protocols.inline(trace, self, args, kwargs)

    def attribute(self, trace: Trace, name: str) -> Value:
        if self.real is not None and self.place is not None:
            return self._attribute_of(trace, self.real, self.place, name)
        if self.attributes is not None and name in self.attributes.items:
            return self.attributes.items[name]
        if self.wrapped is not None and (name in COPIED or name not in _FIELDS):
            return self._copied(trace, self.wrapped, name)
        if name == "__module__":
            table = self.scope.globals()
            return wrap(trace, table.get("__name__"), Item(ConstantSource(table, "globals"), "__name__"))
        if name in COPIED:
            return Constant(self.name if name == "__qualname__" else getattr(bare(self.code), name))
        if name in _FIELDS:
            raise self.unsupported(f"the attribute {name!r}")
        raise ProgramRaised(AttributeError(f"'function' object has no attribute {name!r}"))

    def _attribute_of(self, trace: Trace, real: types.FunctionType, place: Source, name: str) -> Value:
        """An attribute of a function from outside."""
        if name in COPIED:
            return wrap(trace, getattr(real, name), Attribute(place, name))
        if name in _FIELDS or type(vars(real)) is not dict:
            raise self.unsupported(f"the attribute {name!r}")
        table = Named(Attribute(place, "__dict__"), f"vars({place})")
        trace.guard(TypeIs, table, expected=dict)
        if name in vars(real):
            return wrap(trace, vars(real)[name], Named(Item(table, name), f"{place}.{name}"))
        trace.guard(LacksKey, table, key=name)
        raise ProgramRaised(AttributeError(f"'function' object has no attribute {name!r}"))

    def _copied(self, trace: Trace, wrapped: FunctionValue, name: str) -> Value:
        """An attribute that `functools.wraps` has copied."""
        if name == "__wrapped__":
            return wrapped
        if wrapped.attributes is not None and name not in COPIED:
            raise self.unsupported(f"the attribute {name!r}")  # which may have been set since
        return wrapped.attribute(trace, name)

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        from ..containers.dicts import DictValue

        if name.startswith("__") or self.place is not None:
            raise SIDE_EFFECT.stop(name=f"{self.name}.{name}")
        self.attributes = self.attributes or DictValue({})
        self.attributes.items[name] = value

    def rebuild(self, writer: EntryWriter) -> str:
        return protocols.rebuild_function(writer, self) if self.place is None else self.place.text(writer.pool)


class BoundMethod(Value):
    """A Python function bound to a receiver."""

    __slots__ = ("function", "receiver", "source")

    def __init__(self, function: Value, receiver: Value, source: Source | None = None) -> None:
        self.function = function
        self.receiver = receiver
        self.source = source

    @property
    def python_type(self) -> type:
        return types.MethodType

    def describe(self) -> str:
        return f"{self.receiver.describe()}.{self.function.describe()}"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return self.function.call(trace, [self.receiver, *args], kwargs)

    def truth(self, trace: Trace) -> bool:
        return True

    def attribute(self, trace: Trace, name: str) -> Value:
        if isinstance(self.function, FunctionValue):
            if name == "__func__":
                return self.function
            if name == "__self__":
                return self.receiver
            if name in COPIED or not hasattr(types.MethodType, name):
                return self.function.attribute(trace, name)
        elif name == "__name__":
            return self.function.attribute(trace, name)
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: EntryWriter) -> str:
        return protocols.rebuild_method(writer, self) if self.source is None else self.source.text(writer.pool)


@wraps(types.FunctionType)
def wrap_function(trace: Trace, value: Any, source: Source) -> Value:
    """A Python function: its rule if it has one (many NumPy functions are Python), else a body to inline."""
    if rule_for(value) is not None:
        trace.guard(Is, source, expected=value)
        return BuiltinCallable(value, source)
    called, place = value, source
    original = vars(value).get("__wrapped__") if "__guardlift_state__" in value.__code__.co_freevars else None
    if original is not None:  # a jitted function: its defaults are its own, its body is the original's
        trace.guard(Is, source, expected=value)
        source, value = Attribute(ConstantSource(value, value.__name__), "__wrapped__"), original
        trace.guard(Is, source, expected=original)
    elif _keeps_its_function(source) and not _is_made_anew(value, source):
        trace.guard_function(source, value)
    else:
        trace.guard(TypeIs, source, expected=types.FunctionType)
        trace.guard(Is, Attribute(source, "__globals__"), expected=value.__globals__)
    trace.guard(Is, Attribute(source, "__code__"), expected=value.__code__)
    return function_over(trace, value, source, called=called, place=place)


def _keeps_its_function(source: Source) -> bool:
    """Whether a place may well hold one function in all calls; one in a variable may have been made in the call."""
    while isinstance(source, Named) and isinstance(source.base, (Named, Local)):
        source = source.base
    return isinstance(source, (Global, Attribute, Named))


_met: WeakKeyDictionary[types.CodeType, weakref.ref[types.FunctionType]] = WeakKeyDictionary()
"""By code, the first function that was known by its identity."""


def _is_made_anew(value: types.FunctionType, source: Source) -> bool:
    """Whether another function of this code was known by its identity before, at a place that an argument leads to.

    A program makes such a function for each object, and it is known by its code and what its closure holds.
    """
    while isinstance(source, (Attribute, Item, Named)):
        source = source.base
    if not isinstance(source, Local):
        return False
    first = _met.setdefault(value.__code__, weakref.ref(value))
    return first() is not value


def function_over(
    trace: Trace,
    value: types.FunctionType,
    source: Source,
    *,
    called: types.FunctionType | None = None,
    place: Source | None = None,
) -> FunctionValue:
    """The traced function with the body of `value`, whose code is known to be at `source`.

    called, place: the object that is called, which has the defaults, and where it is; itself unless it is a jitted one.
    """
    called = called or value
    defaults = keyword_defaults = None
    owner = source if called is value else ConstantSource(called, called.__name__)
    if called.__defaults__ is not None:
        defaults = wrap(trace, called.__defaults__, Attribute(owner, "__defaults__"))
    if called.__kwdefaults__ is not None:
        keyword_defaults = wrap(trace, called.__kwdefaults__, Attribute(owner, "__kwdefaults__"))
    return FunctionValue(
        value.__code__,
        name=value.__qualname__,
        scope=OuterScope(value, source),
        defaults=defaults,
        keyword_defaults=keyword_defaults,
        source=source,
        place=place or source,
        real=called,
    )
