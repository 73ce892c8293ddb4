"""A plugin of pytest that writes down the outcome of each test at once, and ends a process that is of no more use.

That is one whose test takes too long, since nothing else ends a wait for the driver, and one whose context is lost: all
that it has left to do would fail. Variables: GPU_OUTCOMES, a file to which a line of JSON is added for each event, its
kind, its test and a text; GPU_KNOWN, a file with the names of tests that are left out; GPU_TEST_SECONDS, of one test.
"""

from __future__ import annotations

import faulthandler
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LOST = 70
"""The exit status of a process that has lost its context."""
OUTCOMES = Path(os.environ["GPU_OUTCOMES"])
STACKS = OUTCOMES.with_suffix(".stacks.log").open("a")
"""The file of what threads did when their time was over: standard error is pytest's."""


def note(kind: str, test: str, text: str = "") -> None:
    """Adds a line, which is one write: several processes add to one file."""
    with OUTCOMES.open("a") as file:
        file.write(json.dumps([kind, test, text]) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out what is known."""
    known = set(Path(os.environ["GPU_KNOWN"]).read_text().splitlines())
    items[:] = [item for item in items if item.nodeid not in known]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tells that a test begins, and limits its time."""
    note("begun", item.nodeid)
    faulthandler.dump_traceback_later(float(os.environ["GPU_TEST_SECONDS"]), exit=True, file=STACKS)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Tells the outcome; a lost context ends the process."""
    report: Any = yield
    error = call.excinfo.value if call.excinfo is not None else None
    if any(kind.__name__ == "DeviceLostError" for kind in type(error).__mro__):
        note("lost", item.nodeid, str(error))
        os._exit(LOST)
    if report.failed:
        note("failed", item.nodeid, f"{type(error).__name__}: {error}")
    elif report.skipped:
        note("skipped", item.nodeid)
    elif report.when == "teardown":
        note("passed", item.nodeid)
    return report  # type: ignore[no-any-return]
