"""Splits a forward trace into two graphs, for a backward that is asked for from outside.

::

    graph(%x: f64[3]) {                      forward: the same, and returns %0, %1 (%1 is the output)
      %0 = exp(%x) : f64[3]          =>      backward:
      %1 = sin(%0) : f64[3]                  graph(%0: f64[3], %tangent_0: f64[3]) {
      return %1                                %1 = cos(%0) : f64[3]
    }                                          %2 = multiply(%tangent_0, %1) : f64[3]
                                               %3 = multiply(%2, %0) : f64[3]
                                               return %3
                                             }
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...ops.composite import ALIAS
from ...ops.movement import EXPAND, PERMUTE, RESHAPE
from ...ops.registry import PLACEHOLDER, Creation, Movement
from ..builder import GraphBuilder
from ..node import Graph, Node, Write
from ..passes.rewrite import with_operands
from .emitter import GraphEmitter
from .steps import Steps
from .vjp import gradients

NO_SMALLER = (ALIAS, EXPAND, PERMUTE, RESHAPE)
"""Ops that give the elements of their operand, no fewer of them."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the value of a saved node is found: it is the array of graph input `place`, or forward output `place`."""

    kind: Literal["input", "output"]
    place: int


@dataclass(frozen=True, slots=True)
class Pair:
    """A forward graph and the backward graph that belongs to it.

    forward:  outputs are those asked for, then the saved values that are neither an input nor asked for anyway.
    backward: inputs are the saved values, those that only it has, then one tangent for each root; outputs are the
        gradients of the leaves that were reached. It writes what the steps on the way have written.
    saved:    what the backward graph reads of the forward one, each once: inputs first, then nodes in program order.
    origins:  where each of `saved` is found after a run of the forward graph.
    later:    the inputs that only the backward graph has.
    reached:  the places of those leaves.
    """

    forward: Graph
    backward: Graph
    saved: tuple[Node, ...]
    origins: tuple[Origin, ...]
    reached: tuple[int, ...]
    later: tuple[Node, ...] = ()


@dataclass(eq=False)
class OnTheWay:
    """What a walk back meets that is no op, and what that does.

    steps:   by their outputs.   before: told of each node whose rule is applied next.
    exact:   values that are saved as they are, not made again: whoever reads them may write their memory.
    written: asked when the walk is over: memory that was written on the way, each as the value that stands for it in
        the forward graph, and the one that it holds afterwards.
    """

    steps: Steps = field(default_factory=dict)
    before: Callable[[Node], None] | None = None
    exact: Container[Node] = ()
    written: Callable[[], Sequence[Write]] = tuple


def make_pair(
    inputs: Sequence[Node],
    nodes: Sequence[Node],
    outputs: Sequence[Node],
    roots: Sequence[Node],
    leaves: Sequence[Node],
    recorded: Container[Node],
    writes: Sequence[Write] = (),
    way: OnTheWay | None = None,
) -> Pair:
    """The two graphs of a forward trace.

    inputs, nodes, outputs, writes: the trace. roots: the nodes that will be given tangents. leaves, recorded: see
    `gradients`. way: what the walk back meets besides ops.
    Saved is what the backward graph reads, with two exceptions, which it makes again: constants, and views (all but
    slices of what is no input: they may be much smaller than what they are cut from). A saved input is not copied;
    if the program writes into it later, that is the concern of whoever keeps it, as in eager mode.
    """
    way = way or OnTheWay()
    builder = GraphBuilder()
    builder.inputs, builder.nodes = list(inputs), list(nodes)
    tangents = [_input(root, f"tangent_{number}") for number, root in enumerate(roots)]
    starts = zip(roots, tangents, strict=True)
    found = gradients(GraphEmitter(builder), starts, leaves, recorded, steps=way.steps, before=way.before)
    reached = tuple(place for place, leaf in enumerate(leaves) if leaf in found)
    results = [found[leaves[place]] for place in reached]
    late = way.written()
    again = {node for node in _made_again(inputs, nodes) if node not in way.exact}
    wanted = [*results, *(each.value for each in late), *(each.target for each in late)]
    saved, kept = _divide(wanted, builder, {*inputs, *nodes}, again)
    later = tuple(node for node in builder.inputs[len(inputs) :] if node in kept)
    backward = _backward((*saved, *later), tangents, (node for node in builder.nodes if node in kept), results, late)
    origins, extra = _origins(saved, inputs, outputs)
    whole = Graph(tuple(inputs), tuple(nodes), (*outputs, *extra), tuple(writes))
    return Pair(whole, backward, saved, origins, reached, later)


def _input(like: Node, name: str) -> Node:
    return Node(PLACEHOLDER, (), like.type, (), name, like.location)


def _made_again(inputs: Iterable[Node], nodes: Iterable[Node]) -> set[Node]:
    """The forward values that the backward graph computes itself, from what they are made of."""
    views = set(inputs)
    again: set[Node] = set()
    for node in nodes:
        view = (isinstance(node.op.lower, Movement) or node.op is ALIAS) and node.inputs[0] in views
        if view:
            views.add(node)
        if view or isinstance(node.op.lower, Creation) or node.op in NO_SMALLER:
            again.add(node)
    return again


def _divide(
    results: Iterable[Node], builder: GraphBuilder, forward: Container[Node], again: Container[Node]
) -> tuple[tuple[Node, ...], set[Node]]:
    """What to save, in program order, and the nodes of the backward graph."""
    saved: set[Node] = set()
    kept: set[Node] = set()
    waiting = list(results)
    while waiting:
        node = waiting.pop()
        if node in kept or node in saved:
            continue
        if node in forward and node not in again:
            saved.add(node)
        else:
            kept.add(node)
            waiting.extend(node.inputs)
    everything = (*builder.inputs, *builder.nodes)
    return tuple(node for node in everything if node in saved), kept


def _backward(
    saved: Iterable[Node],
    tangents: Sequence[Node],
    kept: Iterable[Node],
    results: Sequence[Node],
    writes: Sequence[Write],
) -> Graph:
    new = {node: _input(node, node.name) for node in saved}
    inputs = (*new.values(), *tangents)
    new.update((tangent, tangent) for tangent in tangents)
    nodes = []
    for node in kept:
        new[node] = with_operands(node, tuple(new[operand] for operand in node.inputs))
        nodes.append(new[node])
    late = tuple(Write(new[each.target], new[each.value]) for each in writes)
    return Graph(inputs, tuple(nodes), tuple(new[node] for node in results), late)


def _origins(
    saved: Iterable[Node], inputs: Sequence[Node], outputs: Sequence[Node]
) -> tuple[tuple[Origin, ...], list[Node]]:
    """Where each saved value is found, and the outputs that the forward graph has to give for that."""
    known = {node: Origin("output", place) for place, node in reversed(list(enumerate(outputs)))}
    known.update((node, Origin("input", place)) for place, node in enumerate(inputs))
    extra: list[Node] = []
    origins = []
    for node in saved:
        if node not in known:
            known[node] = Origin("output", len(outputs) + len(extra))
            extra.append(node)
        origins.append(known[node])
    return tuple(origins), extra
