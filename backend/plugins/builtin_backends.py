"""The backends that are always there beside our own; they compile nothing, and serve to find out who is to blame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from ...graph.module import GraphModule

    Array = np.ndarray[Any, Any]
    Run = Callable[..., list[Array]]


def eager(module: GraphModule, example_inputs: Sequence[Array]) -> Run:
    """The graph as it was captured, a node at a time, by NumPy."""
    return module.forward


def aot_eager(module: GraphModule, example_inputs: Sequence[Array]) -> Run:
    """The graph after all passes, as our own back end compiles it, by NumPy: composite ops are made of primitives."""
    return module.primitives().forward


def reference(module: GraphModule, example_inputs: Sequence[Array]) -> Run:
    """The reference interpreter: every value a dense copy of its own, and checked. Slow, and obviously right."""
    from ...graph.interpreter import run_reference
    from ...graph.node import Graph

    pure = Graph(module.ir.inputs, module.ir.nodes, module.results)
    return lambda *arrays: run_reference(pure, module.operands(arrays))
