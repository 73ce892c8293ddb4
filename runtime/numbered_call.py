"""A compiled graph in which numbers that depend on sizes are memory, so that no kernel is compiled for a size alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..backend.layout import InputLayout
from ..core.types import TensorType
from ..graph.builder import GraphBuilder
from ..graph.node import Graph, Node
from ..graph.passes.rewrite import with_operands
from ..ops.movement import EXPAND
from .graph_call import GraphCall

Array = np.ndarray[Any, Any]
Compile = Callable[[Graph, Sequence[InputLayout]], GraphCall]


@dataclass(frozen=True, slots=True, eq=False)
class NumberedCall:
    """A call that takes some numbers besides its arguments."""

    call: GraphCall
    numbers: tuple[Array, ...]

    @property
    def graph(self) -> Graph:
        """What it computes, after all passes."""
        return self.call.graph

    @property
    def frees(self) -> bool:
        """See `GraphCall`."""
        return self.call.frees

    def __call__(self, arguments: list[Any]) -> Sequence[Array]:
        arguments.extend(self.numbers)
        return self.call(arguments)


def numbered(graph: Graph, inputs: Sequence[InputLayout], constants: Collection[Node], make: Compile) -> GraphCall:
    """The compiled form of a graph in which those constants, `full` nodes, are memory.

    make: compiles a graph whose inputs lie as told.
    """
    builder = GraphBuilder()
    made: dict[Node, Node] = {node: node for node in graph.inputs}
    given: dict[tuple[Any, Any], Node] = {}
    for node in graph.nodes:
        if node not in constants:
            made[node] = with_operands(node, tuple(made[each] for each in node.inputs))
            builder.nodes.append(made[node])
            continue
        key = node.attr("value"), node.type.dtype
        if key not in given:
            given[key] = builder.input(TensorType((), node.type.dtype), f"number_{len(given)}")
        made[node] = builder.add(EXPAND, given[key], location=node.location, shape=node.shape)
    if not given:
        return make(graph, inputs)
    whole = Graph((*graph.inputs, *given.values()), tuple(builder.nodes), tuple(made[each] for each in graph.outputs))
    layouts = [InputLayout("array", each.type) for each in given.values()]
    numbers = tuple(np.array(value, dtype.numpy) for value, dtype in given)
    return NumberedCall(make(whole, [*inputs, *layouts]), numbers)


__all__ = ["NumberedCall", "numbered"]
