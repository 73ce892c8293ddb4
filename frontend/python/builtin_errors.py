"""Errors of built-in callables on known values of built-in types: tracing makes the real call, to get them."""

# Note [Calls that raise]
# The rules cover calls as programs write them. A call that none covers may be one that Python refuses, with an error of
# its own. So where a rule breaks the graph and all that the call is given is known and of built-in types, the callable
# itself is asked, on objects made for that: it runs no code of the user's. Only its errors are taken.

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from typing import Any

from ...core.asynchronous import is_asynchronous
from ..breaks import NUMPY_ARGUMENT, RAISES, UNKNOWN_CALL, UNKNOWN_VALUE, GraphBreak, ProgramRaised, Unwinding
from ..values.base import Value
from ..values.builtin_callable import BuiltinCallable
from ..values.constant import LITERALS, Constant
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import ListValue, TupleValue
from ..values.containers.sets import SetValue

_UNCOVERED = (NUMPY_ARGUMENT, UNKNOWN_CALL, UNKNOWN_VALUE, RAISES)
_ERRORS = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError)
_TYPES = frozenset({bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset, slice, range})
_TYPES |= {enumerate, zip, map, filter, reversed}
_MODULES = frozenset({"math", "cmath", "_operator"})
_BUILT_IN = frozenset(
    getattr(builtins, name)
    for name in """
    abs all any ascii bin callable chr delattr divmod format getattr hasattr hash hex isinstance issubclass iter len max
    min next oct ord pow repr round setattr sorted sum
    """.split()
)
_LARGEST = 1 << 20
"""The largest int that is handed on: some functions would make as many elements, or as many digits."""

_LONGEST = 640
"""The longest text: what `int` makes of longer ones depends on a limit that can be set."""


_DEEPEST = 20
"""The deepest nesting of containers; one that holds itself has no end."""


class Unfit(Exception):
    """A value that is not known, or not of a built-in type."""


def resolve_call_error(stop: GraphBreak, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Unwinding:
    """The error that `function` raises on these arguments; `stop` where it raises nothing, or is not asked."""
    return _asked(stop, function, args, kwargs) if _is_pure(function, args) else stop


def resolve_method_error(
    stop: GraphBreak, kind: type, name: str, args: list[Value], kwargs: dict[str, Value]
) -> Unwinding:
    """The error that a method of a built-in type raises, called on the first of `args`; `stop` where there is none."""
    if name in ("encode", "decode"):
        return stop  # a codec is found by functions that anybody can register
    return _asked(stop, getattr(kind, name), args, kwargs)


def _is_pure(function: Any, args: list[Value]) -> bool:
    """Whether a call on values of built-in types depends on nothing else, and changes nothing else."""
    if isinstance(function, type):
        names_codec = any(each.python_type is str for each in args[1:])  # found by functions that anybody can register
        return function in _TYPES and not (function in (str, bytes) and names_codec)
    if type(function) is not types.BuiltinFunctionType:
        return False
    return function in _BUILT_IN or getattr(function.__self__, "__name__", None) in _MODULES


def _asked(stop: GraphBreak, function: Callable[..., Any], args: list[Value], kwargs: dict[str, Value]) -> Unwinding:
    if stop.kind not in _UNCOVERED:
        return stop
    try:
        given, named = [_real(each) for each in args], {name: _real(each) for name, each in kwargs.items()}
        before = repr((given, named))
    except Unfit:
        return stop
    try:
        function(*given, **named)
    except _ERRORS as error:
        whole = repr((given, named)) == before and all(type(each) in LITERALS for each in error.args)
        return ProgramRaised(error.with_traceback(None)) if whole else stop
    except Exception as error:
        if is_asynchronous(error):
            raise
        return stop
    return stop


def _real(value: Value, depth: int = 0) -> Any:
    """A new object like the value. Errors: `Unfit`."""
    if depth > _DEEPEST:
        raise Unfit
    if type(value) is Constant and type(value.value) in LITERALS:
        if type(value.value) is int and abs(value.value) > _LARGEST:
            raise Unfit
        if type(value.value) in (str, bytes) and len(value.value) > _LONGEST:
            raise Unfit
        return value.value
    if isinstance(value, BuiltinCallable) and isinstance(value.function, type) and value.function in _TYPES:
        return value.function
    if type(value) is TupleValue:
        return tuple(_real(each, depth + 1) for each in value.items)
    if type(value) is ListValue and value.source is None:
        return [_real(each, depth + 1) for each in value.items]
    if type(value) is DictValue and value.source is None and all(type(key) in LITERALS for key in value.items):
        return {key: _real(each, depth + 1) for key, each in value.items.items()}
    if type(value) is SetValue and value.source is None and all(type(each) in LITERALS for each in value.real):
        return value.real.copy()
    raise Unfit
