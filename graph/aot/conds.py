"""The derivative of a cond: a cond with the same bool, whose branches are the derivatives of the branches.

::

    %0 = cond(%c, %x, %w)        sin(x w) or x w        %5 = cond(%c, %dy, %x, %w)
    %1 = cond_result(%0, 0)                       =>    dx, dw = cos(x w) dy w, cos(x w) dy x
                                                        or       dy w, dy x

Of what a branch computes, `keeping` says which values the forward cond gives for it besides; they are results of the
cond, of which the other branch gives anything. What is not given is computed again in the branch of the derivative.
"""

# Note [Even branches]
# To get no gradient and to get zeros is not the same: a leaf without one keeps `.grad` None, and on the way to it a
# zero may meet an infinity. So whoever makes a cond sees to it that gradients of each result go to the same operands in
# both branches (`uneven`). Gradients of gradients are another matter: sin and a multiplication by two both lead to x,
# but only the derivative of the first does. Whoever records a backward pass asks `has_uneven_derivatives` before.

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from ...core.records import dataclass
from ...core.types import TensorType
from ...ops.conds import COND
from ...ops.creation import FULL
from ...ops.loops import LOOP
from ..bodies import add_cond, body_of, branches_of, count
from ..builder import GraphBuilder
from ..node import Graph, Node
from .emitter import GraphEmitter
from .inner_backward import input_like, made_from, needed
from .partition import partition
from .reach import reached

CondBranches = tuple[Graph, Graph]
Key = tuple[str, int]
"""Names a value that a branch of the derivative reads: "tangent", "operand" or "result", and its number."""


@dataclass(frozen=True, slots=True, eq=False)
class CondTapeStep:
    """A cond as a backward pass sees it: see `custom_nodes.TapeStep`."""

    cond: Node
    outputs: tuple[Node, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.cond.inputs

    def pulled(
        self, f: GraphEmitter, cotangents: Sequence[Node | None], wanted: Sequence[bool]
    ) -> Sequence[Node | None]:
        """The cotangents of the operands that are wanted, as results of a new cond."""
        results = {_index(node): node for node in self.outputs}
        given = {_index(node): each for node, each in zip(self.outputs, cotangents, strict=True) if each is not None}
        active = [
            k for k, needed in enumerate(wanted[1:]) if needed and self.inputs[k + 1].type.dtype.is_differentiable
        ]
        backwards = [_CondBackward(branch, active, sorted(given)) for branch in branches_of(self.cond)]
        found = sorted({k for backward in backwards for k in backward.gradients})
        if not found:
            return [None] * len(self.inputs)
        values: dict[Key, Node] = {("tangent", index): each for index, each in given.items()}
        values |= {("operand", k): node for k, node in enumerate(self.inputs[1:])}
        values |= {("result", index): node for index, node in results.items()}
        parts = [backward.backward(found, results) for backward in backwards]
        keys = list(dict.fromkeys(chain.from_iterable(read for read, _, _ in parts)))
        true, false = (
            Graph(tuple(read.get(key) or input_like(values[key], "unread") for key in keys), tuple(nodes), tuple(made))
            for read, nodes, made in parts
        )
        operands = [self.inputs[0], *(values[key] for key in keys)]
        made = add_cond(f.builder, (true, false), operands, location=self.cond.location)
        places = {k + 1: place for place, k in enumerate(found)}
        return [made[places[k]] if k in places else None for k in range(len(self.inputs))]


def keeping(branches: CondBranches, tracked: Collection[int]) -> tuple[CondBranches, int]:
    """The branches of a cond that give besides what backward needs of their values, and how many results that adds.

    tracked: the numbers of the inputs of the branches through which gradients go. Values of one type share a result.
    """
    kept = [_saves(branch, tracked) for branch in branches]
    types = list(dict.fromkeys(node.type for values in kept for node in values))
    columns: list[list[Node | TensorType]] = [[], []]
    for type in types:
        alike = [[node for node in values if node.type == type] for values in kept]
        most = max(map(len, alike))
        for column, values in zip(columns, alike, strict=True):
            column += [*values, *[type] * (most - len(values))]
    true, false = (_giving(branch, column) for branch, column in zip(branches, columns, strict=True))
    return (true, false), len(columns[0])


def uneven(branches: CondBranches, tracked: Collection[int]) -> set[int]:
    """The inputs to which gradients of some result go in one branch and not in the other. See Note [Even branches]."""
    true, false = (reached(branch) for branch in branches)
    return set().union(*((one ^ other).intersection(tracked) for one, other in zip(true, false, strict=True)))


def has_uneven_derivatives(nodes: Iterable[Node]) -> bool:
    """Whether that is so of the derivative of some cond among these nodes, or in what they hold."""
    return any(
        node.op is COND
        and (_derivatives_are_uneven(node) or any(has_uneven_derivatives(branch.nodes) for branch in branches_of(node)))
        or node.op is LOOP
        and has_uneven_derivatives(body_of(node).nodes)
        for node in nodes
    )


def _derivatives_are_uneven(cond: Node) -> bool:
    seen = len(branches_of(cond)[0].outputs) - count(cond, "kept")
    ways = []
    for branch in branches_of(cond):
        indices = [k for k, node in enumerate(branch.outputs[:seen]) if node.type.dtype.is_differentiable]
        backward = _CondBackward(
            branch, [k for k, node in enumerate(branch.inputs) if node.type.dtype.is_differentiable], indices
        )
        inputs, found = (*branch.inputs, *backward.tangents.values()), sorted(backward.gradients)
        whole = Graph(inputs, tuple(backward.f.builder.nodes), tuple(backward.gradients[k] for k in found))
        ways.append(dict(zip(found, reached(whole), strict=True)))
    return ways[0] != ways[1]


class _CondBackward:
    """The backward pass through one branch.

    active: the numbers of the inputs that gradients are wanted of. given: of the results that have a cotangent.
    tangents: the inputs of the derivative that stand for these.   gradients: those that there are, by number.
    """

    def __init__(self, branch: Graph, active: Iterable[int], given: Iterable[int]) -> None:
        from .vjp import gradients

        self.branch = branch
        builder = GraphBuilder()
        builder.inputs, builder.nodes = list(branch.inputs), list(branch.nodes)
        self.f = GraphEmitter(builder)
        self.tangents = {index: input_like(branch.outputs[index], f"tangent_{index}") for index in given}
        leaves = {branch.inputs[k]: k for k in active}
        roots = [(branch.outputs[index], tangent) for index, tangent in self.tangents.items()]
        found = gradients(self.f, roots, leaves, set(branch.nodes))
        self.gradients = {leaves[node]: gradient for node, gradient in found.items()}
        self.forward = {*branch.inputs, *branch.nodes}

    def kept(self) -> tuple[Node, ...]:
        """The values of the branch that are kept, the rest being computed again."""
        after = needed(self.f.builder.nodes, self.gradients.values(), self.forward)
        read = self.forward.intersection(chain(self.gradients.values(), *(node.inputs for node in after)))
        branch = self.branch
        found = partition(
            branch.inputs, branch.nodes, read, materialised=set(branch.outputs), static=set(branch.inputs)
        )
        return found.kept

    def backward(
        self, wanted: Iterable[int], results: Collection[int]
    ) -> tuple[dict[Key, Node], list[Node], list[Node]]:
        """The branch of the derivative: what it reads and the inputs that stand for that, its nodes, and the gradients.

        results: the numbers of the cond's results that there are.
        """
        branch = self.branch
        keys: dict[Node, Key] = {branch.outputs[index]: ("result", index) for index in results}
        keys |= {node: ("operand", k) for k, node in enumerate(branch.inputs)}
        gradients = [
            self.gradients[k] if k in self.gradients else self.f.constant(0.0, branch.inputs[k]) for k in wanted
        ]
        loads, nodes, made = made_from(keys.keys(), gradients)
        read = {keys[node]: stands for node, stands in loads.items()}
        read |= {("tangent", index): node for index, node in self.tangents.items()}
        return read, nodes, made


def _saves(branch: Graph, tracked: Collection[int]) -> list[Node]:
    floats = [k for k, node in enumerate(branch.outputs) if node.type.dtype.is_differentiable]
    kept = _CondBackward(branch, sorted(tracked), floats).kept()
    return [node for node in kept if node not in branch.inputs and node not in branch.outputs]


def _giving(branch: Graph, column: Iterable[Node | TensorType]) -> Graph:
    """The branch with these results more; of one that it does not have, the type stands there."""
    builder = GraphBuilder()
    builder.inputs, builder.nodes = list(branch.inputs), list(branch.nodes)
    more = []
    for each in column:
        if isinstance(each, TensorType):
            zero = 0.0 if each.dtype.is_float else False if each.dtype.is_bool else 0
            each = builder.add(FULL, value=zero, shape=each.shape, dtype=each.dtype)
        more.append(each)
    return builder.finish((*branch.outputs, *more))


def _index(node: Node) -> int:
    index = node.attr("index")
    assert isinstance(index, int)
    return index
