"""The memory that a graph holds at once, estimated from when its values are needed last."""

from __future__ import annotations

from collections.abc import Container

from ...ops.activations import ALIAS
from ...ops.registry import Creation, Movement
from ..node import Graph, Node
from .partition import bytes_of


def peak_bytes(graph: Graph, free: Container[Node] = ()) -> int:
    """The most bytes that inputs and values of a graph take at one time, each let go after its last reader.

    An estimate for comparing graphs: as if each value were stored, which a kernel may keep to itself, and nothing but
    views and constants took no memory. free: inputs whose memory is there anyway.
    What the graph gives and writes stays.
    """
    ends = {*graph.outputs, *(each.value for each in graph.writes)}
    owner: dict[Node, Node] = {}
    for node in graph.nodes:
        view = isinstance(node.op.lower, Movement) or node.op is ALIAS
        owner[node] = owner.get(node.inputs[0], node.inputs[0]) if view else node
    last: dict[Node, int] = {}
    for place, node in enumerate(graph.nodes):
        last.update((owner.get(each, each), place) for each in node.inputs)
        last.setdefault(owner[node], place)
    last.update((owner.get(each, each), len(graph.nodes)) for each in ends)
    held = most = sum(bytes_of(each) for each in graph.inputs if each not in free)
    gone: dict[int, list[Node]] = {}
    for node, place in last.items():
        gone.setdefault(place, []).append(node)
    for place, node in enumerate(graph.nodes):
        held += _own_bytes(node, owner)
        most = max(most, held)
        held -= sum(_own_bytes(each, owner) for each in gone.get(place, ()) if each not in free)
    return most


def _own_bytes(node: Node, owner: dict[Node, Node]) -> int:
    is_view = owner.get(node, node) is not node
    return 0 if is_view or isinstance(node.op.lower, Creation) else bytes_of(node)
