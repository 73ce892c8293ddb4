"""The answer of `guard-explain` about a record: the lines for people, and the same as data."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...core.events import MADE
from ...core.records import dataclass
from ..causes import Cause
from ..escaping import escaped
from ..record.reader import Record
from ..render import show_lines
from ..report import SCHEMA
from ..running import KILLED, RunProgram
from ..show.screen import screen_lines
from ..show.terminal import Line
from .gates import Finding
from .options import version


@dataclass(frozen=True, slots=True)
class ExplainOutcome:
    """A program that has run, and its record.

    status: its exit code, or minus the number of the signal that ended it.
    """

    program: RunProgram
    status: int
    record: Record

    @property
    def exit_code(self) -> int:
        """The exit code as a shell gives it."""
        return self.status if self.status >= 0 else KILLED - self.status


def totals(record: Record) -> dict[str, Any]:
    """The sums over all processes; functions are counted by their definitions."""
    reports = [report for _, report in record.reports]
    return {
        "compiles": sum(report.compiles for report in reports),
        "recompiles": sum(report.recompiles for report in reports),
        "functions": len({(report.name, report.file, report.line) for report in reports}),
        "breaks": sum(len(report.breaks) for report in reports),
        "limits": sum(report.limit_reached for report in reports),
        "compile_seconds": sum(event.seconds for event in record.events if event.kind in MADE),
        "kernels": kernels(record),
    }


def kernels(record: Record) -> dict[str, float]:
    """The numbers of native kernels, over the processes that came to their own end."""
    names = ("compiled", "loaded", "compile_seconds", "load_seconds")
    return {name: sum(process.kernels.get(name, 0) for process in record.processes) for name in names}


def outcome_data(outcome: ExplainOutcome, findings: Sequence[Finding] = ()) -> dict[str, Any]:
    """All of it as JSON data, of schema version `SCHEMA`."""
    program = outcome.program
    return {
        "schema": SCHEMA,
        "guardlift": version(),
        "python": sys.version.split()[0],
        "program": {
            "name": program.name,
            "module": program.module,
            "arguments": list(program.arguments),
            "exit_code": outcome.exit_code,
        },
        "totals": totals(outcome.record),
        "findings": [finding.text for finding in findings],
        "processes": [
            {name: process.head[name] for name in ("process", "parent", "name", "command")}
            for process in outcome.record.processes
        ],
        "functions": [
            {"process": process.head["process"], **report.to_dict()} for process, report in outcome.record.reports
        ],
    }


def outcome_lines(
    outcome: ExplainOutcome, findings: Sequence[Finding], width: int, *, verbose: bool = False
) -> Iterator[Line]:
    """The answer for people, in one screen; with `verbose` all that is known; then what exceeds a limit."""
    record = outcome.record
    yield from screen_lines(
        [report for _, report in record.reports],
        program=outcome.program.name,
        exit_code=outcome.status,
        processes=len(record.processes),
        width=width,
        place_of=process_names(record) if len(record.processes) > 1 else None,
    )
    if verbose:
        yield from record_lines(record, "all", width)
    for finding in findings:
        yield "bad", f"guard-explain: {finding.text}"


def record_lines(record: Record, what: str, width: int) -> Iterator[Line]:
    """Details of a record, one of `DETAILS`, below a line that names each process where there are several."""
    if len(record.processes) < 2 or what == "causes":
        yield from show_lines([report for _, report in record.reports], what, width=width)
        return
    for process in record.processes:
        yield "title", f"{process.label}: {' '.join(process.head['command'])}"
        yield from show_lines(process.reports(), what, width=width)
        yield "", ""


PROCESSES_NAMED = 3
"""Processes that a cause names at most."""


def process_names(record: Record) -> Callable[[Cause], str]:
    """A function that names the processes in which a cause came up."""
    by_event = {id(event): process for process in record.processes for event in process.events}

    def names(cause: Cause) -> str:
        found = list(dict.fromkeys(by_event[id(event)].label for event in cause.events if id(event) in by_event))
        more = f" and {len(found) - PROCESSES_NAMED} more" if len(found) > PROCESSES_NAMED else ""
        return "; ".join(found[:PROCESSES_NAMED]) + more

    return names


def safe(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines without anything that a terminal would take for a command."""
    return ((style, escaped(text)) for style, text in lines)
