"""`sys.modules` and `os.environ`, asked for by name: a call relies on those names alone that it asks for."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from ....guards.containers import LacksKey
from ....guards.guard import Equals, Is
from ....guards.sources import ConstantSource, Item, Named, Source
from ...breaks import ProgramRaised
from ...tracing.rules import checked_call
from ..base import Value, wrap, wraps_when
from ..constant import NONE, Constant
from .builtin_methods import BuiltinMethod

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_MODULES = ConstantSource(sys.modules, "sys.modules")
_VARIABLES = ConstantSource(vars(os.environ)["_data"], "os.environ")


class ReadByName(Value):
    """A table that is read and never changed. `real` is the table itself."""

    is_one_object = True

    def __init__(self, real: Any, source: Source) -> None:
        self.real = real
        self.source: Source = source

    @property
    def python_type(self) -> type:
        return type(self.real)

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
        """What has this name; None where nothing has. Guarded either way."""
        name = key.constant(trace)
        if type(name) is not str:
            raise self.unsupported("a key that is no name")
        return self.named(trace, name)

    def named(self, trace: Trace, name: str) -> Value | None:
        """What has this name; None where nothing has. Guarded either way."""
        if name not in sys.modules:
            trace.guard(LacksKey, _MODULES, key=name)
            return None
        return wrap(trace, sys.modules[name], Named(Item(_MODULES, name), name))

    def attribute(self, trace: Trace, name: str) -> Value:
        if name != "get":
            raise self.unsupported(f"the attribute {name!r}")
        return GetByName(self, name)

    def rebuild(self, writer: Any) -> str:
        return self.source.text(writer.pool)


class EnvironmentVariables(ReadByName):
    """`os.environ`, which keeps its texts as bytes: those are compared."""

    def named(self, trace: Trace, name: str) -> Value | None:
        key = self.real.encodekey(name)
        kept = vars(self.real)["_data"].get(key)
        if kept is None:
            trace.guard(LacksKey, _VARIABLES, key=key)
            return None
        trace.guard(Equals, Named(Item(_VARIABLES, key), f"os.environ[{name!r}]"), expected=kept)
        return Constant(self.real.decodevalue(kept))


class GetByName(BuiltinMethod):
    """The method `get`."""

    __slots__ = ()

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return checked_call(self.describe(), _get, trace, self.receiver, *args, **kwargs)


def _get(trace: Trace, owner: ReadByName, key: Value, default: Value = NONE, /) -> Value:
    return owner.found(trace, key) or default


@wraps_when(lambda value: value is sys.modules and type(value) is dict, before_types=True)
def wrap_loaded_modules(trace: Trace, value: Any, source: Source) -> Value:
    """The dict of all modules, by identity."""
    trace.guard(Is, source, expected=value)
    return ReadByName(value, source)


@wraps_when(lambda value: value is os.environ and vars(value)["_data"] is _VARIABLES.value, first=True)
def wrap_environment(trace: Trace, value: Any, source: Source) -> Value:
    """The environment of this process, by identity."""
    trace.guard(Is, source, expected=value)
    return EnvironmentVariables(value, source)
