"""Runs backward passes over eager graphs as compiled code, with what has to run by itself in between."""

# Note [What is checked before a segment runs]
# All saved tensors of a segment are unpacked, in the order in which the engine would, before anything is computed: so a
# graph that was freed, or a saved tensor that was modified, raises the engine's error with nothing done. A plan checks
# the types and layouts of its arrays by itself. In-place accumulation comes after all of the segment was computed;
# where a `.grad` that exists already may share memory with what the segment reads, the engine runs it, node by node.

from __future__ import annotations

import threading
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from ..autograd.accumulate import AccumulateGrad
from ..autograd.compiled_backward import count
from ..autograd.engine import GraphTask
from ..autograd.error_notes import ANOMALY
from ..autograd.gradient_sums import added
from ..autograd.modes import MODES
from ..autograd.node import Edge, Node
from ..autograd.raw_gradients import array_of
from ..backend.platform_support import why_unsupported
from ..core.config import config
from ..core.errors import SparseError
from ..tensor.tensor import Array
from .graph_segments import Plan, compile_piece
from .graph_structure import NodeSegment, Place, Structure, in_order, structure_of

_known: dict[tuple[Any, ...], list[Structure]] = {}
"""By number of nodes and places of the roots."""
MOST = 256
"""The number of structures that are kept in all."""
_base = attrgetter("base")
_LOCK = threading.RLock()
"""Held while something is compiled."""


def run(task: GraphTask, roots: Sequence[Edge], gradients: Sequence[Any]) -> None:
    """Does what ``task.run(roots, gradients)`` does."""
    switched_off = "gl.config.disable" if config.disable else why_unsupported()
    if switched_off:
        return _by_engine(task, roots, gradients, switched_off)
    if MODES.grad_enabled:
        return _by_engine(task, roots, gradients, "create_graph=True")
    if ANOMALY.enabled:
        return _by_engine(task, roots, gradients, "anomaly mode")
    order = in_order(task)
    structure = _structure(order, roots, task)
    if isinstance(structure, str):
        return _by_engine(task, roots, gradients, structure)
    _BackwardRun(
        task, order, structure, [each for (node, _), each in zip(roots, gradients) if node in task.arriving]
    ).run()
    return None


def forget() -> None:
    """Drops all compiled code."""
    with _LOCK:
        _known.clear()


def _by_engine(task: GraphTask, roots: Sequence[Edge], gradients: Sequence[Any], reason: str) -> None:
    count(eager=reason)
    task.run(roots, gradients)


def _structure(order: Sequence[Node], roots: Sequence[Edge], task: GraphTask) -> Structure | str:
    """The structure that the graph has, made now if there is none; or why it is to have none."""
    places = []
    for node, output in roots:
        if node in task.arriving:
            places.append((order.index(node), output))  # type: ignore[arg-type]
    if any(type(order[place]) is AccumulateGrad for place, _ in places):
        return "a root that is a leaf"
    key = len(order), tuple(places)
    found = _first_fit(key, order, task)
    if found is not None:
        return found
    with _LOCK:
        found = _first_fit(key, order, task)  # another thread may have been faster
        if found is not None:
            return found
        alike = _known.setdefault(key, [])
        like = next((each for each in alike if each.fits(order, task, numbers=False)), None)
        free = like.numbers(order) if like is not None else frozenset()
        if like is not None and not free <= like.free:
            made = structure_of(order, roots, task, free)
            alike.remove(like)
        elif len(alike) >= config.recompile_limit:
            return "more structures of graphs with as many nodes than config.recompile_limit"
        elif sum(map(len, _known.values())) >= MOST:
            return f"more than {MOST} structures of graphs"
        else:
            made = structure_of(order, roots, task)
        if made is None:
            return "nodes whose numbers do not fall"
        alike.append(made)
        return made


def _first_fit(key: tuple[Any, ...], order: Sequence[Any], task: GraphTask) -> Structure | None:
    return next((known for known in _known.get(key, ()) if known.fits(order, task)), None)


class _BackwardRun:
    """One backward pass, and how far it has come."""

    def __init__(self, task: GraphTask, order: Sequence[Node], structure: Structure, gradients: Sequence[Any]) -> None:
        self.task, self.order, self.structure = task, order, structure
        self.cells: dict[Place, Any] = {}
        """The gradients that have arrived at nodes that have not run."""
        self.compiled = self.ran = 0
        for place, gradient in zip(structure.roots, gradients):
            self._arrive(place, gradient)

    def run(self) -> None:
        """Runs all segments, and what is between them."""
        seen_by_user, still_fits = False, self.structure.still_fits
        for segment in self.structure.segments:
            if segment.nodes:
                reason = (
                    "a graph that a hook has changed"
                    if seen_by_user and not still_fits(segment, self.order, self.task)
                    else ""
                )
                reason = reason or self._run_piece(segment)
                if reason:
                    count(eager=reason, pieces=self.ran, compiles=self.compiled)
                    return self._go_on_by_engine(segment.nodes[0])
                seen_by_user = True
            if segment.alone is not None:
                self._run_alone(segment.alone)
                seen_by_user = True
        if self.ran:
            count(pieces=self.ran, compiles=self.compiled, hits=0 if self.compiled else 1)
        else:
            count(eager="custom functions and hooks alone")
        return None

    # Pieces.

    def _run_piece(self, segment: NodeSegment) -> str:
        """Runs the nodes of a segment, and accumulates. Gives the reason why it did nothing of that, if so."""
        try:
            given = [array_of(self.cells[place]) if place in self.cells else None for place in segment.reads]
            found, plan = self._found(segment, given)
        except SparseError:
            return "a sparse gradient"
        if plan is None or isinstance(found, str):
            return str(found)
        self.ran += 1
        read = [self.cells.pop(place, None) for place in segment.reads]
        if not self.task.keep:
            for at in segment.nodes:
                self.order[at].release()
        # From here on nothing but `results` may refer to what the plan gave: a gradient may be taken over.
        results = list(found)
        del found, given
        shown = [form.show(result) for form, result in zip(plan.forms, results)]
        del results[: len(shown)]
        for place, number in plan.places:
            self.cells[place] = shown[number] if number >= 0 else read[~number]
        del shown, read
        results.reverse()
        for leaf, there in plan.leaves:
            self._accumulate(leaf, [results.pop() if there else self.cells.pop((leaf, 0), None)])
        return ""

    def _found(self, segment: NodeSegment, given: list[Array | None]) -> tuple[Sequence[Array] | str, Plan | None]:
        """The results of a segment's plan, compiled now if there is none, or why there are none; and the plan."""
        found, plan = self._known(segment, given)
        if found is None:
            with _LOCK:
                found, plan = self._known(segment, given)  # another thread may have been faster
                if found is None:
                    compile_piece(self.structure, segment, self.order, given)
                    found, plan = self._known(segment, given)
                    self.compiled += found is not None and type(found) is not str
        return ("an array that no plan takes" if found is None else found), plan

    def _known(
        self, segment: NodeSegment, given: list[Array | None]
    ) -> tuple[Sequence[Array] | str | None, Plan | None]:
        """The results of the first plan of a segment that fits, or why it gives none, and the plan; None if none
        fits."""
        for plan in segment.plans.get(tuple([each is not None for each in given]), ()):
            if plan.refused:
                return plan.refused, plan
            arrays = [each for each in given if each is not None] + plan.saved(self.order)
            if self._written(plan, arrays):
                return "a gradient in the memory of a saved tensor", plan
            found = plan.run(*arrays, *plan.arguments(self.order)) if plan.numbers else plan.run(*arrays)
            if found is Ellipsis:
                return "an operation that raises", plan
            if found is not NotImplemented:
                return found, plan
        return None, None

    def _written(self, plan: Plan, arrays: list[Array]) -> bool:
        """Whether accumulating may write to one of `arrays`."""
        grads = [self.order[leaf].variable._grad for leaf, _ in plan.leaves]  # type: ignore[attr-defined]
        owned = [each._array for each in grads if each is not None and not each.is_sparse]
        memory = {id(each if each.base is None else each.base) for each in owned}
        if not memory:
            return False
        return not (memory.isdisjoint(map(id, arrays)) and memory.isdisjoint(map(id, map(_base, arrays))))

    # What runs by itself.

    def _run_alone(self, at: int) -> None:
        step, node, task = self.structure.steps[at - self.structure.leaves], self.order[at], self.task
        cell = [self.cells.pop((at, output), None) for output in range(node.outputs)]
        task.current = node
        answers = task.observed(node, cell)
        for place, answer in zip(step.edges, answers):
            if place is not None:
                self._arrive(place, answer)
        answer = None
        answers.clear()
        for leaf in step.completes:
            self._accumulate(leaf, [self.cells.pop((leaf, 0), None)])

    def _arrive(self, place: Place, gradient: Any) -> None:
        if gradient is not None:
            before = self.cells.get(place)
            self.cells[place] = gradient if before is None else added(before, gradient)[0]

    def _accumulate(self, leaf: int, cell: list[Any]) -> None:
        node, task = self.order[leaf], self.task
        task.current = node
        if self.structure.observed[leaf] or node.variable._hooks is not None:  # type: ignore[attr-defined]
            task.observed(node, cell)
        else:
            node.accumulate(cell)  # type: ignore[attr-defined]

    # What is not compiled.

    def _go_on_by_engine(self, first: int) -> None:
        """The engine runs the nodes from the one with the number `first` on."""
        leaves, steps, order = self.structure.leaves, self.structure.steps, self.order
        missing = dict.fromkeys(range(first, len(order) - 1), 0)
        for step in steps[first - leaves :]:
            for place in step.edges:
                if place is not None:
                    missing[place[0]] = missing.get(place[0], 0) + 1
        edges = [(order[at], output) for at, output in self.cells]
        gradients = list(self.cells.values())
        for at, _ in self.cells:
            missing[at] += 1
        for at in range(first, len(order) - 1):
            if not missing[at]:  # whatever came to it was None
                missing[at] = 1
                edges.append((order[at], 0))
                gradients.append(None)
        self.cells.clear()
        self.task.arriving = {**self.task.arriving, **{order[at]: number for at, number in missing.items()}}
        self.task.run(edges, gradients)
