"""`functools.partial`, `functools.update_wrapper` and `types.SimpleNamespace`."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import TypeIs
from ....guards.sources import Attribute, Named, Source
from ...breaks import UNKNOWN_CALL
from ...tracing.rules import traces
from ..base import Value, wrap, wraps
from ..containers.dicts import DictValue
from ..containers.sequences import TupleValue
from ..functions.functions import FunctionValue
from .lru_cache import CachedFunction
from .new_instance import NewInstance
from .objects import Instance

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class PartialValue(Value):
    """A call with some arguments given already."""

    __slots__ = ("function", "given", "named", "source")

    def __init__(self, function: Value, given: TupleValue, named: DictValue, source: Source | None = None) -> None:
        self.function = function
        self.given = given
        self.named = named
        self.source = source

    @property
    def python_type(self) -> type:
        return functools.partial

    def truth(self, trace: Trace) -> bool:
        return True

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return self.function.call(trace, [*self.given.items, *args], {**self.named.items, **kwargs})

    def attribute(self, trace: Trace, name: str) -> Value:
        parts = {"func": self.function, "args": self.given, "keywords": self.named}
        if name not in parts:
            raise self.unsupported(f"the attribute {name!r}")
        return parts[name]

    def rebuild(self, writer: EntryWriter) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        known = writer.name_of(self)
        if known is None:
            parts = [self.function.rebuild(writer), *(each.rebuild(writer) for each in self.given.items)]
            parts += [f"**{self.named.rebuild(writer)}"] if self.named.items else []
            known = writer.name_for(self)
            writer.statements.append(f"{known} = {writer.pool.add(functools.partial)}({', '.join(parts)})")
        return known


@traces(functools.partial)
def partial(trace: Trace, function: Value, /, *args: Value, **kwargs: Value) -> Value:
    """`functools.partial(function, *args, **kwargs)`; of another partial, the two become one."""
    if isinstance(function, PartialValue):
        args = (*function.given.items, *args)
        kwargs = {**function.named.items, **kwargs}
        function = function.function
    return PartialValue(function, TupleValue(list(args)), DictValue(dict(kwargs)))


@wraps(functools.partial)
def wrap_partial(trace: Trace, value: Any, source: Source) -> Value:
    """A partial from outside, its parts wrapped."""
    trace.guard(TypeIs, source, expected=functools.partial)
    parts = [wrap(trace, getattr(value, name), Attribute(source, name)) for name in ("func", "args", "keywords")]
    function, given, named = parts
    if not isinstance(given, TupleValue) or not isinstance(named, DictValue):
        raise UNKNOWN_CALL.stop(name=f"the partial {source}")
    return PartialValue(function, given, named, source)


@traces(functools.update_wrapper)
def update_wrapper(
    trace: Trace, wrapper: Value, wrapped: Value, assigned: Value | None = None, updated: Value | None = None
) -> Value:
    """`functools.update_wrapper`, as `functools.wraps` calls it, of a function that the call makes."""
    usual = assigned is None or assigned.constant(trace) == functools.WRAPPER_ASSIGNMENTS
    usual = usual and (updated is None or updated.constant(trace) == functools.WRAPPER_UPDATES)
    if not usual or not isinstance(wrapper, (FunctionValue, CachedFunction)) or not isinstance(wrapped, FunctionValue):
        raise UNKNOWN_CALL.stop(name="functools.update_wrapper in this form")
    if isinstance(wrapper, CachedFunction):
        wrapper.wrapped = wrapped
        return wrapper
    if wrapper.place is not None or wrapper.attributes is not None or wrapper.wrapped is not None:
        raise UNKNOWN_CALL.stop(name="functools.update_wrapper in this form")
    wrapper.wrapped = wrapped
    return wrapper


@traces(types.SimpleNamespace)
def simple_namespace(trace: Trace, **kwargs: Value) -> Value:
    """`types.SimpleNamespace(**kwargs)`."""
    made = NewInstance(types.SimpleNamespace)
    made.table.items.update(kwargs)
    return made


@wraps(types.SimpleNamespace)
def wrap_namespace(trace: Trace, value: Any, source: Source) -> Value:
    """A namespace from outside: an object whose class has nothing to say."""
    trace.guard(TypeIs, source, expected=types.SimpleNamespace)
    trace.guard(TypeIs, Named(Attribute(source, "__dict__"), f"vars({source})"), expected=dict)
    return Instance(value, source)
