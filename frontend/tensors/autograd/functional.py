"""`autograd.grad` and `autograd.backward` while tracing."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ....autograd.differentiate import backward, grad
from ....autograd.functional import jacobian_row
from ....graph.node import Node
from ....ops.creation import FULL
from ....ops.indexing import SLICE_STORE
from ...breaks import INNER_INPUTS, OUTSIDE_HISTORY, RAISES, TENSOR_FEATURE, Unwinding
from ...numpy.memory_order import copied_order
from ...tracing.rules import Rule, traces
from ...values.arrays.view_steps import reshape
from ...values.base import Value
from ...values.constant import FALSE, NONE, TRUE, Constant
from ...values.containers.sequences import ListValue, TupleValue
from ...values.tensors.tensor import TensorValue, fresh
from ..hooks.backward_hooks import HookedBackward
from .backward import backward as backward_to_leaves
from .backward import backward_pass, ends_of, ends_of_history, summed
from .gradient_tensors import gradient_tensors

if TYPE_CHECKING:
    from ...tracing.trace import Trace


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


def _in_backward(rule: Rule) -> Rule:
    """The rule, whose breaks are marked as those of a backward pass, unless a hook or a history from outside broke."""

    @functools.wraps(rule)
    def marked(*args: Any, **keywords: Any) -> Value:
        try:
            return rule(*args, **keywords)
        except Unwinding as stop:
            found = stop.as_break()
            stop.in_backward = found.kind is not OUTSIDE_HISTORY and not found.in_hook
            raise

    return marked


@traces(grad)
@_in_backward
def trace_grad(
    trace: Trace,
    outputs: Value,
    inputs: Value,
    grad_outputs: Value = NONE,
    retain_graph: Value = NONE,
    create_graph: Value = FALSE,
    only_inputs: Value = TRUE,
    allow_unused: Value = NONE,
    is_grads_batched: Value = FALSE,
    materialize_grads: Value = FALSE,
) -> Value:
    """`autograd.grad`: the gradients are new tensors, and no `.grad` is touched."""
    if not only_inputs.constant(trace):
        raise TENSOR_FEATURE.stop(feature="autograd.grad with only_inputs=False, which warns")
    if is_grads_batched.constant(trace):
        raise TENSOR_FEATURE.stop(feature="autograd.grad with is_grads_batched=True")
    recorded = bool(create_graph.constant(trace))
    roots, wanted = _tensors(outputs, "outputs"), _tensors(inputs, "inputs")
    with trace.recording():
        for root in roots:
            root.read()  # a leaf that nothing has read is on the tape from now on
    ends = [ends_of(trace, each) for each in wanted]
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
    hooked = HookedBackward(trace, given, None)
    found = backward_pass(trace, starts, nodes, through=through, retain_graph=keep, recorded=recorded, hooked=hooked)
    given += [pair for pair in hooked.owners if pair not in given]
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
            raise OUTSIDE_HISTORY.stop(name="autograd.grad")


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
    return fresh(trace, node, strides=copied_order(value.shape, value.array.fake))


@traces(backward)
@_in_backward
def trace_backward(
    trace: Trace,
    tensors: Value,
    grad_tensors: Value = NONE,
    retain_graph: Value = NONE,
    create_graph: Value = FALSE,
    *,
    inputs: Value = NONE,
) -> Value:
    """`autograd.backward`."""
    roots = _tensors(tensors, "tensors")
    weighted = list(zip(roots, _weights(grad_tensors, roots), strict=True))
    recorded, kept = bool(create_graph.constant(trace)), retain_graph.constant(trace)
    keep = recorded if kept is None else bool(kept)
    backward_to_leaves(trace, weighted, keep, leaves_of(trace, inputs), create_graph=recorded)
    return NONE


def leaves_of(trace: Trace, inputs: Value) -> list[TensorValue] | None:
    """The leaves that `inputs=` names; None for nothing.

    Errors: a break for a tensor that is no leaf, and where eager raises.
    """
    if isinstance(inputs, Constant) and inputs.value is None:
        return None
    wanted = _tensors(inputs, "inputs")
    if not wanted:
        raise RAISES.stop(error="RuntimeError: 'inputs' argument to 'backward' cannot be empty.")
    if not all(each.is_leaf for each in wanted):
        raise INNER_INPUTS.stop()
    return wanted


MOST_ROWS = 64
"""So many backward passes are made for one Jacobian in a graph."""


@traces(jacobian_row)
def trace_jacobian_row(trace: Trace, output: Value, place: Value, entered: Value, create_graph: Value) -> Value:
    """The gradient of one element of a result. Errors: a break for a result of many."""
    (tensor,), number = _tensors(output, "outputs"), place.constant(trace)
    if not tensor.requires_grad:
        return TupleValue([NONE for _ in _tensors(entered, "inputs")])
    count = tensor.array.type.size
    if count > MOST_ROWS:
        raise TENSOR_FEATURE.stop(
            feature=f"a Jacobian of a result of {count} elements, each of which takes a walk back"
        )
    with trace.no_grad():
        zeros, one = (
            trace.add(FULL, value=value, shape=(size,), dtype=tensor.dtype) for value, size in ((0.0, count), (1.0, 1))
        )
        unit = reshape(
            trace, trace.add(SLICE_STORE, zeros, one, starts=(number,), sizes=(1,), steps=(1,)), tensor.shape
        )
        weight = fresh(trace, unit)
    return trace_grad(trace, output, entered, weight, TRUE, create_graph, allow_unused=TRUE)
