"""Lines of the cells of a notebook: IPython compiles each cell under the name of a file that nobody ever sees."""

from __future__ import annotations

import re
import sys
from typing import Any


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
