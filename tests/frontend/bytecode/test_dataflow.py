"""Facts about positions in bytecode: the stack's kinds, the variables that are still read, where to take over."""

from __future__ import annotations

import sys
import types
from typing import Any

from bytecode import Bytecode, Instr

from guardlift.frontend.bytecode.dataflow import INNER, NULL, VALUE, flow_of
from guardlift.frontend.bytecode.decode import decode
from guardlift.frontend.bytecode.versions import current

SHARED = ("PRECALL", "CALL") if sys.version_info < (3, 12) else ()
"""In 3.11 the two share the effect of a call, which `dis` gives to the first."""


ITERATOR = VALUE + NULL * (current().iterator_slots - 1)


def looping(x: Any, n: int) -> Any:
    total = x
    for k in range(n):
        y = x * k
        print(y, sep="")
        if y.sum() > 3:
            total = total + y
    return total


def handling(x: Any) -> Any:
    try:
        print(x)
        x = x + 1
    except ValueError as error:
        print(error)
        x = x - 1
    return x * 2


def positions(code: types.CodeType, name: str) -> list[int]:
    return [place for place, each in enumerate(decode(code).instructions) if each.name.startswith(name)]


def test_the_stack_is_as_high_as_the_instructions_effects_say() -> None:
    for function in (looping, handling, positions):
        flow = flow_of(function.__code__)
        instructions = [each for each in Bytecode.from_code(function.__code__) if isinstance(each, Instr)]
        checked = 0
        for place, instruction in enumerate(instructions):
            shape = flow.shapes[place]
            if shape is None or place + 1 not in flow.successors[place] or instruction.name in SHARED:
                continue
            after = flow.shapes[place + 1]
            assert after is not None and len(after) - len(shape) == instruction.stack_effect(jump=False), instruction
            checked += 1
        assert flow.shapes[0] == "" and checked > len(instructions) / 2


def test_the_iterator_of_a_loop_is_all_there_is_on_the_stack_where_its_body_can_be_taken_up() -> None:
    code = looping.__code__
    flow = flow_of(code)
    (loop,) = positions(code, "FOR_ITER")
    taken_up = flow.resumptions(loop)
    assert len(taken_up) == 1 and flow.shapes[taken_up[0]] == ITERATOR
    assert flow.live[taken_up[0]] == {"x", "k", "total"}


def test_a_call_is_taken_up_behind_it_and_begins_where_it_is_prepared() -> None:
    code = looping.__code__
    flow = flow_of(code)
    call = positions(code, "CALL")[1]
    assert NULL in flow.shapes[flow.first_of_call(call)]
    assert all(flow.shapes[each] == ITERATOR for each in flow.resumptions(call))


def test_nothing_is_taken_up_while_an_exception_is_handled() -> None:
    code = handling.__code__
    flow = flow_of(code)
    (caught,) = positions(code, "PUSH_EXC_INFO")[:1]
    inside = [place for place, count in enumerate(flow.handling) if count]
    assert inside and caught + 1 in inside and INNER in flow.shapes[caught + 1]
    for place in range(len(flow.names)):
        assert not set(flow.resumptions(place)) & set(inside)
    behind = [place for place in positions(code, "BINARY_OP") if place in flow.resumptions(positions(code, "CALL")[0])]
    assert behind or flow.resumptions(positions(code, "CALL")[0])
