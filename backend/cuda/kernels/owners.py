"""Scattered values, each by the warp that owns the place where it goes."""

# Note [Owners]
# Values that go to one place have to be added in their order. So each place belongs to one warp: its number is the
# lowest bits of the index. All warps go through all indices, 32 at a time, and vote which of them are theirs; for these
# they do what the loops say, 32 columns at once, in the order of the indices. However many owners there are, a place
# sees the same additions in the same order, so the bits of a result do not depend on it.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....core.records import dataclass
from ....loop_ir.ir import CheckedIndex, Fail, IndexValue, Let, Load, Ordered, Statement, Store, walk
from ...lowering.lower import BoundKernel
from .part_counts import WARP, amount

if TYPE_CHECKING:
    from ..kernel_writer import KernelWriter

    BodyLines = Callable[[KernelWriter, tuple[Statement, ...]], None]

WARPS = 1 << 12
"""Warps that a launch is shared out to: four blocks of eight on each of some 130 multiprocessors."""
FEWEST = 64
"""Indices from which warps vote on them."""


@dataclass(frozen=True, slots=True)
class OwnedRows:
    """Loops in order that scatter. rows: the loop over the indices; place: the checked index; columns: the loop whose
    iterations the lanes of a warp share out, if there is one; between: loops that each lane goes through; before: the
    statements that make the index, of nothing but the row; then: those that follow."""

    rows: Ordered
    place: CheckedIndex
    columns: Ordered | None
    between: tuple[Ordered, ...]
    before: tuple[Statement, ...]
    then: tuple[Statement, ...]


def owned_rows(body: Sequence[Statement]) -> OwnedRows | None:
    """The parts of a kernel that scatters by an index that follows from its outermost loop; None for another one.

    Whether its stores lie apart is not looked at."""
    loops: list[Ordered] = []
    while len(body) == 1 and isinstance(body[0], Ordered):
        loops.append(body[0])
        body = body[0].body
    checks = [k for k, each in enumerate(body) if isinstance(each, CheckedIndex)]
    if not loops or not checks or any(isinstance(each, Ordered) for each in walk(tuple(body))):
        return None
    before, then = tuple(body[: checks[0] + 1]), tuple(body[checks[0] + 1 :])
    place = body[checks[0]]
    stores = [each for each in then if isinstance(each, Store)]
    if not all(_follows_from(each, loops[0].var) for each in before) or len(stores) != 1:
        return None
    assert isinstance(place, CheckedIndex)
    if place.name not in {var for var, _ in stores[0].access.terms}:
        return None
    columns = loops[-1] if len(loops) > 1 else None
    return OwnedRows(loops[0], place, columns, tuple(loops[1:-1]), before, then)


def _follows_from(each: Statement, var: str) -> bool:
    if isinstance(each, (CheckedIndex, Fail)):
        return True
    if not isinstance(each, Let):
        return False
    match each.expression:
        case Load(access):
            return {name for name, _ in access.terms} <= {var}
        case IndexValue(terms):
            return {name for name, _ in terms} <= {var}
    return True  # of values that were made before


def is_owned(bound: BoundKernel) -> bool:
    """Whether there are indices enough for warps to vote on. Whether stores lie apart is not looked at."""
    found = owned_rows(bound.kernel.body)
    return found is not None and amount(bound, found.rows.extent) >= FEWEST


def owner_counts(bound: BoundKernel) -> tuple[int, int]:
    """The number of warps that share out the columns, and of those that own places, a power of two."""
    found = owned_rows(bound.kernel.body)
    assert found is not None
    columns = amount(bound, found.columns.extent) if found.columns is not None else 1
    across = -(-columns // WARP)
    owners = min(max(amount(bound, found.place.size), 1), -(-WARPS // across))
    return across, 1 << (owners - 1).bit_length()


def owned_lines(writer: KernelWriter, body_lines: BodyLines) -> None:
    """Appends the lines of the whole kernel. body_lines: appends those of statements. See Note [Owners]."""
    found = owned_rows(writer.kernel.body)
    assert found is not None
    row, extent = found.rows.var, found.rows.extent
    writer.put("owner = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y")
    writer.put_all(["owners = cuda.gridDim.y * cuda.blockDim.y", f"{row}_first = 0", f"while {row}_first < {extent}:"])
    depth = writer.depth
    writer.depth += 1
    writer.put_all([f"{row} = {row}_first + lane", "is_mine = boolean(False)", f"if {row} < {extent}:"])
    writer.depth += 1
    body_lines(writer, found.before)
    writer.put(f"is_mine = ({found.place.name} & (owners - 1)) == owner")
    writer.depth -= 1
    writer.put_all(["mine = voted(is_mine)", "while mine != 0:"])
    writer.depth += 1
    writer.put_all([f"{row} = {row}_first + lowest_bit(mine)", "mine = mine & (mine - 1)"])
    if found.columns is None:
        writer.put("if (lane == 0) & (cuda.blockIdx.x == 0):")
    else:
        column = found.columns.var
        writer.put(f"{column} = cuda.grid(1)")
        writer.put(f"while {column} < {found.columns.extent}:")
    inside = writer.depth + 1
    writer.depth = inside
    for loop in found.between:
        writer.put(f"for {loop.var} in range({loop.extent}):")
        writer.depth += 1
    body_lines(writer, (*found.before, *found.then))
    writer.depth = inside
    if found.columns is not None:
        writer.put(f"{found.columns.var} += cuda.gridsize(1)")
    writer.depth = depth + 1
    writer.put(f"{row}_first += {WARP}")
    writer.depth = depth
