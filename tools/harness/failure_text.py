"""The text of an expectation that was not met: what was found and allowed, the causes, and how to look closer."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...core.events import BREAK, COMPILE, PLAIN, plural
from ..causes import Cause, Place, causes
from .compile_log import CompileLog
from .current_test import running_test

LONGEST = 40
"""Lines of the whole text, at most."""
WIDEST = 200
"""Characters of a line, at most."""


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
    found = causes(log.kept())
    for number, cause in enumerate(found):
        card = list(_card(cause, log))
        left = len(found) - number - 1
        if len(card) + bool(left) > room:
            yield f"and {plural(left + 1, 'more cause')}"
            return
        yield from card
        room -= len(card)


def _compiled(log: CompileLog, room: int) -> Iterator[str]:
    """What was compiled for the first time, where nothing else is told."""
    for event in log.kept(COMPILE, PLAIN)[: max(room, 0)]:
        what = "compiled" if event.kind == COMPILE else f"runs as plain Python: {event.text}"
        called = f", called at {_at(event.called_from[0])}" if event.called_from else ""
        yield f"  {event.function}  {what}{called}"


def _card(cause: Cause, log: CompileLog) -> Iterator[str]:
    counted = _counted(cause, log)
    if cause.kind == "break":
        yield f"  {cause.function}  graph break {cause.code}: {cause.expression}{counted}"
    else:
        yield f"  {cause.function}  {cause.expression}: {cause.chain}{counted}".replace(": :", ":")
    for place in cause.called_from:
        yield f"      called at {_at(place)}"
    if cause.at[0]:
        yield f"      {'breaks' if cause.kind == 'break' else 'matters'} at {_at(cause.at)}"
    for each in cause.also:
        yield f"      and {each}"
    yield from _remedy(cause)
    if cause.led_to:
        yield f"      and {len(cause.led_to)} more that follow from it"


def _counted(cause: Cause, log: CompileLog) -> str:
    times = {event.kind: log.times(event) for event in cause.events if event.kind != BREAK}
    counted = ((times.get("recompile", 0), "recompile"), (times.get("relink", 0), "relink"))
    words = [plural(count, word) for count, word in counted if count]
    if "limit" in times:
        words.append(f"{plural(times['limit'], 'call')} in plain Python")
    return f"  ({', '.join(words)})" if words else ""


def _remedy(cause: Cause) -> Iterator[str]:
    if cause.edit:
        yield f"      fix: {cause.edit}"
    else:
        yield f"      no edit known{cause.no_edit and ': '}{cause.no_edit}"


def _at(place: Place) -> str:
    file, line, text = place
    return f"{file}:{line}{text and ': '}{text}"


def _cut(line: str) -> str:
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
