"""Traced operations on narrow floats: where eager mode computes in float32 and rounds, the graph has casts."""

# Note [Derivatives of halves]
# Eager mode's node of an op on halves saves them as they are, and computes each gradient in float32, rounded once. In
# the graph the op stands between casts, whose derivatives are casts: so its rule computes in float32, and what it gives
# each operand is rounded once. That is the same as long as the rule is made of exact ops, sums nothing, and reads
# operands alone: the result that eager mode saves is rounded, and that of the graph is not, unless it is a half anyway.
# In a recorded walk eager mode rounds after each op of a rule; so such walks break.

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.dtypes import DType, float32
from ...core.errors import OpError
from ...core.sizes import same_sizes
from ...core.types import TensorType
from ...graph.aot.emitter import GraphEmitter
from ...graph.builder import GraphBuilder
from ...graph.node import Node
from ...ops.derivative import derivative, operand_gradients
from ...ops.movement import EXPAND
from ...ops.narrow import KEEPING
from ...ops.pointwise import CAST
from ...ops.registry import Composite, Contraction, Indexed, OpDef, Reduction, broadcasts
from ...tensor.narrow import check_computes
from ..breaks import DTYPE
from ..values.tensor import TensorValue

if TYPE_CHECKING:
    from ..trace import Trace

_SUMMING = (Composite, Contraction, Indexed, Reduction)
_HALVES_AGAIN = frozenset(
    {"relu", "absolute", "negative", "maximum", "minimum", "floor", "ceil", "trunc", "rint", "sign", "sgn"}
    | {"clamp", "clamp_min", "clamp_max", "fmax", "fmin"}
)
"""The ops that make halves of halves, so that nothing is rounded."""


def computed_with(trace: Trace, op: OpDef, operands: Sequence[Any], attrs: dict[str, Any]) -> DType | None:
    """The narrow dtype that `op` computes with; None where it does not compute, or with others.

    Errors: those of eager mode for float8. A break for an op that kernels may round otherwise than NumPy, and for one
    whose derivative is wanted and would not have eager mode's bits. See Note [Derivatives of halves].
    """
    dtype = next((each.dtype for each in operands if isinstance(each, TensorValue) and each.dtype.is_narrow), None)
    if dtype is None or op.name in KEEPING:
        return None
    check_computes(op.name, dtype)
    if not op.exact:
        raise DTYPE.stop(dtype=dtype)
    if op.vjp is not None and _wanted(trace, operands):
        if not _has_exact_derivative(trace, op, operands, attrs):
            raise DTYPE.stop(dtype=dtype)
        trace.tape.rounds = True
    return dtype


def _has_exact_derivative(trace: Trace, op: OpDef, operands: Sequence[Any], attrs: dict[str, Any]) -> bool:
    """Whether a walk back over casts and the op in float32 gives what eager mode's node gives."""
    wanted = tuple(isinstance(each, TensorValue) and each.requires_grad for each in operands)
    rules = derivative(op, wanted)
    if (
        op.variadic
        or (rules.reads_result and op.name not in _HALVES_AGAIN)
        or rules.reads_dtypes
        or trace.tape.pair is not None
        or trace.rounds
    ):
        return False
    shapes = [each.shape if isinstance(each, TensorValue) else () for each in operands]
    tensors = [each for each in operands if isinstance(each, TensorValue)]
    if broadcasts(op) and not all(same_sizes(each.shape, tensors[0].shape) for each in tensors):
        return False  # what a gradient is broadcast to is summed back
    builder = GraphBuilder()
    f = GraphEmitter(builder)
    given = [_given(builder, each) for each in operands]
    try:
        result = f.apply(op, *given, **attrs)
        first = len(builder.nodes)
        values = {**dict(zip(op.operands, given, strict=False)), "result": result}
        kinds = [float32] * len(operands)
        operand_gradients(op, f, builder.input(result.type, "gradient"), wanted, values, shapes, kinds, attrs)
    except OpError:
        return False
    made = [node.op for node in builder.nodes[first:]]
    return all(each.exact and (broadcasts(each) or not isinstance(each.lower, _SUMMING)) for each in made)


def _given(builder: GraphBuilder, operand: Any) -> Node | float:
    """What stands for an operand; the numbers that an operation has are no matter."""
    if not isinstance(operand, TensorValue):
        return 1.0
    return builder.input(TensorType(operand.shape, float32 if operand.dtype.is_narrow else operand.dtype), "operand")


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
