"""Arrays in a region: views of memory at indices that change, and expressions over them, evaluated element by element.

An expression is not stored where it is made. Whoever needs its elements, a store or a sum, evaluates them one by one in
a loop of its own, as long as nothing has written what it reads (see `ArrayExpression.materialize`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.sizes import is_small, is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_ARRAY, LOOP_INDEX, GraphBreak
from ...tracing.complex_numbers import parts
from ...tracing.nodes import constant_node
from ...tracing.speculation import unsupported_in_region
from ...values.arrays.array import ArrayValue, Storage, result
from ...values.arrays.bit_views import Bits
from ...values.arrays.operand import ArrayOperand
from ...values.arrays.view_steps import Broadcast, PartStep, Reshaped, RetypedStep, SliceStep
from ...values.base import Value
from ...values.constant import Constant, is_none
from ...values.containers.iterators import Iterator
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import ListValue, TupleValue
from ...values.numbers.symbolic_int import whole
from ..numbers.arithmetic import is_of_region
from ..numbers.iteration import over_array
from ..numbers.ranges import never
from .indices import checked_index, index_node
from .sizes import Size, as_value, difference, equal, factor_node, is_one, moved_index, node_of
from .slices import Dim, sliced

if TYPE_CHECKING:
    from ...tracing.trace import Trace

Index = list[Node]


class RegionArray(ArrayOperand):
    """An array of the region, which lives no longer than an iteration of its loop."""

    shape: tuple[Size, ...]
    dtype: DType

    @property
    def python_type(self) -> type:
        return np.ndarray

    def describe(self) -> str:
        return "an array of a native loop"

    def unsupported(self, operation: str) -> GraphBreak:
        return unsupported_in_region(f"{operation} of an array")

    def at(self, trace: Trace, index: Index) -> Node:
        """The element at an index, as a number of the region."""
        raise NotImplementedError

    def reads(self) -> list[RegionView]:
        """The memory that its elements are computed from."""
        raise NotImplementedError

    def element(self, trace: Trace, index: Index) -> ArrayValue:
        """The element at an index, as an array without axes, which rules for arrays take."""
        return result(trace, self.at(trace, index))

    def elements(self, trace: Trace) -> list[Value]:
        return [self.item(trace, Constant(k)) for k in range(self.length(trace))]

    def iterate(self, trace: Trace) -> Iterator:
        if not self.shape:
            raise self.unsupported("iteration")
        space = over_array(self, as_value(self.shape[0]))
        if type(self.shape[0]) is not int:
            return never(space, type(iter(np.zeros(1))))
        made = Iterator((self.item(trace, Constant(k)) for k in range(self.shape[0])), type(iter(np.zeros(1))))
        made.space = space
        return made

    def length(self, trace: Trace) -> int:
        if not self.shape or not is_whole(self.shape[0]):
            raise self.unsupported("len()")
        return self.shape[0]  # type: ignore[return-value]

    def attribute(self, trace: Trace, name: str) -> Value:
        from .functions import attribute

        return attribute(trace, self, name)


class RegionView(RegionArray):
    """A part of some memory: `base` is the index where it begins, along the axes of the memory.

    half: "real" or "imag" where it shows these parts of complex numbers.
    """

    def __init__(
        self, storage: Storage, base: tuple[Node, ...], dims: tuple[Dim, ...], *, writeable: bool, half: str = ""
    ) -> None:
        self.storage = storage
        self.half = half
        self.base = base
        self.dims = dims
        self.writeable = writeable

    @property
    def shape(self) -> tuple[Size, ...]:  # type: ignore[override]
        return tuple(dim.size for dim in self.dims)

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        held = self.storage.node.type.dtype
        return dtypes.PART[held] if self.half else held

    def place(self, trace: Trace, index: Index) -> Index:
        """The index in the memory of the element at an index of the view."""
        region = trace.region
        assert region is not None
        places = list(self.base)
        for each, dim in zip(index, self.dims, strict=True):
            if dim.axis < 0:
                continue
            scaled = each
            if not is_one(dim.step):
                scaled = trace.add(p.MULTIPLY, region.let_of(each), factor_node(trace, dim.step))
            start = places[dim.axis]
            if start.op.name != "full" or start.kwargs["value"] != 0:
                scaled = trace.add(p.ADD, region.let_of(scaled), start)
            places[dim.axis] = scaled
        return places

    def at(self, trace: Trace, index: Index) -> Node:
        assert trace.region is not None
        found = trace.region.load(self.storage, self.place(trace, index))
        return parts(trace, found)[self.half == "imag"] if self.half else found

    def reads(self) -> list[RegionView]:
        return [self]

    def item(self, trace: Trace, key: Value) -> Value:
        from .gather_scatter import array_parts, select

        if isinstance(key, ListValue):
            from .inner_loops import gathered

            return gathered(trace, self, key.items)
        parts = array_parts(key)
        if parts:
            return select(trace, self, parts)
        picked = self.part(trace, key)
        return result(trace, picked.at(trace, []), is_numpy_scalar=True) if not picked.dims else picked

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        from .item_writes import write_item

        write_item(trace, self, key, value)

    def part(self, trace: Trace, key: Value) -> RegionView:
        """The view that a basic index gives. Errors: a break for other indices."""
        region = trace.region
        assert region is not None
        parts = list(key.items) if isinstance(key, TupleValue) else [key]
        places = [
            k for k, part in enumerate(parts) if isinstance(part, Constant) and part.python_type is type(Ellipsis)
        ]
        used = sum(not is_none(part) for part in parts) - len(places)
        if used > len(self.dims) or len(places) > 1:
            raise LOOP_INDEX.stop(what="an index of too many parts")
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
                start, kept = sliced(trace, dim, part)
                dims.append(kept)
            else:
                if not is_whole(dim.size):
                    start = _index_below(trace, part, dim.size)
                else:
                    start = checked_index(trace, region, part, dim.size)
            if dim.axis >= 0:
                base[dim.axis] = moved_index(trace, base[dim.axis], start, dim.step)
        return RegionView(self.storage, tuple(base), tuple(dims), writeable=self.writeable, half=self.half)

    def same_places(self, trace: Trace, other: RegionView) -> bool:
        """Whether two views name the same elements of one memory, in the same order."""
        return (
            self.storage is other.storage
            and self.half == other.half
            and len(self.dims) == len(other.dims)
            and all(difference(trace, a, b) == 0 for a, b in zip(self.base, other.base, strict=True))
            and all(
                a.axis == b.axis and equal(trace, a.step, b.step) and equal(trace, a.size, b.size)
                for a, b in zip(self.dims, other.dims, strict=True)
            )
        )

    def is_standalone(self, trace: Trace, other: RegionView) -> bool:
        """Whether two views surely share no element."""
        if self.storage is not other.storage:
            return True
        moving = {dim.axis for dim in (*self.dims, *other.dims)}
        fixed = [axis for axis in range(len(self.base)) if axis not in moving]
        return any(_differ(trace, self.base[axis], other.base[axis]) for axis in fixed)


def _differ(trace: Trace, one: Node, other: Node) -> bool:
    """Whether two indices surely differ."""
    region = trace.region
    assert region is not None
    if region.swapped is not None:
        return region.swapped.are_apart(trace, one, other)
    return difference(trace, one, other) not in (0, None)  # a single operation: no variables exchange anything


def _index_below(trace: Trace, part: Value, size: Size) -> Node:
    """An index of an axis whose size changes: the region is left where it is out of range, or computed and negative."""
    region = trace.region
    assert region is not None
    if isinstance(part, Constant):
        node, low = constant_node(trace, whole(part), (), dtypes.int64), whole(part)
        if low < 0:
            node = trace.add(p.ADD, region.let_of(node_of(trace, size)), node)
            region.leave_if(trace.add(p.LESS, node, constant_node(trace, 0, (), dtypes.int64)))
            return node
        node = region.let_of(node)
    else:
        node, (low, _) = index_node(trace, region, part)
        node = region.let_of(node)
    if low < 0:
        region.leave_if(trace.add(p.LESS, node, constant_node(trace, 0, (), dtypes.int64)))
    region.leave_if(trace.add(p.LESS_EQUAL, node_of(trace, size), node))
    return node


class ArrayExpression(RegionArray):
    """An array whose elements are computed where they are needed: `compute` gives the one at an index.

    cuts: places along the last axis; between two of them one form of `compute` will do, which it chooses by what the
    region knows of the index.
    """

    def __init__(
        self,
        shape: tuple[Size, ...],
        dtype: DType,
        compute: Callable[[Index], Node],
        reads: list[RegionView],
        cuts: frozenset[int] = frozenset(),
    ) -> None:
        self.shape = shape
        self.dtype = dtype
        self.compute = compute
        self.cuts = cuts
        self._reads = reads
        self._kept: RegionView | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the elements are in memory of their own."""
        return self._kept is not None

    @property
    def kept(self) -> RegionView | None:
        """The memory that holds the elements, if some does."""
        return self._kept

    def at(self, trace: Trace, index: Index) -> Node:
        return self.compute(index)

    def reads(self) -> list[RegionView]:
        return self._reads

    def materialize(self, trace: Trace) -> RegionView:
        """Its elements in memory: what they are computed from is about to be written, or they are themselves."""
        from .inner_loops import stored_copy

        if self._kept is None:
            region = trace.region
            assert region is not None
            kept = self._kept = stored_copy(trace, self)
            self.compute, self._reads, self.cuts = lambda index: kept.at(trace, index), [kept], frozenset()
        return self._kept

    def item(self, trace: Trace, key: Value) -> Value:
        return self.materialize(trace).item(trace, key)

    def set_item(self, trace: Trace, key: Value, value: Value) -> None:
        self.materialize(trace).set_item(trace, key, value)


def in_memory(trace: Trace, view: RegionView) -> ArrayExpression:
    """A new array whose elements are in memory of their own already."""
    made = ArrayExpression(view.shape, view.dtype, lambda index: view.at(trace, index), [view])
    made._kept = view
    return made


def view_of(trace: Trace, array: ArrayValue) -> RegionView:
    """An array from before the region as a view of its memory. Errors: a break for one reshaped or broadcast."""
    region = trace.region
    assert region is not None
    if id(array.storage) in region.memory.renamed:
        raise LOOP_ARRAY.stop(what="another name of an array that variables exchange")
    if array.path and isinstance(array.path[-1], PartStep):
        below = view_of(trace, array.path[-1].below)
        return RegionView(below.storage, below.base, below.dims, writeable=below.writeable, half=array.path[-1].name)
    if len(array.path) > 1 or (array.path and not isinstance(array.path[0], SliceStep)):
        raise unsupported_in_region("an array that is reshaped or broadcast")
    shown = array.region()
    base = tuple(_start(trace, start) for start in shown.starts)
    dims = tuple(
        Dim(dim, shown.steps[dim] if dim >= 0 else 1, size) for dim, size in zip(shown.dims, array.shape, strict=True)
    )
    return RegionView(array.storage, base, dims, writeable=bool(array.fake.flags.writeable))


def _start(trace: Trace, start: int) -> Node:
    assert trace.region is not None
    return constant_node(trace, start, (), dtypes.int64) if is_small(start) else trace.region.integer(start)


def as_array(trace: Trace, value: Value) -> RegionArray | None:
    """An array as one of the region; None for a number."""
    if isinstance(value, RegionArray):
        from .gather_scatter import Selection

        return value.materialize(trace) if isinstance(value, Selection) else value
    if not isinstance(value, ArrayValue) or not value.shape:
        return None
    region = trace.region
    assert region is not None
    if any(
        isinstance(step, (Reshaped, Broadcast, Bits, RetypedStep)) for step in value.path
    ) and not region.memory.owns(value.storage):
        whole = view_of(trace, result(trace, value.read(trace)))  # of memory that the loop leaves alone
        return RegionView(whole.storage, whole.base, whole.dims, writeable=False)
    return view_of(trace, value)


def array_with_axes(trace: Trace, value: Value) -> RegionArray:
    """An array as one of the region, for what is no number. Errors: a break for an array without dimensions."""
    array = as_array(trace, value)
    if array is None:
        raise unsupported_in_region("an array without dimensions")
    return array


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
        and region.memory.owns(each.storage)
        for each in values
    )
