"""`sys.modules`: the modules that are loaded, by name. A call relies on those names alone that it asks for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ....guards.containers import LacksKey
from ....guards.guard import Is
from ....guards.sources import ConstantSource, Item, Named, Source
from ...breaks import ProgramRaised
from ...tracing.rules import checked_call
from ..base import Value, wrap, wraps_when
from ..constant import NONE
from .builtin_methods import BuiltinMethod

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_TABLE = ConstantSource(sys.modules, "sys.modules")


class LoadedModules(Value):
    """The dict itself, which is read and never changed."""

    is_one_object = True

    def __init__(self, source: Source) -> None:
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return dict

    def truth(self, trace: Trace) -> bool:
        return True

    def item(self, trace: Trace, key: Value) -> Value:
        found = self.found(trace, key)
        if found is None:
            raise ProgramRaised(KeyError(key.constant(trace)))
        return found

    def contains(self, trace: Trace, element: Value) -> bool:
        return self.found(trace, element) is not None

    def found(self, trace: Trace, key: Value) -> Value | None:
        """The module of this name; None where none is loaded. Guarded either way."""
        name = key.constant(trace)
        if type(name) is not str:
            raise self.unsupported("a key that is no name")
        if name not in sys.modules:
            trace.guard(LacksKey, _TABLE, key=name)
            return None
        return wrap(trace, sys.modules[name], Named(Item(_TABLE, name), name))

    def attribute(self, trace: Trace, name: str) -> Value:
        if name != "get":
            raise self.unsupported(f"the attribute {name!r}")
        return GetModule(self, name)

    def rebuild(self, writer: Any) -> str:
        return self.source.text(writer.pool)


class GetModule(BuiltinMethod):
    """`sys.modules.get`."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return checked_call(self.describe(), _get, trace, self.receiver, *args, **kwargs)


def _get(trace: Trace, owner: LoadedModules, key: Value, default: Value = NONE, /) -> Value:
    return owner.found(trace, key) or default


@wraps_when(lambda value: value is sys.modules and type(value) is dict, before_types=True)
def wrap_loaded_modules(trace: Trace, value: Any, source: Source) -> Value:
    """The dict of all modules, by identity."""
    trace.guard(Is, source, expected=value)
    return LoadedModules(source)
