"""Gradients of gradients: a backward graph as a computation that can itself be split in a forward and a backward graph.

::

    graph(%input: f64[3], %tangent_0: f64[3]) {      backward of y = exp(x), %input being y
      %0 = multiply(%tangent_0, %input) : f64[3]
      return %0
    }

Here histories begin at %tangent_0, which is a tensor of the caller's, and at %input, a result of the first forward
graph. So the backward graph of this graph gives gradients for these two, and the engine takes them from there on.
"""

# Note [Where the history of a backward graph begins]
# It reads values of the first forward graph, and each of those has the history that eager mode's saved tensor would
# have. A leaf, or a result that was made before, is at the end of an edge of the node that runs the backward graph. Any
# other value is an output of that node: a result, or an *inner* one, from which another backward graph takes gradients
# to the leaves. What that one reads, the first one has read too: each inner value lies on a way from a result to a
# leaf, all of which the first backward pass went. So nothing more has to be saved than for one backward pass.
#
# What inlined saved-tensor hooks give stands for the value that was saved, as in eager mode: it has the history of that
# value, and what pack and unpack compute has none. So there a history begins as well, an inner value's. The backward
# pass from that value reads its operations' values by the same hooks, and as the first backward pass has packed them.

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import Literal

from ...core.errors import GraphError
from ...core.records import dataclass
from ...ops.movement import EXPAND
from ...ops.saved import SAVED
from ..builder import GraphBuilder
from ..node import Node
from .conds import has_uneven_derivatives
from .custom_nodes import Steps
from .emitter import GraphEmitter
from .packing import Pack
from .pair import OnTheWay, Pair, make_pair
from .partition import Partition
from .vjp import Read, passed


def spread(f: GraphEmitter, saved: Node, value: Node) -> Node:
    """A saved value in the shape to which the operation broadcast it, that of `value`."""
    made: Node = saved if saved.shape == value.shape else f.apply(EXPAND, saved, shape=value.shape)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class Taped:
    """A computation that autograd has seen. recorded, leaves, steps: see `vjp.gradients`.

    marks: by the nodes of operations that save under inlined hooks the number of the pair, and the values by name.
    """

    inputs: tuple[Node, ...]
    nodes: tuple[Node, ...]
    leaves: tuple[Node, ...]
    recorded: Container[Node]
    steps: Steps = field(default_factory=dict)
    marks: Mapping[Node, tuple[int, Mapping[str, Node]]] = field(default_factory=dict)

    def read(self, f: GraphEmitter, node: Node, name: str, value: Node) -> Node:
        """The value that a derivative rule reads for `value`: the same, marked with its pair of hooks if it has one."""
        number, named = self.marks.get(node, (0, {}))
        if name not in named:
            return value
        return spread(f, f.apply(SAVED, named[name], pair=number), value)

    def reaching(self, roots: Iterable[Node]) -> set[Node]:
        """The nodes behind `roots` through which a cotangent gets to a leaf; leaves among the roots included."""
        roots = list(roots)
        builder = GraphBuilder()
        builder.nodes = list(self.nodes)
        found = passed(builder, roots, self.leaves, self.recorded, steps=self.steps)
        return found.union(set(self.leaves).intersection(roots))


@dataclass(frozen=True, slots=True, eq=False)
class DoubleBackwardStep:
    """A backward pass from `roots` to the leaves of a computation."""

    taped: Taped
    roots: tuple[Node, ...]
    pair: Pair


@dataclass(frozen=True, slots=True)
class BackwardInput:
    """The end at which a gradient of a second backward pass arrives.

    edge: to the end of edge `number` of the first backward pass; tangent: to the tangent of its root `number`; value:
    to the value `number` of those that the first backward pass reads; nowhere: to a leaf, for which the first backward
    pass gives no gradient.
    """

    kind: Literal["edge", "tangent", "value", "nowhere"]
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class DoubleBackward:
    """A first backward pass as a computation, and the backward pass over it.

    See Note [Where the history of a backward graph begins].

    step:       the second backward pass. Its forward graph is the first backward pass, and gives what the second one
    needs besides.
    rooted:     which gradients of the first backward pass have a history: the roots of the second.
    beginnings: where each gradient of the second backward pass goes.
    values:     the results and inner values of the computation that the first backward pass reads.
    """

    step: DoubleBackwardStep
    rooted: tuple[int, ...]
    beginnings: tuple[BackwardInput, ...]
    values: tuple[Node, ...]


def backward_step(
    taped: Taped,
    roots: Sequence[Node],
    outputs: Sequence[Node],
    *,
    static: Collection[Node] = (),
    read: Read | None = None,
    pack: Pack | None = None,
    kept: Partition | None = None,
    as_saved: bool = False,
    way: AbstractContextManager[OnTheWay | None] | None = None,
) -> DoubleBackwardStep:
    """The backward pass from `roots`, over a forward graph that gives `outputs`. The others: see `pair.make_pair`."""
    hooks = {"static": static, "read": read, "pack": pack, "kept": kept, "as_saved": as_saved, "way": way}
    pair = make_pair(taped.inputs, taped.nodes, outputs, roots, taped.leaves, taped.recorded, **hooks)  # type: ignore[arg-type]
    return DoubleBackwardStep(taped, tuple(roots), pair)


def second_backward_step(first: DoubleBackwardStep, wanted: Sequence[bool]) -> DoubleBackward:
    """The backward pass over the backward pass `first`. wanted: for each of its roots, whether the tangent has a
    history.

    Errors: GraphError where it reaches a leaf for which the first backward pass gives no gradient, or the first
    backward pass has passed steps that are no op.
    """
    if first.pair.stepped and not first.pair.taped:
        raise GraphError("custom functions are part of it")
    if has_uneven_derivatives(first.taped.nodes):
        raise GraphError(
            "a branch on the data of a tensor is part of it, whose arms have derivatives of other tensors each "
            "(gl.config.tensor_conds = False leaves such branches to Python)"
        )
    backward = first.pair.backward
    read = {*first.pair.copies, *_under_hooks(first)}
    values = (*(node for node in first.roots if node in read), *inner_values(first))
    begins = _beginnings(first, values, wanted)
    taped = Taped(backward.inputs, backward.nodes, tuple(begins), _recorded(first))
    reaching = taped.reaching(backward.outputs)
    rooted = tuple(place for place, node in enumerate(backward.outputs) if node in reaching)
    step = backward_step(taped, [backward.outputs[place] for place in rooted], backward.outputs)
    beginnings = tuple(begins[taped.leaves[place]] for place in step.pair.reached)
    if any(each.kind == "nowhere" for each in beginnings):
        raise GraphError("it reads a leaf for which it gives no gradient")
    return DoubleBackward(step, rooted, beginnings, values)


def inner_values(first: DoubleBackwardStep) -> list[Node]:
    """The values with a history that the backward pass reads and that are neither its leaves nor its roots.

    Among the values that it makes again, these are the outputs of steps, which have histories of their own, and the
    values that it reads under hooks.
    """
    outer = {*first.roots, *first.taped.leaves}
    made = (node for node in first.taped.steps if node in first.pair.copies and first.pair.taped)
    candidates = [node for node in dict.fromkeys((*first.pair.saved, *made, *_under_hooks(first))) if node not in outer]
    reaching = first.taped.reaching(candidates)
    return [node for node in candidates if node in reaching]


def _under_hooks(first: DoubleBackwardStep) -> list[Node]:
    """The values that the backward pass reads under inlined hooks."""
    return list(dict.fromkeys(node for node, _ in first.pair.marked))


def _beginnings(first: DoubleBackwardStep, values: Sequence[Node], wanted: Sequence[bool]) -> dict[Node, BackwardInput]:
    """The nodes of the backward graph where a history of its own begins."""
    pair, leaves = first.pair, first.taped.leaves
    nowhere = BackwardInput("nowhere", 0)
    ends = dict.fromkeys(leaves, nowhere)
    ends.update((leaves[place], BackwardInput("edge", number)) for number, place in enumerate(pair.reached))
    ends.update((node, BackwardInput("value", number)) for number, node in enumerate(values) if node not in ends)
    read = [*pair.copies.items(), *((node, made) for (node, _), made in pair.marked.items())]
    found = {made: ends[node] for node, made in read if node in ends}
    tangents = pair.backward.inputs[len(pair.saved) + len(pair.later) :]
    found.update((node, BackwardInput("tangent", k)) for k, node in enumerate(tangents) if wanted[k])
    return found


def _recorded(first: DoubleBackwardStep) -> Collection[Node]:
    """The nodes of the backward graph that autograd sees: of what it makes again those that it saw, and all else."""
    unseen = {new for node, new in first.pair.copies.items() if node not in first.taped.recorded} | first.pair.unseen
    return {node for node in first.pair.backward.nodes if node not in unseen}


def arriving(backward_step: DoubleBackwardStep, outputs: Sequence[Node]) -> set[frozenset[int]]:
    """The sets of `outputs`, results and inner values, that gradients of a backward pass over `backward_step` may come
    to."""
    found = set()
    for given in (True, False):
        second = second_backward_step(backward_step, [given] * len(backward_step.roots))
        reached = (second.values[each.number] for each in second.beginnings if each.kind == "value")
        found.add(frozenset(map(outputs.index, reached)))
    return found
