"""Views: reshape, transpose, squeeze, flip, broadcast, split, and copies where the elements cannot be seen in place."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...core.sizes import Size, is_symbolic
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing.nodes import cast
from ..tracing.numpy_versions import NUMPY
from ..tracing.rules import asked, numpy_errors, traces
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.symbolic_fake import as_sized, resolved_shape, seen_in_shape
from ..values.arrays.view_steps import Broadcast, Ints, Reshaped, SliceStep, reshape
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.containers.element_protocol import constant_value
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import ListValue, TupleValue
from ..values.numbers.symbolic_int import size_of
from .creation import C, shape_of
from .indexing import get_item
from .reductions import axes_of
from .ufuncs import as_operand

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace

ZERO = Constant(0)
ONE = Constant(1)
MINUS_ONE = Constant(-1)
ZERO_ONE = constant_value((0, 1))


def array_operand(trace: Trace, value: Value) -> ArrayValue:
    """An argument that has to be an array. Errors: a break for a Python number."""
    operand = as_operand(trace, value)
    if not isinstance(operand, ArrayValue):
        raise value.unsupported("an array function")
    return operand


def owned(trace: Trace, array: ArrayValue) -> ArrayValue:
    """The array itself; of a NumPy scalar, the new array of no dimensions that `np.asanyarray` gives."""
    return result(trace, array.read(trace)) if array.is_numpy_scalar else array


@traces(np.ix_)
def ix_(trace: Trace, *args: Value) -> Value:
    """An open grid: views of the arguments. Errors: a break for a mask, whose places decide the sizes."""
    made: list[Value] = []
    for axis, each in enumerate(args):
        array = owned(trace, array_operand(trace, each))
        if len(array.shape) != 1:
            raise RAISES.stop(error="ValueError: Cross index must be 1 dimensional")
        if array.dtype.is_bool:
            raise NUMPY_ARGUMENT.stop(name="np.ix_", argument="a mask")
        if not isinstance(each, ArrayValue) and not array.shape[0]:
            array = result(trace, cast(trace, array.read(trace), dtypes.int64))
        made.append(reshaped(trace, array, (*[1] * axis, array.shape[0], *[1] * (len(args) - axis - 1))))
    return TupleValue(made)


def reshaped(trace: Trace, array: ArrayValue, shape: Ints | int) -> ArrayValue:
    """`array.reshape(shape)`: a view where NumPy makes one, else a copy."""
    array = owned(trace, array)
    seen = reshaped_view(array, shape)
    if seen is not None:
        return seen
    # Either the elements cannot be seen in that shape without a copy, or they do not fit at all.
    sizes = resolved_sizes(array, shape)
    copy = result(trace, reshape(trace, array.read(trace), sizes))
    return copy.view(SliceStep.whole(sizes), copy.fake.view())


def reshaped_view(array: ArrayValue, shape: Ints | int) -> ArrayValue | None:
    """The elements seen in that shape; None where NumPy would have to copy them, or raises."""
    shown = as_sized(array.fake) if is_symbolic(shape if isinstance(shape, tuple) else (shape,)) else array.fake
    try:
        fake = seen_in_shape(shown, shape).view()
    except ValueError:
        return None
    return array.view(Reshaped(array.shape, fake.shape), fake)


def resolved_sizes(array: ArrayValue, shape: Ints | int) -> Ints:
    """The sizes that `shape` means. Errors: NumPy's own where the elements do not fit."""
    if is_symbolic(array.shape) or is_symbolic(shape if isinstance(shape, tuple) else (shape,)):
        sizes = resolved_shape(array.type.size, shape)
        if sizes is None:
            raise RAISES.stop(error="ValueError: cannot reshape the array")
        return sizes
    stand_in = np.broadcast_to(np.zeros((), np.uint8), array.shape)
    if stand_in.size > _LARGEST_STAND_IN:
        raise NUMPY_ARGUMENT.stop(name="np.reshape", argument="so large an array")
    with numpy_errors():
        return np.reshape(stand_in, shape).shape


_LARGEST_STAND_IN = 1 << 26
"""Bytes of memory that finding out a shape may take for a moment."""


@traces(np.reshape)
def np_reshape(trace: Trace, a: Value, shape: Value, order: Value = C, *, copy: Value = NONE) -> Value:
    if order.constant(trace) != "C":
        raise NUMPY_ARGUMENT.stop(name="np.reshape", argument=f"order={order.constant(trace)!r}")
    given, array, copied = size_of(trace, shape), array_operand(trace, a), copy.constant(trace)
    wanted = tuple(given) if isinstance(given, (tuple, list)) else given
    if copied is not None and (not NUMPY.reshape_takes_copy or not isinstance(copied, bool)):
        raise NUMPY_ARGUMENT.stop(name="np.reshape", argument=f"copy={copied!r}")
    if copied:
        array = result(trace, array.read(trace))
    elif copied is not None and reshaped_view(array, wanted) is None:
        raise RAISES.stop(error="ValueError: Unable to avoid creating a copy while reshaping.")
    return reshaped(trace, array, wanted)


@traces(np.ravel)
def ravel(trace: Trace, a: Value, order: Value = C) -> Value:
    array = _in_order(trace, owned(trace, array_operand(trace, a)), order, "np.ravel")
    if array.fake.flags.c_contiguous:
        return reshaped(trace, array, (-1,))
    return result(trace, reshape(trace, array.read(trace), (array.type.size,)))


def flatten(trace: Trace, a: Value, order: Value = C) -> Value:
    array = _in_order(trace, array_operand(trace, a), order, "flatten")
    return result(trace, reshape(trace, array.read(trace), (array.type.size,)))


def _in_order(trace: Trace, array: ArrayValue, order: Value, name: str) -> ArrayValue:
    """The view whose row-major order is the wanted order of the elements."""
    given = order.constant(trace)
    if given not in ("C", "F"):
        raise NUMPY_ARGUMENT.stop(name=name, argument=f"order={given!r}")
    return array if given == "C" or len(array.shape) < 2 else permuted(array, tuple(range(len(array.shape)))[::-1])


def permuted(array: ArrayValue, axes: Ints) -> ArrayValue:
    """The transposed view."""
    region = array.region()
    fake = array.fake.transpose(axes)
    return array.subview(
        SliceStep(region.starts, region.sizes, region.steps, tuple(region.dims[axis] for axis in axes)), fake
    )


@traces(np.transpose)
def transpose(trace: Trace, a: Value, axes: Value = NONE) -> Value:
    array = array_operand(trace, a)
    given = axes.constant(trace)
    rank = len(array.shape)
    order = tuple(range(rank))[::-1] if given is None else np.lib.array_utils.normalize_axis_tuple(given, rank)
    if len(order) != rank:
        raise ValueError("axes don't match array")
    return array if array.is_numpy_scalar else permuted(array, order)


@traces(np.swapaxes)
def swapaxes(trace: Trace, a: Value, axis1: Value, axis2: Value) -> Value:
    array = array_operand(trace, a)
    order = list(range(len(array.shape)))
    one, two = (
        int(asked(np.lib.array_utils.normalize_axis_index, each.constant(trace), len(order))) for each in (axis1, axis2)
    )
    order[one], order[two] = order[two], order[one]
    return permuted(array, tuple(order))


@traces(np.moveaxis)
def moveaxis(trace: Trace, a: Value, source: Value, destination: Value) -> Value:
    array = array_operand(trace, a)
    names = np.lib.stride_tricks.as_strided(
        np.zeros((), np.uint8), (1,) * len(array.shape), tuple(range(1, len(array.shape) + 1))
    )
    moved = np.moveaxis(names, source.constant(trace), destination.constant(trace))
    return permuted(array, tuple(step - 1 for step in moved.strides))


@traces(np.rollaxis)
def rollaxis(trace: Trace, a: Value, axis: Value, start: Value = ZERO) -> Value:
    array = array_operand(trace, a)
    names = np.lib.stride_tricks.as_strided(
        np.zeros((), np.uint8), (1,) * len(array.shape), tuple(range(1, len(array.shape) + 1))
    )
    moved = np.rollaxis(names, axis.constant(trace), start.constant(trace))
    return permuted(array, tuple(step - 1 for step in moved.strides))


@traces(np.squeeze)
def squeeze(trace: Trace, a: Value, axis: Value = NONE) -> Value:
    array = array_operand(trace, a)
    given = axis.constant(trace)
    if given is not None and not array.shape:
        raise NUMPY_ARGUMENT.stop(name="np.squeeze", argument="an axis of an array without dimensions")
    fake = np.squeeze(array.fake, given)
    # With nothing to take away NumPy gives the array itself, not a view of it.
    return array if array.is_numpy_scalar or fake is array.fake else array.view(Reshaped(array.shape, fake.shape), fake)


@traces(np.expand_dims)
def expand_dims(trace: Trace, a: Value, axis: Value) -> Value:
    array = owned(trace, array_operand(trace, a))
    fake = np.expand_dims(array.fake, axis.constant(trace))
    return array.view(Reshaped(array.shape, fake.shape), fake)


def sliced(
    trace: Trace, array: ArrayValue, axis: int, start: int | None, stop: int | None, step: int | None = None
) -> ArrayValue:
    """`array[:, …, start:stop:step]` along one axis."""
    whole = SliceValue(NONE, NONE, NONE)
    part = SliceValue(Constant(start), Constant(stop), Constant(step))
    view = get_item(trace, array, TupleValue([part if k == axis else whole for k in range(len(array.shape))]))
    assert isinstance(view, ArrayValue)
    return view


@traces(np.flip)
def flip(trace: Trace, m: Value, axis: Value = NONE) -> Value:
    array = owned(trace, array_operand(trace, m))
    axes = axes_of(trace, axis, len(array.shape))
    backwards, whole = (SliceValue(NONE, NONE, step) for step in (MINUS_ONE, NONE))
    return get_item(trace, array, TupleValue([backwards if k in axes else whole for k in range(len(array.shape))]))


@traces(np.flipud)
def flipud(trace: Trace, m: Value) -> Value:
    return _flipped(trace, m, 0, "flipud")


@traces(np.fliplr)
def fliplr(trace: Trace, m: Value) -> Value:
    return _flipped(trace, m, 1, "fliplr")


def _flipped(trace: Trace, m: Value, axis: int, name: str) -> ArrayValue:
    array = array_operand(trace, m)
    if len(array.shape) <= axis:
        raise RAISES.stop(error=f"ValueError: np.{name} needs {axis + 1} dimensions")
    return sliced(trace, array, axis, None, None, -1)


@traces(np.rot90)
def rot90(trace: Trace, m: Value, k: Value = ONE, axes: Value = ZERO_ONE) -> Value:
    array, turns = array_operand(trace, m), size_of(trace, k) % 4
    turns = int(turns) if isinstance(turns, Size) else turns  # of an int that changes, its remainder is relied on
    if len(array.shape) < 2:
        raise RAISES.stop(error="ValueError: np.rot90 needs two dimensions")
    one, two = (
        int(asked(np.lib.array_utils.normalize_axis_index, axis, len(array.shape))) for axis in axes.constant(trace)
    )
    if one == two:
        raise RAISES.stop(error="ValueError: Axes must be different.")
    if turns == 0:
        return get_item(trace, array, SliceValue(NONE, NONE, NONE))
    if turns == 2:
        return sliced(trace, sliced(trace, array, one, None, None, -1), two, None, None, -1)
    if turns == 1:
        return swapaxes(trace, sliced(trace, array, two, None, None, -1), Constant(one), Constant(two))
    turned = swapaxes(trace, array, Constant(one), Constant(two))
    assert isinstance(turned, ArrayValue)
    return sliced(trace, turned, two, None, None, -1)


@traces(np.broadcast_to)
def broadcast_to(trace: Trace, array: Value, shape: Value) -> Value:
    source = owned(trace, array_operand(trace, array))
    fake = np.broadcast_to(source.fake, shape_of(trace, shape))

    def text(writer: EntryWriter) -> str:
        return f"{writer.pool.add(np.broadcast_to)}({writer.array(source)}, {fake.shape!r})"

    return source.view(Broadcast(fake.shape, text), fake)


def at_least(trace: Trace, value: Value, rank: int) -> ArrayValue:
    """`np.atleast_1d`, `2d` or `3d` of one array."""
    array = owned(trace, array_operand(trace, value))
    if len(array.shape) >= rank:
        return array
    new = (None,) * (rank - len(array.shape))
    entries = (*new[:1], slice(None), *new[1:]) if len(array.shape) == 1 else (..., *new)
    fake = array.fake[entries]
    return array.view(Reshaped(array.shape, fake.shape), fake)


def _at_least(rank: int) -> Callable[..., Value]:
    def rule(trace: Trace, *arrays: Value) -> Value:
        made: list[Value] = [at_least(trace, each, rank) for each in arrays]
        return made[0] if len(made) == 1 else TupleValue(made)

    return rule


for _rank, _function in ((1, np.atleast_1d), (2, np.atleast_2d), (3, np.atleast_3d)):
    traces(_function)(_at_least(_rank))


@traces(np.array_split)
def array_split(trace: Trace, ary: Value, indices_or_sections: Value, axis: Value = ZERO) -> Value:
    array, given = array_operand(trace, ary), indices_or_sections.constant(trace)
    along = axis.constant(trace)
    total = array.shape[along]
    if isinstance(given, (tuple, list)):
        bounds = [0, *given, total]
    else:
        sections = asked(operator.index, given)
        if sections <= 0:
            raise RAISES.stop(error="ValueError: number sections must be larger than 0.")
        each, extras = divmod(total, sections)
        bounds = np.cumsum([0] + extras * [each + 1] + (sections - extras) * [each]).tolist()
    along = int(asked(np.lib.array_utils.normalize_axis_index, along, len(array.shape)))
    return ListValue(
        [sliced(trace, array, along, start, stop) for start, stop in zip(bounds, bounds[1:], strict=False)]
    )


@traces(np.split)
def split(trace: Trace, ary: Value, indices_or_sections: Value, axis: Value = ZERO) -> Value:
    array, given = array_operand(trace, ary), indices_or_sections.constant(trace)
    if not isinstance(given, (tuple, list)) and array.shape[axis.constant(trace)] % given:
        raise RAISES.stop(error="ValueError: array split does not result in an equal division")
    return array_split(trace, array, indices_or_sections, axis)


@traces(np.hsplit)
def hsplit(trace: Trace, ary: Value, indices_or_sections: Value) -> Value:
    rank = len(array_operand(trace, ary).shape)
    if rank == 0:
        raise RAISES.stop(error="ValueError: hsplit only works on arrays of 1 or more dimensions")
    return split(trace, ary, indices_or_sections, ZERO if rank == 1 else ONE)


@traces(np.vsplit)
def vsplit(trace: Trace, ary: Value, indices_or_sections: Value) -> Value:
    if len(array_operand(trace, ary).shape) < 2:
        raise RAISES.stop(error="ValueError: vsplit only works on arrays of 2 or more dimensions")
    return split(trace, ary, indices_or_sections)
