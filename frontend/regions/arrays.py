"""Arrays in a region: views of memory at indices that change, and expressions over them, evaluated element by element.

An expression is not stored where it is made. Whoever needs its elements, a store or a sum, evaluates them one by one in
a loop of its own, as long as nothing has written what it reads (see `ArrayExpression.settle`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.sizes import is_small, is_whole
from ...graph.node import Node
from ...ops import pointwise as p
from ..breaks import GraphBreak
from ..nodes import constant_node
from ..values.array import ArrayValue, Region, Storage, result
from ..values.base import Value
from ..values.constant import Constant, is_none
from ..values.ranges import SliceValue
from ..values.sequences import ListValue, TupleValue
from ..values.size_number import size_of, whole
from ..values.sized import slice_of
from .elements import checked_index
from .knowledge import refused
from .numbers import is_of_region, number_node
from .sizes import Size, as_value, clipped, difference, equal, length_of, node_of

if TYPE_CHECKING:
    from ..trace import Trace

Index = list[Node]


class RegionArray(Value):
    """An array of the region, which lives no longer than a round of its loop."""

    shape: tuple[Size, ...]
    dtype: DType

    @property
    def python_type(self) -> type:
        return np.ndarray

    def describe(self) -> str:
        return "an array of a native loop"

    def unsupported(self, operation: str) -> GraphBreak:
        return refused(f"{operation} of an array")

    def at(self, trace: Trace, index: Index) -> Node:
        """The element at an index, as a number of the region."""
        raise NotImplementedError

    def reads(self) -> list[View]:
        """The memory that its elements are computed from."""
        raise NotImplementedError

    def element(self, trace: Trace, index: Index) -> ArrayValue:
        """The same as an array without axes, as rules for arrays take it."""
        return result(trace, self.at(trace, index))

    def elements(self, trace: Trace) -> list[Value]:
        return [self.item(trace, Constant(k)) for k in range(self.length(trace))]

    def length(self, trace: Trace) -> int:
        if not self.shape or not is_whole(self.shape[0]):
            raise self.unsupported("len()")
        return self.shape[0]  # type: ignore[return-value]

    def attribute(self, trace: Trace, name: str) -> Value:
        from .array_functions import attribute

        return attribute(trace, self, name)


@dataclass(frozen=True)
class Dim:
    """An axis of a view. `axis`: of the memory, or -1 for a new one; `step`: in its elements."""

    axis: int
    step: int
    size: Size


class View(RegionArray):
    """A part of some memory: `base` is the index where it begins, along the axes of the memory."""

    def __init__(self, storage: Storage, base: tuple[Node, ...], dims: tuple[Dim, ...], *, writeable: bool) -> None:
        self.storage = storage
        self.base = base
        self.dims = dims
        self.writeable = writeable

    @property
    def shape(self) -> tuple[Size, ...]:  # type: ignore[override]
        return tuple(dim.size for dim in self.dims)

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        return self.storage.node.type.dtype

    def place(self, trace: Trace, index: Index) -> Index:
        """The index in the memory of the element at an index of the view."""
        region = trace.region
        assert region is not None
        places = list(self.base)
        for each, dim in zip(index, self.dims, strict=True):
            if dim.axis < 0:
                continue
            scaled = each
            if dim.step != 1:
                factor = constant_node(trace, dim.step, (), dtypes.int64)
                scaled = trace.add(p.MULTIPLY, region.let_of(each), factor)
            start = places[dim.axis]
            if start.op.name != "full" or start.kwargs["value"] != 0:
                scaled = trace.add(p.ADD, region.let_of(scaled), start)
            places[dim.axis] = scaled
        return places

    def at(self, trace: Trace, index: Index) -> Node:
        assert trace.region is not None
        return trace.region.load(self.storage, self.place(trace, index))

    def reads(self) -> list[View]:
        return [self]

    def item(self, trace: Trace, key: Value) -> Value:
        if isinstance(key, ListValue):
            from .sweeps import gathered

            return gathered(trace, self, key.items)
        picked = self.part(trace, key)
        return result(trace, picked.at(trace, []), generic=True) if not picked.dims else picked

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        from .sweeps import scatter, store

        if isinstance(key, ListValue):
            scatter(trace, self, key.items, value)
        else:
            store(trace, self.part(trace, key), value)

    def part(self, trace: Trace, key: Value) -> View:
        """The view that a basic index gives. Errors: a break for other indices."""
        region = trace.region
        assert region is not None
        parts = list(key.items) if isinstance(key, TupleValue) else [key]
        places = [
            k for k, part in enumerate(parts) if isinstance(part, Constant) and part.python_type is type(Ellipsis)
        ]
        used = sum(not is_none(part) for part in parts) - len(places)
        if used > len(self.dims) or len(places) > 1:
            raise refused("an index of too many parts")
        whole: list[Value] = [SliceValue(Constant(None), Constant(None), Constant(None))] * (len(self.dims) - used)
        at = places[0] if places else len(parts)
        parts[at : at + len(places)] = whole
        base, dims, left = list(self.base), list[Dim](), iter(self.dims)
        for part in parts:
            if is_none(part):
                dims.append(Dim(-1, 1, 1))
                continue
            dim = next(left)
            if isinstance(part, SliceValue):
                start, kept = _sliced(trace, dim, part)
                dims.append(kept)
            else:
                if not is_whole(dim.size):
                    start = _index_below(trace, part, dim.size)
                else:
                    start = checked_index(trace, region, part, dim.size)
            if dim.axis >= 0:
                base[dim.axis] = _moved(trace, base[dim.axis], start, dim.step)
        return View(self.storage, tuple(base), tuple(dims), writeable=self.writeable)

    def same_places(self, trace: Trace, other: View) -> bool:
        """Whether two views name the same elements of one memory, in the same order."""
        return (
            self.storage is other.storage
            and len(self.dims) == len(other.dims)
            and all(difference(trace, a, b) == 0 for a, b in zip(self.base, other.base, strict=True))
            and all(
                a.axis == b.axis and a.step == b.step and equal(trace, a.size, b.size)
                for a, b in zip(self.dims, other.dims, strict=True)
            )
        )

    def is_apart(self, trace: Trace, other: View) -> bool:
        """Whether two views surely share no element."""
        if self.storage is not other.storage:
            return True
        moving = {dim.axis for dim in (*self.dims, *other.dims)}
        fixed = [axis for axis in range(len(self.base)) if axis not in moving]
        return any(difference(trace, self.base[axis], other.base[axis]) not in (0, None) for axis in fixed)


def _moved(trace: Trace, base: Node, start: Node, step: int) -> Node:
    region = trace.region
    assert region is not None
    if start.op.name == "full" and start.kwargs["value"] == 0:
        return base
    if step != 1:
        start = trace.add(p.MULTIPLY, region.let_of(start), constant_node(trace, step, (), dtypes.int64))
    if base.op.name == "full" and base.kwargs["value"] == 0:
        return start
    made = trace.add(p.ADD, region.let_of(base), start)
    region.note_sum(made, base, start)
    return made


def _index_below(trace: Trace, part: Value, size: Size) -> Node:
    """An index of an axis whose size changes: the region is left where it is out of range, or negative."""
    from .elements import index_node

    region = trace.region
    assert region is not None
    if isinstance(part, Constant):
        node, low = constant_node(trace, whole(part), (), dtypes.int64), whole(part)
        if low < 0:
            raise refused("a negative index of an axis whose size changes")
        node = region.let_of(node)
    else:
        node, (low, _) = index_node(trace, region, part)
        node = region.let_of(node)
    if low < 0:
        region.leave_if(trace.add(p.LESS, node, constant_node(trace, 0, (), dtypes.int64)))
    region.leave_if(trace.add(p.LESS_EQUAL, node_of(trace, size), node))
    return node


def _sliced(trace: Trace, dim: Dim, part: SliceValue) -> tuple[Node, Dim]:
    """Where a slice of an axis begins, and the axis that it leaves."""
    start, stop, step = part.parts
    stride = 1 if is_none(step) else step.constant(trace)
    if type(stride) is not int or not stride:
        raise refused("a slice with a step that is no int")
    if all(isinstance(each, Constant) for each in part.parts) and is_whole(dim.size):
        begin, count, stride = slice_of(size_of(trace, part), dim.size)
        first = constant_node(trace, begin if count else 0, (), dtypes.int64)
        if count and not is_small(begin) and trace.region is not None:
            first = trace.region.integer(begin)
        return first, Dim(dim.axis, dim.step * (stride if count > 1 else 1), count)
    if stride < 0:
        raise refused("a slice that goes backwards between bounds that change")
    low = clipped(trace, Constant(0) if is_none(start) else start, dim.size)
    high = as_value(dim.size) if is_none(stop) else clipped(trace, stop, dim.size)
    return number_node(trace, low), Dim(dim.axis, dim.step * stride, length_of(trace, low, high, stride))


class ArrayExpression(RegionArray):
    """An array whose elements are computed where they are needed: `compute` gives the one at an index."""

    def __init__(
        self,
        shape: tuple[Size, ...],
        dtype: DType,
        compute: Callable[[Index], Node],
        reads: list[View],
    ) -> None:
        self.shape = shape
        self.dtype = dtype
        self.compute = compute
        self._reads = reads
        self._kept: View | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the elements are in memory of their own."""
        return self._kept is not None

    def at(self, trace: Trace, index: Index) -> Node:
        return self.compute(index)

    def reads(self) -> list[View]:
        return self._reads

    def settle(self, trace: Trace) -> View:
        """Its elements in memory: what they are computed from is about to be written, or they are themselves."""
        from .sweeps import stored_copy

        if self._kept is None:
            kept = self._kept = stored_copy(trace, self)
            self.compute, self._reads = lambda index: kept.at(trace, index), [kept]
        return self._kept

    def item(self, trace: Trace, key: Value) -> Value:
        return self.settle(trace).item(trace, key)

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        self.settle(trace).set_item(trace, key, value)


def view_of(trace: Trace, array: ArrayValue) -> View:
    """An array from before the region as a view of its memory. Errors: a break for one reshaped or broadcast."""
    region = trace.region
    assert region is not None
    if len(array.path) > 1 or (array.path and not isinstance(array.path[0], Region)):
        raise refused("an array that is reshaped or broadcast")
    shown = array.region()
    base = tuple(_start(trace, start) for start in shown.starts)
    dims = tuple(
        Dim(dim, shown.steps[dim] if dim >= 0 else 1, size) for dim, size in zip(shown.dims, array.shape, strict=True)
    )
    return View(array.storage, base, dims, writeable=bool(array.twin.flags.writeable))


def _start(trace: Trace, start: int) -> Node:
    assert trace.region is not None
    return constant_node(trace, start, (), dtypes.int64) if is_small(start) else trace.region.integer(start)


def as_array(trace: Trace, value: Value) -> RegionArray | None:
    """An array as one of the region; None for a number."""
    if isinstance(value, RegionArray):
        return value
    return view_of(trace, value) if isinstance(value, ArrayValue) and value.shape else None


def is_array(value: Value) -> bool:
    """Whether a value is an array, and no number."""
    return isinstance(value, RegionArray) or isinstance(value, ArrayValue) and not value.generic


def concerns(trace: Trace, *values: Value) -> bool:
    """Whether an operation on these is one of the region.

    That is so where an array of it takes part, memory that it writes, or any array beside a number that it computes.
    """
    region = trace.region
    if region is None:
        return False
    axes = any(isinstance(each, ArrayValue) and each.shape for each in values)
    if axes and any(is_of_region(trace, each) for each in values):
        return True
    return any(
        isinstance(each, RegionArray)
        or isinstance(each, ArrayValue)
        and not region.depends(each.storage.node)
        and region.owns(each.storage)
        for each in values
    )
