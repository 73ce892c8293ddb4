"""Products of matrices whose rows or columns are windows of an array: read where they lie, and never copied out.

Windows of an image are columns of a matrix that has each element several times. A kernel of our own copies the part of
them that it multiplies next, which stays in the first cache.
"""

# Note [Axes in parts]
# An axis of an operand is a list of parts, slowest first, each with a size and the step in memory that one more of it
# takes. An ordinary matrix has axes of one part; windows [C, KH, KW] by [OH, OW] have axes of three and of two.

from __future__ import annotations

import math
from collections.abc import Sequence

from ...core.devices import CPU
from ...core.records import dataclass
from ...core.sizes import is_symbolic
from ...core.types import contiguous_strides
from ...graph.node import Node
from ...ops import movement
from ..evaluate.buffers import Buffer, BufferView
from .calls import Call
from .groups import GivenPlaces, Schedule, add_step, temporary
from .moved_views import MOVED, Axis, Part, merged, moved_view
from .operands import store_value

MOST_PARTS = 4
"""Parts of an axis that the kernels know."""
APART = (1, 2)
"""Elements from one column to the next along a line of windows that kernels know."""
LONGEST = 256
"""Entries of a part at most that is to stay in one panel."""


@dataclass(frozen=True, slots=True)
class PartedMatrices:
    """Matrices in memory whose axes have parts: those of the batch, of the rows and of the columns."""

    buffer: Buffer
    offset: int
    batch: Axis
    rows: Axis
    columns: Axis


@dataclass(frozen=True, slots=True)
class WindowProduct(Call):
    """`result = left @ right`, where an operand has axes of several parts.

    form: "columns": the columns of the right operand are windows. "rows": the rows of the left one are, and the parts
        that the sum runs over agree on both sides.
    """

    form: str
    left: PartedMatrices
    right: PartedMatrices
    result: BufferView

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        return self.left.buffer, self.right.buffer, self.result.buffer

    @property
    def work(self) -> int:
        return math.prod(self.result.shape) * math.prod(size for size, _ in self.left.columns)

    def describe(self) -> list[str]:
        return [f"product of windows {self.left.buffer} @ {self.right.buffer} -> {self.result.buffer}"]

    def loads(self, places: GivenPlaces) -> set[Buffer]:
        return {self.left.buffer, self.right.buffer}


def realise_window_product(schedule: Schedule, node: Node) -> bool:
    """Whether `node` got a step that multiplies windows; if not, it is an ordinary product."""
    if schedule.graph.device != CPU or not _may_be_windows(node) or not _suits_processor(node):
        return False
    left, right = (_parted(schedule, each) for each in node.inputs)
    if left is None or right is None:
        return False
    found = _by_columns(left, right) or _by_rows(left, right)
    if found is None:
        return False
    form, left, right = found
    strides = contiguous_strides(node.shape)
    views = schedule.targets.get(node, [])
    home = next((each for each in views if each.strides == strides), None) or temporary(schedule, node.type)
    call = WindowProduct(form, left, right, home)
    add_step(schedule, call, [left.buffer, right.buffer], [home.buffer])
    schedule.places[node] = home
    return True


def _may_be_windows(node: Node) -> bool:
    """Whether an operand goes back to windows: whatever else is there, BLAS reads."""
    if is_symbolic(node.shape) or not node.type.size:
        return False
    pending = list(node.inputs)
    while pending:
        each = pending.pop()
        if each.op is movement.AS_STRIDED:
            return True
        if each.op in (movement.RESHAPE, movement.PERMUTE):
            pending.append(each.inputs[0])
    return False


def _suits_processor(node: Node) -> bool:
    from ..cpu.matmul import tiles

    return node.type.dtype.code in ("f32", "f64") and bool(tiles.vector_bytes())


# -- operands ----------------------------------------------------------------------------------------------------------
def _parted(schedule: Schedule, node: Node) -> PartedMatrices | None:
    """An operand as it lies in memory; None where its axes have no steps of their own."""
    inner = node.inputs[0] if node.op is movement.RESHAPE else node
    view = _view(schedule, inner)
    if view is None:
        return None
    axes = _grouped(view, node.shape)
    if axes is None:
        return None
    *batch, rows, columns = axes
    parts = tuple(part for axis in batch for part in axis)
    return PartedMatrices(view.buffer, view.offset, merged(parts), rows, columns)


def _view(schedule: Schedule, node: Node) -> BufferView | None:
    """The memory of a value that only movements stand before; what they move is stored now if it was not."""
    if node in schedule.places:
        return schedule.places[node]
    if node.op is movement.AS_STRIDED:
        return _strided(schedule, node)
    if node.op not in MOVED:
        return store_value(schedule, node)
    view = _view(schedule, node.inputs[0])
    if view is None:
        return None
    moved = moved_view(node, view)
    return store_value(schedule, node) if moved is None else moved  # a copy: no steps lead from element to element


def _strided(schedule: Schedule, node: Node) -> BufferView | None:
    vector = node.inputs[0]
    base = vector.inputs[0] if vector.op is movement.RESHAPE else vector
    place = store_value(schedule, base)
    dense = contiguous_strides(base.shape)
    if any(size > 1 and step != other for size, step, other in zip(base.shape, place.strides, dense, strict=True)):
        return None
    strides, offset = node.attr("strides"), node.attr("offset")
    assert isinstance(strides, tuple) and isinstance(offset, int)
    return BufferView(place.buffer, node.shape, strides, place.offset + offset)


def _grouped(view: BufferView, shape: Sequence[int]) -> list[Axis] | None:
    """The axes of a matrix of `shape` in terms of those of the view, which it merges and cuts."""
    entries = list(zip(view.shape, view.strides, strict=True))[::-1]
    axes: list[Axis] = []
    for size in shape:
        found: list[Part] = []
        count = 1
        while count < size and entries:
            have, step = entries.pop()
            wanted = size // count
            if have > wanted and have % wanted == 0:
                entries.append((have // wanted, step))
                have, step = wanted, step * (have // wanted)
            found.append((have, step))
            count *= have
        if count != size:
            return None
        axes.append(merged(tuple(found)))
    return axes if all(size == 1 for size, _ in entries) else None


# -- forms -------------------------------------------------------------------------------------------------------------
Found = tuple[str, PartedMatrices, PartedMatrices]


def _fits(*operands: PartedMatrices) -> bool:
    return all(len(axis) <= MOST_PARTS for each in operands for axis in (each.rows, each.columns))


def _by_columns(left: PartedMatrices, right: PartedMatrices) -> Found | None:
    """An ordinary left operand, and windows whose last part of columns follow one another, or lie two apart."""
    if len(left.rows) > 1 or len(left.columns) > 1 or not right.columns or right.columns[-1][1] not in APART:
        return None
    if len(right.rows) < 2 and len(right.columns) < 2:
        return None  # a matrix
    batch = _agreeing(left.batch, right.batch)
    if batch is None or len(batch[0]) > 2 or not _fits(right):
        return None
    if math.prod(size for size, _ in right.rows[1:]) > LONGEST:
        return None
    one, two = batch
    return (
        "columns",
        PartedMatrices(left.buffer, left.offset, one, left.rows, left.columns),
        PartedMatrices(right.buffer, right.offset, two, right.rows, right.columns),
    )


def _by_rows(left: PartedMatrices, right: PartedMatrices) -> Found | None:
    """Windows on the left, summed over parts; on the right, columns apart whose sum runs along memory in the end."""
    summed = _agreeing(left.columns, right.rows)
    batch = _agreeing(left.batch, right.batch)
    if summed is None or batch is None or len(right.columns) > 1 or len(batch[0]) > 1:
        return None
    one, two = (_cut(axis) for axis in summed)
    if one is None or two is None or not one or two[-1][1] != 1:
        return None
    if len(two) > 1 and two[-2][1] != two[-1][0]:
        one, two = (*one[:-1], (1, 0), one[-1]), (*two[:-1], (1, 0), two[-1])
    if len(one) == 1:
        one, two = ((1, 0), *one), ((1, 0), *two)
    if len(one) > MOST_PARTS or not _fits(left):
        return None
    return (
        "rows",
        PartedMatrices(left.buffer, left.offset, batch[0], left.rows, one),
        PartedMatrices(right.buffer, right.offset, batch[1], two, right.columns),
    )


def _agreeing(one: Axis, two: Axis) -> tuple[Axis, Axis] | None:
    """Both axes in parts of the same sizes; None where the parts do not fit into each other."""
    first, second = list(one), list(two)
    made: list[tuple[Part, Part]] = []
    while first and second:
        (a, step_a), (b, step_b) = first.pop(), second.pop()
        size = min(a, b)
        if a % size or b % size:
            return None
        made.append(((size, step_a), (size, step_b)))
        if a > size:
            first.append((a // size, step_a * size))
        if b > size:
            second.append((b // size, step_b * size))
    if first or second:
        return None
    made.reverse()
    return tuple(each for each, _ in made), tuple(each for _, each in made)


def _cut(axis: Axis) -> Axis | None:
    """The parts, of which the last has at most `LONGEST` entries."""
    if not axis or axis[-1][0] <= LONGEST:
        return axis
    size, step = axis[-1]
    width = next((each for each in range(LONGEST, 31, -1) if size % each == 0), None)
    return None if width is None else (*axis[:-1], (size // width, step * width), (width, step))
