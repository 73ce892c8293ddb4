"""A cache for what must exist only once, since native code holds its address."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple, Unpack

_T = TypeVar("_T")
_A = TypeVarTuple("_A")


def once(make: Callable[[Unpack[_A]], _T]) -> Callable[[Unpack[_A]], _T]:
    """The function with each result kept for ever, and one result for all threads.

    `functools.cache` gives two threads that come first at once a result each, and keeps only one of them.
    """
    kept: dict[Any, _T] = {}

    @functools.wraps(make)
    def found(*arguments: *_A) -> _T:
        if arguments in kept:
            return kept[arguments]
        return kept.setdefault(arguments, make(*arguments))  # one step of the interpreter: the first one counts

    return found
