"""The options of `guard-explain` and of its subcommands: each parser is made here."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from ..render import DETAILS
from .gates import CLEAN, FINDINGS, NOT_LOOKED, USAGE, Gates

Codes = Mapping[int | str, str]
"""Exit codes, each with what it says."""

_GATE_CODES: Codes = {
    CLEAN: "nothing exceeds a limit",
    FINDINGS: "something exceeds a limit",
    USAGE: "wrong usage, or a limit was set and the record is damaged",
    NOT_LOOKED: "a limit was set and nothing could be looked at: no jitted function was called, guardlift was switched "
    "off, or a debugger or coverage kept functions from being compiled",
}
RUN_CODES: Codes = {
    **_GATE_CODES,
    "the program's own": "it failed by itself, also where a limit is exceeded; of a signal 128 and its number",
}
SHOW_CODES: Codes = {CLEAN: "the record was printed", USAGE: "wrong usage, or no record is there"}
DIFF_CODES: Codes = {
    CLEAN: "B is no worse",
    FINDINGS: "something in it compiles again, breaks or runs plainly more often than in A",
    USAGE: "wrong usage, or a file that is no record or a damaged one",
}
REPORT_CODES: Codes = {
    CLEAN: "the page was written",
    USAGE: "wrong usage, no record is there, or the file cannot be written",
}
RUN_USAGE = """\
guard-explain [options] script.py [arguments]
       guard-explain [options] -m module [arguments]
       guard-explain show | check | diff | report ..."""
TAKE_VALUES = ("--max-recompiles", "--max-breaks", "--max-compile-seconds", "--max-guard-us", "-o", "--output")
"""Options of a run whose value is the next word."""
STDOUT = "-"


class ExplainParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line behind the usage.

    codes: the exit codes of the command, which the help lists at its end, in front of `more`.   usage: the way to call
    it, in the same words on every version of Python.
    """

    def __init__(self, prog: str, description: str, codes: Codes, *, usage: str, more: str = "") -> None:
        listed = "; ".join(f"{code}: {meaning}" for code, meaning in codes.items())
        epilog = f"Exit codes: {listed}. {more}".rstrip()
        super().__init__(prog, usage, description, epilog, allow_abbrev=False)
        self.codes = codes

    def error(self, message: str) -> NoReturn:
        """Prints the usage and the message. Errors: SystemExit."""
        self.print_usage(sys.stderr)
        self.exit(2, f"guard-explain: {message}\n")


def run_parser() -> ExplainParser:
    """The parser of what stands before the program."""
    parser = ExplainParser(
        "guard-explain",
        "Runs a program and explains its jitted functions, in all of its processes: what compiled again "
        "and the edit that avoids it, where graphs broke, and what that cost. `guard-explain show` prints more of the "
        "last run, `guard-explain check` asks limits of a record, `guard-explain diff` compares two, "
        "`guard-explain report` makes a page for a browser.",
        RUN_CODES,
        usage=RUN_USAGE,
        more="NO_COLOR turns colour off, FORCE_COLOR turns it on.",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write data instead: --json to standard output (the program's own output then goes to standard error), "
        "--json FILE.json or --json=FILE to a file beside the text; --schema describes it",
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="keep the record of the run in this file")
    parser.add_argument(
        "--verbose", action="store_true", help="every failing guard, graphs, entry code and kernel text"
    )
    _add_gates(parser)
    _add_looks(parser)
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of --json")
    parser.add_argument("--record-schema", action="store_true", help="print the JSON schema of a line of a record")
    parser.add_argument("--version", action="version", version=f"guard-explain {version()}", help="print the version")
    return parser


def show_parser() -> ExplainParser:
    """The parser of `guard-explain show`."""
    parser = ExplainParser(
        "guard-explain show",
        "Prints what a record holds, by default the causes of the last run.",
        SHOW_CODES,
        usage=f"guard-explain show [{'|'.join(DETAILS)}] [RECORD]",
    )
    parser.add_argument(
        "words", nargs="*", metavar="RECORD", help=f"{_listed(DETAILS)}; a record's file or folder; or both"
    )
    parser.add_argument("--no-color", action="store_true", help="plain text, on a terminal too")
    return parser


def check_parser() -> ExplainParser:
    """The parser of `guard-explain check`."""
    parser = ExplainParser(
        "guard-explain check",
        "Asks limits of a record.",
        _GATE_CODES,
        usage="guard-explain check RECORD --max-... [--github]",
    )
    parser.add_argument("record", metavar="RECORD", type=Path, help="a record's file or folder")
    _add_gates(parser)
    _add_looks(parser)
    return parser


def diff_parser() -> ExplainParser:
    """The parser of `guard-explain diff`."""
    parser = ExplainParser(
        "guard-explain diff",
        "Compares two records: causes that are new, gone, more or fewer, and seconds of compiling by "
        "function. Functions are matched by qualified name, causes by expression, so that moved lines do not count.",
        DIFF_CODES,
        usage="guard-explain diff A B [--no-color]",
        more="Seconds vary from run to run and do not count.",
    )
    parser.add_argument("before", metavar="A", type=Path, help="the record to compare with")
    parser.add_argument("after", metavar="B", type=Path, help="the record to judge")
    parser.add_argument("--no-color", action="store_true", help="plain text, on a terminal too")
    return parser


def report_parser() -> ExplainParser:
    """The parser of `guard-explain report`."""
    parser = ExplainParser(
        "guard-explain report",
        "Writes a record as one HTML file for a browser: causes, functions with their source, entries, guards and "
        "kernels. The file asks for nothing outside of it, and can be attached to a bug report.",
        REPORT_CODES,
        usage="guard-explain report [RECORD] -o page.html [--redact]",
    )
    parser.add_argument(
        "record", nargs="?", metavar="RECORD", type=Path, help="a record's file or folder; by default the last run's"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the file to write")
    parser.add_argument(
        "--redact",
        action="store_true",
        help="leave out source and values: names of functions and files, lines, counts and times remain",
    )
    return parser


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _add_gates(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits", "each gives exit code 1 when it is exceeded, over all processes")
    group.add_argument("--max-recompiles", type=_count, metavar="N", help="compiles that were not a function's first")
    group.add_argument("--max-breaks", type=_count, metavar="N", help="graph breaks")
    group.add_argument("--max-compile-seconds", type=_amount, metavar="S", help="seconds of compiling in all")
    group.add_argument(
        "--max-guard-us", type=_amount, metavar="U", help="microseconds that the guards of an entry take at a call"
    )


def _add_looks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--github", action="store_true", help="print annotations of a GitHub workflow for what exceeds a limit"
    )
    parser.add_argument("--no-color", action="store_true", help="plain text, on a terminal too")


def gates_of(options: argparse.Namespace) -> Gates:
    """The limits that were set."""
    return Gates(options.max_recompiles, options.max_breaks, options.max_compile_seconds, options.max_guard_us)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 on, found {text!r}")
    return int(text)


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (value >= 0.0 and math.isfinite(value)):
        raise argparse.ArgumentTypeError(f"expected a number from 0 on, found {text!r}")
    return value


def version() -> str:
    """The version of guardlift."""
    return str(sys.modules[__name__.partition(".")[0]].__version__)
