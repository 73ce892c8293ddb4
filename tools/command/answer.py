"""The answer of `guard-explain` about a record: the lines for people, and the same as data."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.events import MADE, plural
from ...core.records import dataclass
from ..escaping import escaped
from ..record.reader import Record, happened
from ..render import Line, report_lines
from ..report import SCHEMA
from ..running import KILLED, RunProgram
from .gates import Finding, why_not_looked
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


def outcome_lines(outcome: ExplainOutcome, findings: Sequence[Finding], *, verbose: bool) -> Iterator[Line]:
    """The answer for people: how the program ended, what its record holds, and what exceeds a limit."""
    yield "title", f"guard-explain: {outcome.program.name} {_ended(outcome.status)}"
    yield from record_lines(outcome.record, verbose=verbose)
    if not happened(outcome.record) and not outcome.status:
        why = why_not_looked(outcome.record)
        jitted = any(process.uncalled for process in outcome.record.processes)
        yield "warn", why if jitted else f"{why}: put @gl.jit above one"
    for finding in findings:
        yield "bad", f"guard-explain: {finding.text}"


def record_lines(record: Record, *, verbose: bool) -> Iterator[Line]:
    """What a record holds: sums, then each function, below its process where there are several."""
    sums = totals(record)
    counted = [
        plural(sums["functions"], "jitted function"),
        plural(sums["compiles"], "compile"),
        plural(sums["recompiles"], "recompile"),
        plural(sums["breaks"], "graph break"),
    ]
    counted += [plural(len(record.processes), "process", "processes")] if len(record.processes) > 1 else []
    yield "", f"{', '.join(counted)}; {sums['compile_seconds']:.2f} s from call to compiled code"
    native = sums["kernels"]
    made = f"{plural(int(native['compiled']), 'kernel')} compiled in {native['compile_seconds']:.2f} s"
    loaded = f"{int(native['loaded'])} loaded from the cache"
    yield "", f"native code: {made}, {loaded}, linked in {native['load_seconds']:.2f} s"
    for process in record.processes:
        reports = process.reports()
        if len(record.processes) > 1 and reports:
            yield "", ""
            yield "title", f"{process.label}: {' '.join(process.head['command'])}"
        for report in reports:
            yield "", ""
            yield from report_lines(report, verbose=verbose)


def safe(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines without anything that a terminal would take for a command."""
    return ((style, escaped(text)) for style, text in lines)


def _ended(status: int) -> str:
    if status >= 0:
        return f"ended with exit code {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"was ended by {name}"
