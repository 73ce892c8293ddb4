"""Functions that backward passes through subgraphs share: through the bodies of loops, and the branches of conds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...ops.registry import PLACEHOLDER
from ..node import Node
from ..passes.rewrite import with_operands


def input_like(like: Node, name: str) -> Node:
    """A new input of the type of `like`."""
    return Node(PLACEHOLDER, (), like.type, (), name, like.location)


def needed(nodes: Sequence[Node], results: Iterable[Node], barred: Collection[Node]) -> list[Node]:
    """The nodes among `nodes`, in their order, that the results depend on, but for those that are barred."""
    met: set[Node] = set()
    waiting = list(results)
    while waiting:
        node = waiting.pop()
        if node not in met and node not in barred and not node.is_input:
            met.add(node)
            waiting.extend(node.inputs)
    return [node for node in nodes if node in met]


def made_from(kept: Collection[Node], results: Sequence[Node]) -> tuple[dict[Node, Node], list[Node], list[Node]]:
    """A backward body: the inputs that stand for kept values, its nodes, and these results in it.

    Other inputs that the results depend on, such as cotangents, are inputs of it too, as they are.
    """
    loads: dict[Node, Node] = {}
    new: dict[Node, Node] = {}
    nodes: list[Node] = []
    waiting = list(results)[::-1]
    while waiting:
        node = waiting[-1]
        if node in new:
            waiting.pop()
        elif node in kept:
            new[node] = loads[node] = input_like(node, node.name)
        elif node.is_input:
            new[node] = node
        elif missing := [each for each in node.inputs if each not in new]:
            waiting.extend(reversed(missing))
        else:
            new[node] = with_operands(node, tuple(new[each] for each in node.inputs))
            nodes.append(new[node])
    return loads, nodes, [new[node] for node in results]
