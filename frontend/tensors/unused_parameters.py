"""The search for parameters that a forward leaves out, while tracing. See `nn.parallel.unused`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import dtypes
from ...nn.parallel.unused import are_behind, is_as_expected
from ...ops.checks import CHECKED_INDEX
from ...ops.pointwise import NOT_EQUAL
from ..breaks import TENSOR_FEATURE
from ..tracing.nodes import cast
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue
from ..values.base import Value
from ..values.constant import TRUE, Constant
from ..values.containers.sequences import ListValue
from ..values.tensors.tensor import TensorValue
from .autograd.backward import ends_of_history

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@traces(are_behind)
def trace_are_behind(trace: Trace, outputs: Value, parameters: Value) -> Value:
    """Whether the history of the outputs ends at each parameter, as far as this call has recorded it."""
    if not isinstance(outputs, ListValue) or not isinstance(parameters, ListValue):
        raise TENSOR_FEATURE.stop(feature="the search for unused parameters in this form")
    with trace.recording():
        roots = [each.read() for each in outputs.items if isinstance(each, TensorValue) and each.requires_grad]
    ends = {trace.tape.leaves[node] for node in ends_of_history(trace, roots)}
    if not all(each.leaf for each in ends):
        raise TENSOR_FEATURE.stop(feature="the search for unused parameters behind a tensor from before the call")
    found: list[Value] = []
    for each in parameters.items:
        assert isinstance(each, TensorValue)
        found.append(Constant(each.root in ends))
    return ListValue(found)


@traces(is_as_expected)
def trace_is_as_expected(trace: Trace, found: Value, expected: Value) -> Value:
    """True: the plan leaves the call to Python where it is not so."""
    trace.refuse_in_iterations("the search for unused parameters")
    if trace.region is not None or trace.deferred is not None or trace.batches.levels:
        raise TENSOR_FEATURE.stop(feature="the search for unused parameters in a loop or a transform")
    assert isinstance(found, ArrayValue) and isinstance(expected, ArrayValue)
    differs = trace.add(NOT_EQUAL, found.read(trace), expected.read(trace))
    trace.add(CHECKED_INDEX, cast(trace, differs, dtypes.int64), size=1, ignore=None)
    return TRUE
