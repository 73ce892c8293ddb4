"""The text of an expectation that was not met: what was found and allowed, the causes, and how to look closer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.events import COMPILE, PLAIN, plural
from ...core.records import replace
from .compile_log import CompileLog
from .current_test import running_test

if TYPE_CHECKING:
    from ..causes import Cause

LONGEST = 40
"""Lines of the whole text, at most."""
WIDTH = 120
"""Columns of a cause's lines."""
WIDEST = 200
"""Characters of any line, at most."""


def failure_text(wrong: str, log: CompileLog, place: str = "") -> str:
    """The text of a failure; `wrong` says what was found and what was allowed.

    place: the file and line of what expected it, where no traceback shows it. Files below the current folder are named
    from there.
    """
    first = [*wrong.splitlines(), *([f"expected at {place}"] if place else [])]
    last = _again()
    room = LONGEST - len(first) - len(last)
    cards = list(_cards(log, room)) or ([] if wrong.count("\n") else list(_compiled(log, room)))
    here = os.path.join(os.getcwd(), "")
    return "\n".join(_cut(line.replace(here, "")) for line in (*first[: LONGEST - len(last)], *cards, *last))


def _again() -> list[str]:
    test = running_test()
    return [f"again with: {test.command()}"] if test is not None else []


def _cards(log: CompileLog, room: int) -> Iterator[str]:
    """The causes, as many as there is room for, then the number of the others."""
    from ..causes import causes

    found = causes(log.told(), place_edits=False)
    for number, cause in enumerate(found, 1):
        card = list(_card(cause, number))
        left = len(found) - number
        if len(card) + bool(left) > room:
            yield f"and {plural(left + 1, 'more cause')}"
            return
        yield from card
        room -= len(card)


def _card(cause: Cause, number: int) -> Iterator[str]:
    """The lines of a cause: with all lines that led to the call, that of the test among them, and without seconds."""
    from ..show.places import place_text, visible
    from ..show.screen import INDENT, cause_lines, cut

    for _, line in cause_lines(replace(cause, seconds=0.0, saved=0), WIDTH, number):
        yield line
        if line.lstrip().startswith("called at"):
            for file, above, text in cause.called_from[1:]:
                yield cut(f"{' ' * INDENT}from {place_text(file, above)}   {visible(text)}", WIDTH)


def _compiled(log: CompileLog, room: int) -> Iterator[str]:
    """First compiles, where nothing else is told."""
    for event in log.kept(COMPILE, PLAIN)[: max(room, 0)]:
        what = "compiled" if event.kind == COMPILE else f"runs as plain Python: {event.text}"
        called = ", called at {}:{}: {}".format(*event.called_from[0]) if event.called_from else ""
        yield f"  {event.function}  {what}{called}"


def _cut(line: str) -> str:
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
