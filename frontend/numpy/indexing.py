"""Subscripts: basic indices are views; integer arrays gather; a mask on the left of an assignment selects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.sized_shapes import slice_of
from ...core.sizes import Size
from ...core.types import contiguous_strides
from ...graph.node import Node
from ...guards.computed_sources import Computed
from ...guards.guard import Outcome
from ...ops.creation import ARANGE, FULL
from ...ops.indexing import GATHER, TAKE
from ...ops.movement import PERMUTE
from ...ops.pointwise import WHERE
from ..breaks import ARRAY_VALUE, BROADCAST_WRITE, DATA_SHAPE, NUMPY_ARGUMENT, RAISES, UNKNOWN_VALUE
from ..regions.arrays import gather_scatter, views
from ..regions.numbers.arithmetic import is_symbolic
from ..regions.standalone import operation
from ..tracing.nodes import cast
from ..values.arrays.after_plan import LateSlice, late_selection
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.operand import is_array
from ..values.arrays.symbolic_fake import as_sized, names_sizes
from ..values.arrays.view_steps import Ints, SliceStep, expand, reshape
from ..values.base import Value
from ..values.constant import Constant
from ..values.containers.ranges import SliceValue
from ..values.containers.sequences import ListValue, Sequence, TupleValue
from ..values.numbers import input_scalar
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber
from ..values.numbers.symbolic_int import number, size_of
from .creation import array_of, is_float_number, is_wider_number
from .memory_order import aligned_strides, kept_order, order_by_steps
from .ufuncs import as_operand, fits, operand_node

if TYPE_CHECKING:
    from ..tracing.trace import Trace


def _entries(trace: Trace, array: ArrayValue, key: Value) -> list[Any]:
    """The parts of a subscript: ints, slices, None, Ellipsis, or ArrayValues.

    A NumPy integer counts as an int, by its value: what it picks is a view. Where it picks a number, it stays unknown.
    """
    parts = key.items if isinstance(key, TupleValue) else [key]
    entries: list[Any] = []
    alone = len(parts) == 1 and len(array.shape) == 1
    if not (alone and isinstance(parts[0], ArrayValue)) and trace.region is None and _names_an_element(array, parts):
        return [_index(trace, part) for part in parts]
    for part in parts:
        if isinstance(part, ListValue):
            part = array_of(trace, part, None if part.items else dtypes.int64)
        if isinstance(part, ArrayValue):
            whole = part if alone or not part.is_numpy_scalar else part.index_number(trace)
            if isinstance(whole, ArrayValue):
                entries.append(_known_index(trace, whole) if whole.is_numpy_scalar and not alone else whole)
            else:
                entries.append(size_of(trace, whole))
        elif isinstance(part, (SliceValue, Constant, InputNumber)):
            entry = size_of(trace, part)
            if isinstance(entry, (bool, float, str)):
                raise UNKNOWN_VALUE.stop(operation="a subscript", name=repr(entry))
            entries.append(entry)
        else:
            raise part.unsupported("use as a subscript")
    return entries


def _names_an_element(array: ArrayValue, parts: list[Value]) -> bool:
    """Whether a subscript is an int for each axis, of NumPy or Python, of which the plan computes one."""
    whole = all(
        part.dtype.is_integer and part.is_numpy_scalar if isinstance(part, ArrayValue) else part.python_type is int
        for part in parts
    )
    computed = any(isinstance(part, (ArrayValue, ComputedNumber)) for part in parts)
    return whole and computed and len(parts) == len(array.shape)


def _index(trace: Trace, part: Value) -> Any:
    """An int of a subscript that names an element: known, a size, or a NumPy integer that the plan computes."""
    whole = part.index_number(trace)
    if isinstance(whole, ComputedNumber):
        return whole.array
    if isinstance(whole, ArrayValue):
        node = whole.read(trace)
        return int(node.kwargs["value"]) if node.op is FULL else whole  # type: ignore[call-overload]
    return size_of(trace, whole)


def _known_index(trace: Trace, number: ArrayValue) -> int:
    """The value of a NumPy integer. Errors: a break when it is not known, or no integer."""
    if not number.dtype.is_integer:
        raise UNKNOWN_VALUE.stop(operation="a subscript", name=number.describe())
    node = number.read(trace)
    if node.op is FULL:
        return int(node.kwargs["value"])  # type: ignore[call-overload]
    known = next((entry.example for entry in trace.inputs.entries if entry.node is node), None)
    if number.source is None or known is None:
        raise ARRAY_VALUE.stop(wanted="index")
    trace.guard(Outcome, Computed("{} == {}", (number.source, int(known))), expected=True)
    return int(known)


def basic_view(array: ArrayValue, entries: list[Any]) -> ArrayValue:
    """The view a basic index gives. Errors: a break where NumPy raises IndexError."""
    shown = as_sized(array.fake) if names_sizes(entries) else array.fake
    try:
        fake = shown[tuple(entries)] if any(each is Ellipsis for each in entries) else shown[(*entries, ...)]
    except (IndexError, ValueError, TypeError) as error:
        raise RAISES.stop(error=f"{type(error).__name__}: {error}") from None
    if not entries:
        return array.subview(array.region(), fake)
    region = array.region()
    starts, sizes, steps = list(region.starts), list(region.sizes), list(region.steps)
    dims: list[int] = []
    axis = 0
    for entry in _filled(entries, len(array.shape)):
        if entry is None:
            dims.append(-1)
            continue
        dim, size = region.dims[axis], array.shape[axis]
        axis += 1
        if isinstance(entry, slice):
            start, count, step = slice_of(entry, size)
            if dim < 0:
                if count != 1:
                    raise BROADCAST_WRITE.stop(name="an empty slice of a new axis")
                dims.append(-1)
                continue
            starts[dim] += (start if count else 0) * steps[dim]
            sizes[dim], steps[dim] = count, steps[dim] * (step if step == 1 or count > 1 else 1)
            dims.append(dim)
        elif dim >= 0:
            index = entry if type(entry) is Size else entry.__index__()
            starts[dim] += (index + size if index < 0 else index) * steps[dim]
            sizes[dim], steps[dim] = 1, 1
    return array.subview(SliceStep(tuple(starts), tuple(sizes), tuple(steps), tuple(dims)), fake)


def _is_of_region(trace: Trace, array: ArrayValue, key: Value) -> bool:
    """Whether a subscript is a matter of the region: the index changes, or the memory does."""
    parts = key.items if isinstance(key, TupleValue) else [key]
    inner = {SliceValue: "parts", ListValue: "items"}
    parts = [each for part in parts for each in (getattr(part, inner[type(part)]) if type(part) in inner else (part,))]
    if views.concerns(trace, array) or any(is_symbolic(trace, part) for part in parts):
        return True
    picks = [part for part in parts if is_array(part)]
    known = len(parts) == 1 and isinstance(parts[0], ArrayValue) and not parts[0].dtype.is_bool
    return bool(picks) and (not known or views.concerns(trace, *picks))


def _is_computed(key: Value) -> bool:
    """Whether a subscript is one slice with a bound that the plan computes."""
    if not isinstance(key, SliceValue) or not any(isinstance(part, ComputedNumber) for part in key.parts):
        return False
    whole = all(isinstance(part, (ComputedNumber, Constant, InputNumber)) for part in key.parts)
    step = key.parts[2]  # one of 0 is an error of the user's line, and the array is made behind all lines
    steady = isinstance(step, Constant) and step.value != 0
    return whole and steady and all(part.python_type in (int, type(None)) for part in key.parts)


def _filled(entries: list[Any], rank: int) -> list[Any]:
    """The entries with the ellipsis written out as full slices."""
    used = sum(entry is not None and entry is not Ellipsis for entry in entries)
    rest: list[Any] = [slice(None)] * (rank - used)
    if Ellipsis in entries:
        place = entries.index(Ellipsis)
        return [*entries[:place], *rest, *entries[place + 1 :]]
    return [*entries, *rest]


def get_item(trace: Trace, array: ArrayValue, key: Value) -> Value:
    """`array[key]`."""
    if trace.region is not None and _is_of_region(trace, array, key):
        return views.view_of(trace, array).item(trace, key)
    if trace.region is None and _is_computed(key) and array.shape and not array.is_numpy_scalar:
        return LateSlice(array, key)  # type: ignore[arg-type]
    is_numpy_scalar = array.is_numpy_scalar
    entries = _entries(trace, array, key)
    if array.is_numpy_scalar and any(entry is not None and entry is not Ellipsis for entry in entries):
        raise RAISES.stop(error="IndexError: invalid index to scalar variable")
    if not any(isinstance(entry, ArrayValue) for entry in entries):
        array = result(trace, array.read(trace)) if array.is_numpy_scalar else array
        view = basic_view(array, entries)
        complete = len(entries) == len(array.shape) and all(isinstance(entry, (int, Size)) for entry in entries)
        if complete and (entries or is_numpy_scalar or not isinstance(key, (SliceValue, Constant))):
            return result(trace, view.read(trace), is_numpy_scalar=True)
        return view
    return _advanced(trace, array, entries)


def _advanced(trace: Trace, array: ArrayValue, entries: list[Any]) -> Value:
    picks = [entry for entry in entries if isinstance(entry, ArrayValue)]
    if len(entries) == 1 and picks and picks[0].dtype.is_bool and picks[0].shape:
        if picks[0].shape == array.shape[: len(picks[0].shape)]:
            return late_selection(trace, array, picks[0])
    if any(pick.dtype.is_bool for pick in picks):
        raise DATA_SHAPE.stop(name="indexing with a boolean mask")
    if any(not pick.dtype.is_integer for pick in picks):
        raise RAISES.stop(error="IndexError: arrays used as indices must be of integer or boolean type")
    if len(picks) == 1 and len(entries) == 1:
        return _taken(trace, array, picks[0], 0)
    if len(picks) == 1 and all(isinstance(entry, (ArrayValue, slice)) for entry in entries):
        axis = next(k for k, entry in enumerate(entries) if isinstance(entry, ArrayValue))
        basic = [slice(None) if isinstance(entry, ArrayValue) else entry for entry in entries]
        if axis == 0 or picks[0].shape == () or len(picks[0].shape) == 1:
            return _taken(trace, basic_view(array, basic), picks[0], axis)
    if len(picks) == len(entries) == 2 and len(array.shape) == 2:
        rows = _rows_in_order(trace, array, picks)
        if rows is not None:
            return rows
    elements = len(entries) == len(array.shape) and all(len(pick.shape) < 2 for pick in picks)  # a vector of them
    by_rows = elements or all(entry.fake.flags.c_contiguous for entry in (array, *picks))
    if (
        by_rows
        and all(isinstance(entry, (ArrayValue, int, Size)) for entry in entries)
        and len(entries) <= len(array.shape)
    ):
        return _gathered(trace, array, entries)
    raise UNKNOWN_VALUE.stop(operation="this form of advanced indexing", name=array.describe())


def _gathered(trace: Trace, array: ArrayValue, entries: list[Any]) -> Value:
    """The part of an array that arrays of indices for its first axes pick, row by row."""
    is_element = all(not isinstance(each, ArrayValue) or each.is_numpy_scalar for each in entries)
    if is_element:  # a row of one element
        entries = [
            result(trace, reshape(trace, each.read(trace), (1,))) if isinstance(each, ArrayValue) else each
            for each in entries
        ]
    with operation(trace):
        parts: list[Value] = [each if isinstance(each, ArrayValue) else number(each) for each in entries]
        found = gather_scatter.gathered(trace, views.view_of(trace, array), parts)
    if not is_element:
        return found
    assert isinstance(found, ArrayValue)
    return result(trace, reshape(trace, found.read(trace), ()), is_numpy_scalar=True)


def picked(trace: Trace, node: Node, index: Node, axis: int) -> Node:
    """The `take`. Errors: a break where indices are to be checked and nothing is computed that would check them."""
    found = trace.add(TAKE, node, index, axis=axis)
    if index.type.size and not found.type.size:
        raise NUMPY_ARGUMENT.stop(name="a subscript", argument="indices into an array without elements")
    return found


def _taken(trace: Trace, array: ArrayValue, index: ArrayValue, axis: int) -> Value:
    if axis >= len(array.shape):
        raise NUMPY_ARGUMENT.stop(
            name="a subscript", argument="more indices than dimensions, or an index of a new axis"
        )
    node = picked(trace, array.read(trace), index.read(trace), axis)
    if not axis or not index.shape:
        strides = _picked_order(array, index, axis) if node.shape else None
        return result(trace, node, strides, is_numpy_scalar=not node.shape)
    # NumPy makes an array with the picked axis first, and gives a transposed view of it.
    rank = len(node.shape)
    first = trace.add(PERMUTE, node, axes=(axis, *(k for k in range(rank) if k != axis)))
    made = result(trace, first, _picked_order(array, index, axis))
    axes = (*range(1, axis + 1), 0, *range(axis + 1, rank))
    return made.view(SliceStep((0,) * rank, first.shape, (1,) * rank, axes), made.fake.transpose(axes))


def _picked_order(array: ArrayValue, index: ArrayValue, axis: int) -> Ints:
    """Strides of the array that NumPy makes of what an array of indices picks along an axis: the picked axes first.

    The others keep their order in memory; if there are none, the picked ones keep that of the indices.
    """
    rest = [k for k in range(len(array.shape)) if k != axis]
    if not rest:
        return kept_order(index.shape, [index.fake])
    shape = tuple(array.shape[k] for k in rest)
    inner = order_by_steps(shape, [aligned_strides(shape, shape, tuple(array.fake.strides[k] for k in rest))])
    outer = contiguous_strides(index.shape)
    return (*(step * max(math.prod(shape), 1) for step in outer), *inner)


def _rows_in_order(trace: Trace, array: ArrayValue, picks: list[ArrayValue]) -> Value | None:
    """`x[np.arange(n), columns]`: one element of every row."""
    rows, columns = (pick.read(trace) for pick in picks)
    if rows.op is not ARANGE or rows.kwargs["start"] != 0 or rows.kwargs["step"] != 1:
        return None
    if rows.shape != columns.shape or rows.shape != (array.shape[0],):
        return None
    node = trace.add(GATHER, array.read(trace), reshape(trace, columns, (rows.shape[0], 1)), axis=1)
    return result(trace, reshape(trace, node, rows.shape))


def set_item(trace: Trace, array: ArrayValue, key: Value, value: Value) -> None:
    """`array[key] = value`, the right side evaluated first."""
    if array.is_numpy_scalar:
        raise RAISES.stop(error="TypeError: a NumPy scalar does not support item assignment")
    if trace.region is not None:
        views.view_of(trace, array).set_item(trace, key, value)
        return
    operand = value if isinstance(value, Sequence) else as_operand(trace, value)
    # Not so for an array not written before: nothing has yet made sure that it may be.
    if array.storage.version and array.fake.flags.writeable and _is_own_view(trace, array, key, operand):
        return
    entries = _entries(trace, array, key)
    picks = [entry for entry in entries if isinstance(entry, ArrayValue)]
    if not picks:
        target = basic_view(array, entries)
        if (
            len(entries) == len(array.shape)
            and all(isinstance(entry, (int, Size)) for entry in entries)
            and shape_of(operand) != ()
        ):
            raise NUMPY_ARGUMENT.stop(name="storing into one element", argument="an array or a sequence")
        target.write(trace, assigned(trace, operand, target))
        return
    mask = picks[0]
    if len(entries) == 1 and mask.dtype.is_bool and mask.shape == array.shape and shape_of(operand) == ():
        chosen = trace.add(WHERE, mask.read(trace), assigned(trace, operand, array), array.read(trace))
        array.write(trace, chosen)
        return
    if array.path and not (len(array.path) == 1 and isinstance(array.path[0], SliceStep)):
        raise UNKNOWN_VALUE.stop(operation="assignment through an index array", name=array.describe())
    with operation(trace, array.storage):
        views.view_of(trace, array).set_item(trace, _with_arrays(trace, key), operand)


def _with_arrays(trace: Trace, key: Value) -> Value:
    """A subscript with its lists as arrays."""
    parts = key.items if isinstance(key, TupleValue) else [key]
    made = [array_of(trace, part, None) if isinstance(part, ListValue) and part.items else part for part in parts]
    return TupleValue(made) if isinstance(key, TupleValue) else made[0]


def _is_own_view(trace: Trace, array: ArrayValue, key: Value, operand: Value) -> bool:
    """Whether the value is the very view that `array[key]` names: what `array[key] += …` stores back."""
    if not isinstance(operand, ArrayValue) or operand.is_numpy_scalar or operand.storage is not array.storage:
        return False
    entries = _entries(trace, array, key)
    if any(isinstance(entry, ArrayValue) for entry in entries):
        return False
    return basic_view(array, entries).path == operand.path


def shape_of(value: Value) -> Ints:
    """The shape of an operand: () for a number, (0,) for a sequence whatever it holds."""
    return value.shape if isinstance(value, ArrayValue) else (0,) if isinstance(value, Sequence) else ()


def assigned(trace: Trace, value: Value, target: ArrayValue) -> Node:
    """A value cast and broadcast to the type of the place it is stored in, by the rules of assignment."""
    if isinstance(value, Sequence):
        value = array_of(trace, value, target.dtype)
    if target.dtype.is_integer and value.python_type is float and not isinstance(value, ComputedNumber):
        value = input_scalar.apply(
            trace, int, "int", [value]
        )  # as NumPy does: cut off, and refused when it does not fit
    if target.dtype.is_integer and is_float_number(value):
        raise UNKNOWN_VALUE.stop(operation="storing a NumPy float", name=f"an array of {target.dtype}")
    if not isinstance(value, ArrayValue):
        return operand_node(trace, value, target.dtype, target.shape)
    if is_wider_number(value, target.dtype):
        raise UNKNOWN_VALUE.stop(operation=f"storing a NumPy {value.dtype}", name=f"an array of {target.dtype}")
    node = cast(trace, value.read(trace), target.dtype)
    extra = len(node.shape) - len(target.shape)
    if extra > 0 and all(size == 1 for size in node.shape[:extra]):
        node = reshape(trace, node, node.shape[extra:])
    if not fits(node.shape, target.shape):
        raise RAISES.stop(error="ValueError: could not broadcast input array")
    return expand(trace, node, target.shape)
