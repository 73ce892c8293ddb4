"""Gradients as graph nodes: a backward pass over a forward trace that appends what each op's derivative rule emits.

::

    %0 = sin(%x) : f64[3]
    %1 = multiply(%0, %x) : f64[3]          gradients([(%1, %g)], {%x}) appends

    %2 = multiply(%g, %x) : f64[3]          # for %0
    %3 = multiply(%g, %0) : f64[3]          # for %x
    %4 = cos(%x) : f64[3]
    %5 = multiply(%2, %4) : f64[3]          # for %x, again
    %6 = add(%3, %5) : f64[3]               and gives {%x: %6}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any

from ...core.errors import GraphError
from ...core.records import dataclass
from ...core.sizes import same_sizes
from ...ops.derivative import operand_gradients, reads, sum_to
from ...ops.movement import EXPAND
from ...ops.pointwise import ADD, CAST
from ...ops.rounding import ROUNDED
from ..builder import GraphBuilder
from ..node import Node
from .custom_nodes import Steps, TapeStep, operands
from .emitter import GraphEmitter
from .inner_steps import AnyStep, with_bodies
from .reach import has_rule

Root = tuple[Node, Node]
Read = Callable[[GraphEmitter, Node, str, Node], Node]
"""Gives the value that a rule of the node is to read under a name, of which the trace has the value."""
Hook = Callable[[GraphEmitter, Node], Node]
"""Gives the value that takes the place of a node's sum, once that is complete."""
Known = Mapping[Node, AnyStep]
NO_STEPS: Mapping[Node, TapeStep] = MappingProxyType({})
NO_HOOKS: Mapping[Node, Hook] = MappingProxyType({})


def gradients(
    f: GraphEmitter,
    roots: Iterable[Root],
    leaves: Collection[Node],
    recorded: Container[Node],
    *,
    through: Container[Node] = (),
    read: Read | None = None,
    steps: Steps = NO_STEPS,
    before: Callable[[Node], None] | None = None,
    hooks: Mapping[Node, Hook] = NO_HOOKS,
) -> dict[Node, Node]:
    """The sum of cotangents of each leaf that a root depends on; the leaf whose sum is complete first comes first.

    roots:    nodes with the cotangents that come from outside; a node may stand there several times.
    leaves:   where the backward pass ends. They need not be graph inputs.
    recorded: the nodes that autograd sees; every other node is a constant, leaves excepted.
    through:  leaves that the backward pass goes on from: their sum is wanted, and so are those of what they depend on.
    read:     what rules get instead of the values that they read: those that saved-tensor hooks give back.
    steps:    what of the tape is no op, by its outputs; of a step, the first output stands for all.
    before:   told of each node whose rule is applied next.
    hooks:    called when a cotangent has arrived, for nodes just before their rule is applied, for leaves at once.
    Nodes are taken latest first, in the order in which the builder lists them, and the cotangents of one node are
    added in the order in which they arise: roots first, then by consumer, latest first, then by operand. That is the
    order of the eager engine, so sums have its bits. New nodes bear the location of the node they come from.
    Nothing is emitted for an operand that reaches no leaf. Only float nodes carry cotangents.
    Errors: GraphError when a cotangent has another type than its node, or a recorded node is not in the builder.
    """
    roots = [(node, f.beside(cotangent, node)) for node, cotangent in roots]
    ends = set(leaves)
    _check_roots(roots)
    known = with_bodies(f.builder.nodes, steps)
    order, active = _ways(f.builder, [node for node, _ in roots], ends, recorded, through, known)
    rounded = {node.inputs[0]: node for node in order if node.op is ROUNDED}
    backward = _BackwardPass(f, known, active, ends, through, rounded, read, before, hooks)
    backward.begin(roots)
    due = _due(order, active, known, [node for node in ends if node in hooks and node not in active])
    backward.run_hooks(due.get(None, ()))
    for node in reversed(order):
        backward.go_through(node)
        backward.run_hooks(due.get(node, ()))
    return {node: total for node, total in backward.sums.items() if node in ends}


def passed(
    builder: GraphBuilder,
    roots: Iterable[Node],
    leaves: Collection[Node],
    recorded: Container[Node],
    *,
    through: Container[Node] = (),
    steps: Steps = NO_STEPS,
) -> set[Node]:
    """The nodes whose rules that backward pass applies: those through which a cotangent gets to a leaf."""
    return _ways(builder, roots, set(leaves), recorded, through, with_bodies(builder.nodes, steps))[1]


def _ways(
    builder: GraphBuilder,
    roots: Iterable[Node],
    ends: Container[Node],
    recorded: Container[Node],
    through: Container[Node],
    steps: Known,
) -> tuple[list[Node], set[Node]]:
    """The nodes that the roots depend on, in program order, and those of them that lead to an end."""
    order = _reached(builder, roots, ends, recorded, through, steps)
    return order, _active(order, ends, steps)


def _check_roots(roots: Sequence[Root]) -> None:
    for node, cotangent in roots:
        if cotangent.type != node.type:
            raise GraphError(f"the cotangent of {node!r} has type {cotangent.type}; it takes that of its node")


def _reached(
    builder: GraphBuilder,
    roots: Iterable[Node],
    ends: Container[Node],
    recorded: Container[Node],
    through: Container[Node],
    steps: Known,
) -> list[Node]:
    """The recorded nodes that the roots depend on, leaves left out unless passed through, in program order.

    Of a step all outputs are there, if one of them is.
    """
    found: set[Node] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node in found or node not in recorded or (node in ends and node not in through):
            continue
        found.update((node,) if node not in steps else steps[node].outputs)
        waiting.extend(operands(node, steps))
    order = [node for node in builder.nodes if node in found]
    if len(order) != len(found):
        strays = [node for node in found.difference(order) if not node.is_input]
        if strays:
            raise GraphError(f"{strays[0]!r} is recorded, but is no node of the builder")
    return order


def _active(order: Iterable[Node], ends: Container[Node], steps: Known) -> set[Node]:
    """The nodes of `order`, given in program order, through which a cotangent gets to a leaf."""
    active: set[Node] = set()
    for node in order:
        if node in steps:
            leads = any(each in active or each in ends for each in steps[node].inputs)
        else:
            leads = node.type.dtype.is_differentiable and any(_wanted(node, active, ends))
        if leads:
            active.add(node)
    return active


def _wanted(node: Node, active: Container[Node], ends: Container[Node]) -> tuple[bool, ...]:
    """For each operand, whether its cotangent gets to a leaf."""
    return tuple(
        (operand in active or operand in ends) and has_rule(node, place) for place, operand in enumerate(node.inputs)
    )


def _due(
    order: Iterable[Node], active: Container[Node], steps: Known, hooked: Collection[Node]
) -> dict[Node | None, list[Node]]:
    """The hooked leaves whose sum is complete once a node has been passed, by that node; None: from the start."""
    if not hooked:
        return {}
    last: dict[Node, Node | None] = dict.fromkeys(hooked)
    for node in order:  # the backward pass goes the other way
        if node in active:
            step = steps.get(node)
            for operand in operands(node, steps):
                if operand in last and last[operand] is None:
                    last[operand] = node if step is None else step.outputs[0]
    due: dict[Node | None, list[Node]] = {}
    for leaf, passed_last in last.items():
        due.setdefault(passed_last, []).append(leaf)
    return due


@dataclass(eq=False)
class _BackwardPass:
    """A backward pass on its way through the nodes; `gradients` says what its parameters mean.

    active:  the nodes through which a cotangent gets to a leaf.   ends: the leaves.
    rounded: the results that eager mode saves rounded, by the nodes that give them.
    sums:    the cotangents that have arrived so far, added up, by the node that they belong to.
    """

    f: GraphEmitter
    steps: Known
    active: Container[Node]
    ends: Container[Node]
    through: Container[Node]
    rounded: Mapping[Node, Node]
    read: Read | None
    before: Callable[[Node], None] | None
    hooks: Mapping[Node, Hook]
    sums: dict[Node, Node] = field(default_factory=dict)

    def begin(self, roots: Iterable[Root]) -> None:
        """Adds the cotangents that come from outside."""
        for node, cotangent in roots:
            if node in self.active or (node in self.ends and node.type.dtype.is_differentiable):
                self._accumulate(node, cotangent)

    def go_through(self, node: Node) -> None:
        """Applies the rule of a node whose sum is complete; of a step, when its first output is met."""
        step = self.steps.get(node)
        outputs = (node,) if step is None else step.outputs
        if node not in self.active or node is not outputs[0] or (step is None and node not in self.sums):
            return
        self.run_hooks(outputs)
        if self.before is not None:
            self.before(node)
        if step is None:
            self._apply_rule(node)
        else:
            self._apply_step(step)
        for each in outputs:
            if each not in self.ends:
                self.sums.pop(each, None)

    def run_hooks(self, nodes: Iterable[Node]) -> None:
        """Lets the hooks of these nodes replace what has arrived at them."""
        for node in nodes:
            if node in self.hooks and node in self.sums:
                with self.f.at(node.location):
                    self.sums[node] = self.hooks[node](self.f, self.sums[node])

    def _apply_rule(self, node: Node) -> None:
        """Adds to the sums of a node's operands what its own sum gives them."""
        f, wanted = self.f, _wanted(node, self.active, self.ends)
        shapes = tuple(operand.shape for operand in node.inputs)
        dtypes = tuple(operand.type.dtype for operand in node.inputs)
        with f.at(node.location):
            values = self._values_read(node, reads(node.op, wanted))
            found = operand_gradients(node.op, f, self.sums[node], wanted, values, shapes, dtypes, node.kwargs)
            for operand, needed, gradient in zip(node.inputs, wanted, found, strict=True):
                if needed and gradient is not None:
                    self._accumulate(operand, f.beside(_fitted(f, operand, gradient), operand))

    def _values_read(self, node: Node, names: Container[str]) -> dict[str, Any]:
        """The values that a node's rule may read; those of `names`, which it does read, as they were saved."""
        values = _values(node)
        if node in self.rounded and "result" in names:
            values["result"] = self.f.apply(CAST, self.rounded[node], dtype=node.type.dtype)
        if self.read is not None and not node.op.variadic:
            for name in values:
                if name in names:
                    values[name] = self.read(self.f, node, name, values[name])
        return values

    def _apply_step(self, step: AnyStep) -> None:
        """Adds to the sums of a step's inputs what the step makes of the sums of its outputs.

        An output where the backward pass ends keeps its sum: the step gets nothing for it.
        """
        given = tuple(
            None if each in self.ends and each not in self.through else self.sums.get(each) for each in step.outputs
        )
        wanted = [node in self.active or node in self.ends for node in step.inputs]
        with self.f.at(step.outputs[0].location):
            found = step.pulled(self.f, given, wanted)
            for node, needed, gradient in zip(step.inputs, wanted, found, strict=True):
                if needed and gradient is not None:
                    self._accumulate(node, self.f.beside(gradient, node))

    def _accumulate(self, node: Node, cotangent: Node) -> None:
        if cotangent.type != node.type:
            raise GraphError(f"the gradient for {node!r} has type {cotangent.type}")
        known = self.sums.pop(node, None)  # put back at the end: what is complete first stands first
        self.sums[node] = cotangent if known is None else self.f.apply(ADD, known, cotangent)


def _values(node: Node) -> dict[str, Any]:
    """The values that a rule may read, by name."""
    if node.op.variadic:
        return {node.op.operands[0]: node.inputs, "result": node}
    # An operand may be left out at the end (a bias).
    return {**dict(zip(node.op.operands, node.inputs, strict=False)), "result": node}


def _fitted(f: GraphEmitter, operand: Node, gradient: Node) -> Node:
    """`gradient` in the shape of `operand`; it may still have that of the result, or be one constant."""
    if same_sizes(gradient.shape, operand.shape):
        return gradient
    if _broadcasts(gradient.shape, operand.shape):
        return f.apply(EXPAND, gradient, shape=operand.shape)
    fitted: Node = sum_to(f, gradient, operand.shape)
    return fitted


def _broadcasts(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    lead = len(after) - len(before)
    return lead >= 0 and all(have in (1, want) for have, want in zip(before, after[lead:], strict=True))
