"""The expression that stands for a known value in entry code, whatever the value is.

Everything that writes code asks here, so that what may follow or surround the text is settled in one place: it is a
primary, as Python's grammar calls it, and an attribute, a subscript, a call or an operator may stand next to it.
"""

from __future__ import annotations

import math

from .pool import Pool


def is_short_int(value: object) -> bool:
    """Whether a value may be written out as an int; Python refuses to print very long ones."""
    return type(value) is int and value.bit_length() <= 64


def constant_text(value: object, pool: Pool, *, equal: bool = False) -> str:
    """The expression for a value: the very object, where it is not the only one of its kind or a small number.

    equal: whether another object of the same type and value will do; texts and floats are written out then.
    """
    kind = type(value)
    if value is None or kind is bool:
        return repr(value)
    if is_short_int(value):
        return f"({value!r})"
    if equal and kind in (str, bytes):
        return repr(value)
    if equal and kind is float and math.isfinite(value):  # type: ignore[arg-type]
        return f"({value!r})"
    return pool.add(value)


def object_text(value: object, pool: Pool) -> str:
    """The expression for the very object, to be compared by `is`: the compiler warns of literals there."""
    return repr(value) if value is None or isinstance(value, bool) else pool.add(value)


def key_text(value: object, pool: Pool) -> str:
    """The expression for a key between brackets, for which an equal one will do."""
    text = constant_text(value, pool, equal=True)
    return text[1:-1] if text.startswith("(") else text
