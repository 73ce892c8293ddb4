"""Records of `core/records.py` as JSON data, and back; a field that has its default is left out."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from ...core.records import field_names, is_record
from ..escaping import shortened

R = TypeVar("R")
LONGEST = 2_000
"""Characters of a text, or of one line of a long one: values of the program may be of any size."""


def data_of(value: Any, known: dict[int, Any] | None = None) -> Any:
    """The value as JSON data: records become objects without defaults, sequences and sets lists, long texts are cut.

    known: the data of the records that were met on the way, by id; a record that is met again has the same data.
    """
    kind: Any = type(value)
    if kind is str:
        return value if len(value) <= LONGEST else shortened(value, LONGEST)
    if kind in _AS_THEY_ARE:
        return value
    known = {} if known is None else known
    if kind is tuple or kind is list:
        return [each if type(each) in _AS_THEY_ARE else data_of(each, known) for each in value]
    if is_record(value):
        return known.get(id(value)) or _record_data(value, kind, known)
    if isinstance(value, str):
        return shortened(value, LONGEST)
    if isinstance(value, (tuple, list)):
        return [data_of(each, known) for each in value]
    if isinstance(value, frozenset):
        return sorted(data_of(each, known) for each in value)
    if isinstance(value, Mapping):
        return {str(key): data_of(each, known) for key, each in value.items()}
    return value


_AS_THEY_ARE = frozenset({int, float, bool, type(None)})
_NO_DEFAULT = object()


def _record_data(value: Any, kind: Any, known: dict[int, Any]) -> dict[str, Any]:
    names, defaults, read = _written(kind)
    data = known[id(value)] = {}
    for name, default, each in zip(names, defaults, read(value), strict=True):
        if each is not default and each != default:
            data[name] = each if type(each) in _AS_THEY_ARE else data_of(each, known)
    return data


@functools.cache
def _written(kind: Any) -> tuple[tuple[str, ...], list[Any], Callable[[Any], tuple[Any, ...]]]:
    """The names of the fields of a record's class, their defaults, and a function that reads all of them."""
    names, defaults = tuple(field_names(kind)), defaults_of(kind)
    read = attrgetter(*names)
    many = len(names) > 1
    return names, [defaults.get(name, _NO_DEFAULT) for name in names], read if many else lambda each: (read(each),)


def made_from(kind: type[R], data: Any) -> R:
    """The record of this kind in the data; fields that the kind does not know are left out.

    Errors: TypeError, KeyError or ValueError where the data is not that of such a record.
    """
    if not isinstance(data, dict):
        raise TypeError(f"expected an object for {kind.__name__}, got {type(data).__name__}")
    known: Any = kind
    hints = hints_of(known)
    return kind(**{name: _value(hints[name], each) for name, each in data.items() if name in hints})


def _value(kind: Any, data: Any) -> Any:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        others = [part for part in parts if part is not type(None)]
        return None if data is None else _value(others[0], data)
    if origin is tuple or origin is frozenset:
        if not isinstance(data, list):
            raise TypeError(f"expected a list, got {type(data).__name__}")
        kinds = parts[:1] * len(data) if parts[-1] is Ellipsis or origin is frozenset else parts
        return origin(_value(each, part) for each, part in zip(kinds, data, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {key: _value(parts[1], each) for key, each in data.items()}
    if isinstance(kind, type) and is_record(kind):
        return made_from(kind, data)
    if kind is float and type(data) is int:
        return float(data)
    if isinstance(kind, type) and not isinstance(data, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(data).__name__}")
    return data


@functools.cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The types of the fields of a record's class."""
    hints = typing.get_type_hints(kind)
    return {name: hints[name] for name in field_names(kind)}


@functools.cache
def defaults_of(kind: Any) -> dict[str, Any]:
    """The defaults of the fields of a record's class."""
    found: dict[str, Any] = {}
    for each in dataclasses.fields(kind):
        if each.default is not dataclasses.MISSING:
            found[each.name] = each.default
        elif each.default_factory is not dataclasses.MISSING:
            found[each.name] = each.default_factory()
    return found
