"""Indices that follow from the number of a loop's iteration: each iteration sees another part of a tensor, or writes
it.
"""

# Note [Parts that iterations write]
# An iteration that writes the part of a tensor that is its own (`out[:, t] = h`) gives that part as a row, and behind
# the loop all rows are written at once. That is the same as long as no iteration reads the tensor. Whoever reads memory
# makes a node of the node that stands for it, or of one that a view of it was read as: so no node that the iteration
# has made may have such an operand.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.records import dataclass
from ....graph.node import Node
from ....ops.activations import ALIAS
from ....ops.diagonals import DIAGONAL
from ....ops.registry import Movement
from ...breaks import LOOP_PARTS
from ...values.base import Value
from ...values.constant import Constant, is_none
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import TupleValue
from ...values.numbers.loop_varying import InductionVariable, LoopVaryingNumber
from ...values.tensors.tensor import TensorValue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ...tracing.trace import Trace
    from .subgraph import Subgraph


@dataclass(frozen=True)
class PartOfIteration:
    """The part of a tensor that an iteration sees: along `axis` what is at ``first + step * round``.

    width: of how many elements it is, where the axis stays; None where it goes.   rest: the keys behind.
    """

    body: Subgraph
    axis: int
    first: int
    step: int
    width: int | None
    rest: list[Value]


@dataclass(frozen=True)
class PartWrite:
    """A part that iterations write: the tensor, the part, and the row that an iteration gives.

    tracked: it has a history.
    """

    target: TensorValue
    place: PartOfIteration
    row: Node
    tracked: bool


def place_of(trace: Trace, value: TensorValue, key: Value) -> PartOfIteration | None:
    """The part that a key names; None where it holds no number of an iteration.

    Errors: a break for a tensor of the iteration's own, and where some index is out of range.
    """
    keys = _without_ellipsis(key.items if type(key) is TupleValue else [key], value.ndim)
    places = [place for place, each in enumerate(keys) if _changes(each)]
    if not places:
        return None
    axis = places[0]
    found = _named_part(keys[axis])
    behind_slices = all(map(is_whole, keys[:axis]))
    if len(places) > 1 or not behind_slices or found is None or axis >= value.ndim:
        raise value.unsupported("an index that changes from round to round")
    number, width = found
    body = next((each for each in trace.iterations if each.counter == number.counter), None)
    if body is None or not body.is_outside(value):
        raise value.unsupported("an index that changes from round to round")
    size, (low, high) = value.shape[axis], number.bounds
    assert number.affine is not None
    step, first = number.affine
    if width is None and -size <= low and high < 0:
        first += size
    elif low < 0 or high + (width or 1) > size:
        raise value.unsupported("an index that is out of range in some round")
    return PartOfIteration(body, axis, first, step, width, keys[axis + 1 :])


def _without_ellipsis(keys: list[Value], rank: int) -> list[Value]:
    """The keys with whole slices in the place of an ellipsis at the front."""
    if not (keys and isinstance(keys[0], Constant) and keys[0].value is ...) or len(keys) - 1 > rank:
        return keys
    if not all(isinstance(each, (LoopVaryingNumber, SliceValue)) for each in keys[1:]):
        return keys
    return [*[SliceValue(Constant(None), Constant(None), Constant(None))] * (rank + 1 - len(keys)), *keys[1:]]


def _changes(key: Value) -> bool:
    """Whether a number of an iteration is in a key."""
    return isinstance(key, LoopVaryingNumber) or (isinstance(key, SliceValue) and any(map(_changes, key.parts)))


def _named_part(key: Value) -> tuple[InductionVariable, int | None] | None:
    """The first place that a key names, and how many where it is a slice; None for a key of another form."""
    if isinstance(key, InductionVariable):
        return key, None
    if not isinstance(key, SliceValue):
        return None
    start, stop, step = key.parts
    plain = is_none(step) or isinstance(step, Constant) and step.value == 1
    if not plain or not isinstance(start, InductionVariable) or not isinstance(stop, InductionVariable):
        return None
    assert start.affine is not None and stop.affine is not None
    width = stop.affine[1] - start.affine[1]
    return (start, width) if start.affine[0] == stop.affine[0] and width > 0 else None


def is_whole(key: Value) -> bool:
    """Whether a key takes all of its axis."""
    return isinstance(key, SliceValue) and all(is_none(part) for part in key.parts)


def check_unread(writes: Iterable[PartWrite], made: Collection[Node], known: Iterable[Node]) -> None:
    """Errors: a break where an iteration reads what iterations write. See Note [Parts that iterations write].

    made: the nodes that the iteration has made, also before the loop.   known: all others, in order.
    """
    seen = {each.target.array.storage.node for each in writes}
    for node in known:
        if not seen.isdisjoint(node.inputs) and (isinstance(node.op.lower, Movement) or node.op in (ALIAS, DIAGONAL)):
            seen.add(node)
    if any(not seen.isdisjoint(node.inputs) for node in made):
        raise LOOP_PARTS.stop(what="a round that reads what rounds write")
