"""The threads that belong to an expectation: the one that made it, and those that they start while it is open."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_open: list[ThreadFamily] = []
_lock = threading.Lock()
_start: Any = threading.Thread.start


class ThreadFamily:
    """Threads: that in which it is made, and all that one of them starts while it is open."""

    def __init__(self) -> None:
        self._threads = weakref.WeakSet([threading.current_thread()])

    def __contains__(self, thread: threading.Thread) -> bool:
        with _lock:
            return thread in self._threads

    @contextmanager
    def open(self) -> Iterator[None]:
        """A context in which it grows. Python does not say which thread has started another, so `start` notes it."""
        with _lock:
            _open.append(self)
            if len(_open) == 1:
                _follow(True)
        try:
            yield
        finally:
            with _lock:
                _open.remove(self)
                if not _open:
                    _follow(False)

    def _started(self, parent: threading.Thread, child: threading.Thread) -> None:
        if parent in self._threads:
            self._threads.add(child)


def _follow(following: bool) -> None:
    global _start
    if following:
        _start = threading.Thread.start
        threading.Thread.start = _noted  # type: ignore[method-assign, assignment]
    elif threading.Thread.start is _noted:  # unless somebody else has replaced it since, and calls it
        threading.Thread.start = _start  # type: ignore[method-assign]


def _noted(thread: threading.Thread, *args: Any, **kwargs: Any) -> None:
    parent = threading.current_thread()
    with _lock:
        for family in _open:
            family._started(parent, thread)
    _start(thread, *args, **kwargs)
