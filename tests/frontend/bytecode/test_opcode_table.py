"""Traits of instructions: against what `dis` knows, and that nobody else names the instructions that he is about."""

from __future__ import annotations

import ast
import dis
import sys
from pathlib import Path

import pytest

import guardlift
from guardlift.frontend.bytecode.opcode_table import Traits, traits_of
from guardlift.frontend.bytecode.versions.opcodes import OPCODES
from guardlift.frontend.opcodes import TABLE

HERE = OPCODES[sys.version_info.minor] & TABLE.keys()
FRONTEND = Path(guardlift.__file__).parent / "frontend"

NAMING = {
    "bytecode/decode.py": "brings the arguments of all versions into one form, and knows what the compiler writes",
    "codegen/generators.py": "writes instructions",
    "codegen/resume_points.py": "names the value that the instruction before a resume point has left on the stack",
    "dispatch/frame_introspection.py": "is asked by the decorator, before the table of opcodes is loaded",
    "dispatch/continuation.py": "moves an instruction of our own code",
    "tracing/rules.py": "looks at our own code",
}
"""Files beside the table and the versions that name instructions, and why."""


@pytest.mark.slow
def test_only_the_table_and_the_versions_name_instructions() -> None:
    names = frozenset().union(*OPCODES.values())
    found = set()
    for file in FRONTEND.rglob("*.py"):
        place = file.relative_to(FRONTEND).as_posix()
        if not place.startswith(("opcodes/", "bytecode/versions/")):
            constants = (
                each for each in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(each, ast.Constant)
            )
            if any(isinstance(each.value, str) and each.value in names for each in constants):
                found.add(place)
    assert found == NAMING.keys()


def test_the_instructions_that_may_jump_are_those_of_the_interpreter() -> None:
    jumps = {dis.opname[code] for code in (*dis.hasjrel, *dis.hasjabs)}
    assert {name for name in HERE if TABLE[name].may_jump} == jumps & HERE


def test_the_instructions_about_local_variables_are_those_of_the_interpreter() -> None:
    local = {dis.opname[code] for code in dis.haslocal}
    declared = {name for name in HERE if TABLE[name].variables and TABLE[name].variables != ("cell",)}
    cells = {name for name in HERE if TABLE[name].variables == ("cell",)}  # since 3.14 some of these count as well
    assert declared == local & HERE - cells


def test_a_conditional_jump_says_what_it_asks_and_which_answer_it_takes() -> None:
    jumps = {name: entry for name, entry in TABLE.items() if entry.jumps_if is not None}
    assert all(entry.asks in ("truth", "none") for entry in jumps.values())
    assert {name for name, entry in jumps.items() if entry.keeps} == {"JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"}
    assert all(("NONE" in name) == (entry.asks == "none") for name, entry in jumps.items())
    assert all(
        entry.jumps_if == (not name.endswith(("FALSE", "FALSE_OR_POP", "NOT_NONE"))) for name, entry in jumps.items()
    )


def test_what_rearranges_the_stack_does_so_as_its_effect_says() -> None:
    rearranging = [entry for entry in TABLE.values() if entry.rearranges is not None]
    assert rearranging
    for entry in rearranging:
        for arg in (1, 2, 4):
            slots = list("abcd")
            assert entry.rearranges is not None
            entry.rearranges(slots, arg)
            assert len(slots) == 4 + entry.effect.net(arg) and set(slots) == set("abcd")


def test_the_variables_of_an_argument_are_told_apart_by_what_becomes_of_them() -> None:
    assert TABLE["STORE_FAST_LOAD_FAST"].binds(("a", "b")) == ["a"]
    assert TABLE["STORE_FAST_LOAD_FAST"].reads(("a", "b")) == ["b"]
    assert TABLE["LOAD_FAST_AND_CLEAR"].reads("a") == ["a"] and not TABLE["LOAD_FAST_AND_CLEAR"].binds("a")
    assert not TABLE["DELETE_FAST"].reads("a") and TABLE["DELETE_FAST"].used("a", "delete") == ["a"]
    assert not TABLE["LOAD_CONST"].reads(("a", "b"))


def test_an_instruction_without_a_handler_has_no_traits() -> None:
    assert traits_of("NO_SUCH_NAME") == Traits()


def test_a_trait_that_nobody_knows_is_noticed() -> None:
    from guardlift.frontend.bytecode.opcode_table import opcode

    with pytest.raises(TypeError, match="no_such_trait"):
        opcode("NO_SUCH_NAME", stack="--", no_such_trait=True)(lambda frame, arg: None)
    assert "NO_SUCH_NAME" not in TABLE
