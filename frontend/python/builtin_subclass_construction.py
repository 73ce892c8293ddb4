"""The making of objects of classes below a built-in type: `list.__new__`, `dict.__init__`, `fromkeys` and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..breaks import UNKNOWN_CALL
from ..tracing.rules import Rule, traces
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import NONE, Constant
from ..values.containers.builtin_subclasses import PLAIN, BuiltinSubclassInstance, empty_items, native, new_holder
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import ListValue
from ..values.objects.descriptors import FROM_KEYS
from .builtin_subclass_methods import native_method
from .iteration import iterator_of, steps
from .mappings import merge

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def _empty(kind: type) -> Rule:
    def rule(trace: Trace, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
        known = _class_below(cls, kind)
        if known is kind:
            return ListValue([]) if kind is list else DictValue({})
        return new_holder(
            trace, known, ListValue([]) if kind is list else DictValue(empty_items(native(known) or kind))
        )

    return rule


def _converted(kind: type) -> Rule:
    def rule(trace: Trace, cls: Value, /, *args: Value, **kwargs: Value) -> Value:
        known = _class_below(cls, kind)
        held = BuiltinCallable(kind).call(trace, list(args), kwargs)
        if held.python_type is not kind:
            raise held.unsupported(f"{kind.__name__}()")
        return held if known is kind else new_holder(trace, known, held)

    return rule


def _class_below(cls: Value, kind: type) -> type:
    known = cls.function if isinstance(cls, BuiltinCallable) else None
    base = native(known) if isinstance(known, type) else None
    if base is None or PLAIN[base] is not kind:
        raise UNKNOWN_CALL.stop(name=f"{kind.__name__}.__new__ of this class")
    return known  # type: ignore[return-value]


traces(list.__new__)(_empty(list))
traces(dict.__new__)(_empty(dict))
for _kind in (int, float, str, bytes):
    traces(_kind.__new__)(_converted(_kind))


@native_method("__init__", list)
def init_list(trace: Trace, owner: BuiltinSubclassInstance, iterable: Value | None = None, /) -> Value:
    """`list.__init__`."""
    if owner.held.items:
        owner.held.changing().clear()
    if iterable is not None:
        for each in steps(trace, iterable):
            owner.held.append(each)
    return NONE


@native_method("__init__", dict)
@native_method("update", dict)
def update(trace: Trace, owner: BuiltinSubclassInstance, other: Value | None = None, /, **items: Value) -> Value:
    """`dict.update`."""
    if other is not None:
        merge(trace, owner.held.set_item, other)
    for name, each in items.items():
        owner.held.set_item(trace, Constant(name), each)
    return NONE


@traces(FROM_KEYS)
def from_keys(trace: Trace, cls: Value, keys: Value, value: Value = NONE, /) -> Value:
    """`cls.fromkeys(keys, value)`: a call of the class, and an assignment for each key."""
    made = cls.call(trace, [], {})
    for each in iterator_of(trace, keys):
        made.set_item(trace, each, value)
    return made
