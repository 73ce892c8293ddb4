"""The team of threads that large kernels are shared out to. What they do is native code: see `runner.team`.

Plans read from the team's words how many threads there are, so another number holds from the next kernel on. Helpers
are started when the first plan comes that has something to share, if there is more than one thread; they never end.
They run no Python, take no signals, and are not in `threading.enumerate()`.

A forked process has the words, but none of the helpers: it computes alone, until it says how many threads it wants.
"""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from functools import cache

import numpy as np

from ....core.config import config
from ....core.locks import ForkSafeLock
from ....core.once import once
from ....core.threads import default_threads
from ..compiler.fixed_programs import SERVE, obtain_program
from ..plan import table_layout as at


def words_address() -> int:
    """Address of the team's words, for the table of a plan with steps that are shared out."""
    _follow_the_setting()
    return int(_words[at.TEAM_SELF])


def threads() -> int:
    """The number of threads that run a step that is shared out: as many as are asked for, or as the system gave."""
    return int(_words[at.TEAM_THREADS]) if _follows else _asked_for()


def _asked_for() -> int:
    """1 where the C library has no semaphores like those of Linux."""
    return (config.num_threads or default_threads()) if sys.platform == "linux" else 1


@once
def _follow_the_setting() -> None:
    global _follows
    _follows = True
    config.follow("num_threads", lambda _: _gather())


def _gather() -> None:
    """Lets as many threads as the setting says run what is shared out from now on; a warning if there are fewer."""
    global _gathering, _helpers
    why = asked = found = 0
    with _lock:
        if _gathering:
            return  # this is a signal's handler, in the middle of the loop below, which goes by what is asked for then
        while asked != _asked_for():
            _gathering, asked, why = True, _asked_for(), 0
            try:
                while _helpers < asked - 1 and not why:
                    why = _start_helper()
                    _helpers += not why
                found = _words[at.TEAM_THREADS] = min(asked, _helpers + 1)
            finally:
                _gathering = False
    if why:
        text = f"{found} threads run large kernels; the system gives no more: {os.strerror(why)}"
        remedy = f"gl.set_num_threads({found}) asks for no more than there are"
        warnings.warn(f"{text}. {remedy}", RuntimeWarning, stacklevel=2)


def _start_helper() -> int:
    """0, or the number of the system's error."""
    thread = ctypes.c_ulong()
    code = int(_c().pthread_create(ctypes.byref(thread), None, ctypes.c_void_p(_life()), _place(at.TEAM_SELF)))
    if not code:
        _c().pthread_detach(thread)
    return code


@cache
def _c() -> ctypes.CDLL:
    return ctypes.CDLL(None)


@cache
def _life() -> int:
    """Address of what a helper runs."""
    return obtain_program(SERVE).address


def _place(word: int) -> ctypes.c_void_p:
    return ctypes.c_void_p(int(_words[at.TEAM_SELF]) + 8 * word)


def _begin() -> None:
    """A team of nobody but who calls: there is no job, no helper is inside or asleep, or being started."""
    global _gathering, _helpers
    _gathering, _helpers = False, 0
    _words[:] = 0
    _words[at.TEAM_SELF] = _words.__array_interface__["data"][0]
    _words[at.TEAM_THREADS] = 1
    if sys.platform == "linux":
        _c().sem_init(_place(at.TEAM_SEMAPHORE), 0, 0)


def _in_child() -> None:
    _begin()
    config.num_threads = 1


_lock = ForkSafeLock()
_words = np.zeros(at.TEAM_WORDS, np.int64)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_words))  # helpers read it until the process ends, after this module
_helpers = 0
_follows = _gathering = False
_begin()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
