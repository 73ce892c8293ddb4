"""The surroundings of every test: its own kernel cache, one Hypothesis profile, and this checkout."""

from __future__ import annotations

import gc
import os
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np  # before pytest comes to the folder tests/numpy, and takes its name for a package
import pytest
from hypothesis import HealthCheck, settings

import guardlift
from guardlift.core.config import config as settings_in_force

TESTS = Path(__file__).resolve().parent

# `python -m pytest` puts the root on the path, whose folders (graph/, tools/) bear the names of folders of tests.
sys.path[:] = [entry for entry in sys.path if Path(entry or os.curdir).resolve() != TESTS.parent]

# Timing a shared machine tells nothing, so no deadline. The quick profile draws the same examples in every run, so that
# a change is judged by what it changed; "fresh", of `make fuzz`, and "deep", for a night's run, draw new ones.
QUICK = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", QUICK)
settings.register_profile("fresh", QUICK, derandomize=False)
settings.register_profile("deep", QUICK, derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


WHERE = f"{sys.version_info.minor} {np.__version__.split('.')[:2]} {os.environ.get('GUARDLIFT_TEST_DRAW')}"
"""The interpreter, the release of NumPy, and what GUARDLIFT_TEST_DRAW says: others draw other cases."""
RUNS_APART = frozenset({"slow", "long"})


def pytest_addoption(parser: pytest.Parser) -> None:
    said = "run at most N cases of each test function, drawn by their names; without it all cases run"
    parser.addoption("--cases", type=int, metavar="N", help=said)


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Leaves out what `--cases` says, once all parameters are known and before anything is made for a case.

    A case that is added takes the place of one that ran, or of none, and tests that have the same cases (every op, say)
    draw different ones. So do interpreters and releases of NumPy. Cases that run apart are drawn apart.
    """
    most = metafunc.config.getoption("--cases")
    if most is None or metafunc.definition.get_closest_marker("every_case"):
        return
    by_run: dict[frozenset[str], list[Any]] = defaultdict(list)
    for case in metafunc._calls:
        by_run[RUNS_APART.intersection(mark.name for mark in case.marks)].append(case)
    drawn = {case.id for cases in by_run.values() for case in draw(cases, most, metafunc.definition.nodeid)}
    metafunc._calls = [case for case in metafunc._calls if case.id in drawn]


def draw(cases: Iterable[Any], most: int, test: str) -> list[Any]:
    """As many of the cases as may run, by a hash of their names and of where they run."""
    return sorted(cases, key=lambda case: zlib.crc32(f"{WHERE} {test}[{case.id}]".encode()))[:most]


def pytest_configure(config: pytest.Config) -> None:
    """Refuses a run whose settings are not tests/pytest.ini, and one of another checkout's guardlift."""
    if config.rootpath != TESTS:
        raise pytest.UsageError(f"run the tests as `pytest tests`; the root folder of this run is {config.rootpath}")
    found = Path(str(guardlift.__file__)).resolve().parent
    if found != TESTS.parent:
        remedy = "install this checkout: pip install -e '.[demo,test]'"
        raise pytest.UsageError(f"guardlift is imported from {found}, not from {TESTS.parent}; {remedy}")


def pytest_sessionstart() -> None:
    """Looks for no garbage while the tests are imported and collected, which live as long as the run."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Freezes what is imported and collected: no search for garbage looks at it."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A kernel cache, empty at first and shared by this run's processes: no kernel of older code can answer.

    GUARDLIFT_TEST_KERNELS names a folder that runs on several interpreters share: native code is the same on them all.
    """
    base = tmp_path_factory.getbasetemp()
    # Under xdist each worker has a folder of its own below the one of the run.
    own = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kernels"
    folder = os.environ.get("GUARDLIFT_TEST_KERNELS") or own
    with pytest.MonkeyPatch.context() as patch, settings_in_force.patch(cache_dir=str(folder)):
        patch.setenv("GUARDLIFT_CACHE_DIR", str(folder))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_entries_from_disk() -> Iterator[None]:
    """Each function is traced, whatever ran before: tests of entries on disk say so."""
    with pytest.MonkeyPatch.context() as patch, settings_in_force.patch(entry_cache=False):
        patch.setenv("GUARDLIFT_ENTRY_CACHE", "0")
        yield


@pytest.fixture(scope="session", autouse=True)
def checked_assumptions() -> Iterator[None]:
    """Entries ask at every call whether what they assume holds: a write that nobody is told of is found at once."""
    with pytest.MonkeyPatch.context() as patch, settings_in_force.patch(check_assumptions=True):
        patch.setenv("GUARDLIFT_CHECK_ASSUMPTIONS", "1")
        yield


@pytest.fixture
def log_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs go where they go in a program that handles none: pytest itself does, at the root."""
    from guardlift.frontend.dispatch import log_stream

    monkeypatch.setattr(log_stream, "handled_elsewhere", lambda name: False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints what tests recorded with `record_property`: each "table", and the sums of the "counts" of one test."""
    totals: dict[str, Counter[str]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in report.user_properties:
            if name == "table":
                terminalreporter.write_sep("-", report.nodeid)
                terminalreporter.write_line(text)
            elif name == "counts":
                totals.setdefault(report.nodeid.partition("[")[0], Counter()).update(text)
    for test, counts in totals.items():
        terminalreporter.write_line(f"{test}: " + ", ".join(f"{value} {name}" for name, value in counts.items()))
