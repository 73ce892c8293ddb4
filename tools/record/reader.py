"""Reads a record: the processes of a program, each with its events, from which reports are made.

record = read(Path("run.gl"))
record.events           all that happened, in all processes
record.processes[0].reports()
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import GuardliftError
from ...core.events import LIMIT, PLAIN, Event
from ...core.records import dataclass, replace
from ...frontend.breaks import RAISES
from ..report import BreakReport, CallsReport, EntryReport, Report
from .codec import made_from
from .lines import CALLS, COUNT, END, ENDING, ENTRY, EVENT, FUNCTION, KINDS, SCHEMA, TEXT


class RecordFileError(GuardliftError, ValueError):
    """A file is no record, or one of a version that this one does not know."""


@dataclass(slots=True)
class RecordedFunction:
    """One function of one process, as a record tells of it."""

    name: str
    file: str
    line: int
    events: list[Event] = field(default_factory=list)
    entries: dict[int, EntryReport] = field(default_factory=dict)
    calls: CallsReport | None = None
    """Known, as are the next two, where the process came to its own end: the calls, those that each entry served, and
    those that met each break."""
    served: dict[int, int] | None = None
    passed: dict[str, int] | None = None
    microseconds: dict[str, float] = field(default_factory=dict)


@dataclass(eq=False)
class RecordedProcess:
    """One process of a program.

    head: the first line of its part: process, parent, name, command, ...
    over_limit: calls beyond a limit, by function.   uncalled: functions to which nothing happened, as data.
    kernels: native code, where the process came to its own end; else empty.
    """

    head: dict[str, Any]
    functions: dict[int, RecordedFunction] = field(default_factory=dict)
    over_limit: dict[int, int] = field(default_factory=dict)
    uncalled: list[dict[str, Any]] = field(default_factory=list)
    kernels: dict[str, float] = field(default_factory=dict)
    breaks: dict[str, BreakReport] = field(default_factory=dict)
    """By the text of their events."""
    moments: list[tuple[float, Event]] = field(default_factory=list)
    """The events that were written each, with the seconds since the process began."""

    @property
    def label(self) -> str:
        """The process in words: its number, and its name if it is a worker."""
        name = self.head["name"]
        return f"process {self.head['process']}" + (f", {name}" if name else "")

    @property
    def events(self) -> Iterator[Event]:
        """All that happened in the process, function by function."""
        for function in self.functions.values():
            yield from function.events

    def reports(self) -> list[Report]:
        """A report on each function, then on those to which nothing happened."""
        found = [self._report(number, each) for number, each in self.functions.items()]
        return found + [made_from(Report, each) for each in self.uncalled]

    def _report(self, number: int, function: RecordedFunction) -> Report:
        return Report(
            function.name,
            function.file,
            function.line,
            tuple(self._entries(function)),
            tuple(self._breaks(function)),
            tuple(function.events),
            misses_over_limit=self.over_limit.get(number, 0),
            calls=function.calls,
        )

    def _entries(self, function: RecordedFunction) -> Iterator[EntryReport]:
        for number in sorted(function.entries):
            entry, served = function.entries[number], function.served
            yield entry if served is None else replace(entry, served=served.get(number, 0))

    def _breaks(self, function: RecordedFunction) -> Iterator[BreakReport]:
        for event in function.events:
            found = self.breaks.get(event.text) if event.break_code not in ("", RAISES.code) else None
            if found is not None and not event.follows:
                follow = [each for each in function.events if each.follows == event.text]
                led_to = tuple(f"{each.what} at {each.file}:{each.line}" for each in follow)
                passed = None if function.passed is None else function.passed.get(event.text, 0)
                took = function.microseconds.get(event.text)
                yield replace(found, led_to=led_to, passed=passed, microseconds=took)


@dataclass(eq=False)
class Record:
    """A record as read. Processes are in the order in which they began.

    problems: damaged lines, in words, each with file and line.   endings: parts that end in the middle of a line.
    """

    path: Path
    processes: list[RecordedProcess] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All that happened, process by process."""
        return tuple(event for process in self.processes for event in process.events)

    @cached_property
    def reports(self) -> tuple[tuple[RecordedProcess, Report], ...]:
        """Every report, with its process."""
        return tuple((process, report) for process in self.processes for report in process.reports())


def read(path: Path) -> Record:
    """The record in a folder or in a file.

    Errors: `RecordFileError` for what is none; OSError where it cannot be read.
    """
    record = Record(path)
    if path.is_dir():
        files = sorted(path.glob(f"*{ENDING}"))
        if not files:
            raise RecordFileError(f"{path} is no guardlift record: the folder holds no file that ends in {ENDING}")
    else:
        files = [path]
    for file in files:
        if path.is_dir() and not file.stat().st_size:
            continue  # its process was killed before it could write
        _PartReader(record, file).read()
    record.processes.sort(key=lambda process: process.head["began"])
    return record


class _PartReader:
    """Reads one file into a record."""

    def __init__(self, record: Record, file: Path) -> None:
        self.record, self.file = record, file
        self.texts: dict[str, str] = {}
        self.process: RecordedProcess | None = None
        self.kept: dict[int, list[Event]] = {}
        """By cause: the events that were written."""
        self.counts: dict[int, tuple[int, float]] = {}
        self.events = 0
        self.cut: tuple[int, Exception] | None = None
        """The line before, if it was no JSON: its number, and why."""

    def read(self) -> None:
        with self.file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    data = json.loads(line)
                    if not isinstance(data, dict):
                        raise ValueError(f"a line is an object, not a {type(data).__name__}")
                except (ValueError, RecursionError) as error:
                    if self.process is None:
                        raise RecordFileError(f"{self.file}:{number} is no guardlift record") from None
                    self._settle_cut(ended=False)
                    self.cut = number, error
                    continue
                self._settle_cut(ended="schema" in data)
                self._take(number, data)
        if self.process is None:
            raise RecordFileError(f"{self.file}:1 is no guardlift record")
        self._settle_cut(ended=True)
        self._close()

    def _settle_cut(self, *, ended: bool) -> None:
        """Says of a line that is no JSON whether a process ended within it, or it was damaged later."""
        if self.cut is not None and self.process is not None:
            if ended:
                whose = f"{self.file}, {self.process.label}," if len(self.record.processes) > 1 else str(self.file)
                self.record.endings.append(f"{whose} ends after event {self.events}")
            else:
                self._problem(*self.cut)
        self.cut = None

    def _take(self, number: int, data: dict[str, Any]) -> None:
        if "schema" in data or self.process is None:
            self._close()
            self.process, self.events = RecordedProcess(_checked_head(self.file, number, data)), 0
            self.record.processes.append(self.process)
            return
        try:
            _TAKERS[data["is"]](self, self.process, data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            self._problem(number, error)

    def _problem(self, number: int, error: Exception) -> None:
        said = str(error) if isinstance(error, (TypeError, ValueError)) else f"{error} is missing or not known"
        self.record.problems.append(f"{self.file}:{number} is damaged: {said}")

    def _function(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        process.functions[int(data["function"])] = RecordedFunction(data["name"], data["file"], int(data["line"]))

    def _event(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        event = made_from(Event, data["event"])
        if "break" in data:
            process.breaks[event.text] = made_from(BreakReport, data["break"])
        process.moments.append((float(data["at"]), event))
        _function_of(process, event).events.append(event)
        self.kept.setdefault(int(data["cause"]), []).append(event)
        self.events += 1

    def _entry(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        entry = dict(data["entry"])
        for name in ("graph", "code"):
            if name in entry:
                entry[name] = self.texts[entry[name]]
        entry["kernels"] = [{**each, "text": self.texts[each["text"]]} for each in entry.get("kernels", ())]
        found = made_from(EntryReport, entry)
        process.functions[int(data["function"])].entries[found.number] = found

    def _text(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        self.texts[str(data["text"])] = str(data["content"])

    def _count(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        self.counts[int(data["cause"])] = int(data["count"]), float(data["seconds"])

    def _calls(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        function = process.functions[int(data["function"])]
        function.served = {int(number): int(count) for number, count in data["served"].items()}
        function.passed = {str(text): int(count) for text, count in data["passed"].items()}
        function.microseconds = {str(text): float(each) for text, each in data.get("microseconds", {}).items()}
        function.calls = made_from(CallsReport, data["calls"])

    def _end(self, process: RecordedProcess, data: dict[str, Any]) -> None:
        for each in data["functions"]:
            made_from(Report, each)
        process.uncalled = list(data["functions"])
        process.kernels = {str(name): value + 0 for name, value in data["kernels"].items()}

    def _close(self) -> None:
        """Adds the events that are beyond those written, one for all of a cause."""
        if self.process is not None:
            for cause, events in self.kept.items():
                count, seconds = self.counts.get(cause, (0, 0.0))
                more = count - len(events)
                if more > 0:
                    rest = max(seconds - sum(event.seconds for event in events), 0.0)
                    _function_of(self.process, events[-1]).events.append(replace(events[-1], times=more, seconds=rest))
            for number, function in self.process.functions.items():
                over = sum(event.times for event in function.events if event.kind == LIMIT)
                if over:
                    self.process.over_limit[number] = over
        self.kept, self.counts = {}, {}


_TAKERS = {
    FUNCTION: _PartReader._function,
    EVENT: _PartReader._event,
    ENTRY: _PartReader._entry,
    TEXT: _PartReader._text,
    COUNT: _PartReader._count,
    CALLS: _PartReader._calls,
    END: _PartReader._end,
}
assert tuple(_TAKERS) == KINDS


def _function_of(process: RecordedProcess, event: Event) -> RecordedFunction:
    """The function that an event happened to, also where the line that names it was lost."""
    return process.functions.setdefault(event.state, RecordedFunction(event.function, *event.defined))


def _checked_head(file: Path, number: int, data: dict[str, Any]) -> dict[str, Any]:
    """The head of a part. Errors: RecordFileError for what is none, or is of another version."""
    schema = data.get("schema")
    if type(schema) is int and schema != SCHEMA:
        newer = "; a newer guardlift reads it" if schema > SCHEMA else ""
        raise RecordFileError(f"{file}:{number}: schema {schema}, this is {SCHEMA}{newer}")
    kinds: dict[str, Any] = {
        "process": int,
        "name": str,
        "command": list,
        "began": (int, float),
        "disabled": bool,
        "forked": bool,
    }
    if schema != SCHEMA or not all(isinstance(data.get(name), kind) for name, kind in kinds.items()):
        raise RecordFileError(f"{file}:{number} is no guardlift record")
    return data


def joined(folder: Path, file: Path) -> None:
    """Puts the parts of a record in a folder into one file, one behind the other; a text that is there comes once.

    Errors: OSError.
    """
    texts: set[bytes] = set()
    with file.open("wb") as out:
        for part in sorted(folder.glob(f"*{ENDING}")):
            with part.open("rb") as lines:
                for line in lines:
                    if line.startswith(b'{"is":"text"'):
                        if line in texts:
                            continue
                        texts.add(line)
                    out.write(line if line.endswith(b"\n") else line + b"\n")


def happened(record: Record) -> bool:
    """Whether a jitted function was called in a way that could compile it."""
    return any(event.kind != PLAIN for event in record.events)
