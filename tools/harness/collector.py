"""The counts of all tests of a run, brought together: the summary at its end, and the ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ...core.events import plural
from ...core.records import dataclass
from .. import ledger as ledgers
from ..causes import causes
from ..ledger import Counts, Ledger

if TYPE_CHECKING:
    from .compile_log import CompileLog

PROPERTY = "guardlift"
"""Under this name a report carries the counts of its test, from the workers of pytest-xdist too."""
WORST = 10
"""Tests that the summary lists."""
GONE_SHOWN = 10
"""Lines of tests that are gone that are listed."""
_FROM_WORKER = "guardlift_collected"


@dataclass(frozen=True, slots=True)
class Row:
    """Counts of what a test compiled, and the seconds that compiling took."""

    counts: Counts
    seconds: float

    @classmethod
    def of(cls, log: CompileLog) -> Row:
        """The row of a test with this log."""
        found = causes(log.told(), place_edits=False)
        texts = [ledgers.cause_text(f"{each.code} {each.at[2]}" if each.code else each.expression) for each in found]
        counts = Counts(log.compiles, log.recompiles, log.counted["break"], tuple(sorted(set(texts))))
        return cls(counts, log.seconds)

    def to_json(self) -> str:
        """The row as text, which a report can carry."""
        return json.dumps([*self.counts.numbers, self.counts.causes, self.seconds])

    @classmethod
    def from_json(cls, text: str) -> Row:
        """The row that was made text."""
        compiles, recompiles, breaks, found, seconds = json.loads(text)
        return cls(Counts(compiles, recompiles, breaks, tuple(found)), seconds)


class Collected:
    """The tests that were found, those included that do not run, and the files that were collected whole.

    A worker of pytest-xdist collects, and tells the process that has started it.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.tests: set[str] = set()
        self.whole: set[str] = set()
        self._partial = any(bool(config.getoption(name, False)) for name in ("lf", "last_failed", "stepwise"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Notes what was found, before any of it is deselected."""
        files = {item.nodeid.partition("::")[0] for item in items}
        chosen = {
            Path(config.invocation_params.dir, arg.partition("::")[0]).resolve() for arg in config.args if "::" in arg
        }
        self.tests = {item.nodeid for item in items}
        self.whole = {file for file in files if not self._partial and (config.rootpath / file).resolve() not in chosen}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tells the controller of pytest-xdist."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[_FROM_WORKER] = sorted(self.tests), sorted(self.whole)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Takes in what a worker has found: all find the same."""
        tests, whole = getattr(node, "workeroutput", {}).get(_FROM_WORKER, ((), ()))
        self.tests.update(tests)
        self.whole.update(whole)


class Collector:
    """Brings the counts of all tests together: in the process itself, or in the controller of pytest-xdist."""

    def __init__(self, config: pytest.Config, file: Path, ledger: Ledger | None, collected: Collected) -> None:
        self.summary: bool = config.getoption("guardlift_summary")
        self.update: bool = config.getoption("guardlift_ledger") == "update"
        self.file, self.ledger, self.collected = file, ledger, collected
        self.rows: dict[str, Row] = {}
        self.passed: dict[str, Counts] = {}
        self.gone: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the counts out of a test's report."""
        for name, value in report.user_properties if report.when == "call" else ():
            if name == PROPERTY:
                row = self.rows[report.nodeid] = Row.from_json(str(value))
                if report.passed:  # the counts of a test that stopped midway say nothing
                    self.passed[report.nodeid] = row.counts

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Writes the ledger, or looks for lines of tests that are gone."""
        if self.ledger is None:
            return
        found = self.collected
        self.gone = ledgers.gone(self.ledger.tests(), found.tests, found.whole, self.file.parent)
        if self.update:
            self.ledger.update(self.passed, self.gone)
            self.file.write_text(self.ledger.text(), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says what became of the ledger, and lists the tests that recompile most."""
        say = terminalreporter.write_line
        if self.update:
            say(f"guardlift: the counts of {plural(len(self.passed), 'test')} are in {self.file}")
        if self.gone:
            done = "were taken out" if self.update else "of the ledger; pytest --guardlift-ledger=update takes them out"
            say(f"guardlift: {plural(len(self.gone), 'line')} of tests that are gone {done}")
            for test in self.gone[:GONE_SHOWN]:
                say(f"  {test}")
            if len(self.gone) > GONE_SHOWN:
                say(f"  and {len(self.gone) - GONE_SHOWN} more")
        if self.summary:
            self._summarise(terminalreporter)

    def _summarise(self, terminalreporter: pytest.TerminalReporter) -> None:
        rows = sorted(self.rows.items(), key=lambda row: (-row[1].counts.recompiles, -row[1].seconds))
        terminalreporter.write_sep("=", "guardlift summary")
        compiles = sum(row.counts.compiles for _, row in rows)
        recompiles = sum(row.counts.recompiles for _, row in rows)
        seconds = sum(row.seconds for _, row in rows)
        counted = f"{plural(compiles, 'compile')}, {plural(recompiles, 'recompile')}"
        terminalreporter.write_line(f"{counted}, {seconds:.2f} s in {plural(len(rows), 'test')}")
        for test, row in rows[:WORST]:
            if row.counts.compiles or row.counts.breaks:
                terminalreporter.write_line(f"{row.seconds:8.3f} s  {row.counts}  {test}")
