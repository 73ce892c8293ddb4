"""The walk that passes share: builds a new graph node by node, operands first."""

from __future__ import annotations

from collections.abc import Callable

from ...core.errors import GraphError
from ...core.records import replace
from ..node import Graph, Node, Write

Step = Callable[[Node], Node]


def rewrite(graph: Graph, step: Step) -> Graph:
    """The graph in which each node is what `step` makes of it.

    `step` sees a node whose operands are already those of the new graph, and answers with that node, with an earlier
    one, or with new nodes over earlier ones (any operand not yet in the new graph is placed before its user).
    Errors: GraphError when the answer has another type than the node.
    """
    placed: list[Node] = []
    known: set[Node] = set(graph.inputs)
    new: dict[Node, Node] = {node: node for node in graph.inputs}
    for node in graph.nodes:
        now = with_operands(node, tuple(new[operand] for operand in node.inputs))
        answer = step(now)
        if answer.type != node.type and replace(answer.type, device=node.type.device) == node.type:
            answer = now  # a constant, which is on every device, in the place of a value that is on one
        if answer.type != node.type:
            raise GraphError(f"a rewrite of {node.op.name} changed its type from {node.type} to {answer.type}")
        _place(answer, placed, known)
        new[node] = answer
    writes = tuple(Write(new[write.target], new[write.value]) for write in graph.writes)
    return Graph(graph.inputs, tuple(placed), tuple(new[node] for node in graph.outputs), writes)


def with_operands(node: Node, operands: tuple[Node, ...]) -> Node:
    """`node` over other operands of the same types; the node itself when they are the same."""
    if operands == node.inputs:
        return node
    return Node(node.op, operands, node.type, node.attrs, node.name, node.location)


def _place(node: Node, placed: list[Node], known: set[Node]) -> None:
    # Recurses through what one step made, which is a node or two; everything older is known.
    if node in known:
        return
    for operand in node.inputs:
        _place(operand, placed, known)
    placed.append(node)
    known.add(node)
