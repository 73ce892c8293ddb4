"""The arguments of a call as the variables that the function starts with, by Python's own rules."""

from __future__ import annotations

from ...breaks import RAISES, ProgramRaised, Unwinding
from ..base import Value
from ..containers.dicts import DictValue
from ..containers.sequences import TupleValue
from .call_errors import call_error
from .functions import FunctionValue


def bind(function: FunctionValue, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """The local variables a call starts with. Errors: a break where Python raises TypeError."""
    try:
        return _bound(function, args, kwargs)
    except Unwinding as stop:
        defaults = len(function.defaults.items) if isinstance(function.defaults, TupleValue) else 0
        known = function.keyword_defaults.items if isinstance(function.keyword_defaults, DictValue) else {}
        error = call_error(function.code, function.name, len(args), kwargs, defaults, known)
        raise (stop if error is None else ProgramRaised(error)) from None


def _bound(function: FunctionValue, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    code = function.code
    names = code.co_varnames
    positional = names[: code.co_argcount]
    keyword_only = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    extra = list(names[code.co_argcount + code.co_kwonlyargcount :])
    bound: dict[str, Value] = dict(zip(positional, args, strict=False))
    if code.co_flags & 0x04:
        bound[extra.pop(0)] = TupleValue(args[len(positional) :])
    elif len(args) > len(positional):
        raise _wrong(function, "too many positional arguments")
    by_keyword = set(positional[code.co_posonlyargcount :]) | set(keyword_only)
    unknown: dict[str, Value] = {}
    for name, value in kwargs.items():
        if name not in by_keyword:
            unknown[name] = value
        elif name in bound:
            raise _wrong(function, f"multiple values for {name!r}")
        else:
            bound[name] = value
    if code.co_flags & 0x08:
        bound[extra.pop(0)] = DictValue(dict(unknown))
    elif unknown:
        raise _wrong(function, f"an unexpected keyword argument {next(iter(unknown))!r}")
    _fill_defaults(function, bound, positional, keyword_only)
    return bound


def _fill_defaults(
    function: FunctionValue, bound: dict[str, Value], positional: tuple[str, ...], keyword_only: tuple[str, ...]
) -> None:
    defaults = function.defaults.items if isinstance(function.defaults, TupleValue) else []
    for name, value in zip(positional[len(positional) - len(defaults) :], defaults, strict=True):
        bound.setdefault(name, value)
    if isinstance(function.keyword_defaults, DictValue):
        for name, value in function.keyword_defaults.items.items():
            bound.setdefault(name, value)
    missing = [name for name in (*positional, *keyword_only) if name not in bound]
    if missing:
        raise _wrong(function, f"missing {', '.join(map(repr, missing))}")


def _wrong(function: FunctionValue, text: str) -> Exception:
    return RAISES.stop(error=f"TypeError: {function.name}() got {text}")
