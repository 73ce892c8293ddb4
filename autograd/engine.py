"""Running a backward pass: the latest node first, gradients summed where they meet, values freed on the way."""

# Note [Order]
# Of the nodes whose gradients are complete, the one made last runs next; accumulators run at once. That is PyTorch's
# order, and a fixed one: gradients that meet are added in the order in which the nodes that give them ran. Nothing
# recurses, so the length of a chain is limited by memory alone.

from __future__ import annotations

import heapq
import itertools
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..ops.pointwise import ADD
from ..tensor.dispatch import apply
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.tensor import DIFFERENTIABLE_KINDS, Tensor
from .accumulate import AccumulateGrad, exchange_grad
from .compiled_backward import runner
from .error_notes import ANOMALY, explain
from .gradient_sums import GradientSums
from .graph_logging import LOGGER, log_executions
from .hooks import run_tensor_hooks
from .modes import MODES
from .needed_nodes import everything_from, leading_to
from .node import Edge, Gradients, Node
from .raw_gradients import array_of, as_tensors

_task_numbers = itertools.count().__next__
_ties = itertools.count().__next__


_Ready = tuple[int, int, Node, list[Any]]
"""A node that may run and what has come to it, behind what says when it is to run."""


class GraphTask:
    """One call of `backward` or `grad`, and how far it has come."""

    __slots__ = ("__weakref__", "arriving", "captured", "current", "keep", "notes", "number", "places", "runs")

    def __init__(self, roots: Sequence[Edge], keep: bool, wanted: Sequence[Edge], capture: bool) -> None:
        self.number = _task_numbers()
        self.keep = keep
        self.current: Node | None = None
        """The node that runs now."""
        self.captured: list[Tensor | None] = [None] * len(wanted) if wanted else []
        self.places: dict[Node, list[tuple[int, int]]] = {}
        """By node: which of its gradients are asked for, and where in `captured` they go."""
        self.arriving: dict[Node, int]
        """By node that takes part: how many gradients, or Nones, come to it in all."""
        self.runs: set[Node] | None
        """The nodes this call runs; None for all it can reach."""
        self.notes: dict[Any, Any] = {}
        """The notes that hooks keep for the time of this call, by whom they belong to."""
        if not wanted:
            self.arriving, self.runs = everything_from(roots), None
        elif capture:
            for place, (node, number) in enumerate(wanted):
                self.places.setdefault(node, []).append((number, place))  # type: ignore[arg-type]
            self.arriving, self.runs = leading_to(self.places, roots, run_targets=False)
        else:
            self.arriving, self.runs = leading_to({node for node, _ in wanted}, roots, run_targets=True)

    def will_run(self, node: Node) -> bool:
        """Whether this call runs `node` or has run it."""
        return node in self.arriving if self.runs is None else node in self.runs

    def reaches(self, node: Node | None) -> bool:
        """Whether this call computes the gradient that arrives at `node`, to run it or to give the gradient out."""
        return node in self.arriving

    def run(self, edges: Sequence[Edge], gradients: Sequence[Any]) -> None:
        """Runs every node that takes part, when `gradients` have come along `edges`."""
        arriving, runs, places, keep = self.arriving, self.runs, self.places, self.keep
        check_nans = ANOMALY.enabled and ANOMALY.check_nan
        waiting: dict[Node, GradientSums] = {}
        leaves: list[tuple[AccumulateGrad, list[Any]]] = []
        ready: list[_Ready] = []
        while True:
            _deliver(edges, gradients, arriving, waiting, leaves, ready)
            # An accumulator may take a gradient over only if nothing here refers to it any more.
            gradients = ()
            for leaf, cell in leaves:
                self.current = leaf
                if runs is not None or leaf.prehooks or leaf.posthooks or leaf.variable._hooks is not None:
                    self.observed(leaf, cell)
                else:
                    leaf.accumulate(cell)
            leaves.clear()
            if not ready:
                break
            _, _, node, cell = heapq.heappop(ready)
            self.current = node
            if (
                node.tensor_hooks
                or node.prehooks
                or node.posthooks
                or node.retaining
                or (runs is not None and (node in places or node not in runs))
            ):
                gradients = self.observed(node, cell)
            else:  # what `_call` does, for a node that nobody looks at
                gradients = node.step(cell)
                edges = node.edges
                if not keep:
                    node.release()
                if node.posthooks or len(gradients) != len(edges):  # or somebody has begun to, while it ran
                    gradients = _handed_on(node, gradients, None)
            if check_nans:
                _refuse_nans(node, gradients)
            edges = node.edges
        self.current = None

    def observed(self, node: Node, cell: list[Any]) -> list[Any]:
        """The gradients that `node` gives if its own are seen by hooks or asked for; none if it is not to run."""
        gradients = as_tensors(cell)
        _before(node, gradients)
        if self.runs is not None:
            for number, place in self.places.get(node, ()):
                self.captured[place] = gradients[number]
            if node not in self.runs:
                return []
        return _call(node, gradients, self.keep)


def _deliver(
    edges: Sequence[Edge],
    gradients: Sequence[Any],
    arriving: Mapping[Node, int],
    waiting: dict[Node, GradientSums],
    leaves: list[tuple[AccumulateGrad, list[Any]]],
    ready: list[_Ready],
) -> None:
    """Adds each of `gradients` to what waits at the end of its edge; nodes for which it is the last become ready."""
    for (node, number), gradient in zip(edges, gradients):
        count = arriving.get(node)  # type: ignore[arg-type]
        if node is None or count is None:  # it takes no part
            continue
        if count == 1 and node.outputs == 1:
            cell = [gradient]
        else:
            if node not in waiting:
                waiting[node] = GradientSums(count, node.outputs)
            if waiting[node].add(number, gradient):
                continue
            cell = waiting.pop(node).gradients()
        if type(node) is AccumulateGrad:
            leaves.append((node, cell))
        else:
            heapq.heappush(ready, (-node.sequence, _ties(), node, cell))


def _before(node: Node, gradients: list[Tensor | None]) -> None:
    """Runs the hooks on the tensors that are the outputs of `node`, and fills the `.grad` of those that retain it."""
    if type(node) is AccumulateGrad:
        leaf_hooks = node.variable._hooks
        if leaf_hooks is not None and leaf_hooks.gradient and gradients[0] is not None:
            gradients[0] = run_tensor_hooks(leaf_hooks.gradient, gradients[0])
        return
    if node.tensor_hooks:
        for number, hooks in node.tensor_hooks.items():
            if gradients[number] is not None:
                gradients[number] = run_tensor_hooks(hooks, gradients[number])  # type: ignore[arg-type]
    if node.retaining:
        for number, reference in node.retaining.items():
            tensor, gradient = reference(), gradients[number]
            if tensor is not None and gradient is not None:
                _retain(tensor, gradient)


def _retain(tensor: Tensor, gradient: Tensor) -> None:
    while True:
        grad = tensor._grad
        if exchange_grad(tensor, grad, gradient if grad is None else apply(ADD, grad, gradient)):
            return


def _call(node: Node, gradients: list[Any], keep: bool) -> list[Any]:
    """The gradients that `node` makes of `gradients`, hooks included; it releases what it saved unless `keep` is set.

    gradients: may be raw if the node has no hooks.
    """
    if node.prehooks:
        gradients = _run_prehooks(node, gradients)
    shown: Gradients | None = None
    if type(node) is AccumulateGrad:
        # No other reference to the gradient may be made here: see the note on stealing in `accumulate`.
        if not node.posthooks:
            node.accumulate(gradients)
            return []
        answers, shown = [], _accumulate_for_hooks(node, gradients)
    else:
        if node.posthooks:
            shown = tuple(gradients[: node.outputs - node.hidden])
        answers = node.step(gradients)
    if not keep:
        node.release()
    return _handed_on(node, answers, shown)


def _handed_on(node: Node, answers: list[Any], shown: Gradients | None) -> list[Any]:
    """The gradients that `node` has made, after its hooks. Errors: RuntimeError if there is not one for each edge."""
    if len(answers) != len(node.edges):
        raise RuntimeError(f"{node.name()} returned {len(answers)} gradients, expected {len(node.edges)}")
    return _run_posthooks(node, tuple(as_tensors(answers)), shown) if node.posthooks else answers


def _refuse_nans(node: Node, answers: Sequence[Any]) -> None:
    """Errors: RuntimeError for a gradient with a NaN in it."""
    for place, each in enumerate(answers):
        array = None if each is None else array_of(each._values() if type(each) is SparseTensor else each)
        if array is not None and array.dtype.kind in DIFFERENTIABLE_KINDS and np.isnan(array).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {place}th output.")


def _accumulate_for_hooks(node: AccumulateGrad, gradients: list[Tensor | None]) -> Gradients:
    """Accumulates, and gives what posthooks see: the gradient, which may have become the leaf's `.grad` itself."""
    leaf = node.variable
    # Holding a first gradient here would keep it from being taken over.
    given = None if leaf._grad is None else gradients[0]
    node.accumulate(gradients)
    return (leaf._grad if given is None else given,)


def _run_prehooks(node: Node, gradients: list[Tensor | None]) -> list[Tensor | None]:
    if node.hidden:
        count = node.outputs - node.hidden
        arrived, hidden = gradients[:count], gradients[count:]
        if all(each is None for each in arrived):
            return gradients  # nothing has come to what the hooks are shown
        return [*_shown_to_prehooks(node, arrived), *hidden]
    return _shown_to_prehooks(node, gradients)


def _shown_to_prehooks(node: Node, gradients: list[Tensor | None]) -> list[Tensor | None]:
    # Where no hook answers, this is the list it was: another one would hold the gradients too.
    for hook in list(node.prehooks.values()):
        answer = hook(tuple(gradients))
        if answer is not None:
            gradients = _checked(answer, len(gradients), "grad_outputs", hook)
    return gradients


def _run_posthooks(node: Node, answers: Gradients, given: Gradients | None) -> list[Any]:
    if given is None:  # the hooks came while the node ran
        given = (None,) * node.outputs
    for hook in list(node.posthooks.values()):
        answer = hook(answers, given)
        if answer is not None:
            answers = tuple(_checked(answer, len(answers), "grad_inputs", hook))
    return list(answers)


def _checked(answer: Any, expected: int, what: str, hook: Any) -> list[Tensor | None]:
    listed = list(answer) if isinstance(answer, (tuple, list)) else [answer]
    if len(listed) != expected:
        name = getattr(hook, "__name__", repr(hook))
        raise RuntimeError(
            f"hook {name!r} has returned an incorrect number of {what}: got {len(listed)}, expected {expected}"
        )
    for each in listed:
        if each is not None and not isinstance(each, Tensor):
            raise TypeError(f"a node hook returns tensors and Nones as {what}, got {type(each).__name__}")
    return listed


def run_backward(
    roots: Sequence[Edge],
    gradients: Sequence[Any],
    *,
    keep: bool,
    create_graph: bool,
    wanted: Sequence[Edge] = (),
    capture: bool = False,
) -> list[Tensor | None]:
    """One gradient or None for each of `wanted` if they are to be captured; otherwise they are accumulated.

    roots, gradients: where to start, and with which gradient each, which may be raw.   keep: nodes keep what is saved.
    wanted: only what leads to these runs; empty for everything.
    """
    task = GraphTask(roots, keep, wanted, capture)
    logged = log_executions(roots) if LOGGER.isEnabledFor(logging.DEBUG) else ()
    outer, mode = MODES.task, MODES.grad_enabled
    state = MODES.__dict__  # this thread's: written four times, looked up once
    state["task"], state["grad_enabled"] = task, create_graph and not MODES.inference
    try:
        if MODES.compiled_autograd:
            runner().run(task, roots, gradients)
        else:
            task.run(roots, gradients)
    except Exception as error:
        if ANOMALY.enabled and task.current is not None:
            explain(task.current, error)
        raise
    finally:
        state["task"], state["grad_enabled"] = outer, mode
        for handle in logged:
            handle.remove()
    return task.captured


def current_task() -> GraphTask | None:
    """The backward pass that this thread is running, the innermost; None outside of any."""
    return MODES.task
