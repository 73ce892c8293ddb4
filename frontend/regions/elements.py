"""Elements of arrays at indices that a region computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import dtypes
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import FULL
from ..breaks import raised
from ..nodes import cast, constant_node
from ..values.array import ArrayValue, Region, note_write, result
from ..values.base import Value
from ..values.constant import Constant
from ..values.host_number import HostNumber
from ..values.ranges import SliceValue
from ..values.scalar import Scalar
from ..values.sequences import TupleValue
from .knowledge import refused
from .loose import Loose
from .numbers import bounds_of, is_symbolic

if TYPE_CHECKING:
    from ..trace import Trace
    from .builder import Region as Emitter


def concerns(trace: Trace, array: ArrayValue, key: Value) -> bool:
    """Whether `array[key]` is a matter of the region: the index changes, or the memory does."""
    region = trace.region
    if region is None or region.depends(array.storage.node):
        return False
    parts = key.items if isinstance(key, TupleValue) else [key]
    return any(is_symbolic(trace, part) for part in parts) or id(array.storage) in region.storages


def get_element(trace: Trace, array: ArrayValue, key: Value) -> Value:
    """`array[key]`, one element."""
    region = trace.region
    assert region is not None
    place = _place(trace, region, array, key)
    return result(trace, region.load(array.storage, place), generic=True)


def set_element(trace: Trace, array: ArrayValue, key: Value, value: Value) -> None:
    """`array[key] = value`, one element."""
    from ..numpy.indexing import assigned

    region = trace.region
    assert region is not None
    if not array.twin.flags.writeable:
        raise refused("a write into an array that is read-only")
    place = _place(trace, region, array, key)
    if isinstance(value, Loose):
        value = value.array
    if array.dtype.is_integer and value.python_type is float:
        raise refused("storing a float in an array of integers")
    if isinstance(value, HostNumber) and value.python_type is int and array.dtype is not dtypes.int64:
        value = _narrowed(trace, region, value, array.dtype)
    if isinstance(value, ArrayValue) and value.shape:
        raise refused("storing an array in one element")
    target = ArrayValue(array.storage, (), array.twin.reshape(-1)[:1].reshape(()) if array.twin.size else array.twin)
    node = assigned(trace, value, target)
    if array.storage.input is not None:
        note_write(trace, array.storage)
    region.store(array.storage, place, node)


def _narrowed(trace: Trace, region: Emitter, value: HostNumber, dtype: dtypes.DType) -> Value:
    """A Python int as a number of another dtype; NumPy raises OverflowError for one that does not fit."""
    import numpy as np

    node = value.array.read(trace)
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        low, high = bounds_of(value)
        if low < info.min:
            region.leave_if(trace.add(p.LESS, node, constant_node(trace, int(info.min), (), dtypes.int64)))
        if high > info.max:
            region.leave_if(trace.add(p.LESS, constant_node(trace, int(info.max), (), dtypes.int64), node))
    return result(trace, cast(trace, node, dtype), generic=True)


def _place(trace: Trace, region: Emitter, array: ArrayValue, key: Value) -> list[Node]:
    """The index, along the axes of the storage itself, of the element that `array[key]` names."""
    parts = key.items if isinstance(key, TupleValue) else [key]
    if len(parts) != len(array.shape) or any(isinstance(part, SliceValue) for part in parts):
        raise refused("a part of an array at an index that changes")
    if len(array.path) > 1 or (array.path and not isinstance(array.path[0], Region)):
        raise refused("elements of a view that is reshaped or broadcast")
    shown = array.region()
    places: list[Node] = [
        _fixed(trace, region, start) if start or step == 1 else _fixed(trace, region, 0)
        for start, step in zip(shown.starts, shown.steps, strict=True)
    ]
    for part, dim, size in zip(parts, shown.dims, array.shape, strict=True):
        index = checked_index(trace, region, part, size)
        if dim < 0:
            continue
        start, step = shown.starts[dim], shown.steps[dim]
        if step != 1:
            index = trace.add(p.MULTIPLY, region.let_of(index), constant_node(trace, step, (), dtypes.int64))
        if start:
            index = trace.add(p.ADD, region.let_of(index), _fixed(trace, region, start))
        places[dim] = index
    return places


def _fixed(trace: Trace, region: Emitter, value: int) -> Node:
    return constant_node(trace, value, (), dtypes.int64) if abs(value) <= 4 else region.integer(value)


def checked_index(trace: Trace, region: Emitter, part: Value, size: int) -> Node:
    """An index from 0 to `size` - 1; a negative one counts from the end. The region is left where it is out of range.

    Errors: a break for what is no integer, and for a known index out of range.
    """
    if isinstance(part, Constant) and type(part.value) is int:
        if not -size <= part.value < size:
            raise raised(IndexError(f"index {part.value} is out of bounds for axis 0 with size {size}"))
        return _fixed(trace, region, part.value % size)
    node, (low, high) = _index_node(trace, region, part)
    extent = _fixed(trace, region, size)
    zero = constant_node(trace, 0, (), dtypes.int64)
    if low < 0:
        wrapped = trace.add(p.ADD, node, extent)
        node = trace.add(p.WHERE, trace.add(p.LESS, node, zero), wrapped, node)
        if low < -size:
            region.leave_if(trace.add(p.LESS, node, zero))
    if high >= size:
        region.leave_if(trace.add(p.LESS_EQUAL, extent, node))
    return node


def _index_node(trace: Trace, region: Emitter, part: Value) -> tuple[Node, tuple[int, int]]:
    if isinstance(part, HostNumber) and part.python_type is int:
        return part.array.read(trace), part.bounds
    if isinstance(part, Scalar) and part.python_type is int:
        return region.let_of(part.node(trace)), bounds_of(part)
    if isinstance(part, ArrayValue) and not part.shape and part.dtype.is_integer and part.generic:
        import numpy as np

        info = np.iinfo(part.dtype.numpy)
        if part.dtype is dtypes.uint64:
            raise refused("an index of uint64")
        node = cast(trace, part.read(trace), dtypes.int64)
        if node.op is FULL:
            node = region.let_of(node)
        return region.let_of(node), (int(info.min), int(info.max))
    raise refused("an index that is no integer")
