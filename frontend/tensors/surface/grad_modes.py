"""Grad mode and inference mode while tracing: their contexts, as objects, as decorators, and set by a plain call."""

# Note [Modes that are set by a call]
# `set_grad_enabled(mode)` sets the mode at once, and it stays. While tracing nothing outside is touched: the tape has
# the mode from there on, and the entry code sets it for good behind the plan, before it makes any tensor: new tensors
# are of the kind that belongs to that mode, and each that is not is told. The same holds where a part of a function
# ends inside of a `with` statement, or begins there and leaves it: then `__exit__` is called on an object from outside.

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ....autograd.inference import inference_mode, is_inference, is_inference_mode_enabled, put_modes
from ....autograd.modes import MODES, _GradMode, enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from ....core.records import dataclass
from ....guards.guard import Is, TypeIs
from ....guards.sources import Attribute, Named
from ...breaks import PART_MODE, RAISES, TENSOR_FEATURE, Unwinding
from ...bytecode.code_flags import GENERATOR_FLAGS
from ...tracing.rules import traces
from ...values.base import Value, wrap, wraps
from ...values.constant import NONE, TRUE, Constant
from ...values.functions.functions import FunctionValue
from ...values.tensors.inference_mode import is_inference as is_inference_tensor
from ...values.tensors.inference_mode import rely_on_kind, rely_on_mode
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ....guards.sources import Source
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.tape import TapeState
    from ...tracing.trace import Trace


class TapeContext(Value):
    """A context under which a field of the tape has another value.

    What was before is kept by what leaves it, not here: either arm of a branch may leave it.
    """

    __slots__ = ("field", "kind")

    def __init__(self, kind: type, field: str) -> None:
        self.kind = kind
        self.field = field

    @property
    def python_type(self) -> type:
        return self.kind

    def setting(self, trace: Trace) -> Any:
        """The value that the field has inside."""
        raise NotImplementedError

    def enter(self, trace: Trace) -> tuple[Leaving, Value]:
        """A pair: the value that leaves the context, and the one that it gives inside."""
        inside, before = self.setting(trace), getattr(trace.tape, self.field)
        setattr(trace.tape, self.field, inside)
        return Leaving(self, before), NONE

    def leave(self, trace: Trace, before: Any) -> None:
        """Sets the tape's field back to the value that it had before."""
        setattr(trace.tape, self.field, before)


class Leaving(Value):
    """The bound `__exit__` of such a context. before: what it puts back."""

    __slots__ = ("before", "context")

    def __init__(self, context: TapeContext, before: Any) -> None:
        self.context = context
        self.before = before

    @property
    def python_type(self) -> type:
        raise self.unsupported("the type")

    def describe(self) -> str:
        return "an __exit__"

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        self.context.leave(trace, self.before)
        return NONE


@dataclass(frozen=True)
class Modes:
    """The three modes of a tape: those of a thread in `autograd.modes`."""

    inference: bool
    enabled: bool
    asked: bool

    @classmethod
    def of(cls, tape: TapeState) -> Modes:
        """The present modes of a tape."""
        return cls(tape.inference, tape.enabled, tape.asked)

    @property
    def grad(self) -> bool:
        """The answer of `is_grad_enabled()`."""
        return self.asked if self.inference else self.enabled

    def put(self, trace: Trace) -> None:
        """Sets those of the trace. Errors: a break where inference mode would be switched in a part traced once."""
        tape = trace.tape
        if trace.iterations and tape.inference is not self.inference:
            raise PART_MODE.stop(mode="inference mode switched in a loop or a branch that is compiled as one")
        tape.inference, tape.enabled, tape.asked = self.inference, self.enabled, self.asked

    def with_grad(self, mode: bool) -> Modes:
        """These, with grad mode set: in inference mode nothing is recorded all the same."""
        return Modes(True, False, mode) if self.inference else Modes(False, mode, self.asked)


class Mode(TapeContext):
    """An object that is a context of a grad mode, or of inference mode, and a decorator too."""

    __slots__ = ("mode", "real", "source")

    def __init__(self, kind: type, mode: bool, source: Source | None = None, real: Any = None) -> None:
        super().__init__(kind, "")
        self.mode = mode
        self.source = source
        self.real = real

    def fresh(self, trace: Trace) -> Mode:
        """Another one of the same mode, as `clone()` gives it."""
        return type(self)(self.kind, self.mode)

    def attribute(self, trace: Trace, name: str) -> Value:
        if name == "clone":
            return Clone(self)
        if name == "mode":
            return Constant(self.mode)
        raise self.unsupported(f"the attribute {name!r}")

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if len(args) != 1 or kwargs or not isinstance(args[0], FunctionValue):
            raise self.unsupported("a call with these arguments")
        return UnderMode(args[0], self)


def _refuse_forward(trace: Trace, mode: bool) -> None:
    """Errors: a break where grad mode is turned off while derivatives are carried forward, which eager mode refuses."""
    if mode:
        return
    from ...values.tensors.input_tensors import GRAD_STATE

    under_way = Named(Attribute(GRAD_STATE, "tangents"), "the number of derivatives that are carried forward")
    trace.guard(Is, under_way, expected=MODES.tangents)
    if trace.batches.tangents or MODES.tangents:
        raise RAISES.stop(
            error="RuntimeError: grad mode was turned off inside of a function whose derivative is carried forward"
        )


class GradMode(Mode):
    """`no_grad()` or `enable_grad()`."""

    __slots__ = ()

    def enter(self, trace: Trace) -> tuple[Leaving, Value]:
        _refuse_forward(trace, self.mode)
        now = Modes.of(trace.tape)
        now.with_grad(self.mode).put(trace)
        return Leaving(self, now.grad), NONE

    def leave(self, trace: Trace, before: bool) -> None:
        Modes.of(trace.tape).with_grad(before).put(trace)


class SetMode(Mode):
    """`set_grad_enabled(mode)`: as a context it puts back, on leaving, the mode from before it was made.

    before: that mode, of an object that is made in the call.
    """

    __slots__ = ("before",)

    def __init__(
        self, kind: type, mode: bool, source: Source | None = None, real: Any = None, *, before: bool = False
    ) -> None:
        super().__init__(kind, mode, source, real)
        self.before = before

    def enter(self, trace: Trace) -> tuple[Leaving, Value]:
        if self.source is not None:
            raise self.unsupported("a with statement")  # it would put back a mode of long ago
        set_mode(trace, self.mode)
        return Leaving(self, self.before), NONE

    def leave(self, trace: Trace, before: bool) -> None:
        set_mode(trace, before)

    def fresh(self, trace: Trace) -> Mode:
        return GradMode(enable_grad if self.mode else no_grad, self.mode)

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if self.source is not None:
            raise self.unsupported("a call")
        found = super().call(trace, args, kwargs)
        set_mode(trace, self.before)
        return found


class InferenceMode(Mode):
    """`inference_mode(mode)`."""

    __slots__ = ()

    def enter(self, trace: Trace) -> tuple[Leaving, Value]:
        rely_on_mode(trace)
        if trace.deferred is not None:
            raise TENSOR_FEATURE.stop(feature="inference mode in a backward() outside of the call")
        before = Modes.of(trace.tape)
        Modes(self.mode, not self.mode, False).put(trace)
        return Leaving(self, before), NONE

    def leave(self, trace: Trace, before: Modes) -> None:
        before.put(trace)


class Clone(Value):
    """The bound method `clone` of such an object."""

    __slots__ = ("owner",)

    def __init__(self, owner: Mode) -> None:
        self.owner = owner

    @property
    def python_type(self) -> type:
        return types.MethodType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        if args or kwargs:
            raise self.unsupported("a call with these arguments")
        return self.owner.fresh(trace)


class UnderMode(Value):
    """A function under such an object as its decorator: each call runs inside a fresh context."""

    __slots__ = ("function", "owner")

    def __init__(self, function: FunctionValue, owner: Mode) -> None:
        self.function = function
        self.owner = owner
        if function.code.co_flags & GENERATOR_FLAGS:  # of a generator, each step would be
            raise self.unsupported("a generator function")

    @property
    def python_type(self) -> type:
        return types.FunctionType

    def call(self, trace: Trace, args: list[Value], kwargs: dict[str, Value]) -> Value:
        leave, _ = self.owner.fresh(trace).enter(trace)
        try:
            found = self.function.call(trace, args, kwargs)
        except Unwinding:
            leave.call(trace, [], {})  # the program may raise, and go on
            raise
        leave.call(trace, [], {})
        return found


def set_mode(trace: Trace, mode: bool) -> None:
    """Sets grad mode at once. Errors: a break where that would have to be undone, or done by a backward() later."""
    tape = trace.tape
    if trace.iterations or trace.deferred is not None or tape.in_custom_backward or tape.in_hook or tape.written:
        raise PART_MODE.stop(mode="set_grad_enabled() in a loop or a branch that is compiled as one, or in a backward")
    Modes.of(tape).with_grad(mode).put(trace)


def mode_statements(writer: EntryWriter) -> list[str]:
    """The statements that leave grad mode as the call has set it. See Note [Modes that are set by a call]."""
    trace = writer.trace
    wanted = Modes.of(trace.tape)
    if (wanted.inference, wanted.grad) == (trace.tape.initial_inference, _initial_grad(trace)):
        return []
    return [f"{writer.pool.add(put_modes)}({wanted.inference}, {wanted.grad})"]


def _initial_grad(trace: Trace) -> bool:
    return trace.tape.initial_asked if trace.tape.initial_inference else trace.tape.initial_enabled


def _decorating(trace: Trace, owner: Mode, function: Value) -> Value:
    """The context, or the decorated function where it was made of one."""
    return owner if function is NONE else owner.call(trace, [function], {})


@traces(no_grad)
def trace_no_grad(trace: Trace, function: Value = NONE) -> Value:
    """`no_grad()`."""
    return _decorating(trace, GradMode(no_grad, False), function)


@traces(enable_grad)
def trace_enable_grad(trace: Trace, function: Value = NONE) -> Value:
    """`enable_grad()`."""
    rely_on_mode(trace)
    return _decorating(trace, GradMode(enable_grad, True), function)


@traces(set_grad_enabled)
def trace_set_grad_enabled(trace: Trace, mode: Value) -> Value:
    """`set_grad_enabled(mode)`."""
    _refuse_forward(trace, mode.truth(trace))
    _rely_on_grad_mode(trace)
    made = SetMode(set_grad_enabled, mode.truth(trace), before=Modes.of(trace.tape).grad)
    set_mode(trace, made.mode)
    return made


@traces(inference_mode)
def trace_inference_mode(trace: Trace, mode: Value = TRUE) -> Value:
    """`inference_mode(mode)`, or that of a function."""
    if isinstance(mode, FunctionValue):
        return InferenceMode(inference_mode, True).call(trace, [mode], {})
    return InferenceMode(inference_mode, mode.truth(trace))


@wraps(no_grad, enable_grad, set_grad_enabled, inference_mode)
def wrap_mode(trace: Trace, value: Any, source: Source) -> Value:
    """An object from before the call."""
    trace.guard(TypeIs, source, expected=type(value))
    if type(value) in (set_grad_enabled, inference_mode):
        trace.guard(Is, Attribute(source, "mode"), expected=value.mode)
    if type(value) is inference_mode:
        return InferenceMode(inference_mode, value.mode, source, value)
    if type(value) is set_grad_enabled:
        return SetMode(set_grad_enabled, value.mode, source, value)
    if type(value) is enable_grad:
        rely_on_mode(trace)
    return GradMode(type(value), value.mode, source, value)


def put_back(trace: Trace, owner: Mode, place: int) -> Any:
    """The modes before, as kept by an object from outside; they leave its list where they are the last there."""
    assert owner.source is not None
    held = wrap(trace, owner.real.before, Attribute(owner.source, "before"))
    if place == 0:
        return held.item(trace, Constant(0)).constant(trace)
    return held.attribute(trace, "pop").call(trace, [], {}).constant(trace)


def _exit(trace: Trace, owner: Value, kind: Value, error: Value, where: Value) -> Value:
    """`__exit__` of an object from outside that was entered before."""
    if not isinstance(owner, Mode) or owner.source is None:
        raise owner.unsupported("a call of __exit__")
    _rely_on_grad_mode(trace)
    if isinstance(owner, InferenceMode):
        Modes(*put_back(trace, owner, -1)).put(trace)
    else:
        before = put_back(trace, owner, 0 if isinstance(owner, SetMode) else -1)
        set_mode(trace, bool(before))
    return NONE


traces(*{vars(cls)["__exit__"] for cls in (inference_mode, set_grad_enabled, _GradMode)})(_exit)


def _rely_on_grad_mode(trace: Trace) -> None:
    from ...values.tensors.input_tensors import GRAD_MODE, GRAD_STATE

    rely_on_mode(trace)
    trace.guard(Is, GRAD_MODE, expected=trace.tape.initial_enabled)
    if trace.tape.initial_inference:
        asked = Named(Attribute(GRAD_STATE, "asked"), "gl.is_grad_enabled()")
        trace.guard(Is, asked, expected=trace.tape.initial_asked)


@traces(is_grad_enabled)
def trace_is_grad_enabled(trace: Trace) -> Value:
    """`is_grad_enabled()`, which depends on the modes around the call."""
    _rely_on_grad_mode(trace)
    return Constant(Modes.of(trace.tape).grad)


@traces(is_inference_mode_enabled)
def trace_is_inference_mode_enabled(trace: Trace) -> Value:
    """`is_inference_mode_enabled()`."""
    rely_on_mode(trace)
    return Constant(trace.tape.inference)


@traces(is_inference)
def trace_is_inference(trace: Trace, tensor: Value) -> Value:
    """`is_inference(tensor)`, and the method."""
    if not isinstance(tensor, TensorValue):
        raise tensor.unsupported("is_inference()")
    rely_on_kind(trace, tensor.root)
    rely_on_mode(trace)
    return Constant(is_inference_tensor(tensor.root))
