"""State beside the arguments, by name: `sys.modules`, `os.environ` and attributes of a thread.

A call relies on those names alone that it asks for.
"""

# Note [Attributes of a thread]
# What such an object holds is read by its `__dict__`, which gives each thread a dict of its own. So a guard reads it
# through a call of `vars`, in the thread that makes the call, and an entry serves whichever thread has what it relies
# on. Nothing may know where that dict lies in memory: the source is no attribute, which native checks could follow.

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from ....guards.computed_sources import CallSource
from ....guards.containers import LacksKey
from ....guards.guard import Equals, Is, TypeIs
from ....guards.sources import ConstantSource, Item, Named, Source
from ...breaks import ProgramRaised
from ...tracing.rules import checked_call
from ..base import Value, wrap, wraps_when
from ..constant import NONE, Constant
from .builtin_methods import BuiltinMethod
from .classes import ABSENT, class_attribute
from .descriptors import missing
from .objects import Instance

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..effects.side_effects import EffectTable

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
        """The thing of this name; None where there is none. Guarded either way."""
        name = key.constant(trace)
        if type(name) is not str:
            raise self.unsupported("a key that is no name")
        return self.named(trace, name)

    def named(self, trace: Trace, name: str) -> Value | None:
        """The thing of this name; None where there is none. Guarded either way."""
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
            trace.guard(LacksKey, _VARIABLES, key=key, shown=repr(name))
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


class ThreadLocal(Instance):
    """Such an object from outside. See Note [Attributes of a thread]."""

    __slots__ = ()

    def own(self, trace: Trace, name: str) -> Value | None:
        table = self._own_table(trace)
        if name in table.changes:
            return table.changes[name]
        if name in table.real:
            return wrap(trace, table.real[name], Named(Item(self._dict(), name), f"{self.source}.{name}"))
        trace.guard(LacksKey, self._dict(), key=name)
        return None

    def put(self, trace: Trace, name: str, value: Value) -> None:
        self._own_table(trace).put(trace, name, value)

    def remove(self, trace: Trace, name: str) -> None:
        if not self._own_table(trace).remove(trace, name):
            raise missing(self, name)

    def takes_new_attributes(self, trace: Trace) -> bool:
        return True

    def namespace(self, trace: Trace) -> Value:
        return wrap(trace, vars(self.value), self._dict())

    def set_attribute(self, trace: Trace, name: str, value: Value) -> None:
        self._check_is_own(trace, name)
        self.put(trace, name, value)

    def delete_attribute(self, trace: Trace, name: str) -> None:
        self._check_is_own(trace, name)
        self.remove(trace, name)

    def _check_is_own(self, trace: Trace, name: str) -> None:
        """Errors: a break for a name that the class has."""
        if class_attribute(trace, threading.local, name)[0] is not ABSENT:
            raise self.unsupported(f"a change of the attribute {name!r}")

    def _dict(self) -> Source:
        return CallSource(vars, f"vars({self.source})", (self.source,), is_read=True)

    def _own_table(self, trace: Trace) -> EffectTable:
        return trace.effects.external.table(vars(self.value), self._dict(), f"vars({self.source})")


@wraps_when(lambda value: type(value) is threading.local, first=True)
def wrap_thread_local(trace: Trace, value: Any, source: Source) -> Value:
    """One of no subclass: the `__init__` of one runs in each thread anew."""
    trace.guard(TypeIs, source, expected=threading.local)
    return ThreadLocal(value, source)
