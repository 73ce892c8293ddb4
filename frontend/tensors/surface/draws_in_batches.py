"""Draws of random tensors inside of `vmap`, while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....graph.node import Node
from ....ops.saved import ONE_CALL
from ...breaks import RAISES
from ...tracing.progress import BatchLevel

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def drawing_levels(trace: Trace) -> list[BatchLevel]:
    """The levels of which each call draws for itself. Errors: a break where one allows no draws."""
    levels = trace.batches.levels
    if any(each.randomness == "error" for each in levels):
        raise RAISES.stop(error="RuntimeError: vmap: called random operation while in randomness error mode")
    return [each for each in levels if each.randomness == "different"]


def entered(trace: Trace, node: Node, levels: list[BatchLevel]) -> Node:
    """One call's part of a value whose first axes are those of `levels`."""
    with trace.no_grad():
        for level in levels:
            node = trace.add(ONE_CALL, node, level=level.number)
    return node
