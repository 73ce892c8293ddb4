"""Ranges whose bounds kernels compute, and ranges as loops of a region."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator as Iterating
from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.records import dataclass
from ....core.sizes import count_of, is_symbolic
from ....ops import pointwise as p
from ...breaks import ARRAY_VALUE, GraphBreak, ProgramRaised
from ...tracing.nodes import constant_node
from ...tracing.speculation import unsupported_in_region
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.iterators import Iterator
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.symbolic_int import whole
from ..arrays.indices import index_value
from .arithmetic import bounds_of, host_number, operate

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


def _itself(trace: Trace, number: Value) -> Value:
    return number


@dataclass
class IterationSpace:
    """The range that a fresh iterator runs over, and for each of its numbers an element.

    element:  what a number of the range stands for, by default itself.
    holds:    whether the elements are those of arrays.
    inner:    the iterators that the one on the stack asks meanwhile: nobody may ask these, or it, besides.
    """

    start: Value
    stop: Value
    step: Value
    element: Callable[[Trace, Value], Value] = _itself
    holds: bool = False
    inner: tuple[Iterator, ...] = ()

    @property
    def rises(self) -> bool:
        """Whether its step is positive."""
        return bounds_of(self.step)[0] > 0

    @property
    def surely(self) -> bool:
        """Whether it is known to hold an element."""
        (low, high), (first, last) = bounds_of(self.start), bounds_of(self.stop)
        return high < first if self.rises else low > last

    @property
    def known_length(self) -> int | None:
        """The number of its elements; None when that is not known."""
        parts = self.start, self.stop, self.step
        known = [whole(each) for each in parts if isinstance(each, Constant)]
        if len(known) < len(parts):
            return None
        start, stop, step = known
        return count_of(start, stop, int(step)) if is_symbolic(known) else len(range(*known))


class RunRange(Value):
    """A range of which some bound is a number that a kernel computes."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Value, stop: Value, step: Value) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    @property
    def python_type(self) -> type:
        return range

    def describe(self) -> str:
        return "a range whose bounds are known at run time"

    def unsupported(self, operation: str) -> GraphBreak:
        return unsupported_in_region(f"{operation} of a range that changes")

    def truth(self, trace: Trace) -> bool:
        raise _unknown()

    def length(self, trace: Trace) -> int:
        raise _unknown()

    def iterate(self, trace: Trace) -> Iterating[Value]:
        made = never(IterationSpace(self.start, self.stop, self.step), type(iter(range(0))))
        made.remake = lambda writer: f"{writer.pool.add(iter)}({self.rebuild(writer)})"
        return made

    def rebuild(self, writer: EntryWriter) -> str:
        bounds = ", ".join(each.rebuild(writer) for each in (self.start, self.stop, self.step))
        return writer.once(self, lambda: f"{writer.pool.add(range)}({bounds})")

    def backwards(self, trace: Trace) -> Iterator:
        """`reversed(range)`."""
        step = self.step.value if isinstance(self.step, Constant) else 0
        if step not in (1, -1):
            raise self.unsupported("reversed()")
        first, behind = (operate(trace, "-", each, Constant(step)) for each in (self.stop, self.start))
        return never(IterationSpace(first, behind, Constant(-step)), type(reversed(range(0))))


def never(space: IterationSpace, kind: type) -> Iterator:
    """An iterator over elements that are known only by their number: it serves loops of the region alone."""
    made = Iterator(_never(), kind)
    made.space = space
    return made


def _unknown() -> GraphBreak:
    return ARRAY_VALUE.stop(wanted="bound of a range")


def _never() -> Iterating[Value]:
    raise _unknown()
    yield


def are_bounds(trace: Trace, bounds: list[Value]) -> bool:
    """Whether these are ints, some of them computed before a region, that bound a range: its step is known."""
    if (
        trace.region is not None
        or not 0 < len(bounds) <= 3
        or not any(isinstance(each, ComputedNumber) for each in bounds)
    ):
        return False
    ints = all(isinstance(each, (Constant, ComputedNumber)) and each.python_type is int for each in bounds)
    return ints and (len(bounds) < 3 or isinstance(bounds[2], Constant) and bool(bounds[2].value))


def run_range(trace: Trace, bounds: list[Value]) -> RunRange:
    """`range(*bounds)`, some of them computed numbers. A region is left where a step that changes is not positive."""
    given = [index_value(trace, each) for each in bounds]
    start, stop, step = [Constant(0), *given, Constant(1)] if len(given) == 1 else [*given, Constant(1)][:3]
    region = trace.region
    if isinstance(step, Constant) and not step.value:
        raise ProgramRaised(ValueError("range() arg 3 must not be zero"))
    if isinstance(step, ComputedNumber) and bounds_of(step)[0] < 1:
        assert region is not None
        node = step.node(trace)
        region.leave_if(trace.add(p.LESS, node, constant_node(trace, 1, (), dtypes.int64)))
        step = host_number(trace, node, (1, bounds_of(step)[1]))
    return RunRange(start, stop, step)
