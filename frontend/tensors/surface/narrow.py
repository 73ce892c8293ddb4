"""Traced operations on narrow floats: where eager mode computes in float32 and rounds, the graph has casts."""

# Note [Derivatives of halves]
# Eager mode's node of an op on halves saves them as they are, and computes each gradient in float32, rounded once. In
# the graph the op stands between casts, whose derivatives are casts: so its rule computes in float32, and what it gives
# each operand is rounded once. The cast behind an op is `rounded`: a rule that reads the result is given that, as eager
# mode saves it. Sums and functions such as `exp` may differ in the last bit of float32 before they are rounded.
# In a recorded backward pass eager mode rounds after each op of a rule; so such backward passes break.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....core.dtypes import DType, float32
from ....graph.node import Node
from ....ops.narrow import KEEPING
from ....ops.registry import OpDef
from ....ops.rounding import ROUNDED
from ....tensor.narrow import check_computes
from ...breaks import DTYPE
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def computed_with(trace: Trace, op: OpDef, operands: Sequence[Any], attrs: dict[str, Any]) -> DType | None:
    """The narrow dtype that `op` computes with; None where it does not compute, or with others.

    Errors: those of eager mode for float8. A break for a derivative under saved-tensor hooks that are traced, which
    would be shown other values. See Note [Derivatives of halves].
    """
    dtype = next((each.dtype for each in operands if isinstance(each, TensorValue) and each.dtype.is_narrow), None)
    if dtype is None or op.name in KEEPING:
        return None
    check_computes(op.name, dtype)
    if op.vjp is not None and _wanted(trace, operands):
        if trace.tape.pair is not None:
            raise DTYPE.stop(dtype=dtype)
        trace.tape.rounds = True
    return dtype


def _wanted(trace: Trace, operands: Sequence[Any]) -> bool:
    return trace.grad_enabled and any(isinstance(each, TensorValue) and each.requires_grad for each in operands)


def rounded(trace: Trace, node: Node, dtype: DType | None) -> Node:
    """The value of a node, rounded to the narrow dtype that it was computed in float32 for, if any."""
    return trace.add(ROUNDED, node, dtype=dtype) if dtype is not None and node.type.dtype is float32 else node
