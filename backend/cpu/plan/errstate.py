"""NumPy's floating-point error state, as one word that native code compares."""

from __future__ import annotations

from contextvars import Context
from threading import Lock
from typing import Any

import numpy as np
from numpy._core.umath import _extobj_contextvar

_OBSERVABLE = frozenset({"raise", "call", "log", "print"})

variable = _extobj_contextvar
"""NumPy's context variable; its value is an opaque object, a new one for each change of the state."""


def accept_current() -> bool:
    """Whether compiled code may run under the current state; if so, calls under it are let through from now on.

    A state that raises, calls, logs or prints is for plain NumPy to honour. One state is accepted at a time.
    """
    if not _OBSERVABLE.isdisjoint(np.geterr().values()):
        return False
    _accept(variable.get())
    return True


def accepted_word() -> int:
    """Address of the word that holds the address of the accepted state object."""
    return int(_word.__array_interface__["data"][0])


def _accept(state: Any) -> None:
    # The word never names a dead object: the new one is held before the word names it, the old one dropped after.
    with _lock:
        _held.append(state)
        _word[0] = id(state)
        del _held[:-1]


_lock = Lock()
_held: list[Any] = []
_word = np.zeros(1, dtype=np.int64)
_accept(Context().run(variable.get))  # an empty context has the default state


def accepted() -> Any:
    """The state object that is accepted now."""
    return _held[-1]
