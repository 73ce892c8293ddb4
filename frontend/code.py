"""Reads a code object into the form the evaluator runs: a flat tuple of instructions with jump targets as positions."""

from __future__ import annotations

import functools
import linecache
import types
from dataclasses import dataclass
from typing import Any

from bytecode import Bytecode, Instr, Label
from bytecode.instr import UNSET, CellVar, FreeVar, TryBegin, TryEnd


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: name, argument (a jump's is the position it goes to), line of the user's file.

    handled: whether an exception raised here reaches a handler of the same function (`except`, `finally`, `with`).
    columns: the part of the line it comes from, as offsets in bytes; (-1, -1) when not known.
    """

    name: str
    arg: Any
    line: int
    handled: bool = False
    columns: tuple[int, int] = (-1, -1)


@dataclass(frozen=True, slots=True)
class Code:
    """A decoded code object."""

    raw: types.CodeType
    instructions: tuple[Instruction, ...]


def decode(code: types.CodeType) -> Code:
    """The instructions of `code`. Cell and free variables appear as `CellVar` and `FreeVar` arguments."""
    return _decode(code, code.co_filename)


@functools.lru_cache(maxsize=512)
def _decode(code: types.CodeType, file: str) -> Code:
    # Code objects of two files compare equal when all but the file's name is equal.
    positions: dict[Label, int] = {}
    kept: list[Instr] = []
    protected: list[Label | None] = []
    region: Label | None = None
    for each in Bytecode.from_code(code):
        if isinstance(each, Label):
            positions[each] = len(kept)
        elif isinstance(each, TryBegin):
            assert isinstance(each.target, Label)
            region = each.target
        elif isinstance(each, TryEnd):
            region = None
        elif isinstance(each, Instr):
            kept.append(each)
            protected.append(region)
    regions = [None if label is None else positions[label] for label in protected]
    instructions = []
    line = code.co_firstlineno
    for place, each in enumerate(kept):
        if isinstance(each.lineno, int):
            line = each.lineno
        instructions.append(
            Instruction(each.name, _argument(each, positions), line, _handled(kept, regions, place), _columns(each))
        )
    return Code(code, tuple(instructions))


def _argument(instruction: Instr, positions: dict[Label, int]) -> Any:
    arg = instruction.arg
    if isinstance(arg, Label):
        return positions[arg]
    if arg is UNSET:
        return None
    if instruction.name == "LOAD_ATTR" and isinstance(arg, str):
        return (False, arg)  # before 3.12 there is no method form
    return arg


def _columns(instruction: Instr) -> tuple[int, int]:
    found = instruction.location
    if found is None or found.col_offset is None or found.end_col_offset is None or found.end_lineno != found.lineno:
        return -1, -1
    return found.col_offset, found.end_col_offset


def _handled(kept: list[Instr], regions: list[int | None], place: int) -> bool:
    # An inlined comprehension has a region too, whose target only restores its variables and raises again.
    target = regions[place]
    while target is not None:
        if kept[target].name == "PUSH_EXC_INFO":
            return True
        if kept[target].name == "CLEANUP_THROW":  # what ends a `yield from` is raised again where that stands
            target = regions[target]
            continue
        again = next((k for k in range(target, len(kept)) if kept[k].name == "RERAISE"), None)
        target = None if again is None else regions[again]
    return False


def variable_name(arg: str | CellVar | FreeVar) -> str:
    """The name of a local, cell or free variable argument."""
    return arg if isinstance(arg, str) else arg.name


def source_line(file: str, line: int) -> str:
    """The text of a line of the user's file, stripped; empty when the file is not there."""
    return linecache.getline(file, line).strip()
