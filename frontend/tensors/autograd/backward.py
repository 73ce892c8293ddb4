"""`backward()` inside a trace: the engine's backward pass becomes nodes of the same graph, by the vjp rules of the
ops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ....autograd.differentiate import warn_of_cycle
from ....autograd.error_notes import ANOMALY
from ....graph.aot.conds import has_uneven_derivatives
from ....graph.aot.custom_nodes import operands
from ....graph.aot.emitter import GraphEmitter
from ....graph.aot.vjp import gradients, passed
from ....graph.node import Node
from ....guards.guard import Is
from ....guards.sources import Attribute, ConstantSource, Named
from ....ops.conds import COND_RESULT
from ....ops.creation import FULL
from ....ops.loops import LOOP_RESULT
from ....ops.pointwise import ADD
from ...breaks import (
    ANOMALY_MODE_ON,
    CUSTOM_TWICE,
    HALF_TWICE,
    HOOKS_NOT_INLINED,
    PART_GRADIENT,
    RAISES,
    SAVED_CHANGED,
    SHARED_VIEW,
    TENSOR_FEATURE,
)
from ...tracing.restarts import RestartFromStart
from ...tracing.speculation import unsupported_in_region
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.tensor import TensorValue
from ..hooks.backward_hooks import HookedBackward
from ..hooks.saved_tensor_hooks import hooks_are_inlined, unpacked
from .leaf_gradients import accumulate, accumulate_recorded
from .sparse_lookup import accumulate_sparse, lookups_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace

ANOMALY_MODE = Attribute(ConstantSource(ANOMALY, "anomaly mode"), "enabled")
NOT_REQUIRED = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"
NOT_SCALAR = "RuntimeError: grad can be implicitly created only for scalar outputs"
BAD_GRADIENT = "RuntimeError: Mismatch of grad_output and output:"
FREED = "RuntimeError: Trying to backward through the graph a second time"


Outputs = Sequence[tuple[TensorValue, TensorValue | None]]
"""The tensors at which a backward pass begins, and what each is weighted by."""


def backward(
    trace: Trace,
    outputs: Outputs,
    retain_graph: bool,
    inputs: Sequence[TensorValue] | None = None,
    *,
    create_graph: bool = False,
) -> None:
    """Adds the gradients of `outputs` to the `.grad` of every leaf they depend on, or of those that are `inputs`."""
    with trace.recording():
        for output, _ in outputs:
            output.read()  # a leaf that nothing has read is on the tape from now on
    wanted = set(trace.tape.leaves) if inputs is None else {node for each in inputs for node in ends_of(trace, each)}
    hooked = HookedBackward(trace, given_to(outputs), accumulate_recorded if create_graph else accumulate)
    found = backward_pass(trace, outputs, wanted, retain_graph=retain_graph, recorded=create_graph, hooked=hooked)
    if create_graph:
        warn_of_cycle()
    rest = {node: each for node, each in found.items() if trace.tape.leaves[node] not in hooked.done}
    with trace.recording() if create_graph else trace.no_grad():
        _accumulate_all(trace, rest, accumulate_recorded if create_graph else accumulate)


def backward_pass(
    trace: Trace,
    outputs: Outputs,
    wanted: Collection[Node],
    *,
    through: Collection[Node] = (),
    retain_graph: bool,
    recorded: bool = False,
    hooked: HookedBackward | None = None,
) -> dict[Node, Node]:
    """The gradients of `outputs`, each weighted by its own, for the nodes `wanted`, as nodes of the graph.

    The backward pass ends at leaves, wanted or not. through: of the nodes `wanted`, those behind which it goes on.
    recorded: the backward pass itself is on the tape.
    hooked: what hooks on tensors do with it; None: no more than give back what they are shown.
    Errors: a break where eager mode raises or runs hooks; `RestartFromStart` where the backward pass would be recorded
    in a custom backward.
    """
    _check_state(trace)
    starts = [_start(trace, output, gradient, recorded) for output, gradient in outputs]
    roots, tape = [root for root, _ in starts], trace.tape
    followed = tape.recorded.difference(tape.leaves) if tape.leaves else tape.recorded
    used = passed(trace.builder, roots, wanted, followed, through=through, steps=tape.steps)
    hooked = hooked or HookedBackward(trace, given_to(outputs), None)
    hooked.meet(roots, used, wanted, recorded)
    check = _saved_check_of(trace, used, recorded, hooked)
    read = {(each.array.storage, each.array.storage.version) for _, each in outputs if each is not None}
    if recorded:
        read |= {pair for node in used for pair in tape.saved.get(node, ())}
    found = gradients(
        GraphEmitter(trace.builder, trace.progress.location),
        starts,
        wanted,
        followed,
        through=through,
        read=unpacked(trace, each_time=check is not None),
        steps=tape.steps,
        before=check,
        hooks=hooked.mapping,
    )
    hooked.end(read)
    if not retain_graph:
        tape.freed |= {node for node in used if tape.saved.get(node)}
    return found


def _check_state(trace: Trace) -> None:
    """Relies on what says that a backward pass is an ordinary one. Errors: a break where it is none."""
    if trace.iterations:
        raise PART_GRADIENT.stop()
    if trace.tape.in_hook:
        raise TENSOR_FEATURE.stop(feature="a gradient within a hook on a tensor")
    if not hooks_are_inlined(trace):
        raise HOOKS_NOT_INLINED.stop(what="a gradient under saved-tensor hooks")
    trace.guard(Is, ANOMALY_MODE, expected=ANOMALY.enabled)
    if ANOMALY.enabled:
        raise ANOMALY_MODE_ON.stop()


def _saved_check_of(
    trace: Trace, used: Collection[Node], recorded: bool, hooked: HookedBackward
) -> Callable[[Node], None] | None:
    """The check, during the backward pass, that what a node saved is there still; None if that was asked here, for all
    nodes.

    Errors: a break where something is not, and for what cannot be recorded.
    """
    stepped = not set(used).isdisjoint(trace.tape.steps)
    minding = stepped or bool(hooked.mapping)
    if not minding:
        check_saved(trace, used)
    if recorded and stepped:
        _leave_to_python(trace, used)
    if recorded and has_uneven_derivatives({node.inputs[0] for node in used if node.op in (COND_RESULT, LOOP_RESULT)}):
        trace.speculation.no_conds = unsupported_in_region(
            "a gradient with create_graph=True through arms with unlike derivatives"
        )
        raise RestartFromStart
    if recorded and trace.tape.rounds:
        raise HALF_TWICE.stop()
    if recorded and (trace.tape.reads or trace.tape.pair is not None):
        raise TENSOR_FEATURE.stop(feature="a gradient with create_graph=True under saved-tensor hooks")
    return saved_check(trace) if minding else None


def given_to(outputs: Outputs) -> list[tuple[Node, TensorValue]]:
    """The tensors by which outputs are weighted, each with the node that is read of it."""
    return [(each.read(), each) for _, each in outputs if each is not None]


def _leave_to_python(trace: Trace, nodes: Collection[Node]) -> None:
    """Errors: `RestartFromStart`, so that Python calls the custom functions which gave these nodes, and records."""
    stop = CUSTOM_TWICE.stop()
    steps = trace.tape.steps
    trace.speculation.not_inlined.update((steps[node].owner.cls, stop) for node in nodes if node in steps)
    raise RestartFromStart


def _start(
    trace: Trace, output: TensorValue, gradient: TensorValue | None, recorded: bool = False
) -> tuple[Node, Node]:
    """The starts of a backward pass: an output's node and its cotangent."""
    if not output.requires_grad:
        raise RAISES.stop(error=NOT_REQUIRED)
    if gradient is None and output.array.type.size != 1:
        raise RAISES.stop(error=NOT_SCALAR)
    if gradient is None and output.dtype.is_complex:
        raise RAISES.stop(error="RuntimeError: grad can be implicitly created only for real scalar outputs")
    if gradient is not None and (gradient.shape, gradient.dtype) != (output.shape, output.dtype):
        raise RAISES.stop(error=f"{BAD_GRADIENT} {gradient.array.type} for {output.array.type}")
    with trace.recording():
        root = output.read()
    with trace.recording() if recorded else trace.no_grad():
        if gradient is not None:
            return root, gradient.read()
        return root, trace.add(FULL, value=1.0, shape=output.shape, dtype=output.dtype)


def ends_of(trace: Trace, value: TensorValue) -> list[Node]:
    """The nodes that stand for a tensor on the tape: of a leaf, one for each of its versions."""
    if not value.requires_grad:
        raise RAISES.stop(error="RuntimeError: One of the differentiated Tensors does not require grad")
    if value.root.real is not None and not value.root.leaf:
        _refuse_hooks_outside(trace, value)
    if lookups_of(trace, value.root):
        raise TENSOR_FEATURE.stop(feature="a gradient, for a tensor that is named, which is sparse")
    if value.is_leaf:
        return [alias for alias, root in trace.tape.leaves.items() if root is value.root]
    with trace.recording():
        node = value.read()
        if value.array.path and (value.is_viewed or not value.root.is_alone(trace, value.array, node)):
            raise SHARED_VIEW.stop()
    return [node]


def _refuse_hooks_outside(trace: Trace, value: TensorValue) -> None:
    """Errors: a break where the node of a tensor from outside has hooks, which see its gradient too."""
    node, place = value.root.real._node, value.root.source
    assert place is not None
    if node.tensor_hooks or node.retaining:
        raise TENSOR_FEATURE.stop(feature=f"a gradient for {place}, whose history has hooks")
    for name in ("tensor_hooks", "retaining"):
        held = Attribute(Attribute(place, "_node"), name)
        trace.guard(Is, Named(held, f"the {name} of {place}.grad_fn"), expected=getattr(node, name))


def history(trace: Trace, root: Node, ends: Container[Node] = ()) -> set[Node]:
    """The recorded nodes that `root` depends on, itself included, down to the leaves and to what is in `ends`."""
    visited = _depended_on(trace, [root], ends)
    return visited.difference(trace.tape.leaves)


def ends_of_history(trace: Trace, roots: Iterable[Node]) -> set[Node]:
    """The nodes of leaves, and of tensors that came from outside with a history, that `roots` depend on."""
    return _depended_on(trace, roots).intersection(trace.tape.leaves)


def _depended_on(trace: Trace, roots: Iterable[Node], ends: Container[Node] = ()) -> set[Node]:
    tape = trace.tape
    visited: set[Node] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node in visited or node in ends or node not in tape.recorded:
            continue
        visited.add(node)
        if node not in tape.leaves:
            waiting.extend(operands(node, tape.steps))
    return visited


def saved_check(trace: Trace) -> Callable[[Node], None]:
    """The check before a backward pass applies the rule of a node: a custom `backward` may have written by then."""
    return lambda node: check_saved(trace, (node,))


def check_saved(trace: Trace, nodes: Collection[Node]) -> None:
    """Errors: a break where a value that one of the nodes saved was modified, or is gone."""
    if not trace.tape.freed.isdisjoint(nodes):
        raise RAISES.stop(error=FREED)
    if not trace.tape.replaced.isdisjoint(nodes):
        raise SAVED_CHANGED.stop(name="a tensor whose .data was set, or that was detached in place")
    # The nodes of a backward pass that was recorded have one tuple.
    listed = {id(pairs): pairs for pairs in (trace.tape.saved.get(node, ()) for node in nodes)}
    for storage, version in chain(*listed.values()):
        if storage.version != version:
            raise SAVED_CHANGED.stop(name="a tensor")


def _accumulate_all(
    trace: Trace, found: dict[Node, Node], give: Callable[[Trace, AutogradIdentity, Node], None]
) -> None:
    by_root: dict[AutogradIdentity, list[Node]] = {}
    for alias, gradient in found.items():
        by_root.setdefault(trace.tape.leaves[alias], []).append(gradient)
    looked_up = {root: by_root.pop(root) for root in [*by_root] if root.lookup is not None}
    if looked_up and give is accumulate_recorded:
        raise TENSOR_FEATURE.stop(feature="a sparse gradient with create_graph=True")
    if any(root.lookup.weight in by_root for root in looked_up):
        raise TENSOR_FEATURE.stop(feature="a gradient that is the sum of a sparse and a dense one")
    accumulate_sparse(trace, [(root.lookup, summed(trace, parts)) for root, parts in looked_up.items()])
    for root, parts in by_root.items():
        give(trace, root, summed(trace, parts))


def summed(trace: Trace, parts: Sequence[Node]) -> Node:
    """The sum of the gradients that come to one tensor by several ways back, one at least."""
    total, *rest = parts
    for part in rest:
        total = trace.add(ADD, total, part)
    return total


def is_freed(trace: Trace, tensor: TensorValue) -> bool:
    """Whether the history of a tensor has been used up by a backward().

    Errors: a break where parts of it have and others have not: what eager mode would say depends on the engine.
    """
    tape = trace.tape
    with trace.recording():
        root = tensor.read()
    saving = {node for node in history(trace, root) if tape.saved.get(node)}
    gone = saving & tape.freed
    if gone and gone != saving:
        raise TENSOR_FEATURE.stop(feature="returning a tensor of whose history backward() has used up a part")
    return bool(gone)
