"""The ends of histories while tracing: whether they are leaves of a transform's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....autograd.outside import leading_outside, pass_over
from ...breaks import TENSOR_FEATURE
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.sequences import ListValue, TupleValue
from ...values.tensors.tensor import TensorValue
from .backward import ends_of_history

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def _tensors(value: Value) -> list[TensorValue]:
    listed = value.items if isinstance(value, (TupleValue, ListValue)) else [value]
    found = [each for each in listed if isinstance(each, TensorValue)]
    if len(found) != len(listed):
        raise TENSOR_FEATURE.stop(feature="a transform of a function over something else than dense tensors")
    return found


@traces(leading_outside)
def trace_leading_outside(trace: Trace, tensors: Value, own: Value) -> Value:
    """For each tensor, whether its history leads to a leaf that is none of `own`."""
    inner = {each.root for each in _tensors(own) if each.is_leaf} | trace.batches.passed
    answers: list[Value] = []
    for each in _tensors(tensors):
        leads = False
        if each.requires_grad:
            with trace.recording():
                ends = ends_of_history(trace, [each.read()])
            leads = any(trace.tape.leaves[node] not in inner for node in ends)
        answers.append(Constant(leads))
    return TupleValue(answers)


@traces(pass_over)
def trace_pass_over(trace: Trace, leaves: Value) -> Value:
    """The leaves belong to nobody any more."""
    trace.batches.passed.update(each.root for each in _tensors(leaves) if each.is_leaf)
    return NONE
