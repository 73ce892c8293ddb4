"""The test that pytest runs at present, as far as an expectation in it has to know. Imports nothing of the compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...core.records import dataclass


@dataclass
class RunningTest:
    """A test that runs with the plugin.

    command: gives what runs it again, and explains it.   fresh: whether jitted functions had no entries when it began;
    None where the test was told to begin with those of the tests before.   began: when its own part began, on the
    monotonic clock.
    """

    command: Callable[[], str]
    fresh: bool | None
    began: float = 0.0


_running: list[RunningTest] = []


@contextmanager
def running(test: RunningTest) -> Iterator[None]:
    """A context in which this is the test that runs. A test of a plugin runs others inside it."""
    _running.append(test)
    try:
        yield
    finally:
        _running.remove(test)


def running_test() -> RunningTest | None:
    """The test that runs at present, with the plugin; None outside of one."""
    return _running[-1] if _running else None
