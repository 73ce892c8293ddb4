"""The line of the user's code: the innermost one outside of this package."""

from __future__ import annotations

import linecache
import sys
from types import FrameType
from typing import NamedTuple

from .package import is_ours


class UserLine(NamedTuple):
    """A line of the user's code."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def user_frame(start: FrameType | None = None) -> tuple[FrameType | None, FrameType | None]:
    """The innermost frame of the user's, and the frame of ours that it called; None for each that there is not.

    start: where to begin to look, by default at the caller.
    """
    entered: FrameType | None = None
    frame: FrameType | None = start or sys._getframe(1)
    while frame is not None and is_ours(frame.f_globals):
        entered = frame
        frame = frame.f_back
    return frame, entered


def line_of(frame: FrameType | None) -> UserLine:
    """The line that `frame` is at; an empty one for None."""
    return UserLine("", 0) if frame is None else UserLine(frame.f_code.co_filename, frame.f_lineno)


def user_line() -> UserLine:
    """The user's line; an empty one where all code is ours."""
    return line_of(user_frame()[0])


def described(file: str, line: int) -> str:
    """``file:line`` with the text of the line, where that can be read."""
    text = linecache.getline(file, line).strip()
    return f"{file}:{line}: {text}" if text else f"{file}:{line}"
