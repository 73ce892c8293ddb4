"""The command `guard-explain`: runs a program, then says what compiled, what compiled again and why, and what broke."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from ..core.events import plural
from ..core.records import dataclass
from .recorder import Recorder
from .render import report_lines
from .report import SCHEMA, Report
from .running import RunProgram, missing, run, split_arguments
from .show.terminal import Line, write_lines

CLEAN, FINDINGS, USAGE = 0, 1, 2
"""Exit codes of our own; a program that fails keeps its own code."""

STDOUT = "-"
SCHEMA_FILE = Path(__file__).with_name("report_schema.json")


@dataclass(frozen=True, slots=True)
class ExplainOutcome:
    """A program that has run: its exit code, the reports on its functions, how its kernels came to be."""

    program: RunProgram
    exit_code: int
    reports: tuple[Report, ...]
    kernels: dict[str, float]

    def total(self, name: str) -> float:
        """The sum of an attribute over all reports."""
        return sum(getattr(report, name) for report in self.reports)

    @property
    def breaks(self) -> int:
        """Graph breaks of all functions."""
        return sum(len(report.breaks) for report in self.reports)

    @property
    def limits(self) -> list[Report]:
        """Functions that reached the limit of entries."""
        return [report for report in self.reports if report.limit_reached]


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of `guard-explain` with these arguments, by default those of the process."""
    parser = _parser()
    words, program = split_arguments(sys.argv[1:] if argv is None else argv, ("--max-recompiles", "--max-breaks"))
    try:
        # A bare --json must not take the program's name for its file.
        options = parser.parse_args([f"--json={STDOUT}" if word == "--json" else word for word in words])
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    if options.schema:
        print(SCHEMA_FILE.read_text(encoding="utf-8"), end="")
        return CLEAN
    wrong = (
        "name the program to run: guard-explain [options] script.py [arguments]"
        if program is None
        else missing(program)
    )
    if wrong or program is None:
        parser.print_usage(sys.stderr)
        print(f"guard-explain: {wrong}", file=sys.stderr)
        return USAGE
    with _result_stream(options.json, for_good=argv is None) as stream:
        outcome = _record(program)
        findings = _findings(outcome, options)
        _write(outcome, findings, options, stream)
    return outcome.exit_code or (FINDINGS if findings else CLEAN)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="guard-explain",
        usage="guard-explain [options] script.py [arguments]\n       guard-explain [options] -m module [arguments]",
        description="Runs a program and explains its jitted functions: what compiled and under which guards, "
        "what compiled again and the edit that avoids it, where graphs broke, and what that cost.",
        epilog="Exit code: 0 when all is well, 1 when a --max option is exceeded, 2 for wrong usage; a program that "
        "fails keeps its own code. NO_COLOR turns colour off, FORCE_COLOR turns it on.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write data instead: --json to standard output (the program's own output then goes to standard error), "
        "--json=FILE to a file beside the text; --schema describes it",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="every failing guard, graphs, entry code and kernel text"
    )
    parser.add_argument(
        "--max-recompiles", type=int, metavar="N", help="exit with 1 when more than N compiles were not the first"
    )
    parser.add_argument(
        "--max-breaks", type=int, metavar="N", help="exit with 1 when there were more than N graph breaks"
    )
    parser.add_argument("--no-color", action="store_true", help="plain text, on a terminal too")
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of --json")
    parser.add_argument("--version", action="version", version=f"guard-explain {_version()}")
    return parser


def _version() -> str:
    root = sys.modules[__name__ if __package__ is None else __package__.partition(".")[0]]
    return str(root.__version__)


@contextmanager
def _result_stream(json_to: str | None, *, for_good: bool) -> Iterator[TextIO]:
    """The stream for the result. For JSON on standard output, what else is written there goes to standard error.

    for_good: also what comes after the context, such as the output of the program's exit handlers.
    """
    if json_to != STDOUT:
        yield sys.stdout
        return
    sys.stdout.flush()
    result, sys.stdout = sys.stdout, sys.stderr
    real = _descriptor(result) == 1
    if real:
        # Below Python too: programs that this one starts, and libraries that write by themselves.
        result = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
    before = sys.__stdout__ if real else result
    try:
        yield result
    finally:
        result.flush()
        if not for_good:
            sys.stdout = before or sys.stdout
            if real:
                os.dup2(result.fileno(), 1)
                result.close()


def _descriptor(stream: TextIO) -> int:
    try:
        return stream.fileno()
    except (OSError, AttributeError, ValueError):
        return -1


def _record(program: RunProgram) -> ExplainOutcome:
    before = _kernel_statistics()
    recorder = Recorder()
    with recorder.recording():
        code = run(program)
    after = _kernel_statistics()
    kernels = {name: after[name] - before.get(name, 0) for name in after}
    return ExplainOutcome(program, code, tuple(recorder.reports()), kernels)


def _kernel_statistics() -> dict[str, float]:
    module = sys.modules.get("guardlift.backend.cpu.compiler.kernels")
    names = ("compiled", "loaded", "compile_seconds", "load_seconds")
    return {name: getattr(module.statistics, name) if module is not None else 0 for name in names}


def _findings(outcome: ExplainOutcome, options: argparse.Namespace) -> list[str]:
    found = []
    if options.max_recompiles is not None:
        recompiles = int(outcome.total("recompiles"))
        if recompiles > options.max_recompiles:
            found.append(f"{plural(recompiles, 'recompile')}, more than --max-recompiles {options.max_recompiles}")
        found += [
            f"{report.name} reached the limit of entries: further calls ran as plain Python"
            for report in outcome.limits
        ]
    if options.max_breaks is not None and outcome.breaks > options.max_breaks:
        found.append(f"{plural(outcome.breaks, 'graph break')}, more than --max-breaks {options.max_breaks}")
    return found


def _write(outcome: ExplainOutcome, findings: list[str], options: argparse.Namespace, stream: TextIO) -> None:
    if options.json is not None:
        text = json.dumps(outcome_data(outcome, findings), indent=2) + "\n"
        if options.json == STDOUT:
            stream.write(text)
            return
        Path(options.json).write_text(text, encoding="utf-8")
    write_lines(_lines(outcome, findings, verbose=options.verbose), stream, color=_wants_color(options, stream))


def outcome_data(outcome: ExplainOutcome, findings: Sequence[str] = ()) -> dict[str, Any]:
    """All of it as JSON data, of schema version `SCHEMA`."""
    program = outcome.program
    totals = {name: int(outcome.total(name)) for name in ("compiles", "recompiles")}
    totals |= {"functions": len(outcome.reports), "breaks": outcome.breaks, "limits": len(outcome.limits)}
    return {
        "schema": SCHEMA,
        "guardlift": _version(),
        "python": sys.version.split()[0],
        "program": {
            "name": program.name,
            "module": program.module,
            "arguments": list(program.arguments),
            "exit_code": outcome.exit_code,
        },
        "totals": {**totals, "compile_seconds": outcome.total("compile_seconds"), "kernels": outcome.kernels},
        "findings": list(findings),
        "functions": [report.to_dict() for report in outcome.reports],
    }


def _lines(outcome: ExplainOutcome, findings: Sequence[str], *, verbose: bool) -> Iterator[Line]:
    yield "title", f"guard-explain: {outcome.program.name} ended with exit code {outcome.exit_code}"
    compiles, recompiles = int(outcome.total("compiles")), int(outcome.total("recompiles"))
    counted = (
        plural(len(outcome.reports), "jitted function"),
        plural(compiles, "compile"),
        plural(recompiles, "recompile"),
        plural(outcome.breaks, "graph break"),
    )
    yield "", f"{', '.join(counted)}; {outcome.total('compile_seconds'):.2f} s from call to compiled code"
    kernels = outcome.kernels
    made = f"{plural(int(kernels['compiled']), 'kernel')} compiled in {kernels['compile_seconds']:.2f} s"
    loaded = f"{int(kernels['loaded'])} loaded from the cache"
    yield "", f"native code: {made}, {loaded}, linked in {kernels['load_seconds']:.2f} s"
    if not outcome.reports:
        yield "warn", "no function was jitted: put @gl.jit above one"
    for report in outcome.reports:
        yield "", ""
        yield from report_lines(report, verbose=verbose)
    for finding in findings:
        yield "bad", f"guard-explain: {finding}"


def _wants_color(options: argparse.Namespace, stream: TextIO) -> bool:
    if options.no_color or os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")


if __name__ == "__main__":
    sys.exit(main())
