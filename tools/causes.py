"""Causes: the recompiles, the calls beyond a limit and the graph breaks of a run, grouped by what brought them about.

    causes(gl.explain(f).events)        the dearest cause first

A run tells of each recompile by itself. One who reads wants what they have in common: eight recompiles on account of
`len(history)` are one cause with one remedy.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from ..core.events import BREAK, COMPILE, LIMIT, RECOMPILE, RELINK, Event, Reason
from ..core.records import dataclass
from ..frontend.breaks import KINDS, RAISES
from .edits import Edit

Place = tuple[str, int, str]
"""A line of the user's: file, line, text of the line."""

VALUES_SHOWN = 4
"""Values of a chain that are spelled out; those between are left out."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of recompiles, of calls in plain Python, or of a graph break. It holds text and numbers alone.

    kind: ``recompile`` (with the misses beyond the limit) or ``break``.   function, defined: its qualified name; file
    and first line.   expression: the user's, whose value changed; what broke the graph.
    values: the values it had, in their order, without repetitions.   at: the line at which it matters.
    sites: the user's lines that made these calls, each with the number of calls, the most frequent first.
    called_from: of the newest call, the lines above each other, innermost first.
    recompiles, relinks: new entries.   plain_calls: calls that ran as plain Python beyond the limit.
    seconds: those that the new entries took.   compiles: all of the function's, the first one included.
    edit: the change of the program that avoids it; else `no_edit` says why none is known.
    edits: the same as data, where it can be placed in the user's files.
    saved, saved_seconds: the compiles that the edit would have saved, and their seconds.
    also: other facts that changed with this one, in words.   led_to: breaks that follow from this break, in words.
    """

    kind: str
    function: str
    defined: tuple[str, int]
    expression: str
    values: tuple[str, ...] = ()
    at: Place = ("", 0, "")
    sites: tuple[tuple[Place, int], ...] = ()
    called_from: tuple[Place, ...] = ()
    recompiles: int = 0
    relinks: int = 0
    plain_calls: int = 0
    seconds: float = 0.0
    compiles: int = 0
    edit: str = ""
    no_edit: str = ""
    edits: tuple[Edit, ...] = ()
    saved: int = 0
    saved_seconds: float = 0.0
    also: tuple[str, ...] = ()
    code: str = ""
    """The code of a graph break."""
    led_to: tuple[str, ...] = ()
    events: tuple[Event, ...] = field(default=(), repr=False)
    """The events themselves, in their order."""

    @property
    def chain(self) -> str:
        """The values with arrows between them: ``1 → 2 → … → 8``."""
        values = list(self.values)
        if len(values) > VALUES_SHOWN:
            values[VALUES_SHOWN - 2 : -1] = ["…"]
        return " → ".join(values)


def causes(events: Iterable[Event]) -> tuple[Cause, ...]:
    """The causes of what is told by the events of a run, ordered by the seconds that were lost to them.

    events: of one function or of several, in the order in which they happened. Functions of one name that are defined
    at one place, such as those that a factory makes, are told as one. Breaks come behind recompiles; an error that the
    program raises by itself is none.
    """
    listed = tuple(events)
    compiles = Counter(_function(event) for event in listed if event.kind in (COMPILE, RECOMPILE))
    found = [_recompile_cause(group, compiles[_function(group[0])]) for group in _grouped(listed)]
    found.sort(key=lambda cause: (-cause.seconds, -cause.recompiles, -cause.plain_calls))
    return (*found, *_break_causes(listed))


def _function(event: Event) -> tuple[str, str, int]:
    return event.function, *event.defined


def _grouped(events: Sequence[Event]) -> list[list[Event]]:
    """The events of each cause of recompiles."""
    groups: dict[object, list[Event]] = {}
    for event in events:
        if event.kind in (RECOMPILE, RELINK, LIMIT):
            about = tuple(sorted({(reason.expression, reason.at[:2]) for reason in event.nearest()}))
            groups.setdefault((_function(event), about), []).append(event)
    return list(groups.values())


def _recompile_cause(events: list[Event], compiles: int) -> Cause:
    newest = events[-1]
    first = newest.nearest()[0] if newest.nearest() else Reason(-1, "", "", newest.text, "")
    again = [event for event in events if event.kind == RECOMPILE]
    without_edit = [reason for event in events for reason in event.nearest() if not reason.edit]
    edit = "" if without_edit else first.edit
    seconds = sum(event.seconds for event in again)
    return Cause(
        "recompile",
        newest.function,
        newest.defined,
        first.expression,
        _values(events, first.expression),
        first.at,
        _sites(events),
        newest.called_from,
        len(again),
        sum(event.kind == RELINK for event in events),
        sum(event.kind == LIMIT for event in events),
        sum(event.seconds for event in events),
        compiles,
        edit,
        without_edit[-1].no_edit if without_edit else "",
        saved=len(again) if edit else 0,
        saved_seconds=seconds if edit else 0.0,
        also=tuple(reason.change() for reason in newest.nearest()[1:]),
        events=tuple(events),
    )


def _values(events: Iterable[Event], expression: str) -> tuple[str, ...]:
    """The values that an expression had, in their order, each once."""
    found: dict[str, None] = {}
    for event in events:
        for reason in event.nearest():
            if reason.expression == expression and reason.was:
                found.update({reason.was: None, reason.now: None})
    return tuple(found)


def _sites(events: Iterable[Event]) -> tuple[tuple[Place, int], ...]:
    return tuple(Counter(event.called_from[0] for event in events if event.called_from).most_common())


def _break_causes(events: Sequence[Event]) -> list[Cause]:
    """Each graph break that no other one has led to, with those that follow from it."""
    found: dict[object, Cause] = {}
    for event in events:
        if event.kind != BREAK or event.break_code == RAISES.code or event.follows:
            continue
        follow = [each for each in events if each.kind == BREAK and each.follows == event.text]
        led_to = tuple(f"{each.what} at {each.file}:{each.line}" for each in follow)
        cause = Cause(
            "break",
            event.function,
            event.defined,
            event.what,
            at=(event.file, event.line, _line(event)),
            sites=_sites([event]),
            called_from=event.called_from,
            edit=KINDS[event.advice or event.break_code].remedy,
            code=event.break_code,
            led_to=led_to,
            events=(event, *follow),
        )
        found.setdefault((_function(event), event.text), cause)
    return list(found.values())


def _line(event: Event) -> str:
    return linecache.getline(event.file, event.line).strip()
