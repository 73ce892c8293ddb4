"""Running a backward pass: the latest node first, gradients summed where they meet, values freed on the way."""

# Note [Order]
# Of the nodes whose gradients are complete, the one made last runs next; accumulators run at once. That is PyTorch's
# order, and a fixed one: gradients that meet are added in the order in which the nodes that give them ran. Nothing
# recurses, so the length of a chain is limited by memory alone.

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import SparseError
from ..ops.pointwise import ADD
from ..tensor.dispatch import apply
from ..tensor.quiet import quietly
from ..tensor.tensor import Tensor
from .accumulate import AccumulateGrad, exchange_grad
from .failures import ANOMALY, explain
from .graph_logging import LOGGER, log_executions
from .hooks import run_tensor_hooks
from .modes import MODES
from .node import Edge, Gradients, Node

_task_numbers = itertools.count().__next__


class _Running(threading.local):
    task: GraphTask | None = None


_RUNNING = _Running()


class GraphTask:
    """One call of `backward` or `grad`, and how far it has come."""

    __slots__ = (
        "__weakref__",
        "_ready",
        "_ties",
        "captured",
        "current",
        "gradients",
        "keep",
        "missing",
        "notes",
        "number",
        "places",
        "runs",
    )

    def __init__(self, roots: Sequence[Edge], keep: bool, wanted: Sequence[Edge], capture: bool) -> None:
        self.number = _task_numbers()
        self.keep = keep
        self.current: Node | None = None
        """The node that runs now."""
        self.captured: list[Tensor | None] = [None] * len(wanted)
        self.places: dict[Node, list[tuple[int, int]]] = {}
        """By node: which of its gradients are asked for, and where in `captured` they go."""
        if capture:
            for place, (node, number) in enumerate(wanted):
                self.places.setdefault(node, []).append((number, place))  # type: ignore[arg-type]
        targets = {node for node, _ in wanted}
        self.runs: set[Node] | None = _leading_to(roots, targets, run_targets=not capture) if wanted else None
        """The nodes this call runs; None for all it can reach."""
        self.missing = self._count(roots)
        """By node: how many gradients, or Nones, have yet to come."""
        self.gradients: dict[Node, list[Any]] = {}
        """By node: a list with, for each output, None, a tensor, or a tensor in a list that only we hold."""
        self.notes: dict[Any, Any] = {}
        """What hooks keep for the time of this call, by whom it belongs to."""
        self._ready: list[tuple[int, int, Node]] = []
        self._ties = itertools.count()

    def will_run(self, node: Node) -> bool:
        """Whether this call runs `node` or has run it."""
        return node in self.missing if self.runs is None else node in self.runs

    def reaches(self, node: Node | None) -> bool:
        """Whether this call computes the gradient that arrives at `node`, to run it or to give the gradient out."""
        return node in self.missing

    def _count(self, roots: Sequence[Edge]) -> dict[Node, int]:
        """By node: how many edges lead to it, from the roots and from nodes that run."""
        counts: dict[Node, int] = {}
        runs, places = self.runs, self.places
        pending = [node for node, _ in roots]
        while pending:
            node = pending.pop()
            if node in counts:
                counts[node] += 1
            elif node is not None and (runs is None or node in runs or node in places):
                counts[node] = 1
                if runs is None or node in runs:
                    pending += [following for following, _ in node.edges]
        return counts

    def send(self, edge: Edge, gradient: Tensor | None) -> None:
        """Adds `gradient` to what waits at the end of `edge`, and queues the node if that was the last."""
        node, number = edge
        if node is None or node not in self.missing:  # it takes no part
            return
        waiting = self.gradients.get(node)
        if waiting is None:
            waiting = self.gradients[node] = [None] * node.outputs
        if gradient is not None:
            before = waiting[number]
            waiting[number] = gradient if before is None else _sum(before, gradient)
        missing = self.missing[node] = self.missing[node] - 1
        if not missing:
            heapq.heappush(self._ready, (-node.sequence, next(self._ties), node))

    def run(self) -> None:
        """Runs every node that takes part."""
        call = _call_checking_nans if ANOMALY.enabled and ANOMALY.check_nan else _call
        while self._ready:
            node = heapq.heappop(self._ready)[2]
            gradients = [each[0] if type(each) is list else each for each in self.gradients.pop(node)]
            self.current = node
            _before(node, gradients)
            if self.runs is not None:
                for number, place in self.places.get(node, ()):
                    self.captured[place] = gradients[number]
                if node not in self.runs:
                    continue
            answers = call(node, gradients, self.keep)
            for edge, answer in zip(node.edges, answers):
                self.send(edge, answer)
            # An accumulator that runs next may take a gradient over only if nothing here refers to it any more.
            del answers
            answer = None
        self.current = None


def _leading_to(roots: Sequence[Edge], targets: set[Any], run_targets: bool) -> set[Node]:
    """The nodes reached from `roots` from which one of `targets` is reached; the targets themselves if so told."""
    needed: set[Node] = set()
    seen: set[Node] = set()
    path: list[Node] = []
    stack: list[Node | None] = [node for node, _ in roots if node is not None]
    while stack:
        node = stack.pop()
        if node is None:  # all that is behind the last node of the path has been seen
            node = path.pop()
            if (run_targets and node in targets) or any(each in needed or each in targets for each, _ in node.edges):
                needed.add(node)
        elif node not in seen:
            seen.add(node)
            path.append(node)
            stack.append(None)
            for each, _ in node.edges:
                if each is not None and each not in seen:
                    if each.edges:
                        stack.append(each)
                    elif run_targets and each in targets:
                        needed.add(each)
    return needed


def _sum(before: Any, gradient: Tensor) -> Any:
    """The sum of two gradients; in place from the second addition on, when the sum is ours alone."""
    if MODES.grad_enabled:
        return apply(ADD, before, gradient)
    try:
        if type(before) is list:
            array = before[0]._array
            quietly(np.add, array, gradient._array, out=array)
            return before
        return [Tensor._wrap(np.asarray(quietly(np.add, before._array, gradient._array)))]
    except SparseError:
        return apply(ADD, before[0] if type(before) is list else before, gradient)


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


def _call(node: Node, gradients: list[Tensor | None], keep: bool) -> Gradients:
    """What `node` makes of `gradients`, hooks included; it releases what it saved unless told to `keep` it."""
    if node.prehooks:
        gradients = _run_prehooks(node, gradients)
    answers: Gradients
    shown: Gradients | None
    if type(node) is AccumulateGrad:
        # No other reference to the gradient may be made here: see the note on stealing in `accumulate`.
        if not node.posthooks:
            node.accumulate(gradients)
            return ()
        answers, shown = (), _accumulate_for_hooks(node, gradients)
    else:
        given = tuple(gradients)
        shown = given if node.posthooks else None
        answers = node.apply(given)
    if not keep:
        node.release()
    if len(answers) != len(node.edges):
        raise RuntimeError(f"{node.name()} returned {len(answers)} gradients, expected {len(node.edges)}")
    return _run_posthooks(node, answers, shown) if node.posthooks else answers


def _call_checking_nans(node: Node, gradients: list[Tensor | None], keep: bool) -> Gradients:
    """The same. Errors: RuntimeError for a gradient with a NaN in it."""
    answers = _call(node, gradients, keep)
    for place, each in enumerate(answers):
        array = None if each is None else (each._values() if each.is_sparse else each)._array
        if array is not None and array.dtype.kind == "f" and np.isnan(array).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {place}th output.")
    return answers


def _accumulate_for_hooks(node: AccumulateGrad, gradients: list[Tensor | None]) -> Gradients:
    """Accumulates, and gives what posthooks see: the gradient, which may have become the leaf's `.grad` itself."""
    leaf = node.variable
    # Holding a first gradient here would keep it from being taken over.
    given = None if leaf._grad is None else gradients[0]
    node.accumulate(gradients)
    return (leaf._grad if given is None else given,)


def _run_prehooks(node: Node, gradients: list[Tensor | None]) -> list[Tensor | None]:
    for hook in list(node.prehooks.values()):
        answer = hook(tuple(gradients))
        if answer is not None:
            gradients = _checked(answer, len(gradients), "grad_outputs", hook)
    return gradients


def _run_posthooks(node: Node, answers: Gradients, given: Gradients | None) -> Gradients:
    if given is None:  # the hooks came while the node ran
        given = (None,) * node.outputs
    for hook in list(node.posthooks.values()):
        answer = hook(answers, given)
        if answer is not None:
            answers = tuple(_checked(answer, len(answers), "grad_inputs", hook))
    return answers


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
    gradients: Sequence[Tensor],
    *,
    keep: bool,
    create_graph: bool,
    wanted: Sequence[Edge] = (),
    capture: bool = False,
) -> list[Tensor | None]:
    """One gradient or None for each of `wanted` if they are to be captured; otherwise they are accumulated.

    roots, gradients: where to start, and with which gradient each.   keep: nodes keep what they saved.
    wanted: only what leads to these runs; empty for everything.
    """
    task = GraphTask(roots, keep, wanted, capture)
    logged = log_executions(roots) if LOGGER.isEnabledFor(logging.DEBUG) else ()
    outer, mode = _RUNNING.task, MODES.grad_enabled
    _RUNNING.task, MODES.grad_enabled = task, create_graph and not MODES.inference
    try:
        for edge, gradient in zip(roots, gradients):
            task.send(edge, gradient)
        task.run()
    except Exception as error:
        if ANOMALY.enabled and task.current is not None:
            explain(task.current, error)
        raise
    finally:
        _RUNNING.task, MODES.grad_enabled = outer, mode
        for handle in logged:
            handle.remove()
    return task.captured


def current_task() -> GraphTask | None:
    """The backward pass that this thread is running, the innermost; None outside of any."""
    return _RUNNING.task
