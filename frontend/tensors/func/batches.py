"""`vmap` while tracing: a function is traced for one call, and written for all. See Note [Batches in a trace]."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....func import levels as eager
from ....graph.aot.emitter import GraphEmitter
from ....graph.node import Node
from ....ops.batching import batch
from ....ops.registry import Structural
from ....ops.saved import ONE_CALL
from ...breaks import TENSOR_FEATURE
from ...tracing.progress import BatchLevel
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.sequences import TupleValue
from ...values.tensors.tensor import TensorValue, fresh
from ..surface.functions import native, natively

if TYPE_CHECKING:
    from ...tracing.trace import Trace


class LevelValue(Value):
    """The level that `enter_level` gives, which only the functions of `func/levels.py` look into."""

    __slots__ = ("level",)

    def __init__(self, level: BatchLevel) -> None:
        self.level = level

    @property
    def python_type(self) -> type:
        return eager.Level


@traces(eager.enter_level)
def enter_level(trace: Trace, size: Value, randomness: Value) -> Value:
    """One more `vmap`. Errors: a break in what is traced once for many runs of it."""
    if trace.iterations or trace.region is not None or trace.deferred is not None or trace.tape.in_custom_backward:
        raise TENSOR_FEATURE.stop(feature="vmap in a loop over tensors, or in a backward pass")
    if trace.tape.pair is not None or trace.tape.in_hook:
        raise TENSOR_FEATURE.stop(feature="vmap under saved-tensor hooks, or in a hook on a tensor")
    batches = trace.batches
    batches.begun += 1
    level = BatchLevel(
        batches.begun,
        native(trace, size),
        size,
        randomness.constant(trace),
        trace.builder,
        len(trace.builder.nodes),
        len(trace.inputs.storages),
    )
    batches.levels.append(level)
    return LevelValue(level)


@traces(eager.leave_level)
def leave_level(trace: Trace, level: Value) -> Value:
    """The end of the innermost `vmap`: what one call computed leaves the graph, what may raise is there for all.

    Errors: a break where a memory from outside holds what is another value in each call.
    """
    found = _level(level)
    inside = _nodes_inside(trace, found)
    if any(storage.version for storage in found.arguments):
        raise TENSOR_FEATURE.stop(feature="a write, inside of vmap, into an argument that is mapped over")
    known = trace.inputs.storages[: found.storages]
    if any(storage.known_node in inside for storage in known):
        raise TENSOR_FEATURE.stop(feature="a write, inside of vmap, into a tensor from outside that all calls share")
    _write_for_all(trace, found, [node for node in inside if node.op.may_raise], inside)
    trace.builder.nodes[:] = [node for node in trace.builder.nodes if node not in inside]
    trace.batches.left.update(inside)
    trace.batches.levels.remove(found)
    return NONE


def _level(value: Value) -> BatchLevel:
    assert isinstance(value, LevelValue)
    return value.level


def _tensor(value: Value) -> TensorValue:
    if not isinstance(value, TensorValue):
        raise TENSOR_FEATURE.stop(feature=f"vmap over {value.describe()}")
    return value


@traces(eager.one_call)
def one_call(trace: Trace, x: Value, axis: Value, level: Value) -> Value:
    """A tensor as one call sees it."""
    tensor, place = _tensor(x), axis.constant(trace)
    if place:
        with natively(trace):
            tensor = tensor.movedim(place, 0)  # type: ignore[attr-defined]
    node = trace.add(ONE_CALL, tensor.read(), level=_level(level).number)
    tracked = trace.grad_enabled and tensor.requires_grad
    seen = fresh(trace, node, requires_grad=tracked, leaf=not tracked, strides=tensor.strides[1:])
    _level(level).arguments.append(seen.array.storage)
    return seen


@traces(eager.is_mapped)
def is_mapped(trace: Trace, x: Value, level: Value) -> Value:
    """Whether a tensor depends on which call it is."""
    return Constant(_tensor(x).read() in _nodes_inside(trace, _level(level)))


@traces(eager.all_calls)
def all_calls(trace: Trace, x: Value, axis: Value, level: Value) -> Value:
    """A result of one call, as all calls have it."""
    found, place, tensor = _level(level), axis.constant(trace), _tensor(x)
    node = tensor.read()
    inside = _nodes_inside(trace, found)
    if node not in inside:
        whole = _repeated(trace, tensor, found)
    else:
        tracked = trace.grad_enabled and tensor.requires_grad
        if tracked and tensor.is_leaf:
            raise TENSOR_FEATURE.stop(feature="a leaf that requires grad, made inside of vmap, as a result of it")
        _write_for_all(trace, found, [node], inside)
        with trace.no_grad() if not tracked else trace.recording():
            whole = fresh(trace, found.whole[node], requires_grad=tracked, leaf=not tracked)
    if not place:
        return whole  # type: ignore[no-any-return]
    with natively(trace):
        return whole.movedim(0, place)  # type: ignore[no-any-return]


def _repeated(trace: Trace, tensor: TensorValue, level: BatchLevel) -> Any:
    """A result that is the same in each call, for all of them; a copy, where the jitted function has made it."""
    with natively(trace):
        view = tensor.expand(level.size, *tensor.shape)  # type: ignore[attr-defined]
        return view if tensor.array.storage.input is not None else view.contiguous()


def _nodes_inside(trace: Trace, level: BatchLevel) -> dict[Node, None]:
    """The nodes that are another value in each call, in program order."""
    if trace.builder is not level.builder:
        raise TENSOR_FEATURE.stop(feature="a vmap that begins in one part of a function and ends in another")
    found: dict[Node, None] = {}
    for node in trace.builder.nodes[level.first :]:
        mark = node.op is ONE_CALL and node.attr("level") == level.number
        if mark or any(each in found for each in node.inputs):
            found[node] = None
    return found


def _write_for_all(trace: Trace, level: BatchLevel, wanted: list[Node], inside: dict[Node, None]) -> None:
    """Adds the nodes that compute those of `wanted` for the whole batch. Errors: a break for an op without a rule."""
    needed: set[Node] = set()
    waiting = [node for node in wanted if node not in level.whole]
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            waiting += [each for each in node.inputs if each in inside and each not in level.whole]
    tape = trace.tape
    if not needed.isdisjoint(tape.hooks):
        raise TENSOR_FEATURE.stop(feature="a hook on a tensor inside of vmap, which a backward pass outside would run")
    for node in [each for each in inside if each in needed]:
        before = len(trace.builder.nodes)
        level.whole[node] = _for_all(trace, level, node)
        if node in tape.recorded and node not in tape.leaves:
            tape.recorded.update(trace.builder.nodes[before:])
            if node in tape.saved:
                tape.saved[level.whole[node]] = tape.saved[node]


def _for_all(trace: Trace, level: BatchLevel, node: Node) -> Node:
    if node.op is ONE_CALL and node.attr("level") == level.number:
        return node.inputs[0]
    if isinstance(node.op.lower, Structural) and node.op is not ONE_CALL or node in trace.tape.steps:
        raise TENSOR_FEATURE.stop(
            feature="a loop, a branch, a call of Python or a custom autograd.Function over tensors inside of vmap"
        )
    batched = [each in level.whole for each in node.inputs]
    operands = [level.whole.get(each, each) for each in node.inputs]
    size = next(each.shape[0] for each, flag in zip(operands, batched, strict=True) if flag)
    emitter = GraphEmitter(trace.builder, node.location)
    attrs: dict[str, Any] = node.kwargs
    if node.op is ONE_CALL:  # of an outer level, of what is another value in each call of this one
        raise TENSOR_FEATURE.stop(feature="a batch inside of vmap that is mapped over outside of it")
    found = batch(emitter, node.op, operands, batched, size, attrs)
    if found is None:
        raise TENSOR_FEATURE.stop(feature=f"{node.op.name} inside of vmap, which is computed call by call")
    return found  # type: ignore[no-any-return]


# Without a trace, tensors inside of `vmap` are of a kind of their own; in one they are tensors like others.


@traces(eager.in_each_call, eager.base_of)
def itself(trace: Trace, x: Value) -> Value:
    """The tensor as it is."""
    return x


@traces(eager.levels_of)
def levels_of(trace: Trace, x: Value) -> Value:
    """No levels."""
    return TupleValue([])


@traces(eager.spelled_out, eager.taken_in)
def without_levels(trace: Trace, x: Value, levels: Value) -> Value:
    """The tensor as it is."""
    return x
