"""Where the user's code is: the innermost line outside of this package."""

from __future__ import annotations

import linecache
import sys
from types import FrameType

from .package import is_ours


def user_frame() -> tuple[FrameType | None, FrameType | None]:
    """The innermost frame of the user's, and the frame of ours that it called; None for each that there is not."""
    entered: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_ours(frame.f_globals):
        entered = frame
        frame = frame.f_back
    return frame, entered


def user_line() -> tuple[str, int]:
    """File and number of the user's line."""
    frame, _ = user_frame()
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)


def described(file: str, line: int) -> str:
    """``file:line`` with the text of the line, where that can be read."""
    text = linecache.getline(file, line).strip()
    return f"{file}:{line}: {text}" if text else f"{file}:{line}"
