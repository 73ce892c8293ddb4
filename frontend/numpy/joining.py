"""Joining and repeating: concatenate, stack, append, tile, repeat, roll, diff."""

from __future__ import annotations

import operator
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.sizes import Size
from ...graph.node import Node
from ...ops.indexing import CAT
from ...ops.movement import SLICE
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing.nodes import cast
from ..tracing.rules import asked, traces
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.view_steps import Ints, expand, reshape
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.containers.sequences import ListValue, Sequence
from ..values.numbers.symbolic_int import size_of, whole_of
from .memory_order import copied_order, strides_in_order
from .shaping import ONE, ZERO, array_operand, at_least, expand_dims, owned, permuted, ravel, reshaped, sliced
from .ufuncs import call_ufunc, supported

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def _parts(trace: Trace, arrays: Value) -> list[ArrayValue]:
    if isinstance(arrays, ArrayValue) and arrays.shape:
        return [owned(trace, array_operand(trace, each)) for each in arrays.elements(trace)]
    if not isinstance(arrays, Sequence):
        raise arrays.unsupported("joining")
    return [owned(trace, array_operand(trace, each)) for each in arrays.items]


@traces(np.concatenate)
def concatenate(trace: Trace, arrays: Value, axis: Value = ZERO) -> Value:
    parts = _parts(trace, arrays)
    given = axis.constant(trace)
    if not parts:
        raise RAISES.stop(error="ValueError: need at least one array to concatenate")
    if given is None:
        parts, given = [_flat(trace, part) for part in parts], 0
    if any(len(part.shape) != len(parts[0].shape) or not part.shape for part in parts):
        raise RAISES.stop(error="ValueError: arrays to concatenate differ in dimensions, or have none")
    along = int(asked(np.lib.array_utils.normalize_axis_index, given, len(parts[0].shape)))
    outer = [part.shape[:along] + part.shape[along + 1 :] for part in parts]
    if any(each != outer[0] for each in outer):
        raise RAISES.stop(
            error="ValueError: all the input array dimensions except for the concatenation axis must match"
        )
    wanted = supported(np.result_type(*(part.fake.dtype for part in parts)))
    node = trace.add(CAT, *(cast(trace, part.read(trace), wanted) for part in parts), axis=along)
    return result(trace, node, _joined_order(node.shape, parts))


def _flat(trace: Trace, part: ArrayValue) -> ArrayValue:
    flat = ravel(trace, part)
    assert isinstance(flat, ArrayValue)
    return flat


def _joined_order(shape: Ints, parts: list[ArrayValue]) -> Ints:
    """Strides of a concatenation. Source: PyArray_CreateMultiSortedStridePerm in NumPy's multiarray/shape.c."""
    order = list(range(len(shape)))
    for first in range(1, len(order)):
        axis, place = order[first], first
        for second in range(first - 1, -1, -1):
            verdict = None
            for part in parts:
                one, two = abs(part.fake.strides[order[second]]), abs(part.fake.strides[axis])
                if part.shape[order[second]] != 1 and part.shape[axis] != 1:
                    verdict = (verdict is None or verdict) and one < two
            if verdict is None:
                continue
            if not verdict:
                break
            place = second
        order.insert(place, order.pop(first))
    return strides_in_order(shape, order[::-1])


@traces(np.stack)
def stack(trace: Trace, arrays: Value, axis: Value = ZERO) -> Value:
    parts = _parts(trace, arrays)
    if not parts or any(part.shape != parts[0].shape for part in parts):
        raise RAISES.stop(error="ValueError: all input arrays must have the same shape")
    return concatenate(trace, ListValue([expand_dims(trace, part, axis) for part in parts]), axis)


@traces(np.vstack)
def vstack(trace: Trace, tup: Value) -> Value:
    return concatenate(trace, ListValue([at_least(trace, part, 2) for part in _parts(trace, tup)]))


@traces(np.hstack)
def hstack(trace: Trace, tup: Value) -> Value:
    parts = [at_least(trace, part, 1) for part in _parts(trace, tup)]
    if not parts:
        raise RAISES.stop(error="ValueError: need at least one array to concatenate")
    return concatenate(trace, ListValue(list(parts)), Constant(0 if len(parts[0].shape) == 1 else 1))


@traces(np.dstack)
def dstack(trace: Trace, tup: Value) -> Value:
    return concatenate(trace, ListValue([at_least(trace, part, 3) for part in _parts(trace, tup)]), Constant(2))


@traces(np.column_stack)
def column_stack(trace: Trace, tup: Value) -> Value:
    columns: list[Value] = []
    for part in _parts(trace, tup):
        columns.append(part if len(part.shape) > 1 else permuted(at_least(trace, part, 2), (1, 0)))
    return concatenate(trace, ListValue(columns), ONE)


@traces(np.append)
def append(trace: Trace, arr: Value, values: Value, axis: Value = NONE) -> Value:
    parts = [owned(trace, array_operand(trace, each)) for each in (arr, values)]
    if axis.constant(trace) is None:
        return concatenate(trace, ListValue([_flat(trace, part) for part in parts]), ZERO)
    return concatenate(trace, ListValue(list(parts)), axis)


@traces(np.repeat)
def repeat(trace: Trace, a: Value, repeats: Value, axis: Value = NONE) -> Value:
    array, given = array_operand(trace, a), axis.constant(trace)
    if repeats.python_type is not int:
        raise NUMPY_ARGUMENT.stop(name="np.repeat", argument="several counts")
    times = whole_of(trace, repeats)
    if times < 0:
        raise RAISES.stop(error="ValueError: repeats may not contain negative values.")
    node = array.read(trace)
    if given is None or not array.shape:
        if given not in (None, 0, -1):
            raise NUMPY_ARGUMENT.stop(name="np.repeat", argument="an axis of an array without dimensions")
        node, given = reshape(trace, node, (array.type.size,)), 0
    along = int(asked(np.lib.array_utils.normalize_axis_index, given, len(node.shape)))
    return result(trace, _repeated(trace, node, along, times))


def _repeated(trace: Trace, node: Node, axis: int, times: int) -> Node:
    before, size, after = node.shape[:axis], node.shape[axis], node.shape[axis + 1 :]
    wide = reshape(trace, node, (*before, size, 1, *after))
    return reshape(trace, expand(trace, wide, (*before, size, times, *after)), (*before, size * times, *after))


@traces(np.tile)
def tile(trace: Trace, A: Value, reps: Value) -> Value:  # noqa: N803
    array, given = owned(trace, array_operand(trace, A)), size_of(trace, reps)
    listed = given if isinstance(given, (tuple, list)) else (given,)
    times: Any = tuple(each if isinstance(each, Size) else asked(operator.index, each) for each in listed)
    rank = max(len(times), len(array.shape))
    shape, times = (1,) * (rank - len(array.shape)) + array.shape, (1,) * (rank - len(times)) + times
    if min(times, default=1) < 1 or array.type.size == 0 or all(each == 1 for each in times):
        raise NUMPY_ARGUMENT.stop(name="np.tile", argument="nothing to repeat")
    wide = tuple(size for pair in zip((1,) * rank, shape, strict=True) for size in pair)
    node = reshape(trace, array.read(trace), wide)
    node = expand(trace, node, tuple(size for pair in zip(times, shape, strict=True) for size in pair))
    sizes = tuple(size * count for size, count in zip(shape, times, strict=True))
    # NumPy repeats in two dimensions and gives a view of that.
    return reshaped(trace, result(trace, reshape(trace, node, (1, prod(sizes)))), sizes)


@traces(np.roll)
def roll(trace: Trace, a: Value, shift: Value, axis: Value = NONE) -> Value:
    array, given, moves = owned(trace, array_operand(trace, a)), axis.constant(trace), size_of(trace, shift)
    node = array.read(trace)
    if given is None:
        flat = _rolled(trace, reshape(trace, node, (array.type.size,)), 0, whole_of(trace, shift))
        return reshaped(trace, result(trace, flat), array.shape)
    if type(given) is int and isinstance(moves, Size):
        along = int(asked(np.lib.array_utils.normalize_axis_index, given, len(array.shape)))
        return result(trace, _rolled(trace, node, along, moves), copied_order(array.shape, array.fake))
    pairs = np.broadcast(moves, given)
    if pairs.ndim > 1:
        raise RAISES.stop(error="ValueError: 'shift' and 'axis' should be scalars or 1D sequences")
    for step, along in pairs:
        node = _rolled(
            trace, node, int(asked(np.lib.array_utils.normalize_axis_index, int(along), len(array.shape))), int(step)
        )
    return result(trace, node, copied_order(array.shape, array.fake))


def _rolled(trace: Trace, node: Node, axis: int, shift: Any) -> Node:
    size = node.shape[axis]
    shift = shift % size if size else 0
    if not shift:
        return node
    return trace.add(
        CAT, _part(trace, node, axis, size - shift, shift), _part(trace, node, axis, 0, size - shift), axis=axis
    )


def _part(trace: Trace, node: Node, axis: int, start: int, count: int) -> Node:
    rank = len(node.shape)
    starts: Ints = tuple(start if k == axis else 0 for k in range(rank))
    sizes: Ints = tuple(count if k == axis else size for k, size in enumerate(node.shape))
    return trace.add(SLICE, node, starts=starts, sizes=sizes, steps=(1,) * rank)


@traces(np.diff)
def diff(trace: Trace, a: Value, n: Value = ONE, axis: Value = Constant(-1)) -> Value:  # noqa: B008
    times = asked(operator.index, n.constant(trace))
    if times == 0:
        return a
    array = array_operand(trace, a)
    if times < 0 or not array.shape:
        raise RAISES.stop(error="ValueError: np.diff takes a non-negative order and at least one dimension")
    along = int(asked(np.lib.array_utils.normalize_axis_index, axis.constant(trace), len(array.shape)))
    for _ in range(times):
        minus = np.not_equal if array.dtype.is_bool else np.subtract
        found = call_ufunc(trace, minus, [sliced(trace, array, along, 1, None), sliced(trace, array, along, None, -1)])
        assert isinstance(found, ArrayValue)
        array = found
    return array
