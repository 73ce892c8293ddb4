"""`threading.local()`: an object whose attributes are those of the thread that asks."""

# Note [Attributes of a thread]
# What such an object holds is read by its `__dict__`, which gives each thread a dict of its own. So a guard reads it
# through a call of `vars`, in the thread that makes the call, and an entry serves whichever thread has what it relies
# on. Nothing may know where that dict lies in memory: the source is no attribute, which native checks could follow.

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ....guards.containers import LacksKey
from ....guards.guard import TypeIs
from ....guards.sources import CallSource, Item, Named, Source
from ..base import Value, wrap, wraps_when
from .classes import ABSENT, class_attribute
from .descriptors import missing
from .objects import Instance

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..effects.side_effects import EffectTable


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
