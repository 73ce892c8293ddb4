"""Backward passes through custom functions and hooks that will have a history, for second derivatives from outside.

The user's backward is evaluated once more with the call, as it runs under create_graph: with operations recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.errors import GraphError
from ....graph.aot.double_backward import DoubleBackwardStep, Taped, arriving, backward_step, inner_values
from ....graph.node import Node
from ....runtime.recorded_passes import RecordedPasses, RecordedStep
from ...breaks import TENSOR_FEATURE, Unwinding
from ...tracing.restarts import Restart
from .custom_steps import BackwardPath

if TYPE_CHECKING:
    from ...tracing.inputs import Input

_MOST = 8
"""Backward passes from inner values that are evaluated ahead."""


def recorded_passes(
    first: BackwardPath, taped: Taped, step: DoubleBackwardStep, later: Sequence[Input]
) -> RecordedPasses | None:
    """The backward passes that have a history; None where the user's backward, or a hook, has none to be had.

    first, step: the backward pass without one.   later: what only that one has.
    """
    if first.found.writes or any(each.owner.ctx.packed for each in first.steps):
        return None  # hooks have given the user's backward tensors without a history
    try:
        results = _recorded(first, taped, step, step.roots, later)
        return RecordedPasses(results, _parts(first, taped, step, results.step, later))
    except (Unwinding, GraphError, Restart):
        return None


def _parts(
    first: BackwardPath, taped: Taped, step: DoubleBackwardStep, whole: DoubleBackwardStep, later: Sequence[Input]
) -> dict[tuple[int, ...], RecordedStep]:
    """The backward passes from inner values, and from these with all results, by their numbers: those that are
    foreseen.

    A backward pass over the backward pass from some values leads to others, which counts for derivatives of higher
    order.
    """
    values = (*whole.roots, *inner_values(whole))
    results = frozenset(range(len(whole.roots)))
    found: dict[tuple[int, ...], RecordedStep] = {}
    seen: set[frozenset[int]] = set()
    waiting = [whole]
    while waiting:
        reached = arriving(waiting.pop(), values)
        new = {one | other for one in reached for other in (frozenset[int](), results, *seen)}
        for numbers in sorted(new.difference(seen), key=sorted):
            seen.add(numbers)
            key = tuple(sorted(numbers))
            if key and key[-1] >= len(results) and len(found) < _MOST:
                found[key] = _recorded(first, taped, step, [values[number] for number in key], later)
                waiting.append(found[key].step)
    return found


def _recorded(
    first: BackwardPath, taped: Taped, step: DoubleBackwardStep, roots: Sequence[Node], later: Sequence[Input]
) -> RecordedStep:
    """The backward pass from some nodes. Errors: a break where it reads what the first one does not, or has no form."""
    way = BackwardPath(first.trace, first.writer, roots, first.ends, first.alone, recorded=True)
    known = step.pair
    hooks = known.packed_as_before()
    found = backward_step(taped, roots, (), read=taped.read, pack=hooks, kept=known.partition, way=way.passing())
    pair = found.pair
    if not set(pair.saved) <= set(known.saved) or not set(pair.reached) <= set(known.reached):
        raise TENSOR_FEATURE.stop(feature="a second derivative that reads what was not saved")
    places = {(each.kind, each.source): place for place, each in enumerate(later)}
    own = {each.node: (each.kind, each.source) for each in way.found.inputs}
    if any(node not in own or own[node] not in places or node.type.shape for node in pair.later):
        raise TENSOR_FEATURE.stop(feature="a second derivative that reads a tensor from outside")
    return RecordedStep(found, tuple(places[own[node]] for node in pair.later), way.found.holds())
