"""Built-in containers: made during the trace, or read from outside, where changes are carried out after the plan."""

# Note [Unread containers]
# A list or dict from outside is looked into when somebody asks what it holds. Until then its length and its keys are
# free, and `log.append(x)` serves a log of any length: `read` gives the items as they were before the call, `added` is
# what came behind them since.

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Iterator as Iterating
from collections.abc import Sequence as Items
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any

from ...guards.containers import DictKeys, Length, is_plain
from ...guards.guard import Equals, TypeIs
from ...guards.sources import Attribute, Item, Pool, Source
from ..breaks import RAISES, UNKNOWN_VALUE, raised
from .base import Shared, Value, wrap, wraps
from .constant import LITERALS, Constant, is_short_int
from .iterators import Iterator as Iterator

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace


FEW = 8
"""Elements with which a number is compared one by one, each outcome a guard; among more the number itself is fixed."""


def settled(trace: Trace, value: Value) -> Value:
    """A number from outside with its value fixed; anything else as it is."""
    from .scalar import Scalar

    return Constant(value.constant(trace)) if isinstance(value, Scalar) else value


class Sequence(Value):
    """What tuples and lists share."""

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
        wanted = element if len(self.items) <= FEW else settled(trace, element)
        return any(same_value(trace, each, wanted) for each in self.items)

    def item(self, trace: Trace, key: Value) -> Value:
        index = index_of(trace, key)
        try:
            picked = tuple(self.items)[index] if self.kind is tuple else self.items[index]
        except (IndexError, TypeError, ValueError) as error:
            raise raised(error) from None
        return picked if isinstance(picked, Value) else type(self)(list(picked))

    def rebuild(self, writer: Writer) -> str:
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
        raise raised(TypeError("'tuple' object does not support item assignment"))

    def delete_item(self, trace: Trace, key: Value) -> None:
        raise raised(TypeError("'tuple' object doesn't support item deletion"))

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)


class ListValue(Sequence, Shared):
    """A list. See Note [Unread containers]."""

    __slots__ = ("_added", "_before", "_items", "_read")
    kind = list
    identity_kind = "list"

    def __init__(
        self, items: list[Value], source: Source | None = None, read: Callable[[], list[Value]] | None = None
    ) -> None:
        self._read: Callable[[], list[Value]] | None = None
        super().__init__(items, source)
        self._read = read
        self._added: list[Value] = []
        self._before: Items[Value] = ()

    @property
    def items(self) -> list[Value]:  # type: ignore[override]
        """What it holds now."""
        if self._read is not None:
            before = self._read()
            self._read, self._before, self._items = None, tuple(before), [*before, *self._added]
        return self._items

    @items.setter
    def items(self, items: list[Value]) -> None:
        if self._read is not None:
            len(self.items)  # what it held before is known from now on
        self._items = items

    def append(self, item: Value) -> None:
        """`list.append`, whatever it holds."""
        self.note_change()
        (self._items if self._read is None else self._added).append(item)

    def changes(self, writer: Writer, owner: str) -> list[str]:
        def fetched(items: Items[Value]) -> list[str]:
            return [writer.fetched(each.rebuild(writer)) for each in items]

        before, after = self._before, self._items
        if self._read is not None:
            before, after = (), self._added
        changed = [k for k, each in enumerate(after) if k >= len(before) or each is not before[k]]
        if len(after) == len(before):
            return [
                f"{owner}[{k}] = {text}" for k, text in zip(changed, fetched([after[k] for k in changed]), strict=True)
            ]
        if changed and changed[0] == len(before):
            return [f"{owner}.extend([{', '.join(fetched(after[len(before) :]))}])"]
        return [f"{owner}[:] = [{', '.join(fetched(after))}]"]

    def constant(self, trace: Trace) -> Any:
        return [each.constant(trace) for each in self.items]

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
            raise raised(error) from None

    def delete_item(self, trace: Trace, key: Value) -> None:
        index, items = index_of(trace, key), self.changing()
        try:
            del items[index]
        except (IndexError, TypeError, ValueError) as error:
            raise raised(error) from None

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)


class DictValue(Shared):
    """A dict with constant keys. See Note [Unread containers]."""

    __slots__ = ("_added", "_before", "_items", "_read", "source")
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

    @property
    def items(self) -> dict[Any, Value]:
        """What it holds now."""
        if self._read is not None:
            before = self._read()
            self._read, self._before, self._items = None, before, {**before, **self._added}
        return self._items

    @items.setter
    def items(self, items: dict[Any, Value]) -> None:
        if self._read is not None:
            len(self.items)  # what it held before is known from now on
        self._items = items

    def changes(self, writer: Writer, owner: str) -> list[str]:
        before, after = (self._before, self._items) if self._read is None else ({}, self._added)
        kept = _kept_keys(before, after)
        gone = [key for key in before if key not in kept]
        put = [(key, each) for key, each in after.items() if key not in kept or each is not before[key]]
        texts = [(dict_key(writer.pool, key), writer.fetched(each.rebuild(writer))) for key, each in put]
        return [
            *(f"del {owner}[{dict_key(writer.pool, key)}]" for key in gone),
            *(f"{owner}[{key}] = {text}" for key, text in texts),
        ]

    @property
    def python_type(self) -> type:
        return dict

    def constant(self, trace: Trace) -> Any:
        return {key: each.constant(trace) for key, each in self.items.items()}

    def truth(self, trace: Trace) -> bool:
        return bool(self.items)

    def length(self, trace: Trace) -> int:
        return len(self.items)

    def elements(self, trace: Trace) -> list[Value]:
        return [constant_value(key) for key in self.items]

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return map(constant_value, self.items)

    def contains(self, trace: Trace, element: Value) -> bool:
        return key_of(trace, element) in self.items

    def changing(self) -> dict[Any, Value]:
        """The items, for a change in place. Errors: a break for a dict of ours from outside."""
        items = self.items
        self.note_change()
        return items

    def item(self, trace: Trace, key: Value) -> Value:
        wanted = key_of(trace, key)
        if self._read is not None and wanted in self._added:
            return self._added[wanted]
        if wanted not in self.items:
            raise raised(KeyError(wanted))
        return self.items[wanted]

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        wanted = key_of(trace, key)
        if self._read is not None:
            self.note_change()
            self._added[wanted] = value
        elif self.items.get(wanted) is not value:  # `parts["w"] += x` stores the array that is there already
            self.changing()[wanted] = value

    def delete_item(self, trace: Trace, key: Value) -> None:
        wanted = key_of(trace, key)
        if wanted not in self.items:
            raise raised(KeyError(wanted))
        del self.changing()[wanted]

    def attribute(self, trace: Trace, name: str) -> Value:
        return method_of(self, name)

    def rebuild(self, writer: Writer) -> str:
        return writer.container(self)


class DictView(Value):
    """What `dict.keys()`, `values()` and `items()` give: a window on the dict, as Python's is."""

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


class SliceValue(Value):
    """A slice object."""

    __slots__ = ("parts", "source")

    def __init__(self, start: Value, stop: Value, step: Value, source: Source | None = None) -> None:
        self.parts = (start, stop, step)
        self.source = source

    @property
    def python_type(self) -> type:
        return slice

    def truth(self, trace: Trace) -> bool:
        return True

    def is_constant(self) -> bool:
        return all(part.is_constant() for part in self.parts)

    def constant(self, trace: Trace) -> Any:
        return slice(*(part.constant(trace) for part in self.parts))

    def attribute(self, trace: Trace, name: str) -> Value:
        names = ("start", "stop", "step")
        return self.parts[names.index(name)] if name in names else method_of(self, name)

    def rebuild(self, writer: Writer) -> str:
        return writer.container(self)

    def literal(self, writer: Writer) -> str:
        """The expression that makes the slice anew."""
        return f"{writer.pool.add(slice)}({', '.join(part.rebuild(writer) for part in self.parts)})"


class RangeValue(Value):
    """A range with known bounds."""

    __slots__ = ("range", "source")

    def __init__(self, range: range, source: Source | None = None) -> None:
        self.range = range
        self.source = source

    @property
    def python_type(self) -> type:
        return range

    def is_constant(self) -> bool:
        return True

    def constant(self, trace: Trace) -> Any:
        return self.range

    def attribute(self, trace: Trace, name: str) -> Value:
        from .known import ContainerMethod

        if name in ("start", "stop", "step"):
            return Constant(getattr(self.range, name))
        if name in ("count", "index"):
            return ContainerMethod(self, name)
        raise self.unsupported(f"the attribute {name!r}")

    def truth(self, trace: Trace) -> bool:
        return bool(self.range)

    def length(self, trace: Trace) -> int:
        return len(self.range)

    def contains(self, trace: Trace, element: Value) -> bool:
        return element.constant(trace) in self.range

    def elements(self, trace: Trace) -> list[Value]:
        return list(self.iterate(trace))

    def iterate(self, trace: Trace) -> Iterating[Value]:
        return map(Constant, self.range)

    def item(self, trace: Trace, key: Value) -> Value:
        try:
            picked = self.range[index_of(trace, key)]
        except (IndexError, TypeError, ValueError) as error:
            raise raised(error) from None
        return RangeValue(picked) if isinstance(picked, range) else Constant(picked)

    def rebuild(self, writer: Writer) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        bounds = ", ".join(repr(each) for each in (self.range.start, self.range.stop, self.range.step))
        return writer.once(self, lambda: f"{writer.pool.add(range)}({bounds})")


def method_of(owner: Value, name: str) -> Value:
    """The bound method of a container. Errors: a break where there is no rule for it."""
    from ..container_methods import METHODS
    from .known import ContainerMethod

    if (owner.python_type, name) not in METHODS:
        raise owner.unsupported(f"the attribute {name!r}")
    return ContainerMethod(owner, name)


def _kept_keys(before: Mapping[Any, Value], after: Mapping[Any, Value]) -> set[Any]:
    """The keys from before that can stay where they are: those from the front of `after` on, in the old order."""
    old, kept = iter(before), set()
    for key in after:
        if not any(key == each and type(key) is type(each) for each in old):
            break
        kept.add(key)
    return kept


def dict_key(pool: Pool, key: object) -> str:
    """The expression for a dict's key."""
    return repr(key) if type(key) in (str, bool, type(None)) or is_short_int(key) else pool.add(key)


def index_of(trace: Trace, key: Value) -> int | slice:
    """A subscript of a sequence as a Python int or slice."""
    from ..special_methods import as_index
    from .user_object import UserObject

    index = as_index(trace, key) if isinstance(key, UserObject) else key.constant(trace)
    if not isinstance(index, (int, slice)):
        if not isinstance(index, (*LITERALS, tuple, list)):
            raise key.unsupported("a subscript")
        raise RAISES.stop(error=f"TypeError: indices must be integers or slices, not {type(index).__name__}")
    return index


def key_of(trace: Trace, key: Value) -> Any:
    """A dict key as a Python object. Errors: a break where Python raises TypeError, as for a list."""
    wanted = key.constant(trace)
    try:
        hash(wanted)
    except TypeError as error:
        raise raised(error) from None
    if _holds_nan(wanted):
        raise key.unsupported("NaN, which no lookup finds but by identity, as a key")
    return wanted


def _holds_nan(key: Any) -> bool:
    if type(key) in (tuple, frozenset):
        return any(map(_holds_nan, key))
    return type(key) in (float, complex) and key != key


def same_value(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right or left == right`, as containers ask it."""
    from ..comparing import is_or_equals

    return is_or_equals(trace, left, right)


def constant_value(value: Any) -> Value:
    """The traced value of a literal from a code object; tuples become tuples of values."""
    if type(value) is tuple:
        return TupleValue([constant_value(each) for each in value])
    if isinstance(value, type):
        from .known import Known

        return Known(value)
    if type(value) is frozenset:
        from .sets import known_frozenset

        return known_frozenset(value)
    if type(value) is range:
        return RangeValue(value)
    if isinstance(value, Enum):
        from .enums import member

        return member(value)
    return Constant(value)


@contextmanager
def _looking_into(trace: Trace, value: Any, source: Source) -> Iterating[None]:
    """A context for wrapping a container's elements. Errors: a break when the container holds itself."""
    if id(value) in trace.wrapping:
        raise UNKNOWN_VALUE.stop(operation="any use", name=f"{source} (a {type(value).__name__} that holds itself)")
    trace.wrapping.add(id(value))
    try:
        yield
    finally:
        trace.wrapping.discard(id(value))


@wraps(tuple)
def wrap_tuple(trace: Trace, value: Any, source: Source) -> Value:
    """A tuple, its elements wrapped one by one."""
    trace.guard(TypeIs, source, expected=tuple)
    trace.guard(Length, source, expected=len(value))
    with _looking_into(trace, value, source):
        return TupleValue([wrap(trace, each, Item(source, k)) for k, each in enumerate(value)], source)


@wraps(list)
def wrap_list(trace: Trace, value: Any, source: Source) -> Value:
    """A list; once it is read, its elements are wrapped one by one."""
    trace.guard(TypeIs, source, expected=list)

    def read() -> list[Value]:
        trace.guard(Length, source, expected=len(value))
        return [wrap(trace, each, Item(source, k)) for k, each in enumerate(value)]

    return ListValue([], source, read)


@wraps(range)
def wrap_range(trace: Trace, value: Any, source: Source) -> Value:
    """A range, guarded whole by its three numbers."""
    trace.guard(TypeIs, source, expected=range)
    for name in ("start", "stop", "step"):
        trace.guard(Equals, Attribute(source, name), expected=getattr(value, name))
    return RangeValue(value, source)


@wraps(dict)
def wrap_dict(trace: Trace, value: Any, source: Source) -> Value:
    """A dict with constants as keys; once it is read, its values are wrapped one by one."""
    trace.guard(TypeIs, source, expected=dict)

    def read() -> dict[Any, Value]:
        if not all(map(is_plain, value)):
            raise DictValue({}, source).unsupported("keys that are no constants")
        trace.guard(DictKeys, source, expected=tuple(value))
        return {key: wrap(trace, each, Item(source, key)) for key, each in value.items()}

    return DictValue({}, source, read)


@wraps(slice)
def wrap_slice(trace: Trace, value: Any, source: Source) -> Value:
    """A slice, its parts wrapped one by one."""
    trace.guard(TypeIs, source, expected=slice)
    with _looking_into(trace, value, source):
        start, stop, step = (wrap(trace, getattr(value, k), Attribute(source, k)) for k in ("start", "stop", "step"))
    return SliceValue(start, stop, step, source)
