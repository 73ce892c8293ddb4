"""A step that is made unless a gradient has overflowed, while tracing: what it writes is chosen, without a branch."""

# Note [Steps that are left out]
# State that such a step begins is there behind it, all zeros, as with PyTorch's fused optimizers; eager mode begins it
# with the first step that is made. Every later step is the same.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....amp.grad_scaler import step_unless
from ....optim.stepped import SteppedOptimizer
from ...breaks import TENSOR_FEATURE
from ...tracing.rules import traces
from ...values.base import Value
from ...values.constant import NONE, is_none
from ...values.tensors.optimizers import OptimizerValue
from ...values.tensors.tensor import TensorValue
from ..surface.sparse_entries import emitter

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@traces(step_unless)
def trace_step_unless(trace: Trace, found_inf: Value, optimizer: Value, *args: Value, **kwargs: Value) -> Value:
    """`step_unless(found_inf, optimizer)`. Errors: a break for another step than that of a declared update."""
    real = optimizer.value if isinstance(optimizer, OptimizerValue) else None
    if not isinstance(real, SteppedOptimizer) or not isinstance(found_inf, TensorValue) or args or kwargs:
        raise TENSOR_FEATURE.stop(feature="a step that may be left out, of an optimizer without a declared update")
    if type(real).step is not SteppedOptimizer.step or not is_none(optimizer.attribute(trace, "_hooks")):
        raise TENSOR_FEATURE.stop(feature="a step that may be left out, with hooks or a step() of its own")
    before = trace.tape.unless
    with trace.no_grad():
        trace.tape.unless = emitter(trace).not_equal(found_inf.read(), 0.0)
    try:
        optimizer.attribute(trace, "step").call(trace, [], {})
    finally:
        trace.tape.unless = before
    return NONE
