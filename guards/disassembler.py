"""Code objects read by the `bytecode` library, in the form in which all of guardlift reads and writes them."""

from __future__ import annotations

import dis
import functools
import itertools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bytecode import Bytecode, ConcreteBytecode, Instr, Label
from bytecode.concrete import ConcreteInstr
from bytecode.instr import (
    BITFLAG2_OPCODES,
    BITFLAG_OPCODES,
    CACHE_OPCODE,
    DUAL_ARG_OPCODES,
    EXTENDEDARG_OPCODE,
    HAS_BACKWARD_RELATIVE_JUMP,
    HAS_FORWARD_RELATIVE_JUMP,
    UNSET,
    CellVar,
    FormatValue,
    FreeVar,
    InstrLocation,
    TryBegin,
    TryEnd,
    opcode_has_argument,
)

from ..core.records import dataclass

# Note [The argument of BUILD_INTERPOLATION]
# Its lowest bit says whether there is a format, the next one is always set, and those above say which conversion is
# written. `bytecode` 0.19 takes all above the lowest for the conversion: reading `!r` or `!a` raises ValueError, since
# FormatValue has no such number. With these two numbers known it reads all; it writes none, so that is done here.

_CONVERSIONS = {5: "REPR_OF_INTERPOLATION", 7: "ASCII_OF_INTERPOLATION"}


def _complete_conversions() -> None:
    for number, name in _CONVERSIONS.items():
        if number not in FormatValue._value2member_map_:
            member = int.__new__(FormatValue, number)
            member._name_, member._value_ = name, number
            FormatValue._value2member_map_[number] = member


if "BUILD_INTERPOLATION" in dis.opmap:
    _complete_conversions()


# Note [Borrowed objects]
# LOAD_FAST_BORROW (since 3.14) pushes the object of a local variable without a reference of its own: the compiler has
# seen that the variable keeps it until the object is consumed. Entry code sees to it that variables which are not read
# again forget what they hold, in the midst of expressions, too, and copies slots into variables. So a body that it may
# jump out of and into takes references. Texts that CPython compiles as they are need not.

_OWNING = {
    "LOAD_FAST_BORROW": "LOAD_FAST",
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": "LOAD_FAST_LOAD_FAST",
}


# Note [Iterators without an index]
# Since 3.15 a loop keeps two slots: an iterator and NULL, or a list or tuple and the index of its next element. That is
# no object: no variable can hold it, and no code of ours could put it back. So a body asks `iter` for an iterator.

_ITERATOR = ("LOAD_CONST", iter), ("PUSH_NULL",), ("SWAP", 3), ("SWAP", 2), ("SWAP", 3), ("SWAP", 2), ("CALL", 1)


# Note [Methods that wait for their arguments]
# Of `owner.name(...)` CPython pushes a function and its receiver, or a callable and NULL, and which of the two shows
# at run time only. Where an argument is a call itself, compiled code may take over behind that call, and has to know
# the slots below. So a body with such a section pushes the callable and NULL there, as CPython itself does where no
# call follows at once. Others do not: what C raises about the arguments may say which of the two forms was called.

_CALLS = frozenset({"CALL", "CALL_KW", "CALL_FUNCTION_EX"})
_NULL_LAST = "CALL_KW" in dis.opmap
"""Whether NULL lies above the callable, as since this instruction is there."""


def bound_loads(code: Iterable[Any]) -> frozenset[int]:
    """The instructions that load a method some argument of which is a call; by number, other items do not count."""
    kept = [each for each in code if isinstance(each, Instr)]
    return frozenset(place for place, each in enumerate(kept) if _loads_method(each) and _waits(kept, place))


def _loads_method(instruction: Instr) -> bool:
    name, arg = instruction.name, instruction.arg
    if name == "LOAD_ATTR":
        return isinstance(arg, tuple) and bool(arg[0]) and not str(arg[1]).startswith("__")
    return name == "LOAD_METHOD" and not str(arg).startswith("__")


def _waits(kept: list[Instr], place: int) -> bool:
    """Whether there is another call before that of what is loaded at `place`."""
    above = 0
    for each in kept[place + 1 :]:
        above += each.stack_effect(jump=False)
        if above < 0:
            return False
        if each.name in _CALLS:
            return True
    return False


def _bound(instruction: Instr) -> list[Instr]:
    arg: Any = instruction.arg
    name = arg if instruction.name == "LOAD_METHOD" else (False, arg[1])
    load, null = (
        Instr("LOAD_ATTR", name, location=instruction.location),
        Instr("PUSH_NULL", location=instruction.location),
    )
    return [load, null] if _NULL_LAST else [null, Instr("SWAP", 2, location=instruction.location), load]


def as_run(item: Any, bound: bool = False) -> list[Any]:
    """The instructions that a body has in place of one of CPython's, as a rule that one; other items as they are.

    They take references where CPython's borrows, and keep nothing but objects on the stack.
    bound: whether it is one of `bound_loads`.
    """
    if not isinstance(item, Instr):
        return [item]
    if bound:
        return list(_bound(item))
    if item.name in _OWNING:
        return [Instr(_OWNING[item.name], item.arg, location=item.location)]
    if item.name == "GET_ITER" and item.arg is not UNSET:
        return [Instr(*each, location=item.location) for each in (*_ITERATOR, ("PUSH_NULL",))]
    return [item]


# Note [What is read without the library]
# `bytecode` reads any code object, unit by unit, and takes a third of a trace for it. All there is to read are the
# instructions, the targets of jumps, and the ranges of units that have a handler. That is done here, with the same
# result; what an argument stands for where it is no number of a name, a variable or a constant, the library says, and
# it reads handlers' ranges that overlap, which CPython's compiler never makes.


@dataclass(frozen=True, slots=True)
class _Handled:
    """A range of units that has a handler, the unit at its end left out."""

    start: int
    end: int
    handler: int
    depth: int
    push_lasti: bool


def disassemble(code: types.CodeType) -> list[Any]:
    """The instructions of a code object, with labels and handlers; the depths of handlers are those that it has."""
    handled = list(_handled(code.co_exceptiontable))
    if any(each.end > following.start for each, following in itertools.pairwise(handled)):
        return list(Bytecode.from_code(code, conserve_exception_block_stackdepth=True))
    labels: dict[int, Label] = {each.handler: Label() for each in handled}
    found = _instructions(code, labels)
    begins = {each.start: TryBegin(labels[each.handler], each.push_lasti, each.depth) for each in handled}
    ends = {each.end: begins[each.start] for each in handled}
    result: list[Any] = []
    for start, instruction in found:
        if start in ends:
            result.append(TryEnd(ends[start]))
        if start in labels:
            result.append(labels[start])
        if start in begins:
            result.append(begins[start])
        result.append(instruction)
    if len(code.co_code) // 2 in ends:
        result.append(TryEnd(ends[len(code.co_code) // 2]))
    return result


def _handled(table: bytes) -> Iterator[_Handled]:
    """The entries of a table of handlers. Format: CPython's Objects/exception_handling_notes.txt."""
    numbers: list[int] = []
    goes_on = False
    for byte in table:
        if not goes_on:
            numbers.append(0)
        numbers[-1] = numbers[-1] << 6 | byte & 0x3F
        goes_on = bool(byte & 0x40)
        if len(numbers) == 4 and not goes_on:
            start, length, handler, depth = numbers
            yield _Handled(start, start + length, handler, depth >> 1, bool(depth & 1))
            numbers = []


def _instructions(code: types.CodeType, labels: dict[int, Label]) -> list[tuple[int, Instr]]:
    """The instructions, each with the unit at which it starts. The targets of jumps are added to `labels`, by unit."""
    units, arguments = code.co_code, _arguments(code)
    positions = iter(code.co_positions())
    line: int | None = code.co_firstlineno
    locations: dict[Any, InstrLocation] = {}
    known: dict[Any, Instr] = {}
    found: list[tuple[int, Instr]] = []
    start = extended = 0
    is_extended = False
    for place in range(0, len(units), 2):
        opcode = units[place]
        position = next(positions, None) or (line, None, None, None)
        if opcode == CACHE_OPCODE:
            start = place + 2
            continue
        number = units[place + 1] | extended << 8
        if opcode == EXTENDEDARG_OPCODE:
            extended, is_extended = number, True
            continue
        line = line if position[0] is None else position[0]
        if position not in locations:
            locations[position] = InstrLocation(*position)
        direction = _DIRECTIONS.get(opcode)
        if direction is not None:
            target = place // 2 + 1 + _caches_behind(units, place) + direction * number
            label = labels.setdefault(target, Label())
            found.append((start // 2, Instr(dis.opname[opcode], label, location=locations[position])))
        else:
            key = opcode, number, position
            if key not in known:
                known[key] = Instr(dis.opname[opcode], arguments(opcode, number), location=locations[position])
            found.append((start // 2, known[key]))
        start, extended, is_extended = place + 2, 0, False
    assert not is_extended, "EXTENDED_ARG at the end of the code"
    return found


_DIRECTIONS = {**dict.fromkeys(HAS_FORWARD_RELATIVE_JUMP, 1), **dict.fromkeys(HAS_BACKWARD_RELATIVE_JUMP, -1)}
"""The direction of each jump, by opcode."""


def _caches_behind(units: bytes, place: int) -> int:
    """The number of units that CPython keeps free behind the instruction at this offset in bytes."""
    end = place + 2
    while end < len(units) and units[end] == CACHE_OPCODE:
        end += 2
    return end // 2 - place // 2 - 1


def _arguments(code: types.CodeType) -> Callable[[int, int], Any]:
    """A function from opcodes and numbers to what the numbers stand for in the tables of a code object."""
    names, consts = code.co_names, code.co_consts
    cells: list[Any] = [
        *code.co_varnames,
        *(CellVar(each) for each in code.co_cellvars if each not in code.co_varnames),
    ]
    variables = [*cells, *map(FreeVar, code.co_freevars)]

    def argument(opcode: int, number: int) -> Any:
        if not opcode_has_argument(opcode):
            return UNSET
        if opcode in _WITH_CONST:
            return consts[number]
        if opcode in _WITH_VARIABLE:
            if opcode in DUAL_ARG_OPCODES:
                return variables[number >> 4], variables[number & 15]
            return variables[number]
        if opcode in _WITH_NAME:
            if opcode in BITFLAG_OPCODES:
                return bool(number & 1), names[number >> 1]
            if opcode in BITFLAG2_OPCODES:
                return bool(number & 1), bool(number & 2), names[number >> 2]
            return names[number]
        if opcode in _WITH_CELL:
            return CellVar(variables[number]) if isinstance(variables[number], str) else variables[number]
        return _meaning(opcode, number)

    return argument


_WITH_CONST, _WITH_VARIABLE, _WITH_NAME, _WITH_CELL = map(
    frozenset, (dis.hasconst, dis.haslocal, dis.hasname, dis.hasfree)
)


@functools.cache
def _meaning(opcode: int, number: int) -> Any:
    """The meaning of a number that is the argument of an instruction about no table, such as which comparison."""
    read = ConcreteBytecode([ConcreteInstr(dis.opname[opcode], number)]).to_bytecode()
    return next(each for each in read if isinstance(each, Instr)).arg


@functools.cache
def encoded_argument(name: str, arg: Any) -> int:
    """The number for an argument that stands for nothing in a table, such as which comparison."""
    if isinstance(arg, tuple):  # see Note [The argument of BUILD_INTERPOLATION]
        has_format, above = arg
        return int(has_format) | int(above) << 1
    encoded = Bytecode([Instr(name, arg)]).to_concrete_bytecode(compute_exception_stack_depths=False)
    return int(next(each for each in encoded if isinstance(each, ConcreteInstr)).arg)
