"""Backward passes as compiled graphs: from outputs of a node to its edges, and again under create_graph."""

# Note [Second derivatives]
# The tape that eager mode would have is kept at the grain of compiled graphs. The backward pass runs as a forward
# graph, its gradients are results on a node of their own, and this node's backward graph is that of the backward
# pass. Both are compiled when they are asked for, once for all calls of an entry. The edges lead where eager mode's
# would: to the nodes of the tangents, to leaves, and, for values that were saved in between, to outputs of the first
# node that only such edges know of. A backward pass from these begins in the middle, and reads of what was saved no
# more than it needs. So saved tensors are unpacked, checked and freed as in eager mode, and what is made here can be
# differentiated in turn.

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..autograd.edges import GradientEdge
from ..backend.call_layout import InputLayout
from ..backend.plugins.registry import NUMBA, Backend
from ..core.errors import GraphError, GuardliftError
from ..core.records import dataclass
from ..core.types import contiguous_strides
from ..graph.aot.double_backward import BackwardInput, DoubleBackward, DoubleBackwardStep, second_backward_step
from ..graph.node import Graph
from ..graph.node import Node as GraphNode
from ..tensor import Tensor
from .graph_call import GraphCall, compiled
from .numbered_call import numbered

if TYPE_CHECKING:
    from .node import CompiledBackward, NodeHistory

Array = np.ndarray[Any, Any]
Strides = tuple[int, ...]


class SecondOrderError(GuardliftError, RuntimeError):
    """A gradient of a gradient was asked for where compiled code cannot give it."""


@dataclass(frozen=True, slots=True)
class SavedOutput:
    """A saved value that is a result of the forward pass as well: root number `root`."""

    root: int


@dataclass(frozen=True, slots=True, eq=False)
class SizedBackward:
    """A backward graph as it is compiled where sizes are symbolic, and those constants that depend on sizes."""

    graph: Graph
    constants: Collection[GraphNode]


@dataclass(frozen=True, slots=True, eq=False)
class BackwardPass:
    """A backward pass that some outputs of a node begin.

    backward: takes saved values, then a tangent for each of these outputs, and gives a gradient for some of the edges.
    step:     the same as a graph and what it was made of.
    saved, outputs, edges: which ones these are, of those that the node has.
    layouts:  how what `backward` takes lies in memory.   strides: the same of each gradient.
    reruns:   what gives the gradients with a history, by which tangents have one.
    """

    backward: GraphCall
    step: DoubleBackwardStep
    saved: Sequence[int]
    outputs: Sequence[int]
    edges: Sequence[int]
    layouts: tuple[InputLayout, ...]
    strides: tuple[Strides, ...]
    backend: Backend
    reruns: dict[tuple[bool, ...], Rerun | None] = field(default_factory=dict)

    def rerun(self, tangents: Sequence[Tensor], outputs: Sequence[GraphNode]) -> Rerun | None:
        """The computation of the gradients of these tangents with a history; None if they have none.

        outputs: of the node, all there are.
        Errors: SecondOrderError where the second backward pass would need what the first has not.
        """
        key = tuple(each.requires_grad for each in tangents)
        if key not in self.reruns:
            try:
                second = second_backward_step(self.step, key)
            except GraphError as error:
                raise refused(error) from error
            self.reruns[key] = _compiled_second(self, second, outputs) if second.rooted else None
        return self.reruns[key]


def refused(why: Any) -> SecondOrderError:
    """The error that says what to do instead."""
    return SecondOrderError(
        "a gradient with create_graph=True was asked for through a jitted function whose backward pass cannot be "
        f"differentiated again ({why}); call the function without gl.jit (function.__wrapped__) where second "
        "derivatives are needed"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rerun:
    """Gives the gradients of a backward pass with a history; see `graph.aot.double_backward.DoubleBackward`.

    forward: gives all gradients, then what their own backward pass needs besides.   history: of those that have one.
    values:  for the results and inner values that the history leads to, which outputs of the node they are.
    """

    forward: GraphCall
    history: NodeHistory
    rooted: tuple[int, ...]
    beginnings: tuple[BackwardInput, ...]
    values: tuple[int, ...]

    def __call__(
        self, node: CompiledBackward, edges: Sequence[int], saved: Sequence[Any], tangents: Sequence[Tensor]
    ) -> list[Tensor]:
        """One gradient for each of these edges of `node`. saved: what it has unpacked, tensors and numbers."""
        given = [*saved, *tangents]
        found = self.forward([each._array if isinstance(each, Tensor) else each for each in given])
        gradients = [Tensor._wrap(array) for array in found[: len(edges)]]
        ends: list[Any] = []
        for begins in self.beginnings:
            if begins.kind == "tangent":
                ends.append(tangents[begins.number])
            elif begins.kind == "edge":
                ends.append(GradientEdge(*node.edges[edges[begins.number]]))  # type: ignore[arg-type]
            else:
                ends.append(GradientEdge(node, self.values[begins.number]))
        values = [*given, *gradients, *found[len(edges) :]]
        rooted = self.history(values, ends, [found[place] for place in self.rooted])
        for place, each in zip(self.rooted, rooted, strict=True):
            gradients[place] = each
        return gradients


def whole_backward_pass(
    step: DoubleBackwardStep,
    layouts: Sequence[InputLayout],
    strides: Sequence[Strides],
    backend: Backend = NUMBA,
    sized: SizedBackward | None = None,
) -> BackwardPass:
    """The backward pass from all results of a call. layouts: of what is saved, and of what only backward has."""
    saved, outputs, edges = (range(len(each)) for each in (step.pair.saved, step.roots, step.pair.reached))
    backward, inputs = _compiled(step, layouts, strides, backend, sized)
    return BackwardPass(backward, step, saved, outputs, edges, inputs, tuple(strides), backend)


def partial_backward_pass(
    whole: BackwardPass, step: DoubleBackwardStep, outputs: Sequence[int], later: Sequence[int] = ()
) -> BackwardPass:
    """The backward pass from those outputs of a node that have come to `step`. whole: the one from all its results.

    later: of what only this backward graph has, the places among that which only the whole one has.
    Errors: SecondOrderError where it needs what the whole one has not.
    """
    known, pair = whole.step.pair, step.pair
    missing = [node for node in pair.saved if node not in known.saved]
    if missing or not set(pair.reached) <= set(known.reached):
        raise refused(f"it reads what was not saved: {missing}")
    saved = [known.saved.index(node) for node in pair.saved]
    saved += [len(known.saved) + place for place in later]
    edges = [known.reached.index(place) for place in pair.reached]
    strides = [whole.strides[place] for place in edges]
    backward, inputs = _compiled(step, [whole.layouts[place] for place in saved], strides, whole.backend)
    return BackwardPass(backward, step, saved, outputs, edges, inputs, tuple(strides), whole.backend)


def _compiled(
    step: DoubleBackwardStep,
    layouts: Sequence[InputLayout],
    strides: Sequence[Strides],
    backend: Backend,
    sized: SizedBackward | None = None,
) -> tuple[GraphCall, tuple[InputLayout, ...]]:
    """The backward graph of a step, compiled, and how its inputs lie: tangents in rows."""
    tangents = (InputLayout("array", root.type, contiguous_strides(root.shape)) for root in step.roots)
    inputs = (*layouts, *tangents)
    made = [place for place, origin in enumerate(step.pair.origins) if origin.kind == "output"]

    def make(graph: Graph, given: Sequence[InputLayout]) -> GraphCall:
        return compiled(graph, given, strides, backend, made)

    if sized is None:
        return make(step.pair.backward, inputs), inputs
    return numbered(sized.graph, inputs, sized.constants, make), inputs


def _compiled_second(first: BackwardPass, second: DoubleBackward, outputs: Sequence[GraphNode]) -> Rerun:
    from .node import NodeHistory

    pair, backward = second.step.pair, first.step.pair.backward
    extra = pair.forward.outputs[len(backward.outputs) :]
    strides = (*first.strides, *(contiguous_strides(node.shape) for node in extra))
    saved: list[int | SavedOutput] = []
    layouts = []
    for node, origin in zip(pair.saved, pair.origins, strict=True):
        if origin.kind == "input":
            saved.append(origin.place)
            layouts.append(first.layouts[origin.place])
            continue
        made = origin.place in second.rooted
        saved.append(SavedOutput(second.rooted.index(origin.place)) if made else len(backward.inputs) + origin.place)
        layouts.append(InputLayout("array", node.type, strides[origin.place]))
    ends = zip(second.beginnings, pair.backward.outputs, strict=True)
    ended = [
        first.strides[each.number] if each.kind == "edge" else contiguous_strides(node.shape) for each, node in ends
    ]
    history = NodeHistory(
        whole_backward_pass(second.step, layouts, ended, first.backend), tuple(saved), (0,) * len(second.rooted)
    )
    values = tuple(outputs.index(node) for node in second.values)
    forward = compiled(pair.forward, first.layouts, strides, first.backend)
    return Rerun(forward, history, second.rooted, second.beginnings, values)
