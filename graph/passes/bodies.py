"""Nodes with bodies, made anew in a graph: what the passes for loops and for conds share."""

from __future__ import annotations

from collections.abc import Callable

from ...ops.registry import OpDef
from ..bodies import results_of
from ..builder import GraphBuilder
from ..node import Graph, Node, Write
from .dce import drop_dead_nodes
from .rewrite import with_operands

Pass = Callable[[Graph], Graph]
Made = dict[Node, Node]
"""The nodes that stand for results in the graph that is being built, by result."""
Smaller = Callable[[GraphBuilder, Node, tuple[Node, ...], dict[int, Node]], Made]
"""Adds a node in place of another one, over new operands; of that one the results are given, by index."""


def with_smaller_bodies(graph: Graph, op: OpDef, smaller: Smaller) -> Graph:
    """The graph with what `smaller` makes of each node of `op`, without what these do not take any more."""
    if not any(node.op is op for node in graph.nodes):
        return graph
    found = results_of(graph.nodes, op)
    builder = GraphBuilder()
    new: dict[Node, Node] = {node: node for node in graph.inputs}
    for node in graph.nodes:
        if node.inputs and node.inputs[0].op is op:
            continue  # a result, which came with its node
        operands = tuple(new[each] for each in node.inputs)
        if node.op is op:
            new.update(smaller(builder, node, operands, found[node]))
        else:
            new[node] = with_operands(node, operands)
            builder.nodes.append(new[node])
    writes = tuple(Write(each.target, new[each.value]) for each in graph.writes)
    return drop_dead_nodes(
        Graph(graph.inputs, tuple(builder.nodes), tuple(new[node] for node in graph.outputs), writes)
    )
