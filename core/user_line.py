"""The line of the user's code, the innermost one outside of this package, and how lines are named."""

from __future__ import annotations

import linecache
import os
import re
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

from .package import is_ours

CALLERS_SHOWN = 5
"""The most lines of the user's that are told of one call."""

_STANDARD_LIBRARY = os.path.join(os.path.dirname(os.__file__), "")
_INSTALLED = ("site-packages", "dist-packages")
"""The folders that packages are installed into."""


class UserLine(NamedTuple):
    """A line of the user's code."""

    file: str
    line: int

    def __str__(self) -> str:
        return line_text(self.file, self.line)


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


def stacklevel() -> int:
    """The `stacklevel` of a warning by the caller that is to name the innermost line of the user's."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_globals):
        depth, frame = depth + 1, frame.f_back
    return depth


def line_of(frame: FrameType | None) -> UserLine:
    """The line that `frame` is at; an empty one for None."""
    return UserLine("", 0) if frame is None else UserLine(frame.f_code.co_filename, frame.f_lineno)


def user_line() -> UserLine:
    """The user's line; an empty one where all code is ours."""
    return line_of(user_frame()[0])


def is_users_file(file: str) -> bool:
    """Whether code of this file is the user's own: a cell of a notebook and text given to `exec` are."""
    if file.startswith(("<frozen ", _STANDARD_LIBRARY)):
        return False
    return not any(f"{os.sep}{folder}{os.sep}" in file for folder in _INSTALLED)


def calling_lines(frame: FrameType | None, own: CodeType) -> tuple[tuple[str, int, str], ...]:
    """The user's lines that made a call, innermost first: file, line, text of the line.

    frame: where to begin to look.   own: the original code of the function that was called, whose own frame is no
    caller: it runs other code under the same name.   What lies between, such as a library that called the function, is
    left out; the lines end at the first frame above them that is not the user's.
    """
    found: list[tuple[str, int, str]] = []
    entered = False
    while frame is not None and len(found) < CALLERS_SHOWN:
        code = frame.f_code
        if not entered and not found and _stands_for(code, own):
            entered = True
        elif not is_ours(frame.f_globals) and is_users_file(code.co_filename):
            found.append(
                (code.co_filename, frame.f_lineno, linecache.getline(code.co_filename, frame.f_lineno).strip())
            )
        elif found:
            break
        frame = frame.f_back
    return tuple(found)


def _stands_for(code: CodeType, own: CodeType) -> bool:
    """Whether code was made for the function of the code `own`."""
    place = (code.co_qualname, code.co_firstlineno, code.co_filename)
    return code is not own and place == (own.co_qualname, own.co_firstlineno, own.co_filename)


def described(file: str, line: int) -> str:
    """The place, as `line_text` names it, with the text of the line, where that can be read."""
    text = linecache.getline(file, line).strip()
    return f"{line_text(file, line)}: {text}" if text else line_text(file, line)


# Note [Cells of a notebook]
# IPython compiles each cell under the name of a file that nobody ever sees, and keeps the cell's number by that name.


def line_text(file: str, line: int) -> str:
    """``file:line``; ``In [3], line 4`` for a line of a cell."""
    number = cell_numbers().get(file)
    return f"{file}:{line}" if number is None else f"In [{number}], line {line}"


def cells_named(text: str) -> str:
    """The text, with each ``file:line`` in a cell written as `line_text` writes it."""
    for file, number in cell_numbers().items():
        if file in text:
            text = re.sub(re.escape(file) + r":(\d+)", rf"In [{number}], line \1", text)
    return text


def cell_numbers() -> dict[str, int]:
    """The numbers of the cells of a notebook, by the names of files under which IPython compiled them."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    numbers: Any = getattr(getattr(shell(), "compile", None), "_filename_map", None) if shell is not None else None
    return numbers if isinstance(numbers, dict) else {}
