"""Cuts a backward graph into segments that run one after the other, so that what is saved can be let go of in between.

::

    backward of three layers                    segment 1 reads what layer 3 saved, gives its gradients and %dh2
    reads all that is saved           =>        segment 2 reads what layer 2 saved and %dh2, ...
    until its end                               segment 3 ...

A plan holds its arguments until it is done. Run in segments, a backward holds what layers saved only until it has been
through them, as an engine that goes node by node does.
"""

# Note [Where to cut]
# A cut costs what crosses it: values that a kernel would have kept in registers go to memory. Constants, and what is
# cheaply made of inputs alone (an unpacked value), are made again in each segment instead. So the graph is walked until
# enough could be let go of, and from there to where twice as much could be, the place is taken that the fewest bytes
# cross.

from __future__ import annotations

from collections.abc import Collection, Container
from itertools import accumulate

from ...core.records import dataclass
from ...ops.registry import PLACEHOLDER, Creation, Movement, Pointwise
from ..bodies import WITH_BODIES
from ..node import Graph, Node
from ..passes.dce import may_raise
from ..passes.rewrite import with_operands

CHEAP = 8.0
"""Units: additions an element. What is made of inputs alone for no more than this is made again in each segment."""
NEVER = 1 << 62
"""Bytes that nobody has: how much would cross between a loop or a cond and its results."""


@dataclass(frozen=True, slots=True)
class BackwardSegment:
    """A part of a graph. Values have numbers: the inputs of the whole graph first, then what segments give.

    takes, gives: the numbers of the segment's inputs and outputs. done: what nobody reads after it.
    """

    graph: Graph
    takes: tuple[int, ...]
    gives: tuple[int, ...]
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SegmentedGraph:
    """A graph in segments. results: the numbers of the outputs of the whole."""

    segments: tuple[BackwardSegment, ...]
    results: tuple[int, ...]


def segmented(graph: Graph, temporary: Collection[int], least: int) -> SegmentedGraph | None:
    """`graph` cut so that after each segment but the last at least `least` bytes of inputs can be let go of.

    temporary: the numbers of the inputs that are held for this graph alone. None where no cut is worth it, or a node
    may raise, after which all inputs are needed again.
    """
    if graph.writes or any(map(may_raise, graph.nodes)):
        return None
    recomputed = _recomputed(graph)
    last = _last_use(graph, recomputed)
    ends = _cuts(graph, {graph.inputs[place] for place in temporary}, recomputed, last, least)
    return _split(graph, ends, recomputed) if ends else None


def _recomputed(graph: Graph) -> set[Node]:
    """Nodes that each segment makes for itself."""
    costs: dict[Node, float] = dict.fromkeys(graph.inputs, 0.0)
    for node in graph.nodes:
        lower = node.op.lower
        if not isinstance(lower, (Creation, Movement, Pointwise)) or any(each not in costs for each in node.inputs):
            continue
        cost = sum(costs[each] for each in node.inputs) + (lower.cost if isinstance(lower, Pointwise) else 0.0)
        if cost <= CHEAP:
            costs[node] = cost
    return costs.keys() - set(graph.inputs)


def _last_use(graph: Graph, recomputed: Container[Node]) -> dict[Node, int]:
    """The place of the last node that needs a value, what is made again looked through."""
    last: dict[Node, int] = {}
    for k, node in enumerate(graph.nodes):
        if node not in recomputed:
            waiting = list(node.inputs)
            while waiting:
                operand = waiting.pop()
                last[operand] = k
                if operand in recomputed:
                    waiting.extend(operand.inputs)
    return last


def _cuts(
    graph: Graph, held: Collection[Node], recomputed: Container[Node], last: dict[Node, int], least: int
) -> list[int]:
    """The places behind which the graph is cut. See Note [Where to cut]."""
    count = len(graph.nodes)
    freed, crossing = [0] * (count + 1), [0] * (count + 1)
    for node in held:
        freed[last.get(node, 0)] += node.type.nbytes
    for k, node in enumerate(graph.nodes):
        if node not in recomputed and last.get(node, k) > k:
            width = NEVER if node.op in WITH_BODIES else node.type.nbytes  # a token has no value that could cross
            crossing[k] += width
            crossing[last[node]] -= width
    total, crossed = list(accumulate(freed)), list(accumulate(crossing))
    ends: list[int] = []
    before = 0
    for k in range(count - 1):
        if total[k] - before < least or (ends and k <= ends[-1]) or total[-1] - total[k] < least:
            continue
        window = [j for j in range(k, count - 1) if total[j] - before <= max(2 * least, total[k] - before)]
        window = [j for j in window if crossed[j] < NEVER]
        if not window:
            continue
        best = min(window, key=lambda j: (crossed[j], j))
        ends.append(best)
        before = total[best]
    return ends


def _split(graph: Graph, ends: list[int], recomputed: Container[Node]) -> SegmentedGraph:
    numbers = {node: k for k, node in enumerate(graph.inputs)}
    bounds = [0, *(end + 1 for end in ends), len(graph.nodes)]
    owned = [[n for n in graph.nodes[a:b] if n not in recomputed] for a, b in zip(bounds, bounds[1:], strict=False)]
    home = {node: k for k, nodes in enumerate(owned) for node in nodes}
    for node in graph.outputs:
        home.setdefault(node, len(owned) - 1)  # an input, or what is made again
    parts = []
    for k, nodes in enumerate(owned):
        part = _Part(recomputed, home, k)
        for node in nodes:
            part.add(node)
        parts.append(part)
    wanted = {node for part in parts for node in part.outside} | set(graph.outputs)
    for k, part in enumerate(parts):
        for node in dict.fromkeys([*owned[k], *graph.outputs]):
            if node in wanted and home[node] == k and node not in numbers:
                part.add(node)  # of what is made again: it may read an input that nothing else in the segment reads
                part.results.append(node)
                numbers[node] = len(numbers)
    read = [[numbers[node] for node in part.outside] for part in parts]
    results = tuple(numbers[node] for node in graph.outputs)
    segments = []
    for k, part in enumerate(parts):
        later = {number for each in read[k + 1 :] for number in each}.union(results)
        seen = {number for each in read[: k + 1] for number in each} if k == 0 else set(read[k])
        gives = tuple(numbers[node] for node in part.results)
        segments.append(BackwardSegment(part.graph(), tuple(read[k]), gives, tuple(sorted(seen - later))))
    return SegmentedGraph(tuple(segments), results)


class _Part:
    """One segment in the making. outside: what it reads of the whole graph's inputs and of earlier segments."""

    def __init__(self, recomputed: Container[Node], home: dict[Node, int], number: int) -> None:
        self.recomputed = recomputed
        self.home = home
        self.number = number
        self.outside: dict[Node, Node] = {}
        self.nodes: list[Node] = []
        self.results: list[Node] = []
        self._new: dict[Node, Node] = {}

    def add(self, node: Node) -> Node:
        """The node that stands for `node` here.

        Values that are made again are shallow: the recursion goes no deeper than their cost.
        """
        if node in self._new:
            return self._new[node]
        if node.is_input or (node not in self.recomputed and self.home[node] != self.number):
            made = self.outside[node] = Node(PLACEHOLDER, (), node.type, (), node.name, node.location)
        else:
            made = with_operands(node, tuple(self.add(each) for each in node.inputs))
            self.nodes.append(made)
        self._new[node] = made
        return made

    def graph(self) -> Graph:
        """The segment as a graph."""
        outputs = tuple(self.add(node) for node in self.results)
        return Graph(tuple(self.outside.values()), tuple(self.nodes), outputs)
