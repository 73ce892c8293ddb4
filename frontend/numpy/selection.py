"""NumPy's functions that choose elements: by indices, by a condition, or those that are true."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.sized_shapes import broadcast_shapes
from ...ops.indexing import GATHER
from ...ops.pointwise import WHERE
from ..breaks import DATA_SHAPE, NUMPY_ARGUMENT, RAISES
from ..tracing.numpy_versions import NUMPY
from ..tracing.rules import asked, traces
from ..values.arrays.after_plan import (
    late,
    late_by_places,
    late_call,
    late_nonzero,
    late_places,
    late_selection,
    mask_of,
)
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.view_steps import Ints, reshape
from ..values.base import Value
from ..values.constant import NONE, Constant, is_none
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.numbers.symbolic_int import number
from .creation import array_of
from .indexing import picked, shape_of
from .joining import stack
from .memory_order import kept_order
from .shaping import reshaped, transpose
from .ufuncs import as_operand, call_ufunc, operand_fake, operand_node, promotion_type, side_of_range, supported

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace

_WHOLE = SliceValue(NONE, NONE, NONE)


def _whole(trace: Trace, name: str, value: Value) -> ArrayValue:
    """An array with axes. Errors: a break for anything else, and in a loop over elements."""
    array = as_operand(trace, value)
    if trace.region is not None or not isinstance(array, ArrayValue) or array.is_numpy_scalar or not array.shape:
        raise DATA_SHAPE.stop(name=name)
    return array


@traces(np.argwhere)
def argwhere(trace: Trace, a: Value) -> Value:
    array = _whole(trace, "np.argwhere", a)
    mask = mask_of(trace, array)

    def in_plan(places: ArrayValue) -> Value:
        return transpose(trace, stack(trace, ListValue(_indices(trace, places, array.shape))))

    if mask is None:
        return late_call(trace, np.argwhere, array)
    return late_by_places(trace, mask, lambda: late_call(trace, np.argwhere, array), in_plan)


def _indices(trace: Trace, places: ArrayValue, shape: Ints) -> list[Value]:
    """The indices along each axis of places that are counted row by row."""
    if len(shape) == 1:
        return [places]
    made: list[Value] = []
    for axis, size in enumerate(shape):
        step = number(prod(shape[axis + 1 :]))
        index = call_ufunc(trace, np.floor_divide, [places, step]) if axis < len(shape) - 1 else places
        made.append(call_ufunc(trace, np.remainder, [index, number(size)]) if axis else index)
    return made


@traces(np.flatnonzero)
def flatnonzero(trace: Trace, a: Value) -> Value:
    array = _whole(trace, "np.flatnonzero", a)
    return late_places(trace, array, lambda: late_call(trace, np.flatnonzero, array))


@traces(np.nonzero)
def nonzero(trace: Trace, a: Value) -> Value:
    array = _whole(trace, "np.nonzero", a)

    def columns(places: ArrayValue) -> list[Value]:
        every = stack(trace, ListValue(_indices(trace, places, array.shape)), Constant(1))  # NumPy's are views of such
        parts = [TupleValue([_WHOLE, Constant(axis)]) for axis in range(len(array.shape))]
        return [every.item(trace, part) for part in parts]

    return TupleValue(late_nonzero(trace, array, columns))


@traces(np.extract)
def extract(trace: Trace, condition: Value, arr: Value) -> Value:
    mask, array = _whole(trace, "np.extract", condition), _whole(trace, "np.extract", arr)
    if mask.shape != array.shape:
        raise DATA_SHAPE.stop(name="np.extract")
    if not mask.dtype.is_bool:
        mask = call_ufunc(trace, np.not_equal, [mask, Constant(0)])  # type: ignore[assignment]
    return late_selection(trace, array, mask)


@traces(np.compress)
def compress(trace: Trace, condition: Value, a: Value, axis: Value = NONE, out: Value = NONE) -> Value:
    array = _whole(trace, "np.compress", a)
    if not is_none(out):
        raise NUMPY_ARGUMENT.stop(name="np.compress", argument="out")
    along = axis.constant(trace)
    if along is None:
        array, along = reshaped(trace, array, (-1,)), 0
    along = int(asked(np.lib.array_utils.normalize_axis_index, along, len(array.shape)))
    parts = condition.elements(trace) if isinstance(condition, Sequence) else []
    if parts and all(each.is_constant() for each in parts):
        known = np.asarray([each.constant(trace) for each in parts])
        if known.ndim != 1:
            raise RAISES.stop(error="ValueError: condition must be a 1-d array")
        places = [Constant(int(place)) for place in np.flatnonzero(known)]
        return take(trace, array, array_of(trace, ListValue([*places]), dtypes.int64), Constant(along))
    mask = _whole(trace, "np.compress", condition)
    if mask.shape != array.shape[along : along + 1]:
        raise DATA_SHAPE.stop(name="np.compress")
    if not mask.dtype.is_bool:
        mask = call_ufunc(trace, np.not_equal, [mask, Constant(0)])  # type: ignore[assignment]
    if not along:
        return late_selection(trace, array, mask)

    def compressed(writer: EntryWriter, texts: list[str]) -> str:
        return f"{writer.pool.add(np.compress)}({texts[1]}, {texts[0]}, {along})"

    return late_by_places(
        trace,
        mask,
        lambda: late(trace, "np.compress", compressed, (array, mask)),
        lambda places: take(trace, array, places, Constant(along)),
    )


@traces(np.take)
def take(trace: Trace, a: Value, indices: Value, axis: Value = NONE) -> Value:
    array, index = as_operand(trace, a), as_operand(trace, indices)
    if not isinstance(array, ArrayValue):
        raise a.unsupported("np.take")
    if not isinstance(index, ArrayValue):
        index = result(trace, operand_node(trace, index, dtypes.int64, ()))
    along = axis.constant(trace)
    node = array.read(trace)
    if along is not None and not array.shape:
        raise NUMPY_ARGUMENT.stop(name="np.take", argument="an axis of an array without dimensions")
    if along is None:
        node, along = reshape(trace, node, (array.type.size,)), 0
    along = int(asked(np.lib.array_utils.normalize_axis_index, along, len(node.shape)))
    if not index.dtype.is_integer:
        raise NUMPY_ARGUMENT.stop(name="np.take", argument="indices that are not integers")
    if index.dtype is dtypes.uint64 and not NUMPY.take_casts_uint64:
        if index.is_numpy_scalar:  # which this NumPy converts as Python would, where it fits
            raise NUMPY_ARGUMENT.stop(name="np.take", argument="a uint64 as an index")
        raise RAISES.stop(error="TypeError: np.take casts no indices of uint64 to int64")
    node = picked(trace, node, index.read(trace), along)
    return result(trace, node, is_numpy_scalar=not node.shape)


@traces(np.take_along_axis)
def take_along_axis(trace: Trace, arr: Value, indices: Value, axis: Value = Constant(-1)) -> Value:  # noqa: B008
    array, index = as_operand(trace, arr), as_operand(trace, indices)
    if not isinstance(array, ArrayValue) or not isinstance(index, ArrayValue) or axis.constant(trace) is None:
        raise arr.unsupported("np.take_along_axis")
    along = int(asked(np.lib.array_utils.normalize_axis_index, axis.constant(trace), len(array.shape)))
    fits_elsewhere = len(index.shape) == len(array.shape) and all(
        one == two for k, (one, two) in enumerate(zip(index.shape, array.shape, strict=True)) if k != along
    )
    if not index.dtype.is_integer or not fits_elsewhere:
        raise NUMPY_ARGUMENT.stop(name="np.take_along_axis", argument="indices of another dtype, or to be broadcast")
    return result(trace, trace.add(GATHER, array.read(trace), index.read(trace), axis=along))


@traces(np.where)
def where(trace: Trace, condition: Value, x: Value | None = None, y: Value | None = None) -> Value:
    if x is None and y is None:
        return nonzero(trace, condition)
    if x is None or y is None:
        raise RAISES.stop(error="ValueError: either both or neither of x and y should be given")
    parts = [as_operand(trace, each) for each in (condition, x, y)]
    kinds: list[Any] = [promotion_type(each) for each in parts[1:]]
    weak = [0 if kind is int else 0.0 if kind is float else kind for kind in kinds]
    wanted = supported(np.result_type(*weak))
    if wanted.is_integer and any(_beyond(trace, each, wanted) for each in parts[1:]):
        raise NUMPY_ARGUMENT.stop(name="np.where", argument=f"a number that does not fit {wanted}")
    shape = broadcast_shapes(*(shape_of(each) for each in parts))
    chooser = parts[0]
    if isinstance(chooser, ArrayValue) and not chooser.dtype.is_bool:
        chooser = call_ufunc(trace, np.not_equal, [chooser, Constant(0)])
    nodes = [
        operand_node(trace, chooser, dtypes.bool_, shape),
        *(operand_node(trace, each, wanted, shape) for each in parts[1:]),
    ]
    strides = kept_order(shape, [operand_fake(each) for each in parts])
    return result(trace, trace.add(WHERE, *nodes), strides)


def _beyond(trace: Trace, value: Value, dtype: dtypes.DType) -> bool:
    return value.python_type is int and bool(side_of_range(trace, value, dtype))
