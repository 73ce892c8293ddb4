"""A communication that may still be going on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from .errors import DistTimeoutError


class Work:
    """A communication that was started with `async_op=True`. What it writes is there after `wait`, and not before."""

    def __init__(self, description: str, store: Callable[[], None], add_waited: Callable[[float], None]) -> None:
        self.description = description
        self._add_waited = add_waited
        self._store: Callable[[], None] | None = store
        self._ended = threading.Event()
        self._error: BaseException | None = None

    def end(self, error: BaseException | None = None) -> None:
        """Says that the communication is over: done, or failed with an error."""
        self._error = error
        self._ended.set()

    def is_completed(self) -> bool:
        """Whether `wait` would return, or raise, at once."""
        return self._ended.is_set()

    def exception(self) -> BaseException | None:
        """The error that the communication has failed with."""
        return self._error

    def wait(self, timeout: timedelta | None = None) -> bool:
        """True, once the result is in its place.

        Errors: that of the communication; DistTimeoutError where it takes longer than `timeout` (the group has a time
            limit of its own).
        """
        start = time.perf_counter()
        ended = self._ended.wait(None if timeout is None else timeout.total_seconds())
        self._add_waited(time.perf_counter() - start)
        if not ended:
            raise DistTimeoutError(f"{self.description} is not done after {timeout}")
        if self._error is not None:
            raise self._error
        if self._store is not None:
            store, self._store = self._store, None
            store()
        return True

    def result(self) -> Any:
        """None: results are written in place."""
        self.wait()
