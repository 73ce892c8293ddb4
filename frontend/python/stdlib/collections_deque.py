"""`collections.deque`, its methods and its operators over traced values."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING

from ....core.config import config
from ...breaks import RAISES, ProgramRaised
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.deques import DequeValue
from ..iteration import iterator_of
from ..sequence_methods import contains, delete_item, get_item, length, method, set_item

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(deque)
def deque_(trace: Trace, iterable: Value | None = None, maxlen: Value = NONE) -> Value:
    """`deque`."""
    try:
        made = DequeValue(deque((), maxlen.constant(trace)))
    except (TypeError, ValueError, OverflowError) as error:
        raise ProgramRaised(error) from None
    if iterable is not None:
        extend(trace, made, iterable)
    return made


for _name, _rule in {
    "__contains__": contains,
    "__len__": length,
    "__getitem__": get_item,
    "__setitem__": set_item,
    "__delitem__": delete_item,
}.items():
    method(_name, deque)(_rule)


@method("append", deque)
def append(trace: Trace, owner: DequeValue, item: Value, /) -> Value:
    """`deque.append`."""
    owner.change("append", item)
    return NONE


@method("appendleft", deque)
def append_left(trace: Trace, owner: DequeValue, item: Value, /) -> Value:
    """`deque.appendleft`."""
    owner.change("appendleft", item)
    return NONE


@method("extend", deque)
def extend(trace: Trace, owner: DequeValue, items: Value, /) -> Value:
    """`deque.extend`."""
    for each in owner.elements(trace) if items is owner else iterator_of(trace, items):
        owner.change("append", each)
    return NONE


@method("extendleft", deque)
def extend_left(trace: Trace, owner: DequeValue, items: Value, /) -> Value:
    """`deque.extendleft`."""
    for each in owner.elements(trace) if items is owner else iterator_of(trace, items):
        owner.change("appendleft", each)
    return NONE


@method("pop", deque)
def pop(trace: Trace, owner: DequeValue, /) -> Value:
    """`deque.pop`."""
    taken: Value = owner.change("pop")
    return taken


@method("popleft", deque)
def pop_left(trace: Trace, owner: DequeValue, /) -> Value:
    """`deque.popleft`."""
    taken: Value = owner.change("popleft")
    return taken


@method("clear", deque)
def clear(trace: Trace, owner: DequeValue, /) -> Value:
    """`deque.clear`."""
    owner.change("clear")
    return NONE


@method("reverse", deque)
def reverse(trace: Trace, owner: DequeValue, /) -> Value:
    """`deque.reverse`."""
    owner.change("reverse")
    return NONE


@method("rotate", deque)
def rotate(trace: Trace, owner: DequeValue, n: Value = Constant(1), /) -> Value:  # noqa: B008
    """`deque.rotate`."""
    owner.change("rotate", n.constant(trace))
    return NONE


@method("insert", deque)
def insert(trace: Trace, owner: DequeValue, index: Value, item: Value, /) -> Value:
    """`deque.insert`."""
    owner.change("insert", index.constant(trace), item)
    return NONE


@method("copy", deque)
@method("__copy__", deque)
def copy(trace: Trace, owner: DequeValue, /) -> Value:
    """`deque.copy`."""
    return DequeValue(owner.items.copy())


@method("count", deque)
def count(trace: Trace, owner: DequeValue, item: Value, /) -> Value:
    """`deque.count`."""
    return Constant(sum(1 for _ in owner.places(trace, item)))


@method("index", deque)
def index(
    trace: Trace,
    owner: DequeValue,
    item: Value,
    start: Value = Constant(0),  # noqa: B008
    stop: Value = Constant(sys.maxsize),  # noqa: B008
    /,
) -> Value:
    """`deque.index`."""
    first, last, _ = slice(start.constant(trace), stop.constant(trace)).indices(len(owner.items))
    place = next(owner.places(trace, item, first, max(first, last)), None)
    return Constant(place) if place is not None else _not_found(trace, "index", item)


@method("remove", deque)
def remove(trace: Trace, owner: DequeValue, item: Value, /) -> Value:
    """`deque.remove`."""
    begun = owner.changed
    place = next(owner.places(trace, item, error=IndexError), None)
    if owner.changed != begun:
        raise ProgramRaised(IndexError("deque mutated during iteration"))
    if place is None:
        return _not_found(trace, "remove", item)
    owner.change("__delitem__", place)
    return NONE


def _not_found(trace: Trace, name: str, item: Value) -> Value:
    """Errors: always, in the words that an empty deque has for it."""
    if not item.is_constant():
        raise RAISES.stop(error="ValueError: not in the deque")
    try:
        getattr(deque(), name)(item.constant(trace))
    except ValueError as error:
        raise ProgramRaised(error) from None
    raise AssertionError(name)


# Operators.
def operate(trace: Trace, name: str, left: Value, right: Value, *, in_place: bool) -> Value | None:
    """`left <name> right` where one is a deque; None where Python has no such operator for it."""
    if name == "+" and isinstance(left, DequeValue):
        if in_place:
            extend(trace, left, right)
            return left
        return DequeValue(left.items + right.items) if isinstance(right, DequeValue) else None
    if name != "*":
        return None
    many, times = (left, right) if isinstance(left, DequeValue) else (right, left)
    if not isinstance(many, DequeValue) or isinstance(times, DequeValue) or times.python_type is not int:
        return None
    number = times.constant(trace)
    if len(many.items) * number > config.trace_limit:
        raise many.unsupported(f"more than {config.trace_limit} elements")
    if in_place and many is left:
        many.change("__imul__", number)
        return many
    return DequeValue(many.items * number)
