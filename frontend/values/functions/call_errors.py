"""Python's error for a call whose arguments do not fit the function: a function of the same parameters is asked."""

from __future__ import annotations

import types
from collections.abc import Collection
from typing import Any

VARIADIC, KEYWORDS = 0x04, 0x08
"""CO_VARARGS and CO_VARKEYWORDS."""


def call_error(
    code: types.CodeType, name: str, count: int, keywords: Collection[str], defaults: int, known: Collection[str]
) -> TypeError | None:
    """The error of a call with `count` positional arguments and these keywords; None where Python has none.

    defaults: how many positional parameters have a default; `known` are the keyword-only ones that have.
    """
    made: dict[str, Any] = {}
    exec(f"def stub({_parameters(code, defaults, known)}): pass", made)
    stub = made["stub"]
    stub.__qualname__ = name
    try:
        stub(*[None] * count, **dict.fromkeys(keywords))
    except TypeError as error:
        return error.with_traceback(None)
    return None


def _parameters(code: types.CodeType, defaults: int, known: Collection[str]) -> str:
    positional = list(code.co_varnames[: code.co_argcount])
    only = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    extra = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:2])
    first = len(positional) - defaults
    parts = [each if place < first else f"{each}=None" for place, each in enumerate(positional)]
    if code.co_posonlyargcount:
        parts.insert(code.co_posonlyargcount, "/")
    if code.co_flags & VARIADIC:
        parts.append(f"*{extra.pop(0)}")
    elif only:
        parts.append("*")
    parts += [f"{each}=None" if each in known else each for each in only]
    if code.co_flags & KEYWORDS:
        parts.append(f"**{extra.pop(0)}")
    return ", ".join(parts)
