"""A region's arrays turned round: `np.flip` and its like, `np.transpose` and its like, `np.roll`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.sizes import is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import RAISES
from ...tracing.nodes import constant_node
from ...tracing.rules import asked
from ...tracing.speculation import unsupported_in_region
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import Sequence, TupleValue
from ...values.numbers.symbolic_int import whole
from ..numbers.arithmetic import number_node, operate
from .indices import index_value, known_index
from .inner_loops import made
from .sizes import as_value, node_of
from .views import ArrayExpression, Index, RegionArray, RegionView, array_with_axes

if TYPE_CHECKING:
    from ...tracing.trace import Trace

_BACKWARDS = SliceValue(NONE, NONE, Constant(-1))
_WHOLE = SliceValue(NONE, NONE, NONE)


# Views.
def flip(trace: Trace, m: Value, axis: Value = NONE) -> Value:
    """`np.flip(m, axis)`."""
    array = array_with_axes(trace, m)
    rank, given = len(array.shape), axis.constant(trace)
    axes = range(rank) if given is None else asked(np.lib.array_utils.normalize_axis_tuple, given, rank)
    return _flipped(trace, array, tuple(axes))


def flipud(trace: Trace, m: Value) -> Value:
    """`np.flipud(m)`."""
    return _flipped(trace, array_with_axes(trace, m), (0,))


def fliplr(trace: Trace, m: Value) -> Value:
    """`np.fliplr(m)`."""
    array = array_with_axes(trace, m)
    if len(array.shape) < 2:
        raise RAISES.stop(error="ValueError: Input must be >= 2-d.")
    return _flipped(trace, array, (1,))


def _flipped(trace: Trace, array: RegionArray, axes: tuple[int, ...]) -> RegionView:
    parts = [_BACKWARDS if axis in axes else _WHOLE for axis in range(len(array.shape))]
    return _in_memory(trace, array).part(trace, TupleValue([*parts]))


def transpose(trace: Trace, a: Value, axes: Value = NONE) -> Value:
    """`np.transpose(a, axes)`."""
    array = array_with_axes(trace, a)
    rank, given = len(array.shape), axes.constant(trace)
    order = range(rank)[::-1] if given is None else asked(np.lib.array_utils.normalize_axis_tuple, given, rank)
    if len(order) != rank:
        raise RAISES.stop(error="ValueError: axes don't match array")
    return _permuted(trace, array, tuple(order))


def swapaxes(trace: Trace, a: Value, axis1: Value, axis2: Value) -> Value:
    """`np.swapaxes(a, axis1, axis2)`."""
    array = array_with_axes(trace, a)
    order = list(range(len(array.shape)))
    one, two = (
        int(asked(np.lib.array_utils.normalize_axis_index, each.constant(trace), len(order))) for each in (axis1, axis2)
    )
    order[one], order[two] = order[two], order[one]
    return _permuted(trace, array, tuple(order))


def _permuted(trace: Trace, array: RegionArray, order: tuple[int, ...]) -> RegionView:
    view = _in_memory(trace, array)
    dims = tuple(view.dims[axis] for axis in order)
    return RegionView(view.storage, view.base, dims, writeable=view.writeable, half=view.half)


def _in_memory(trace: Trace, array: RegionArray) -> RegionView:
    """The memory that an array shows, or that an expression is kept in from now on."""
    if isinstance(array, ArrayExpression):
        return array.materialize(trace)
    assert isinstance(array, RegionView)
    return array


# New arrays.
def roll(trace: Trace, a: Value, shift: Value, axis: Value = NONE) -> Value:
    """`np.roll` along axes, or of a vector, by numbers that may change."""
    array = array_with_axes(trace, a)
    rank, along = len(array.shape), axis.constant(trace)
    if along is None and rank != 1:
        raise unsupported_in_region("np.roll of all elements of an array of several axes")
    axes = (0,) if along is None else asked(np.lib.array_utils.normalize_axis_tuple, along, rank, None, True)
    shifts = list(shift.items) if isinstance(shift, Sequence) else [shift] * len(axes)
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise unsupported_in_region("np.roll of one axis by several numbers")
    for by, place in zip(shifts, axes, strict=True):
        array = _rolled(trace, array, index_value(trace, by), place)
    return array


def _rolled(trace: Trace, array: RegionArray, by: Value, place: int) -> RegionArray:
    size = array.shape[place]
    if is_whole(size) and not size:
        return array
    if isinstance(by, Constant) and is_whole(size):
        return _rolled_by_known(trace, array, int(whole(by)), place, int(size))
    region = trace.region
    assert region is not None
    moves = operate(trace, "%", by, as_value(size))  # the region is left where the size is zero
    first, length = region.let_of(number_node(trace, moves)), region.let_of(node_of(trace, size))

    def compute(index: Index) -> Node:
        moved = trace.add(p.SUBTRACT, region.let_of(index[place]), first)
        return array.at(trace, _wrapped(trace, index, place, moved, length))

    return made(trace, ArrayExpression(array.shape, array.dtype, compute, array.reads()))


def _wrapped(trace: Trace, index: Index, place: int, moved: Node, size: Node) -> Index:
    """The index with `moved` in one place, or what is `size` above it where it is negative."""
    below = trace.add(p.LESS, moved, constant_node(trace, 0, (), dtypes.int64))
    return [
        trace.add(p.WHERE, below, trace.add(p.ADD, moved, size), moved) if axis == place else each
        for axis, each in enumerate(index)
    ]


def _rolled_by_known(trace: Trace, array: RegionArray, by: int, place: int, size: int) -> RegionArray:
    """The array rolled by a known number along an axis of known size: where an expression is cut is known."""
    region = trace.region
    assert region is not None
    moves = by % size
    first = constant_node(trace, moves, (), dtypes.int64)
    inner: frozenset[int] = array.cuts if isinstance(array, ArrayExpression) else frozenset()
    cuts = inner if place < len(array.shape) - 1 else frozenset({moves, *((cut + moves) % size for cut in inner)})

    def compute(index: Index) -> Node:
        low, high = region.reach.get(index[place], (0, size - 1))
        index = [*index]
        if low >= moves or high < moves:
            ahead = -moves if low >= moves else size - moves
            offset = known_index(trace, region, abs(ahead))
            moved = trace.add(p.ADD if ahead >= 0 else p.SUBTRACT, region.let_of(index[place]), offset)
            region.reach[moved] = low + ahead, high + ahead
            index[place] = moved
            return array.at(trace, index)
        moved = trace.add(p.SUBTRACT, region.let_of(index[place]), first)
        return array.at(trace, _wrapped(trace, index, place, moved, known_index(trace, region, size)))

    return made(trace, ArrayExpression(array.shape, array.dtype, compute, array.reads(), cuts))
