"""Custom functions while tracing: `forward` is followed where it is called, and what it gave goes on the tape.

What becomes of its results is said in `custom_results`, what a backward pass makes of the user's `backward` in
`custom_backward`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....autograd.function import Function, FunctionCtx, apply_function
from ....guards.guard import Is
from ...breaks import RAISES, SAVED_CHANGED, TENSOR_FEATURE, GraphBreak
from ...tracing.inline_policy import BLIND_TO_NODES
from ...tracing.rules import traces
from ...values.base import Value
from ...values.builtin_callable import BuiltinCallable
from ...values.constant import NONE
from ...values.containers.dicts import DictValue
from ...values.containers.element_protocol import constant_value
from ...values.containers.sequences import TupleValue
from ...values.functions.call_binding import bind
from ...values.functions.functions import FunctionValue as PythonFunction
from ...values.objects.classes import class_attribute
from ...values.tensors.inference_mode import refuse_saving
from ...values.tensors.tensor import TensorValue, fresh
from ..hooks.pack_unpack import PackedNow, pack_value, unpack_value
from ..hooks.purity import is_closed
from ..hooks.saved_tensor_hooks import pair_of
from .custom_backward import step_of
from .custom_context import ContextValue
from .custom_results import Outputs

if TYPE_CHECKING:
    from ....graph.node import Node
    from ...tracing.trace import Trace


BLIND_TO_NODES.add(vars(Function)["apply"].__func__.__code__)


@traces(vars(FunctionCtx)["saved_tensors"].fget)
def trace_saved_tensors(trace: Trace, ctx: Value) -> Value:
    """`ctx.saved_tensors`. Errors: a break where one of them has been written since."""
    if not isinstance(ctx, ContextValue):
        raise ctx.unsupported("the attribute 'saved_tensors'")
    for record in ctx.records:
        if record is not None and (record[0].array.storage, record[1].version) != record[1:]:
            raise SAVED_CHANGED.stop(name=record[0].describe())
    if ctx.packed:
        return TupleValue([NONE if packed is None else _unpacked(trace, ctx, packed) for packed in ctx.packed])
    return TupleValue([NONE if record is None else record[0] for record in ctx.records])


def _pack(trace: Trace, ctx: ContextValue, number: int) -> None:
    """Packs what forward has saved; an unpack of which it does not matter when it is followed is followed too."""
    pair = pair_of(trace, number)
    if pair.told:
        raise TENSOR_FEATURE.stop(feature="a custom autograd.Function under an inlined pack hook of two arguments")
    for each in ctx.tensors("to_save"):
        if not isinstance(each, TensorValue):
            ctx.packed.append(None)
            continue
        with trace.no_grad():
            node = each.read()
        packed = pack_value(trace, number, pair, node, None, each)
        ctx.packed.append(packed)
        if is_closed(pair.unpack):
            ctx.unpacked[packed] = unpack_value(trace, packed)


def _unpacked(trace: Trace, ctx: ContextValue, packed: PackedNow) -> TensorValue:
    """The tensor that `ctx.saved_tensors` has for one that was saved under inlined hooks. Nobody may write it."""
    if packed not in ctx.unpacked and trace.deferred is not None:
        raise TENSOR_FEATURE.stop(feature="an unpack hook that reads more than its argument, in a backward() outside")
    packing, result = ctx.unpacked.get(packed) or unpack_value(trace, packed)
    trace.tape.owned.add(packing.value)
    saved = packed.tensor
    assert saved is not None
    tensor = fresh(trace, packing.value, requires_grad=saved.requires_grad, leaf=saved.is_leaf, strides=result.strides)
    tensor.array.storage.handed_on = True
    return tensor


@traces(apply_function)
def trace_apply(trace: Trace, function: Value, args: Value, kwargs: Value) -> Value:
    """`Sub.apply(*args, **kwargs)`."""
    if (
        not isinstance(function, BuiltinCallable)
        or not isinstance(args, TupleValue)
        or not isinstance(kwargs, DictValue)
    ):
        raise TENSOR_FEATURE.stop(feature="a custom autograd.Function in this form")
    cls = function.function
    known = trace.speculation.not_inlined.get(cls)
    if known is not None:
        raise GraphBreak(known.kind, known.details)
    forward = function.attribute(trace, "forward")
    separate = _is_overridden(trace, cls, "setup_context")
    given = _by_position(forward, separate, args.items, kwargs.items) if separate or kwargs.items else args.items
    ctx = ContextValue()
    needs = [isinstance(each, TensorValue) and each.requires_grad for each in given]
    ctx.put(trace, "needs_input_grad", constant_value(tuple(needs)))
    recorded = trace.grad_enabled and any(needs)
    edges = _edges(trace, given) if recorded else ()
    older = len(trace.inputs.storages)
    found = _forward(trace, function, forward, ctx, given, separate)
    results = found.items if isinstance(found, TupleValue) else [found]
    outputs = Outputs(trace, ctx, given, recorded=recorded, older=trace.inputs.storages[:older])
    placed = outputs.place(results, separate=separate)
    if recorded:
        _record(trace, cls, ctx, given, edges, placed)
    for name in ("to_save", "dirty_tensors", "non_differentiable"):
        ctx.table.items[name] = TupleValue([])
    return TupleValue(placed) if isinstance(found, TupleValue) else placed[0]


def _is_overridden(trace: Trace, cls: type, name: str) -> bool:
    """Whether a custom function has its own `name`."""
    found, source = class_attribute(trace, cls, name)
    trace.guard(Is, source, expected=found)
    return found is not vars(Function)[name]


def _by_position(forward: Value, separate: bool, args: list[Value], kwargs: dict[Any, Value]) -> list[Value]:
    """All arguments of `forward` but `ctx`, defaults included. Errors: a break where Python raises."""
    if not isinstance(forward, PythonFunction):
        raise forward.unsupported("a call as the forward of a custom function")
    code = forward.code
    ctx = [] if separate else [NONE]
    bound = bind(forward, [*ctx, *args], kwargs)
    names = code.co_varnames
    positional = [bound[name] for name in names[: code.co_argcount]]
    extra = names[code.co_argcount + code.co_kwonlyargcount :]
    if code.co_flags & 0x04:
        rest = bound[extra[0]]
        assert isinstance(rest, TupleValue)
        positional += rest.items
    by_keyword = set(names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    if code.co_flags & 0x08 or not by_keyword.isdisjoint(kwargs):
        raise RAISES.stop(error="TypeError: apply() got keyword arguments which have no position in forward")
    return positional[len(ctx) :]


def _edges(trace: Trace, given: list[Value]) -> tuple[Node, ...]:
    """The nodes that gradients go to, one for each argument that requires grad, as they are before forward."""
    with trace.recording():
        return tuple(each.read() for each in given if isinstance(each, TensorValue) and each.requires_grad)


def _forward(
    trace: Trace, function: BuiltinCallable, forward: Value, ctx: ContextValue, given: list[Value], separate: bool
) -> Value:
    """The result of the user's forward; its `setup_context`, if there is one, has run by then."""
    before = trace.tape.written
    trace.tape.written = before | {each.root for each in given if isinstance(each, TensorValue)}
    try:
        with trace.no_grad():
            if not separate:
                return forward.call(trace, [ctx, *given], {})
            found = forward.call(trace, given, {})
            function.attribute(trace, "setup_context").call(trace, [ctx, TupleValue(given), found], {})
            return found
    finally:
        trace.tape.written = before


def _record(
    trace: Trace, cls: type, ctx: ContextValue, given: list[Value], edges: tuple[Node, ...], placed: list[Value]
) -> None:
    """Puts the call on the tape, and keeps what was saved."""
    if trace.tape.pair is not None:
        _pack(trace, ctx, trace.tape.pair)
    for each in ctx.tensors("to_save"):
        if isinstance(each, TensorValue):
            refuse_saving(trace, each.root)
            ctx.records.append((each, each.array.storage, each.array.storage.version))
        else:
            ctx.records.append(None)
    step = step_of(trace, cls, ctx, given, edges, placed)
    if step is not None:
        trace.tape.steps.update((node, step) for node in step.outputs)
        trace.tape.saved[step.outputs[0]] = tuple(record[1:] for record in ctx.records if record is not None)
