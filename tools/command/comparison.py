"""Two records side by side: causes that are new, gone, more or fewer, and the seconds of compiling by function."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.events import BREAK, LIMIT, MADE, RECOMPILE, Event, plural
from ...core.records import dataclass
from ..collect import is_break
from ..record.reader import Record
from ..show.terminal import Line

WORDS = {
    RECOMPILE: ("recompile", ""),
    BREAK: ("graph break", ""),
    LIMIT: ("call in plain Python", "calls in plain Python"),
}
NEW, MORE, FEWER, GONE = "new", "more", "fewer", "gone"
LEAST_CHANGE = 0.1
"""Seconds by which a function's compiling has to differ to be told."""


@dataclass(frozen=True, slots=True)
class CauseName:
    """The cause of an event by what stays the same when lines move: its kind, function, and expressions or break."""

    kind: str
    function: str
    expression: str

    def __str__(self) -> str:
        return f"{self.function}: {self.expression}" if self.expression else self.function


@dataclass(frozen=True, slots=True)
class CauseChange:
    """One cause whose count differs between two records."""

    cause: CauseName
    before: int
    after: int

    @property
    def kind(self) -> str:
        """In what way it differs."""
        if not self.before or not self.after:
            return GONE if self.before else NEW
        return MORE if self.after > self.before else FEWER

    def __str__(self) -> str:
        word, many = WORDS[self.cause.kind]
        count = plural(max(self.before, self.after), word, many)
        if self.before and self.after:
            return f"{self.kind:5}  {self.cause}: {self.before} → {plural(self.after, word, many)}"
        return f"{self.kind:5}  {self.cause}: {count}"


@dataclass(frozen=True, slots=True)
class RecordComparison:
    """The differences from one record to another.

    seconds: of compiling, by function, before and after, where they differ by `LEAST_CHANGE` or more.
    """

    changes: tuple[CauseChange, ...]
    seconds: tuple[tuple[str, float, float], ...]
    total: tuple[float, float]

    @property
    def worse(self) -> bool:
        """Whether something compiles again, breaks or runs plainly more often. Times vary, so they do not count."""
        return any(change.kind in (NEW, MORE) for change in self.changes)

    def lines(self) -> Iterator[Line]:
        """The comparison in words: what is worse comes first."""
        for kind, style in ((NEW, "bad"), (MORE, "bad"), (FEWER, "good"), (GONE, "good")):
            for change in self.changes:
                if change.kind == kind:
                    yield style, str(change)
        if not self.changes:
            yield "good", "no cause is new, gone, more or fewer"
        for name, before, after in self.seconds:
            yield "dim", f"{before:.2f} s → {after:.2f} s  compiling {name}"
        yield "", f"{self.total[0]:.2f} s → {self.total[1]:.2f} s of compiling in all"


def compared(before: Record, after: Record) -> RecordComparison:
    """The differences between two records; functions are matched by their qualified names, causes by expressions."""
    counts = [_counts(before), _counts(after)]
    names = dict.fromkeys((*counts[1], *counts[0]))
    changes = [CauseChange(name, counts[0].get(name, 0), counts[1].get(name, 0)) for name in names]
    seconds = [_seconds(before), _seconds(after)]
    functions = dict.fromkeys((*seconds[1], *seconds[0]))
    of_both = [(name, seconds[0].get(name, 0.0), seconds[1].get(name, 0.0)) for name in functions]
    return RecordComparison(
        tuple(change for change in changes if change.before != change.after),
        tuple(each for each in of_both if abs(each[1] - each[2]) >= LEAST_CHANGE),
        (sum(seconds[0].values()), sum(seconds[1].values())),
    )


def _counts(record: Record) -> dict[CauseName, int]:
    found: dict[CauseName, int] = {}
    for event in record.events:
        if event.kind in (RECOMPILE, LIMIT) or is_break(event):
            name = cause_name(event)
            found[name] = found.get(name, 0) + event.times
    return found


def cause_name(event: Event) -> CauseName:
    """The name of an event's cause, without the lines it stands at and the values that differed."""
    expressions = dict.fromkeys(reason.expression or reason.guard for reason in event.nearest())
    told = event.what or event.break_code if event.kind == BREAK else ", ".join(expressions)
    return CauseName(event.kind, event.function, "" if event.kind == LIMIT else told)


def _seconds(record: Record) -> dict[str, float]:
    found: dict[str, float] = {}
    for event in record.events:
        if event.kind in MADE:
            found[event.function] = found.get(event.function, 0.0) + event.seconds
    return found
