"""Methods and operators of dicts and their views that take other mappings, and `list.sort`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ..tracing.rules import asked
from ..values.base import Value
from ..values.constant import FALSE, NONE, Constant
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.element_protocol import constant_value
from ..values.containers.sequences import ListValue, TupleValue
from ..values.containers.sets import operand
from . import mappings
from .operators import compare, truth
from .sequence_methods import method

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@method("clear", dict)
def clear(trace: Trace, owner: DictValue) -> Value:
    """`dict.clear`."""
    owner.clear()
    return NONE


@method("popitem", dict)
def pop_last(trace: Trace, owner: DictValue) -> Value:
    """`dict.popitem`."""
    key, value = owner.take_last()
    return TupleValue([constant_value(key), value])


def merge(trace: Trace, target: DictValue, other: Value) -> None:
    """`target.update(other)`: another mapping, or an iterable of pairs."""
    if isinstance(other, DictValue):
        target.changing().update(other.items)
        return
    mappings.merge(trace, target.set_item, other)


def join(trace: Trace, left: DictValue, right: Value, *, in_place: bool) -> Value | None:
    """`left | right`; None where Python has no rule for it."""
    if in_place:
        merge(trace, left, right)
        return left
    return DictValue({**left.items, **right.items}) if isinstance(right, DictValue) else None


@method("isdisjoint", type({}.keys()), type({}.items()))
def is_disjoint(trace: Trace, owner: DictView, other: Value) -> Value:
    """`dict.keys().isdisjoint`."""
    return Constant(operand(trace, owner)[0].isdisjoint(operand(trace, other)[0]))


class _Sortable:
    """An element under its key, for Python's own sort to ask which of two is less."""

    __slots__ = ("key", "trace", "value")

    def __init__(self, trace: Trace, key: Value, value: Value) -> None:
        self.trace, self.key, self.value = trace, key, value

    def __lt__(self, other: _Sortable) -> bool:
        return truth(self.trace, compare(self.trace, "<", self.key, other.key))


def in_order(trace: Trace, items: list[Value], key: Value, reverse: Value) -> list[Value]:
    """The items as `sorted` gives them; a comparison of unknown numbers relies on how it comes out."""
    by_itself = isinstance(key, Constant) and key.value is None
    keyed = [_Sortable(trace, each if by_itself else key.call(trace, [each], {}), each) for each in items]
    keyed.sort(reverse=asked(operator.index, reverse.constant(trace)) != 0)
    return [each.value for each in keyed]


@method("sort", list)
def sort(trace: Trace, owner: ListValue, *, key: Value = NONE, reverse: Value = FALSE) -> Value:
    """`list.sort`."""
    items = owner.changing()
    items[:] = in_order(trace, list(items), key, reverse)
    return NONE
