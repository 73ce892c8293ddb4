"""Programs with data sets, samplers and loaders that leave what they leave in PyTorch, run plainly and jitted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

import guardlift as gl


def programs() -> Iterator[tuple[str, str]]:
    """The programs of the table with what they leave in `r`."""
    text = Path(__file__).with_name("data_like_pytorch.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n")[1:]:
        program, _, printed = block.rstrip("\n").partition("\n=>\n")
        yield program, "\n".join(line.removeprefix("    ") for line in printed.split("\n"))


def agree(found: object, expected: str) -> bool:
    """Whether a result is written so, or an exception is one of that type."""
    if isinstance(found, Exception):
        return expected in [f"!! {each.__name__}" for each in type(found).__mro__]
    return repr(found) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize(("program", "expected"), list(programs()), ids=str)
def test_a_program_leaves_what_it_leaves_in_pytorch(program: str, expected: str, jitted: bool) -> None:
    namespace: dict[str, object] = {"gl": gl}
    exec(compile(f"def run():\n    r = None\n{indent(program, '    ')}\n    return r", "<program>", "exec"), namespace)
    run = gl.jit(namespace["run"]) if jitted else namespace["run"]
    try:
        found = run()  # type: ignore[operator]
    except Exception as error:
        found = error
    assert agree(found, expected), found
