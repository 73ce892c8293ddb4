"""Loop IR as nested tuples of plain values, the form in which a graph carries the program of a region."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from ..core.records import field_names, is_record
from . import ir

_STATEMENTS: dict[str, type] = {
    name: kind for name, kind in vars(ir).items() if isinstance(kind, type) and is_record(kind)
}


def encode(each: Any) -> Any:
    """A statement, a kernel or a part of one as tuples; each begins with the name of its class."""
    if is_record(each) and not isinstance(each, DType):
        return (type(each).__name__, *(encode(getattr(each, name)) for name in field_names(each)))
    return ("", *map(encode, each)) if isinstance(each, tuple) else each


def decode(form: Any) -> Any:
    """The value that `encode` was given, from the tuples that it made."""
    if not isinstance(form, tuple):
        return form
    name, *parts = form
    values = map(decode, parts)
    return _STATEMENTS[name](*values) if name else tuple(values)
