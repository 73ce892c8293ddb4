"""The stack effects that the table declares, against CPython's own."""

from __future__ import annotations

import dis
import sys

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend.breaks import CLASS_INSIDE, OPCODE, GraphBreak
from guardlift.frontend.bytecode.decode import Instruction, decode
from guardlift.frontend.bytecode.opcode_table import Opcode, parse_effect
from guardlift.frontend.bytecode.versions.opcodes import NOT_IN_FUNCTIONS, OPCODES
from guardlift.frontend.opcodes import REFUSED, TABLE, run_handler

MINOR = sys.version_info.minor

ARGUMENTS: dict[str, list[tuple[int, object]]] = {
    "LOAD_GLOBAL": [(0, (False, "x")), (1, (True, "x"))],
    "LOAD_ATTR": [(0, (False, "x"))] if MINOR == 11 else [(0, (False, "x")), (1, (True, "x"))],
    "LOAD_SUPER_ATTR": [(0, (False, False, "x")), (1, (True, False, "x"))],
    "UNPACK_EX": [(0, 0), (1, 1), (0x100, 0x100), (0x302, 0x302)],
    "FORMAT_VALUE": [(0, 0), (1, 1), (4, 4), (6, 6)],
    "MAKE_FUNCTION": [(0, 0), (1, 1), (8, 8), (13, 13), (15, 15)] if MINOR < 13 else [(0, None)],
    "CALL_FUNCTION_EX": [(0, 0), (1, 1)],
    "BUILD_SLICE": [(2, 2), (3, 3)],
    "RAISE_VARARGS": [(0, 0), (1, 1), (2, 2)],
}
"""Raw arguments and what they are after decoding, where it is not 0 to 3 for both."""


def test_the_lists_of_instructions_are_those_of_the_running_interpreter() -> None:
    real = {name for name, code in dis.opmap.items() if code < 256 and not name.startswith("INSTRUMENTED_")}
    assert real - NOT_IN_FUNCTIONS == OPCODES[MINOR]


def test_every_instruction_has_a_handler_or_is_refused_and_nothing_else_has() -> None:
    known = frozenset().union(*OPCODES.values())
    assert TABLE.keys() | REFUSED.keys() == known
    both = TABLE.keys() & REFUSED.keys()
    assert both == {"LOAD_BUILD_CLASS"}, "an instruction that has a handler stands in opcodes/refused.py as well"


def cases() -> list[tuple[str, int | None, object]]:
    found: list[tuple[str, int | None, object]] = []
    for name in sorted(TABLE):
        if name not in OPCODES[MINOR]:
            continue
        if dis.opmap[name] < dis.HAVE_ARGUMENT and not (MINOR >= 13 and dis.opmap[name] in dis.hasarg):
            found.append((name, None, None))
        else:
            found += [(name, raw, decoded) for raw, decoded in ARGUMENTS.get(name, [(k, k) for k in range(4)])]
    return found


@pytest.mark.parametrize(("name", "raw", "arg"), cases())
def test_a_declared_stack_effect_is_cpythons(name: str, raw: int | None, arg: object) -> None:
    entry, code = TABLE[name], dis.opmap[name]
    if name in ("PRECALL", "CALL") and MINOR == 11:
        # One call is two instructions there. `dis` lets the first pop the arguments, the interpreter the second.
        both = dis.stack_effect(dis.opmap["PRECALL"], raw) + dis.stack_effect(dis.opmap["CALL"], raw)
        assert TABLE["PRECALL"].effect.net(arg) + TABLE["CALL"].effect.net(arg) == both
        return
    if name == "RETURN_GENERATOR" and MINOR < 13:
        # `dis` leaves out there what the first resumption pushes; an instruction that pops it comes next all the same.
        assert entry.effect.net(arg) == dis.stack_effect(code, raw) + 1
        return
    if name == "RETURN_VALUE" and MINOR >= 14:
        # `dis` counts what the caller's stack gains.
        assert entry.effect.net(arg) == dis.stack_effect(code, raw) - 1
        return
    assert entry.effect.net(arg) == dis.stack_effect(code, raw, jump=False)
    taken = dis.stack_effect(code, raw, jump=True)
    assert entry.jump.net(arg) == taken


def test_an_effect_counts_what_its_expressions_say() -> None:
    effect = parse_effect("keys items[2 * arg] -- first rest[arg - 1]")
    assert effect.net(3) == 3 - 7
    assert effect.net(1) == 1 - 3


class _Frame:
    def __init__(self, height: int) -> None:
        self.stack: list[object] = [None] * height
        self.position = 1


def test_a_handler_that_does_not_keep_to_its_effect_is_noticed() -> None:
    effect = parse_effect("left right -- result")
    entry = Opcode("LIAR", effect, effect, True, lambda frame, arg: frame.stack.pop())
    with gl.config.patch(verify_graphs=True):
        run_handler(
            _Frame(3),
            Opcode("TRUE", effect, effect, False, lambda frame, arg, left, right: left),
            Instruction("X", None, 1),
        )  # type: ignore[arg-type]
        run_handler(_Frame(3), entry, Instruction("X", None, 1))  # type: ignore[arg-type]
        honest = parse_effect("left -- result")
        with pytest.raises(AssertionError, match="LIAR"):
            run_handler(_Frame(3), Opcode("LIAR", honest, honest, True, entry.handler), Instruction("LIAR", None, 1))  # type: ignore[arg-type]


def test_an_instruction_without_an_entry_breaks() -> None:
    with pytest.raises(GraphBreak) as caught:
        run_handler(_Frame(0), None, Instruction("NO_SUCH_NAME", None, 1))  # type: ignore[arg-type]
    assert caught.value.kind is OPCODE and "NO_SUCH_NAME" in str(caught.value)
    with pytest.raises(GraphBreak) as caught:
        run_handler(_Frame(0), None, Instruction("LOAD_FROM_DICT_OR_GLOBALS", None, 1))  # type: ignore[arg-type]
    assert caught.value.kind is CLASS_INSIDE


def test_decoding_says_which_instructions_a_handler_covers() -> None:
    def guarded(x: np.ndarray) -> object:
        try:
            y = x + 1
        except ValueError:
            y = x - 1
        return y * 2

    by_line: dict[int, set[bool]] = {}
    for each in decode(guarded.__code__).instructions:
        if isinstance(each, Instruction) and each.name in ("BINARY_OP",):
            by_line.setdefault(each.line - guarded.__code__.co_firstlineno, set()).add(each.handled)
    assert by_line == {2: {True}, 4: {True}, 5: {False}} or by_line == {2: {True}, 4: {False}, 5: {False}}


def test_a_comprehension_is_no_handler() -> None:
    def listed(values: list[float]) -> object:
        return [value + 1 for value in values]

    assert not any(each.handled for each in decode(listed.__code__).instructions)


def test_positions_of_jumps_are_instructions() -> None:
    def loop(n: int) -> int:
        while n > 3:
            n -= 1
        return n

    instructions = decode(loop.__code__).instructions
    jumps = [each for each in instructions if "JUMP" in each.name]
    assert jumps and all(0 <= each.arg < len(instructions) for each in jumps)
