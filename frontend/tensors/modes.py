"""Grad modes while tracing: `with no_grad():` and its relatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...autograd.modes import MODES, enable_grad, is_grad_enabled, no_grad
from ...guards.guard import Is
from ...guards.sources import Attribute, Pinned
from ..breaks import TENSOR_FEATURE
from ..callables import traces
from ..values.base import Value
from ..values.constant import NONE, Constant

if TYPE_CHECKING:
    from ..trace import Trace


class TapeContext(Value):
    """A context under which a field of the tape has another value."""

    __slots__ = ("before", "field", "kind")

    def __init__(self, kind: type, field: str) -> None:
        self.kind = kind
        self.field = field
        self.before: list[Any] = []

    @property
    def python_type(self) -> type:
        return self.kind

    def setting(self, trace: Trace) -> Any:
        """The value that the field has inside."""
        raise NotImplementedError

    def enter(self, trace: Trace) -> tuple[Value, Value]:
        inside = self.setting(trace)
        self.before.append(getattr(trace.tape, self.field))
        setattr(trace.tape, self.field, inside)
        return Leaving(self), NONE


class Leaving(Value):
    """The bound `__exit__` of such a context."""

    __slots__ = ("context",)

    def __init__(self, context: TapeContext) -> None:
        self.context = context

    @property
    def python_type(self) -> type:
        raise self.unsupported("the type")

    def describe(self) -> str:
        return "an __exit__"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        setattr(trace.tape, self.context.field, self.context.before.pop())
        return NONE


class GradMode(TapeContext):
    """A context under which recording is on or off."""

    __slots__ = ("mode",)

    def __init__(self, kind: type, mode: bool) -> None:
        super().__init__(kind, "enabled")
        self.mode = mode

    def setting(self, trace: Trace) -> bool:
        return self.mode


INFERENCE = Attribute(Pinned(MODES, "inference mode"), "inference")


def _outside_of_inference_mode(trace: Trace) -> None:
    """Errors: a break in inference mode, where grad mode says nothing about recording."""
    trace.guard(Is, INFERENCE, expected=MODES.inference)
    if MODES.inference:
        raise TENSOR_FEATURE.stop(feature="grad mode inside of inference mode")


@traces(no_grad)
def trace_no_grad(trace: Trace) -> Value:
    """`no_grad()`."""
    return GradMode(no_grad, False)


@traces(enable_grad)
def trace_enable_grad(trace: Trace) -> Value:
    """`enable_grad()`."""
    _outside_of_inference_mode(trace)
    return GradMode(enable_grad, True)


@traces(is_grad_enabled)
def trace_is_grad_enabled(trace: Trace) -> Value:
    """`is_grad_enabled()`, which depends on the mode around the call."""
    from ..values.outside import GRAD_MODE

    _outside_of_inference_mode(trace)
    trace.guard(Is, GRAD_MODE, expected=trace.initial_grad_mode)
    return Constant(trace.tape.enabled)
