"""Functions that take a mapping or pairs: `dict.update`, `dict(…)`, `{**mapping}`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..breaks import ProgramRaised
from ..values.base import Value
from ..values.containers.builtin_subclasses import BuiltinSubclassInstance
from ..values.containers.dicts import DictValue
from ..values.containers.element_protocol import constant_value
from ..values.containers.object_keys import objects_in
from ..values.numbers import input_scalar
from ..values.objects.classes import class_attribute
from ..values.objects.user_object import UserObject
from ..values.objects.wrong_answers import error_of
from .iteration import iterator_of, steps

if TYPE_CHECKING:
    from ..tracing.trace import Trace

Put = Callable[["Trace", Value, Value], None]


def merge(trace: Trace, put: Put, other: Value) -> None:
    """`put` each item of another mapping, or of an iterable of pairs, as dicts do it."""
    if not merge_mapping(trace, put, other):
        merge_pairs(trace, put, other)


def merge_mapping(trace: Trace, put: Put, other: Value, *, by_protocol: bool = False) -> bool:
    """Whether `other` is a mapping, after `put` of each of its items.

    by_protocol: a subclass of dict is asked as any other mapping.
    """
    items = None if by_protocol and isinstance(other, BuiltinSubclassInstance) else _own_items(trace, other)
    if items is not None:
        for key, value in list(items.items()):
            for found in objects_in(key):
                if not found.bare:
                    raise found.value.unsupported("a merge of dicts with such a key")  # whose hash is known already
            put(trace, constant_value(key), value)
        return True
    keys = _keys(trace, other)
    if keys is None:
        return False
    for each in iterator_of(trace, keys.call(trace, [], {})):
        put(trace, each, other.item(trace, each))
    return True


def _own_items(trace: Trace, other: Value) -> dict[object, Value] | None:
    """The items of a dict, which its class is not asked for unless it iterates in a way of its own."""
    if isinstance(other, DictValue):
        return other.items
    if isinstance(other, BuiltinSubclassInstance) and other.plain_type is dict:
        if class_attribute(trace, other.python_type, "__iter__")[0] is dict.__iter__:
            return other.held.items  # type: ignore[no-any-return]
    return None


def _keys(trace: Trace, other: Value) -> Value | None:
    if not isinstance(other, UserObject):
        return None
    try:
        return other.attribute(trace, "keys")
    except ProgramRaised as raised:
        if isinstance(raised.error, AttributeError):
            return None
        raise


def _error_of_number(place: int) -> Exception:
    """The error of Python for a number in the place of a pair."""
    items: list[Any] = [*[(0, 0)] * place, 0]
    return error_of(lambda: dict(items))


def merge_pairs(trace: Trace, put: Put, pairs: Value) -> None:
    """`put` each pair of an iterable."""
    for place, pair in enumerate(iterator_of(trace, pairs)):
        try:
            found = list(steps(trace, pair))
        except ProgramRaised as raised:
            if isinstance(raised.error, TypeError) and input_scalar.is_number(pair):
                raise ProgramRaised(_error_of_number(place)) from None
            raise
        if len(found) != 2:
            text = f"dictionary update sequence element #{place} has length {len(found)}; 2 is required"
            raise ProgramRaised(ValueError(text))
        put(trace, *found)
