"""Calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..breaks import OPCODE, RAISES, TYPE_PARAMETERS
from ..bytecode.opcode_table import opcode
from ..bytecode.versions import current
from ..python.iteration import tuple_items
from ..python.operators import operate_unary
from ..tracing.control import why_disabled
from ..tracing.rules import rule_for
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import TupleValue
from ..values.functions.functions import BoundMethod, FunctionValue
from ..values.late_text import texts_for
from ..values.objects.user_object import UserObject
from .exceptions import as_runtime_error

if TYPE_CHECKING:
    from ..interpreter.frame import Frame
    from ..tracing.trace import Trace


@opcode("KW_NAMES", stack="--", in_region=True, prepares_call=True)
def kw_names(frame: Frame, arg: tuple[str, ...]) -> None:
    """Names for the last arguments of the call that follows."""
    frame.keyword_names = arg


@opcode("CALL", stack="first second args[arg] -- result", in_region=True, calls=True)
def call(frame: Frame, arg: int, first: Value | None, second: Value | None, args: list[Value]) -> Value:
    """A call of the value below the arguments; the other slot is NULL or a receiver."""
    names, frame.keyword_names = frame.keyword_names, ()
    return _call(frame, first, second, args, names)


@opcode("CALL_KW", stack="first second args[arg] names -- result", in_region=True, calls=True)
def call_kw(
    frame: Frame, arg: int, first: Value | None, second: Value | None, args: list[Value], names: Value
) -> Value:
    """A call with the names of its last arguments on the stack."""
    return _call(frame, first, second, args, names.constant(frame.trace))


def _call(frame: Frame, first: Value | None, second: Value | None, args: list[Value], names: tuple[str, ...]) -> Value:
    # Either slot may be the NULL; with two values the deeper one is called, the other is its first argument.
    callable, args = (first, [second, *args]) if first is not None and second is not None else (first or second, args)
    assert callable is not None
    split = len(args) - len(names)
    keywords = dict(zip(names, args[split:], strict=True))
    return _called(frame.trace, callable, args[:split], keywords)  # type: ignore[arg-type]


def _called(trace: Trace, callable: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
    known = texts_for(trace, [*args, *keywords.values()], lambda: _hands_over(callable))
    count = len(args)
    return callable.call(trace, known[:count], dict(zip(keywords, known[count:], strict=True)))


def _hands_over(callable: Value) -> bool:
    """Whether a call of this binds its arguments to variables, or is left to Python."""
    if isinstance(callable, BoundMethod):
        callable = callable.function
    if isinstance(callable, BuiltinCallable):
        return why_disabled(callable.function) is not None or rule_for(callable.function) is None
    return isinstance(callable, FunctionValue)


_KEYWORDS = "maybe" if current().keywords_or_null else "kwargs[arg & 1]"


@opcode("CALL_FUNCTION_EX", stack=f"*first second args {_KEYWORDS} -- result", calls=True)
def call_function_ex(frame: Frame, arg: int | None) -> None:
    """A call with `*args` and perhaps `**kwargs`."""
    keywords = frame.stack.pop() if arg is None or arg & 1 else None
    positional = frame.pop()
    first, second = frame.stack.pop(), frame.stack.pop()
    callable = first or second
    assert callable is not None
    if keywords is not None and not isinstance(keywords, DictValue):
        raise keywords.unsupported("** unpacking")
    named = dict(keywords.items) if isinstance(keywords, DictValue) else {}
    if not all(type(name) is str for name in named):
        raise RAISES.stop(error="TypeError: keywords must be strings")
    frame.push(_called(frame.trace, callable, _arguments(frame.trace, positional), named))


def _arguments(trace: Trace, positional: Value) -> list[Value]:
    return tuple_items(trace, positional) if isinstance(positional, UserObject) else positional.elements(trace)


INTRINSICS: dict[str, Callable[[Frame, Value], Value]] = {
    "INTRINSIC_LIST_TO_TUPLE": lambda frame, value: TupleValue(value.elements(frame.trace)),
    "INTRINSIC_UNARY_POSITIVE": lambda frame, value: operate_unary(frame.trace, "+", value),
    "INTRINSIC_STOPITERATION_ERROR": as_runtime_error,
}

TYPE_PARAMETER_INTRINSICS = frozenset(
    f"INTRINSIC_{name}" for name in ("TYPEVAR", "PARAMSPEC", "TYPEVARTUPLE", "SUBSCRIPT_GENERIC", "TYPEALIAS")
)


@opcode("CALL_INTRINSIC_1", stack="value -- result")
def call_intrinsic_1(frame: Frame, arg: Any, value: Value) -> Value:
    """A function of the interpreter's own."""
    rule = INTRINSICS.get(arg.name)
    if arg.name in TYPE_PARAMETER_INTRINSICS:
        raise TYPE_PARAMETERS.stop()
    if rule is None:
        raise OPCODE.stop(name=f"CALL_INTRINSIC_1 {arg.name}")
    return rule(frame, value)
