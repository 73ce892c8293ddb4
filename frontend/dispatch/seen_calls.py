"""Calls of jitted functions, seen while somebody wants to know of them: also those that an entry serves.

Code that has entries tells of the calls that none of them fits, and of no others. While a function is watched, its code
has one more block in front, which counts. Nothing else changes, and nothing is left of it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .state import FunctionState


@contextmanager
def seeing_calls(states: Iterable[FunctionState]) -> Iterator[None]:
    """A context in which `calls_seen` of these functions grows with every call, whichever thread makes it."""
    watched = list(states)
    for state in watched:
        _watch(state, 1)
    try:
        yield
    finally:
        for state in watched:
            _watch(state, -1)


def _watch(state: FunctionState, more: int) -> None:
    with state.lock:
        if state.recorded is not None:
            state.forget()  # its code is that of another process, and no entry of it has served a call yet
        state.watchers += more
        if state.watchers in (0, more):
            state.outdated = True
            state.refresh_code()
