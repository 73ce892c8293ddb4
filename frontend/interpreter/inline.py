"""Calls of Python functions: arguments bound by Python's own rules, then the body evaluated in a new frame."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ... import autograd
from ...core.config import config
from ..breaks import DEEP_CALL, GENERATOR, LIBRARY, RAISES, GraphBreak, raised
from ..jit import GENERATOR_FLAGS
from ..tracing.inline_policy import is_followed
from ..values.base import Value
from ..values.containers.dicts import DictValue
from ..values.containers.sequences import TupleValue
from ..values.functions.functions import Function
from ..values.functions.generators import Generator
from .signatures import call_error

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def inline(trace: Trace, function: Function, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The result of a call, its body traced in place; a generator's body is traced as it is asked for elements.

    Errors: a break for wrong arguments, coroutines, deep nesting.
    """
    from ..control_flow.elements.evaluator import evaluate_call
    from ..python.stdlib.functools_singledispatch import rule_by_code
    from .frame import Frame

    if trace.tape.called is not None:
        trace.tape.called.append(function.real)
    rule = rule_by_code(function.code)
    if rule is not None:
        return rule(trace, function, args, kwargs)
    if function.code.co_flags & GENERATOR_FLAGS & ~inspect.CO_GENERATOR:
        raise GENERATOR.stop(name=function.name)
    if not is_followed(function.scope.globals()):
        raise LIBRARY.stop(name=function.name)
    if len(trace.frames) >= config.inline_limit:
        raise DEEP_CALL.stop(limit=config.inline_limit, name=function.name)
    arguments = bind(function, args, kwargs)
    frame = Frame(trace, function.code, arguments, function.scope)
    if function.code.co_flags & inspect.CO_GENERATOR and trace.region is None:
        return Generator(trace, frame, function, arguments)
    if trace.region is not None:
        return evaluate_call(frame, trace.region)
    try:
        return frame.run()
    except GraphBreak as stop:
        stop.in_walk = stop.in_walk or _is_of_autograd(function)
        raise


def _is_of_autograd(function: Function) -> bool:
    """Whether it is code of ours that may look at the nodes of a history, which have to be those of eager mode then."""
    return str(function.scope.globals().get("__name__")).startswith(autograd.__name__ + ".")


def bind(function: Function, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """The local variables a call starts with. Errors: a break where Python raises TypeError."""
    try:
        return _bound(function, args, kwargs)
    except GraphBreak as stop:
        defaults = len(function.defaults.items) if isinstance(function.defaults, TupleValue) else 0
        known = function.keyword_defaults.items if isinstance(function.keyword_defaults, DictValue) else {}
        error = call_error(function.code, function.name, len(args), kwargs, defaults, known)
        raise (stop if error is None else raised(error)) from None


def _bound(function: Function, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
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
    function: Function, bound: dict[str, Value], positional: tuple[str, ...], keyword_only: tuple[str, ...]
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


def _wrong(function: Function, text: str) -> Exception:
    return RAISES.stop(error=f"TypeError: {function.name}() got {text}")
