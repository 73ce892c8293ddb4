"""The way of an exception of the traced program: to a handler of the frame, or out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..breaks import HANDLED, ProgramRaised, Unwinding
from ..bytecode.opcode_table import traits_of
from ..values.constant import Constant
from ..values.numbers.input_scalar import rely_on_all_types
from ..values.objects.exceptions import Traceback
from ..values.objects.raise_exception import carried, exception_of, follow

if TYPE_CHECKING:
    from ..bytecode.decode import Instruction
    from .frame import Frame


def unwind(frame: Frame, instruction: Instruction, stop: Unwinding) -> None:
    """Make the frame go on at the handler of `instruction`. Errors: `stop` itself, when that leaves the frame."""
    stop.inside = stop.inside or len(frame.trace.progress.frames) > 1
    if stop.location is None and (not frame.ours or len(frame.trace.progress.frames) == 1):
        stop.location = frame.trace.progress.location
        stop.columns = instruction.columns
    if not isinstance(stop, ProgramRaised):
        if stop.program_raises and instruction.handled:
            raise HANDLED.stop(**dict(stop.as_break().details)).at(stop) from None
        raise stop
    rely_on_all_types(frame.trace)
    exception = carried(frame.trace, stop)
    traits = traits_of(instruction.name)
    if not (traits.raises_again or traits.raises and not instruction.arg):
        exception.traceback = Traceback()  # which begins in this frame now
    handler = instruction.handler
    if handler is None:
        raise stop
    assert len(frame.stack) >= handler.depth, "the value stack is too short"
    del frame.stack[handler.depth :]
    if handler.push_place:
        frame.push(Constant(frame.position - 1))
    frame.push(exception)
    frame.jump(handler.target)
    if frame.trace.progress.provenance is not None and frame is frame.trace.progress.root:
        frame.trace.progress.provenance.note_caught(frame)


def throw(frame: Frame, instruction: Instruction, stop: Unwinding) -> None:
    """Unwind what a generator is made to raise: its context is the exception that the generator handles, if any."""
    if isinstance(stop, ProgramRaised):
        exception = exception_of(frame.trace, stop.error)
        exception.raised, exception.traceback = stop, Traceback()
        if frame.handling is not None:
            follow(exception, frame.handling)
    unwind(frame, instruction, stop)
