"""Code objects as `disassemble` reads them: as the library does."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import pytest
from bytecode import Bytecode, Label

from guardlift.guards.disassembler import disassemble

LONG = (
    "def f(x):\n" + "".join(f"    if x == {k}:\n        x = x * a{k} + {k}.5\n" for k in range(300)) + "    return x\n"
)
FREE = """
def f(a, b, *rest, k=1, **more):
    def g(y):
        nonlocal a
        a = y
        return [a + b + each for each in rest if each is not None] + [lambda: (a, k)]
    del b
    return g, f"{a!r:>{k}} {more}", a < 1, a is None, a in rest, -a, a[1:2], rest[0].name.other(a, k=2)
"""
HANDLED = "def f(x):\n    try:\n        return x.y\n    except AttributeError:\n        return None\n"


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from code_objects(each)


def facts(items: list[Any]) -> list[Any]:
    """All there is to know of items, with positions in place of labels."""
    positions = {each: place for place, each in enumerate(items) if isinstance(each, Label)}

    def of(arg: Any) -> Any:
        if isinstance(arg, Label):
            return "label", positions[arg]
        return type(arg), id(arg) if isinstance(arg, types.CodeType) else repr(arg)

    return [
        (each.name, of(each.arg), each.location) if hasattr(each, "location") else type(each).__name__ for each in items
    ]


@pytest.mark.parametrize("text", [LONG, FREE, HANDLED], ids=["long", "free", "handled"])
@pytest.mark.parametrize("placed", [True, False])
def test_texts_are_read_as_the_library_reads_them(text: str, placed: bool) -> None:
    check(compile(text, "<text>", "exec"), placed)


@pytest.mark.parametrize("module", [argparse, ast, dataclasses, inspect, textwrap], ids=lambda each: each.__name__)
def test_modules_are_read_as_the_library_reads_them(module: types.ModuleType) -> None:
    check(compile(inspect.getsource(module), "<module>", "exec"), True)


def check(code: types.CodeType, placed: bool) -> None:
    for each in code_objects(code):
        one = each if placed else each.replace(co_linetable=b"")
        theirs = list(Bytecode.from_code(one, conserve_exception_block_stackdepth=True))
        assert facts(disassemble(one)) == facts(theirs), one.co_qualname


def test_jumps_over_many_instructions_have_extended_arguments() -> None:
    (code,) = [each for each in compile(LONG, "<text>", "exec").co_consts if isinstance(each, types.CodeType)]
    names = [each.name for each in disassemble(code) if hasattr(each, "name")]
    assert "EXTENDED_ARG" not in names and "CACHE" not in names
    assert len(code.co_code) // 2 > len(names) + 300
