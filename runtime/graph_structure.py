"""The structure of an eager graph: what a compiled backward pass relies on, and into which segments it falls."""

# Note [The order of a backward pass]
# Whatever a node leads to was made before it, so its number is smaller. The engine runs the node with the largest
# number of those that are ready; so it runs them all by falling numbers, and accumulates each leaf as soon as its
# gradient is complete. Of a graph whose nodes are not so numbered no structure is made.

# Note [Pieces]
# Nodes whose rules are known are compiled together, as far as they follow each other. What calls into the user's code
# runs by itself, as the engine runs it: custom functions, nodes with hooks, those whose saved tensors have hooks, and
# tensors that are asked for. A segment ends before such a node, and behind the one that completes a leaf with hooks.

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..autograd.accumulate import AccumulateGrad
from ..autograd.engine import GraphTask
from ..autograd.node import Edge, Node
from ..core.records import dataclass
from .node_columns import Columns, Number
from .node_forms import NodeForm, form_of

if TYPE_CHECKING:
    from .graph_segments import Plan

Place = tuple[int, int]
"""The end of an edge: the number of a node in the order of the backward pass, leaves first, and of its output."""
_by_sequence = attrgetter("sequence")


@dataclass(frozen=True, slots=True)
class NodeStep:
    """One node of the backward pass.

    form:      None if it runs by itself.
    edges:     for each edge where it leads; a None is followed nowhere.
    completes: the leaves whose gradients are complete once it has run, in order.
    """

    form: NodeForm | None
    outputs: int
    edges: tuple[Place | None, ...]
    completes: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NodeSegment:
    """Nodes that are compiled together, and what comes behind them.

    nodes: numbers of the nodes, one after the other; `columns` says what they have to be.
    alone: that of the node that runs by itself after them, or None.
    reads: the places at which gradients may have arrived before, of those that the nodes read or add to.
    plans: what was compiled, by which of these there are, one for each layout of what goes in.
    """

    nodes: tuple[int, ...]
    alone: int | None
    reads: tuple[Place, ...]
    columns: Columns | None
    plans: dict[tuple[bool, ...], tuple[Plan, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """The structure common to all graphs that one compiled backward pass is for.

    observed: for each leaf, whether its gradient is seen by hooks or asked for.
    free:     the Python numbers among operands that may be any.
    """

    roots: tuple[Place, ...]
    observed: tuple[bool, ...]
    steps: tuple[NodeStep, ...]
    segments: tuple[NodeSegment, ...]
    free: frozenset[Number]

    @property
    def leaves(self) -> int:
        """The number of leaves; the number of a step's node is so much larger than that of the step."""
        return len(self.observed)

    def fits(self, order: Sequence[Any], task: GraphTask, numbers: bool = True) -> bool:
        """Whether the graph whose walk is `order` has this structure; its roots have been compared.

        numbers: those among operands count.
        """
        leaves = self.leaves
        for number, observed in enumerate(self.observed):
            leaf = order[number]
            if type(leaf) is not AccumulateGrad or is_observed_leaf(leaf, task) is not observed:
                return False
        if type(order[leaves]) is AccumulateGrad:
            return False
        return all(
            segment.columns.fit(order, task, numbers) for segment in self.segments if segment.columns is not None
        ) and all(self._is_like(segment.alone, order, task) for segment in self.segments if segment.alone is not None)

    def still_fits(self, segment: NodeSegment, order: Sequence[Any], task: GraphTask) -> bool:
        """Whether a segment of a graph that did fit does so still, though the user's code has run meanwhile."""
        steps = self.steps[segment.nodes[0] - self.leaves : segment.nodes[-1] + 1 - self.leaves]
        leaves = [leaf for step in steps for leaf in step.completes if not self.observed[leaf]]
        if any(is_observed_leaf(order[leaf], task) for leaf in leaves):
            return False
        return segment.columns is None or segment.columns.fit(order, task)

    def numbers(self, order: Sequence[Any]) -> frozenset[Number]:
        """The Python numbers among operands that can be arguments, of a graph that fits otherwise."""
        return frozenset().union(*(each.columns.arguments(order) for each in self.segments if each.columns is not None))

    def _is_like(self, number: int, order: Sequence[Any], task: GraphTask) -> bool:
        """Whether the node with this number is to run by itself, and gives gradients to the same places."""
        node, step = order[number], self.steps[number - self.leaves]
        ends = [(end, output) for end, output in node.edges if end in task.arriving]
        return (
            node.outputs == step.outputs
            and (is_observed(node, task) or form_of(node) is None)
            and [place is not None for place in step.edges] == [end in task.arriving for end, _ in node.edges]
            and all(
                order[place[0]] is end and place[1] == output
                for (end, output), place in zip(ends, filter(None, step.edges))
            )
        )


def in_order(task: GraphTask) -> list[Any]:
    """The nodes that take part: leaves first, then the others in the order in which they run; and a None."""
    return [*sorted(task.arriving, key=_by_sequence, reverse=True), None]


def is_observed(node: Node, task: GraphTask) -> bool:
    """Whether the engine shows the gradients of `node`, which is no leaf, to hooks, or gives them out."""
    if node.tensor_hooks or node.prehooks or node.posthooks or node.retaining:
        return True
    return task.runs is not None and (node in task.places or node not in task.runs)


def is_observed_leaf(leaf: AccumulateGrad, task: GraphTask) -> bool:
    """Whether the engine shows the gradient of `leaf` to hooks, or gives it out."""
    hooks = leaf.variable._hooks
    if leaf.prehooks or leaf.posthooks or (hooks is not None and (hooks.gradient or hooks.accumulated)):
        return True
    return task.runs is not None and (leaf in task.places or leaf not in task.runs)


def structure_of(
    order: Sequence[Any], roots: Sequence[Edge], task: GraphTask, free: frozenset[Number] = frozenset()
) -> Structure | None:
    """The structure of a graph; None if its order is not that of Note [The order of a backward pass]."""
    order = order[:-1]
    number = {node: place for place, node in enumerate(order)}
    leaves = [node for node in order if type(node) is AccumulateGrad]
    ends = [
        [(number[end], output) if end in number else None for end, output in node.edges]  # type: ignore[index]
        for node in order
    ]
    falling = all(
        place is None or place[0] < len(leaves) or place[0] > at for at, each in enumerate(ends) for place in each
    )
    if not falling or leaves != list(order[: len(leaves)]):
        return None
    starts = tuple((number[node], output) for node, output in roots if node in number)  # type: ignore[index]
    completes = _completing(ends, starts, len(leaves))
    steps = tuple(
        NodeStep(
            None if is_observed(node, task) else form_of(node), node.outputs, tuple(ends[at]), tuple(completes[at])
        )
        for at, node in enumerate(order)
        if at >= len(leaves)
    )
    observed = tuple(is_observed_leaf(leaf, task) for leaf in leaves)
    return Structure(starts, observed, steps, tuple(_segments(order, steps, starts, observed, free)), free)


def _completing(ends: Sequence[Sequence[Place | None]], roots: Sequence[Place], leaves: int) -> list[list[int]]:
    """For each node the leaves to which its edges bring the last gradient."""
    missing: dict[int, int] = {}
    for end, _ in [*roots, *(place for each in ends for place in each if place is not None)]:
        missing[end] = missing.get(end, 0) + 1
    for end, _ in roots:
        missing[end] -= 1
    completes: list[list[int]] = []
    for each in ends:
        completes.append([])
        for place in each:
            if place is not None:
                missing[place[0]] -= 1
                if place[0] < leaves and not missing[place[0]]:
                    completes[-1].append(place[0])
    return completes


def _segments(
    order: Sequence[Node],
    steps: Sequence[NodeStep],
    roots: Sequence[Place],
    observed: Sequence[bool],
    free: Collection[Number],
) -> list[NodeSegment]:
    segments: list[NodeSegment] = []
    nodes: list[int] = []
    arrived, met = set(roots), set(roots)

    def close(alone: int | None) -> None:
        reads: dict[Place, None] = {}
        for at in nodes:
            step = steps[at - len(observed)]
            for place in ((at, 0), *step.edges):
                if place is not None and place in arrived:
                    reads[place] = None
        segments.append(
            NodeSegment(tuple(nodes), alone, tuple(reads), _columns(order, steps, nodes, len(observed), free))
        )
        nodes.clear()
        arrived.update(met)

    for at, step in enumerate(steps, len(observed)):
        if step.form is None:
            met.update(place for place in step.edges if place is not None)
            close(at)
            continue
        nodes.append(at)
        met.update(place for place in step.edges if place is not None)
        if any(observed[leaf] for leaf in step.completes):
            close(None)
    if nodes:
        close(None)
    return segments


def _columns(
    order: Sequence[Node], steps: Sequence[NodeStep], numbers: Sequence[int], leaves: int, free: Collection[Number]
) -> Columns | None:
    """The columns of the nodes with these numbers, if there are any."""
    if not numbers:
        return None
    own = [steps[at - leaves] for at in numbers]
    ends = [[-1 if place is None else place[0] for place in step.edges] for step in own]
    forms: list[Any] = [step.form for step in own]
    return Columns(numbers[0], [order[at] for at in numbers], forms, ends, free)
