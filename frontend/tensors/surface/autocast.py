"""Autocast while tracing: its contexts, what functions of the surface find of it, and what is guarded."""

# Note [Autocast in a trace]
# Functions of the surface run natively, so what they find in the thread is a `TracedAutocast`: it answers with the
# state of the trace, and makes the trace rely on the one around the call. Casts of parameters are kept as in eager
# mode, but not beyond the part of a function, loop or branch that is compiled as one.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....amp.autocast_mode import (
    KINDS,
    NARROW,
    autocast,
    get_autocast_dtype,
    inside,
    is_autocast_enabled,
    unknown_device,
    unsupported_dtype,
)
from ....core import dtypes
from ....core.dtypes import DType
from ....guards.guard import Is, TypeIs
from ....guards.sources import Attribute, ConstantSource, Named
from ....tensor.autocast import AUTOCAST, DEFAULT, AutocastState
from ....tensor.conversion import to
from ...breaks import RAISES, TENSOR_FEATURE, WARNING_GIVEN
from ...tracing.rules import traces
from ...tracing.tape import UNKNOWN
from ...values.base import Value, wraps
from ...values.constant import NONE, TRUE, Constant, is_none
from ...values.tensors.tensor import TensorValue
from .grad_modes import Clone, Leaving, Mode, put_back

if TYPE_CHECKING:
    from ....guards.sources import Source
    from ...tracing.trace import Trace

STATE = Named(Attribute(ConstantSource(AUTOCAST, "autocast"), "state"), "gl.autocast() around the call")


def rely_on_autocast(trace: Trace) -> AutocastState | None:
    """The state in force at this place of the trace; that around the call is guarded.

    Errors: a break in a deferred trace of a call under autocast, which may run under another, or none.
    """
    tape = trace.tape
    if trace.deferred is None or tape.initial_autocast is None:
        trace.guard(Is, STATE, expected=tape.initial_autocast)
    elif tape.autocast is UNKNOWN:
        raise TENSOR_FEATURE.stop(
            feature="a backward outside of the call that depends on autocast; decorate it with gl.amp.custom_bwd"
        )
    return tape.autocast


class TracedAutocast:
    """Stands for the state of a thread while a trace runs functions of the surface."""

    __slots__ = ("trace",)

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def in_force(self) -> AutocastState | None:
        """The state at this place of the trace."""
        return rely_on_autocast(self.trace)

    def cast(self, x: TensorValue, dtype: DType) -> Any:
        """A tensor in `dtype`, one and the same for each use of a parameter. See Note [Casts that are kept]."""
        trace = self.trace
        state = trace.tape.autocast
        assert state is not None
        kept = state.cache_enabled and x.dtype is dtypes.float32 and dtype is state.on(str(x.device)).dtype
        if not kept or not x.requires_grad or not x.is_leaf or x.array.path or trace.iterations:
            return to(x, dtype)
        nodes, version = trace.builder.nodes, x.array.storage.version
        found = trace.tape.casts.get(x.root)
        if found is not None:
            value, place, node, *facts = found
            if facts == [version, dtype, trace.builder] and place < len(nodes) and nodes[place] is node:
                return value
        made = to(x, dtype)
        node = made.read()
        if made.requires_grad and nodes and nodes[-1] is node:
            trace.tape.casts[x.root] = made, len(nodes) - 1, node, version, dtype, trace.builder
        return made


class Autocast(Mode):
    """`autocast(...)`; its mode is the kind of device, whether it is on, the dtype, and whether casts are kept."""

    __slots__ = ()
    mode: Any

    def attribute(self, trace: Trace, name: str) -> Value:
        place = {"device": 0, "_enabled": 1, "fast_dtype": 2, "_cache_enabled": 3}.get(name)
        if name == "clone":
            return Clone(self)
        if place is None:
            raise self.unsupported(f"the attribute {name!r}")
        return Constant(self.mode[place])

    def enter(self, trace: Trace) -> tuple[Leaving, Value]:
        before = trace.tape.autocast
        around = DEFAULT if before is UNKNOWN else rely_on_autocast(trace) or DEFAULT
        device, enabled, dtype, cache_enabled = self.mode
        trace.tape.autocast = inside(around, device, enabled, dtype, cache_enabled)
        return Leaving(self, before), self

    def leave(self, trace: Trace, before: AutocastState | None) -> None:
        trace.tape.autocast = before
        if before is None:
            trace.tape.casts.clear()


@traces(autocast)
def trace_autocast(
    trace: Trace, device_type: Value, dtype: Value = NONE, enabled: Value = TRUE, cache_enabled: Value = NONE
) -> Value:
    """`autocast(device_type, dtype, enabled, cache_enabled)`. Errors: a break for what it refuses or warns of."""
    device = device_type.constant(trace)
    if device not in KINDS:
        raise RAISES.stop(error=f"RuntimeError: {unknown_device(device)}")
    later = trace.tape.autocast is UNKNOWN and not is_none(dtype)  # nothing else than its dtype matters then
    state = DEFAULT if later else rely_on_autocast(trace) or DEFAULT
    narrow = state.on(device).dtype if is_none(dtype) else dtype.constant(trace)
    on = enabled.truth(trace)
    if on and narrow not in NARROW:
        raise WARNING_GIVEN.stop(text=unsupported_dtype(device, narrow))
    kept = state.cache_enabled if is_none(cache_enabled) else cache_enabled.truth(trace)
    return Autocast(autocast, (device, on, narrow, kept))  # type: ignore[arg-type]


@wraps(autocast)
def wrap_autocast(trace: Trace, value: Any, source: Source) -> Value:
    """An object from before the call."""
    trace.guard(TypeIs, source, expected=autocast)
    mode = []
    for name in ("device", "_enabled", "fast_dtype", "_cache_enabled"):
        mode.append(getattr(value, name))
        trace.guard(Is, Attribute(source, name), expected=mode[-1])
    return Autocast(autocast, tuple(mode), source, value)  # type: ignore[arg-type]


@wraps(AutocastState)
def wrap_state(trace: Trace, value: Any, source: Source) -> Value:
    """A state, by identity."""
    trace.guard(Is, source, expected=value)
    return Constant(value, source)


@traces(vars(autocast)["__exit__"])
def _exit(trace: Trace, owner: Value, kind: Value, error: Value, where: Value) -> Value:
    if not isinstance(owner, Autocast) or owner.source is None:
        raise owner.unsupported("a call of __exit__")
    rely_on_autocast(trace)
    owner.leave(trace, put_back(trace, owner, -1))
    return NONE


def _on(trace: Trace, device_type: Value) -> Any:
    device = device_type.constant(trace)
    if device not in KINDS:
        raise RAISES.stop(error=f"RuntimeError: {unknown_device(device)}")
    return (rely_on_autocast(trace) or DEFAULT).on(device)


@traces(is_autocast_enabled)
def trace_is_autocast_enabled(trace: Trace, device_type: Value = Constant("cuda")) -> Value:  # noqa: B008  (a constant)
    """`is_autocast_enabled(device_type)`."""
    return Constant(_on(trace, device_type).enabled)


@traces(get_autocast_dtype)
def trace_get_autocast_dtype(trace: Trace, device_type: Value) -> Value:
    """`get_autocast_dtype(device_type)`."""
    return Constant(_on(trace, device_type).dtype)
