"""The way of an exception of the traced program: to a handler of the frame, or out of it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from ..breaks import HANDLED, MANAGER, ProgramRaised, Unwinding
from ..bytecode.opcode_table import traits_of
from ..tracing.inline_policy import ENDS_OF_CONTEXTS
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
    if stop.location is None and (frame.users or len(frame.trace.progress.frames) == 1):
        stop.location = frame.trace.progress.location
        stop.columns = instruction.columns
    if not isinstance(stop, ProgramRaised):
        if stop.location is None and not stop.program_raises and frame.code.raw.co_name in ENDS_OF_CONTEXTS:
            raise MANAGER.stop(manager=_name_of_manager(frame)) from None
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


def _name_of_manager(frame: Frame) -> str:
    """The name of the context manager of which a frame runs a method: of a generator's, the function's."""
    manager = frame.variables.get(frame.code.raw.co_varnames[0])
    real = getattr(manager, "value", None)
    if isinstance(real, contextlib._GeneratorContextManager):
        return str(getattr(real.gen, "__qualname__", "contextmanager"))
    return manager.python_type.__qualname__ if manager is not None else "manager"


def throw(frame: Frame, instruction: Instruction, stop: Unwinding) -> None:
    """Unwind what a generator is made to raise: its context is the exception that the generator handles, if any."""
    if isinstance(stop, ProgramRaised):
        exception = exception_of(frame.trace, stop.error)
        exception.raised, exception.traceback = stop, Traceback()
        if frame.handling is not None:
            follow(exception, frame.handling)
    unwind(frame, instruction, stop)
