"""Gates: limits on what a program compiles, asked of its record; a gate that could not look does not pass."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.events import LIMIT, MADE, PLAIN, RECOMPILE, Event, plural
from ...core.records import dataclass
from ...frontend.dispatch.miss_handler import UNDER_TRACING
from ..collect import is_break
from ..record.reader import Record, happened

CLEAN, FINDINGS, USAGE, NOT_LOOKED = 0, 1, 2, 3
"""Exit codes of our own; a program that fails keeps its own code."""


@dataclass(frozen=True, slots=True)
class Gates:
    """Limits; None for those that nobody set.

    Units: seconds of compiling in all; microseconds that the guards of one entry take at a call.
    """

    max_recompiles: int | None = None
    max_breaks: int | None = None
    max_compile_seconds: float | None = None
    max_guard_us: float | None = None

    def __bool__(self) -> bool:
        limits = (self.max_recompiles, self.max_breaks, self.max_compile_seconds, self.max_guard_us)
        return any(limit is not None for limit in limits)


@dataclass(frozen=True, slots=True)
class Finding:
    """A limit that was exceeded, in words, and what exceeded it."""

    text: str
    events: tuple[Event, ...] = ()


def findings(record: Record, gates: Gates) -> list[Finding]:
    """The limits that were exceeded, over all processes."""
    return [*_recompiles(record, gates), *_breaks(record, gates), *_seconds(record, gates), *_guards(record, gates)]


def _recompiles(record: Record, gates: Gates) -> Iterator[Finding]:
    most = gates.max_recompiles
    if most is None:
        return
    again = tuple(event for event in record.events if event.kind == RECOMPILE)
    count = sum(event.times for event in again)
    if count > most:
        yield Finding(f"{plural(count, 'recompile')}, more than --max-recompiles {most}", again)
    over = [event for event in record.events if event.kind == LIMIT]
    for name in dict.fromkeys(event.function for event in over):
        of_it = tuple(event for event in over if event.function == name)
        yield Finding(f"{name} reached the limit of entries: further calls ran as plain Python", of_it)


def _breaks(record: Record, gates: Gates) -> Iterator[Finding]:
    most = gates.max_breaks
    found = tuple(event for event in record.events if is_break(event))
    count = sum(event.times for event in found)
    if most is not None and count > most:
        yield Finding(f"{plural(count, 'graph break')}, more than --max-breaks {most}", found)


def _seconds(record: Record, gates: Gates) -> Iterator[Finding]:
    most = gates.max_compile_seconds
    made = tuple(event for event in record.events if event.kind in MADE)
    took = sum(event.seconds for event in made)
    if most is not None and took > most:
        yield Finding(f"{took:.2f} s of compiling, more than --max-compile-seconds {most:g}", made)


def _guards(record: Record, gates: Gates) -> Iterator[Finding]:
    most = gates.max_guard_us
    for process, report in record.reports if most is not None else ():
        for entry in report.entries:
            if entry.guard_microseconds > (most or 0.0):
                took = f"the guards of entry {entry.number} of {report.name} take about {entry.guard_microseconds} us"
                made = tuple(event for event in report.events if event.kind in MADE and event.entry == entry.number)
                whose = f" in {process.label}" if len(record.processes) > 1 else ""
                yield Finding(f"{took} a call{whose}, more than --max-guard-us {most:g}", made)


def why_not_looked(record: Record) -> str:
    """Why a record says nothing of what the program would compile, in words; empty where it does."""
    for process in record.processes:
        whose = f" in {process.label}" if len(record.processes) > 1 else ""
        if process.head["disabled"]:
            return f"guardlift was switched off{whose} (GUARDLIFT_DISABLE)"
        for event in process.events:
            if event.kind == PLAIN and event.text == UNDER_TRACING:
                return f"a debugger or coverage kept {event.function} from being compiled{whose}; {_REMEDY}"
    if not record.processes:
        return "the program did not import guardlift"
    return "" if happened(record) else "no jitted function was called"


_REMEDY = "with GUARDLIFT_UNDER_TRACING=jit it is compiled all the same"
