"""Views and rearrangements: reshape, transpose, squeeze, concatenate, stack, pad, clip, broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...ops.indexing import CAT, PAD
from ...ops.pointwise import RINT
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..callables import traces
from ..values.array import ArrayValue, Broadcast, Ints, Region, Reshaped, expand, reshape, result
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers import Sequence
from .creation import C, NONE, array_of, shape_of
from .indexing import get_item
from .layout import kept_order, strides_in_order
from .ufuncs import as_operand, call_ufunc, cast, promotion_type, supported

if TYPE_CHECKING:
    from ..trace import Trace

ZERO = Constant(0)
MINUS_ONE = Constant(-1)


def array_operand(trace: Trace, value: Value) -> ArrayValue:
    """An argument that has to be an array."""
    operand = as_operand(trace, value)
    if not isinstance(operand, ArrayValue):
        raise value.unsupported("an array function")
    return operand


def reshaped(trace: Trace, array: ArrayValue, shape: Ints | int) -> ArrayValue:
    """`array.reshape(shape)`: a view where NumPy makes one, else a copy."""
    if array.generic:
        array = result(trace, array.read(trace))
    try:
        twin = np.reshape(array.twin, shape, copy=False)
        twin = twin.view()
    except ValueError:
        # Either the elements cannot be seen in that shape without a copy, or they do not fit at all.
        sizes = _resolved(array, shape)
        copy = result(trace, reshape(trace, array.read(trace), sizes))
        return copy.view(Region.whole(sizes), copy.twin.view())
    return array.view(Reshaped(array.shape, twin.shape), twin)


def _resolved(array: ArrayValue, shape: Ints | int) -> Ints:
    stand_in = np.lib.stride_tricks.as_strided(np.zeros((), np.uint8), array.shape, (0,) * len(array.shape))
    if stand_in.size != int(np.prod(np.abs(shape))) and -1 not in np.atleast_1d(shape):
        raise RAISES.stop(error=f"ValueError: cannot reshape array of size {stand_in.size} into shape {shape}")
    sizes = list(shape) if isinstance(shape, tuple) else [shape]
    if -1 in sizes:
        known = int(np.prod([size for size in sizes if size != -1]))
        if sizes.count(-1) > 1 or known == 0 or stand_in.size % known:
            raise RAISES.stop(error="ValueError: cannot reshape array")
        sizes[sizes.index(-1)] = stand_in.size // known
    return tuple(sizes)


@traces(np.reshape)
def np_reshape(trace: Trace, a: Value, shape: Value, order: Value = C) -> Value:
    if order.constant(trace) != "C":
        raise NUMPY_ARGUMENT.stop(name="np.reshape", argument=f"order={order.constant(trace)!r}")
    given = shape.constant(trace)
    return reshaped(trace, array_operand(trace, a), tuple(given) if isinstance(given, (tuple, list)) else given)


@traces(np.ravel)
def ravel(trace: Trace, a: Value, order: Value = C) -> Value:
    array = array_operand(trace, a)
    if order.constant(trace) != "C":
        raise NUMPY_ARGUMENT.stop(name="np.ravel", argument=f"order={order.constant(trace)!r}")
    if array.twin.flags.c_contiguous:
        return reshaped(trace, array, (-1,))
    return result(trace, reshape(trace, array.read(trace), (array.type.size,)))


def permuted(trace: Trace, array: ArrayValue, axes: Ints) -> ArrayValue:
    """The transposed view."""
    region = array.region()
    twin = array.twin.transpose(axes)
    return array.subview(Region(region.starts, region.sizes, region.steps, tuple(region.dims[axis] for axis in axes)), twin)


@traces(np.transpose)
def transpose(trace: Trace, a: Value, axes: Value = NONE) -> Value:
    array = array_operand(trace, a)
    given = axes.constant(trace)
    rank = len(array.shape)
    order = tuple(range(rank))[::-1] if given is None else np.lib.array_utils.normalize_axis_tuple(given, rank)
    if len(order) != rank:
        raise ValueError("axes don't match array")
    return array if array.generic else permuted(trace, array, order)


@traces(np.swapaxes)
def swapaxes(trace: Trace, a: Value, axis1: Value, axis2: Value) -> Value:
    array = array_operand(trace, a)
    order = list(range(len(array.shape)))
    one, two = (int(np.lib.array_utils.normalize_axis_index(each.constant(trace), len(order))) for each in (axis1, axis2))
    order[one], order[two] = order[two], order[one]
    return permuted(trace, array, tuple(order))


@traces(np.moveaxis)
def moveaxis(trace: Trace, a: Value, source: Value, destination: Value) -> Value:
    array = array_operand(trace, a)
    names = np.lib.stride_tricks.as_strided(np.zeros((), np.uint8), array.shape, tuple(range(1, len(array.shape) + 1)))
    moved = np.moveaxis(names, source.constant(trace), destination.constant(trace))
    return permuted(trace, array, tuple(step - 1 for step in moved.strides))


@traces(np.squeeze)
def squeeze(trace: Trace, a: Value, axis: Value = NONE) -> Value:
    array = array_operand(trace, a)
    twin = np.squeeze(array.twin, axis.constant(trace))
    return array if array.generic else array.view(Reshaped(array.shape, twin.shape), twin)


@traces(np.expand_dims)
def expand_dims(trace: Trace, a: Value, axis: Value) -> Value:
    array = array_operand(trace, a)
    if array.generic:
        array = result(trace, array.read(trace))
    twin = np.expand_dims(array.twin, axis.constant(trace))
    return array.view(Reshaped(array.shape, twin.shape), twin)


@traces(np.flip)
def flip(trace: Trace, m: Value, axis: Value = NONE) -> Value:
    from ..values.containers import SliceValue, TupleValue
    from .reductions import axes_of

    array = array_operand(trace, m)
    axes = axes_of(trace, axis, len(array.shape))
    backwards, whole = (SliceValue(NONE, NONE, step) for step in (MINUS_ONE, NONE))
    return get_item(trace, array, TupleValue([backwards if k in axes else whole for k in range(len(array.shape))]))


@traces(np.broadcast_to)
def broadcast_to(trace: Trace, array: Value, shape: Value) -> Value:
    source = array_operand(trace, array)
    if source.generic:
        source = result(trace, source.read(trace))
    twin = np.broadcast_to(source.twin, shape_of(trace, shape))
    return source.view(Broadcast(twin.shape), twin)


def _parts(trace: Trace, arrays: Value) -> list[ArrayValue]:
    if not isinstance(arrays, Sequence):
        raise arrays.unsupported("joining")
    return [array_operand(trace, each) for each in arrays.items]


@traces(np.concatenate)
def concatenate(trace: Trace, arrays: Value, axis: Value = ZERO) -> Value:
    parts = _parts(trace, arrays)
    given = axis.constant(trace)
    if not parts or not parts[0].shape:
        raise RAISES.stop(error="ValueError: need at least one array to concatenate")
    if given is None:
        raise NUMPY_ARGUMENT.stop(name="np.concatenate", argument="axis=None")
    along = int(np.lib.array_utils.normalize_axis_index(given, len(parts[0].shape)))
    wanted = supported(np.result_type(*(part.twin.dtype for part in parts)))
    node = trace.add(CAT, *(cast(trace, part.read(trace), wanted) for part in parts), axis=along)
    return result(trace, node, _joined_order(node.shape, [part for part in parts]))


def _joined_order(shape: Ints, parts: list[ArrayValue]) -> Ints:
    """Strides of a concatenation. Source: PyArray_CreateMultiSortedStridePerm in NumPy's multiarray/shape.c."""
    order = list(range(len(shape)))
    for first in range(1, len(order)):
        axis, place = order[first], first
        for second in range(first - 1, -1, -1):
            verdict = None
            for part in parts:
                one, two = abs(part.twin.strides[order[second]]), abs(part.twin.strides[axis])
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
    if not parts or len({part.shape for part in parts}) != 1:
        raise RAISES.stop(error="ValueError: all input arrays must have the same shape")
    from ..values.containers import ListValue

    return concatenate(trace, ListValue([expand_dims(trace, part, axis) for part in parts]), axis)


@traces(np.vstack)
def vstack(trace: Trace, tup: Value) -> Value:
    from ..values.containers import ListValue

    rows = [part if len(part.shape) > 1 else reshaped(trace, part, (1, part.type.size)) for part in _parts(trace, tup)]
    return concatenate(trace, ListValue(list(rows)))


@traces(np.hstack)
def hstack(trace: Trace, tup: Value) -> Value:
    from ..values.containers import ListValue

    parts = [part if part.shape else reshaped(trace, part, (1,)) for part in _parts(trace, tup)]
    return concatenate(trace, ListValue(list(parts)), Constant(0 if len(parts[0].shape) == 1 else 1))


@traces(np.pad)
def pad(trace: Trace, array: Value, pad_width: Value, mode: Value = Constant("constant"), *, constant_values: Value = ZERO) -> Value:  # noqa: B008
    source = array_operand(trace, array)
    value = constant_values.constant(trace)
    if mode.constant(trace) != "constant" or type(value) not in (int, float, bool):
        raise NUMPY_ARGUMENT.stop(name="np.pad", argument="a mode or value other than one constant")
    widths = np.broadcast_to(np.asarray(pad_width.constant(trace)), (len(source.shape), 2)).tolist()
    if np.min(widths, initial=0) < 0:
        raise ValueError("index can't contain negative values")
    fill = source.twin.dtype.type(value).item()
    before, after = (tuple(int(pair[k]) for pair in widths) for k in (0, 1))
    node = trace.add(PAD, source.read(trace), before=before, after=after, value=fill)
    order = "F" if source.twin.flags.fnc else "C"
    rank = len(node.shape)
    return result(trace, node, strides_in_order(node.shape, range(rank) if order == "F" else range(rank - 1, -1, -1)))


@traces(np.clip)
def clip(trace: Trace, a: Value, a_min: Value = NONE, a_max: Value = NONE, out: Value = NONE) -> Value:
    array, low, high = as_operand(trace, a), a_min.is_constant() and a_min.constant(trace), a_max.is_constant() and a_max.constant(trace)
    bounds = [each for each, known in ((a_min, low), (a_max, high)) if known is not None]
    kinds = [promotion_type(as_operand(trace, each)) for each in (array, *bounds)]
    if isinstance(array, ArrayValue) and any(each is float for each in kinds) and not array.dtype.is_float:
        raise NUMPY_ARGUMENT.stop(name="np.clip", argument="float bounds for an integer array")
    value: Value = array
    if low is not None:
        value = call_ufunc(trace, np.maximum, [value, a_min], out=out if high is None else None)
    if high is not None:
        value = call_ufunc(trace, np.minimum, [value, a_max], out=out)
    return value


@traces(np.round, np.around)
def round_(trace: Trace, a: Value, decimals: Value = ZERO) -> Value:
    array = array_operand(trace, a)
    if decimals.constant(trace) != 0:
        raise NUMPY_ARGUMENT.stop(name="np.round", argument="decimals other than 0")
    if not array.dtype.is_float:
        return result(trace, array.read(trace), kept_order(array.shape, [array.twin]), generic=array.generic)
    node = trace.add(RINT, array.read(trace))
    return result(trace, node, kept_order(array.shape, [array.twin]), generic=array.generic)


@traces(np.shape)
def shape(trace: Trace, a: Value) -> Value:
    from ..values.containers import constant_value

    operand = as_operand(trace, a)
    return constant_value(operand.shape if isinstance(operand, ArrayValue) else ())


@traces(np.ndim)
def ndim(trace: Trace, a: Value) -> Value:
    operand = as_operand(trace, a)
    return Constant(len(operand.shape) if isinstance(operand, ArrayValue) else 0)


@traces(np.size)
def size(trace: Trace, a: Value) -> Value:
    operand = as_operand(trace, a)
    return Constant(operand.type.size if isinstance(operand, ArrayValue) else 1)


@traces(np.atleast_1d)
def atleast_1d(trace: Trace, array: Value) -> Value:
    operand = array_operand(trace, array)
    return operand if operand.shape else reshaped(trace, operand, (1,))


__all__ = ["array_of", "expand", "permuted", "reshaped"]
