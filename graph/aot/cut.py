"""The flow network of a minimum cut between what cannot be computed again and what backward reads."""

# Note [What a byte costs]
# The width of a value is its size in bytes, twice that where nobody else would write it to memory (a kernel has it in a
# register), and nothing for memory that is there anyway, as that of parameters. Among cuts of one width the one nearest
# to backward is taken, which computes least again: for that, widths carry a small part that is larger for what is made
# earlier. All of it is integers, and nodes are numbered in program order: a graph is cut the same way everywhere.

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable

from ...core.config import config
from ..node import Node

NEVER = float("inf")
"""The cost of what is not computed again."""
PART = 1 << 20
"""The number of parts that a byte has, for what decides between cuts of one size."""


def needed(read: Iterable[Node], again: Callable[[Node], bool]) -> set[Node]:
    """The nodes of `read`, and all that they are made of as far as values are made `again`."""
    found: set[Node] = set()
    waiting = list(read)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            if again(node):
                waiting.extend(node.inputs)
    return found


class Network:
    """The flow network of one cut."""

    def __init__(
        self,
        order: dict[Node, int],
        free: Container[Node],
        costs: dict[Node, float],
        in_memory: Container[Node],
        static: Container[Node],
        barred: Container[Node],
        nbytes: Callable[[Node], int],
    ) -> None:
        self.order = order
        self.free = free
        self.costs = costs
        self.in_memory = in_memory
        self.static = static
        self.barred = barred
        self.nbytes = nbytes

    def cut(self, read: Collection[Node]) -> set[Node]:
        """The nodes to keep so that everything in `read` is kept or can be computed."""
        wanted = self._wanted(read)
        if all(self.costs.get(node, NEVER) == NEVER for node in wanted if node not in self.free):
            return {node for node in wanted if node not in self.free}  # nothing to choose
        import networkx

        network = networkx.DiGraph()
        for node in wanted:
            here = self.order[node]
            network.add_edge((here, 0), (here, 1), **self._width(node))
            if self.costs.get(node, NEVER) == NEVER and node not in self.free:
                network.add_edge("source", (here, 0))
            else:
                for operand in dict.fromkeys(node.inputs):
                    network.add_edge((self.order[operand], 1), (here, 0))
        for node in read:
            network.add_edge((self.order[node], 1), "sink")
        if "source" not in network:
            return set()
        _, (before, _) = networkx.minimum_cut(network, "source", "sink")
        return {node for node in wanted if (self.order[node], 0) in before and (self.order[node], 1) not in before}

    def _wanted(self, read: Collection[Node]) -> list[Node]:
        """The values that backward needs, down to those that it cannot compute, in program order."""
        found = needed(read, lambda node: node in self.free or self.costs.get(node, NEVER) < NEVER)
        return sorted(found, key=self.order.__getitem__)

    def _width(self, node: Node) -> dict[str, int]:
        """The capacity of keeping `node`; none stands for one without end. See Note [What a byte costs]."""
        again = self.costs.get(node, NEVER) < NEVER
        if node in self.free or node in self.barred or (again and node.op.name in config.must_recompute):
            return {}
        early = len(self.order) - self.order[node]
        if node in self.static:
            return {"capacity": early}
        times = 1 if node.is_input or node in self.in_memory else 2
        return {"capacity": times * max(self.nbytes(node), 1) * PART + early}
