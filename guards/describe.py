"""Describes the values that guards speak of. No code of a value's class runs, and no id is shown."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ..core.devices import Device
from ..core.dtypes import DType
from ..core.package import PACKAGE
from ..core.watched_containers import WatchedDict, WatchedList

MISSING = object()
"""Stands for a value that is no longer where it was read."""


def describe(value: Any) -> str:
    """A short name of any value."""
    if value is MISSING:
        return "missing"
    if type(value) is int and value.bit_length() > 200:
        return f"an int of {value.bit_length()} bits"
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        text = repr(value)
        return text if len(text) <= 60 else text[:57] + "…"
    if type(value) is np.ndarray:
        return "an array"
    if issubclass(type(value), (np.bool_, np.number)):
        return f"{describe_type(value)}({value.item()!r})"
    if type(value) is DType:
        return f"gl.{value.name}"
    if type(value) is Device:
        return f"gl.{value!r}"
    if issubclass(type(value), np.ufunc):
        return f"np.{value.__name__}"
    if issubclass(type(value), (types.FunctionType, types.BuiltinFunctionType)):
        return f"the function {value.__qualname__}"
    if type(value).__name__ == "_ArrayFunctionDispatcher":  # np.sum and most functions of NumPy
        return f"the function {value.__module__}.{value.__qualname__}"
    if issubclass(type(value), types.CodeType):
        return f"the code of {value.co_qualname} (line {value.co_firstlineno})"
    if issubclass(type(value), types.ModuleType):
        return f"the module {types.ModuleType.__getattribute__(value, '__dict__').get('__name__', '?')}"
    if issubclass(type(value), type):
        return f"the class {value.__qualname__}"
    words = vars(type(value)).get("in_words")
    if type(words) is str and type(value).__module__.partition(".")[0] == PACKAGE:
        return words
    name = describe_type(value)
    return f"{article(name)} {name}"


def describe_type(value: object) -> str:
    """The value's type, as a reader would name it: our watched dicts and lists are dicts and lists to everybody."""
    if value is MISSING:
        return "missing"
    if issubclass(type(value), np.generic):
        return f"np.{type(value).__name__.rstrip('_')}"
    if type(value) is np.ndarray:
        return "np.ndarray"
    for watched, plain in ((WatchedDict, dict), (WatchedList, list)):
        if issubclass(type(value), watched):
            return plain.__name__
    return type(value).__name__


_LISTED = 12


def listed(values: tuple[object, ...], beside: tuple[object, ...] = ()) -> str:
    """The names of several values, as a list display; of many, those that are not among the values `beside` come first.

    What is left out is counted.
    """
    if len(values) <= _LISTED:
        return f"[{', '.join(map(describe, values))}]"
    names = list(dict.fromkeys(map(describe, values)))
    beside_names = set(map(describe, beside))
    names.sort(key=beside_names.__contains__)
    return f"[{', '.join(names[:_LISTED])}, … ({len(values)} in all)]"


def article(name: str) -> str:
    """The indefinite article that goes with a word."""
    return "an" if name[0] in "aeiouAEIO" else "a"
