"""Raising and handling exceptions. Which handler one goes to is the table's to say (see `interpreter.unwind`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..breaks import RAISES, ProgramRaised, Unwinding
from ..bytecode.opcode_table import ITERATOR, opcode
from ..bytecode.versions import current
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import NONE, Constant
from ..values.objects.exceptions import ExceptionValue, Unraised
from ..values.objects.raise_exception import as_raised, handled, instantiate, matches, note_raise, nothing_is_handled

if TYPE_CHECKING:
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace


@opcode("LOAD_ASSERTION_ERROR", stack="-- error")
def load_assertion_error(frame: Frame, arg: Any) -> Value:
    """The class of the error of an assertion that fails."""
    return BuiltinCallable(AssertionError)


@opcode("RAISE_VARARGS", stack="parts[arg] --", raises=True)
def raise_varargs(frame: Frame, arg: int, parts: list[Value]) -> None:
    """The `raise` statement: bare, of an exception, or of one with its cause."""
    trace = frame.trace
    if not parts:
        present = handled(trace)
        if present is None and nothing_is_handled(trace):
            raise ProgramRaised(RuntimeError("No active exception to reraise"))
        raise _again(trace, present)
    exception = instantiate(trace, parts[0])
    if exception is None:
        raise ProgramRaised(TypeError("exceptions must derive from BaseException"))
    cause = _cause(trace, parts[1]) if arg == 2 else None
    if not isinstance(exception, ExceptionValue) or isinstance(cause, Unraised):
        raise RAISES.stop(error=exception.describe())
    if cause is not None:
        exception.set_cause(cause)
    raised = as_raised(trace, exception)
    note_raise(trace, exception, raised)
    raise raised


def _cause(trace: Trace, value: Value) -> Value:
    if isinstance(value, Constant) and value.value is None:
        return NONE
    cause = instantiate(trace, value)
    if cause is None:
        raise ProgramRaised(TypeError("exception causes must derive from BaseException"))
    return cause


def _again(trace: Trace, exception: Value | None) -> Unwinding:
    """The `Unwinding` that carries an exception out of a frame, once more."""
    if not isinstance(exception, ExceptionValue):
        return RAISES.stop(error="an exception again")  # one that the caller handles, perhaps
    assert exception.raised is not None, "nothing is handled that was not raised"
    return exception.raised.with_traceback(None)


@opcode("RERAISE", stack="exception --", raises_again=True)
def reraise(frame: Frame, arg: Any, exception: Value) -> None:
    """Raise again an exception that no handler took."""
    raise _again(frame.trace, exception)


@opcode("PUSH_EXC_INFO", stack="exception -- inner inner", handling=1)
def push_exc_info(frame: Frame, arg: Any, exception: Value) -> tuple[Value, Value]:
    """A handler begins; what was being handled before lies below the exception."""
    assert isinstance(exception, ExceptionValue)
    before, frame.handling = frame.handling, exception
    return before or NONE, exception


@opcode("POP_EXCEPT", stack="before --", handling=-1)
def pop_except(frame: Frame, arg: Any, before: Value) -> None:
    """A handler ends."""
    frame.handling = before if isinstance(before, ExceptionValue) else None


@opcode("CHECK_EXC_MATCH", stack="exception kinds -- exception matches")
def check_exc_match(frame: Frame, arg: Any, exception: Value, kinds: Value) -> tuple[Value, Value]:
    """Whether an `except` clause takes the exception."""
    assert isinstance(exception, ExceptionValue)
    return exception, Constant(matches(frame.trace, exception, kinds))


_LEAVING = ("exit receiver" if current().exit_and_receiver else "exit") + " place before exception"


@opcode("WITH_EXCEPT_START", stack=f"*{_LEAVING} -- {_LEAVING} swallows")
def with_except_start(frame: Frame, arg: Any) -> None:
    """Call the exit of a context that an exception leaves. Should it raise, the stack is to be as it was."""
    *above, _, _, exception = frame.stack[-len(_LEAVING.split()) :]
    leave, *receiver = [each for each in above if each is not None]
    assert isinstance(exception, ExceptionValue)
    frame.push(leave.call(frame.trace, [*receiver, *exception.information()], {}))


_NOTHING = [None] * (current().iterator_slots - 1)
"""The slots above an iterator, and above the None that stands for one that ended."""


@opcode("CLEANUP_THROW", stack=f"{ITERATOR} sent exception -- {ITERATOR} value", raises_again=True)
def cleanup_throw(frame: Frame, arg: Any, *slots: Value) -> tuple[Value | None, ...]:
    """The result of what is thrown into a `yield from`: its value at the end of the iterator, else the exception."""
    exception = slots[-1]
    assert isinstance(exception, ExceptionValue)
    if not issubclass(exception.kind, StopIteration):
        raise _again(frame.trace, exception)
    return NONE, *_NOTHING, exception.attribute(frame.trace, "value")


def as_runtime_error(frame: Frame, value: Value) -> Value:
    """The exception that leaves a generator which raises `value`: StopIteration would end the loop that asks."""
    assert isinstance(value, ExceptionValue)
    if not issubclass(value.kind, StopIteration):
        return value
    made = ExceptionValue(RuntimeError, [Constant("generator raised StopIteration")])
    made.set_cause(value)
    note_raise(frame.trace, made, as_raised(frame.trace, made))
    made.context, made.context_is_known = value, True
    return made
