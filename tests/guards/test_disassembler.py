"""Code objects as `disassemble` reads them: as the library does."""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import pytest
from bytecode import Bytecode, Label
from bytecode.instr import TryBegin, TryEnd

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
HANDLED = """
async def f(x, y):
    try:
        with x.y as z, y:
            for each in z:
                try:
                    yield [z + a for a in each if a]
                except* AttributeError as error:
                    print(error)
                else:
                    await y
    except (ValueError, x.kind):
        while x:
            try:
                x = x.next
            finally:
                del y
    finally:
        async with x:
            print(z)
"""


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from code_objects(each)


def facts(items: list[Any]) -> list[Any]:
    """All there is to know of items, with positions in place of labels and of starts of handlers' ranges."""
    positions = {each: place for place, each in enumerate(items) if isinstance(each, (Label, TryBegin))}

    def of(arg: Any) -> Any:
        if isinstance(arg, Label):
            return "label", positions[arg]
        return type(arg), id(arg) if isinstance(arg, types.CodeType) else repr(arg)

    def fact(item: Any) -> Any:
        if isinstance(item, TryBegin):
            return "begin", of(item.target), item.push_lasti, item.stack_depth
        if isinstance(item, TryEnd):
            return "end", positions[item.entry]
        return (item.name, of(item.arg), item.location) if hasattr(item, "location") else type(item).__name__

    return [fact(each) for each in items]


@pytest.mark.parametrize("text", [LONG, FREE, HANDLED], ids=["long", "free", "handled"])
@pytest.mark.parametrize("placed", [True, False])
def test_texts_are_read_as_the_library_reads_them(text: str, placed: bool) -> None:
    check(compile(text, "<text>", "exec"), placed)


@pytest.mark.parametrize(
    "module", [argparse, ast, contextlib, dataclasses, inspect, textwrap], ids=lambda each: each.__name__
)
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


def test_ranges_of_handlers_that_overlap_are_read_by_the_library() -> None:
    def f(x: Any) -> Any:
        try:
            return x.y
        except AttributeError:
            return None

    code = f.__code__
    doubled = code.replace(co_exceptiontable=code.co_exceptiontable[:4] + code.co_exceptiontable)
    theirs = list(Bytecode.from_code(doubled, conserve_exception_block_stackdepth=True))
    assert facts(disassemble(doubled)) == facts(theirs)
