"""Dicts and their views: made during the trace, or read from outside. See Note [Unread containers]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING, Any

from ....guards.constants import constant_text
from ....guards.containers import DictKeys, is_plain
from ....guards.guard import TypeIs
from ....guards.sources import Item, Source
from ...breaks import ProgramRaised
from ..base import MutableValue, Value, wrap, wraps
from ..effects.mutation_text import Changing
from .element_protocol import constant_elements, constant_value, key_for, method_of, same_value
from .sequences import TupleValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


class DictValue(MutableValue):
    """A dict with constant keys. See Note [Unread containers]."""

    __slots__ = ("_added", "_before", "_cleared", "_gone", "_items", "_read", "source")
    identity_kind = "dict"

    def __init__(
        self,
        items: dict[Any, Value],
        source: Source | None = None,
        read: Callable[[], dict[Any, Value]] | None = None,
    ) -> None:
        self._items = items
        self.source = source
        self._read = read
        self._added: dict[Any, Value] = {}
        self._before: Mapping[Any, Value] = {}
        self._cleared = False
        self._gone: set[Any] = set()
        """The keys that were taken away at some time: put again they come last, and who iterates notices."""

    @property
    def items(self) -> dict[Any, Value]:
        """The values that the dict holds now, by key."""
        if self._read is not None:
            before = self._read()
            self._read, self._before = None, before
            self._items.update({**before, **self._added})
        return self._items

    @items.setter
    def items(self, items: dict[Any, Value]) -> None:
        if self._read is not None:
            len(self.items)  # what it held before is known from now on
        self._items = items

    def holds_as_before(self, key: Any) -> bool:
        """Whether what it holds under a key is what it held there before the trace."""
        return key in self.items and self._before.get(key) is self.items[key]

    def changes(self, writer: EntryWriter, owner: str) -> list[str]:
        before, after = (self._before, self._items) if self._read is None else ({}, self._added)
        kept = set() if self._cleared else _kept_keys(before, after, self._gone)
        put = [(key, each) for key, each in after.items() if key not in kept or each is not before[key]]
        texts = [(_fetched_key(writer, key), writer.fetched(each.rebuild(writer))) for key, each in put]
        changing = Changing(writer.pool, owner, self.held_by)
        return [
            *self._removals(writer, changing, [key for key in before if key not in kept]),
            *(changing.put(key, text) for key, text in texts),
        ]

    def _removals(self, writer: EntryWriter, changing: Changing, removed: list[Any]) -> list[str]:
        """The statements that take keys away as the program did: a dict's table remembers how, and iterators tell."""
        if self._cleared:
            return [changing.call("clear")]
        taken = list(removed)
        for last in reversed(self._before):
            if last in self._gone or not taken or taken[-1] is not last:
                break
            taken.pop()
        popped = len(removed) - len(taken)
        return [
            *[changing.call("popitem")] * popped,
            *(changing.delete(_fetched_key(writer, key)) for key in taken),
        ]

    @property
    def python_type(self) -> type:
        return dict

    def constant(self, trace: Trace) -> Any:
        from .object_keys import objects_in

        for found in (each for key in self.items for each in objects_in(key)):
            raise found.value.unsupported("the value of it as a constant")
        return dict(zip(self.items, constant_elements(trace, self, self.items.values()), strict=True))

    def truth(self, trace: Trace) -> bool:
        return bool(self.items)

    def length(self, trace: Trace) -> int:
        return len(self.items)

    def elements(self, trace: Trace) -> list[Value]:
        return [constant_value(key) for key in self.items]

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return map(constant_value, self.items)

    def contains(self, trace: Trace, element: Value) -> bool:
        return key_for(trace, element, "dict key") in self.items

    def changing(self) -> dict[Any, Value]:
        """The items, for a change in place. Errors: a break for a dict of ours from outside."""
        items = self.items
        self.note_change()
        return items

    def item(self, trace: Trace, key: Value) -> Value:
        wanted = key_for(trace, key, "dict key")
        if self._read is not None and wanted in self._added:
            return self._added[wanted]
        try:  # one look-up, since it may ask an object
            return self.items[wanted]
        except KeyError as error:
            raise ProgramRaised(error) from None

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        wanted = key_for(trace, key, "dict key")
        if self._read is not None:
            self.note_change()
            self._added[wanted] = value
        elif self.source is None or self.items.get(wanted) is not value:
            self.changing()[wanted] = value  # `parts["w"] += x` stores the array that is there already

    def delete_item(self, trace: Trace, key: Value) -> None:
        wanted = key_for(trace, key, "dict key")
        self.take(wanted)

    def note_gone(self, keys: Iterable[Any]) -> None:
        """Notes that these keys have moved, as if they had been taken away and put again."""
        self._gone.update(keys)

    def take(self, key: Any) -> Value:
        """Take a key away, and give what it led to. Errors: KeyError when there is no such key."""
        items = self.items
        if self.source is not None:
            if key not in items:
                raise ProgramRaised(KeyError(key))
            self._gone.add(key)
        try:
            return self.changing().pop(key) if self.source is not None else items.pop(key)
        except KeyError as error:
            raise ProgramRaised(error) from None

    def take_last(self) -> tuple[Any, Value]:
        """`dict.popitem`. Errors: KeyError for an empty dict."""
        try:
            return self.changing().popitem()
        except KeyError as error:
            raise ProgramRaised(error) from None

    def clear(self) -> None:
        """`dict.clear`."""
        self.changing().clear()
        self._cleared = True

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.container(self)


class DictView(Value):
    """The result of `dict.keys()`, `values()` or `items()`: a window on the dict, as Python's is."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: DictValue, name: str) -> None:
        self.owner = owner
        self.name = name

    @property
    def python_type(self) -> type:
        return type(getattr({}, self.name)())

    def truth(self, trace: Trace) -> bool:
        return bool(self.owner.items)

    def length(self, trace: Trace) -> int:
        return len(self.owner.items)

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.iterate(trace))

    def iterate(self, trace: Trace) -> Iterating[Value]:
        if self.name == "keys":
            return self.owner.iterate(trace)
        if self.name == "values":
            return iter(self.owner.items.values())
        return map(_pair, self.owner.items.items())

    def contains(self, trace: Trace, element: Value) -> bool:
        if self.name == "keys":
            return self.owner.contains(trace, element)
        if self.name == "items" and isinstance(element, TupleValue) and len(element.items) == 2:
            key, value = element.items
            return self.owner.contains(trace, key) and same_value(trace, self.owner.item(trace, key), value)
        return any(same_value(trace, each, element) for each in self.iterate(trace))

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)


def _pair(item: tuple[Any, Value]) -> Value:
    return TupleValue([constant_value(item[0]), item[1]])


def _kept_keys(before: Mapping[Any, Value], after: Mapping[Any, Value], gone: set[Any]) -> set[Any]:
    """The keys from before that can stay where they are: those from the front of `after` on, in the old order.

    gone: those that cannot, even if they are there again.
    """
    old, kept = iter(before), set()
    for key in after:
        if key in gone or not any(type(key) is type(each) and key == each for each in old):
            break
        kept.add(key)
    return kept


def _fetched_key(writer: EntryWriter, key: object) -> str:
    from .object_keys import objects_in

    text = dict_key(writer, key)
    return writer.fetched(text) if objects_in(key) else text


def dict_key(writer: EntryWriter, key: object) -> str:
    """The expression for a dict's key. Errors: a break for one whose hash is computed by code of the user's."""
    from .object_keys import ObjectKey, objects_in

    if isinstance(key, ObjectKey):
        if not key.bare:
            raise key.value.unsupported("a return of a dict with such a key")
        return key.value.rebuild(writer)
    if type(key) is tuple and objects_in(key):
        parts = [dict_key(writer, each) for each in key]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    for each in objects_in(key):
        raise each.value.unsupported("a return of a set of such")
    return constant_text(key, writer.pool, equal=True)


@wraps(dict)
def wrap_dict(trace: Trace, value: Any, source: Source) -> Value:
    """A dict with constants as keys; once it is read, its values are wrapped one by one."""
    trace.guard(TypeIs, source, expected=dict)

    def read() -> dict[Any, Value]:
        from .object_keys import outside_keys

        if not all(map(is_plain, value)):
            places = outside_keys(trace, value, source)
            if places is None:
                raise DictValue({}, source).unsupported("keys that are no constants")
            return {
                key: wrap(trace, real, place) for (key, place), real in zip(places.items(), value.values(), strict=True)
            }
        trace.guard(DictKeys, source, expected=tuple(value))
        return {key: wrap(trace, each, Item(source, key)) for key, each in value.items()}

    return DictValue({}, source, read)
