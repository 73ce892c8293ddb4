"""The line on a terminal that says what is being compiled, once that takes long; it goes when the compile is done."""

# Note [Who writes the line]
# The thread that compiles writes it as it comes by: between phases, calls that a trace follows, and kernels. It does
# not come by while a single kernel takes long, or a long trace without calls; so on a terminal a timer writes the line
# once, when it is time for it. Where standard error is no terminal there is no timer, and no thread is made.

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from ..core.config import config

AFTER = 0.5
"""Seconds that a compile takes before there is a line."""
_ERASE = "\r\x1b[2K"


class StatusLine:
    """One compile's line. about: what is compiled, for users."""

    def __init__(self, about: str) -> None:
        self.about = about
        self.began = perf_counter()
        self.doing = "tracing"
        self.shown = ""
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._ended = False

    def begin(self) -> None:
        """Has the line appear in time also when the thread that compiles does not come by."""
        if not _on_terminal():
            return
        timer = threading.Timer(AFTER, self._show)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:  # the interpreter ends, or there may be no more threads
            return
        self._timer = timer

    def update(self, doing: str) -> None:
        """Has the line say this as well, if it is time for a line and standard error is a terminal."""
        self.doing = doing
        if perf_counter() - self.began >= AFTER and _on_terminal():
            self._show()

    def _show(self) -> None:
        from shutil import get_terminal_size  # which most processes need not import

        with self._lock:
            text = f"guardlift: compiling {self.about}, {self.doing} …"[: max(get_terminal_size().columns - 1, 20)]
            if text != self.shown and not self._ended:
                self.shown = text
                _write(_ERASE + text)

    def erase(self) -> None:
        """Takes the line away, if it is there, for good."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._ended = True
            if self.shown:
                self.shown = ""
                _write(_ERASE)


class _Present(threading.local):
    line: StatusLine | None = None


_present = _Present()


def _on_terminal() -> bool:
    """Whether standard error is a terminal on which a line can be taken back."""
    try:
        return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # a terminal that went away, or cannot show it
        pass


@contextmanager
def compiling(name: str, file: str, line: int) -> Iterator[None]:
    """A context in which the function of this name and place is compiled, by this thread."""
    outer = _present.line
    if outer is not None or not config.status_line:
        yield
        return
    _present.line = made = StatusLine(f"{name} ({os.path.basename(file)}:{line})")
    try:
        made.begin()
        yield
    finally:
        _present.line = None
        made.erase()


def doing(what: str) -> None:
    """Tells what this thread does now in the compile that goes on, if one does."""
    line = _present.line
    if line is not None:
        line.update(what)
