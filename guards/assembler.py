"""An assembler: it makes code objects of pieces of code that are encoded once; jumps and offsets are filled in anew.

The `bytecode` library decodes and names the instructions. Its own assembler encodes one instruction after another, and
a function whose trace broke off often is assembled again for each new entry; here that costs a few bytes' copy.
"""

# Note [Pieces]
# A piece refers to constants, names and local variables by their number, so it is right for one `CodeTables` only,
# which grows and never changes what it has. Three things are left open until pieces are assembled: how far a jump goes,
# which number a cell has (they come after the local variables), and whether it is the frame's own or its closure's.

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from bytecode import Instr, Label
from bytecode.concrete import ConcreteInstr
from bytecode.instr import UNSET, CellVar, FreeVar, InstrLocation, TryBegin, TryEnd

from ..core.records import dataclass
from .disassembler import encoded_argument

_HAS_CONST, _HAS_NAME = frozenset(dis.hasconst), frozenset(dis.hasname)
_EXTENDED = dis.opmap["EXTENDED_ARG"]
NOWHERE = InstrLocation(None, None, None, None)

PAIRS = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": ("LOAD_FAST_BORROW", "LOAD_FAST_BORROW"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
"""Instructions on two local variables, whose numbers they hold in four bits each, and the two that do it one by one."""
_ONE_VARIABLE = ("LOAD_FAST", "LOAD_FAST_BORROW", "STORE_FAST")
_PAIR_LIMIT = 16
_ENTRY_UNITS = 8
"""The most that an entry of a table of locations is about."""


@dataclass(slots=True)
class CodeRun:
    """Instructions that are final: their bytes, and the place in the user's code that all of them are from."""

    code: bytes
    location: InstrLocation


@dataclass(slots=True)
class JumpPatch:
    """A jump to a label."""

    opcode: int
    caches: int
    forward: bool
    target: Label
    location: InstrLocation


@dataclass(slots=True)
class CellUse:
    """An instruction on a cell: one of the function's own variables, or one from outside."""

    opcode: int
    caches: int
    name: str
    location: InstrLocation


Encoded = CodeRun | JumpPatch | CellUse | Label | TryBegin | TryEnd


@dataclass
class CodeTables:
    """The constants, names and local variables that pieces refer to by number."""

    consts: list[Any]
    names: list[str]
    variables: list[str]
    cells: frozenset[str]
    _const_numbers: dict[int, int] = field(default_factory=dict)
    _name_numbers: dict[str, int] = field(default_factory=dict)
    _variable_numbers: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, code: types.CodeType) -> CodeTables:
        """The tables of a code object, to be added to."""
        tables = cls(list(code.co_consts), list(code.co_names), list(code.co_varnames), frozenset(code.co_cellvars))
        tables._const_numbers = {id(each): k for k, each in enumerate(code.co_consts)}
        tables._name_numbers = {each: k for k, each in enumerate(code.co_names)}
        tables._variable_numbers = {each: k for k, each in enumerate(code.co_varnames)}
        return tables

    def const(self, value: Any) -> int:
        """The number of a constant, which is known by its identity: 1 and True are equal."""
        return _number(self._const_numbers, id(value), self.consts, value)

    def name(self, name: str) -> int:
        """The number of the name of a global or an attribute."""
        return _number(self._name_numbers, name, self.names, name)

    def variable(self, name: str) -> int:
        """The number of a local variable."""
        return _number(self._variable_numbers, name, self.variables, name)

    # Pieces.
    def encode(self, instructions: Iterable[Any], location: InstrLocation | None = None) -> list[Encoded]:
        """A piece: the instructions encoded, in as few runs as may be.

        location: where all of them are from, whatever they say themselves.
        """
        if location is None:
            return _joined(self.encode_each(instructions))
        encoded: list[Encoded] = []
        for each in instructions:
            if isinstance(each, Instr):
                encoded += self._encoded(each, location)
            else:
                encoded.append(each)
        return _joined(encoded)

    def encode_each(self, instructions: Iterable[Any]) -> list[Encoded]:
        """The instructions encoded one by one. An instruction without a location has that of the one before."""
        result: list[Encoded] = []
        location = NOWHERE
        for each in instructions:
            if isinstance(each, Instr):
                location = each.location or location
                result += self._encoded(each, location)
            else:
                result.append(each)
        return result

    def numbered(self, name: str, argument: int) -> Encoded:
        """The code of an instruction whose argument is a number already."""
        return CodeRun(_unit(dis.opmap[name], argument), NOWHERE)

    def _encoded(self, instruction: Instr, location: InstrLocation) -> Iterable[Encoded]:
        name, arg = instruction.name, instruction.arg
        if name not in PAIRS:
            return [self._encode_one(name, arg, location)]
        assert isinstance(arg, tuple)
        if all(isinstance(each, str) and each not in self.cells for each in arg):
            first, second = map(self.variable, arg)  # type: ignore[arg-type]
            if max(first, second) < _PAIR_LIMIT:
                return [CodeRun(_unit(dis.opmap[name], first << 4 | second), location)]
        return [self._encode_one(one, each, location) for one, each in zip(PAIRS[name], arg, strict=True)]

    def _encode_one(self, name: str, arg: Any, location: InstrLocation) -> Encoded:
        opcode, caches = dis.opmap[name], cache_units(name, arg is UNSET)
        if isinstance(arg, Label):
            return JumpPatch(opcode, caches, _goes_forward(name), arg, location)
        if isinstance(arg, (CellVar, FreeVar)):
            return CellUse(opcode, caches, arg.name, location)
        if name in _ONE_VARIABLE and arg in self.cells:  # the cell itself: CPython does so since 3.13
            return CellUse(opcode, caches, str(arg), location)
        return CodeRun(_unit(opcode, self._argument(opcode, name, arg)) + bytes(2 * caches), location)

    def _argument(self, opcode: int, name: str, arg: Any) -> int:
        if opcode in _HAS_CONST:
            return self.const(arg)
        if isinstance(arg, str):
            return self.name(arg) if opcode in _HAS_NAME else self.variable(arg)
        if opcode in _HAS_NAME and isinstance(arg, tuple):
            *flags, attribute = arg
            bits = sum(int(flag) << k for k, flag in enumerate(flags))
            return self.name(attribute) << len(flags) | bits
        if arg is UNSET:
            return 0
        return arg if type(arg) is int else encoded_argument(name, arg)


def _joined(items: list[Encoded]) -> list[Encoded]:
    """The items with one run for all that follow each other and are from one place."""
    result: list[Encoded] = []
    codes: list[bytes] = []
    location = NOWHERE
    for each in items:
        if isinstance(each, CodeRun) and codes and (each.location is location or each.location == location):
            codes.append(each.code)
            continue
        if codes:
            result.append(CodeRun(b"".join(codes), location))
            codes = []
        if isinstance(each, CodeRun):
            codes, location = [each.code], each.location
        else:
            result.append(each)
    if codes:
        result.append(CodeRun(b"".join(codes), location))
    return result


def _number(numbers: dict[Any, int], key: Any, listed: list[Any], value: Any) -> int:
    if key not in numbers:
        listed.append(value)  # first: an interrupt between the two leaves a place that nobody has, and no wrong number
        numbers[key] = len(listed) - 1
    return numbers[key]


@functools.cache
def cache_units(name: str, bare: bool = False) -> int:
    """The number of units that CPython keeps free behind an instruction, which takes no argument if it is `bare`."""
    return int((ConcreteInstr(name) if bare else ConcreteInstr(name, 0)).use_cache_opcodes())


@functools.cache
def _goes_forward(name: str) -> bool:
    """Whether a jump goes forward."""
    return ConcreteInstr(name, 0).is_forward_rel_jump()


def _unit(opcode: int, argument: int, size: int = 0) -> bytes:
    """An instruction's bytes, in `size` units if it is given."""
    code = bytes((opcode, argument & 0xFF))
    while argument > 0xFF or len(code) < 2 * size:
        argument >>= 8
        code = bytes((_EXTENDED, argument & 0xFF)) + code
    return code


def assemble(
    code: types.CodeType,
    tables: CodeTables,
    pieces: Iterable[Sequence[Encoded]],
    cells: Sequence[str],
    free: Sequence[str],
) -> types.CodeType:
    """A code object of the pieces, one behind the other. It is like `code` in all that they do not say.

    cells: the variables that are cells of its frame; `free` are those of its closure.
    """
    return _Assembler(tables, [each for piece in pieces for each in piece], cells, free).code(code)


class _Assembler:
    """Gives encoded items their offsets, and jumps their arguments. Offsets and sizes are in units of two bytes."""

    def __init__(self, tables: CodeTables, items: list[Encoded], cells: Sequence[str], free: Sequence[str]) -> None:
        self.tables = tables
        self.cells, self.free = tuple(cells), tuple(free)
        numbers = self._cell_numbers()
        self.items: list[Encoded] = [_encoded(each, numbers) if isinstance(each, CellUse) else each for each in items]
        self.sizes = [
            len(each.code) // 2 if isinstance(each, CodeRun) else 1 + each.caches if isinstance(each, JumpPatch) else 0
            for each in self.items
        ]
        self.offsets: dict[Label, int] = {}
        self.arguments: dict[int, int] = {}
        while self._assign_offsets():
            pass

    def _cell_numbers(self) -> dict[str, int]:
        """The slot of a frame that keeps each cell: its variable's if it is one, else one behind all variables."""
        names = self.tables.variables
        numbers = {name: k for k, name in enumerate(names) if name in self.tables.cells}
        behind = [*(name for name in self.cells if name not in numbers), *self.free]
        return {**numbers, **{name: len(names) + k for k, name in enumerate(behind)}}

    def _assign_offsets(self) -> bool:
        """Give every item its offset. Returns whether a jump needs more units than it had, so that all moves on."""
        offset = 0
        jumps: list[tuple[int, int, JumpPatch]] = []
        for k, each in enumerate(self.items):
            if isinstance(each, Label):
                self.offsets[each] = offset
            elif isinstance(each, JumpPatch):
                jumps.append((k, offset, each))
            offset += self.sizes[k]
        grown = False
        for k, offset, jump in jumps:
            distance = self.offsets[jump.target] - offset - self.sizes[k]
            argument = self.arguments[k] = distance if jump.forward else -distance
            assert argument >= 0, "a jump in the wrong direction"
            size = len(_unit(jump.opcode, argument)) // 2 + jump.caches
            if size > self.sizes[k]:
                self.sizes[k], grown = size, True
        return grown

    def code(self, like: types.CodeType) -> types.CodeType:
        """The code object."""
        tables = self.tables
        return like.replace(
            co_code=b"".join(self._bytes()),
            co_consts=tuple(tables.consts),
            co_names=tuple(tables.names),
            co_varnames=tuple(tables.variables),
            co_nlocals=len(tables.variables),
            co_cellvars=self.cells,
            co_freevars=self.free,
            co_linetable=self._line_table(like.co_firstlineno),
            co_exceptiontable=self._exception_table(),
        )

    def _bytes(self) -> Iterable[bytes]:
        for k, each in enumerate(self.items):
            if isinstance(each, CodeRun):
                yield each.code
            elif isinstance(each, JumpPatch):
                caches = bytes(2 * each.caches)
                yield _unit(each.opcode, self.arguments[k], self.sizes[k] - each.caches) + caches

    def _line_table(self, line: int) -> bytes:
        """The table that says where each instruction is from. Format: CPython's Objects/locations.md."""
        table = bytearray()
        held: InstrLocation | None = None
        units = 0
        for k, each in enumerate(self.items):
            if isinstance(each, (CodeRun, JumpPatch)):
                if held is not None and held != each.location:
                    line = _add_location(table, held, units, line)
                    units = 0
                held = each.location
                units += self.sizes[k]
        if held is not None:
            _add_location(table, held, units, line)
        return bytes(table)

    def _exception_table(self) -> bytes:
        """The table of handlers. Format: CPython's Objects/exception_handling_notes.txt."""
        table = bytearray()
        offset, start = 0, 0
        for k, each in enumerate(self.items):
            if isinstance(each, TryBegin):
                start = offset
            elif isinstance(each, TryEnd) and offset > start:
                begin = each.entry
                assert isinstance(begin.target, Label) and isinstance(begin.stack_depth, int)
                numbers = [start, offset - start, self.offsets[begin.target], begin.stack_depth << 1 | begin.push_lasti]
                encoded = [_big_endian(number) for number in numbers]
                encoded[0][0] |= 0x80
                table += b"".join(encoded)
            offset += self.sizes[k]
        return bytes(table)


def _encoded(use: CellUse, numbers: dict[str, int]) -> CodeRun:
    return CodeRun(_unit(use.opcode, numbers[use.name]) + bytes(2 * use.caches), use.location)


def _big_endian(number: int) -> bytearray:
    """The number in six bits a byte, the highest first; all but the last are marked."""
    parts = [number & 0x3F]
    while number > 0x3F:
        number >>= 6
        parts.append(number & 0x3F | 0x40)
    return bytearray(reversed(parts))


def _little_endian(number: int) -> bytes:
    """The number in six bits a byte, the lowest first; all but the last are marked."""
    parts = bytearray()
    while number > 0x3F:
        parts.append(number & 0x3F | 0x40)
        number >>= 6
    parts.append(number)
    return bytes(parts)


def _add_location(table: bytearray, location: InstrLocation, units: int, line: int) -> int:
    """Add the location of so many units to the table. `line` is that of the units before; returns the line of these."""
    whole, rest = divmod(units, _ENTRY_UNITS)
    if whole:
        line = _add_entry(table, location, _ENTRY_UNITS, line)
    if whole > 1:
        again = bytearray()
        line = _add_entry(again, location, _ENTRY_UNITS, line)
        table += again * (whole - 1)
    return _add_entry(table, location, rest, line) if rest else line


def _add_entry(table: bytearray, location: InstrLocation, count: int, line: int) -> int:
    """Add one entry, for at most eight units. Returns their line."""
    lineno, end, column, end_column = location.lineno, location.end_lineno, location.col_offset, location.end_col_offset
    if lineno is None:
        table.append(0x80 | 15 << 3 | count - 1)
        return line
    step = lineno - line
    moved = _little_endian(-step << 1 | 1 if step < 0 else step << 1)
    if column is None or end_column is None or end is None:
        table += bytes((0x80 | 13 << 3 | count - 1,)) + moved
    elif step == 0 and end == lineno and column < 80 and 0 <= end_column - column < 16:
        table += bytes((0x80 | column // 8 << 3 | count - 1, column % 8 << 4 | end_column - column))
    else:
        rest = (_little_endian(end - lineno), _little_endian(column + 1), _little_endian(end_column + 1))
        table += bytes((0x80 | 14 << 3 | count - 1,)) + moved + b"".join(rest)
    return lineno
