"""Records what happens to every jitted function while a program runs, also to those that are gone at its end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from ..core.events import LIMIT, MADE, Event, listening
from ..core.records import dataclass
from ..frontend.dispatch.registry import functions_left_alone, live_states, state_numbered
from .report import EntryReport, Report

if TYPE_CHECKING:
    from ..frontend.dispatch.call_counts import CallCounter

KEPT_LIMIT_EVENTS = 8
"""Calls beyond the limit that are kept for each function; of the rest only the number."""


@dataclass(slots=True)
class Recorded:
    """One function's record. Entries are turned into text as they come up, so that nothing of the function is kept."""

    name: str
    file: str
    line: int
    events: list[Event] = field(default_factory=list)
    entries: dict[int, EntryReport] = field(default_factory=dict)
    over_limit: int = 0
    calls: CallCounter | None = None


class Recorder:
    """Listens to the events of the process, and makes reports of them."""

    def __init__(self) -> None:
        self._functions: dict[int, Recorded] = {}
        self._lock = threading.Lock()
        self._known = {state.serial for state in live_states()}
        self._left_alone = {id(function) for function, _ in functions_left_alone()}

    @contextmanager
    def recording(self) -> Iterator[None]:
        """A context in which everything is recorded."""
        with listening(self._heard):
            yield

    def reports(self) -> list[Report]:
        """A report on each function that was recorded, then on those jitted meanwhile to which nothing happened."""
        with self._lock:
            recorded = dict(self._functions)
        found = [_report(number, each) for number, each in sorted(recorded.items())]
        for state in live_states():
            if state.serial not in recorded and state.serial not in self._known:
                code = state.original.__code__
                found.append(Report(state.original.__qualname__, code.co_filename, code.co_firstlineno))
        for function, why in functions_left_alone():
            if id(function) not in self._left_alone:
                code = function.__code__
                found.append(Report(function.__qualname__, code.co_filename, code.co_firstlineno, left_alone=why))
        return found

    def _heard(self, event: Event) -> None:
        entry, state = _entry(event) if event.kind in MADE else None, state_numbered(event.state)
        with self._lock:
            function = self._functions.setdefault(event.state, Recorded(event.function, *event.defined))
            if state is not None:
                function.calls = state.calls
            if event.kind == LIMIT:
                function.over_limit += 1
                if function.over_limit > KEPT_LIMIT_EVENTS:
                    return
            function.events.append(event)
            if entry is not None:
                function.entries[entry.number] = entry


def _entry(event: Event) -> EntryReport | None:
    from .collect import entry_report

    state = state_numbered(event.state)
    entries = list(state.entries) if state is not None else []
    return next((entry_report(entry) for entry in entries if entry.number == event.entry), None)


def _report(number: int, recorded: Recorded) -> Report:
    from .collect import break_reports, entry_report, with_calls

    state = state_numbered(number)
    entries = dict(recorded.entries)
    for entry in list(state.entries) if state is not None else []:
        if entry.number not in entries:
            entries[entry.number] = entry_report(entry)
    report = Report(
        recorded.name,
        recorded.file,
        recorded.line,
        tuple(entries[number] for number in sorted(entries)),
        break_reports(recorded.events),
        tuple(recorded.events),
        misses_over_limit=recorded.over_limit,
    )
    return report if recorded.calls is None else with_calls(report, recorded.calls, state)
