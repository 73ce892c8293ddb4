"""Locks that a forked process finds free."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

_all: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


class ForkSafeLock:
    """A lock, to be held by `with`. A forked process has it anew: the thread that held it may not exist there.

    make: gives the lock itself, `threading.Lock` or `threading.RLock`.
    """

    __slots__ = ("__weakref__", "_lock", "_make")

    def __init__(self, make: Callable[[], Any] = threading.Lock) -> None:
        self._make = make
        self._lock = make()
        _all.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_error: object) -> None:
        try:
            self._lock.release()
        except RuntimeError:  # the process was forked while this thread held it, and has another one now
            pass

    def renew(self) -> None:
        """Lets nobody hold it."""
        self._lock = self._make()


def _in_child() -> None:
    for lock in list(_all):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
