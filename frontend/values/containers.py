"""Built-in containers: made during the trace (free to change) or read from outside (changing them breaks the graph)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...guards.guard import DictKeys, Length, TypeIs
from ...guards.sources import Item, Source
from ..breaks import RAISES, SIDE_EFFECT
from .base import Value, wrap, wraps
from .constant import Constant

if TYPE_CHECKING:
    from ..reconstruct import Writer
    from ..trace import Trace


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

    def contains(self, trace: Trace, element: Value) -> bool:
        return any(same_value(trace, each, element) for each in self.items)

    def item(self, trace: Trace, key: Value) -> Value:
        index = index_of(trace, key)
        try:
            picked = self.items[index]
        except (IndexError, TypeError) as error:
            raise RAISES.stop(error=f"{type(error).__name__}: {error}") from None
        return type(self)(picked) if isinstance(picked, list) else picked

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

    def attribute(self, trace: Trace, name: str) -> Value:
        from .functions import ContainerMethod

        if name in ("count", "index"):
            return ContainerMethod(self, name)
        raise self.unsupported(f"the attribute {name!r}")


class ListValue(Sequence):
    """A list."""

    __slots__ = ()
    kind = list

    def constant(self, trace: Trace) -> Any:
        return [each.constant(trace) for each in self.items]

    def changing(self) -> list[Value]:
        """The items, for a change in place. Errors: a break when the list existed before the call."""
        if self.source is not None:
            raise SIDE_EFFECT.stop(name=self.source)
        return self.items

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        items, index = self.changing(), index_of(trace, key)
        try:
            items[index] = value.elements(trace) if isinstance(index, slice) else value  # type: ignore[call-overload]
        except (IndexError, ValueError, TypeError) as error:
            raise RAISES.stop(error=f"{type(error).__name__}: {error}") from None

    def attribute(self, trace: Trace, name: str) -> Value:
        from .functions import ContainerMethod

        if name in ContainerMethod.LIST:
            return ContainerMethod(self, name)
        raise self.unsupported(f"the attribute {name!r}")


class DictView(Sequence):
    """What `dict.keys()`, `values()` and `items()` give: for iteration inside the trace only."""

    __slots__ = ()
    kind = type({}.keys())

    def item(self, trace: Trace, key: Value) -> Value:
        raise self.unsupported("a subscript")

    def rebuild(self, writer: Writer) -> str:
        raise self.unsupported("a return")


class DictValue(Value):
    """A dict with constant keys."""

    __slots__ = ("items", "source")

    def __init__(self, items: dict[Any, Value], source: Source | None = None) -> None:
        self.items = items
        self.source = source

    @property
    def python_type(self) -> type:
        return dict

    def truth(self, trace: Trace) -> bool:
        return bool(self.items)

    def length(self, trace: Trace) -> int:
        return len(self.items)

    def elements(self, trace: Trace) -> list[Value]:
        return [Constant(key) if not isinstance(key, tuple) else constant_value(key) for key in self.items]

    def contains(self, trace: Trace, element: Value) -> bool:
        return element.constant(trace) in self.items

    def changing(self) -> dict[Any, Value]:
        """The items, for a change in place. Errors: a break when the dict existed before the call."""
        if self.source is not None:
            raise SIDE_EFFECT.stop(name=self.source)
        return self.items

    def item(self, trace: Trace, key: Value) -> Value:
        wanted = key.constant(trace)
        if wanted not in self.items:
            raise RAISES.stop(error=f"KeyError: {wanted!r}")
        return self.items[wanted]

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        wanted = key.constant(trace)
        hash(wanted)
        self.changing()[wanted] = value

    def attribute(self, trace: Trace, name: str) -> Value:
        from .functions import ContainerMethod

        if name in ContainerMethod.DICT:
            return ContainerMethod(self, name)
        raise self.unsupported(f"the attribute {name!r}")

    def rebuild(self, writer: Writer) -> str:
        return writer.container(self)


class SliceValue(Value):
    """A slice object."""

    __slots__ = ("parts",)

    def __init__(self, start: Value, stop: Value, step: Value) -> None:
        self.parts = (start, stop, step)

    @property
    def python_type(self) -> type:
        return slice

    def is_constant(self) -> bool:
        return all(part.is_constant() for part in self.parts)

    def constant(self, trace: Trace) -> Any:
        return slice(*(part.constant(trace) for part in self.parts))


class RangeValue(Value):
    """A range with known bounds."""

    __slots__ = ("range",)

    def __init__(self, range: range) -> None:
        self.range = range

    @property
    def python_type(self) -> type:
        return range

    def truth(self, trace: Trace) -> bool:
        return bool(self.range)

    def length(self, trace: Trace) -> int:
        return len(self.range)

    def contains(self, trace: Trace, element: Value) -> bool:
        return element.constant(trace) in self.range

    def elements(self, trace: Trace) -> list[Value]:
        return [Constant(each) for each in self.range]

    def item(self, trace: Trace, key: Value) -> Value:
        try:
            picked = self.range[index_of(trace, key)]
        except (IndexError, TypeError) as error:
            raise RAISES.stop(error=f"{type(error).__name__}: {error}") from None
        return RangeValue(picked) if isinstance(picked, range) else Constant(picked)

    def rebuild(self, writer: Writer) -> str:
        return f"{writer.pool.add(range)}({self.range.start}, {self.range.stop}, {self.range.step})"


class Iterator(Value):
    """An iterator over known elements, advanced while tracing."""

    __slots__ = ("position", "remaining")

    def __init__(self, items: list[Value]) -> None:
        self.remaining = items
        self.position = 0

    @property
    def python_type(self) -> type:
        return type(iter(()))

    def advance(self) -> Value | None:
        """The next element; None at the end."""
        if self.position >= len(self.remaining):
            return None
        self.position += 1
        return self.remaining[self.position - 1]

    def elements(self, trace: Trace) -> list[Value]:
        rest = self.remaining[self.position :]
        self.position = len(self.remaining)
        return rest


def index_of(trace: Trace, key: Value) -> int | slice:
    """A subscript of a sequence as a Python int or slice."""
    index = key.constant(trace)
    if not isinstance(index, (int, slice)):
        raise RAISES.stop(error=f"TypeError: indices must be integers or slices, not {type(index).__name__}")
    return index


def same_value(trace: Trace, left: Value, right: Value) -> bool:
    """`left is right or left == right`, for values that can be known."""
    return left is right or bool(left.constant(trace) == right.constant(trace))


def constant_value(value: Any) -> Value:
    """The traced value of a literal from a code object; tuples become tuples of values."""
    if type(value) is tuple:
        return TupleValue([constant_value(each) for each in value])
    return Constant(value)


@wraps(tuple)
def wrap_tuple(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=tuple)
    trace.guard(Length, source, expected=len(value))
    return TupleValue([wrap(trace, each, Item(source, k)) for k, each in enumerate(value)], source)


@wraps(list)
def wrap_list(trace: Trace, value: Any, source: Source) -> Value:
    trace.guard(TypeIs, source, expected=list)
    trace.guard(Length, source, expected=len(value))
    return ListValue([wrap(trace, each, Item(source, k)) for k, each in enumerate(value)], source)


@wraps(dict)
def wrap_dict(trace: Trace, value: Any, source: Source) -> Value:
    if not all(type(key) in (str, int) for key in value):
        raise DictValue({}, source).unsupported("keys that are not text or integers")
    trace.guard(TypeIs, source, expected=dict)
    trace.guard(DictKeys, source, expected=tuple(value))
    return DictValue({key: wrap(trace, each, Item(source, key)) for key, each in value.items()}, source)
