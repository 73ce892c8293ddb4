"""Drops nodes whose value nobody sees.

::

    %0 = sin(%x) : f64[3]                          %0 = cos(%x) : f64[3]
    %1 = cos(%x) : f64[3]                =>        return %0
    return %1

A node that may raise when it runs (an index out of range) stays, with what it needs: the program would have raised.
"""

from __future__ import annotations

from ...ops.registry import Composite
from ..node import Graph, Node
from .rule import constant


def drop_dead_nodes(graph: Graph) -> Graph:
    """The graph with only those nodes that an output, a write or a possible exception needs; inputs all stay."""
    live: set[Node] = set()
    waiting = [*graph.results, *(node for node in graph.nodes if may_raise(node))]
    while waiting:
        node = waiting.pop()
        if node not in live:
            live.add(node)
            waiting.extend(node.inputs)
    return Graph(graph.inputs, tuple(node for node in graph.nodes if node in live), graph.outputs, graph.writes)


def may_raise(node: Node) -> bool:
    """Whether running `node` can raise for some values of its operands, as far as they are not known."""
    if not node.op.may_raise:
        return False
    if node.op.name == "region":
        return bool(node.attr("leaves"))
    if node.op.name == "call_out" or isinstance(node.op.lower, Composite):
        return True
    operand = node.inputs[0 if node.op.name == "checked_index" else 1]
    known = constant(operand)
    if not operand.type.dtype.is_integer or any(type(size) is int and size == 0 for size in operand.shape):
        return False
    if node.op.name == "checked_index":
        size, ignore = node.attr("size"), node.attr("ignore")
        if known is None or not isinstance(size, int):  # a symbolic size is asked for nothing
            return True
        return not (0 <= known.item() < size or known.item() == ignore)
    if node.op.name == "power":
        return operand.type.dtype.kind == "i" and (known is None or known.item() < 0)
    axis = node.attr("axis")
    assert isinstance(axis, int)
    extent = node.inputs[0].shape[axis]
    if known is None or not isinstance(extent, int):
        return True
    return not -extent <= known.item() < extent
