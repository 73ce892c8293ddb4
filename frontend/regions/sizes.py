"""Sizes of arrays in a region: ints that are known, and numbers of the region of which some relations are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import dtypes
from ...core.sizes import is_small, is_whole
from ...graph.node import Node
from ...ops import pointwise as p
from ..nodes import constant_node
from ..values.base import Value
from ..values.constant import Constant
from ..values.host_number import HostNumber
from ..values.size_number import number, whole
from .functions import chosen
from .knowledge import refused
from .numbers import bounds_of, condition, number_node, operate

if TYPE_CHECKING:
    from ...backend.loops import Amount
    from ..trace import Trace

Size = int | HostNumber


def difference(trace: Trace, one: Node, other: Node) -> int | None:
    """`one - other` where it is the same number whatever the values are; else None."""
    assert trace.region is not None
    (terms, constant), (others, more) = trace.region.sum_of(one), trace.region.sum_of(other)
    return constant - more if terms == others else None


def as_value(size: Size) -> Value:
    """A size as a Python int of the program."""
    return number(size) if is_whole(size) else size


def node_of(trace: Trace, size: Size) -> Node:
    """A size as an int64 of the region."""
    assert trace.region is not None
    if is_whole(size):
        return constant_node(trace, size, (), dtypes.int64) if is_small(size) else trace.region.integer(size)
    return number_node(trace, size)


def amount(trace: Trace, size: Size) -> Amount:
    """A size as the bound of a loop."""
    region = trace.region
    assert region is not None
    if is_whole(size):
        return size if is_small(size) else region.size(("value", size, 0))
    return region.text(number_node(trace, size))


def equal(trace: Trace, one: Size, other: Size) -> bool | None:
    """Whether two sizes are the same; None where that is not known."""
    if is_whole(one) and is_whole(other):
        return one == other
    if difference(trace, node_of(trace, one), node_of(trace, other)) == 0:
        return True
    (low, high), (least, most) = bounds_of(as_value(one)), bounds_of(as_value(other))
    return False if high < least or most < low else None


def require_equal(trace: Trace, one: Size, other: Size) -> None:
    """Leaves the region where the sizes differ: NumPy then broadcasts or raises."""
    assert trace.region is not None
    known = equal(trace, one, other)
    if known is False:
        raise refused("arrays of different sizes")
    if known is None:
        trace.region.leave_if(trace.add(p.NOT_EQUAL, node_of(trace, one), node_of(trace, other)))


def broadcast(trace: Trace, shapes: list[tuple[Size, ...]]) -> tuple[Size, ...]:
    """The shape that arrays of these shapes have together."""
    rank = max(map(len, shapes))
    result: list[Size] = []
    for axis in range(rank):
        sizes = [shape[axis - rank + len(shape)] for shape in shapes if axis - rank + len(shape) >= 0]
        wide = [size for size in sizes if not (is_whole(size) and size == 1)]
        for size in wide[1:]:
            require_equal(trace, wide[0], size)
        result.append(next((size for size in wide if is_whole(size)), wide[0]) if wide else 1)
    return tuple(result)


def clipped(trace: Trace, value: Value, size: Size) -> Value:
    """A slice's bound as NumPy takes it: counted from the end if negative, at least 0, at most `size`."""
    if isinstance(value, Constant) and is_whole(size):
        known = whole(value)
        return number(min(max(known + size if known < 0 else known, 0), size))
    if value.python_type is not int:
        raise refused("a slice whose bounds are no ints")
    low, high = bounds_of(value)
    least, most = bounds_of(as_value(size))
    if high < 0:
        value = operate(trace, "+", value, as_value(size))
    elif low < 0:
        wrapped = operate(trace, "+", value, as_value(size))
        value = _where(trace, operate(trace, "<", value, Constant(0)), wrapped, value)
    low, high = bounds_of(value)
    if low < 0:
        value = _where(trace, operate(trace, "<", value, Constant(0)), Constant(0), value)
    if high > least:
        known = _difference(trace, as_value(size), value)
        if known is None or known < 0:
            value = _where(trace, operate(trace, ">", value, as_value(size)), as_value(size), value)
    if isinstance(value, HostNumber):
        low, high = bounds_of(value)
        value.bounds = max(low, 0), min(high, most)
    return value


def _difference(trace: Trace, one: Value, other: Value) -> int | None:
    return difference(trace, number_node(trace, one), number_node(trace, other))


def _where(trace: Trace, test: Value, value: Value, otherwise: Value) -> Value:
    if isinstance(test, Constant):
        return value if test.value else otherwise
    return chosen(trace, condition(trace, test), value, otherwise)


def length_of(trace: Trace, start: Value, stop: Value, step: int) -> Size:
    """How many elements a slice with clipped bounds has."""
    if isinstance(start, Constant) and isinstance(stop, Constant):
        span = whole(stop) - whole(start)
        return (span - 1) // step + 1 if span > 0 else 0
    if step != 1:
        raise refused("a slice with a step and bounds that change")
    if isinstance(start, Constant) and whole(start) == 0:
        assert isinstance(stop, HostNumber)
        return stop
    known = _difference(trace, stop, start)
    if known is not None:
        return max(known, 0)
    made = operate(trace, "-", stop, start)
    low, high = bounds_of(made)
    if low < 0:
        made = _where(trace, operate(trace, "<", made, Constant(0)), Constant(0), made)
    assert isinstance(made, HostNumber)
    made.bounds = max(low, 0), max(high, 0)
    return made
