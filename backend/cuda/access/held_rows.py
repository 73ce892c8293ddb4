"""Rows whose elements a team keeps in registers, from the first loop over a row to the last."""

# Note [Rows in registers]
# A softmax goes over a row three times: for the maximum, for the sum, for the result. A thread takes the same elements
# each time, so it keeps them: each is loaded once, what a loop stores and a later one loads stays a value, and only the
# last store is made. The elements of a thread are written out one by one, in groups as in `wide_loops`: group number c
# of a thread lies c times the team's groups behind its first. Of the last groups some lie beyond the row: they read the
# row's first group again, which changes no extreme, are left out of sums and products, and store nothing. The sums of a
# thread are taken in pairs, so they are as accurate as NumPy's, in fewer steps than with errors kept. For a row of
# another length than planned, and for addresses that allow no groups, the loops are there too, behind `else`.

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....core.dtypes import DType
from ....core.records import dataclass
from ....loop_ir.ir import (
    Access,
    Accumulate,
    Amount,
    CheckedIndex,
    ColumnReduction,
    Fail,
    InnerLoop,
    Kernel,
    Let,
    Load,
    Loop,
    Ordered,
    Statement,
    Store,
    walk,
)
from ....loop_ir.passes.dce import names_read
from .wide_loops import (
    ACCESS_BYTES,
    MOST_BYTES,
    loads_and_stores,
    steps_fit,
    varying_names,
)

WARP = 32
MOST_HELD, MOST_OF_ALL = 64, 64
"""Elements of a row, and those of all arrays together, that a thread may keep.

Where no team can keep a row so, only those arrays are counted that a thread needs at once."""
LARGE, MOST_IN_LARGE = 256, 56
"""Threads of a block up to which each may take all registers that there are, and elements that a thread of a larger one
keeps, which has 128 registers."""
MOST_SHARED = 11 << 12
"""Units: bytes of shared memory for a row, of the 48 KB that each kernel may have: merges need some."""
MOST_STATEMENTS, MOST_STATEMENTS_OF_LONGER = 1024, 2048
"""Statements of all elements of a thread, where a row is held whole, and where it is longer: compiling takes long."""
MOST_OF_LONGER = 48
"""Elements of all arrays that a thread keeps of a longer row: loops over its rest need registers, too."""
MOST_TIMES = 3
"""Times what registers and shared memory hold: rows that are longer are not worth it."""
FEW, MANY_THREADS = 8, 1 << 16
"""Elements of a thread that are enough to be worth its while, and threads of a launch that are enough for a GPU."""
TEAMS = (32, 64, 96, 128, 192, 256, 384, 512)
"""The threads of a team: a warp, or a block."""


@dataclass(frozen=True, slots=True)
class HeldRows:
    """The loops over the rows of a kernel, if a team may keep a row.

    touched: the accesses that differ along a row, at places that the loops say.   varying: the names that do."""

    var: str
    extent: Amount
    touched: frozenset[Access]
    varying: frozenset[str]
    inner_loops: tuple[InnerLoop, ...]

    @property
    def contiguous(self) -> bool:
        return all((self.var, 1) in access.terms for access in self.touched)


@dataclass(frozen=True, slots=True)
class RowShare:
    """The part of a row that one of `threads` threads has: `held` elements, in groups of `wide`.

    shared: the elements of a longer row that lie in shared memory, of all threads: see Note [The rest of a row]."""

    threads: int
    held: int
    wide: int
    shared: int = 0


def held_rows(kernel: Kernel) -> HeldRows | None:
    """None where rows are of more than one loop, or where one thread may need what another one stores."""
    body = _row_body(kernel)
    if body is None or not kernel.noalias:
        return None
    inner_loops = tuple(each for each in body if isinstance(each, InnerLoop))
    if len({each.loops for each in inner_loops}) != 1 or len(inner_loops[0].loops) != 1:
        return None
    ((var, extent),) = inner_loops[0].loops
    inside = [each for inner in inner_loops for each in inner.body]
    if not all(isinstance(each, (Let, CheckedIndex, Fail, Store)) for each in inside):
        return None
    varying = varying_names(var, inside)
    of_row = {access for access in loads_and_stores(inside) if var in dict(access.terms)}
    touched = {access for access in of_row if varying.isdisjoint(name for name, _ in access.terms)}
    if not touched or not _own_stores(kernel, inside, touched):
        return None
    return HeldRows(var, extent, frozenset(touched), frozenset(varying), inner_loops)


def _row_body(kernel: Kernel) -> tuple[Statement, ...] | None:
    """The statements of a row: those around the loops over it."""
    body = kernel.body
    while not any(isinstance(each, InnerLoop) for each in body):
        loops = [each for each in body if isinstance(each, Loop)]
        if len(loops) != 1:
            return None
        body = loops[0].body
    nested = (Loop, Ordered, ColumnReduction, Accumulate)
    return None if any(isinstance(each, nested) for each in walk(body)) else body


def _own_stores(kernel: Kernel, inside: Sequence[Statement], touched: set[Access]) -> bool:
    """Whether what the loops over a row store is of the thread alone, and what else is stored is not of the row."""
    by_loops = {each.access for each in inside if isinstance(each, Store)}
    written = {access.pointer for access in by_loops}
    everywhere = {access for access in loads_and_stores(walk(kernel.body)) if access.pointer in written}
    stores = {each.access for each in walk(kernel.body) if isinstance(each, Store)}
    others = {access.pointer for access in stores - by_loops}
    return (
        by_loops <= touched
        and len(everywhere) == len(written)
        and others.isdisjoint(access.pointer for access in touched)
    )


def row_share(
    kernel: Kernel,
    found: HeldRows,
    known: Callable[[Amount], int],
    starts: Sequence[int],
    rows: int,
    teams: Sequence[int],
) -> RowShare | None:
    """The smallest of the teams that can keep a row, and what each of its threads takes; None where none can.

    Where there are few rows, threads take no more than `FEW` each, as far as teams are large enough for that.
    known: what an amount is. starts: of each pointer, in elements."""
    groups = list(_groups(kernel, found, known, starts))
    arrays = dict.fromkeys((len(found.touched), needed_at_once(found)))
    shares = (_share(found, known(found.extent), groups, rows, teams, count) for count in arrays)
    share = next((share for share in shares if share is not None), None)
    return share or _longer_share(found, known(found.extent), groups, max(teams, default=0))


def _share(
    found: HeldRows, size: int, groups: Sequence[int], rows: int, teams: Sequence[int], arrays: int
) -> RowShare | None:
    """The smallest of the teams that can keep a row of elements of so many arrays, and the share of a thread."""
    statements = sum(len(inner.body) + len(inner.reductions) for inner in found.inner_loops)
    smallest = None
    for threads in teams:
        shares = (RowShare(threads, -(-size // (threads * wide)) * wide, wide) for wide in groups)
        share = min(shares, key=lambda one: (one.held + one.held // one.wide, one.held))  # elements, and accesses
        most = MOST_HELD if threads <= LARGE else MOST_IN_LARGE
        if share.held > most or share.held * arrays > MOST_OF_ALL or share.held * statements > MOST_STATEMENTS:
            continue
        smallest = smallest or share
        if share.held <= FEW or rows * threads >= MANY_THREADS:
            return share
    return smallest


def _longer_share(found: HeldRows, size: int, groups: Sequence[int], threads: int) -> RowShare | None:
    """The share of a thread of a row of which registers hold a part, and shared memory another one; None where most of
    it would be in neither, or where a row is gone over once, which needs nothing kept."""
    itemsizes = [dtype.itemsize for dtype in shared_places(found).dtypes.values()]
    if len(found.inner_loops) < 2 or threads <= WARP or not itemsizes:
        return None
    statements = sum(len(inner.body) + len(inner.reductions) for inner in found.inner_loops)
    arrays = min(len(found.touched), needed_at_once(found))
    most = min(MOST_OF_LONGER // arrays, MOST_STATEMENTS_OF_LONGER // statements)
    wide = max(count for count in groups if count * max(itemsizes) <= ACCESS_BYTES)
    held, round_of_team = most // wide * wide, threads * wide
    rest = size - threads * held
    shared = min(-(-rest // round_of_team), MOST_SHARED // sum(itemsizes) // round_of_team) * round_of_team
    is_worth_it = held and 0 < rest and shared and size <= MOST_TIMES * (size - rest + shared)
    return RowShare(threads, held, wide, shared) if is_worth_it else None


@dataclass(frozen=True, slots=True)
class SharedPlaces:
    """The arrays in shared memory for what loops over a row leave to later ones.

    names: of the array for each access that needs one. dtypes: of each array. touched: the numbers of the loops that
    load or store an access, loads: of those that load what an earlier one has left, stores: of those that store."""

    names: dict[Access, str]
    dtypes: dict[str, DType]
    touched: dict[Access, list[int]]
    loads: dict[Access, list[int]]
    stores: dict[Access, list[int]]

    def is_there(self, access: Access, number: int) -> bool:
        """Whether a loop before this one has left it."""
        return access in self.names and any(each < number for each in self.touched[access])

    def needed_after(self, access: Access, number: int) -> bool:
        """Whether a later loop loads it."""
        return any(each > number for each in self.loads.get(access, ()))

    def stored_after(self, access: Access, number: int) -> bool:
        """Whether a later loop stores it anew."""
        return any(each > number for each in self.stores.get(access, ()))


def shared_places(found: HeldRows) -> SharedPlaces:
    """Arrays of which one serves several accesses, where the last element of one is read before the next is made."""
    touched, loads, stores = ({access: list[int]() for access in found.touched} for _ in range(3))
    first, last, dtypes, place = dict[Access, int](), dict[Access, int](), dict[Access, DType](), 0
    for number, inner in enumerate(found.inner_loops):
        for each in inner.body:
            place += 1
            if isinstance(each, Let) and isinstance(each.expression, Load) and each.expression.access in found.touched:
                access = each.expression.access
                if touched[access] and touched[access][-1] < number:
                    loads[access].append(number)
                    last[access] = place
            elif isinstance(each, Store) and each.access in found.touched:
                access = each.access
                stores[access].append(number)
            else:
                continue
            touched[access].append(number)
            first.setdefault(access, place)
            dtypes[access] = each.dtype
    names, arrays, free_from = dict[Access, str](), dict[str, DType](), dict[str, int]()
    for access in sorted(last, key=first.__getitem__):
        free = (name for name, end in free_from.items() if end < first[access] and arrays[name] is dtypes[access])
        name = next(free, f"row_{len(arrays)}")
        names[access], arrays[name], free_from[name] = name, dtypes[access], last[access]
    return SharedPlaces(names, arrays, touched, loads, stores)


def needed_at_once(found: HeldRows) -> int:
    """The most values of one element that a thread needs at any time: those that were loaded or made, and are used
    again, by a later statement or as what a loop leaves in memory."""
    memory: dict[Access, int] = {}
    uses: list[set[int]] = []
    """The values that each statement uses, in turn; a value is the number of the statement that made it."""
    stored = [{each.access for each in inner.body if isinstance(each, Store)} for inner in found.inner_loops]
    for number, inner in enumerate(found.inner_loops):
        names: dict[str, int] = {}
        for each in inner.body:
            uses.append({names[name] for name in names_read(each) if name in names})
            if isinstance(each, Store):
                memory[each.access] = names.get(each.value, len(uses) - 1)
            elif isinstance(each, (Let, CheckedIndex)) and each.name in found.varying:
                names[each.name] = len(uses) - 1
                if isinstance(each, Let) and isinstance(each.expression, Load):
                    if each.expression.access in found.touched:
                        names[each.name] = memory.setdefault(each.expression.access, len(uses) - 1)
        uses.append({names[each.value] for each in inner.reductions if each.value in names})
        uses.append({memory[access] for access in stored[number].difference(*stored[number + 1 :])})
    last = {value: place for place, used in enumerate(uses) for value in used}
    return max((sum(value <= place < end for value, end in last.items()) for place in range(len(uses))), default=1)


def _groups(kernel: Kernel, found: HeldRows, known: Callable[[Amount], int], starts: Sequence[int]) -> Iterator[int]:
    """The numbers of elements that a thread may take at once."""
    yield 1
    sizes = [kernel.pointers[access.pointer].itemsize for access in found.touched]
    count = min(ACCESS_BYTES // min(sizes), MOST_BYTES // max(sizes))
    while count > 1 and found.contiguous:
        if known(found.extent) % count == 0 and steps_fit(kernel, found.touched, found.var, count, known, starts):
            yield count
        count //= 2
