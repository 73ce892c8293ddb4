"""Methods of ufuncs over a region's arrays: `np.add.outer`, `np.add.reduce`, `np.add.accumulate`; and `np.cumsum`."""

# Note [Accumulated elements]
# An element of `np.add.accumulate` is what the ufunc makes of the element before it and the array's, one after the
# other along the axis, rounded each time. So it is a loop in order, over numbers to which the rules for NumPy's numbers
# apply, whatever the ufunc. The array is read before it is written, since the result has memory of its own.

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.sizes import is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...tracing.nodes import cast, constant_node
from ...tracing.rules import Rule, asked
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.constant import NONE, Constant, is_none
from ..numbers.arithmetic import operate
from .elementwise import elementwise, supported
from .inner_loops import made, room_for
from .loop_carried import require_row_major
from .ordered_statements import counted, in_order, only_if
from .reductions import reduction_rule
from .sizes import Size, as_size, node_of
from .slices import Dim
from .views import ArrayExpression, Index, RegionArray, RegionView, array_with_axes, as_array, in_memory

if TYPE_CHECKING:
    from ...tracing.trace import Trace

ZERO = Constant(0)


def rule_of_method(ufunc: np.ufunc, name: str) -> Rule | None:
    """The rule of a method of a ufunc over arrays of the region; None where there is none."""
    if name == "outer" and ufunc.nin == 2 and ufunc.nout == 1:
        return partial(_swapped_in, outer, ufunc)
    if name == "accumulate" and ufunc in ACCUMULATED:
        return partial(_swapped_in, accumulate, ufunc)
    return partial(_swapped_in, _reduce, ufunc) if name == "reduce" and ufunc in _REDUCTIONS else None


def _swapped_in(rule: Rule, ufunc: np.ufunc, trace: Trace, /, *args: Value, **kwargs: Value) -> Value:
    return rule(trace, ufunc, *args, **kwargs)


def outer(trace: Trace, ufunc: np.ufunc, a: Value, b: Value) -> Value:
    """`ufunc.outer(a, b)`: of each element of one and each of the other."""
    one, other = as_array(trace, a), as_array(trace, b)
    if one is None or other is None:
        raise unsupported_in_region("the outer method of a ufunc and a number, which it makes an array of first")
    view = one.materialize(trace) if isinstance(one, ArrayExpression) else one
    assert isinstance(view, RegionView)
    more = tuple(Dim(-1, 1, 1) for _ in other.shape)
    tall = RegionView(view.storage, view.base, (*view.dims, *more), writeable=False, half=view.half)
    return elementwise(trace, ufunc, [tall, other.materialize(trace) if isinstance(other, ArrayExpression) else other])


def outer_product(trace: Trace, a: Value, b: Value) -> Value:
    """`np.outer` of vectors."""
    one, other = as_array(trace, a), as_array(trace, b)
    if one is None or other is None or len(one.shape) != 1 or len(other.shape) != 1:
        raise unsupported_in_region("np.outer of other things than vectors")
    return outer(trace, np.multiply, one, other)


_REDUCTIONS: dict[np.ufunc, Rule] = {
    np.add: reduction_rule("sum", np.add),
    np.multiply: reduction_rule("prod", np.multiply),
    np.maximum: reduction_rule("max", None),
    np.minimum: reduction_rule("min", None),
    np.logical_or: reduction_rule("any", None),
    np.logical_and: reduction_rule("all", None),
}
"""The reductions that are the same for arrays of any dtype as those of an array's methods."""


def _reduce(trace: Trace, ufunc: np.ufunc, array: Value, axis: Value = ZERO) -> Value:
    """`ufunc.reduce(array, axis)`, along the first axis if none is given."""
    return _REDUCTIONS[ufunc](trace, array, axis)


ACCUMULATED = frozenset({np.add, np.multiply, np.subtract, np.maximum, np.minimum})
"""The ufuncs whose elements are accumulated by the rule for their numbers."""


def accumulate(trace: Trace, ufunc: np.ufunc, array: Value, axis: Value = ZERO) -> Value:
    """`ufunc.accumulate(array, axis)`. See Note [Accumulated elements]."""
    source = array_with_axes(trace, array)
    place = int(asked(np.lib.array_utils.normalize_axis_index, axis.constant(trace), len(source.shape)))
    dtype = supported(asked(ufunc.accumulate, np.ones((1,), source.dtype.numpy)).dtype)
    if dtype.is_complex or dtype.is_narrow or isinstance(source, RegionView) and source.half:
        raise unsupported_in_region("accumulated numbers of such a dtype")
    require_row_major(source)
    target = room_for(trace, source.shape, dtype)
    with _some(trace, source.shape[place]) as some:
        if some:
            with in_order(trace, (*source.shape[:place], *source.shape[place + 1 :])) as others:
                _accumulate_row(trace, ufunc, source, target, (place, others))
    return made(trace, in_memory(trace, target))


@contextmanager
def _some(trace: Trace, size: Size) -> Iterator[bool]:
    """A context in which statements are written that run where there are elements; it gives whether there may be."""
    if is_whole(size):
        yield bool(size)
        return
    with only_if(trace, trace.add(p.LESS, constant_node(trace, 0, (), dtypes.int64), node_of(trace, size))):
        yield True


def _accumulate_row(
    trace: Trace, ufunc: np.ufunc, source: RegionArray, target: RegionView, row: tuple[int, Index]
) -> None:
    """Writes the elements along an axis. row: the axis, and the index along the others."""
    region, dtype, (place, others) = trace.region, target.dtype, row
    assert region is not None

    def element(index: Index) -> Node:
        return region.let_of(cast(trace, source.at(trace, index), dtype))

    def store(index: Index, value: Node) -> None:
        region.store(target.storage, target.place(trace, index), value)

    start = [*others[:place], constant_node(trace, 0, (), dtypes.int64), *others[place:]]
    first = element(start)
    so_far = region.variable(dtype, first)
    store(start, first)
    size = source.shape[place]
    others_left = size - 1 if is_whole(size) else as_size(operate(trace, "-", size, Constant(1)))
    with counted(trace, others_left) as at:
        after = trace.add(p.ADD, at, constant_node(trace, 1, (), dtypes.int64))
        index = [*others[:place], after, *others[place:]]
        before = result(trace, region.now(so_far, dtype))
        both = protocols.call_ufunc(trace, ufunc, [before, result(trace, element(index))])
        assert isinstance(both, ArrayValue)
        value = region.let_of(cast(trace, both.read(trace), dtype))
        region.assign(so_far, dtype, value)
        store(index, value)


def cumulative(ufunc: np.ufunc) -> Rule:
    """The rule of `np.cumsum` or `np.cumprod`, which accumulate by this ufunc."""

    def rule(trace: Trace, a: Value, axis: Value = NONE) -> Value:
        array = array_with_axes(trace, a)
        if is_none(axis) and len(array.shape) != 1:
            raise unsupported_in_region("the accumulated elements of an array of several axes")
        return accumulate(trace, ufunc, array, ZERO if is_none(axis) else axis)

    return rule
