"""The log of what happened to jitted functions: every event is counted, the first few of a kind are kept."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable

from ...core.events import BREAK, COMPILE, LIMIT, RECOMPILE, RELINK, Event, Reason
from ...core.records import replace

KEPT_EVENTS = 8
"""Events of one function with the same cause that a log keeps; the others are counted."""


class CompileLog:
    """Events of the functions looked at, in the threads that count, while the log was listening.

    compiles counts entries that were compiled, recompiles those of them that were not the function's first; relinks
    counts entries beside them, for which nothing was compiled: they share the code of another one. `events` are the
    first eight of each cause: a long program does not fill the memory.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: list[Event] = []
        self.counted: Counter[str] = Counter()
        """All events by kind, of the graph breaks those that count: see `breaks`."""
        self.seconds = 0.0
        """The time that compiling took."""
        self._causes: Counter[Hashable] = Counter()
        self._beyond: defaultdict[Hashable, float] = defaultdict(float)
        """The seconds of the events that are counted alone, by their cause."""
        self._lock = threading.Lock()
        for event in events:
            self.record(event)

    def record(self, event: Event) -> None:
        """Take in one event."""
        from ..collect import is_break

        counts = event.kind != BREAK or is_break(event)
        with self._lock:
            self.seconds += event.seconds
            self.counted[event.kind] += counts
            cause = _cause(event)
            self._causes[cause] += 1
            if self._causes[cause] <= KEPT_EVENTS:
                self.events.append(event)
            else:
                self._beyond[cause] += event.seconds

    def kept(self, *kinds: str) -> list[Event]:
        """The events that were kept, in order; only those of these kinds, if any are given."""
        with self._lock:
            events = list(self.events)
        return [event for event in events if not kinds or event.kind in kinds]

    def told(self) -> list[Event]:
        """The events that were kept; the last one of a cause stands for those that were only counted."""
        with self._lock:
            events, causes, beyond = list(self.events), dict(self._causes), dict(self._beyond)
        left = {cause: count - KEPT_EVENTS for cause, count in causes.items() if count > KEPT_EVENTS}
        found = []
        for event in reversed(events):
            more = left.pop(_cause(event), 0)
            seconds = event.seconds + (beyond[_cause(event)] if more else 0.0)
            found.append(replace(event, times=1 + more, seconds=seconds) if more else event)
        return found[::-1]

    @property
    def compiles(self) -> int:
        return self.counted[COMPILE] + self.counted[RECOMPILE]

    @property
    def recompiles(self) -> int:
        return self.counted[RECOMPILE]

    @property
    def relinks(self) -> int:
        return self.counted[RELINK]

    @property
    def over_limit(self) -> int:
        """Calls that ran as plain Python because the function had reached its limit of entries."""
        return self.counted[LIMIT]

    @property
    def breaks(self) -> list[Event]:
        """The graph breaks; an error that the program raises by itself is none."""
        from ..collect import is_break

        return [event for event in self.kept(BREAK) if is_break(event)]

    @property
    def reasons(self) -> list[Reason]:
        """Why calls fitted no entry: for each new entry, the failed guards of the one that came closest."""
        return [reason for event in self.kept(RECOMPILE, RELINK, LIMIT) for reason in event.nearest()]

    def explain(self) -> str:
        """All of it as text: compiles, recompiles with their reasons, breaks with their remedies."""
        from ..render import event_lines

        lines = [text for event in self.kept() for _, text in event_lines(event)]
        return "\n".join(lines) if lines else "nothing was compiled, and no graph broke"

    def __repr__(self) -> str:
        return f"<CompileLog: {self.compiles} compiles, {self.recompiles} recompiles, {self.counted[BREAK]} breaks>"


def _cause(event: Event) -> Hashable:
    """A key that events share which are told once."""
    if event.kind == BREAK:
        return event.state, event.kind, event.file, event.line, event.break_code
    if event.kind == LIMIT:
        return event.state, event.kind
    return event.state, event.kind, tuple(reason.expression for reason in event.nearest())
