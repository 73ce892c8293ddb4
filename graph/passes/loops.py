"""The bodies of loops: what no result needs is left out of them, and they go through all passes themselves.

::

    %0 = loop(%h, %xs, %w, ...) : i64[]            two results, the second of which nobody sees: a body that gives
    %1 = loop_result(%0, index=0) : f64[3]         only the first takes its place

A value is carried only if a result, or another carried value that is needed, is made of it. What comes out of one
iteration as it went in, and rows that are the same in all iterations, could go in from outside; they are left as they
are.
"""

from __future__ import annotations

from functools import partial

from ...ops.loops import LOOP
from ..bodies import add_loop, body_of, count
from ..builder import GraphBuilder
from ..node import Graph, Node
from .bodies import Made, Pass, with_smaller_bodies
from .dce import drop_dead_nodes


def optimise_loops(graph: Graph, run: Pass) -> Graph:
    """The graph with smaller loops; `run` takes a body through the passes."""
    return with_smaller_bodies(graph, LOOP, partial(_smaller, run=run))


def _smaller(
    builder: GraphBuilder, loop: Node, operands: tuple[Node, ...], results: dict[int, Node], run: Pass
) -> Made:
    """Adds the loop without what no result needs; the nodes that stand for its results in the graph being built."""
    carried, scanned = count(loop, "carried"), count(loop, "scanned")
    body = run(body_of(loop))
    kept, needed = _needed(body, carried, results)
    stacked = [index for index in sorted(results) if index >= carried]
    taken = [place for place, node in enumerate(body.inputs) if (place in kept if place < carried else node in needed)]
    wanted = [*kept, *stacked]
    small = drop_dead_nodes(
        Graph(tuple(body.inputs[k] for k in taken), body.nodes, tuple(body.outputs[k] for k in wanted))
    )
    made = add_loop(
        builder,
        small,
        [operands[place] for place in taken],
        trips=count(loop, "trips"),
        carried=len(kept),
        scanned=sum(carried <= place < carried + scanned for place in taken),
        reverse=bool(loop.attr("reverse")),
        location=loop.location,
        wanted=[place for place, index in enumerate(wanted) if index in results],
    )
    return {results[index]: made[place] for place, index in enumerate(wanted) if index in results}


def _needed(body: Graph, carried: int, results: dict[int, Node]) -> tuple[list[int], set[Node]]:
    """The numbers of the carried values that some result needs, and all nodes of the body that one does."""
    places = {node: place for place, node in enumerate(body.inputs[:carried])}
    kept = {index for index in results if index < carried}
    needed: set[Node] = set()
    waiting = [body.outputs[index] for index in results]
    while waiting:
        node = waiting.pop()
        if node in needed:
            continue
        needed.add(node)
        waiting.extend(node.inputs)
        place = places.get(node)
        if place is not None and place not in kept:
            kept.add(place)
            waiting.append(body.outputs[place])
    return sorted(kept), needed
