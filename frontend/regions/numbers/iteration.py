"""Iteration spaces besides ranges: arrays, and `enumerate` and `zip` of what has a number for each iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....core.records import dataclass
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.iterators import Iterator
from ...values.containers.sequences import TupleValue
from ...values.numbers import symbolic_int
from ...values.numbers.symbolic_int import whole
from ..arrays.sizes import either
from .arithmetic import operate
from .ranges import IterationSpace

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def over_array(array: Value, size: Value, *, backwards: bool = False) -> IterationSpace:
    """The elements or rows of an array, each read when the loop comes to it."""
    bounds = (Constant(0), size, Constant(1))
    if backwards:
        assert isinstance(size, Constant)
        bounds = (symbolic_int.number(whole(size) - 1), Constant(-1), Constant(-1))
    return IterationSpace(*bounds, lambda trace, number: array.item(trace, number), holds=True)


def numbered(trace: Trace, iterator: Iterator, first: int) -> IterationSpace | None:
    """`enumerate(iterator, first)`; None where that is no run."""
    rounds = _rounds(trace, iterator)
    if rounds is None:
        return None

    def element(trace: Trace, number: Value) -> Value:
        return TupleValue(
            [operate(trace, "+", number, Constant(first)) if first else number, rounds.element(trace, number)]
        )

    return IterationSpace(Constant(0), rounds.count, Constant(1), element, rounds.holds, (iterator,))


def together(trace: Trace, iterators: Sequence[Iterator], *, strict: bool) -> IterationSpace | None:
    """`zip` of iterators; None where that is no run."""
    found = [_rounds(trace, each) for each in iterators]
    known = [each for each in found if each is not None]
    if not known or len(known) < len(found) or len(set(map(id, iterators))) < len(found):
        return None
    count = known[0].count
    for each in known[1:]:
        if strict and not (
            isinstance(count, Constant) and isinstance(each.count, Constant) and whole(count) == whole(each.count)
        ):
            return None
        count = _smaller(trace, count, each.count)

    def element(trace: Trace, number: Value) -> Value:
        return TupleValue([each.element(trace, number) for each in known])

    return IterationSpace(Constant(0), count, Constant(1), element, any(each.holds for each in known), tuple(iterators))


@dataclass(frozen=True)
class _IterationCount:
    """The number of iterations of a run, and what it gives in the iteration of a number."""

    count: Value
    element: Callable[[Trace, Value], Value]
    holds: bool


def _rounds(trace: Trace, iterator: Iterator) -> _IterationCount | None:
    space = iterator.space if iterator.advanced == 0 else None
    if space is None:
        return None
    start, step, length = space.start, space.step, space.known_length
    if isinstance(start, Constant) and isinstance(step, Constant) and (whole(start), whole(step)) == (0, 1):
        return _IterationCount(space.stop, space.element, space.holds)
    if length is None and not (isinstance(step, Constant) and step.value == 1):
        return None
    count = operate(trace, "-", space.stop, start) if length is None else symbolic_int.number(length)

    def element(trace: Trace, number: Value) -> Value:
        moved = number if isinstance(step, Constant) and step.value == 1 else operate(trace, "*", number, step)
        return space.element(trace, operate(trace, "+", moved, start))

    return _IterationCount(count, element, space.holds)


def _smaller(trace: Trace, one: Value, other: Value) -> Value:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return symbolic_int.number(min(whole(one), whole(other)))
    return either(trace, operate(trace, "<", one, other), one, other)
