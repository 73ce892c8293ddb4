"""Sizes of arrays in a region: ints that are known, and numbers of the region of which some relations are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.sizes import is_small, is_symbolic, is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_SIZE
from ...tracing.nodes import constant_node
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import INT64, ComputedNumber
from ...values.numbers.symbolic_int import number, whole
from ..numbers.arithmetic import bounds_of, condition, number_node, operate
from ..numbers.functions import chosen
from .indices import index_value

if TYPE_CHECKING:
    from ....loop_ir.ir import Amount
    from ...tracing.trace import Trace

Size = int | ComputedNumber


def difference(trace: Trace, one: Node, other: Node) -> int | None:
    """`one - other` where it is the same number whatever the values are; else None."""
    assert trace.region is not None
    (terms, constant), (others, more) = trace.region.sum_of(one), trace.region.sum_of(other)
    return constant - more if terms == others else None


def as_value(size: Size) -> Value:
    """A size as a Python int of the program."""
    return number(size) if is_whole(size) else size


def as_size(value: Value) -> Size:
    """A Python int of the program as a size."""
    if isinstance(value, Constant):
        known = whole(value)
        return known if is_symbolic((known,)) else int(known)
    assert isinstance(value, ComputedNumber)
    return value


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
        raise LOOP_SIZE.stop(what="arrays of different sizes")
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


def clipped(trace: Trace, value: Value, size: Size, shift: Value = Constant(0)) -> Value:  # noqa: B008
    """A slice's bound as NumPy takes it: counted from the end if negative, at least 0, at most `size`.

    `shift` is added to both limits: -1 for slices that go backwards.
    """
    value = index_value(trace, value)
    if isinstance(value, Constant) and is_whole(size) and isinstance(shift, Constant):
        known, least = whole(value), whole(shift)
        return number(min(max(known + size if known < 0 else known, least), size + least))
    low, high = bounds_of(value)
    lowest, (least, most) = bounds_of(shift)[0], bounds_of(as_value(size))
    if high < 0:
        value = operate(trace, "+", value, as_value(size))
    elif low < 0:
        wrapped = operate(trace, "+", value, as_value(size))
        value = either(trace, operate(trace, "<", value, Constant(0)), wrapped, value)
    low, high = bounds_of(value)
    if low < 0:
        value = either(trace, operate(trace, "<", value, shift), shift, value)
    if high > least + lowest:
        limit = _sum(trace, as_value(size), shift)
        known = _difference(trace, limit, value)
        if known is None or known < 0:
            value = either(trace, operate(trace, ">", value, limit), limit, value)
    if isinstance(value, ComputedNumber):
        low, high = bounds_of(value)
        value.bounds = max(low, lowest), min(high, most)
    return value


def _sum(trace: Trace, one: Value, other: Value) -> Value:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return number(whole(one) + whole(other))
    return one if isinstance(other, Constant) and whole(other) == 0 else operate(trace, "+", one, other)


def _difference(trace: Trace, one: Value, other: Value) -> int | None:
    return difference(trace, number_node(trace, one), number_node(trace, other))


def either(trace: Trace, test: Value, value: Value, otherwise: Value) -> Value:
    """`value if test else otherwise`."""
    if isinstance(test, Constant):
        return value if test.value else otherwise
    return chosen(trace, condition(trace, test), value, otherwise)


def at_least_zero(trace: Trace, value: Value, most: int) -> ComputedNumber:
    """A difference of places as a size; `most`: what it surely does not exceed."""
    low, _ = bounds_of(value)
    if low < 0:
        value = either(trace, operate(trace, "<", value, Constant(0)), Constant(0), value)
    assert isinstance(value, ComputedNumber)
    low, high = bounds_of(value)
    value.bounds = max(low, 0), min(max(high, 0), most)
    return value


def length_of(trace: Trace, start: Value, stop: Value) -> Size:
    """The number of elements that a slice with clipped bounds and a step of 1 has."""
    if isinstance(start, Constant) and isinstance(stop, Constant):
        return max(whole(stop) - whole(start), 0)
    if isinstance(start, Constant) and whole(start) == 0:
        return as_size(stop)
    known = _difference(trace, stop, start)
    if known is not None:
        return max(known, 0)
    return at_least_zero(trace, operate(trace, "-", stop, start), INT64[1])


def is_one(step: Size) -> bool:
    """Whether a step is known to be one."""
    return is_whole(step) and step == 1


def factor_node(trace: Trace, step: Size) -> Node:
    """A step as a node."""
    return constant_node(trace, step, (), dtypes.int64) if is_whole(step) else number_node(trace, step)


def moved_index(trace: Trace, base: Node, start: Node, step: Size) -> Node:
    """The index `base + start * step`."""
    region = trace.region
    assert region is not None
    if start.op.name == "full" and start.kwargs["value"] == 0:
        return base
    if not is_one(step):
        start = trace.add(p.MULTIPLY, region.let_of(start), factor_node(trace, step))
    if base.op.name == "full" and base.kwargs["value"] == 0:
        return start
    made = trace.add(p.ADD, region.let_of(base), start)
    region.note_sum(made, base, start)
    return made
