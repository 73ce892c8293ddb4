"""Expressions that give what PyTorch gives: values, dtypes, shapes, printing, and the types of exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import guardlift as gl

TABLE = Path(__file__).with_name("like_pytorch.txt")


def cases() -> Iterator[tuple[str, str]]:
    """The expressions of the table with what they print."""
    for block in TABLE.read_text().split("\n\n")[1:]:
        expression, *lines = block.rstrip("\n").split("\n")
        yield expression, "\n".join(line.removeprefix("    ") for line in lines)


@pytest.mark.parametrize(("expression", "expected"), list(cases()), ids=[expression for expression, _ in cases()])
def test_an_expression_prints_what_it_prints_in_pytorch(expression: str, expected: str) -> None:
    try:
        found = repr(eval(expression, {"gl": gl}))
    except Exception as error:
        found = f"!! {type(error).__name__}"
    assert found == expected


TABLES = ("programs", "names", "calls")


def programs(table: str) -> Iterator[tuple[str, str]]:
    """The programs of a table with what they leave in `r`."""
    for block in Path(__file__).with_name(f"{table}_like_pytorch.txt").read_text().split("\n\n")[1:]:
        program, _, printed = block.rstrip("\n").partition("\n=>\n")
        yield program, "\n".join(line.removeprefix("    ") for line in printed.split("\n"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("program", "expected"), [each for table in TABLES for each in programs(table)], ids=str)
def test_a_program_leaves_what_it_leaves_in_pytorch(program: str, expected: str) -> None:
    namespace: dict[str, object] = {"gl": gl}
    with gl.config.patch(num_threads=gl.config.num_threads):  # which a program may set
        try:
            exec(program, namespace)
            found = repr(namespace.get("r"))
        except Exception as error:
            found = f"!! {type(error).__name__}"
    assert found == expected
