"""Facts about positions in bytecode: the stack's kinds, the variables that are still read, where to take over."""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from bytecode import Bytecode, Instr

from guardlift.frontend import opcodes  # noqa: F401  (fills the table of instructions)
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


def nested_contexts(suppressed: bool) -> list[int]:
    seen = [0]
    with suppress(ValueError):
        seen.append(1)
        with suppress(KeyError):
            seen.append(2)
            if suppressed:
                raise KeyError
        seen.append(3)
        if suppressed:
            raise ValueError
    seen.append(4)
    return seen


def nested_handlers(suppressed: bool) -> list[int]:
    seen = [0]
    try:
        try:
            if suppressed:
                raise KeyError
            seen.append(1)
        except KeyError as error:
            seen.append(len(error.args))
            try:
                raise ValueError from error
            except ValueError:
                seen.append(2)
            seen.append(3)
        finally:
            seen.append(4)
        seen.append(5)
    except OSError as error:
        seen.append(error.errno or 0)
    seen.append(6)
    return seen


def handlers_in_a_loop(suppressed: bool) -> list[int]:
    seen = [0]
    for k in range(3):
        with suppress(ValueError):
            try:
                if suppressed and k:
                    raise (KeyError, ValueError)[k - 1]
                seen.append(k)
            except KeyError:
                with suppress(KeyError):
                    seen.append(-k)
                    continue
            seen.append(10 + k)
    return seen


@contextmanager
def noting(note: Callable[[types.FrameType], None], code: types.CodeType) -> Any:
    """A context in which `note` is called before each instruction of `code`."""

    def trace(frame: types.FrameType, event: str, _: object) -> Any:
        if frame.f_code is not code:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            note(frame)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("suppressed", [False, True])
@pytest.mark.parametrize("function", [nested_contexts, nested_handlers, handlers_in_a_loop])
def test_exceptions_are_handled_where_python_handles_them(
    function: Callable[[bool], list[int]], suppressed: bool
) -> None:
    code = function.__code__
    flow, seen = flow_of(code), dict[int, bool]()
    real = [each for each in dis.get_instructions(code) if each.opname not in ("CACHE", "EXTENDED_ARG")]
    places = {each.offset: place for place, each in enumerate(real)}

    def note(frame: types.FrameType) -> None:
        place = places.get(frame.f_lasti)
        if place is not None:
            seen[place] = sys.exception() is not None

    for _ in range(2):  # CPython 3.12 tells of no instruction until a frame has asked for them once
        with noting(note, code):
            function(suppressed)
    assert len(real) == len(flow.names) and len(seen) > 20
    assert {place: bool(flow.handling[place]) for place in seen} == seen
