"""How a set came to be: the steps that made it, done again whenever one is needed.

The order in which a set gives its elements depends on the size of its table and on what was put in and taken out. So a
set that leaves the trace is not copied: the same steps are done anew, and CPython's own order comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ....guards.sources import Source


@dataclass(frozen=True, slots=True)
class SetHistory:
    """`function(*arguments)`, then `changes` in place. A part may be a constant, another history, or where a set is."""

    function: Callable[..., Any]
    parts: tuple[Any, ...] = ()
    changes: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = ()

    def with_objects(self, given: Callable[[Any], Any]) -> SetHistory:
        """The same steps with each part as `given` says it is written."""
        parts = tuple(part.with_objects(given) if isinstance(part, SetHistory) else given(part) for part in self.parts)
        changes = [
            (
                change,
                tuple(each.with_objects(given) if isinstance(each, SetHistory) else given(each) for each in operands),
            )
            for change, operands in self.changes
        ]
        return SetHistory(self.function, parts, tuple(changes))

    def sources(self) -> Iterator[Source]:
        """The sets from outside that the steps read, in order."""
        for part in (*self.parts, *(part for _, parts in self.changes for part in parts)):
            if isinstance(part, Source):
                yield part
            elif isinstance(part, SetHistory):
                yield from part.sources()


@dataclass(frozen=True, slots=True)
class SetContents:
    """A part that the entry code makes: number `place` of those."""

    place: int


def make(history: SetHistory, outside: tuple[Any, ...], given: tuple[Any, ...] = ()) -> Any:
    """A new set, made by the steps; `outside` are the sets at `history.sources()`, `given` the parts made for it."""
    return _made(history, iter(outside), given)


def _made(part: Any, outside: Iterator[Any], given: tuple[Any, ...]) -> Any:
    if isinstance(part, Source):
        return next(outside)
    if isinstance(part, SetContents):
        return given[part.place]
    if not isinstance(part, SetHistory):
        return part
    result = part.function(*[_made(each, outside, given) for each in part.parts])
    for change, parts in part.changes:
        result = change(result, *[_made(each, outside, given) for each in parts])
    return result
