"""Slices of an axis whose bounds or step a region computes, by CPython's rule (`PySlice_AdjustIndices`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.records import dataclass
from ....core.sized_shapes import slice_of
from ....core.sizes import is_small, is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...tracing.nodes import constant_node
from ...tracing.speculation import unsupported_in_region
from ...values.base import Value
from ...values.constant import Constant, is_none
from ...values.containers.ranges import SliceValue
from ...values.numbers.computed import ComputedNumber
from ...values.numbers.symbolic_int import number, size_of, whole
from ..numbers.arithmetic import bounds_of, number_node, operate
from ..numbers.functions import absolute
from .indices import index_value
from .sizes import Size, as_size, as_value, at_least_zero, clipped, either, length_of

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(frozen=True)
class Dim:
    """An axis of a view. `axis`: of the memory, or -1 for a new one; `step`: in its elements."""

    axis: int
    step: Size
    size: Size


def sliced(trace: Trace, dim: Dim, part: SliceValue) -> tuple[Node, Dim]:
    """The beginning of a slice of an axis, and the axis that it leaves."""
    start, stop, step = part.parts
    stride = Constant(1) if is_none(step) else index_value(trace, step)
    if isinstance(stride, Constant) and not stride.value:
        raise unsupported_in_region("a slice with a step of zero")
    if all(isinstance(each, Constant) for each in part.parts) and is_whole(dim.size):
        return _known(trace, dim, size_of(trace, part))
    if isinstance(stride, Constant) and stride.value > 0:
        low = clipped(trace, Constant(0) if is_none(start) else start, dim.size)
        high = as_value(dim.size) if is_none(stop) else clipped(trace, stop, dim.size)
        if stride.value == 1:
            return number_node(trace, low), Dim(dim.axis, dim.step, length_of(trace, low, high))
        return number_node(trace, low), _strided(trace, dim, low, high, stride, Constant(False))
    return _either_way(trace, dim, part, stride)


def _known(trace: Trace, dim: Dim, part: slice) -> tuple[Node, Dim]:
    assert is_whole(dim.size)
    start, count, stride = slice_of(part, dim.size)
    first = constant_node(trace, start if count else 0, (), dtypes.int64)
    if count and not is_small(start) and trace.region is not None:
        first = trace.region.integer(start)
    return first, Dim(dim.axis, times(trace, dim.step, stride if count > 1 else 1), count)


def _either_way(trace: Trace, dim: Dim, part: SliceValue, stride: Value) -> tuple[Node, Dim]:
    """A slice that goes backwards, or whose direction is known only when it is taken."""
    start, stop, _ = part.parts
    low, high = bounds_of(stride)
    if low <= 0 <= high:
        assert trace.region is not None
        zero = constant_node(trace, 0, (), dtypes.int64)
        trace.region.leave_if(trace.add(p.EQUAL, trace.region.let_of(number_node(trace, stride)), zero))
    back: Value = Constant(high <= 0) if low >= 0 or high <= 0 else operate(trace, "<", stride, Constant(0))
    shift = either(trace, back, Constant(-1), Constant(0))
    size = as_value(dim.size)
    last = number(whole(size) - 1) if isinstance(size, Constant) else operate(trace, "-", size, Constant(1))
    begin = either(trace, back, last, Constant(0)) if is_none(start) else clipped(trace, start, dim.size, shift)
    end = either(trace, back, Constant(-1), size) if is_none(stop) else clipped(trace, stop, dim.size, shift)
    return number_node(trace, begin), _strided(trace, dim, begin, end, stride, back)


def _strided(trace: Trace, dim: Dim, begin: Value, end: Value, stride: Value, back: Value) -> Dim:
    """The axis of the elements from `begin` on, every `stride`th."""
    if isinstance(back, Constant):
        one, other = (begin, end) if back.value else (end, begin)
    else:
        one, other = either(trace, back, begin, end), either(trace, back, end, begin)
    distance = operate(trace, "-", one, other)
    every = Constant(abs(stride.value)) if isinstance(stride, Constant) else absolute(trace, stride)
    steps = operate(trace, "//", operate(trace, "-", distance, Constant(1)), every)
    count = at_least_zero(trace, operate(trace, "+", steps, Constant(1)), bounds_of(as_value(dim.size))[1])
    return Dim(dim.axis, times(trace, dim.step, as_size(stride)), count)


def times(trace: Trace, one: Size, other: Size) -> Size:
    """The step of a slice of a slice."""
    if is_whole(one) and is_whole(other):
        return one * other
    if is_whole(one) and one == 1:
        return other
    made = operate(trace, "*", as_value(one), as_value(other))
    assert isinstance(made, ComputedNumber)
    return made
