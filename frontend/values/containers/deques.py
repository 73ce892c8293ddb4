"""`collections.deque`: made during the trace, or read from outside, where what the program did is done again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from collections.abc import Iterator as Iterating
from operator import index
from typing import TYPE_CHECKING, Any

from ....guards.constants import constant_text
from ....guards.containers import Length
from ....guards.guard import Equals, TypeIs
from ....guards.sources import Attribute, Item, Source
from ...breaks import ProgramRaised
from ..base import MutableValue, Value, wrap, wraps
from ..constant import Constant
from .element_protocol import constant_elements, index_of, method_of, same_value

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

_ITEM_WRITES = {"__setitem__"}
"""Changes that iterators do not notice."""


class DequeValue(MutableValue):
    """A deque. `items` is a real one, which knows the limit of its length and whose iterators notice changes.

    steps: what was done to one from outside, in order; it is read when somebody asks what it holds.
    """

    __slots__ = ("_items", "_read", "changed", "maxlen", "source", "steps")
    identity_kind = "deque"

    def __init__(
        self, items: deque[Value], source: Source | None = None, read: Callable[[], list[Value]] | None = None
    ) -> None:
        self._items = items
        self._read = read
        self.maxlen = items.maxlen
        self.source = source
        self.steps: list[tuple[str, tuple[Any, ...]]] = []
        self.changed = 0

    @property
    def items(self) -> deque[Value]:
        """The elements that the deque holds now; to be changed through `change` alone."""
        if self._read is not None:
            before = self._read()
            self._read = None
            self._items.extend(before)
            for name, args in self.steps:
                getattr(self._items, name)(*args)
        return self._items

    def change(self, name: str, *args: Any) -> Any:
        """`items.name(*args)`. Errors: the break for what the deque raises."""
        unread = self._read is not None and name in ("append", "appendleft")
        target = None if unread else self.items
        self.note_change()
        try:
            result = None if target is None else getattr(target, name)(*args)
        except (IndexError, TypeError, ValueError, OverflowError) as error:
            raise ProgramRaised(error) from None
        self.changed += name not in _ITEM_WRITES
        if self.source is not None:
            self.steps.append((name, tuple(each if isinstance(each, Value) else index(each) for each in args)))
        return result

    def changes(self, writer: EntryWriter, owner: str) -> list[str]:
        done = []
        for name, args in self.steps:
            done.append(f"{owner}.{name}({', '.join(_argument(writer, each) for each in args)})")
        return done

    @property
    def python_type(self) -> type:
        return deque

    def constant(self, trace: Trace) -> Any:
        return deque(constant_elements(trace, self, self.items), self.maxlen)

    def truth(self, trace: Trace) -> bool:
        return bool(self.items)

    def length(self, trace: Trace) -> int:
        return len(self.items)

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.items)

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return iter(self.items)

    def places(
        self,
        trace: Trace,
        wanted: Value,
        start: int = 0,
        stop: int | None = None,
        error: type[Exception] = RuntimeError,
    ) -> Iterating[int]:
        """The place of what is equal to `wanted`. Errors: the break for an `error` once a comparison changed it."""
        begun = self.changed
        for place, each in enumerate(list(self.items)[start:stop], start):
            if same_value(trace, each, wanted):
                yield place
            if self.changed != begun:
                raise ProgramRaised(error("deque mutated during iteration"))

    def contains(self, trace: Trace, element: Value) -> bool:
        return next(self.places(trace, element), None) is not None

    def item(self, trace: Trace, key: Value) -> Value:
        try:
            return self.items[index_of(trace, key)]  # type: ignore[index]
        except (IndexError, TypeError) as error:
            raise ProgramRaised(error) from None

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        self.change("__setitem__", index_of(trace, key), value)

    def delete_item(self, trace: Trace, key: Value) -> None:
        self.change("__delitem__", index_of(trace, key))

    def attribute(self, trace: Trace, name: str) -> Value:
        return Constant(self.maxlen) if name == "maxlen" else method_of(self, name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.made_object(self) if self.source is None else self.source.text(writer.pool)

    def maker(self, writer: EntryWriter) -> str:
        """The expression for the deque before it holds anything."""
        return f"{writer.pool.add(deque)}((), {self.maxlen})"

    def fill(self, writer: EntryWriter, name: str) -> list[str]:
        """The statements that give the new deque in the variable `name` what it holds."""
        parts = [each.rebuild(writer) for each in self.items]
        return [f"{name}.extend([{', '.join(parts)}])"] if parts else []


def _argument(writer: EntryWriter, given: Any) -> str:
    return writer.fetched(given.rebuild(writer)) if isinstance(given, Value) else constant_text(given, writer.pool)


@wraps(deque)
def wrap_deque(trace: Trace, value: Any, source: Source) -> Value:
    """A deque; once it is read, its elements are wrapped one by one."""
    trace.guard(TypeIs, source, expected=deque)
    trace.guard(Equals, Attribute(source, "maxlen"), expected=value.maxlen)

    def read() -> list[Value]:
        trace.guard(Length, source, expected=len(value))
        return [wrap(trace, each, Item(source, k)) for k, each in enumerate(value)]

    return DequeValue(deque((), value.maxlen), source, read)
