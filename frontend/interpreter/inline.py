"""Calls of Python functions: arguments bound by Python's own rules, then the body evaluated in a new frame."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ...backend.status_line import doing
from ...core.config import config
from ...core.package import PACKAGE
from ..breaks import DEEP_CALL, GENERATOR, LIBRARY, MANAGER, Unwinding
from ..bytecode.code_flags import GENERATOR_FLAGS
from ..control_flow.elements.evaluator import evaluate_call
from ..tracing.inline_policy import BLIND_TO_NODES, ENDS_OF_CONTEXTS, is_followed
from ..values.base import Value
from ..values.functions.call_binding import bind
from ..values.functions.functions import FunctionValue
from ..values.functions.generators import GeneratorValue
from .frame import Frame

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def inline(trace: Trace, function: FunctionValue, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The result of a call, its body traced in place; a generator's body is traced as it is asked for elements.

    Errors: a break for wrong arguments, coroutines, deep nesting.
    """
    if trace.tape.called is not None:
        trace.tape.called.append(function.real)
    if function.code.co_flags & GENERATOR_FLAGS & ~inspect.CO_GENERATOR:
        raise GENERATOR.stop(name=function.name)
    if not is_followed(function.scope.globals()):
        ends = function.code.co_name in ENDS_OF_CONTEXTS
        raise MANAGER.stop(manager=function.name.rpartition(".")[0]) if ends else LIBRARY.stop(name=function.name)
    if len(trace.progress.frames) >= config.inline_limit:
        raise DEEP_CALL.stop(limit=config.inline_limit, name=function.name)
    arguments = bind(function, args, kwargs)
    frame = Frame(trace, function.code, arguments, function.scope)
    doing("tracing")
    if function.code.co_flags & inspect.CO_GENERATOR and trace.region is None:
        return GeneratorValue(trace, frame, function, frame.begin_generator(arguments))
    if trace.region is not None:
        return evaluate_call(frame, trace.region)
    try:
        return frame.run()
    except Unwinding as stop:
        stop.in_backward = stop.in_backward or _is_of_autograd(function)
        raise


def _is_of_autograd(function: FunctionValue) -> bool:
    """Whether it is code of ours that may look at the nodes of a history, which have to be those of eager mode then."""
    if function.code in BLIND_TO_NODES or function.code.co_name in ENDS_OF_CONTEXTS:
        return False
    return str(function.scope.globals().get("__name__")).startswith(f"{PACKAGE}.autograd.")
