"""Jumps, loops over known sequences, returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.config import config
from ...guards.sources import WeakSource
from ..breaks import LONG_LOOP, LONG_TENSOR_LOOP, RUNNING_LOOP, GraphBreak
from ..bytecode.opcode_table import ITERATOR, opcode
from ..bytecode.versions import current
from ..python.iteration import iterator_of, space_over_parts
from ..python.operators import identical, truth
from ..values import protocols
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.constant import NONE
from ..values.containers.iterators import Iterator
from ..values.containers.ranges import RangeValue
from ..values.containers.sequences import Sequence, TupleValue
from .loads import load_const

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("RETURN_VALUE", stack="value --", in_region=True, returns=True, moves=True)
def return_value(frame: Frame, arg: Any, value: Value) -> None:
    """End the frame."""
    frame.returned = value


@opcode("RETURN_CONST", stack="--", in_region=True, returns=True)
def return_const(frame: Frame, arg: Any) -> None:
    """End the frame with a constant."""
    frame.returned = load_const(frame, arg)


@opcode(
    *("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"),
    stack="--", in_region=True, jumps=True, resume=False,
)  # fmt: skip
def jump(frame: Frame, arg: int) -> None:
    """Go on elsewhere."""
    frame.jump(arg)


@opcode(
    *("POP_JUMP_IF_TRUE", "POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_BACKWARD_IF_TRUE"),
    stack="condition --", in_region=True, asks="truth", jumps_if=True, resume=False,
)  # fmt: skip
def pop_jump_if_true(frame: Frame, arg: int, condition: Value) -> None:
    """Jump when the condition holds."""
    if truth(frame.trace, condition):
        frame.jump(arg)


@opcode(
    *("POP_JUMP_IF_FALSE", "POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_BACKWARD_IF_FALSE"),
    stack="condition --", in_region=True, asks="truth", jumps_if=False, resume=False,
)  # fmt: skip
def pop_jump_if_false(frame: Frame, arg: int, condition: Value) -> None:
    """Jump when the condition does not hold."""
    if not truth(frame.trace, condition):
        frame.jump(arg)


def _is_none(frame: Frame, value: Value) -> bool:
    return identical(frame.trace, value, NONE)


@opcode(
    *("POP_JUMP_IF_NONE", "POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NONE"),
    stack="value --", in_region=True, asks="none", jumps_if=True, resume=False,
)  # fmt: skip
def pop_jump_if_none(frame: Frame, arg: int, value: Value) -> None:
    """Jump when the value is None."""
    if _is_none(frame, value):
        frame.jump(arg)


@opcode(
    *("POP_JUMP_IF_NOT_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE"),
    stack="value --", in_region=True, asks="none", jumps_if=False, resume=False,
)  # fmt: skip
def pop_jump_if_not_none(frame: Frame, arg: int, value: Value) -> None:
    """Jump when the value is not None."""
    if not _is_none(frame, value):
        frame.jump(arg)


@opcode(
    "JUMP_IF_TRUE_OR_POP",
    stack="*condition --", jump="condition -- condition", in_region=True, asks="truth", jumps_if=True,
)  # fmt: skip
def jump_if_true_or_pop(frame: Frame, arg: int) -> None:
    """Jump with the condition kept when it holds, else drop it."""
    value = frame.pop()
    if truth(frame.trace, value):
        frame.push(value)
        frame.jump(arg)


@opcode(
    "JUMP_IF_FALSE_OR_POP",
    stack="*condition --", jump="condition -- condition", in_region=True, asks="truth", jumps_if=False,
)  # fmt: skip
def jump_if_false_or_pop(frame: Frame, arg: int) -> None:
    """Jump with the condition kept when it does not hold, else drop it."""
    value = frame.pop()
    if not truth(frame.trace, value):
        frame.push(value)
        frame.jump(arg)


@opcode("GET_ITER", stack=f"*value -- {ITERATOR}", in_region=True)
def get_iter(frame: Frame, arg: int | None) -> None:
    """An iterator over the elements of a value; with an argument, the one that a `yield from` hands on."""
    value = frame.pop()
    frame.push_iterator(iterator_of(frame.trace, value) if arg else _loop_iterator(frame, value))


def _loop_iterator(frame: Frame, value: Value) -> Value:
    if (
        frame.trace.region is None
        and isinstance(value, (Sequence, RangeValue, ArrayValue))
        and not (isinstance(value, (RangeValue, ArrayValue)) and _may_be_native(frame, value))
        and not _goes_over_parts(frame, value)
        and value.length(frame.trace) > config.unroll_limit
        and not _is_unrolled(frame, value.items[0] if isinstance(value, Sequence) else value)
    ):
        raise _too_long(frame, frame.position)  # now, before as many iterations are traced in vain
    return iterator_of(frame.trace, value)


def _too_long(frame: Frame, head: int) -> GraphBreak:
    """The break at a loop that is not unrolled, with the reason why it is not one operation, where that is known."""
    reason = frame.trace.speculation.not_loop_node.get((frame.code.raw, head))
    if reason is None:
        return LONG_LOOP.stop(limit=config.unroll_limit)
    return LONG_TENSOR_LOOP.because(reason, limit=config.unroll_limit)


# Note [Loops over models]
# A loop over parameters, layers or groups has one step for each of them, whoever writes it out: each has memory of its
# own, which is known by identity. No limit applies to it, nor to loops of our own code; `trace_limit` bounds both.


def _is_unrolled(frame: Frame, element: Value) -> bool:
    """Whether a loop that gives this element has no limit. See Note [Loops over models]."""
    return frame.ours or _is_of_model(element)


def _is_of_model(value: Value) -> bool:
    if isinstance(value, TupleValue):
        return any(map(_is_of_model, value.items))
    return isinstance(value.source, WeakSource)


def _goes_over_parts(frame: Frame, value: Value) -> bool:
    """Whether the loop that begins next goes over a tensor's parts, and may become one node."""
    if not isinstance(value, Sequence) or space_over_parts(frame.trace, value, value.items) is None:
        return False
    return protocols.may_be_loop_node(frame, frame.position, value.length(frame.trace))


def _may_be_native(frame: Frame, value: RangeValue | ArrayValue) -> bool:
    length, of_arrays = value.length(frame.trace), isinstance(value, ArrayValue)
    if protocols.may_be_native(frame, frame.position, length, of_arrays=of_arrays):
        return True
    return not of_arrays and protocols.may_be_loop_node(frame, frame.position, length)


_EXHAUSTED = f"{ITERATOR} --" if current().for_iter_pops else f"{ITERATOR} -- {ITERATOR} last"


@opcode(
    "FOR_ITER",
    stack=f"*{ITERATOR} -- {ITERATOR} value", jump=_EXHAUSTED, in_region=True, iterates=True, resume=False,
)  # fmt: skip
def for_iter(frame: Frame, arg: int) -> None:
    """Push the next element, or leave the loop."""
    iterator = frame.loop_iterator
    assert iterator is not None
    if not isinstance(iterator, Iterator):
        raise RUNNING_LOOP.stop(name=iterator.describe())
    value = iterator.advance()
    if (
        iterator.advanced - iterator.skipped > config.unroll_limit
        and value is not None
        and not _is_unrolled(frame, value)
    ):
        raise _too_long(frame, frame.position - 1)
    if value is not None:
        frame.push(value)
        return
    if current().for_iter_pops:
        frame.pop()
    else:
        frame.push(NONE)  # END_FOR drops it
    frame.jump(arg)


@opcode("POP_ITER", stack=f"{ITERATOR} --", in_region=True, resume=False)
def pop_iter(frame: Frame, arg: Any, *slots: Value | None) -> None:
    """Drop the iterator of a loop that ends."""


@opcode("END_FOR", stack=f"values[{current().end_for_pops}] --", in_region=True, resume=False)
def end_for(frame: Frame, arg: Any, values: list[Value]) -> None:
    """Drop what a loop leaves on the stack."""
