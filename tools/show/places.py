"""Lines of the user's program, and text of the user's, as a report shows them."""

from __future__ import annotations

import os
from pathlib import Path

from ...core.user_line import cell_numbers, cells_named, line_text
from ..escaping import escaped, shortened

SHOWN = 200
"""Characters of a text of the user's that are shown."""
LONG = 40
"""Characters from which on the path of a file outside of the current folder is cut to its last parts."""


def place_text(file: str, line: int) -> str:
    """A line of a file, named from the current folder where that is above it; ``In [3], line 4`` in a notebook."""
    return line_text(file, line) if file in cell_numbers() else f"{file_text(file)}:{line}"


def file_text(file: str) -> str:
    """The name of a file, from the current folder where that is above it."""
    here = os.path.join(_current_folder(), "")
    if here and file.startswith(here):
        return visible(file[len(here) :])
    parts = Path(file).parts
    if len(file) > LONG and len(parts) > 2:
        return visible(os.path.join("…", *parts[-2:]))
    return visible(file)


def places_named(text: str) -> str:
    """The text of a report, with files named as `place_text` names those below the current folder, and cells."""
    here = os.path.join(_current_folder(), "")
    return cells_named(text.replace(here, "") if here else text)


def visible(text: str, *, longest: int = SHOWN) -> str:
    """The text in one line without control characters, and with no more characters than `longest`."""
    return escaped(shortened(text, longest))


def short_name(qualified: str) -> str:
    """The name of a function without the functions around it."""
    return visible(qualified.rpartition("<locals>.")[2])


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted
        return ""
