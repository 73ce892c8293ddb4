"""The rules of contextlib's functions and classes."""

from __future__ import annotations

import contextlib
import types
from typing import TYPE_CHECKING, Any

from ....guards.guard import Is, TypeIs
from ....guards.sources import Attribute, Item, Source
from ...tracing.rules import traces
from ...values.base import Value, wrap, wraps_when
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import NONE
from ...values.containers.dicts import DictValue
from ...values.containers.sequences import TupleValue
from ...values.functions.generators import GeneratorValue
from ...values.objects.context_managers import Closing, GeneratorManager, Null, Stack, Suppress

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_MANAGER = contextlib._GeneratorContextManager


_CLASSES = (contextlib.nullcontext, contextlib.suppress, contextlib.closing, contextlib.ExitStack, _MANAGER)


@wraps_when(lambda value: any(value is each for each in _CLASSES), first=True)
def wrap_class(trace: Trace, value: Any, source: Source) -> Value:
    """A class of contextlib, whose metaclass is none that the tracer looks into."""
    trace.guard(Is, source, expected=value)
    return BuiltinCallable(value, source)


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


class Decorator(Value):
    """A manager from outside that `@contextmanager` made and that decorates a function: each call makes it anew."""

    def __init__(self, source: Source, function: Value, args: Value, kwds: Value) -> None:
        self.source = source
        self.parts = (function, args, kwds)

    @property
    def python_type(self) -> type:
        return _MANAGER

    def enter(self, trace: Trace) -> tuple[Value, Value]:
        raise self.unsupported("a with statement")  # it serves once, which is a change of the object

    def attribute(self, trace: Trace, name: str) -> Value:
        if name != "_recreate_cm":
            raise self.unsupported(f"the attribute {name!r}")
        return Recreate(self)


class Recreate(Value):
    """The bound method by which such a manager makes another one."""

    def __init__(self, owner: Decorator) -> None:
        self.owner = owner

    @property
    def python_type(self) -> type:
        return types.MethodType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        return generator_manager(trace, *self.owner.parts)


@wraps_when(lambda value: type(value) is _MANAGER and "func" in vars(value), first=True)
def wrap_manager(trace: Trace, value: Any, source: Source) -> Value:
    """A manager that was not entered yet."""
    trace.guard(TypeIs, source, expected=_MANAGER)
    own = Attribute(source, "__dict__")
    parts = [wrap(trace, vars(value)[name], Item(own, name)) for name in ("func", "args", "kwds")]
    return Decorator(source, *parts)
