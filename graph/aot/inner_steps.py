"""Nodes that hold graphs, as a backward pass sees them: steps with several results, and rules of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ops.conds import COND
from ...ops.loops import LOOP
from ..bodies import results_of
from ..node import Node
from .conds import CondTapeStep
from .custom_nodes import Steps, TapeStep
from .loops import LoopTapeStep

AnyStep = TapeStep | LoopTapeStep | CondTapeStep


def with_bodies(nodes: Iterable[Node], steps: Steps) -> Mapping[Node, AnyStep]:
    """`steps`, and the loops and conds among `nodes`, by each of their results."""
    nodes = list(nodes)
    found: dict[Node, AnyStep] = dict(steps)
    for loop, results in results_of(nodes, LOOP).items():
        found.update(dict.fromkeys(results.values(), LoopTapeStep(loop, tuple(results.values()))))
    for cond, results in results_of(nodes, COND).items():
        found.update(dict.fromkeys(results.values(), CondTapeStep(cond, tuple(results.values()))))
    return found
