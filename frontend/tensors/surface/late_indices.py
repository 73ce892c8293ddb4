"""Elements of a tensor at a place that is a number which the call computes: `x[int(i)]`, `row[best[-1]]`."""

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
from ....ops.indexing import TAKE
from ....ops.pointwise import ADD, LESS, WHERE
from ...numpy.indexing import basic_view
from ...values.arrays.view_steps import Broadcast
from ...values.base import Value
from ...values.constant import NONE, Constant
from ...values.containers.ranges import SliceValue
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import ComputedNumber
from ...values.tensors.tensor import TensorValue, fresh, view_of
from .dispatch import number_node

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


def split_key(key: Value) -> tuple[Value, list[tuple[int, ComputedNumber]]] | None:
    """The key with whole slices for the ints that the call computes, and these, by their axes in what that key gives.

    None where there are none, or where other entries are more than ints, slices and None.
    """
    entries = list(key.items) if isinstance(key, TupleValue) else [key]
    late = [place for place, each in enumerate(entries) if _is_late(each)]
    if not late or not all(place in late or _is_basic(each) for place, each in enumerate(entries)):
        return None
    found: list[tuple[int, ComputedNumber]] = []
    axis = 0
    for place, each in enumerate(entries):
        if isinstance(each, ComputedNumber):
            found.append((axis, each))
            entries[place] = SliceValue(NONE, NONE, NONE)
        axis += isinstance(entries[place], SliceValue) or entries[place] is NONE
    return TupleValue(entries), found


def _is_late(entry: Value) -> bool:
    return isinstance(entry, ComputedNumber) and entry.python_type is int


def _is_basic(entry: Value) -> bool:
    return isinstance(entry, SliceValue) or isinstance(entry, Constant) and type(entry.value) in (int, type(None))


def entries_at(trace: Trace, tensor: TensorValue, places: list[tuple[int, ComputedNumber]]) -> TensorValue | None:
    """The view at these places, each of an axis; None where the size of an axis is not known, or 0."""
    extents = [tensor.shape[axis] for axis, _ in places]
    if is_symbolic(extents) or not all(extents):
        return None
    for axis, number in reversed(places):
        with trace.no_grad():
            place = _checked(trace, number.node(trace), int(tensor.shape[axis]))
        row = basic_view(tensor.array, [*(slice(None) for _ in range(axis)), 0])
        step = EntryStep(row.shape, place=place, axis=axis)
        tensor = view_of(tensor, tensor.array.view(step, row.fake))
    return tensor


def _checked(trace: Trace, place: Node, size: int) -> Node:
    """The place counted from the front. The plan leaves it to Python to raise where there is none."""
    zero, count = (number_node(trace, each, place.type.dtype, place.shape) for each in (0, size))
    front = trace.add(WHERE, trace.add(LESS, place, zero), trace.add(ADD, place, count), place)
    return trace.add(CHECKED_INDEX, front, size=size, ignore=None)


def as_tensors(trace: Trace, key: Value) -> Value:
    """A key of a write with tensors for the ints that the call computes, which name the same elements."""
    if split_key(key) is None:
        return key
    entries = key.items if isinstance(key, TupleValue) else [key]
    return TupleValue(
        [fresh(trace, each.node(trace)) if isinstance(each, ComputedNumber) else each for each in entries]
    )
