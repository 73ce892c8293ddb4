"""Inlined saved-tensor hooks as graphs of their own, beside the graph that they are part of.

::

    saved_tensors_hooks_pack_0:  graph(%tanh: f32[4, 2]) {           one input for each value that the pair packs,
                                   %0 = cast(%tanh, dtype=f16)       one output for each value that unpack reads
                                   return %0
                                 }
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ops.registry import PLACEHOLDER
from ..node import Graph, Node
from ..passes.rewrite import with_operands
from .packing import Packing

PACK, UNPACK = "saved_tensors_hooks_pack_{}", "saved_tensors_hooks_unpack_{}"
"""The names of the graphs, by the number of the pair: 0 is the one around the call."""


def hook_graphs(number: int, packings: Sequence[tuple[Node, Packing]]) -> dict[str, Graph]:
    """The two graphs of a pair of hooks, by name. packings: the values that it packs, and what it makes of them.

    What hooks read from outside of it (a tensor of the user's) is an input of theirs too.
    """
    packs = list(dict.fromkeys(node for _, each in packings for node in each.pack))
    unpacks = [node for _, each in packings for node in each.nodes]
    own = set(unpacks)
    read = dict.fromkeys(each for node in unpacks for each in node.inputs if each not in own)
    read.update(dict.fromkeys(each.value for _, each in packings if each.value not in own))
    return {
        PACK.format(number): _alone(packs, [node for node, _ in packings], list(read)),
        UNPACK.format(number): _alone(unpacks, list(read), [each.value for _, each in packings]),
    }


def _alone(nodes: Sequence[Node], given: Sequence[Node], outputs: Sequence[Node]) -> Graph:
    """Some nodes as a graph; what they and the outputs need besides is given too."""
    inner = set(nodes)
    needed = (each for node in nodes for each in node.inputs)
    inputs = dict.fromkeys(each for each in (*given, *needed, *outputs) if each not in inner)
    new = {each: Node(PLACEHOLDER, (), each.type, (), each.name or each.op.name, each.location) for each in inputs}
    given_anew = tuple(new.values())
    for node in nodes:
        new[node] = with_operands(node, tuple(new[each] for each in node.inputs))
    return Graph(given_anew, tuple(new[node] for node in nodes), tuple(new[node] for node in outputs))
