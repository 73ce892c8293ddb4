"""Classes whose fresh objects native code is to make: their module says so here, and the native runtime takes it up.

Python sets the slots of a tensor one by one, which takes longer than adding two small arrays. The runtime takes up what
is listed when it builds a plan, so nothing is loaded for programs that only need one of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .records import dataclass

Make = Callable[[], Any]


@dataclass(frozen=True, slots=True, eq=False)
class FreshForm:
    """The fresh objects of a class that keeps everything in slots.

    sample: makes one in Python, whose slots refer to what those of all others do at first, but for these:
    given:  the slots that refer to the first argument.
    shared: the slot that refers to the second argument, or, where there is none, to a new object.
    take:   called with the builtin ``(first, second=None) -> object``, and with what is to be told of the function that
    makes such new objects: at once, and whenever it is another one.
    """

    kind: type
    sample: Make
    given: tuple[str, ...]
    shared: str
    take: Callable[[Callable[..., Any], Callable[[Make], None]], None]


WAITING: list[FreshForm] = []
"""The forms that no native code makes yet."""
