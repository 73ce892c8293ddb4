"""Methods of traced lists, tuples and dicts."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..breaks import RAISES, ProgramRaised
from ..tracing.rules import asked
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.containers.dicts import DictValue, DictView
from ..values.containers.element_protocol import key_for, same_value
from ..values.containers.ranges import RangeValue
from ..values.containers.sequences import ListValue, Sequence
from .container_operators import extend_list

if TYPE_CHECKING:
    from ..tracing.trace import Trace

Method = Callable[..., Value]
METHODS: dict[tuple[type, str], Method] = {}


def method(name: str, *kinds: type) -> Callable[[Method], Method]:
    """Registers a method of these container types."""

    def register(rule: Method) -> Method:
        for kind in kinds:
            METHODS[kind, name] = rule
        return rule

    return register


@method("append", list)
def append(trace: Trace, owner: ListValue, item: Value) -> Value:
    """`list.append`."""
    owner.append(item)
    return NONE


@method("extend", list)
def extend(trace: Trace, owner: ListValue, items: Value) -> Value:
    """`list.extend`."""
    extend_list(trace, owner, items)
    return NONE


@method("insert", list)
def insert(trace: Trace, owner: ListValue, index: Value, item: Value) -> Value:
    """`list.insert`."""
    owner.changing().insert(asked(operator.index, index.constant(trace)), item)
    return NONE


@method("pop", list)
def pop(trace: Trace, owner: ListValue, index: Value = Constant(-1)) -> Value:  # noqa: B008
    """`list.pop`."""
    items = owner.changing()
    try:
        return items.pop(asked(operator.index, index.constant(trace)))
    except IndexError as error:
        raise ProgramRaised(error) from None


@method("clear", list)
def clear(trace: Trace, owner: ListValue) -> Value:
    """`list.clear`."""
    owner.changing().clear()
    return NONE


@method("reverse", list)
def reverse(trace: Trace, owner: ListValue) -> Value:
    """`list.reverse`."""
    owner.changing().reverse()
    return NONE


@method("copy", list)
def copy(trace: Trace, owner: ListValue) -> Value:
    """`list.copy`."""
    return ListValue(list(owner.items))


@method("remove", list)
def remove(trace: Trace, owner: ListValue, item: Value) -> Value:
    """`list.remove`."""
    items = owner.changing()
    for position, each in enumerate(items):
        if same_value(trace, each, item):
            del items[position]
            return NONE
    raise ProgramRaised(ValueError("list.remove(x): x not in list"))


@method("__contains__", list, tuple, dict)
def contains(trace: Trace, owner: Value, item: Value) -> Value:
    """`list.__contains__`."""
    return Constant(owner.contains(trace, item))


@method("__len__", list, tuple, dict)
def length(trace: Trace, owner: Value, /) -> Value:
    """`list.__len__`."""
    return Constant(owner.length(trace))


@method("__getitem__", list, tuple, dict)
def get_item(trace: Trace, owner: Value, key: Value, /) -> Value:
    """`list.__getitem__`."""
    return owner.item(trace, key)


@method("__setitem__", list, dict)
def set_item(trace: Trace, owner: Value, key: Value, value: Value, /) -> Value:
    """`list.__setitem__`."""
    owner.set_item(trace, key, value)
    return NONE


@method("__delitem__", list, dict)
def delete_item(trace: Trace, owner: Value, key: Value, /) -> Value:
    """`list.__delitem__`."""
    owner.delete_item(trace, key)
    return NONE


@method("count", list, tuple)
def count(trace: Trace, owner: Sequence, item: Value) -> Value:
    """`list.count`."""
    return Constant(sum(same_value(trace, each, item) for each in owner.items))


@method("index", list, tuple)
def index(
    trace: Trace,
    owner: Sequence,
    item: Value,
    start: Value = Constant(0),  # noqa: B008
    stop: Value = Constant(sys.maxsize),  # noqa: B008
    /,
) -> Value:
    """`list.index`."""
    part = slice(start.constant(trace), stop.constant(trace))
    for position in range(*asked(part.indices, len(owner.items))):
        if same_value(trace, owner.items[position], item):
            return Constant(position)
    if owner.python_type is tuple:
        raise ProgramRaised(ValueError("tuple.index(x): x not in tuple"))
    if not item.is_constant():
        raise RAISES.stop(error="ValueError: not in the list")
    try:
        return Constant([].index(item.constant(trace)))
    except ValueError as error:
        raise ProgramRaised(error) from None


@method("get", dict)
def get(trace: Trace, owner: DictValue, key: Value, default: Value = NONE) -> Value:
    """`dict.get`."""
    return owner.items.get(key_for(trace, key, "dict key"), default)


@method("keys", dict)
def keys(trace: Trace, owner: DictValue) -> Value:
    """`dict.keys`."""
    return DictView(owner, "keys")


@method("values", dict)
def values(trace: Trace, owner: DictValue) -> Value:
    """`dict.values`."""
    return DictView(owner, "values")


@method("items", dict)
def items(trace: Trace, owner: DictValue) -> Value:
    """`dict.items`."""
    return DictView(owner, "items")


@method("setdefault", dict)
def setdefault(trace: Trace, owner: DictValue, key: Value, default: Value = NONE) -> Value:
    """`dict.setdefault`."""
    wanted = key_for(trace, key, "dict key")
    if owner.source is not None and wanted in owner.items:
        return owner.items[wanted]
    return owner.changing().setdefault(wanted, default)


@method("update", dict)
def update(trace: Trace, owner: DictValue, other: Value | None = None, /, **named: Value) -> Value:
    """`dict.update`."""
    from .dict_methods import merge

    if other is not None:
        merge(trace, owner, other)
    owner.changing().update(named)
    return NONE


@method("pop", dict)
def pop_item(trace: Trace, owner: DictValue, key: Value, default: Value | None = None) -> Value:
    """`dict.pop`."""
    wanted = key_for(trace, key, "dict key")
    try:
        return owner.take(wanted)
    except ProgramRaised as raised:
        if default is None or not isinstance(raised.error, KeyError) or raised.error.args[0] is not wanted:
            raise
        return default


@method("copy", dict)
def copy_dict(trace: Trace, owner: DictValue) -> Value:
    """`dict.copy`."""
    return DictValue(dict(owner.items))


@method("count", range)
def count_in_range(trace: Trace, owner: RangeValue, item: Value) -> Value:
    """`range.count`."""
    return Constant(owner.range.count(item.constant(trace)))


@method("index", range)
def index_in_range(trace: Trace, owner: RangeValue, item: Value) -> Value:
    """`range.index`."""
    try:
        return Constant(owner.range.index(item.constant(trace)))
    except ValueError as error:
        raise ProgramRaised(error) from None
