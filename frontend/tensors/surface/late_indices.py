"""Elements of a tensor at a place that is a number which the call computes: `x[int(i)]`, `queue[at : at + 4]`."""

# Note [Views at a place that only the run knows]
# An int as index gives a view, and so it does here: what is written into the tensor afterwards is seen in it. It is
# read by a take at the place, which the plan checks. A write through the view, and the view as a result of the call,
# break the graph: the plan has no memory whose address it computes.

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from ....core.records import dataclass
from ....core.sizes import is_symbolic
from ....graph.node import Node
from ....ops.checks import CHECKED_INDEX
from ....ops.creation import ARANGE
from ....ops.indexing import TAKE
from ....ops.pointwise import ADD, LESS, WHERE
from ...numpy.indexing import basic_view
from ...values.arrays.view_steps import Broadcast, expand
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import ComputedNumber
from ...values.tensors.tensor import TensorValue, fresh, view_of
from .numbers import number_node

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(frozen=True)
class EntryStep(Broadcast):
    """A view step that only reads, to the entry of an axis at a place that only the run knows."""

    has_address: ClassVar[bool] = False
    place: Node = field(kw_only=True)
    axis: int = field(kw_only=True)

    def read(self, trace: Trace, node: Node) -> Node:
        return trace.add(TAKE, node, self.place, axis=self.axis)


@dataclass(frozen=True)
class LatePlace:
    """A place along the axis `axis` of what the rest of a key gives; of a slice, its first one.

    length: that of a slice; None for an int.
    """

    axis: int
    first: ComputedNumber
    length: int | None

    def index(self, trace: Trace, size: int) -> Node:
        """The place, or all of a slice, counted from the front. The plan leaves it to Python where there is none."""
        place = self.first.node(trace)
        if self.length is None:
            zero, count = (number_node(trace, each, place.type.dtype, place.shape) for each in (0, size))
            place = trace.add(WHERE, trace.add(LESS, place, zero), trace.add(ADD, place, count), place)
        place = trace.add(CHECKED_INDEX, place, size=size - (self.length or 1) + 1, ignore=None)
        if self.length is None:
            return place
        following = trace.add(ARANGE, start=0, step=1, size=self.length, dtype=place.type.dtype)
        return trace.add(ADD, expand(trace, place, (self.length,)), following)


def split_key(key: Value) -> tuple[Value, list[LatePlace]] | None:
    """The key with whole slices for what the call computes, and that.

    None where there is nothing such, or where other entries are more than ints, slices and None.
    """
    entries = list(key.items) if isinstance(key, TupleValue) else [key]
    found: list[LatePlace] = []
    axis = 0
    for place, each in enumerate(entries):
        late = _late(each, axis)
        if late is not None:
            found.append(late)
            entries[place] = SliceValue(NONE, NONE, NONE)
        elif not isinstance(each, SliceValue) and not _is_basic(each):
            return None
        axis += isinstance(entries[place], SliceValue) or entries[place] is NONE
    return (TupleValue(entries), found) if found else None


def _late(entry: Value, axis: int) -> LatePlace | None:
    """An int, or a slice as in `x[i : i + 4]`; None for anything else."""
    if isinstance(entry, ComputedNumber) and entry.python_type is int:
        return LatePlace(axis, entry, None)
    if isinstance(entry, SliceValue):
        start, stop, step = entry.parts
        once = isinstance(step, Constant) and step.value in (None, 1)
        if once and isinstance(stop, ComputedNumber) and stop.beyond is not None and stop.beyond[0] is start:
            length = stop.beyond[1]
            return LatePlace(axis, stop.beyond[0], length) if length > 0 else None
    return None


def _is_basic(entry: Value) -> bool:
    return isinstance(entry, Constant) and type(entry.value) in (int, type(None))


def _fit(tensor: TensorValue, places: list[LatePlace]) -> bool:
    """Whether the axes have known sizes, and room for what is asked of them."""
    sizes = [tensor.shape[each.axis] for each in places]
    return not is_symbolic(sizes) and all(size >= (each.length or 1) for size, each in zip(sizes, places, strict=True))


def entries_at(trace: Trace, tensor: TensorValue, places: list[LatePlace]) -> TensorValue | None:
    """The view at these places; None where the size of an axis is not known, or is too small."""
    if not _fit(tensor, places):
        return None
    for late in reversed(places):
        with trace.no_grad():
            index = late.index(trace, int(tensor.shape[late.axis]))
        entry = 0 if late.length is None else slice(0, late.length)
        part = basic_view(tensor.array, [*(slice(None) for _ in range(late.axis)), entry])
        step = EntryStep(part.shape, place=index, axis=late.axis)
        tensor = view_of(tensor, tensor.array.view(step, part.fake))
    return tensor


def as_tensors(trace: Trace, target: TensorValue, key: Value) -> Value:
    """A key of a write with tensors for what the call computes, which name the same elements."""
    entries = key.items if isinstance(key, TupleValue) else [key]
    split = split_key(key)
    if split is None or len(entries) > target.ndim or any(each is NONE for each in entries):
        return key
    late = {place: found for place, each in enumerate(entries) if (found := _late(each, place)) is not None}
    if any(each.length is not None for each in late.values()) and (len(late) > 1 or not _fit(target, [*late.values()])):
        return key
    tensors: dict[int, Value] = {}
    with trace.no_grad():
        for place, each in late.items():
            whole = each.length is not None
            node = each.index(trace, target.shape[place]) if whole else each.first.node(trace)
            tensors[place] = fresh(trace, node)
    return TupleValue([tensors.get(place, each) for place, each in enumerate(entries)])
