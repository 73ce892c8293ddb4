"""The command `guard-explain`: runs a program, then says what compiled, what compiled again and why, and what broke.

guard-explain script.py             run it, in all its processes
guard-explain show [RECORD]         more about the last run, or about a record
guard-explain check RECORD          limits on what a record may hold
guard-explain diff A B              two records side by side
guard-explain report RECORD -o F    a record as one HTML file
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from .command.annotations import workflow_lines
from .command.answer import ExplainOutcome, outcome_data, outcome_lines, record_lines, safe
from .command.comparison import compared
from .command.gates import CLEAN, FINDINGS, NOT_LOOKED, USAGE, Finding, Gates, findings, why_not_looked
from .command.kept_records import last_folder, new_folder
from .command.options import (
    STDOUT,
    TAKE_VALUES,
    check_parser,
    diff_parser,
    gates_of,
    report_parser,
    run_parser,
    show_parser,
)
from .record.lines import ENDING
from .record.reader import Record, RecordFileError, joined, read
from .render import DETAILS
from .running import missing, run, split_arguments
from .show.terminal import WIDTH, Line, wants_color, width_of, write_lines

SCHEMA_FILE = Path(__file__).with_name("report_schema.json")
RECORD_SCHEMA_FILE = Path(__file__).parent / "record" / "record_schema.json"


class UsageError(ValueError):
    """A wish of the user's cannot be fulfilled; the text says why, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of `guard-explain` with these arguments, by default those of the process."""
    words = list(sys.argv[1:] if argv is None else argv)
    command = COMMANDS.get(words[0]) if words else None
    try:
        return command(words[1:]) if command else _run(words)
    except SystemExit as stop:  # argparse
        return stop.code if isinstance(stop.code, int) else USAGE
    except (UsageError, RecordFileError) as error:
        _say(str(error))
        return USAGE
    except OSError as error:
        _say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return USAGE


def _run(words: Sequence[str]) -> int:
    """Runs a program, and answers."""
    parser = run_parser()
    own, program = split_arguments(words, TAKE_VALUES)
    options = parser.parse_args(own)
    for asked, file in ((options.schema, SCHEMA_FILE), (options.record_schema, RECORD_SCHEMA_FILE)):
        if asked:
            _print([file.read_text(encoding="utf-8").rstrip("\n")])
            return CLEAN
    if program is None:
        parser.error("name the program to run: guard-explain [options] script.py [arguments]")
        return USAGE
    wrong = missing(program) or _unwritable(options.output) or _unwritable(_json_file(options))
    if wrong:
        parser.error(wrong)
    folder = new_folder()
    status = run(program, folder, stdout=2 if options.json == STDOUT else None)
    record = read(folder) if any(folder.glob(f"*{ENDING}")) else Record(folder)
    if options.output is not None:
        joined(folder, options.output)
    outcome, gates = ExplainOutcome(program, status, record), gates_of(options)
    found = findings(record, gates)
    _answer(outcome, found, options)
    return _closing(record, gates, found, options, status=outcome.exit_code)


def _answer(outcome: ExplainOutcome, found: list[Finding], options: argparse.Namespace) -> None:
    if options.json is not None:
        text = json.dumps(outcome_data(outcome, found), indent=2)
        if options.json == STDOUT:
            _print([text])
            return
        Path(options.json).write_text(text + "\n", encoding="utf-8")
    _show(outcome_lines(outcome, found, _width(), verbose=options.verbose), options)


def _show_record(words: Sequence[str]) -> int:
    """Prints a record, or the last run's."""
    parser = show_parser()
    options = parser.parse_args(list(words))
    parts = [word for word in options.words if word in DETAILS]
    records = [word for word in options.words if word not in DETAILS]
    if len(parts) > 1 or len(records) > 1:
        parser.error(f"one part and one record, not {' '.join(options.words)}")
    record = _record_at(Path(records[0]) if records else None, "show")
    _show(record_lines(record, parts[0] if parts else "causes", _width()), options)
    return CLEAN


def _record_at(path: Path | None, command: str) -> Record:
    """The record there, or that of the last run; what is amiss with it is told."""
    path = path or last_folder()
    if path is None:
        raise UsageError(f"there is no last run to {command}; name a record: guard-explain {command} RECORD")
    record = read(path)
    _tell_problems(record)
    return record


def _check(words: Sequence[str]) -> int:
    """Asks limits of a record."""
    parser = check_parser()
    options = parser.parse_args(list(words))
    gates = gates_of(options)
    if not gates:
        parser.error("set a limit, such as --max-recompiles 0")
    record = read(options.record)
    found = findings(record, gates)
    _print([f"guard-explain: {finding.text}" for finding in found])
    return _closing(record, gates, found, options)


def _closing(
    record: Record, gates: Gates, found: list[Finding], options: argparse.Namespace, *, status: int = CLEAN
) -> int:
    """The exit code; what it is for is told. status: that of a program that failed by itself, which is kept."""
    _tell_problems(record)
    if options.github:
        _print(list(workflow_lines(found)))
    not_looked = why_not_looked(record) if gates else ""
    if not_looked:
        _say(f"could not look: {not_looked}")
    if status:
        if found:
            _say(f"the program failed by itself, so the exit code is its own, {status}")
        return status
    if gates and record.problems:
        return USAGE
    return FINDINGS if found else NOT_LOOKED if not_looked else CLEAN


def _compare(words: Sequence[str]) -> int:
    """Compares two records."""
    options = diff_parser().parse_args(list(words))
    before, after = read(options.before), read(options.after)
    for record in (before, after):
        _tell_problems(record)
    found = compared(before, after)
    _show(found.lines(), options)
    if before.problems or after.problems:
        return USAGE
    return FINDINGS if found.worse else CLEAN


def _report(words: Sequence[str]) -> int:
    """Writes a record as one HTML file."""
    from .page.build import page_content
    from .page.html import page_text

    options = report_parser().parse_args(list(words))
    wrong = _unwritable(options.output)
    if wrong:
        raise UsageError(wrong)
    record = _record_at(options.record, "report")
    options.output.write_text(page_text(page_content(record, redacted=options.redact)), encoding="utf-8")
    return CLEAN


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "show": _show_record,
    "check": _check,
    "diff": _compare,
    "report": _report,
}
"""The subcommands. A script of such a name is run as ``guard-explain ./show``."""


def _json_file(options: argparse.Namespace) -> Path | None:
    return Path(options.json) if options.json not in (None, STDOUT) else None


def _unwritable(file: Path | None) -> str:
    """Why a file could not be written, found out before the program runs; empty where it could be, or none is asked."""
    if file is None:
        return ""
    there = file.exists()
    try:
        file.open("ab").close()
        if not there:
            file.unlink()
    except OSError as error:
        return f"{file} cannot be written: {error.strerror}"
    return ""


def _tell_problems(record: Record) -> None:
    for problem in (*record.problems, *record.endings):
        _say(problem)


def _say(text: str) -> None:
    if sys.stderr is not None:
        print(*(each for _, each in safe(iter([("", f"guard-explain: {text}")]))), file=sys.stderr)


def _show(lines: Iterator[Line], options: argparse.Namespace) -> None:
    def write(stream: TextIO) -> None:
        write_lines(safe(lines), stream, color=wants_color(stream) and not options.no_color)

    _onto_stdout(write)


def _width() -> int:
    return WIDTH if sys.stdout is None else width_of(sys.stdout)


def _print(lines: Sequence[str]) -> None:
    _onto_stdout(lambda stream: stream.writelines(f"{line}\n" for line in lines))


def _onto_stdout(write: Callable[[TextIO], object]) -> None:
    """Writes to standard output: what it has no characters for as escapes, and nothing once nobody reads it."""
    stream = sys.stdout
    if stream is None:
        return
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    try:
        write(stream)
        stream.flush()
    except BrokenPipeError:
        # Else the interpreter would write what is left at its end, and complain.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
