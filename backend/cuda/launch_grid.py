"""The spread of a kernel's work over threads and blocks: the launch grid of its text, and the sizes of a launch.

A launch grid depends on sizes only roughly (short rows or long ones), so kernels of one structure share few texts.
Every text is right under every launch of its grid; the sizes decide speed alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod

from ...core.dtypes import DType, float64, int64, uint64
from ...core.records import dataclass, replace
from ...loop_ir.ir import (
    Accumulate,
    Amount,
    CheckedIndex,
    ColumnReduction,
    Fail,
    InnerLoop,
    Kernel,
    Let,
    Loop,
    Ordered,
    Store,
    walk,
)
from ..lowering.lower import BoundKernel
from .access import wide_loops
from .access.held_rows import TEAMS, RowShare, held_rows, row_share
from .access.wide_loops import group_size, steps_fit, wide_loop
from .kernels.atomic_sums import spread_sums
from .kernels.owners import is_owned, owner_counts
from .kernels.part_counts import BlockParts, amount, column_parts, row_parts
from .kernels.transposition import LINES, tile_counts, tiled_loads

WARP = 32
SHORT_ROW = 32
"""Elements below which one thread reduces a row."""
LONG_ROW = 1024
"""Elements above which a whole block reduces a row."""
FEW_ROWS = 32
"""Rows below which a column is reduced by one thread."""
ROW_LANES = 16
"""Threads that share the rows of one column."""
SHARED_BYTES = 40_000
NEAR = 1 << 30
"""The most iterations of a loop over the grid whose indices are of 32 bits."""
ANY_REGISTERS, BLOCK_BOUNDS = 256, (512, 1024)
"""Threads of a block that have registers enough whatever a kernel takes (255 of 65,536), and the bounds that kernels of
larger blocks are compiled for, so that each thread takes no more than its part."""
AXIS_BLOCKS = 65_535
"""The most blocks along the second and third axis of a grid."""

WORDS = (float64, int64, uint64)
"""The dtypes of the scalars that are passed by value."""

Sizes = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class LaunchGrid:
    """`team`: who makes one result: a "thread", a "warp", a "block", or the "rows" of a block (for column reductions);
    several blocks of the "grid", or several such blocks, "row parts", each of which makes a part: see Note [Tickets];
    or a warp of "owners": see Note [Owners]; or a block that goes through "tiles": see `kernels.transposition`.

    `shared_loop`: the loop of an `InnerLoop` whose iterations a team shares out. `spread`: of loops that run in order,
    those whose iterations touch memory of their own, so that threads share them out. `stops`: a kernel that does
    nothing once an earlier one has failed. `table`: a kernel that runs for every row of a table of extents and
    addresses. `by_value`: the pointers in whose place a number is passed itself, as its eight bytes. `far`: a loop over
    the grid needs indices of 64 bits. `wide`: the elements that a thread takes at once, see `access.wide_loops`.
    `held`: the elements of a row that a thread keeps, see `access.held_rows`, and `threads` of the block that does;
    `shared`: the elements of a longer row that lie in shared memory, behind those;
    `private`: the pointers to what nobody else will read, and need not be stored if a thread keeps it. `tiled`: the
    loop along which loads through tiles lie, and the names of these. `atomic`: sums are atomic, see Note [Atomic sums].
    """

    team: str = "thread"
    shared_loop: int = 0
    spread: tuple[str, ...] = ()
    stops: bool = False
    table: bool = False
    by_value: tuple[int, ...] = ()
    far: bool = False
    wide: int = 1
    tiled: tuple[str, ...] = ()
    held: int = 0
    threads: int = 0
    shared: int = 0
    private: tuple[int, ...] = ()
    atomic: bool = False


@dataclass(frozen=True, slots=True)
class DeviceLimits:
    """The most that a launch may use.

    Units: `threads` of a block, `blocks` of a grid, `warps` of a block whose warps work alone, `row_threads` of a block
    that reduces one row, `row_lanes` (a power of two) that share the rows of a column."""

    threads: int = 256
    blocks: int = 4096
    warps: int = 8
    row_threads: int = 512
    row_lanes: int = ROW_LANES
    sorted_elements: int = 2048
    """Elements of a row that one block sorts in shared memory."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The sizes of one launch, x first."""

    grid: Sizes
    block: Sizes


def with_bound(text: str, threads: int) -> str:
    """A kernel's text for blocks of so many threads. Where registers could be too few, it begins with their bound."""
    bound = next((bound for bound in BLOCK_BOUNDS if threads <= bound), None)
    return f"# blocks of {bound} threads at most\n{text}" if threads > ANY_REGISTERS and bound else text


def choose_launch_grid(bound: BoundKernel, stops: bool = False, limits: DeviceLimits | None = None) -> LaunchGrid:
    """The launch grid of a kernel with the sizes that one step binds to it."""
    chosen = _by_form(bound, stops)
    extents = extents_over_grid(bound, chosen)
    chosen = replace(chosen, far=max([*extents, *_inner_extents(bound)], default=0) > NEAR)
    if chosen.team == "thread":
        return replace(chosen, wide=_elements_at_once(bound, extents))
    share = _share_of_row(bound, chosen, limits or DeviceLimits())
    if share is None or not share.held:
        return chosen
    team = "warp" if share.threads == WARP else "block"
    return replace(chosen, team=team, wide=share.wide, held=share.held, threads=share.threads, shared=share.shared)


def _share_of_row(bound: BoundKernel, chosen: LaunchGrid, limits: DeviceLimits) -> RowShare | None:
    """The part of a row that a thread keeps in registers; None where rows are gone over again and again."""
    found = held_rows(bound.kernel) if chosen.team in ("warp", "block") else None
    if found is None:
        return None
    starts = [pointer.offset for pointer in bound.pointers]
    most, least = max(limits.row_threads, WARP), WARP if chosen.team == "warp" else WARP + 1
    teams = [threads for threads in TEAMS if least <= threads <= most]
    rows = prod(extents_over_grid(bound, chosen))
    return row_share(bound.kernel, found, partial(amount, bound), starts, rows, teams)


def table_grid(kernel: Kernel, extents: Sequence[int], stops: bool = False) -> LaunchGrid:
    """The launch grid of a kernel over the rows of a table. extents: of the rows."""
    found, longest = wide_loop(kernel), max(extents, default=0)
    wide = group_size(kernel, found) if found is not None and longest >= wide_loops.WIDE_FROM else 1
    return LaunchGrid(stops=stops, table=True, far=longest > NEAR, wide=wide)


def _elements_at_once(bound: BoundKernel, extents: Sequence[int]) -> int:
    """See `LaunchGrid.wide`."""
    found = wide_loop(bound.kernel)
    if found is None or prod(extents) < wide_loops.WIDE_FROM:
        return 1
    count = group_size(bound.kernel, found)
    starts = [pointer.offset for pointer in bound.pointers]
    whole = extents[-1] >= 2 * count and steps_fit(
        bound.kernel, found.wide, found.loop.var, count, partial(amount, bound), starts
    )
    return count if whole else 1


def _by_form(bound: BoundKernel, stops: bool) -> LaunchGrid:
    body = bound.kernel.body
    inner_loop = next((each for each in walk(body) if isinstance(each, InnerLoop)), None)
    columns = next((each for each in walk(body) if isinstance(each, ColumnReduction)), None)
    if inner_loop is not None:
        extents = [amount(bound, extent) for _, extent in inner_loop.loops]
        size = prod(extents)
        team = "thread" if size < SHORT_ROW else "warp" if size <= LONG_ROW else "block"
        last = len(extents) - 1
        shared = last if extents[last] >= WARP else max(range(len(extents)), key=lambda k: (extents[k], k))
        if row_parts(bound) is not None:
            team = "grid"
        return LaunchGrid(team, shared if team != "thread" else last, stops=stops)
    if columns is not None:
        rows = [amount(bound, extent) for _, extent in columns.rows]
        longest = max(range(len(rows)), key=lambda k: rows[k])
        team = "rows" if prod(rows) >= FEW_ROWS and rows_are_shareable(columns) else "thread"
        if team == "rows" and column_parts(bound, columns, longest) is not None:
            team = "row parts"
        return LaunchGrid(team, longest, stops=stops)
    tiled = tiled_loads(bound)
    if tiled:
        return LaunchGrid("tiles", stops=stops, tiled=tiled)
    spread = spread_sums(bound)
    if spread and not any(_may_overlap(bound, pointer) for pointer in bound.kernel.written()):
        return LaunchGrid(spread=spread, stops=stops, atomic=True)
    if _stores_apart(bound) and is_owned(bound):
        return LaunchGrid("owners", stops=stops)
    return LaunchGrid(spread=_spread(bound), stops=stops)


def launch_of(bound: BoundKernel, launch_grid: LaunchGrid, limits: DeviceLimits) -> Launch:
    """The sizes of a launch of a kernel with that launch grid."""
    *_, z, y, x = 1, 1, 1, *extents_over_grid(bound, launch_grid)
    split = split_of(bound, launch_grid)
    if split is not None:
        teams = x if launch_grid.team == "grid" else -(-x // WARP)
        across, down, deep = _grid((teams, y, z), max(1, limits.blocks // split.count))
        block = (limits.row_threads, 1, 1) if launch_grid.team == "grid" else (WARP, limits.row_lanes, 1)
        return Launch((across * split.count, down, deep), block)
    if launch_grid.team == "tiles":
        tiles, rounds = tile_counts(bound, launch_grid.tiled)
        return Launch(_grid((tiles, rounds, 1), limits.blocks), (WARP, LINES, 1))
    if launch_grid.team == "owners":
        across, owners = owner_counts(bound)
        across, down, _ = _grid((across, max(owners // limits.warps, 1), 1), limits.blocks)
        return Launch((across, 1 << (down.bit_length() - 1), 1), (WARP, limits.warps, 1))
    if launch_grid.team in ("warp", "block"):
        rows = limits.warps if launch_grid.team == "warp" else 1
        threads = WARP if launch_grid.team == "warp" else launch_grid.threads or _threads_of_row(bound, limits)
        return Launch(_grid((-(-x // rows), y, z), limits.blocks), (threads, rows, 1))
    if launch_grid.team == "rows":
        return Launch(_grid((-(-x // WARP), y, z), limits.blocks), (WARP, limits.row_lanes, 1))
    x = -(-x // launch_grid.wide)
    across = min(limits.threads, _power_of_two(x))
    down = min(limits.threads // across, _power_of_two(y))
    return Launch(_grid((-(-x // across), -(-y // down), z), limits.blocks), (across, down, 1))


def split_of(bound: BoundKernel, launch_grid: LaunchGrid) -> BlockParts | None:
    """The parts that blocks make of each result; None where one block makes all of it."""
    if launch_grid.team == "grid":
        return row_parts(bound)
    if launch_grid.team == "row parts":
        columns = next(each for each in walk(bound.kernel.body) if isinstance(each, ColumnReduction))
        return column_parts(bound, columns, launch_grid.shared_loop)
    return None


def _inner_size(bound: BoundKernel) -> int:
    """The elements of one inner loop."""
    inner_loop = next(each for each in walk(bound.kernel.body) if isinstance(each, InnerLoop))
    return prod(amount(bound, extent) for _, extent in inner_loop.loops)


def table_launch(extents: Sequence[int], limits: DeviceLimits, wide: int = 1) -> Launch:
    """The sizes of a launch over the rows of a table: rows along y, the elements of each along x.

    wide: see `LaunchGrid`."""
    longest = -(-max(extents, default=1) // wide)
    across = min(limits.threads, _power_of_two(longest))
    blocks = -(-longest // across)
    return Launch(_grid((min(blocks, limits.blocks), len(extents), 1), limits.blocks), (across, 1, 1))


def extents_over_grid(bound: BoundKernel, launch_grid: LaunchGrid) -> list[int]:
    """The extents of the loops that the threads of the grid share out, outermost first."""
    found: list[tuple[bool, Amount]] = []
    for each in walk(bound.kernel.body):
        if isinstance(each, (Loop, ColumnReduction)) or (isinstance(each, Ordered) and each.var in launch_grid.spread):
            found.append((each.parallel, each.extent))
    return [bound.extent if parallel else amount(bound, extent) for parallel, extent in found]


def _inner_extents(bound: BoundKernel) -> list[int]:
    """The extents of the loops that the threads of a team share out, and of those that each goes through."""
    loops = [each.loops for each in walk(bound.kernel.body) if isinstance(each, InnerLoop)]
    loops += [each.rows for each in walk(bound.kernel.body) if isinstance(each, ColumnReduction)]
    return [amount(bound, extent) for each in loops for _, extent in each]


def rows_are_shareable(columns: ColumnReduction) -> bool:
    """Whether the rows of a column may be reduced by several threads: only reductions read what a row before left."""
    starts = {each.access for each in columns.before if isinstance(each, Store)}
    row_vars = {var for var, _ in columns.rows}
    parts: list[DType] = []
    for each in (*columns.per_row, *columns.body):
        if isinstance(each, Accumulate):
            parts += [each.dtype, each.dtype]
            if each.access not in starts or each.access in [one.access for one in _others(columns, each)]:
                return False
        elif isinstance(each, Store):
            if not row_vars & {var for var, _ in each.access.terms}:
                return False
        elif not isinstance(each, (Let, CheckedIndex, Fail)):
            return False
    kept = [each for each in columns.before if isinstance(each, Store) and each.access not in _reduced(columns)]
    return not kept and sum(dtype.itemsize for dtype in parts) * ROW_LANES * WARP <= SHARED_BYTES


def _others(columns: ColumnReduction, one: Accumulate) -> Iterator[Accumulate]:
    return (each for each in columns.body if isinstance(each, Accumulate) and each is not one)


def _reduced(columns: ColumnReduction) -> set[object]:
    return {each.access for each in columns.body if isinstance(each, Accumulate)}


def _spread(bound: BoundKernel) -> tuple[str, ...]:
    """The loops in order whose every iteration stores to memory of its own, so that they need no order after all."""
    if not _stores_apart(bound):
        return ()
    store = next(each for each in walk(bound.kernel.body) if isinstance(each, Store))
    stored = {var for var, _ in store.access.terms}
    return tuple(each.var for each in walk(bound.kernel.body) if isinstance(each, Ordered) and each.var in stored)


def _stores_apart(bound: BoundKernel) -> bool:
    """Whether loops in order make one store, which goes to another place for each value of what its place is made of,
    checked indices among it, and nothing else reads what it writes."""
    ordered = [each for each in walk(bound.kernel.body) if isinstance(each, Ordered)]
    stores = [each for each in walk(bound.kernel.body) if isinstance(each, Store)]
    checks = {each.name: each for each in walk(bound.kernel.body) if isinstance(each, CheckedIndex)}
    extents = {each.var: amount(bound, each.extent) for each in ordered}
    extents |= {name: amount(bound, check.size) for name, check in checks.items()}
    if not ordered or len(stores) != 1 or not checks or _may_overlap(bound, stores[0].access.pointer):
        return False
    steps = sorted((abs(amount(bound, stride)), var) for var, stride in stores[0].access.terms)
    reach = 0
    for step, var in steps:
        if step <= reach:
            return False
        reach += step * (extents[var] - 1)
    return True


def _may_overlap(bound: BoundKernel, stored: int) -> bool:
    """Whether a store through one pointer may change what another pointer reads."""
    buffer = bound.pointers[stored].buffer
    if bound.kernel.noalias:
        return False
    if buffer.place == "input":
        return True
    return any(other.buffer is buffer for k, other in enumerate(bound.pointers) if k != stored)


def _threads_of_row(bound: BoundKernel, limits: DeviceLimits) -> int:
    return max(WARP, min(limits.row_threads, _power_of_two(_inner_size(bound)) // 4))


def _power_of_two(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length()


def _grid(wanted: Sizes, blocks: int) -> Sizes:
    x = max(1, min(wanted[0], blocks))
    y = max(1, min(wanted[1], blocks // x, AXIS_BLOCKS))
    return x, y, max(1, min(wanted[2], blocks // (x * y), AXIS_BLOCKS))
