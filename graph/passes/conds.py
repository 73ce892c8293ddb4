"""The branches of conds: what no result needs is left out of them, and they go through all passes themselves.

::

    %0 = cond(%c, %x, %y, ...) : i64[]             two results, the second of which nobody sees: branches that give only
    %1 = cond_result(%0, index=0) : f64[3]         the first take their place, and no operand that they do not read
"""

from __future__ import annotations

from functools import partial

from ...ops.conds import COND
from ..bodies import add_cond, branches_of, count
from ..builder import GraphBuilder
from ..node import Graph, Node
from .bodies import Made, Pass, with_smaller_bodies
from .dce import drop_dead_nodes


def optimise_conds(graph: Graph, run: Pass) -> Graph:
    """The graph with smaller conds; `run` takes a branch through the passes."""
    return with_smaller_bodies(graph, COND, partial(_smaller, run=run))


def _smaller(
    builder: GraphBuilder, cond: Node, operands: tuple[Node, ...], results: dict[int, Node], run: Pass
) -> Made:
    """Adds the cond without what no result needs; the nodes that stand for its results in the graph being built."""
    wanted = sorted(results)
    first_kept = len(branches_of(cond)[0].outputs) - count(cond, "kept")
    branches = [
        run(drop_dead_nodes(Graph(branch.inputs, branch.nodes, tuple(branch.outputs[k] for k in wanted))))
        for branch in branches_of(cond)
    ]
    read = [{*branch.outputs, *(each for node in branch.nodes for each in node.inputs)} for branch in branches]
    taken = [
        k
        for k in range(len(operands) - 1)
        if any(branch.inputs[k] in each for branch, each in zip(branches, read, strict=True))
    ]
    true, false = (Graph(tuple(branch.inputs[k] for k in taken), branch.nodes, branch.outputs) for branch in branches)
    made = add_cond(
        builder,
        (true, false),
        [operands[0], *(operands[k + 1] for k in taken)],
        kept=sum(index >= first_kept for index in wanted),
        location=cond.location,
    )
    return {results[index]: made[place] for place, index in enumerate(wanted)}
