"""The calls of the functions that a record tells of, counted up at the end of the process."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ...core.events import Event
from ...frontend.dispatch.call_counts import CallCounter, calls_of, microseconds_of, passes_of, served_by_number
from ...frontend.dispatch.registry import state_numbered
from ..escaping import shortened
from ..report import CallsReport
from .codec import LONGEST, data_of

FOLLOWED = 4096
"""Functions whose calls are counted; a program may make functions without end."""

Definition = tuple[str, str, int]


class FollowedCalls:
    """The counters of functions that something happened to, also of those that are gone."""

    def __init__(self) -> None:
        self._counters: dict[int, tuple[Definition, CallCounter]] = {}
        self._incomplete: set[Definition] = set()
        """Definitions of functions that not all are followed: nothing is said of their calls."""

    def follow(self, event: Event) -> None:
        """Count the calls of the function of an event, from the first one on."""
        if event.state in self._counters:
            return
        definition, state = (event.function, *event.defined), state_numbered(event.state)
        if state is None or len(self._counters) >= FOLLOWED:
            self._incomplete.add(definition)
        else:
            self._counters[event.state] = definition, state.calls

    def totals(self, written: Collection[int]) -> Iterator[dict[str, Any]]:
        """The fields of a line for each function that was written; calls of others count for one defined alike."""
        first: dict[Definition, int] = {}
        sums: dict[int, list[int]] = {}
        own: dict[int, dict[str, Any]] = {}
        for number, (definition, counter) in self._counters.items():
            state = state_numbered(number)
            counter = state.calls if state is not None else counter
            calls = calls_of(counter, state)
            if calls is None or definition in self._incomplete:
                continue
            if number in written:
                first.setdefault(definition, number)
                served = {str(entry): count for entry, count in served_by_number(counter, state).items()}
                passed = {shortened(text, LONGEST): count for text, count in passes_of(counter, state).items()}
                took = {shortened(text, LONGEST): spent for text, spent in microseconds_of(counter).items()}
                own[number] = {"served": served, "passed": passed, "microseconds": took}
            if definition in first:
                target = number if number in written else first[definition]
                before = sums.setdefault(target, [0, 0, 0])
                sums[target] = [one + other for one, other in zip(before, calls, strict=True)]
        for number, counts in own.items():
            yield {"function": number, "calls": data_of(CallsReport(*sums[number])), **counts}
