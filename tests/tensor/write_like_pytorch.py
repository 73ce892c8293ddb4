"""Writes what PyTorch gives for the programs of a table behind them: `python tests/tensor/write_like_pytorch.py TABLE`.

To be run under PyTorch 2.13 (CPU), which nothing else here needs. A program uses the name `gl` for it.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any


def left_by(program: str, library: Any) -> str:
    """The text of what the program leaves in `r`, with the name of the library replaced by ours."""
    namespace: dict[str, Any] = {"gl": library}
    try:
        exec(program, namespace)
        return repr(namespace.get("r")).replace("torch.", "gl.")
    except Exception as error:
        return f"!! {type(error).__name__}"


def written(table: str, library: Any) -> str:
    """The table with every program followed by => and what it leaves."""
    head, *blocks = table.rstrip("\n").split("\n\n")
    programs = [block.partition("\n=>")[0].strip("\n") for block in blocks]
    answers = [left_by(each, library).replace("\n", "\n    ") for each in programs]
    return "\n\n".join([head, *(f"{each}\n=>\n    {answer}" for each, answer in zip(programs, answers))]) + "\n"


if __name__ == "__main__":
    import torch  # type: ignore[import-not-found]

    warnings.simplefilter("ignore")
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(written(path.read_text(), torch))
