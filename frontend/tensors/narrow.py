"""Traced operations on narrow floats: where eager mode computes in float32 and rounds, the graph has casts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.dtypes import DType, float32
from ...graph.node import Node
from ...ops.movement import EXPAND
from ...ops.narrow import KEEPING
from ...ops.pointwise import CAST
from ...ops.registry import Indexed, OpDef
from ...tensor.narrow import check_computes
from ..breaks import DTYPE
from ..values.tensor import TensorValue

if TYPE_CHECKING:
    from ..trace import Trace


def computed_with(trace: Trace, op: OpDef, operands: Sequence[Any]) -> DType | None:
    """The narrow dtype that `op` computes with; None where it does not compute, or with others.

    Errors: those of eager mode for float8. A break for an op that kernels may round otherwise than NumPy, and for one
    whose derivative is wanted: eager mode saves what it has rounded.
    """
    dtype = next((each.dtype for each in operands if isinstance(each, TensorValue) and each.dtype.is_narrow), None)
    if dtype is None or op.name in KEEPING:
        return None
    check_computes(op.name, dtype)
    if not op.exact or (op.vjp is not None and _wanted(trace, operands)):
        raise DTYPE.stop(dtype=dtype)
    return dtype


def check_derivative(trace: Trace, op: OpDef, operands: Sequence[Any]) -> None:
    """Errors: a break where a derivative sums narrow floats, which kernels may do in another order than NumPy."""
    if op is EXPAND or (isinstance(op.lower, Indexed) and op.name in ("gather", "take")):
        if any(each.dtype.is_narrow for each in operands[:1]) and _wanted(trace, operands):
            raise DTYPE.stop(dtype=operands[0].dtype)


def _wanted(trace: Trace, operands: Sequence[Any]) -> bool:
    return trace.grad_enabled and any(isinstance(each, TensorValue) and each.requires_grad for each in operands)


def rounded(trace: Trace, node: Node, dtype: DType | None) -> Node:
    """What was computed in float32 as the narrow dtype it is computed for, if any."""
    return trace.add(CAST, node, dtype=dtype) if dtype is not None and node.type.dtype is float32 else node
