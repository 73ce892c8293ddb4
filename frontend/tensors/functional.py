"""`autograd.grad` and `autograd.backward` while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...autograd.differentiate import backward, grad
from ...graph.node import Node
from ...guards.guard import Is
from ...guards.sources import Attribute, Named
from ...ops.creation import FULL
from ..breaks import RAISES, TENSOR_FEATURE
from ..callables import traces
from ..numpy.layout import copied_order
from ..values.base import Value
from ..values.constant import FALSE, NONE, Constant
from ..values.sequences import ListValue, TupleValue
from ..values.tensor import TensorValue, fresh
from .gradient_tensors import gradient_tensors
from .gradients import backward as walk_to_leaves
from .gradients import ends_of_history, summed, walk_back

if TYPE_CHECKING:
    from ..trace import Trace


def _tensors(value: Value, what: str) -> list[TensorValue]:
    listed = value.items if isinstance(value, (TupleValue, ListValue)) else [value]
    if not all(isinstance(each, TensorValue) for each in listed):
        raise TENSOR_FEATURE.stop(feature=f"autograd with {what} that are no tensors")
    return listed  # type: ignore[return-value]


def _weights(value: Value, outputs: list[TensorValue]) -> list[TensorValue | None]:
    if isinstance(value, Constant) and value.value is None:
        return [None] * len(outputs)
    listed = value.items if isinstance(value, (TupleValue, ListValue)) else [value]
    if len(listed) != len(outputs):
        raise RAISES.stop(error="RuntimeError: got a wrong number of gradients for the outputs")
    return [None if isinstance(each, Constant) else _tensors(each, "gradients")[0] for each in listed]


@traces(grad)
def trace_grad(
    trace: Trace,
    outputs: Value,
    inputs: Value,
    grad_outputs: Value = NONE,
    retain_graph: Value = NONE,
    create_graph: Value = FALSE,
    allow_unused: Value = NONE,
    *,
    materialize_grads: Value = FALSE,
) -> Value:
    """`autograd.grad`: the gradients are new tensors, and no `.grad` is touched."""
    recorded = bool(create_graph.constant(trace))
    roots, wanted = _tensors(outputs, "outputs"), _tensors(inputs, "inputs")
    with trace.recording():
        for root in roots:
            root.read()  # a leaf that nothing has read is on the tape from now on
    ends = [_ends(trace, each) for each in wanted]
    through = {node for each, nodes in zip(wanted, ends, strict=True) if not each.is_leaf for node in nodes}
    nodes = dict.fromkeys(node for each in ends for node in each)
    _refuse_outside_history(trace, roots, wanted)
    kept = retain_graph.constant(trace)
    keep = recorded if kept is None else bool(kept)
    weights = _weights(grad_outputs, roots)
    mode = trace.recording if recorded else trace.no_grad
    with mode():
        given = [(each.read(), each) for each in weights if each is not None]
    before = len(trace.builder.nodes)
    starts = list(zip(roots, weights, strict=True))
    found = walk_back(trace, starts, nodes, through=through, retain_graph=keep, recorded=recorded)
    zeros = bool(materialize_grads.constant(trace))
    unused = zeros or bool(allow_unused.constant(trace))
    with mode():
        totals = [_total(trace, nodes, found) for nodes in ends]
        reached = [each for each in totals if each is not None]
        results = gradient_tensors(trace, reached, set(trace.builder.nodes[before:]), given)
    with trace.no_grad():
        return TupleValue(
            [
                _unused(trace, each, unused, zeros) if total is None else results[total]
                for each, total in zip(wanted, totals, strict=True)
            ]
        )


def _refuse_outside_history(trace: Trace, roots: list[TensorValue], wanted: list[TensorValue]) -> None:
    """Errors: a break where a tensor from outside is met whose history may lead to one of `wanted`, as well."""
    from_outside = {each.root for each in wanted if each.root.real is not None}
    if not from_outside:
        return
    with trace.recording():
        starts = [root.read() for root in roots]
    for node in ends_of_history(trace, starts):
        met = trace.tape.leaves[node]
        if not met.leaf and from_outside != {met}:
            raise TENSOR_FEATURE.stop(feature="autograd.grad through the history of a tensor from outside")


def _ends(trace: Trace, value: TensorValue) -> list[Node]:
    """The nodes that stand for a tensor on the tape: of a leaf, one for each of its versions."""
    if not value.requires_grad:
        raise RAISES.stop(error="RuntimeError: One of the differentiated Tensors does not require grad")
    if value.root.real is not None and not value.root.leaf:
        _refuse_hooks_outside(trace, value)
    if value.is_leaf and not value.array.path:
        return [alias for alias, root in trace.tape.leaves.items() if root is value.root]
    with trace.recording():
        return [value.read()]


def _refuse_hooks_outside(trace: Trace, value: TensorValue) -> None:
    """Errors: a break where the node of a tensor from outside has hooks, which see its gradient too."""
    node, place = value.root.real._node, value.root.source
    assert place is not None
    if node.tensor_hooks or node.retaining:
        raise TENSOR_FEATURE.stop(feature=f"a gradient for {place}, whose history has hooks")
    for name in ("tensor_hooks", "retaining"):
        held = Attribute(Attribute(place, "_node"), name)
        trace.guard(Is, Named(held, f"the {name} of {place}.grad_fn"), expected=getattr(node, name))


def _total(trace: Trace, nodes: list[Node], found: dict[Node, Node]) -> Node | None:
    parts = [found[node] for node in nodes if node in found]
    return summed(trace, parts) if parts else None


def _unused(trace: Trace, value: TensorValue, allowed: bool, zeros: bool) -> Value:
    """The result for an input that the outputs do not depend on."""
    if not allowed:
        raise RAISES.stop(error="RuntimeError: One of the differentiated Tensors appears to not have been used")
    if not zeros:
        return NONE
    node = trace.add(FULL, value=0.0, shape=value.shape, dtype=value.dtype)
    return fresh(trace, node, strides=copied_order(value.shape, value.array.twin))


@traces(backward)
def trace_backward(
    trace: Trace,
    tensors: Value,
    grad_tensors: Value = NONE,
    retain_graph: Value = NONE,
    create_graph: Value = FALSE,
    *,
    inputs: Value = NONE,
) -> Value:
    """`autograd.backward` of one tensor."""
    roots = _tensors(tensors, "tensors")
    if len(roots) != 1 or create_graph.constant(trace) or not isinstance(inputs, Constant):
        raise TENSOR_FEATURE.stop(feature="autograd.backward of several tensors, with inputs= or create_graph=")
    walk_to_leaves(trace, roots[0], _weights(grad_tensors, roots)[0], bool(retain_graph.constant(trace)))
    return NONE
