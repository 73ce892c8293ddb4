"""Which functions were jitted, found again by number while somebody holds them; and why some were left alone."""

from __future__ import annotations

import itertools
import os
import threading
import types
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakValueDictionary

if TYPE_CHECKING:
    from .state import State

_numbers = itertools.count(1)
_states: WeakValueDictionary[int, State] = WeakValueDictionary()
_left_alone: WeakKeyDictionary[types.FunctionType, str] = WeakKeyDictionary()
_lock = threading.Lock()


def register(state: State) -> int:
    """The number of a new state; no two of one process share it."""
    with _lock:
        number = next(_numbers)
        _states[number] = state
        return number


def state_numbered(number: int) -> State | None:
    """The state that got this number; None when its function is gone."""
    with _lock:
        return _states.get(number)


def live_states() -> list[State]:
    """The states of all jitted functions that still exist, the oldest first."""
    with _lock:
        return [state for _, state in sorted(_states.items())]


def _in_child() -> None:
    """Frees the locks that other threads held when the process was forked: those threads do not exist in the child."""
    global _lock
    _lock = threading.Lock()
    for state in live_states():
        state.lock, state.busy = threading.RLock(), False
        state.entering = {key for key in state.entering if key[0] == threading.get_ident()}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def leave_alone(function: types.FunctionType, why: str) -> None:
    """Remember why `jit` gave this function back as plain Python."""
    with _lock:
        _left_alone[function] = why


def why_left_alone(function: object) -> str:
    """Why `jit` gave this function back as plain Python; empty for any other function."""
    with _lock:
        return _left_alone.get(function, "") if isinstance(function, types.FunctionType) else ""


def functions_left_alone() -> list[tuple[types.FunctionType, str]]:
    """Every function that `jit` gave back as plain Python and that still exists, with the reason."""
    with _lock:
        return list(_left_alone.items())
