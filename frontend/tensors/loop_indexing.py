"""Indices that follow from the number of a loop's round: each round sees another part of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..values.base import Value
from ..values.constant import is_none
from ..values.loop_number import LoopNumber, RoundNumber
from ..values.ranges import SliceValue
from ..values.sequences import TupleValue
from ..values.tensor import TensorValue

if TYPE_CHECKING:
    from ..trace import Trace


def part_of_round(trace: Trace, value: TensorValue, key: Value) -> Value | None:
    """`value[key]` where the key holds one number of the round, behind whole slices if behind any; None otherwise.

    Errors: a break for a tensor of the round's own, and where some index is out of range.
    """
    keys = key.items if type(key) is TupleValue else [key]
    places = [place for place, each in enumerate(keys) if isinstance(each, LoopNumber)]
    if not places:
        return None
    axis, number = places[0], keys[places[0]]
    behind_slices = all(_is_whole(each) for each in keys[:axis])
    if len(places) > 1 or not behind_slices or not isinstance(number, RoundNumber) or axis >= value.ndim:
        raise value.unsupported("an index that changes from round to round")
    body = next((each for each in trace.rounds if each.counter == number.counter), None)
    if body is None or not body.is_outside(value):
        raise value.unsupported("an index that changes from round to round")
    size, (low, high) = value.shape[axis], number.bounds
    assert number.affine is not None
    step, first = number.affine
    if -size <= low and high < 0:
        first += size
    elif low < 0 or high >= size:
        raise value.unsupported("an index that is out of range in some round")
    if not step:
        return None
    part = body.row(value, axis, first, step)
    rest = keys[axis + 1 :]
    return part if not rest else part.item(trace, TupleValue([*keys[:axis], *rest]))


def _is_whole(key: Value) -> bool:
    return isinstance(key, SliceValue) and all(is_none(part) for part in key.parts)
