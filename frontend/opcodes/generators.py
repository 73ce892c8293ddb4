"""Generators. The frame of one is evaluated by whoever asks it for elements (see `values.functions.generators`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..breaks import ProgramRaised
from ..bytecode.opcode_table import ITERATOR, opcode
from ..bytecode.versions import current
from ..python.iteration import iterator_of
from ..values.base import Value
from ..values.constant import NONE
from ..values.containers.iterators import Iterator
from ..values.functions.generators import GeneratorValue, is_none

if TYPE_CHECKING:
    from ..interpreter.frame import Frame


@opcode("RETURN_GENERATOR", stack="-- sent", makes_generator=True)
def return_generator(frame: Frame, arg: Any) -> Value:
    """None, which is sent first to the generator object that CPython makes here."""
    return NONE


@opcode("YIELD_VALUE", stack="value -- sent")
def yield_value(frame: Frame, arg: Any, value: Value) -> Value:
    """Hand out an element; whoever asks for the next one puts what the frame is sent in the place of this None."""
    frame.yielded = value
    return NONE


@opcode("GET_YIELD_FROM_ITER", stack="value -- iterator")
def get_yield_from_iter(frame: Frame, arg: Any, value: Value) -> Value:
    """The iterator that a `yield from` hands on, before CPython 3.15."""
    return iterator_of(frame.trace, value)


_RETURNED = f"{ITERATOR} sent -- value" if current().send_pops else f"{ITERATOR} sent -- {ITERATOR} value"


@opcode(
    "SEND",
    stack=f"*{ITERATOR} sent -- {ITERATOR} element", jump=_RETURNED, jumps=True, delegates=True, resume=False,
)  # fmt: skip
def send(frame: Frame, arg: int) -> None:
    """The next element of the iterator below; where it ends, what it returned, and on behind the loop."""
    sent, iterator = frame.stack[-1], frame.stack[-1 - current().iterator_slots]
    if not isinstance(iterator, Iterator) or sent is None:
        raise iterator.unsupported("yield from") if iterator else frame.pop().unsupported("yield from")
    try:
        element = send_to(iterator, sent)
    except StopIteration as end:
        end_delegation(frame, arg, end.value or NONE)
    else:
        frame.stack[-1] = element


def send_to(iterator: Iterator, sent: Value) -> Value:
    """The next element of an iterator that is sent a value. Errors: StopIteration with a traced value at the end."""
    if isinstance(iterator, GeneratorValue):
        return iterator.send(sent)
    if not is_none(sent):
        raise ProgramRaised(AttributeError(f"{iterator.python_type.__name__!r} object has no attribute 'send'"))
    return next(iterator)


def end_delegation(frame: Frame, target: int, value: Value) -> None:
    """Leave the loop of a `yield from` with its value."""
    frame.stack.pop()
    if current().send_pops:
        del frame.stack[-current().iterator_slots :]
    frame.push(value)
    frame.jump(target)


@opcode("END_SEND", stack=f"{ITERATOR} value -- value")
def end_send(frame: Frame, arg: Any, *slots: Value) -> Value:
    """Drop the iterator below the value of a `yield from`."""
    return slots[-1]
