"""Reads a code object into the form the evaluator runs: a flat tuple of instructions with jump targets as positions."""

from __future__ import annotations

import functools
import linecache
import types
from dataclasses import dataclass
from typing import Any

from bytecode import Bytecode, CellVar, FreeVar, Instr, Label


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: name, argument (a jump's is the position it goes to), line of the user's file."""

    name: str
    arg: Any
    line: int


@dataclass(frozen=True, slots=True)
class Code:
    """A decoded code object."""

    raw: types.CodeType
    instructions: tuple[Instruction, ...]


@functools.lru_cache(maxsize=512)
def decode(code: types.CodeType) -> Code:
    """The instructions of `code`. Cell and free variables appear as `CellVar` and `FreeVar` arguments."""
    positions: dict[Label, int] = {}
    kept: list[Instr] = []
    for each in Bytecode.from_code(code):
        if isinstance(each, Label):
            positions[each] = len(kept)
        elif isinstance(each, Instr):
            kept.append(each)
    instructions = []
    line = code.co_firstlineno
    for each in kept:
        if isinstance(each.lineno, int):
            line = each.lineno
        arg = positions[each.arg] if isinstance(each.arg, Label) else each.arg
        instructions.append(Instruction(each.name, arg, line))
    return Code(code, tuple(instructions))


def variable_name(arg: str | CellVar | FreeVar) -> str:
    """The name of a local, cell or free variable argument."""
    return arg if isinstance(arg, str) else arg.name


def source_line(file: str, line: int) -> str:
    """The text of a line of the user's file, stripped; empty when the file is not there."""
    return linecache.getline(file, line).strip()
