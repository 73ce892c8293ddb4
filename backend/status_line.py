"""The line on a terminal that says what is being compiled, once that takes long; it goes when the compile is done."""

# Note [No thread]
# The line is written by the thread that compiles, as it comes by: between phases, calls that a trace follows, and
# kernels. A single kernel that takes long is so told of after it. Outside of a compile nobody comes by.

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
        self.shown = ""

    def update(self, doing: str) -> None:
        """Has the line say this as well, if it is time for a line and standard error is a terminal."""
        if perf_counter() - self.began >= AFTER and _on_terminal():
            text = f"guardlift: compiling {self.about}, {doing} …"
            from shutil import get_terminal_size  # which most processes need not import

            text = text[: max(get_terminal_size().columns - 1, 20)]
            if text != self.shown:
                self.shown = text
                _write(_ERASE + text)

    def erase(self) -> None:
        """Takes the line away, if it is there."""
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
        yield
    finally:
        _present.line = None
        made.erase()


def doing(what: str) -> None:
    """Tells what this thread does now in the compile that goes on, if one does."""
    line = _present.line
    if line is not None:
        line.update(what)
