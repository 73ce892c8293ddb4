"""Views that NumPy itself has to make: of diagonals, by broadcasting; and tuples of views."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.records import dataclass
from ...core.sized_shapes import broadcast_shapes
from ...graph.node import Node
from ...ops.movement import PERMUTE, SLICE
from ..breaks import RAISES
from ..tracing.nodes import constant_node
from ..tracing.numpy_versions import NUMPY
from ..tracing.rules import newer, numpy_errors, traces
from ..values.arrays.array import ArrayValue, Storage, result
from ..values.arrays.view_steps import Broadcast, Ints, Reshaped, SliceStep, fake_of, reshape
from ..values.base import Value
from ..values.constant import NONE, Constant
from ..values.containers.sequences import TupleValue
from ..values.numbers.symbolic_int import size_of
from .creation import as_array
from .indexing import get_item
from .memory_order import strides_in_order
from .shaping import (
    MINUS_ONE,
    ONE,
    ZERO,
    array_operand,
    moveaxis,
    owned,
    reshaped,
    reshaped_view,
    resolved_sizes,
    split,
    swapaxes,
)

if TYPE_CHECKING:
    from ..codegen.reconstruct import EntryWriter
    from ..tracing.trace import Trace

# Note [Setting a shape]
# `x.shape = (2, 3)` changes the object that it names, and no other: of a view, the way to the elements gets a step
# more. An owner's memory takes the new shape itself, so that what leaves the call owns its memory, as NumPy's does. The
# views of it say where they begin by the axes that it had, so their ways begin by the old shape from then on. Left to
# Python are arrays that existed before the call, those that somebody names in an expression that is evaluated later
# (`np.diagonal(x)`, `z.real`, `x[mask]`), and all of them where NumPy warns.

TWO, MINUS_TWO = Constant(2), Constant(-2)


@dataclass(frozen=True)
class Diagonal(Broadcast):
    """A view step that only reads, to the diagonals of matrices that lie along two axes; they come last in it."""

    offset: int = 0
    axes: Ints = (0, 1)

    def read(self, trace: Trace, node: Node) -> Node:
        others = tuple(axis for axis in range(len(node.shape)) if axis not in self.axes)
        turned = (*others, *self.axes)
        if turned != tuple(range(len(turned))):
            node = trace.add(PERMUTE, node, axes=turned)
        *outer, rows, columns = node.shape
        flat = reshape(trace, node, (*outer, rows * columns))
        count = self.after[-1]
        start = (max(self.offset, 0) + max(-self.offset, 0) * columns) if count else 0
        none, one = (0,) * len(outer), (1,) * len(outer)
        return trace.add(SLICE, flat, starts=(*none, start), sizes=(*outer, count), steps=(*one, columns + 1))


@traces(np.diagonal)
def diagonal(trace: Trace, a: Value, offset: Value = ZERO, axis1: Value = ZERO, axis2: Value = ONE) -> Value:
    array = array_operand(trace, a)
    distance, *axes = (each.constant(trace) for each in (offset, axis1, axis2))
    fake = np.diagonal(array.fake, distance, *axes)
    one, two = (int(np.lib.array_utils.normalize_axis_index(axis, len(array.shape))) for axis in axes)

    def text(writer: EntryWriter) -> str:
        return f"{writer.array(array)}.diagonal({distance}, {one}, {two})"

    return array.view(Diagonal(fake.shape, text, distance, (one, two)), fake)


@traces(np.linalg.diagonal)
def diagonal_of_matrices(trace: Trace, x: Value, /, *, offset: Value = ZERO) -> Value:
    return diagonal(trace, x, offset, MINUS_TWO, MINUS_ONE)


@traces(np.broadcast_arrays)
def broadcast_arrays(trace: Trace, *args: Value) -> Value:
    arrays = [owned(trace, as_array(trace, each, NONE)) for each in args]
    shape = broadcast_shapes(*(each.shape for each in arrays))
    if all(each.shape == shape for each in arrays):
        return TupleValue(list(arrays))

    def seen(number: int, array: ArrayValue) -> Value:
        def text(writer: EntryWriter) -> str:
            given = ", ".join(writer.array(each) for each in arrays)
            return f"{writer.pool.add(np.broadcast_arrays)}({given})[{number}]"

        return array.view(Broadcast(shape, text), np.broadcast_to(array.fake, shape))

    return TupleValue([seen(number, array) for number, array in enumerate(arrays)])


@traces(np.dsplit)
def dsplit(trace: Trace, ary: Value, indices_or_sections: Value) -> Value:
    if len(array_operand(trace, ary).shape) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(trace, ary, indices_or_sections, TWO)


@traces(*newer(np, "unstack"))  # NumPy 2.1
def unstack(trace: Trace, x: Value, /, *, axis: Value = ZERO) -> Value:
    array = array_operand(trace, x)
    if not array.shape:
        raise ValueError("Input array must be at least 1-d.")
    first = moveaxis(trace, array, axis, ZERO)
    assert isinstance(first, ArrayValue)
    return TupleValue([get_item(trace, first, Constant(k)) for k in range(first.shape[0])])


@traces(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(trace: Trace, x: Value, /) -> Value:
    if len(array_operand(trace, x).shape) < 2:
        raise ValueError("Input array must be at least 2-dimensional")
    return swapaxes(trace, x, MINUS_ONE, MINUS_TWO)


@traces(np.asfortranarray)
def asfortranarray(trace: Trace, a: Value, dtype: Value = NONE) -> Value:
    made = as_array(trace, a, dtype)
    if not made.shape:
        return reshaped(trace, made, (1,))
    if made.fake.flags.f_contiguous and not made.is_numpy_scalar:
        return made
    return result(trace, made.read(trace), strides_in_order(made.shape, range(len(made.shape))))


@dataclass(frozen=True)
class Zeros(Broadcast):
    """A view step that only reads, and reads zeros: what the imaginary parts of real numbers are."""

    def read(self, trace: Trace, node: Node) -> Node:
        return constant_node(trace, 0, self.after, node.type.dtype)


def zeros_seen(trace: Trace, array: ArrayValue) -> Value:
    """`array.imag` of real numbers, which NumPy gives as a new array that is read-only."""
    if array.is_numpy_scalar:
        return result(trace, constant_node(trace, 0, (), array.dtype), is_numpy_scalar=True)

    def text(writer: EntryWriter) -> str:
        return f"{writer.array(array)}.imag"

    return array.view(Zeros(array.shape, text), array.fake.imag)


class HostList(Value):
    """The numbers of an array as (nested) lists of Python numbers, which can be returned and stored."""

    __slots__ = ("array",)

    def __init__(self, array: ArrayValue) -> None:
        self.array = array

    @property
    def python_type(self) -> type:
        return list

    def describe(self) -> str:
        return "the list of an array's elements"

    def rebuild(self, writer: EntryWriter) -> str:
        return writer.once(self, lambda: f"{writer.array(self.array)}.tolist()")


def tolist(trace: Trace, array: ArrayValue) -> Value:
    """The elements as Python numbers, which are made after the plan has run."""
    if not array.shape:
        from .methods import item

        return item(trace, array)
    return HostList(result(trace, array.read(trace)))


def set_shape(trace: Trace, array: ArrayValue, value: Value) -> bool:
    """Carries out `array.shape = value`, if the trace can; whether it can. See Note [Setting a shape]."""
    storage = array.storage
    if NUMPY.setting_shape_is_deprecated or trace.region is not None or trace.iterations or trace.deferred is not None:
        return False
    if array.source is not None or array.is_numpy_scalar or storage.input is not None and not array.path:
        return False
    others = [each for each in storage.views or () if each is not array]
    if _is_tied(storage) or not all(isinstance(step, (SliceStep, Reshaped)) for each in others for step in each.path):
        return False
    given = size_of(trace, value)
    shape = tuple(given) if isinstance(given, (tuple, list)) else given
    with numpy_errors():
        seen = reshaped_view(array, shape)
    if seen is None:
        resolved_sizes(array, shape)
        raise RAISES.stop(error="AttributeError: Incompatible shape for in-place modification")
    if array.path:
        array.path, array.fake = seen.path, seen.fake
        return True
    if not (array.fake.flags.c_contiguous and array.fake.flags.writeable):
        return False
    for each in others:
        first, *rest = each.path
        if isinstance(first, Reshaped):
            each.path = (Reshaped(seen.shape, first.after), *rest)
        else:
            each.path = (Reshaped(seen.shape, array.shape), first, *rest)
    storage.node = reshape(trace, storage.node, seen.shape)
    storage.fake = array.fake = fake_of(storage.node.type)
    storage.version += 1
    storage.reads.clear()
    return True


def _is_tied(storage: Storage) -> bool:
    """Whether others than arrays of this trace know the memory, or are written as expressions over its owner."""
    return bool(storage.roots or storage.handed_on or storage.may_be or storage.merged or storage.is_read_late)
