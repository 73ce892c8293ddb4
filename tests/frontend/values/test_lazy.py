"""Slots of the stack that an instruction uses, so that they are looked at before it is evaluated."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from guardlift.frontend.bytecode.decode import Instruction
from guardlift.frontend.opcodes import TABLE
from guardlift.frontend.values.lazy import slots_used


def used(name: str, arg: Any, height: int) -> list[int]:
    frame: Any = SimpleNamespace(stack=[None] * height)
    return list(slots_used(frame, TABLE[name], Instruction(name, arg, 1)))


@pytest.mark.parametrize(("name", "operands"), [("LIST_APPEND", 1), ("SET_ADD", 1), ("MAP_ADD", 2), ("DICT_UPDATE", 1)])
def test_what_is_added_to_a_container_uses_the_container_as_well(name: str, operands: int) -> None:
    """The stack of a comprehension: something else, the container, the iterator, and what is added."""
    assert used(name, 2, 3 + operands) == [*range(1, 3 + operands)]


def test_other_instructions_use_what_they_pop() -> None:
    assert used("STORE_SUBSCR", None, 5) == [2, 3, 4]
    assert used("BUILD_TUPLE", 2, 5) == [3, 4]
    assert used("LOAD_FAST", "x", 5) == used("SWAP", 2, 5) == []
