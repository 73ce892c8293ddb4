"""Builds a graph one operation at a time."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.types import TensorType
from ..ops.registry import PLACEHOLDER, OpDef
from .node import Graph, Location, Node, Write


class GraphBuilder:
    """Collects nodes in program order; `finish` gives the frozen graph."""

    def __init__(self) -> None:
        self.inputs: list[Node] = []
        self.nodes: list[Node] = []

    def input(self, type: TensorType, name: str, location: Location | None = None) -> Node:
        """A new graph input."""
        node = Node(PLACEHOLDER, (), type, (), name, location)
        self.inputs.append(node)
        return node

    def add(self, op: OpDef, *inputs: Node, location: Location | None = None, **attrs: object) -> Node:
        """A new node: `op` applied to `inputs`. Errors: OpError when the op's meta rule refuses the operands."""
        type = op.meta(*(node.type for node in inputs), **attrs)
        node = Node(op, inputs, type, tuple(sorted(attrs.items())), location=location)
        self.nodes.append(node)
        return node

    def finish(self, outputs: Iterable[Node], writes: Iterable[Write] = ()) -> Graph:
        """The graph collected so far, with these outputs and final writes."""
        return Graph(tuple(self.inputs), tuple(self.nodes), tuple(outputs), tuple(writes))
