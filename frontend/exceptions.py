"""The rules of functions and methods about exceptions."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

from .breaks import UNKNOWN_CALL, raised
from .callables import Rule, traces, traces_family
from .raising import handled
from .values.base import Value
from .values.constant import NONE, Constant
from .values.containers import ListValue, TupleValue
from .values.exceptions import ExceptionValue, Traceback
from .values.known import Known

if TYPE_CHECKING:
    from .trace import Trace


def _handled(trace: Trace, name: str) -> ExceptionValue:
    found = handled(trace)
    if found is None:
        raise UNKNOWN_CALL.stop(name=f"{name} where no exception is handled")  # the caller may be handling one
    return found


@traces(sys.exc_info)
def exc_info(trace: Trace) -> Value:
    """`sys.exc_info`."""
    found = _handled(trace, "sys.exc_info")
    return TupleValue([Known(found.kind), found, Traceback()])


@traces(sys.exception)
def exception(trace: Trace) -> Value:
    """`sys.exception`."""
    return _handled(trace, "sys.exception")


def _receiver(value: Value, name: str) -> ExceptionValue:
    if not isinstance(value, ExceptionValue):
        raise value.unsupported(name)
    return value


@traces(BaseException.add_note)
def add_note(trace: Trace, owner: Value, note: Value, /) -> Value:
    """`BaseException.add_note`."""
    text = note.constant(trace)
    if not isinstance(text, str):
        raise raised(TypeError(f"note must be a str, not '{type(text).__name__}'"))
    notes = _receiver(owner, "add_note").table.items.setdefault("__notes__", ListValue([]))
    if not isinstance(notes, ListValue):
        raise notes.unsupported("add_note")
    notes.changing().append(Constant(text))
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
def find_exception_method(function: Any) -> Rule | None:
    """The rules for `__init__` of the built-in exceptions, as their subclasses call it."""
    if not isinstance(function, types.WrapperDescriptorType) or not issubclass(function.__objclass__, BaseException):
        return None
    if issubclass(function.__objclass__, (OSError, ImportError, SyntaxError, UnicodeError, BaseExceptionGroup)):
        return None
    return _METHODS.get(function.__name__)
