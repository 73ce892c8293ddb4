"""Composites become the primitives they stand for; no back end meets one.

::

    %0 = relu(%x) : f32[3]                         %0 = full(dtype=f32, shape=(3,), value=0.0) : f32[3]
    return %0                            =>        %1 = maximum(%x, %0) : f32[3]
                                                   return %1

It runs after differentiation, which takes a composite's own rule, and before everything else.
"""

from __future__ import annotations

from ...core.devices import CPU
from ...core.errors import SizeError
from ...core.sizes import Facts
from ...ops.registry import Composite
from ..aot.emitter import GraphEmitter
from ..builder import GraphBuilder
from ..node import Graph, Node
from .rewrite import rewrite


def expand_composites(graph: Graph) -> Graph:
    """The graph with primitives in place of every composite; they bear its line. An `alias` leaves nothing."""
    if not any(isinstance(node.op.lower, Composite) for node in graph.nodes):
        return graph
    return rewrite(graph, expand_node)


def expand_for_all_sizes(graph: Graph, facts: Facts) -> Graph:
    """The graph with the composites expanded whose expansion is that of every size.

    A composite that goes by its size (a scan by doubling) is left.

    So constants that depend on sizes (the count behind a mean) are known to be such.
    """

    def expanded(node: Node) -> Node:
        try:
            return expand_node(node)
        except SizeError:
            return node

    before, facts.sealed = facts.sealed, True
    try:
        return rewrite(graph, expanded)
    except SizeError:
        return graph
    finally:
        facts.sealed = before


def expand_node(node: Node) -> Node:
    """The expansion that stands for `node`, or `node` itself when it is no composite, or its device knows it."""
    lower = node.op.lower
    if not isinstance(lower, Composite) or (lower.kept_on_devices and node.type.device != CPU):
        return node
    emitter = GraphEmitter(GraphBuilder(), node.location)
    answer: Node | None = None
    if lower.on_devices is not None and node.type.device != CPU:
        answer = lower.on_devices(emitter, *node.inputs, **node.kwargs)
    if answer is None:
        answer = lower.expand(emitter, *node.inputs, **node.kwargs)
    return answer
