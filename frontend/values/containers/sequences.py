"""Tuples and lists: made during the trace, or read from outside, where changes are carried out after the plan."""

# Note [Unread containers]
# A list or dict from outside is looked into when somebody asks what it holds. Until then its length and its keys are
# free, and `log.append(x)` serves a log of any length: `read` gives the items as they were before the call, `added` is
# what came behind them since.

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator as Iterating
from collections.abc import Sequence as Items
from typing import TYPE_CHECKING, Any

from ....guards.containers import Length
from ....guards.guard import TypeIs
from ....guards.sources import Item, Source
from ...breaks import ProgramRaised
from .. import protocols
from ..base import MutableValue, Value, wrap, wraps
from ..constant import Constant
from ..effects.mutation_text import Changing
from ..numbers.input_scalar import InputNumber
from .element_protocol import constant_elements, index_of, looking_into, method_of, same_value

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


FEW = 8
"""Elements with which a number is compared one by one, each outcome a guard; among more the number itself is fixed."""


def with_fixed_value(trace: Trace, value: Value) -> Value:
    """A number from outside with its value fixed; anything else as it is."""
    return Constant(value.constant(trace)) if isinstance(value, InputNumber) else value


class Sequence(Value):
    """The common part of traced tuples and lists."""

    __slots__ = ("items", "source")
    kind: type = object

    def __init__(self, items: list[Value], source: Source | None = None) -> None:
        self.items = items
        self.source = source

    @property
    def python_type(self) -> type:
        return self.kind

    def truth(self, trace: Trace) -> bool:
        return bool(self.items)

    def length(self, trace: Trace) -> int:
        return len(self.items)

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.items)

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return iter(self.items)  # a list changed by the loop's body gives what Python's gives

    def contains(self, trace: Trace, element: Value) -> bool:
        wanted = element if len(self.items) <= FEW else with_fixed_value(trace, element)
        return any(same_value(trace, each, wanted) for each in self.items)

    def item(self, trace: Trace, key: Value) -> Value:
        found = None if trace.region is None else protocols.picked_from(trace, self.items, key)
        if found is not None:
            return found
        index = index_of(trace, key)
        try:
            picked = tuple(self.items)[index] if self.kind is tuple else self.items[index]
        except (IndexError, TypeError, ValueError) as error:
            raise ProgramRaised(error) from None
        if isinstance(picked, Value):
            return picked
        if type(self) is TupleValue and len(picked) == len(self.items) and index.step in (None, 1):  # type: ignore[union-attr]
            return self  # the very object, as in Python
        return type(self)(list(picked))

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.container(self)


class TupleValue(Sequence):
    """A tuple."""

    __slots__ = ()
    kind = tuple

    def is_constant(self) -> bool:
        return all(each.is_constant() for each in self.items)

    def constant(self, trace: Trace) -> Any:
        return tuple(each.constant(trace) for each in self.items)

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        raise ProgramRaised(TypeError("'tuple' object does not support item assignment"))

    def delete_item(self, trace: Trace, key: Value) -> None:
        raise ProgramRaised(TypeError("'tuple' object doesn't support item deletion"))

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)


class ListValue(Sequence, MutableValue):
    """A list. See Note [Unread containers]."""

    __slots__ = ("_added", "_before", "_holds_some", "_items", "_read")
    kind = list
    identity_kind = "list"

    def __init__(
        self, items: list[Value], source: Source | None = None, read: Callable[[], list[Value]] | None = None
    ) -> None:
        self._read: Callable[[], list[Value]] | None = None
        super().__init__(items, source)
        self._read = read
        self._holds_some = False
        self._added: list[Value] = []
        self._before: Items[Value] = ()

    @property
    def items(self) -> list[Value]:  # type: ignore[override]
        """The elements that the list holds now."""
        if self._read is not None:
            before = self._read()
            self._read, self._before, self._items = None, tuple(before), [*before, *self._added]
        return self._items

    @items.setter
    def items(self, items: list[Value]) -> None:
        if self._read is not None:
            len(self.items)  # what it held before is known from now on
        self._items = items

    @property
    def added(self) -> list[Value]:
        """The elements that were appended since `read_by`, where nobody has looked at the list."""
        return list(self._added)

    def read_by(self, read: Callable[[], list[Value]] | None, *, holds_some: bool = False) -> None:
        """Has whoever looks at the elements call `read` first; None: nobody has to.   holds_some: it has elements."""
        self._read, self._holds_some = read, holds_some

    def truth(self, trace: Trace) -> bool:
        return self._read is not None and self._holds_some or super().truth(trace)

    def append(self, item: Value) -> None:
        """`list.append`, whatever it holds."""
        self.note_change()
        (self._items if self._read is None else self._added).append(item)

    def changes(self, writer: EntryWriter, owner: str) -> list[str]:
        def fetched(items: Items[Value]) -> list[str]:
            return [writer.fetched(each.rebuild(writer)) for each in items]

        before, after = self._before, self._items
        if self._read is not None:
            before, after = (), self._added
        changed = [k for k, each in enumerate(after) if k >= len(before) or each is not before[k]]
        changing = Changing(writer.pool, owner, self.held_by)
        if len(after) == len(before):
            texts = fetched([after[k] for k in changed])
            return [changing.put(str(k), text) for k, text in zip(changed, texts, strict=True)]
        if changed and changed[0] == len(before):
            return [changing.call("extend", f"[{', '.join(fetched(after[len(before) :]))}]")]
        return [changing.put(writer.pool.add(slice(None)), f"[{', '.join(fetched(after))}]")]

    def constant(self, trace: Trace) -> Any:
        return constant_elements(trace, self, self.items)

    def changing(self) -> list[Value]:
        """The items, for a change in place. Errors: a break for a list of ours from outside."""
        items = self.items
        self.note_change()
        return items

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        index = index_of(trace, key)
        if isinstance(index, int) and -len(self.items) <= index < len(self.items) and self.items[index] is value:
            return  # `parts[0] += x` stores the array that is there already
        items = self.changing()
        try:
            if isinstance(index, slice):
                items[index] = value.elements(trace)
            else:
                items[index] = value
        except (IndexError, ValueError, TypeError) as error:
            raise ProgramRaised(error) from None

    def delete_item(self, trace: Trace, key: Value) -> None:
        index, items = index_of(trace, key), self.changing()
        try:
            del items[index]
        except (IndexError, TypeError, ValueError) as error:
            raise ProgramRaised(error) from None

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)


@wraps(tuple)
def wrap_tuple(trace: Trace, value: Any, source: Source) -> Value:
    """A tuple, its elements wrapped one by one."""
    trace.guard(TypeIs, source, expected=tuple)
    trace.guard(Length, source, expected=len(value))
    with looking_into(trace, value, type(value), source):
        return TupleValue([wrap(trace, each, Item(source, k)) for k, each in enumerate(value)], source)


@wraps(list)
def wrap_list(trace: Trace, value: Any, source: Source) -> Value:
    """A list; once it is read, its elements are wrapped one by one."""
    trace.guard(TypeIs, source, expected=list)

    def read() -> list[Value]:
        trace.guard(Length, source, expected=len(value))
        return [wrap(trace, each, Item(source, k)) for k, each in enumerate(value)]

    return ListValue([], source, read)
