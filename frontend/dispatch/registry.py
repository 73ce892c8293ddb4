"""The functions that were jitted, found again by number while somebody holds them; and why some were left alone."""

from __future__ import annotations

import itertools
import os
import threading
import types
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from ...backend.platform_support import warn_unsupported, why_unsupported
from ...core.config import config
from ...guards.sources import STATE
from ..bytecode.code_flags import GENERATOR_FLAGS
from ..tracing.control import why_disabled
from .frame_introspection import frame_readers

if TYPE_CHECKING:
    from .state import FunctionState

_numbers = itertools.count(1)
_states: WeakValueDictionary[int, FunctionState] = WeakValueDictionary()
_left_alone: WeakKeyDictionary[types.FunctionType, str] = WeakKeyDictionary()
_lock = threading.Lock()


def register(state: FunctionState) -> int:
    """The number of a new state; no two of one process share it."""
    with _lock:
        number = next(_numbers)
        _states[number] = state
        return number


def state_numbered(number: int) -> FunctionState | None:
    """The state that got this number; None when its function is gone."""
    with _lock:
        return _states.get(number)


def live_states() -> list[FunctionState]:
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


def left_alone(function: types.FunctionType) -> str:
    """Why a function is never compiled, as words for a report; empty when it may be."""
    code = function.__code__
    if config.disable:
        return "guardlift was switched off when it was decorated (gl.config.disable, or GUARDLIFT_DISABLE=1)"
    reason = why_disabled(function)
    if reason is not None:
        return f"gl.disable leaves it to plain Python{reason and f' ({reason})'}"
    unsupported = why_unsupported()
    if unsupported:
        warn_unsupported()
        return unsupported
    if code.co_flags & GENERATOR_FLAGS:
        return "it is a generator or a coroutine; put @gl.jit on the functions that it calls"
    if code.co_argcount and code.co_varnames[0] == ".0":
        return "it is the inside of a comprehension"
    readers = frame_readers(code)
    advice = "put @gl.jit on a function that does the array work alone"
    return f"it uses {', '.join(readers)}, which may look at its frame; {advice}" if readers else ""


def state_of(function: Any) -> FunctionState | None:
    """The state of a jitted function; None for anything else."""
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or code is None or STATE not in code.co_freevars:
        return None
    try:
        pool = (function.__closure__ or ())[-1].cell_contents
    except (IndexError, ValueError):
        return None
    from .shared_state import SharedState
    from .state import FunctionState as StateClass

    handler = pool[1] if isinstance(pool, tuple) else None
    if isinstance(handler, SharedState):
        return handler.state
    return handler if isinstance(handler, StateClass) else None
