"""Code put together from pieces is the code that CPython compiled: every instruction, with its lines and handlers."""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import dis
import inspect
import tarfile
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import pytest
from bytecode import Bytecode, Instr, Label
from bytecode.instr import InstrLocation

from guardlift.guards.assembler import CodeTables, assemble

MODULES = (argparse, ast, contextlib, dataclasses, inspect, tarfile, textwrap)


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and all below it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_in(each)


def linked_anew(code: types.CodeType) -> types.CodeType:
    tables = CodeTables.of(code)
    whole = Bytecode.from_code(code, conserve_exception_block_stackdepth=True)
    return assemble(code, tables, [tables.encode(whole)], code.co_cellvars, code.co_freevars)


def instructions(code: types.CodeType) -> list[tuple[Any, ...]]:
    """Name, meaning and place of every instruction, jumps by the instruction that they lead to."""
    listed = list(dis.get_instructions(code))
    listed = [each for each in listed if each.opname not in ("EXTENDED_ARG", "CACHE")]
    numbers = {each.offset: k for k, each in enumerate(listed)}
    jumps = {*dis.hasjrel, *dis.hasjabs}

    def meaning(each: dis.Instruction) -> Any:
        if each.opcode not in jumps:
            return each.argrepr
        target = each.argval
        while target not in numbers:  # an EXTENDED_ARG
            target += 2
        return numbers[target]

    return [(each.opname, meaning(each), each.positions) for each in listed]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_code_of_the_standard_library_is_linked_to_itself(module: types.ModuleType) -> None:
    whole = compile(inspect.getsource(module), module.__file__ or "", "exec")
    for code in codes_in(whole):
        made = linked_anew(code)
        assert instructions(made) == instructions(code), code.co_qualname
        assert len(made.co_code) == len(code.co_code)  # then the handlers' places can be compared as they are
        assert list(dis._parse_exception_table(made)) == list(dis._parse_exception_table(code))  # type: ignore[attr-defined]
        assert list(made.co_positions()) == list(code.co_positions())


def test_jumps_over_much_code_get_longer() -> None:
    def function(flag: bool) -> str:
        return "near" if flag else "far"

    code = function.__code__
    for count in (10, 126, 127, 128, 129, 300, 70_000):
        tables, target = CodeTables.of(code), Label()
        where = InstrLocation(1, 1, 0, 0)
        middle = [Instr("NOP", location=where) for _ in range(count)]
        start = [
            Instr("RESUME", 0, location=where),
            Instr("LOAD_CONST", "far", location=where),
            Instr("JUMP_FORWARD", target, location=where),
        ]
        end = [Instr("POP_TOP", location=where), Instr("LOAD_CONST", "near", location=where)]
        last = [target, Instr("RETURN_VALUE", location=where)]
        made = assemble(code, tables, [tables.encode(each) for each in (start, middle, end, last)], (), ())
        assert types.FunctionType(made, {})(True) == "far"


def test_many_variables_and_constants_are_told_apart() -> None:
    names = [f"v{k}" for k in range(400)]
    source = "def function():\n" + "".join(f"    {name} = {k}.5\n" for k, name in enumerate(names))
    namespace: dict[str, Any] = {}
    exec(source + f"    return [{', '.join(names)}]\n", namespace)
    code = namespace["function"].__code__
    assert types.FunctionType(linked_anew(code), {})() == [k + 0.5 for k in range(400)]


def test_equal_constants_of_other_types_stay_apart() -> None:
    def function() -> Any:
        return 0.0, -0.0, 0, False, 1, True, 1.0, (1,), (True,), (1.0,)

    code = function.__code__
    tables = CodeTables.of(code)
    numbers = [tables.const(each) for each in (2, 2.0, -0.0, 0.0)]
    assert len({*numbers}) == 4
    assert repr(types.FunctionType(linked_anew(code), {})()) == repr(function())


def test_cells_come_behind_the_variables_that_are_added() -> None:
    def function(a: int, b: int) -> Any:
        c = a + b

        def inner() -> int:
            nonlocal c
            c += a
            return c

        inner()
        return c, inner()

    code = function.__code__
    tables = CodeTables.of(code)
    for k in range(300):
        tables.variable(f"more_{k}")
    whole = Bytecode.from_code(code, conserve_exception_block_stackdepth=True)
    made = assemble(code, tables, [tables.encode(whole)], code.co_cellvars, code.co_freevars)
    assert types.FunctionType(made, {})(2, 3) == function(2, 3) == (7, 9)
