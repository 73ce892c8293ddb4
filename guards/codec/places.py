"""The object at a place of the program, read without running any of its code."""

from __future__ import annotations

import sys
import types
from typing import Any

from ...core.errors import Differs
from ...core.package import PACKAGE
from ...core.records import dataclass
from ..sources import Attribute, CellOf, ConstantSource, Free, Global, Item, Named, Source
from .classes import CLASS_DICT, CLASS_MRO
from .named_objects import is_module

_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__", "__globals__", "__closure__")
_OF_CLASSES = {"__dict__": CLASS_DICT, "__mro__": CLASS_MRO}


@dataclass(frozen=True, slots=True)
class Place:
    """A place as a function sees it."""

    source: Source
    function: types.FunctionType


def read_place(place: Place) -> Any:
    """The object there. Errors: Differs where there is none, or where only running code could tell."""
    try:
        return _read(place.source, place.function)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise Differs(f"{place.source} is not there") from None


def _read(source: Source, function: types.FunctionType) -> Any:
    if isinstance(source, Named):
        return _read(source.base, function)
    if isinstance(source, ConstantSource):
        return source.value
    if isinstance(source, Global):
        table = function.__globals__
        if source.name in table:
            return table[source.name]
        return function.__builtins__[source.name]  # type: ignore[attr-defined]
    if isinstance(source, Free):
        index = function.__code__.co_freevars.index(source.name)
        return (function.__closure__ or ())[index].cell_contents
    if isinstance(source, CellOf):
        owner = _read(source.base, function)
        _need(type(owner) is types.FunctionType, source)
        return owner.__closure__[source.index].cell_contents
    if isinstance(source, Item):
        owner = _read(source.base, function)
        _need(type(owner) in (dict, tuple, list, types.MappingProxyType), source)
        if owner is vars(sys.modules[PACKAGE]) and source.key not in owner:
            getattr(sys.modules[PACKAGE], source.key)  # it is loaded when it is first asked for
        return owner[source.key]
    _need(isinstance(source, Attribute), source)
    assert isinstance(source, Attribute)
    owner = _read(source.base, function)
    if type(owner) is types.FunctionType:
        return getattr(owner, source.name) if source.name in _OF_FUNCTIONS else vars(owner)[source.name]
    if isinstance(owner, type):
        _need(source.name in _OF_CLASSES, source)
        return _OF_CLASSES[source.name](owner)
    if type(owner) in (property, staticmethod, classmethod):
        _need(source.name in ("fget", "fset", "fdel", "__func__", "__wrapped__"), source)
        return getattr(owner, source.name)
    _need(is_module(owner), source)
    return vars(owner)[source.name]


def _need(holds: bool, source: Source) -> None:
    if not holds:
        raise Differs(f"{source} is not a place that can be looked at")
