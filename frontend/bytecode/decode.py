"""Reads a code object into the form the evaluator runs: a flat tuple of instructions with jump targets as positions."""

from __future__ import annotations

import functools
import linecache
import types
from bisect import bisect_left
from typing import Any

from bytecode import ConcreteBytecode, ConcreteInstr, Instr, Label
from bytecode.instr import UNSET, CellVar, FreeVar

from ...core.records import dataclass
from ...guards.disassembler import disassemble, encoded_argument
from .versions import current


@dataclass(frozen=True, slots=True)
class Handler:
    """The target of an exception: the position, how many values stay on the stack, and whether the place is pushed."""

    target: int
    depth: int
    push_place: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: name, argument (a jump's is the position it goes to), line of the user's file.

    handled: whether an exception raised here reaches a handler of the same function (`except`, `finally`, `with`).
    columns: the part of the line it comes from, as offsets in bytes; (-1, -1) when not known.
    handler: where the function goes on after an exception raised here; None when that leaves the function.
    """

    name: str
    arg: Any
    line: int
    handled: bool = False
    columns: tuple[int, int] = (-1, -1)
    handler: Handler | None = None


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
    for each in disassemble(code):
        if isinstance(each, Label):
            positions[each] = len(kept)
        elif isinstance(each, Instr):
            kept.append(each)
    handlers: list[Handler | None]
    handlers = _handlers(ConcreteBytecode.from_code(code)) if code.co_exceptiontable else [None] * len(kept)
    assert len(handlers) == len(kept)
    regions = [None if handler is None else handler.target for handler in handlers]
    instructions = []
    line = code.co_firstlineno
    for place, each in enumerate(kept):
        if isinstance(each.lineno, int):
            line = each.lineno
        arg, handled = _argument(each, positions), _handled(kept, regions, place)
        instructions.append(Instruction(decoded_name(each), arg, line, handled, _columns(each), handlers[place]))
    return Code(code, tuple(instructions))


def _handlers(concrete: ConcreteBytecode) -> list[Handler | None]:
    """The target of an exception of each instruction. The table of the code object counts in units of two bytes."""
    starts: list[int] = []
    unit = 0
    for each in concrete:
        assert isinstance(each, ConcreteInstr)
        if each.name not in ("CACHE", "EXTENDED_ARG"):
            starts.append(unit)
        unit += each.size // 2
    result: list[Handler | None] = [None] * len(starts)
    for entry in concrete.exception_table:
        handler = Handler(bisect_left(starts, entry.target), entry.stack_depth, entry.push_lasti)
        for place in range(bisect_left(starts, entry.start_offset), len(starts)):
            if starts[place] > entry.stop_offset:
                break
            result[place] = handler
    return result


def _argument(instruction: Instr, positions: dict[Label, int]) -> Any:
    arg = instruction.arg
    return positions[arg] if isinstance(arg, Label) else decoded_argument(instruction)


def decoded_name(instruction: Instr) -> str:
    """The name under which the table of opcodes has an instruction."""
    return "BINARY_SUBSCR" if (instruction.name, instruction.arg) == current().subscript else instruction.name


def decoded_argument(instruction: Instr) -> Any:
    """The argument as handlers get it; that of a jump is still a label."""
    arg = instruction.arg
    if arg is UNSET:
        return None
    if instruction.name == "LOAD_ATTR" and isinstance(arg, str):
        return (False, arg)  # before 3.12 there is no method form
    if instruction.name == "IMPORT_NAME" and isinstance(arg, tuple):
        return arg[-1]  # since 3.15 with whether the import is lazy, which none in a function is
    if instruction.name == "BUILD_INTERPOLATION":
        return encoded_argument(instruction.name, arg)
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
