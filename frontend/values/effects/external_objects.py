"""The mutable objects from outside that a trace has met, each once, and which of them the call changes."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....guards.guard import Different, Same
from ....guards.sources import ConstantSource, Source, WeakSource
from ...breaks import SIDE_EFFECT
from ..base import MutableValue, Value
from .side_effects import ClassPut, EffectTable, OutsideCell, SlotPut

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .side_effects import SideEffect


class ExternalObjects:
    """The trace's knowledge of external objects: traced values, tables, cells, slots. See Note [Effects]."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._values: dict[int, tuple[Any, MutableValue]] = {}
        self._tables: dict[int, EffectTable] = {}
        self._cells: dict[int, tuple[types.CellType, OutsideCell]] = {}
        self._slotted: dict[int, tuple[Any, Source]] = {}
        self._identified: dict[int, Any] = {}

    def forget(self) -> None:
        """Let go of everything: see `Trace.forget`."""
        for known in (self._values, self._tables, self._cells, self._slotted, self._identified):
            known.clear()
        del self._trace

    # Meeting objects.
    def met(self, real: Any, source: Source) -> Value | None:
        """The traced value of an object that was met before and is now found at `source`."""
        found = self._values.get(id(real))
        if found is None:
            return None
        self._rely_on_same(source, found[1].source)
        return found[1]

    def meet(self, real: Any, value: MutableValue) -> None:
        """Remember the traced value of an object; of a container of ours nothing is changed later."""
        if value.identity_kind and isinstance(value.source, WeakSource):
            return
        self._values[id(real)] = real, value
        value.home = value.altered.home = self
        self._refuse_two_faces(id(real))

    def tell_apart(self, value: Any) -> None:
        """Rely on an object that is hashed by identity being another one than all that were met so, where it is."""
        if id(value.value) in self._identified:
            return
        for known in self._identified.values():
            if type(known.value) is type(value.value) and not (_is_fixed(known.source) and _is_fixed(value.source)):
                self._trace.guard(Different, value.source, other=known.source)
        self._identified[id(value.value)] = value

    def table(self, real: dict[str, Any], source: Source, label: str) -> EffectTable:
        """The table of an instance's or a module's attributes; instances may share one."""
        found = self._tables.get(id(real))
        if found is None:
            found = self._tables[id(real)] = EffectTable(real, source, label)
            self._refuse_two_faces(id(real))
        else:
            self._rely_on_same(source, found.source)
        return found

    def names(self, table: dict[str, Any]) -> EffectTable:
        """The table of a module's names."""
        label = str(table.get("__name__", "?"))
        return self.table(table, ConstantSource(table, f"{label}.__dict__"), f"a name of the module {label}")

    def cell(self, real: types.CellType, place: Source, contents: Source, name: str) -> OutsideCell:
        """The traced cell; functions may share one."""
        found = self._cells.get(id(real))
        if found is None:
            found = self._cells[id(real)] = real, OutsideCell(self._trace, real, place, contents, name)
        else:
            self._rely_on_same(place, found[1].source)
        return found[1]

    def _rely_on_same(self, source: Source, known: Source | None) -> None:
        if known is not None and known != source and not (_is_fixed(known) and _is_fixed(source)):
            self._trace.guard(Same, source, other=known)

    # Changes.
    def note(self, changed: SideEffect, label: str) -> None:
        """Put an object among the effects, before it changes."""
        self._trace.effects.pending.setdefault((id(changed), ""), changed)
        for identity in self._values.keys() & self._tables.keys():
            self._refuse_two_faces(identity, label)

    def _refuse_two_faces(self, identity: int, label: str = "") -> None:
        """Errors: a break where a dict that the call changes is known both as a dict and as somebody's attributes."""
        if identity in self._values and identity in self._tables:
            table, value = self._tables[identity], self._values[identity][1]
            if {(id(table), ""), (id(value), "")} & self._trace.effects.pending.keys():
                raise SIDE_EFFECT.stop(name=f"{label or value.source}, a dict that holds attributes and is also used,")

    def changed_name(self, real: dict[str, Any], name: str) -> tuple[bool, Value | None]:
        """Whether the call has changed what a table has under a name, and what is there now."""
        table = self._tables.get(id(real))
        return (False, None) if table is None or name not in table.changes else (True, table.changes[name])

    def slot(self, owner: Any, descriptor: Any) -> SlotPut | None:
        """The call's own write to a slot of an instance; None where the call has not written it."""
        found = self._trace.effects.pending.get((id(owner), f"slot {id(descriptor)}"))
        return found if isinstance(found, SlotPut) else None

    def put_slot(self, owner: Any, source: Source, descriptor: Any, value: Value | None) -> None:
        """`owner.name = value` where that is a slot; None empties it, which must be known to be full."""
        self._slotted[id(owner)] = owner, source
        self._trace.effects.pending[(id(owner), f"slot {id(descriptor)}")] = SlotPut(source, descriptor, value)

    def class_value(self, cls: type, name: str) -> Value | None:
        """The value that the call has put into a class, where reading the attribute finds that one; else None."""
        for base in cls.__mro__:
            put = self._trace.effects.pending.get((id(base), f"class {name}"))
            if isinstance(put, ClassPut):
                return put.value
            if name in vars(base):
                break
        return None

    def put_class(self, cls: type, name: str, value: Value) -> None:
        """`cls.name = value` for an ordinary class."""
        self._trace.effects.pending[(id(cls), f"class {name}")] = ClassPut(cls, name, value)

    def refuse_changed_class(self, cls: type, name: str) -> None:
        """Errors: a break where the call has put this attribute into the class or a base."""
        if self._trace.effects.pending and any(
            (id(base), f"class {name}") in self._trace.effects.pending for base in cls.__mro__
        ):
            raise SIDE_EFFECT.stop(name=f"{cls.__qualname__}.{name}, which is looked up through an object,")

    # What has to be different.
    def guard_different(self) -> None:
        """Rely on every changed object being another one than all others of its kind that the trace has met."""
        effects = self._trace.effects.pending
        values = [value for _, value in self._values.values()]
        tables = self._tables.values()
        kinds: dict[str, list[MutableValue | EffectTable | OutsideCell]] = {"dict": [*tables]}
        for each in values:
            if each.identity_kind:
                kinds.setdefault(each.identity_kind, []).append(each)
        kinds["cell"] = [cell for _, cell in self._cells.values()]
        groups: list[list[tuple[bool, Source | None]]] = [
            [((id(_altered(each)), "") in effects, each.source) for each in kind] for kind in kinds.values()
        ]
        for owner, _ in self._slotted.values():
            alike = [(real, value) for real, value in self._values.values() if type(real) is type(owner)]
            groups.append([(real is owner, value.source) for real, value in alike])
        for group in groups:
            self._guard_group(group)

    def _guard_group(self, group: Iterable[tuple[bool, Source | None]]) -> None:
        places = [(written, source) for written, source in group if source is not None]
        for number, (written, source) in enumerate(places):
            for also_written, other in places[number + 1 :]:
                if (written or also_written) and not (_is_fixed(source) and _is_fixed(other)):
                    self._trace.guard(Different, source, other=other)


def _altered(known: MutableValue | EffectTable | OutsideCell) -> MutableValue | EffectTable | OutsideCell:
    return known.altered if isinstance(known, MutableValue) else known


def _is_fixed(source: Source) -> bool:
    """Whether an entry knows by itself which object is there."""
    return isinstance(source, (WeakSource, ConstantSource))
