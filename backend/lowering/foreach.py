"""Foreach kernels to loop IR: rows of one structure share a kernel, whose operands each row binds anew."""

from __future__ import annotations

from ...core.records import dataclass
from ...loop_ir.ir import Kernel
from ..evaluate.buffers import Buffer, BufferView
from ..evaluate.expressions import Evaluator, KernelValue, Place, StoreItem
from ..evaluate.index_algebra import Var, of_var
from ..schedule.foreach_rows import Column, ForeachKernel
from ..schedule.groups import GivenPlaces
from ..schedule.loop_nest import Nest, Phase
from .lower import Pointer, cost_of, lower_nest

ANY_EXTENT = 1 << 40
Signature = tuple[int, ...]
"""For each column the first one with the same memory in that row; -1 where the row has none."""


@dataclass(frozen=True, slots=True)
class BoundForeach:
    """A kernel and what each row binds to it: its elements, and of each of the kernel's pointers (buffer, element)."""

    kernel: Kernel
    extents: tuple[int, ...]
    columns: tuple[list[tuple[Buffer, int]], ...]
    sizes: tuple[int, ...]
    work: int

    @property
    def buffers(self) -> set[Buffer]:
        """All memory that the rows name."""
        return {buffer for column in self.columns for buffer, _ in column}

    @property
    def rows(self) -> tuple[tuple[int, tuple[Pointer, ...]], ...]:
        """Each row by itself: its elements, and where the kernel's pointers point to."""
        return tuple(
            (extent, tuple(Pointer(*column[row]) for column in self.columns)) for row, extent in enumerate(self.extents)
        )


def lower_foreach(foreach: ForeachKernel, places: GivenPlaces) -> list[BoundForeach]:
    """Kernels, each with its rows in order. Rows of different kernels do not touch the same memory."""
    classes: dict[Signature, list[int]] = {}
    for row, size in enumerate(foreach.segments.sizes):
        if size:
            classes.setdefault(_signature(foreach, row), []).append(row)
    found = (_bind(foreach, signature, rows, places.before(foreach.horizon)) for signature, rows in classes.items())
    return [bound for bound in found if bound is not None]


def _signature(foreach: ForeachKernel, row: int) -> Signature:
    first: dict[tuple[Buffer, int], int] = {}
    return tuple(
        -1 if (operand := column[row]) is None else first.setdefault(operand, number)
        for number, column in enumerate(foreach.columns)
    )


def _bind(foreach: ForeachKernel, signature: Signature, rows: list[int], places: GivenPlaces) -> BoundForeach | None:
    buffers = _row_buffers(foreach, signature)
    nest = _evaluated(foreach, signature, buffers, places)
    if nest is None:
        return None
    kernel, pointers, sizes = lower_nest(nest)
    columns = {buffer: foreach.columns[number] for number, buffer in enumerate(buffers) if buffer.number == number}
    bound = tuple(_bound_column(pointer, columns.get(pointer.buffer), rows) for pointer in pointers)
    extents = tuple(foreach.segments.sizes[row] for row in rows)
    return BoundForeach(kernel, extents, bound, sizes, sum(extents) * (1 + cost_of(nest.phases[0].kept)))


def _bound_column(pointer: Pointer, column: Column | None, rows: list[int]) -> list[tuple[Buffer, int]]:
    """The place that a pointer of the kernel points to in each row: a column, or one place for all."""
    if column is None:
        return [(pointer.buffer, pointer.offset)] * len(rows)
    assert pointer.offset == 0
    return [column[row] for row in rows]  # type: ignore[misc]


def _row_buffers(foreach: ForeachKernel, signature: Signature) -> list[Buffer]:
    """The buffers that stand for the memory of each column; columns of the same memory have the same buffer."""
    buffers: list[Buffer] = []
    for number, first in enumerate(signature):
        dtype = next(operand[0].dtype for operand in foreach.columns[number] if operand is not None)
        buffers.append(buffers[first] if 0 <= first < number else Buffer("row", number, dtype))
    return buffers


def _evaluated(foreach: ForeachKernel, signature: Signature, buffers: list[Buffer], places: GivenPlaces) -> Nest | None:
    """The items of one row; None when it stores nothing."""
    var = Var("v0", ANY_EXTENT, 0)
    place: Place = (of_var(var),)

    def view(column: int) -> BufferView:
        return BufferView(buffers[column], (ANY_EXTENT,), (foreach.steps[column],))

    def local(node: object, at: Place) -> KernelValue | None:
        column = foreach.leaves.get(node)  # type: ignore[call-overload]
        return None if column is None else evaluator.load(view(column), at)

    evaluator = Evaluator(places, local)
    stores = []
    for root in foreach.roots:
        present = [column for column in root.stores if signature[column] >= 0]
        if present:
            value = evaluator.value(root.node, place)
            stores += [StoreItem(value, buffers[column], view(column).at(place)) for column in present]
    return Nest("map", [var], [], [Phase([*evaluator.items, *stores])], evaluator.indices) if stores else None
