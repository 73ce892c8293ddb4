"""The rules of functions and methods about exceptions."""

from __future__ import annotations

import functools
import sys
import traceback
import types
from typing import TYPE_CHECKING, Any

from ..breaks import UNKNOWN_CALL, ProgramRaised
from ..tracing.rules import Rule, checked_call, traces, traces_family
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import NONE, Constant, is_none
from ..values.containers.sequences import ListValue, TupleValue
from ..values.functions.generators import GeneratorState
from ..values.objects.context_managers import exit_arguments
from ..values.objects.exceptions import ExceptionValue, Traceback
from ..values.objects.raise_exception import handled, is_exception_class, is_made_by, nothing_is_handled
from ..values.objects.wrong_answers import error_of

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def _handled(trace: Trace, name: str) -> ExceptionValue | None:
    found = handled(trace)
    if found is None and not nothing_is_handled(trace):
        raise UNKNOWN_CALL.stop(name=f"{name} where no exception is handled")  # the caller may be handling one
    return found


@traces(sys.exc_info)
def exc_info(trace: Trace) -> Value:
    """`sys.exc_info`."""
    found = _handled(trace, "sys.exc_info")
    return TupleValue(exit_arguments(found))


@traces(sys.exception)
def exception(trace: Trace) -> Value:
    """`sys.exception`."""
    return _handled(trace, "sys.exception") or NONE


def _receiver(value: Value, name: str) -> ExceptionValue:
    if not isinstance(value, ExceptionValue):
        raise value.unsupported(name)
    return value


@traces(BaseException.add_note)
def add_note(trace: Trace, owner: Value, note: Value, /) -> Value:
    """`BaseException.add_note`."""
    text = note.constant(trace)
    if not isinstance(text, str):
        raise ProgramRaised(error_of(lambda: Exception().add_note(text)))
    notes = _receiver(owner, "add_note").table.items.setdefault("__notes__", ListValue([]))
    if not isinstance(notes, ListValue):
        raise notes.unsupported("add_note")
    notes.changing().append(Constant(text))
    return NONE


@traces(BaseException.with_traceback)
def with_traceback(trace: Trace, owner: Value, tb: Value, /) -> Value:
    """`BaseException.with_traceback`."""
    exception = _receiver(owner, "with_traceback")
    exception.set_traceback(tb)
    return exception


@traces(traceback.clear_frames)
def clear_frames(trace: Trace, tb: Value) -> Value:
    """`traceback.clear_frames`: frames of the trace that have ended hold nothing, those that run are left alone."""
    if not isinstance(tb, Traceback) and not is_none(tb):
        raise tb.unsupported("clear_frames")
    if any(each.state is GeneratorState.SUSPENDED for each in trace.generators):
        raise UNKNOWN_CALL.stop(name="traceback.clear_frames, which may end a generator")
    return NONE


def _init(trace: Trace, owner: Value, *args: Value) -> Value:
    _receiver(owner, "__init__").args = TupleValue(list(args))
    return NONE


_METHODS: dict[str, Rule] = {
    "__init__": _init,
    "__str__": lambda trace, owner: _receiver(owner, "__str__").text(trace),
    "__repr__": lambda trace, owner: _receiver(owner, "__repr__").representation(trace),
}


@traces_family
def find_new(function: Any) -> Rule | None:
    """The rules for `__new__` of the built-in exceptions, as that of a subclass calls it."""
    base = getattr(function, "__self__", None) if isinstance(function, types.BuiltinMethodType) else None
    if not isinstance(base, type) or not issubclass(base, BaseException) or function.__name__ != "__new__":
        return None
    return _rule_for_new(function)


@functools.cache
def _rule_for_new(function: types.BuiltinMethodType) -> Rule:
    base: Any = function.__self__

    def rule(trace: Trace, cls: Value, /, *args: Value) -> Value:
        fits = isinstance(cls, BuiltinCallable) and is_exception_class(cls) and is_made_by(trace, base, cls.function)
        if not isinstance(cls, BuiltinCallable) or not fits:
            raise UNKNOWN_CALL.stop(name=f"{base.__name__}.__new__ in this form")
        return ExceptionValue(cls.function, list(args))

    return functools.partial(checked_call, f"{base.__name__}.__new__", rule)


@traces_family
def find_exception_method(function: Any) -> Rule | None:
    """The rules for `__init__` of the built-in exceptions, as their subclasses call it."""
    if not isinstance(function, types.WrapperDescriptorType) or not issubclass(function.__objclass__, BaseException):
        return None
    if issubclass(function.__objclass__, (OSError, ImportError, SyntaxError, UnicodeError)):
        return None
    rule = _METHODS.get(function.__name__)
    return None if rule is None else functools.partial(checked_call, function.__name__, rule)
