"""Reductions with few results as two kernels: one for parts of what is reduced, which threads share out, and one for
what became of the parts."""

# Note [Parts]
# A reduction of all elements has one result, so there is nothing to share out; one down the columns of a matrix has its
# columns, but narrow strips of a matrix are read slowly. From some size on such a reduction is cut along its outermost
# loop. A first kernel reduces parts of it, each to a place of its own in the arena: its range are the parts, and what
# is stored on the way is stored there. A second one reduces these, and does with the results what is to be done.
#
# How large a part is depends on the loops alone, never on how many threads there are, and a part is reduced as the
# whole would be. So results are the same to the bit for any number of threads. They are more accurate than in one go,
# too: whole sums of parts are held in float64 and added with the rounding error kept, and down a column each sum has
# fewer terms.
#
# An argmax stays whole: its parts would have to keep the place beside the value. So do reductions over an outer loop,
# which is shared out instead.

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from ...core.dtypes import DType, int64
from ...core.records import dataclass
from ...core.sizes import is_symbolic
from ...loop_ir.ir import (
    SEARCHED,
    Access,
    Accumulate,
    Amount,
    Apply,
    ColumnReduction,
    IndexValue,
    InnerLoop,
    Kernel,
    Let,
    Literal,
    Load,
    Loop,
    LoopReduction,
    Statement,
    Store,
)
from ...loop_ir.reductions import ReductionText
from ..evaluate.buffers import Buffer
from ..evaluate.expressions import ApplyItem, CheckItem, Item, LoadItem, StoreItem
from ..schedule.loop_nest import Nest
from .loop_order import LoopOrder, order_loops
from .lower import (
    PART,
    Binder,
    BoundKernel,
    Pointer,
    lets_first,
    loop_reductions,
    lower_in_one,
    starts_of,
    statements_of,
    statements_run,
    work_of,
)

PART_ELEMENTS = 1 << 16
"""Elements of a part, about."""
COLUMN_PART_ELEMENTS = 1 << 14
"""Elements of a part of columns, about, where it has rows enough."""
PART_ROWS = 256
"""Rows that a part of columns has at least: so what is kept of the parts is little beside what they are made of."""
MOST_COLUMNS = 1 << 15
"""Columns from which on they are shared out themselves."""
WHOLE_WORK = 600_000
"""Statements run up to which a reduction stays whole. Its bits depend on it, and so not on what ops cost."""

Temporary = Callable[[DType, int], Buffer]
"""Gives memory of the arena for so many elements."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """The way in which a nest is cut. rounds: of its outermost reduced loop, in a part.   parts: how many there are."""

    nest: Nest
    order: LoopOrder
    rounds: int
    parts: int


def lower_in_parts(nest: Nest, temporary: Temporary) -> list[BoundKernel]:
    """The kernels that do the work of a nest: one for all of it, or two. See Note [Parts]."""
    order = order_loops(nest)
    if nest.kind == "row" and _is_whole(nest, order):
        cut = _cut(nest, order, PART_ELEMENTS // max(prod(loop.extent for loop in order.reduced[1:]), 1), 1)
        if cut is not None:
            return _rows(cut, temporary)
    elif nest.kind == "column" and _is_columns(nest, order):
        assert order.column is not None
        across = order.column.extent * prod(loop.extent for loop in order.reduced[1:])
        cut = _cut(nest, order, COLUMN_PART_ELEMENTS // max(across, 1), PART_ROWS)
        if cut is not None:
            return _columns(cut, temporary)
    return [lower_in_one(nest)]


def _is_whole(nest: Nest, order: LoopOrder) -> bool:
    """Whether a nest reduces everything, once, to values."""
    (phase, *others) = nest.phases
    reductions = phase.reductions
    later = any(each.inner or each.reductions for each in others)
    searched = any(each.combine in SEARCHED for each in reductions)
    stored = any(isinstance(item, StoreItem) for item in phase.kept)
    sized = any(is_symbolic([loop.extent]) for loop in order.reduced[1:])
    return bool(order.reduced and reductions) and not (order.kept or later or searched or stored or sized)


def _is_columns(nest: Nest, order: LoopOrder) -> bool:
    """Whether a nest reduces few columns, each to values."""
    column = order.column
    if order.kept or column is None or is_symbolic([column.extent, *(loop.extent for loop in order.reduced[1:])]):
        return False
    reduced = sum(isinstance(item, StoreItem) and bool(item.accumulate) for item in nest.phases[0].inner)
    return column.extent < MOST_COLUMNS and reduced == len(nest.starts) > 0  # an argmax has two starts


def _cut(nest: Nest, order: LoopOrder, about: int, least: int) -> _Cut | None:
    """The cut of the outermost reduced loop into parts of about so many rounds; None where it stays whole."""
    if statements_run(nest) < WHOLE_WORK:
        return None
    rounds = max(about, least)
    extent = order.reduced[0].extent
    return _Cut(nest, order, rounds, -(-extent // rounds)) if extent >= 2 * rounds else None


def _kernel(binder: Binder, body: Iterable[Statement], extent: int, work: int) -> BoundKernel:
    kernel = Kernel(tuple(binder.dtypes), len(binder.sizes), tuple(body))
    return BoundKernel(kernel, tuple(binder.pointers), tuple(binder.sizes), extent, work)


def _pointer(binder: Binder, buffer: Buffer) -> int:
    binder.pointers.append(Pointer(buffer, 0))
    binder.dtypes.append(buffer.dtype)
    return len(binder.pointers) - 1


def _part(cut: _Cut, binder: Binder, inside: Callable[[tuple[tuple[str, Amount], ...]], Iterable[Statement]]) -> Loop:
    """The loop over parts: `inside` for the reduced loops, of which the outermost ends with the part."""
    extent = binder.extent(cut.order.reduced[0])
    within = (
        Let("left", int64, IndexValue(((PART, -cut.rounds),), extent)),
        Let("within", int64, Apply(f"min({{0}}, {cut.rounds})", ("left",))),
    )
    rest = [(f"j{k}", binder.extent(loop)) for k, loop in enumerate(cut.order.reduced) if k]
    return Loop(PART, "", (*within, *inside((("j0", "within"), *rest))), parallel=True)


# -- all elements ------------------------------------------------------------------------------------------------------
def _rows(cut: _Cut, temporary: Temporary) -> list[BoundKernel]:
    phase, reductions = cut.nest.phases[0], loop_reductions(cut.nest.phases[0].reductions)
    held = [ReductionText(each.combine, each.value_dtype, each.dtype).held for each in reductions]
    results = [temporary(dtype, cut.parts) for dtype in held]
    binder = Binder(cut.order, (cut.order.reduced[0], cut.rounds))
    lead = statements_of(phase.kept, binder)

    def inside(loops: tuple[tuple[str, Amount], ...]) -> Iterable[Statement]:
        body = statements_of(lets_first(phase.inner), binder)
        own = tuple(
            LoopReduction(each.name, each.combine, dtype, each.value, each.value_dtype)
            for each, dtype in zip(reductions, held, strict=True)
        )
        yield InnerLoop(loops, body, own)
        for each, result in zip(own, results, strict=True):
            yield Store(Access(_pointer(binder, result), ((PART, 1),)), each.name, result.dtype)

    of_parts = _kernel(binder, (*lead, _part(cut, binder, inside)), cut.parts, work_of(cut.nest))
    binder = Binder(cut.order)
    later = cut.nest.phases[1:]
    rest = [*phase.after, *(item for each in later for item in (*each.kept, *each.after))]
    lead = statements_of(_needed(phase.kept, rest), binder)
    body = (*lead, *_of_results(cut, binder, reductions, results), *statements_of(phase.after, binder))
    for each in later:
        body = (*body, *statements_of(lets_first(each.kept), binder), *statements_of(each.after, binder))
    return [of_parts, _kernel(binder, body, 1, cut.parts)]


def _of_results(
    cut: _Cut, binder: Binder, reductions: tuple[LoopReduction, ...], results: list[Buffer]
) -> Iterable[Statement]:
    """The reductions of what became of the parts, each under the name and in the dtype that the whole would have."""
    loads, own, casts = [], [], []
    for each, result in zip(reductions, results, strict=True):
        one = f"{each.name}_part"
        loads.append(Let(one, result.dtype, Load(Access(_pointer(binder, result), ((PART, 1),)))))
        exact = each.dtype is result.dtype
        name = each.name if exact else f"{each.name}_all"
        own.append(LoopReduction(name, each.combine, result.dtype, one, result.dtype))
        if not exact:
            casts.append(Let(each.name, each.dtype, Apply(f"{each.dtype.name}({{0}})", (name,))))
    return [InnerLoop(((PART, binder.size(cut.parts)),), tuple(loads), tuple(own)), *casts]


def _needed(items: list[Item], readers: list[Item]) -> list[Item]:
    """The items whose values the readers read, directly or by way of other items."""
    names: set[str] = set()
    kept: list[Item] = []
    for item in reversed([*items, *readers]):
        if item in readers or item.value.name in names:
            names |= _names(item)
            if item not in readers:
                kept.append(item)
    return kept[::-1]


def _names(item: Item) -> set[str]:
    """The names of values that an item reads."""
    match item:
        case StoreItem(value):
            found = {value.name}
        case ApplyItem(_, _, operands):
            found = set(operands)
        case CheckItem(_, operand):
            found = {operand}
        case _:
            found = set()
    if isinstance(item, (LoadItem, StoreItem)):
        found |= {var.name for var, _ in item.place.terms if var.dim < 0}
    return found


# -- columns -----------------------------------------------------------------------------------------------------------
def _columns(cut: _Cut, temporary: Temporary) -> list[BoundKernel]:
    order = cut.order
    assert order.column is not None
    count = order.column.extent
    inner = lets_first(cut.nest.phases[0].inner)
    reduced = [item for item in inner if isinstance(item, StoreItem) and item.accumulate]
    results = [temporary(item.buffer.dtype, cut.parts * count) for item in reduced]
    binder = Binder(order, (order.reduced[0], cut.rounds))

    def inside(loops: tuple[tuple[str, Amount], ...]) -> Iterable[Statement]:
        width = binder.size(count)
        own = [Access(_pointer(binder, result), ((PART, width), ("c", 1))) for result in results]
        before = [
            statement
            for k, (access, (_, _, constant)) in enumerate(zip(own, cut.nest.starts, strict=True))
            for statement in _start(k, access, results[k].dtype, constant)
        ]
        body = statements_of([item for item in inner if item not in reduced], binder)
        sums = tuple(
            Accumulate(access, item.accumulate, item.value.name, item.buffer.dtype)
            for access, item in zip(own, reduced, strict=True)
        )
        yield ColumnReduction("c", width, loops, tuple(before), (), (*body, *sums), ())

    of_parts = _kernel(binder, (_part(cut, binder, inside),), cut.parts, work_of(cut.nest))
    binder = Binder(order)
    width = binder.size(count)
    loads = tuple(
        Let(f"t{k}_part", result.dtype, Load(Access(_pointer(binder, result), ((PART, width), ("c", 1)))))
        for k, result in enumerate(results)
    )
    sums = tuple(
        Accumulate(binder.access(item.buffer, item.place), item.accumulate, load.name, load.dtype)
        for item, load in zip(reduced, loads, strict=True)
    )
    columns = ColumnReduction(
        "c",
        "",
        ((PART, binder.size(cut.parts)),),
        tuple(starts_of(cut.nest, binder)),
        (),
        (*loads, *sums),
        statements_of(lets_first(cut.nest.phases[1].kept), binder),
        parallel=True,
    )
    return [of_parts, _kernel(binder, (columns,), count, cut.parts * count)]


def _start(number: int, access: Access, dtype: DType, constant: bool | int | float) -> tuple[Statement, ...]:
    return Let(f"z{number}", dtype, Literal(constant)), Store(access, f"z{number}", dtype)
