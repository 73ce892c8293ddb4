"""The calls of `vmap` that a trace is inside of."""

# Note [Batches in a trace]
# The tracer follows a function that `vmap` maps as any other: over tensors of the shape that one call sees, whose nodes
# go back to marks, `one_call`. When the function has returned, what its results depend on is written once more for the
# whole batch, by the rules of `ops/batching.py`, and the nodes of one call are taken out of the graph. So nothing else
# in the tracer knows of batches: gradients within the function, views and writes are nodes like all others. A node that
# is recorded gives recorded ones, a leaf gives a constant: what was detached within stays so.

from __future__ import annotations

from dataclasses import field
from typing import Any

from ...core.records import dataclass
from ...graph.node import Node


@dataclass(eq=False)
class BatchLevel:
    """One `vmap`.

    number: its own in the trace.   size: how many calls it stands for.
    given:  the same as the traced value that the program knows.
    randomness: what a draw inside of it is.
    builder, first: the builder of the graph when it began, and how many nodes that had.
    storages: how many memories the trace knew then.
    whole: by node of one call, the node of all calls.
    """

    number: int
    size: Any
    given: Any
    randomness: str
    builder: Any
    first: int
    storages: int
    whole: dict[Node, Node] = field(default_factory=dict)


@dataclass(eq=False)
class Batches:
    """The levels that are entered, the outermost first.

    left:   nodes of one call of a level that has ended.
    begun:  how many levels there have been.
    tangents: how many functions are under way of which derivatives are carried forward.
    """

    levels: list[BatchLevel] = field(default_factory=list)
    left: set[Node] = field(default_factory=set)
    begun: int = 0
    tangents: int = 0
