"""Lines of the user's program, and text of the user's, as a report shows them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from ..escaping import escaped, shortened

SHOWN = 200
"""Characters of a text of the user's that are shown."""
LONG = 40
"""Characters from which on the path of a file outside of the current folder is cut to its last parts."""


def place_text(file: str, line: int) -> str:
    """A line of a file, named from the current folder where that is above it; ``In [3], line 4`` in a notebook."""
    cell = _cell(file)
    return f"{cell}, line {line}" if cell else f"{file_text(file)}:{line}"


def file_text(file: str) -> str:
    """The name of a file, from the current folder where that is above it."""
    here = os.path.join(_current_folder(), "")
    if here and file.startswith(here):
        return visible(file[len(here) :])
    parts = Path(file).parts
    if len(file) > LONG and len(parts) > 2:
        return visible(os.path.join("…", *parts[-2:]))
    return visible(file)


def visible(text: str) -> str:
    """The text in one line without control characters, and not longer than `SHOWN` characters."""
    return escaped(shortened(text, SHOWN))


def short_name(qualified: str) -> str:
    """The name of a function without the functions around it."""
    return visible(qualified.rpartition("<locals>.")[2])


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return ""


def _cell(file: str) -> str:
    """The cell of a notebook that IPython compiled under this name of a file; empty for any other file."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    if shell is None:
        return ""
    numbers: Any = getattr(getattr(shell(), "compile", None), "_filename_map", None)
    number = numbers.get(file) if isinstance(numbers, dict) else None
    return "" if number is None else f"In [{number}]"
