"""Ranges whose bounds a region computes, and ranges as loops of a region."""

from __future__ import annotations

from collections.abc import Iterator as Iterating
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..breaks import GraphBreak
from ..values.base import Value
from ..values.constant import Constant
from ..values.iterators import Iterator
from .knowledge import refused
from .numbers import bounds_of

if TYPE_CHECKING:
    from ..trace import Trace


@dataclass
class Run:
    """A range that a fresh iterator runs over. `iterator` is what lies on the stack meanwhile."""

    start: Value
    stop: Value
    step: int
    iterator: Iterator = field(repr=False)

    @property
    def surely(self) -> bool:
        """Whether it is known to hold an element."""
        (low, high), (first, last) = bounds_of(self.start), bounds_of(self.stop)
        return high < first if self.step > 0 else low > last

    @property
    def known_length(self) -> int | None:
        """How many elements it has; None when that is not known."""
        if isinstance(self.start, Constant) and isinstance(self.stop, Constant):
            return len(range(self.start.value, self.stop.value, self.step))
        return None


class RunRange(Value):
    """A range of which some bound is a number of the region."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Value, stop: Value, step: int) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    @property
    def python_type(self) -> type:
        return range

    def unsupported(self, operation: str) -> GraphBreak:
        return refused(f"{operation} of a range that changes")

    def iterate(self, trace: Trace) -> Iterating[Value]:
        iterator = Iterator(_never(), type(iter(range(0))))
        iterator.run = Run(self.start, self.stop, self.step, iterator)
        return iterator


def _never() -> Iterating[Value]:
    raise refused("the next element of a range that changes")
    yield


def run_range(bounds: list[Value]) -> RunRange:
    """`range(*bounds)`. Errors: a break for a step that is not known."""
    start, stop, step = [Constant(0), *bounds, Constant(1)] if len(bounds) == 1 else [*bounds, Constant(1)][:3]
    if not (isinstance(step, Constant) and type(step.value) is int and step.value):
        raise refused("a range with a step that changes")
    if any(each.python_type is not int for each in (start, stop)):
        raise refused("a range of what are no ints")
    return RunRange(start, stop, step.value)
