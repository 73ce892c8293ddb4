"""Checks that no kernel may lose: an index out of range raises even where nobody reads the element it picks."""

from __future__ import annotations

from ...core.errors import KernelError
from ...graph.node import Graph, Node
from ...graph.passes.dce import may_raise
from ...ops.call_outs import CALL_OUT, CALL_RESULT
from ...ops.conds import COND, COND_RESULT
from ...ops.fused_attention import (
    FUSED_ATTENTION,
    FUSED_ATTENTION_RESULT,
    FUSED_GRADIENTS,
    FUSED_GRADIENTS_RESULT,
)
from ...ops.loops import LOOP, LOOP_RESULT
from ...ops.regions import REGION, REGION_RESULT
from ...ops.registry import Indexed, Movement, Pointwise, Reduction
from ..evaluate.expressions import is_whole_store

VIRTUAL = ("take", "gather", "checked_index", "join", "spread")
"""Lowerings of indexed nodes whose elements are computed where they are needed."""


_STEPS = (
    *(REGION, REGION_RESULT, CALL_OUT, CALL_RESULT, LOOP, LOOP_RESULT, COND, COND_RESULT),
    *(FUSED_ATTENTION, FUSED_ATTENTION_RESULT, FUSED_GRADIENTS, FUSED_GRADIENTS_RESULT),
)
"""Always a step of their own."""


def to_be_checked(graph: Graph) -> frozenset[Node]:
    """The nodes that may raise and of which, left virtual, no kernel would compute every element.

    Errors: KernelError for a node that may raise though it has no elements.
    """
    risky = [node for node in graph.nodes if may_raise(node)]
    if not risky:
        return frozenset()
    if any(node.type.size == 0 for node in risky):
        raise KernelError("indices into an array without elements are checked by plain NumPy only")
    whole = set(graph.results)
    needed = {*whole, *risky}
    for node in reversed(graph.nodes):
        if node not in needed:
            continue  # nobody computes it, stored or not
        needed.update(node.inputs)
        if node in whole or is_stored(node):
            whole.update(each for place, each in enumerate(node.inputs) if _reads_all(node, place))
    return frozenset(risky) - whole


def is_stored(node: Node) -> bool:
    """Whether a node is always computed whole, by a kernel or a step of its own."""
    lower = node.op.lower
    if node.op in _STEPS:
        return True
    if node.type.size == 0:
        return False
    if isinstance(lower, Reduction):
        axes, source = node.attr("axes"), node.inputs[0]
        assert isinstance(axes, tuple)
        return any(source.shape[axis] != 1 for axis in axes)
    if isinstance(lower, Indexed):
        return lower.name not in VIRTUAL and not (lower.name == "slice_store" and is_whole_store(node))
    return node.op.name == "matmul"


def _reads_all(node: Node, place: int) -> bool:
    """Whether to compute every element of `node` is to read every element of its operand number `place`."""
    if node.op in _STEPS:
        return True
    if node.type.size == 0:
        return False
    match node.op.lower:
        case Pointwise() | Reduction():
            return True
        case Movement():
            return node.op.name not in ("slice", "segment") or node.type.size == node.inputs[0].type.size
        case Indexed(name=name):
            return place == 1 if name in ("take", "gather", "slice_store") else True
    return node.op.name == "matmul"
