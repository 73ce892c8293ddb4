"""The parts of reductions that several blocks share.

Their number follows from the sizes of the reduction alone, and so does what each part takes in: neither depends on the
device, so the results do not.
"""

from __future__ import annotations

from math import prod

from ....core.dtypes import DType
from ....core.records import dataclass
from ....loop_ir.ir import (
    Accumulate,
    Amount,
    CheckedIndex,
    ColumnReduction,
    Fail,
    InnerLoop,
    Kernel,
    Let,
    Loop,
    Statement,
    Store,
    walk,
)
from ...lowering.lower import BoundKernel
from ..access.wide_loops import loads_and_stores
from ..reductions import DeviceReduction

WARP = 32
BLOCKS = 384
"""Blocks that a launch is split for: what a device of some 130 multiprocessors takes at a time, three on each."""
SPLIT_FROM = 1 << 15
"""Elements of a row from which several blocks share it."""
PART_ELEMENTS, PART_ROWS = 1 << 12, 128
"""The fewest elements of a row, and rows of a column, that are worth a block of their own."""
MOST_PARTS = 512
CELL_BYTES = 8
"""Units: bytes of scratch memory for a part of a reduction, whatever its dtype."""


@dataclass(frozen=True, slots=True)
class BlockParts:
    """A reduction in `count` parts, by whose number a block knows its own. places: the results (rows, or blocks of
    columns) that have parts; cells: the words of each part."""

    count: int
    places: int
    cells: int

    @property
    def nbytes(self) -> int:
        """Bytes of memory for all parts."""
        return CELL_BYTES * self.cells * self.count * self.places


def row_parts(bound: BoundKernel) -> BlockParts | None:
    """The parts of each row of a kernel that reduces rows in one loop, fewer than fill a device; None where blocks do
    them. What the loop stores besides has to be of its own element, and of nobody else."""
    inner_loop = _only_reduction(bound.kernel.body)
    if inner_loop is None or not _stores_own_elements(bound.kernel, inner_loop):
        return None
    size = prod(amount(bound, extent) for _, extent in inner_loop.loops)
    rows = prod(_extents(bound))
    count = min(size // PART_ELEMENTS, MOST_PARTS if rows == 1 else -(-BLOCKS // max(rows, 1)))
    if size < SPLIT_FROM or count < 2:
        return None
    cells = sum(_words(each.combine, each.value_dtype) for each in inner_loop.reductions)
    return BlockParts(count, rows, cells)


def column_parts(bound: BoundKernel, columns: ColumnReduction, shared_loop: int) -> BlockParts | None:
    """The parts of a column whose rows may be shared out; None where a block does them."""
    extent = bound.extent if columns.parallel else amount(bound, columns.extent)
    places = prod(_extents(bound)) * -(-extent // WARP)
    rows = amount(bound, columns.rows[shared_loop][1])
    count = min(rows // PART_ROWS, -(-BLOCKS // max(places, 1)), MOST_PARTS)
    if count < 2:
        return None
    reduced = {each.access: each for each in columns.body if isinstance(each, Accumulate)}
    return BlockParts(count, places, WARP * sum(_words(each.combine, each.dtype) for each in reduced.values()))


def _words(combine: str, dtype: DType) -> int:
    return len(DeviceReduction("", combine, dtype, dtype).parts)


def _only_reduction(body: tuple[Statement, ...]) -> InnerLoop | None:
    """The one inner loop of a kernel, or of its rows, which reduces, with nothing but values before it."""
    if sum(isinstance(each, (InnerLoop, ColumnReduction)) for each in walk(body)) != 1:
        return None
    for k, each in enumerate(body):
        if isinstance(each, Loop):
            return _only_reduction(each.body) if k == len(body) - 1 else None
        if isinstance(each, InnerLoop):
            values = all(isinstance(one, (Let, CheckedIndex, Fail, Store)) for one in each.body)
            flat = not any(isinstance(one, Loop) for one in body[k + 1 :])
            return each if values and flat and each.reductions else None
        if not isinstance(each, (Let, CheckedIndex, Fail)):
            return None
    return None


def _stores_own_elements(kernel: Kernel, inner_loop: InnerLoop) -> bool:
    """Whether blocks may go through a loop at the same time, for all that it stores: nothing else that the kernel loads
    or stores lies in that memory."""
    stores = {each.access for each in inner_loop.body if isinstance(each, Store)}
    if not stores:
        return True
    written = {access.pointer for access in stores}
    there = {access for access in loads_and_stores(walk(kernel.body)) if access.pointer in written}
    rows = {each.var for each in walk(kernel.body) if isinstance(each, Loop)}
    variables = rows | {var for var, _ in inner_loop.loops}
    alone = kernel.noalias and there == stores and len(stores) == len(written)
    return alone and all(variables == {var for var, _ in one.terms} for one in stores)


def _extents(bound: BoundKernel) -> list[int]:
    loops = [each for each in walk(bound.kernel.body) if isinstance(each, Loop)]
    return [bound.extent if each.parallel else amount(bound, each.extent) for each in loops]


def amount(bound: BoundKernel, value: Amount) -> int:
    """The number behind a literal or an entry of the sizes table."""
    return value if isinstance(value, int) else bound.sizes[int(value[1:])]
