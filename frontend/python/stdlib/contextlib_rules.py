"""The rules of contextlib's functions and classes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE
from ...values.containers.dicts import DictValue
from ...values.containers.sequences import TupleValue
from ...values.functions.generators import GeneratorValue
from ...values.objects.context_managers import Closing, GeneratorManager, Null, Stack, Suppress

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_MANAGER = contextlib._GeneratorContextManager


@traces(contextlib.nullcontext)
def nullcontext(trace: Trace, enter_result: Value = NONE) -> Value:
    """`contextlib.nullcontext`."""
    return Null(enter_result)


@traces(contextlib.suppress)
def suppress(trace: Trace, *exceptions: Value) -> Value:
    """`contextlib.suppress`."""
    return Suppress(TupleValue(list(exceptions)))


@traces(contextlib.closing)
def closing(trace: Trace, thing: Value) -> Value:
    """`contextlib.closing`."""
    return Closing(thing)


@traces(contextlib.ExitStack)
def exit_stack(trace: Trace) -> Value:
    """`contextlib.ExitStack`."""
    return Stack()


@traces(_MANAGER)
def generator_manager(trace: Trace, func: Value, args: Value, kwds: Value) -> Value:
    """The context manager that a function under `@contextlib.contextmanager` makes."""
    assert isinstance(args, TupleValue) and isinstance(kwds, DictValue)
    generator = func.call(trace, list(args.items), dict(kwds.items))
    if not isinstance(generator, GeneratorValue):
        raise generator.unsupported("a with statement")
    return GeneratorManager(generator)
