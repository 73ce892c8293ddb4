"""Locks that a forked process finds free, and that no exception leaves locked, wherever it arrives."""

# Note [Locks and asynchronous exceptions]
# The interpreter looks for signals when a function begins, when a call has come back, and when a loop goes round. A
# lock that is taken by a call, or by an `__enter__` in Python, may be taken when a handler raises, and nobody knows.
# `with` on a lock of the interpreter's own has no such place: between taking the lock and the body, and between
# the body and letting go, no instruction of Python runs. So locks are taken by `with` and in no other way, and what
# `with` calls is the interpreter's. All are re-entrant ones, which know who holds them.
#
# Since CPython 3.12 a comprehension with a condition is not to be written in such a body: the jump back from an element
# that is left out is covered by no handler, so that what is raised there goes past the end of the `with`. In a function
# of its own it does no harm.

from __future__ import annotations

import functools
import os
import threading
import weakref
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_all: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


class ForkSafeLock:
    """A lock, to be held by `with`; who holds it may take it again.

    In a forked process it is free, unless the thread that forked holds it: the others do not exist there.
    """

    __slots__ = ("__weakref__", "_enter", "_exit", "_real")

    if TYPE_CHECKING:

        def __enter__(self) -> None: ...
        def __exit__(self, *_error: object) -> None: ...

    else:
        __enter__, __exit__ = property(attrgetter("_enter")), property(attrgetter("_exit"))

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _all.add(self)

    @property
    def _lock(self) -> Any:
        """The lock of the interpreter's."""
        return self._real

    @_lock.setter
    def _lock(self, lock: Any) -> None:
        self._real = lock
        self._enter = getattr(lock, "__enter__", None) or functools.partial(_taken, lock)
        self._exit = getattr(lock, "__exit__", None) or functools.partial(_let_go, lock)

    def free_in_child(self) -> None:
        """Lets nobody hold it but the thread that is there."""
        if not self._real._is_owned():
            self._real._at_fork_reinit()


def _taken(lock: Any) -> None:
    """Nothing, once a lock that is none of the interpreter's is taken; it is not where that raises."""
    try:
        lock.acquire()
    except BaseException:
        _let_go(lock)
        raise


def _let_go(lock: Any, *_error: object) -> None:
    try:
        lock.release()
    except RuntimeError:  # it was not taken
        pass


class Attempt:
    """For a `with` that takes a lock only if that is free, or by waiting: what it gives says whether it has.

    lock: a re-entrant one. Where it was not taken the end of the `with` raises RuntimeError:

        taken = True
        try:
            with Attempt(lock, waits) as taken:
                if taken: ...
        except RuntimeError:
            if taken:
                raise
    """

    __slots__ = ("_enter", "_exit")

    if TYPE_CHECKING:

        def __enter__(self) -> bool: ...
        def __exit__(self, *_error: object) -> None: ...

    else:
        __enter__, __exit__ = property(attrgetter("_enter")), property(attrgetter("_exit"))

    def __init__(self, lock: Any, waits: bool = False) -> None:
        self._enter = functools.partial(lock.acquire, waits)
        self._exit = lock.__exit__


def _in_child() -> None:
    for lock in list(_all):
        lock.free_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
