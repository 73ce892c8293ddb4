"""Communications of a plan that left the call to Python: they are not done a second time."""

# Note [Communications of a plan that gives up]
# A plan may find, after it has communicated, that Python has to run the call: an index is out of range, or NumPy would
# warn. The other processes know nothing of that, and go on. So the results of what the plan has communicated are kept
# for the plain run of that very call: as long as it asks for the same communications in the same order, it is given
# those. The call is known by its frame: what the plan of a call has left is of no use once the frame is gone.
#
# Where the plan of a backward pass gives up, the reference interpreter runs its graph from the beginning. That asks for
# the same communications in the same order, and is given those that the plan has begun.

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from ..core.package import PROBES, is_ours
from ..core.records import dataclass
from .backend import Array
from .work import Work


@dataclass(eq=False)
class Communicated:
    """A communication of a plan. result: the array that it fills."""

    description: str
    work: Work
    result: Array


class _Replay(threading.local):
    """The communications of this thread's plan so far, and those left to the interpreter or to a frame."""

    def __init__(self) -> None:
        self.noted: list[Communicated] = []
        self.begun: list[Communicated] = []
        self.left: list[Communicated] = []
        self.frame: types.FrameType | None = None


_STATE = _Replay()


def noted() -> list[Communicated]:
    """The communications of the plan that this thread runs."""
    return _STATE.noted


def begun() -> list[Communicated]:
    """The communications of a plan that has given up, which the interpreter has not come to."""
    return _STATE.begun


@contextmanager
def communicating() -> Iterator[Callable[[], None]]:
    """A context of the plan of a backward pass, with a function to say that the interpreter runs its graph anew."""
    before = _STATE.noted, _STATE.begun
    _STATE.noted, _STATE.begun = [], []

    def run_anew() -> None:
        _STATE.noted, _STATE.begun = [], _STATE.noted

    try:
        yield run_anew
    finally:
        _STATE.noted, _STATE.begun = before


class CommunicatingPlan:
    """A plan that communicates. See Note [Communications of a plan that gives up]."""

    def __init__(self, plan: Callable[..., Any]) -> None:
        self.plan = plan

    def __call__(self, *arguments: Any) -> Any:
        before, _STATE.noted = _STATE.noted, []
        result = ...
        try:
            result = self.plan(*arguments)
        finally:
            made, _STATE.noted = _STATE.noted, before
        if result is ... and made:
            _STATE.left, _STATE.frame = made, _frame_of_call()
        return result


def _frame_of_call() -> types.FrameType | None:
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and (is_ours(frame.f_globals) or frame.f_code in PROBES):
        frame = frame.f_back
    return frame


def repeated(description: str, result: Array, store: Callable[[], None]) -> Work | None:
    """The work that a plan has done for the call which runs now; None where there is none of this description."""
    if not _STATE.left:
        return None
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not _STATE.frame:
        frame = frame.f_back
    if frame is None or _STATE.left[0].description != description:
        _STATE.left, _STATE.frame = [], None
        return None
    known = _STATE.left.pop(0)
    if not _STATE.left:
        _STATE.frame = None
    return _Repeated(known, result, store)


class _Repeated(Work):
    """A communication that a plan has begun."""

    def __init__(self, known: Communicated, result: Array, store: Callable[[], None]) -> None:
        self._known = known

        def filled() -> None:
            result[...] = known.result
            store()

        super().__init__(known.description, filled, lambda seconds: None)

    def is_completed(self) -> bool:
        return self._known.work.is_completed()

    def exception(self) -> BaseException | None:
        return self._known.work.exception()

    def wait(self, timeout: timedelta | None = None) -> bool:
        self._known.work.wait(timeout)
        self.end()
        return super().wait()
