"""A compiled graph in which numbers that depend on sizes are memory, so that no kernel is compiled for a size alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from ..backend.call_layout import InputLayout
from ..core.records import dataclass
from ..graph.aot.specialize import with_numbers
from ..graph.node import Graph, Node
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
        """The graph that the call computes, after all passes."""
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
    whole, given = with_numbers(graph, constants)
    numbers = tuple(each.array() for each in given)
    if not numbers:
        return make(graph, inputs)
    layouts = [InputLayout("array", each.type) for each in whole.inputs[len(graph.inputs) :]]
    return NumberedCall(make(whole, [*inputs, *layouts]), numbers)


__all__ = ["NumberedCall", "numbered"]
