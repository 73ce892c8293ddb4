"""Generators as traced values: a frame that is evaluated as far as somebody asks it for elements."""

from __future__ import annotations

import types
from enum import Enum
from typing import TYPE_CHECKING

from ....core.config import config
from ....guards.sources import Attribute
from ...breaks import DEEP_CALL, OPEN_GENERATOR, ProgramRaised, Unwinding
from ...bytecode.versions import current
from .. import protocols
from ..base import Value, wrap
from ..constant import NONE, Constant
from ..containers.iterators import Iterator, OwnIterator, ends_iteration
from .functions import FunctionValue
from .scopes import OuterScope

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace


class GeneratorState(Enum):
    """The position at which a generator stands."""

    UNSTARTED = "not started"
    SUSPENDED = "at a yield"
    RUNNING = "running"
    FINISHED = "finished"


class GeneratorValue(Iterator):
    """A generator made in the trace. `arguments` are the local variables its call started with."""

    def __init__(self, trace: Trace, frame: Frame, function: FunctionValue, arguments: dict[str, Value]) -> None:
        super().__init__(iter(()), types.GeneratorType)
        self.trace = trace
        self.frame = frame
        self.function = function
        self.arguments = arguments
        self.state = GeneratorState.UNSTARTED
        trace.generators.append(self)

    def describe(self) -> str:
        return f"the generator {self.function.name}"

    def __next__(self) -> Value:
        self.advanced += 1
        return self.send(NONE)

    # What may be done to one. Each gives the element yielded next; a real StopIteration carries the value returned.
    def send(self, value: Value) -> Value:
        """The generator's next element, after its `yield` has given `value`."""
        if self.state is GeneratorState.UNSTARTED and not is_none(value):
            raise ProgramRaised(TypeError("can't send non-None value to a just-started generator"))
        return self._go_on(value)

    def throw(self, thrown: Unwinding) -> Value:
        """The next element, after the `yield` where the generator stands has raised the error of `thrown`."""
        self._refuse_running()
        if self.state is not GeneratorState.SUSPENDED:
            if (
                self.state is GeneratorState.UNSTARTED
                and ends_iteration(thrown)
                and not current().throw_before_start_is_bare
            ):
                thrown = _as_runtime_error(thrown)
            self.state = GeneratorState.FINISHED
            raise thrown
        inner = self.frame.delegate()
        if inner is None:
            return self._go_on(NONE, thrown)
        if isinstance(inner, GeneratorValue):
            return self._throw_into(inner, thrown)
        if (
            isinstance(inner, OwnIterator)
            or not isinstance(inner, Iterator)
            or not isinstance(thrown, ProgramRaised)
            or ends_iteration(thrown)
        ):
            raise self.unsupported("throw() where it delegates")
        return self._go_on(NONE, thrown)

    def _throw_into(self, inner: GeneratorValue, thrown: Unwinding) -> Value:
        self.state = GeneratorState.RUNNING
        try:
            if not _is_exit(thrown):
                return inner.throw(thrown)
            inner.close()
        except StopIteration as end:
            self.state = GeneratorState.SUSPENDED
            self.frame.leave_delegate(end.value or NONE)
            return self._go_on(None)
        except Unwinding as stop:
            if not stop.program_raises:
                raise
            thrown = stop
        finally:
            self.state = GeneratorState.SUSPENDED if self.state is GeneratorState.RUNNING else self.state
        return self._go_on(NONE, thrown)

    def close(self) -> Value:
        """The result of `close()`, after the generator has ended."""
        self._refuse_running()
        if self.state is not GeneratorState.SUSPENDED:
            self.state = GeneratorState.FINISHED
            return NONE
        try:
            self.throw(ProgramRaised(GeneratorExit()))
        except StopIteration as end:
            return end.value if current().close_gives_value and end.value else NONE
        except ProgramRaised as raised:
            if _is_exit(raised):
                return NONE
            raise
        raise ProgramRaised(RuntimeError("generator ignored GeneratorExit"))

    def _refuse_running(self) -> None:
        if self.state is GeneratorState.RUNNING:
            raise ProgramRaised(ValueError("generator already executing"))

    def _go_on(self, sent: Value | None, thrown: Unwinding | None = None) -> Value:
        self._refuse_running()
        if self.state is GeneratorState.FINISHED:
            raise StopIteration
        if len(self.trace.progress.frames) >= config.inline_limit:
            raise DEEP_CALL.stop(limit=config.inline_limit, name=self.function.name)
        started, self.state = self.state is GeneratorState.SUSPENDED, GeneratorState.RUNNING
        try:
            element = self.frame.resume(sent if started else None, thrown)
        except Unwinding as stop:
            self.state = GeneratorState.FINISHED
            raise (_as_runtime_error(stop) if ends_iteration(stop) else stop) from None
        if element is None:
            self.state = GeneratorState.FINISHED
            raise StopIteration(self.frame.returned)
        self.state = GeneratorState.SUSPENDED
        return element

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "gi_running":
            return Constant(self.state is GeneratorState.RUNNING)
        if name == "gi_suspended":
            return Constant(self.state is GeneratorState.SUSPENDED)
        if name == "gi_frame" and self.state is GeneratorState.FINISHED:
            return NONE
        if name == "gi_yieldfrom":
            return (self.frame.delegate() if self.state is GeneratorState.SUSPENDED else None) or NONE
        if name in ("__name__", "__qualname__"):
            return self._name(trace, name)
        if name in ("send", "throw", "close"):
            return protocols.iterator_method(self, name)
        return super().attribute(trace, name)

    def _name(self, trace: Trace, name: str) -> Value:
        scope, source = self.function.scope, self.function.source
        if isinstance(scope, OuterScope) and source is not None:  # its function may have been given another one
            return wrap(trace, getattr(scope.function, name), Attribute(source, name))
        if self.function.wrapped is not None:
            raise self.unsupported(f"the attribute {name!r}")
        return Constant(self.function.name if name == "__qualname__" else self.function.code.co_name)

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: protocols.rebuild_generator(writer, self))


def is_none(value: Value) -> bool:
    """Whether the value is known to be None."""
    return isinstance(value, Constant) and value.value is None


def _is_exit(stop: Unwinding) -> bool:
    return isinstance(stop, ProgramRaised) and isinstance(stop.error, GeneratorExit)


def _as_runtime_error(raised: ProgramRaised) -> ProgramRaised:
    error = RuntimeError("generator raised StopIteration")
    error.__cause__ = error.__context__ = raised.error
    return ProgramRaised(error).at(raised)


def refuse_open(trace: Trace, kept: set[int]) -> None:
    """Nothing, if no generator but those kept (by identity) stands where its end would run code of the user's.

    Errors: a break for one inside a `try` or `with`: Python runs the rest of that when the generator is dropped.
    """
    for each in trace.generators:
        if each.state is not GeneratorState.SUSPENDED or id(each) in kept:
            continue
        if each.frame.present.handled or isinstance(each.frame.delegate(), OwnIterator):  # which may have a close()
            raise OPEN_GENERATOR.stop(name=each.function.name)
