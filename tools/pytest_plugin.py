"""The pytest plugin: expectations about compiles as a marker, fixtures, a summary and a ledger.

Nothing of guardlift's compiler is imported before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..core.events import listening, plural
from ..core.records import dataclass

if TYPE_CHECKING:
    from .ledger import Counts
    from .testing import CompileLog

MARKER = (
    "guardlift(max_recompiles=None, max_breaks=None): fail the test when it compiles functions again, or breaks "
    "graphs, more often than that; jitted functions start it without entries"
)
LIMITS = {"max_recompiles": "recompile", "max_breaks": "graph break"}
PROPERTY = "guardlift"
"""Under this name a report carries the counts of its test, from the workers of pytest-xdist too."""

SECTION = "guardlift recompiles"
WORST = 10

_log = pytest.StashKey["CompileLog"]()


@dataclass(frozen=True, slots=True)
class Row:
    """Counts of what a test compiled, and the seconds that compiling took."""

    counts: Counts
    seconds: float


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares the options and the ini value."""
    group = parser.getgroup("guardlift", "guardlift: what tests compile")
    group.addoption("--guardlift-summary", action="store_true", help="list the tests that recompile most")
    group.addoption(
        "--guardlift-ledger",
        choices=("check", "update"),
        help="compare what each test compiles with the ledger, or write the ledger anew",
    )
    parser.addini("guardlift_ledger", "file of the ledger, relative to the root folder", default="guardlift-ledger.txt")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker; collects counts when an option asks for it."""
    config.addinivalue_line("markers", MARKER)
    worker = hasattr(config, "workerinput")
    if not worker and (config.getoption("guardlift_summary") or config.getoption("guardlift_ledger")):
        config.pluginmanager.register(BreakCollector(config), "guardlift-collector")


@pytest.fixture
def compile_log(request: pytest.FixtureRequest) -> Iterator[CompileLog]:
    """The log of what the test compiles: `.compiles`, `.recompiles`, `.breaks`, `.reasons`, `.explain()`."""
    from .testing import CompileLog

    log = CompileLog()
    request.node.stash[_log] = log
    with listening(log.record):
        yield log


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a kernel cache that is empty, in memory too; jitted functions start without entries."""
    from . import testing

    folder = tmp_path / "guardlift-kernels"
    monkeypatch.setenv("GUARDLIFT_CACHE_DIR", str(folder))  # for processes that the test starts
    with testing.fresh_cache(folder):
        yield folder


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Makes counts independent of the tests that ran before."""
    if _limits(item) or item.config.getoption("guardlift_ledger"):
        from .testing import forget

        forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Records what the test compiles, and fails it when that is more than it may."""
    limits = _limits(item)
    options = item.config.option
    if not (limits or options.guardlift_summary or options.guardlift_ledger or _log in item.stash):
        return (yield)
    with _recorded(item) as log:
        result = yield
    wrong = _exceeded(limits, log) or _off_the_ledger(item, log)
    if wrong:
        pytest.fail(wrong, pytrace=False)
    return result


@contextmanager
def _recorded(item: pytest.Item) -> Iterator[CompileLog]:
    """A context that records; what was found goes into the test's report, also when it fails."""
    from .testing import CompileLog

    log = item.stash.get(_log, None)
    known = log is not None
    log = log or CompileLog()
    try:
        if known:
            yield log  # the fixture listens already
        else:
            with listening(log.record):
                yield log
    finally:
        seconds = sum(event.seconds for event in log.events)
        text = f"{log.compiles} {log.recompiles} {len(log.breaks)} {seconds:.6f}"
        item.user_properties.append((PROPERTY, text))
        if log.recompiles or log.over_limit or log.breaks:
            item.add_report_section("call", SECTION, log.explain())


def _limits(item: pytest.Item) -> dict[str, int]:
    """The limits that the test's markers set; the closest one wins. Errors: a usage error for a malformed one."""
    found: dict[str, int] = {}
    for marker in item.iter_markers("guardlift"):
        wrong = bool(marker.args) or not marker.kwargs or not set(marker.kwargs) <= set(LIMITS)
        if wrong or not all(type(value) is int for value in marker.kwargs.values()):
            raise pytest.UsageError(
                f"{item.nodeid}: @pytest.mark.guardlift takes max_recompiles=, max_breaks= or both, as ints; "
                f"found args {marker.args} and {marker.kwargs}"
            )
        found = {**marker.kwargs, **found}
    return found


def _exceeded(limits: dict[str, int], log: CompileLog) -> str:
    counted = {"max_recompiles": log.recompiles + log.over_limit, "max_breaks": len(log.breaks)}
    wrong = [
        f"{plural(counted[name], LIMITS[name])}, where @pytest.mark.guardlift({name}={most}) allows {most}"
        for name, most in limits.items()
        if counted[name] > most
    ]
    return "; ".join(wrong)


def _counts(log: CompileLog) -> Counts:
    from .ledger import Counts

    return Counts(log.compiles, log.recompiles, len(log.breaks))


def _ledger_file(config: pytest.Config) -> Path:
    return config.rootpath / str(config.getini("guardlift_ledger"))


def _off_the_ledger(item: pytest.Item, log: CompileLog) -> str:
    if item.config.getoption("guardlift_ledger") != "check":
        return ""
    from . import ledger

    return ledger.difference(ledger.read(_ledger_file(item.config)).get(item.nodeid), _counts(log))


class BreakCollector:
    """Brings the counts of all tests together: in the process itself, or in the controller of pytest-xdist."""

    def __init__(self, config: pytest.Config) -> None:
        self.summary: bool = config.getoption("guardlift_summary")
        self.update: bool = config.getoption("guardlift_ledger") == "update"
        self.file = _ledger_file(config)
        self.rows: dict[str, Row] = {}
        self.passed: dict[str, Row] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the counts out of a test's report."""
        for name, value in report.user_properties if report.when == "call" else ():
            if name == PROPERTY:
                self.rows[report.nodeid] = _row(str(value))
                if report.passed:  # the counts of a test that stopped midway say nothing
                    self.passed[report.nodeid] = self.rows[report.nodeid]

    def pytest_sessionfinish(self) -> None:
        """Writes the ledger."""
        if self.update:
            from . import ledger

            ledger.write(self.file, {test: row.counts for test, row in self.passed.items()})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Lists the tests that recompile most."""
        if self.update:
            terminalreporter.write_line(
                f"guardlift: the counts of {plural(len(self.passed), 'test')} are in {self.file}"
            )
        if not self.summary:
            return
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


def _row(text: str) -> Row:
    from .ledger import Counts

    compiles, recompiles, breaks, seconds = text.split()
    return Row(Counts(int(compiles), int(recompiles), int(breaks)), float(seconds))
