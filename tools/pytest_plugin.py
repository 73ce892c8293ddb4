"""The pytest plugin: expectations about compiles as a marker, fixtures, a summary and a ledger.

Nothing of guardlift's compiler is imported before a test asks for it.
"""

# Note [A test begins anew]
# What a test counts must be the same alone, in any order and in any process. So a test that counts begins without
# entries of any jitted function, and nothing is taken from the disk but kernels. It begins behind the fixtures of a
# wider scope, which another test may have made already, and before its own. See `harness.fresh` for which tests count.

from __future__ import annotations

import functools
import inspect
import os
import shlex
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..core.config import config as settings
from ..core.records import dataclass
from .harness.current_test import RunningTest, running
from .harness.fresh import FIXTURES, ExpectationSearch
from .harness.markers import IN_FILE, LINE, SETTINGS, Limits, defaults, limits_of, wrong_markers

if TYPE_CHECKING:
    from .harness.observation import Observation
    from .ledger import Ledger

SECTION = "guardlift recompiles"

_seen = pytest.StashKey["Observation"]()
_begun = pytest.StashKey["BegunTest"]()
_defaults = pytest.StashKey[Mapping[str, Any]]()
_ledger = pytest.StashKey["Ledger"]()
_search = pytest.StashKey[ExpectationSearch]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares the options and the ini values."""
    group = parser.getgroup("guardlift", "guardlift: what tests compile")
    group.addoption("--guardlift-summary", action="store_true", help="list the tests that recompile most")
    group.addoption(
        "--guardlift-ledger",
        choices=("check", "update"),
        help="compare what each test compiles with the ledger, or write the ledger anew",
    )
    group.addoption(
        "--guardlift-record",
        metavar="FOLDER",
        help="record what tests compile, for guard-explain show, report and diff",
    )
    parser.addini("guardlift_ledger", "file of the ledger, relative to the root folder", default="guardlift-ledger.txt")
    for name in IN_FILE:
        parser.addini(f"guardlift_{name}", f"{name}= of every test that has no marker for it: {SETTINGS[name].takes}")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker; reads the ledger and collects counts when an option asks for it."""
    config.addinivalue_line("markers", LINE)
    config.stash[_defaults] = defaults(config)
    config.stash[_search] = ExpectationSearch()
    summary, ledger = config.getoption("guardlift_summary"), config.getoption("guardlift_ledger")
    if ledger:
        config.stash[_ledger] = _read_ledger(config, ledger == "check")
    folder = config.getoption("guardlift_record")
    if folder and not hasattr(config, "workerinput"):  # workers write too: their environment says where
        from .harness.recording import recorded_run

        stack = ExitStack()
        stack.enter_context(recorded_run(config.invocation_params.dir / folder))
        config.add_cleanup(stack.close)
    if summary or ledger:
        from .harness.collector import Collected, Collector

        collected = Collected(config)
        config.pluginmanager.register(collected, "guardlift-collected")
        if not hasattr(config, "workerinput"):
            collector = Collector(config, ledger_file(config), config.stash.get(_ledger, None), collected)
            config.pluginmanager.register(collector, "guardlift-collector")


def ledger_file(config: pytest.Config) -> Path:
    """The file of the ledger."""
    return config.rootpath / str(config.getini("guardlift_ledger"))


def _read_ledger(config: pytest.Config, check: bool) -> Ledger:
    """The ledger, once for all tests. Errors: a usage error when it cannot be read, compared or written."""
    from . import ledger

    file = ledger_file(config)
    if settings.disable:
        raise pytest.UsageError("--guardlift-ledger: guardlift is switched off (GUARDLIFT_DISABLE=1), nothing compiles")
    if check and not file.exists():
        raise pytest.UsageError(f"there is no ledger {file}; write one: pytest --guardlift-ledger=update")
    if not check and not os.access(file if file.exists() else file.parent, os.W_OK):
        raise pytest.UsageError(f"the ledger {file} cannot be written")
    try:
        return ledger.read(file)
    except ledger.LedgerError as error:
        raise pytest.UsageError(f"{error}; correct it, or delete the file and update the ledger") from None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, Any]:
    """Refuses markers that say what no marker says, each once, at its test's place."""
    report = yield
    found = [each for each in report.result or () if isinstance(each, pytest.Item)]
    wrong = {text: _place(item) for item in reversed(found) for text in wrong_markers(item)}
    if wrong:
        report.outcome = "failed"
        report.longrepr = "\n".join(f"{place}: {text}" for text, place in reversed(wrong.items()))
    return report


@dataclass
class BegunTest:
    """A test from its setup to its teardown: what it may do, how it begins, and what is undone behind it."""

    item: pytest.Item
    limits: Limits
    counts: bool
    running: RunningTest
    begun: bool = False

    def begin(self) -> None:
        """Forget what earlier tests have compiled, unless it keeps that, and put its settings into force.

        Fixtures of wider scope begin before these settings and end after them, whatever they patch themselves.
        """
        if self.begun:
            return
        self.begun = True
        stack = ExitStack()
        self.item.addfinalizer(stack.close)
        if self.running.fresh or self.counts:
            # Without entries of other processes; and also while coverage looks on.
            stack.enter_context(settings.patch(entry_cache=False, under_tracing="jit"))
        if self.running.fresh and "guardlift.frontend.dispatch.registry" in sys.modules:
            from .testing import forget

            forget()
        if self.limits.backend is not None:
            from .harness.backends import on_backend

            stack.enter_context(on_backend(self.limits.backend))
        self.running.began = time.monotonic()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Says what a test may do, and undoes behind it what it began with."""
    limits = limits_of(item, item.config.stash[_defaults])
    options = item.config.option
    counts = limits.counts or options.guardlift_summary or bool(options.guardlift_ledger)
    fresh = (
        None if limits.fresh is False else bool(limits.fresh or counts or limits.backend or _uses_expectations(item))
    )
    test = RunningTest(functools.partial(_command, item), fresh)
    with running(test):
        item.stash[_begun] = BegunTest(item, limits, counts, test)
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Lets a test that runs again begin anew."""
    item.stash[_begun].begun = False


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(request: pytest.FixtureRequest) -> None:
    """Begins a test with the first fixture of its own. See Note [A test begins anew]."""
    if request.scope == "function" and _begun in request.node.stash:
        request.node.stash[_begun].begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Records what the test compiles, and fails it when that is more than it may."""
    test = item.stash[_begun]
    test.begin()
    if not test.counts and _seen not in item.stash:
        return (yield) if test.running.fresh is False else (yield from _decorated(item))
    with _recorded(item) as seen:
        result = yield from _decorated(item)
    wrong = ""
    if test.limits.own:
        from .harness.expectation import skip_if_blind, why_vacuous

        skip_if_blind()
        wrong = _exceeded(test.limits, seen) or why_vacuous(seen)
    wrong = wrong or _exceeded(test.limits, seen) or _off_the_ledger(item, seen)
    if wrong:
        from .harness.failure_text import failure_text

        pytest.fail(failure_text(wrong, seen.log, _place(item)), pytrace=False)
    return result


def _decorated(item: pytest.Item) -> Generator[None, Any, Any]:
    """Runs the test. One that an expectation decorates has no frame in the traceback: the text alone is shown."""
    try:
        return (yield)
    except AssertionError as error:
        from .harness.expectation import DECORATED

        function, own = getattr(error, DECORATED, None), getattr(item, "function", None)
        if function is None or own is None or inspect.unwrap(function) is not inspect.unwrap(own):
            raise
        text = str(error)
    pytest.fail(text, pytrace=False)


class _recorded:
    """A context that records; what was found goes into the test's report, also when it fails."""

    def __init__(self, item: pytest.Item) -> None:
        self.item = item

    def __enter__(self) -> Observation:
        from .harness.observation import Observation

        self.own = _seen not in self.item.stash
        self.seen = Observation() if self.own else self.item.stash[_seen]  # the fixture's looks already
        if self.own:
            self.seen.open()
        return self.seen

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from .harness.collector import PROPERTY, Row

        if self.own:
            self.seen.close()
        log = self.seen.log
        self.item.user_properties.append((PROPERTY, Row.of(log).to_json()))
        if error is not None and (log.recompiles or log.over_limit or log.breaks):
            self.item.add_report_section("call", SECTION, log.explain())


@pytest.fixture
def compile_log(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The log of what the test compiles: `.compiles`, `.recompiles`, `.breaks`, `.reasons`, `.explain()`."""
    from .harness.observation import Observation

    seen = Observation()
    seen.open()
    request.node.stash[_seen] = seen
    try:
        yield seen.log
    finally:
        seen.close()
        del request.node.stash[_seen]


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a kernel cache that is empty, in memory too; jitted functions start without entries."""
    from . import testing

    folder = tmp_path / "guardlift-kernels"
    monkeypatch.setenv("GUARDLIFT_CACHE_DIR", str(folder))  # for processes that the test starts
    with testing.fresh_cache(folder):
        yield folder


def _uses_expectations(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", ())
    if not FIXTURES.isdisjoint(names):
        return True
    modules = [vars(item.module)] if hasattr(item, "module") else []
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    functions = [each.func for found in known.values() for each in found]
    modules += [each.__globals__ for each in functions if hasattr(each, "__globals__")]
    return item.config.stash[_search].uses(modules)


def _exceeded(limits: Limits, seen: Observation) -> str:
    from .harness.limits import breaks_beyond, guard_us_beyond, recompiles_beyond

    checks = {"max_recompiles": recompiles_beyond, "max_breaks": breaks_beyond, "max_guard_us": guard_us_beyond}
    found = []
    for name, check in checks.items():
        most = getattr(limits, name)
        if most is not None:
            found.append(check(seen, most, f"{name}={most} is allowed"))
    return "\n".join(filter(None, found))


def _off_the_ledger(item: pytest.Item, seen: Observation) -> str:
    if item.config.getoption("guardlift_ledger") != "check":
        return ""
    from .harness.collector import Row
    from .ledger import difference

    return difference(item.config.stash[_ledger].of(item.nodeid), Row.of(seen.log).counts)


def _place(item: pytest.Item) -> str:
    line = item.location[1]
    return f"{_path(item)}{'' if line is None else f':{line + 1}'}: {item.location[2]}"


def _path(item: pytest.Item) -> str:
    """The test's file, as one names it who has started the run."""
    return os.path.relpath(item.path, item.config.invocation_params.dir)


def _command(item: pytest.Item) -> str:
    quoted = shlex.quote(f"{_path(item)}::{item.nodeid.partition('::')[2]}")
    return f"guard-explain -m pytest {quoted if quoted.startswith(chr(39)) else repr(quoted)}"
