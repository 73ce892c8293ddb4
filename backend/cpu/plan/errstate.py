"""NumPy's floating-point error state, as words that native code looks at."""

# Note [Quiet error states]
# NumPy makes a new object of its error state each time a `with np.errstate(...)` is entered. Compiled code warns of
# nothing and runs under any state that only ignores and warns; so native code reads the mask in the object, three bits
# for each kind of error. It does so where a look at some objects, when this module is imported, finds the masks that
# `np.geterr` tells of; elsewhere an object is accepted by itself, once the miss handler has asked.

from __future__ import annotations

import ctypes
from contextvars import Context
from threading import Lock
from typing import Any

import numpy as np
from numpy._core.umath import _extobj_contextvar

from .table_layout import CAPSULE_POINTER, STATE_BITS, STATE_OBJECT, STATE_TYPE

_OBSERVABLE = frozenset({"raise", "call", "log", "print"})
_OBSERVABLE_BITS = 0o6666
"""Bits of a mask that are clear for 0, to ignore, and 1, to warn, of each kind of error, and set for all else."""
_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_KINDS = ("divide", "over", "under", "invalid")

variable = _extobj_contextvar
"""NumPy's context variable; its value is an opaque object, a new one for each change of the state."""


def accept_current() -> bool:
    """Whether compiled code may run under the current state; if so, calls under it are let through from now on.

    A state that raises, calls, logs or prints is for plain NumPy to honour.
    """
    if not _OBSERVABLE.isdisjoint(np.geterr().values()):
        return False
    _accept(variable.get())
    return True


def accepts_current() -> bool:
    """Whether calls under the current state are let through as it is."""
    state = variable.get()
    return state is _held[-1] or bool(_words[STATE_BITS]) and not _mask(state) & _OBSERVABLE_BITS


def accepted_words() -> int:
    """Address of the words that native code looks at: see `table_layout`."""
    return int(_words.__array_interface__["data"][0])


def _accept(state: Any) -> None:
    # The word never names a dead object: the new one is held before the word names it, the old one dropped after.
    with _lock:
        _held.append(state)
        _words[STATE_OBJECT] = id(state)
        del _held[:-1]


def _mask(state: Any) -> int:
    """The mask of an error state, read as native code reads it."""
    place = ctypes.c_int64.from_address(id(state) + 8 * CAPSULE_POINTER).value
    return ctypes.c_int32.from_address(place).value


def _is_readable() -> bool:
    """Whether masks lie where they are looked for, for each mode of each kind of error."""
    if type(variable.get()).__name__ != "PyCapsule":
        return False
    for shift, kind in enumerate(_KINDS):
        for number, mode in enumerate(_MODES):
            with np.errstate(all="ignore"), np.errstate(**{kind: mode}):  # type: ignore[arg-type]
                if _mask(variable.get()) != number << 3 * shift:
                    return False
    return True


_lock = Lock()
_held: list[Any] = []
_words = np.zeros(3, dtype=np.int64)
_accept(Context().run(variable.get))  # an empty context has the default state
_words[STATE_TYPE] = id(type(_held[-1]))
_words[STATE_BITS] = _OBSERVABLE_BITS if _is_readable() else 0
