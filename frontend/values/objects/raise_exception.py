"""Raising exceptions in the traced program: making them, chaining them, and carrying them to their handlers."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Handling
from ...breaks import UNKNOWN_CALL, GraphBreak, ProgramRaised
from ...bytecode.opcode_table import traits_of
from ..base import OpaqueValue, Value, wrap
from ..builtin_callable import BuiltinCallable
from ..constant import Constant
from ..containers.element_protocol import constant_value
from ..containers.sequences import TupleValue
from .classes import ABSENT, class_attribute
from .exceptions import ExceptionValue, Traceback, Unraised, layout_of
from .type_flags import HEAP_TYPE

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_SPECIAL = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError, BaseExceptionGroup)
"""Classes whose objects are more than their arguments."""


def is_exception_class(value: Value) -> bool:
    """Whether a value is a class of exceptions."""
    return (
        isinstance(value, BuiltinCallable)
        and isinstance(value.function, type)
        and issubclass(value.function, BaseException)
    )


def make(trace: Trace, kind: type[BaseException], args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The result of calling an exception class. Errors: a break where what that does is not followed."""
    if not _is_followed(trace, kind, args):
        in_c = not kind.__flags__ & HEAP_TYPE
        if not (in_c and issubclass(kind, OSError) or _is_raised_next(trace)):
            raise UNKNOWN_CALL.stop(name=kind.__name__)
        return Unraised(kind)
    exception = _new(trace, kind, args, kwargs)
    if not isinstance(exception, ExceptionValue) or not issubclass(exception.kind, kind):
        return exception
    found, source = class_attribute(trace, exception.kind, "__init__")
    if not isinstance(found, types.FunctionType):
        exception.args = TupleValue(args)
        return Unraised(kind) if kwargs else exception
    try:
        if wrap(trace, found, source).call(trace, [exception, *args], kwargs).python_type is not type(None):
            raise exception.unsupported("an __init__ that does not return None")
    except GraphBreak as stop:
        if stop.program_raises or not _is_raised_next(trace):
            raise
        return Unraised(kind)  # the trace ends here in any case, with Python raising the exception
    return exception


def _new(trace: Trace, kind: type[BaseException], args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The result of the class's `__new__`."""
    found, source = class_attribute(trace, kind, "__new__")
    if not isinstance(found, staticmethod):
        return ExceptionValue(kind, args)
    trace.guard(Is, source, expected=found)
    function = wrap(trace, found.__func__, Attribute(source, "__func__"))
    made = BuiltinCallable(kind, ConstantSource(kind, kind.__qualname__))
    return function.call(trace, [made, *args], kwargs)


def is_made_by(trace: Trace, base: type, kind: type[BaseException]) -> bool:
    """Whether the `__new__` of `base`, a class in C, may make objects of this class, and there is a rule for that."""
    fits = issubclass(kind, base) and layout_of(kind).__new__.__self__ is base  # type: ignore[attr-defined]
    return fits and not issubclass(kind, OSError) and _is_followed(trace, kind, [])


def _is_followed(trace: Trace, kind: type[BaseException], args: list[Value]) -> bool:
    # The class of an OSError depends on its first two arguments; a SyntaxError spreads the second over attributes.
    if type(kind) is not type or issubclass(kind, _SPECIAL):
        return False
    if len(args) > 1 and issubclass(kind, (OSError, SyntaxError)):
        return False
    if issubclass(kind, SyntaxError) and isinstance(class_attribute(trace, kind, "__init__")[0], types.FunctionType):
        return False
    new = class_attribute(trace, kind, "__new__")[0]
    in_python = isinstance(new, staticmethod) and isinstance(new.__func__, types.FunctionType)
    is_known = in_python or isinstance(new, types.BuiltinMethodType)
    return is_known and class_attribute(trace, kind, "__del__")[0] is ABSENT


def _is_raised_next(trace: Trace) -> bool:
    """Whether nothing but the making of a cause stands between here and a `raise`."""
    frame = trace.progress.frames[-1]
    for each in frame.code.instructions[frame.position :]:
        traits = traits_of(each.name)
        if traits.raises:
            return True
        if not (traits.prepares_call or traits.calls or each.name.startswith(("LOAD_", "PUSH_", "CALL_"))):
            return False
    return False


def instantiate(trace: Trace, value: Value) -> Value | None:
    """The exception that `raise value` means: the object itself, or a new one of a class; None if it is neither."""
    if is_exception_class(value):
        value = value.call(trace, [], {})
    if isinstance(value, (ExceptionValue, Unraised)):
        return value
    if isinstance(value, OpaqueValue) or issubclass(value.python_type, BaseException):
        return Unraised(BaseException)
    return None


def as_raised(trace: Trace, exception: ExceptionValue) -> ProgramRaised:
    """The `ProgramRaised` that carries an exception of the traced program out of a frame."""
    trace.exceptions[id(exception.shadow)] = exception
    return ProgramRaised(exception.shadow, exception.describe())


def exception_of(trace: Trace, error: BaseException) -> ExceptionValue:
    """The traced exception that a real one stands for, see Note [Shadows]."""
    known = trace.exceptions.get(id(error))
    if known is None:
        args = [each if isinstance(each, Value) else constant_value(each) for each in error.args]
        known = trace.exceptions[id(error)] = ExceptionValue(type(error), args, error)
        if error.__cause__ is not None:
            known.set_cause(exception_of(trace, error.__cause__))
        known.suppresses_context = error.__suppress_context__
    return known


def carried(trace: Trace, raised: ProgramRaised) -> ExceptionValue:
    """The traced exception that is being raised."""
    exception = exception_of(trace, raised.error)
    if exception.raised is None:
        note_raise(trace, exception, raised)
    return exception


def nothing_is_handled(trace: Trace) -> bool:
    """Whether the caller handles no exception; where the traced program does not either, there is none."""
    if trace.handled_before is None:
        trace.guard(Is, Handling(), expected=None)
    return trace.handled_before is None


def matches(trace: Trace, exception: ExceptionValue, kinds: Value) -> bool:
    """Whether the exception is of one of these classes, a class or a tuple of classes."""
    listed = kinds.items if isinstance(kinds, TupleValue) else [kinds]
    for each in listed:
        if not isinstance(each, (BuiltinCallable, Constant, TupleValue)):
            raise each.unsupported("an except clause")
        if not is_exception_class(each):
            raise ProgramRaised(TypeError("catching classes that do not inherit from BaseException is not allowed"))
    if exception.kind.__flags__ & HEAP_TYPE:
        pinned = ConstantSource(exception.kind, exception.kind.__qualname__)
        trace.guard(Is, Attribute(pinned, "__mro__"), expected=exception.kind.__mro__)
    return any(each.function in exception.kind.__mro__ for each in listed if isinstance(each, BuiltinCallable))


def note_raise(trace: Trace, exception: ExceptionValue, raised: ProgramRaised) -> None:
    """Make `stop` what carries the exception from here on; what is being handled becomes its context."""
    exception.raised, exception.traceback = raised, Traceback()
    before = handled(trace)
    if exception.shadow.__cause__ is not None:
        exception.context, exception.context_is_known = exception.cause, True
    elif before is None:
        exception.context_is_known = False  # the caller may be handling one
    else:
        follow(exception, before)


def follow(exception: ExceptionValue, before: ExceptionValue) -> None:
    """Make the exception that is being handled the context of one that is raised."""
    if before is not exception:
        _cut_cycle(before, exception)
        exception.context, exception.context_is_known = before, True


def _cut_cycle(chain: ExceptionValue, exception: ExceptionValue) -> None:
    each: ExceptionValue | None = chain
    while each is not None and each.context is not None:
        if each.context is exception:
            each.context = None
        each = each.context


def handled(trace: Trace) -> ExceptionValue | None:
    """The exception that is being handled here; None when the traced program handles none."""
    return next((frame.handling for frame in reversed(trace.progress.frames) if frame.handling is not None), None)
