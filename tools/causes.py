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
from typing import NamedTuple

from ..core.events import BREAK, COMPILE, LIMIT, RECOMPILE, RELINK, Edit, Event, Reason, Remedy
from ..core.records import dataclass, replace
from ..frontend.breaks import KINDS
from ..guards.advice.remedies import joined
from .break_edits import break_edits
from .collect import is_break
from .edits import placed

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
    site_chains: for each of `sites` the values that the expression had there, with arrows; empty where all are equal.
    done_at: the user's line that changed what the function relied on, where that is known.
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
    site_chains: tuple[str, ...] = ()
    done_at: Place = ("", 0, "")
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
        return _chain(self.values)


def _chain(listed: Sequence[str]) -> str:
    values = list(listed)
    if len(values) > VALUES_SHOWN:
        values[VALUES_SHOWN - 2 : -1] = ["…"]
    return " → ".join(values)


def causes(events: Iterable[Event], *, place_edits: bool = True) -> tuple[Cause, ...]:
    """The causes of what is told by the events of a run, ordered by the seconds that were lost to them.

    events: of one function or of several, in the order in which they happened. Functions of one name that are defined
    at one place, such as those that a factory makes, are told as one. Breaks come behind recompiles; an error that the
    program raises by itself is none.   place_edits: whether `edits` are looked for in the user's files.
    """
    listed = tuple(events)
    compiles: Counter[tuple[str, str, int]] = Counter()
    for event in listed:
        compiles[_function(event)] += event.times if event.kind in (COMPILE, RECOMPILE) else 0
    files: dict[object, dict[str, None]] = {}
    for event in listed:
        files.setdefault(_function(event), {}).update({each[0]: None for each in event.called_from[:1]})
    found = []
    for group in _grouped(listed):
        function = _function(group[0][0])
        cause, remedies = _recompile_cause(group, compiles[function])
        if place_edits and cause.edit:
            edits = placed(remedies, cause.function, cause.defined, tuple(files[function]))
            cause = replace(cause, edits=edits)
        found.append(cause)
    found.sort(key=lambda cause: (-cause.seconds, -cause.recompiles, -cause.plain_calls))
    return (*found, *_break_causes(listed, place_edits=place_edits))


def _function(event: Event) -> tuple[str, str, int]:
    return event.function, *event.defined


class _Miss(NamedTuple):
    """A miss, the failures of the entry that is taken to be the nearest, and the compiles that it led to."""

    event: Event
    reasons: tuple[Reason, ...]
    also: list[Event]
    """The compiles of the parts behind graph breaks, in the same call."""
    key: tuple[object, ...]
    """The function and what changed, which all misses of a cause have in common."""

    @property
    def compiles(self) -> int:
        return self.event.times * (self.event.kind == RECOMPILE) + _times(self.also)

    @property
    def seconds(self) -> float:
        return self.event.seconds + sum(event.seconds for event in self.also)


def _grouped(events: Sequence[Event]) -> list[list[_Miss]]:
    """The misses of each cause. Of two entries as near, the one counts that differs by what is a cause already."""
    groups: dict[tuple[object, ...], list[_Miss]] = {}
    newest: dict[int, _Miss] = {}
    for event in events:
        before = newest.get(event.state)
        if event.kind == COMPILE and before is not None and before.event.called_from == event.called_from:
            before.also.append(event)
        if event.kind in (RECOMPILE, LIMIT) or event.kind == RELINK and event.reasons:
            choices: dict[tuple[object, ...], tuple[Reason, ...]] = {
                (_function(event), _about(each)): each for each in event.alternatives()
            }
            if not choices:  # a call beyond the limit, long after the first ones, of which the reasons are told
                choices = {before.key: before.reasons} if before is not None else {(_function(event), ()): ()}
            key = next((key for key in choices if key in groups), next(iter(choices)))
            newest[event.state] = _Miss(event, choices[key], [], key)
            groups.setdefault(key, []).append(newest[event.state])
    return list(groups.values())


def _about(reasons: Iterable[Reason]) -> tuple[object, ...]:
    return tuple(sorted({(reason.expression, reason.at[:2]) for reason in reasons}))


def _recompile_cause(misses: list[_Miss], compiles: int) -> tuple[Cause, list[Remedy]]:
    """The cause of these misses, and what avoids it: one remedy for each fact that changed."""
    events = [miss.event for miss in misses]
    sites = _sites(events)
    newest, reasons = events[-1], misses[-1].reasons
    first = reasons[0] if reasons else Reason(-1, "", "", newest.text, "")
    remedies = _remedies(misses)
    unknown = [each for each in remedies if not each.text]
    saved = [miss for miss in misses if not unknown and all(reason.remedy.text for reason in miss.reasons)]
    cause = Cause(
        "recompile",
        newest.function,
        newest.defined,
        first.expression,
        _values(misses, first.expression),
        first.at,
        sites,
        _site_chains(misses, first.expression, [place for place, _ in sites]),
        first.done_at,
        newest.called_from,
        _times(event for event in events if event.kind == RECOMPILE),
        _times(event for event in events if event.kind == RELINK),
        _times(event for event in events if event.kind == LIMIT),
        sum(miss.seconds for miss in misses),
        compiles,
        "" if unknown else ", and ".join(dict.fromkeys(each.text for each in remedies)),
        unknown[0].why if unknown else "",
        saved=sum(miss.compiles for miss in saved),
        saved_seconds=sum(miss.seconds for miss in saved if miss.compiles),
        also=tuple(reason.change() for reason in reasons[1:]),
        events=tuple(events),
    )
    return cause, remedies


def _remedies(misses: Iterable[_Miss]) -> list[Remedy]:
    """The remedy for each fact that changed, which serves all values that have come."""
    by_expression: dict[str, list[Remedy]] = {}
    for miss in misses:
        for reason in miss.reasons:
            by_expression.setdefault(reason.expression, []).append(reason.remedy)
    return [joined(each) for each in by_expression.values()]


def _values(misses: Iterable[_Miss], expression: str) -> tuple[str, ...]:
    """The values that an expression had, in their order, each once."""
    found: dict[str, None] = {}
    for miss in misses:
        for reason in miss.reasons:
            if reason.expression == expression and reason.was:
                found.update({reason.was: None, reason.now: None})
    return tuple(found)


def _site_chains(misses: Sequence[_Miss], expression: str, places: Sequence[Place]) -> tuple[str, ...]:
    """For each place the values with which its calls came; empty where they are the same everywhere."""
    found = [
        _chain(_values([miss for miss in misses if miss.event.called_from[:1] == (place,)], expression))
        for place in places
    ]
    return tuple(found) if len(set(found)) > 1 else ()


def _sites(events: Iterable[Event]) -> tuple[tuple[Place, int], ...]:
    found: Counter[Place] = Counter()
    for event in events:
        if event.called_from:
            found[event.called_from[0]] += event.times
    return tuple(found.most_common())


def _times(events: Iterable[Event]) -> int:
    return sum(event.times for event in events)


def _break_causes(events: Sequence[Event], *, place_edits: bool) -> list[Cause]:
    """Each graph break that no other one has led to, with those that follow from it."""
    found: dict[object, Cause] = {}
    for event in events:
        if not is_break(event):
            continue
        follow = [each for each in events if each.kind == BREAK and each.follows == event.text]
        led_to = tuple(f"{each.what} at {each.file}:{each.line}" for each in follow)
        remedy = KINDS[event.advice or event.break_code].remedy
        nothing, _, instead = remedy.partition("; or ") if remedy.startswith("nothing to do") else ("", "", remedy)
        cause = Cause(
            "break",
            event.function,
            event.defined,
            event.what,
            at=(event.file, event.line, _line(event)),
            sites=_sites([event]),
            called_from=event.called_from,
            edit=instead,
            no_edit="" if instead else nothing,
            edits=break_edits(event) if place_edits else (),
            code=event.break_code,
            led_to=led_to,
            events=(event, *follow),
        )
        found.setdefault(event.text, cause)
    return list(found.values())


def _line(event: Event) -> str:
    return linecache.getline(event.file, event.line).strip()
