"""A call's changes of objects that existed before it: recorded while tracing, carried out after the plan has run."""

# Note [Effects]
# While a function is traced nothing outside is touched. A traced list, dict, cell or table of names holds the state
# that the program would see by now, so what is read after a write is what was written; guards and sources read the
# state before the call. The entry code runs the plan, then reads everything that the result and the effects need, and
# only then brings each changed object into its last state. No user code runs in between, so nobody can tell that from
# the program's own order of writes. Where two names lead to one object they share a traced value, and a guard says so;
# where a changed object could be another one of its kind, a guard says that it is not (`Outside.guard_different`).

from __future__ import annotations

import types
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from ....core.records import dataclass, replace
from ....guards.containers import HasKey, LacksKey
from ....guards.guard import Evaluates
from ....guards.sources import Attribute, Item, Source, source_kind
from ...breaks import RAISES
from ..base import Value, wrap
from ..functions.scopes import Cell

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class SideEffect(Protocol):
    """Something to be done after the plan has run."""

    def replay(self, writer: EntryWriter) -> list[str]:
        """The statements. What they need is read before any of them runs (`EntryWriter.fetched`)."""


@dataclass(eq=False)
class Put:
    """One place in an object is set: an attribute or an item."""

    place: Attribute | Item
    value: Value

    def replay(self, writer: EntryWriter) -> list[str]:
        owner = _Fetched(writer.fetched(self.place.base.text(writer.pool)))
        value = writer.fetched(self.value.rebuild(writer))
        return [f"{replace(self.place, base=owner).text(writer.pool)} = {value}"]


@source_kind
class _Fetched(Source):
    """The object that a variable of the entry code holds."""

    name: str

    def text(self, pool: Any) -> str:
        return self.name


@dataclass(eq=False)
class EffectTable:
    """The dict in which an instance or a module keeps its attributes: read and guarded name by name.

    changes: what the call has put under a name by now; None where it has taken it away.
    gone:    the names from before the call that it has taken away at some time: put again, they come last.
    """

    real: dict[str, Any]
    source: Source
    label: str
    changes: dict[str, Value | None] = field(default_factory=dict)
    gone: dict[str, None] = field(default_factory=dict)

    def put(self, trace: Trace, name: str, value: Value) -> None:
        """`table[name] = value`."""
        trace.effects.external.note(self, self.label)
        if name in self.changes and self.changes[name] is None:
            del self.changes[name]
        self.changes[name] = value

    def remove(self, trace: Trace, name: str) -> bool:
        """`del table[name]`; whether it was there."""
        if name in self.changes and self.changes[name] is None:
            return False
        known = name in self.gone
        if not known:
            trace.guard(HasKey if name in self.real else LacksKey, self.source, key=name)
        if name not in self.changes and name not in self.real:
            return False
        trace.effects.external.note(self, self.label)
        if name in self.real:
            self.gone[name] = None
        self.changes[name] = None
        return True

    def replay(self, writer: EntryWriter) -> list[str]:
        owner = writer.fetched(self.source.text(writer.pool))
        put = [(name, value.rebuild(writer)) for name, value in self.changes.items() if value is not None]
        new = [f"{owner}[{name!r}] = {writer.fetched(text)}" for name, text in put]
        return [*(f"del {owner}[{name!r}]" for name in self.gone), *new]


class OutsideCell(Cell):
    """A closure cell that existed before the call; looked into when it is first read."""

    outside = True

    def __init__(self, trace: Trace, real: types.CellType, place: Source, contents: Source, name: str) -> None:
        self._trace, self._real, self._contents, self._name = trace, real, contents, name
        self.source = place
        self._known = False
        self._now: Value | None = None

    @property
    def value(self) -> Value | None:
        """The cell's value by now; None once the call has emptied it. Errors: a break when it was empty before."""
        if not self._known:
            try:
                held = self._real.cell_contents
            except ValueError:
                raise RAISES.stop(error=f"NameError: the free variable {self._name!r} is not bound") from None
            self._now, self._known = wrap(self._trace, held, self._contents), True
        return self._now

    @value.setter
    def value(self, value: Value | None) -> None:
        if self._known and value is self._now:
            return
        if value is None:
            self._trace.guard(Evaluates, self._contents)
        self._trace.effects.external.note(self, f"the variable {self._name!r} of an enclosing function")
        self._now, self._known = value, True

    def replay(self, writer: EntryWriter) -> list[str]:
        assert self.source is not None
        owner = writer.fetched(self.source.text(writer.pool))
        if self._now is None:
            return [f"del {owner}.cell_contents"]
        return [f"{owner}.cell_contents = {writer.fetched(self._now.rebuild(writer))}"]


@dataclass(eq=False)
class SlotPut:
    """A slot of an instance is set, or emptied (None)."""

    owner: Source
    descriptor: Any
    value: Value | None

    def replay(self, writer: EntryWriter) -> list[str]:
        owner = writer.fetched(self.owner.text(writer.pool))
        descriptor = writer.pool.add(self.descriptor)
        if self.value is None:  # it may have been empty before the call
            return [f"{descriptor}.__set__({owner}, None)", f"{descriptor}.__delete__({owner})"]
        return [f"{descriptor}.__set__({owner}, {writer.fetched(self.value.rebuild(writer))})"]


@dataclass(eq=False)
class ClassPut:
    """An attribute of a class is set, as `type` sets it."""

    owner: type
    name: str
    value: Value

    def replay(self, writer: EntryWriter) -> list[str]:
        value = writer.fetched(self.value.rebuild(writer))
        return [f"{writer.pool.add(type.__setattr__)}({writer.pool.add(self.owner)}, {self.name!r}, {value})"]
