"""Passes: each takes a graph and gives a new one of the same meaning, bit for bit once composites are expanded.

A graph's outputs are values, not memory: after the passes an output may be a graph input, and two outputs may be the
same node. Whoever hands arrays to the user gives each output memory of its own, unless the program itself made them one
object.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core.config import config
from ...core.errors import GraphError
from ..node import Graph
from ..verifier import verify as check
from .conds import optimise_conds
from .cse import merge_equal_nodes
from .dce import drop_dead_nodes
from .expand import expand_composites
from .fold import fold
from .loops import optimise_loops
from .pads import join_pads
from .slices import join_slices


def optimise_bodies(graph: Graph) -> Graph:
    """The graph in which every loop and every cond has bodies that went through all passes."""
    return optimise_conds(optimise_loops(graph, run_passes), run_passes)


PASSES: tuple[tuple[str, Callable[[Graph], Graph]], ...] = (
    ("expand_composites", expand_composites),
    ("fold", fold),
    ("pads", join_pads),
    ("slices", join_slices),
    ("cse", merge_equal_nodes),
    ("dce", drop_dead_nodes),
    ("bodies", optimise_bodies),
)
"""Every pass with its name, in the order in which they run."""


def run_passes(graph: Graph, verify: bool | None = None) -> Graph:
    """The graph after all passes; `verify` checks it before the first and after each, None asks `config.verify_graphs`.

    Errors: GraphError that names the pass after which the graph broke a rule.
    """
    checked = config.verify_graphs if verify is None else verify
    if checked:
        check(graph)
    for name, apply in PASSES:
        graph = apply(graph)
        if checked:
            _check_after(name, graph)
    return graph


def _check_after(name: str, graph: Graph) -> None:
    try:
        check(graph)
    except GraphError as error:
        raise GraphError(f"after the pass {name}, {error}") from None
