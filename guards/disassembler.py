"""Code objects read by the `bytecode` library, in the form in which all of guardlift reads and writes them."""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterable
from typing import Any

from bytecode import Bytecode, Instr
from bytecode.concrete import ConcreteInstr
from bytecode.instr import UNSET, FormatValue

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


def disassemble(code: types.CodeType) -> Bytecode:
    """The instructions of a code object, with labels and handlers; the depths of handlers are those that it has."""
    return Bytecode.from_code(code, conserve_exception_block_stackdepth=True)


@functools.cache
def encoded_argument(name: str, arg: Any) -> int:
    """The number for an argument that stands for nothing in a table, such as which comparison."""
    if isinstance(arg, tuple):  # see Note [The argument of BUILD_INTERPOLATION]
        has_format, above = arg
        return int(has_format) | int(above) << 1
    encoded = Bytecode([Instr(name, arg)]).to_concrete_bytecode(compute_exception_stack_depths=False)
    return int(next(each for each in encoded if isinstance(each, ConcreteInstr)).arg)
