"""Programs with modules and optimizers that leave what they leave in PyTorch, run plainly and jitted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

import guardlift as gl

TABLES = [each.stem.removesuffix("_like_pytorch") for each in sorted(Path(__file__).parent.glob("*_like_pytorch.txt"))]


def programs() -> Iterator[tuple[str, str]]:
    """The programs of the tables with what they leave in `r`."""
    texts = [Path(__file__).with_name(f"{each}_like_pytorch.txt").read_text() for each in TABLES]
    for block in (block for text in texts for block in text.split("\n\n")[1:]):
        program, _, printed = block.rstrip("\n").partition("\n=>\n")
        yield program, "\n".join(line.removeprefix("    ") for line in printed.split("\n"))


def agree(found: object, expected: str) -> bool:
    """Whether a result is written so, or an exception is one of that type."""
    if isinstance(found, Exception):
        return expected in [f"!! {each.__name__}" for each in type(found).__mro__]
    return repr(found) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("jitted", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("program", "expected"), list(programs()), ids=str)
def test_a_program_leaves_what_it_leaves_in_pytorch(program: str, expected: str, jitted: bool) -> None:
    namespace: dict[str, object] = {"gl": gl}
    exec(compile(f"def run():\n    r = None\n{indent(program, '    ')}\n    return r", "<program>", "exec"), namespace)
    run = gl.jit(namespace["run"]) if jitted else namespace["run"]
    for _ in range(2 if jitted else 1):
        try:
            found = run()  # type: ignore[operator]
        except Exception as error:
            found = error
        assert agree(found, expected), found
