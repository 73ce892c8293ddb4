"""A group to loop IR, with what a call has to bind: which memory each pointer is, and the value of each size."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from math import prod

from ...core.dtypes import DType
from ...core.records import dataclass, replace
from ...loop_ir.ir import (
    Access,
    Accumulate,
    Amount,
    Apply,
    CheckedIndex,
    ColumnReduction,
    Expression,
    Fail,
    IndexValue,
    InnerLoop,
    Kernel,
    Let,
    Literal,
    Load,
    Loop,
    LoopReduction,
    Ordered,
    Statement,
    Store,
)
from ..evaluate.buffers import Buffer
from ..evaluate.expressions import ApplyItem, CheckItem, ConstantItem, FailItem, IndexItem, Item, LoadItem, StoreItem
from ..evaluate.index_algebra import Affine
from ..schedule.groups import GivenPlaces, Group
from ..schedule.loop_nest import Nest, Phase, ReductionItem, evaluated
from .loop_order import LoopOrder, MergedLoop, order_loops


@dataclass(frozen=True, slots=True)
class Pointer:
    """An operand of a kernel: element `offset` of `buffer`."""

    buffer: Buffer
    offset: int


@dataclass(frozen=True, slots=True)
class BoundKernel:
    """A kernel and what one step binds to it. `work` estimates the additions it does."""

    kernel: Kernel
    pointers: tuple[Pointer, ...]
    sizes: tuple[int, ...]
    extent: int
    work: int


PART = "part"
"""The variable that numbers parts of a loop."""


@dataclass(slots=True)
class Binder:
    """Names loops, sizes and pointers in the order in which they appear.

    cut: a loop that goes over a part of its range only, and how many rounds a part has; the part's number is `PART`.
    """

    order: LoopOrder
    cut: tuple[MergedLoop, int] | None = None
    loops: list[tuple[MergedLoop, str, bool]] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)
    dtypes: list[DType] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    extents: dict[MergedLoop, str] = field(default_factory=dict)
    strides: dict[tuple[int, ...], tuple[Amount, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept, reduced = self.order.kept, self.order.reduced
        column = (self.order.column,) if self.order.column else ()
        listed = [(loop, f"i{k}", loop is kept[-1] and not column) for k, loop in enumerate(kept)]
        listed += [(loop, f"j{k}", loop is reduced[-1] and not column) for k, loop in enumerate(reduced)]
        self.loops = listed + [(loop, "c", True) for loop in column]

    def size(self, value: int) -> str:
        self.sizes.append(value)
        return f"s{len(self.sizes) - 1}"

    def extent(self, loop: MergedLoop) -> str:
        if loop not in self.extents:
            self.extents[loop] = self.size(loop.extent)
        return self.extents[loop]

    def terms(self, place: Affine) -> tuple[tuple[str, Amount], ...]:
        steps = tuple(loop.stride(place) for loop, _, _ in self.loops)
        if steps not in self.strides:
            self.strides[steps] = tuple(
                step if step == 0 or (fastest and abs(step) == 1) else self.size(step)
                for step, (_, _, fastest) in zip(steps, self.loops, strict=True)
            )
            if self.cut is not None:
                loop, rounds = self.cut
                step = loop.stride(place) * rounds
                self.strides[steps] += (step and self.size(step),)
        amounts = self.strides[steps]
        names = [name for _, name, _ in self.loops] + [PART] * (self.cut is not None)
        named = [(name, amount) for name, amount in zip(names, amounts, strict=True) if amount != 0]
        read = [(var.name, step if step == 1 else self.size(step)) for var, step in place.terms if var.dim < 0]
        return (*named, *read)

    def access(self, buffer: Buffer, place: Affine) -> Access:
        pointer = Pointer(buffer, place.const)
        if pointer not in self.pointers:
            self.pointers.append(pointer)
            self.dtypes.append(buffer.dtype)
        return Access(self.pointers.index(pointer), self.terms(place))


def nest_of(group: Group, places: GivenPlaces, kept_stores: Callable[[Buffer], bool]) -> Nest:
    """The loops of `group` before they are ordered; stores into buffers that `kept_stores` refuses are left out."""
    nest, group.nest = evaluated(group, places), None  # which is not the group's from here on
    _drop_dead(nest, kept_stores)
    return nest


def lower_in_one(nest: Nest) -> BoundKernel:
    """The kernel of a nest."""
    order = order_loops(nest)
    kernel, pointers, sizes = _lowered(nest, order)
    parallel = order.kept[0] if order.kept else order.column
    extent = parallel.extent if parallel is not None and nest.kind != "scatter" else 1
    return BoundKernel(kernel, pointers, sizes, extent, work_of(nest))


def without_aliases(bound: BoundKernel, alias: Callable[[Buffer, Buffer], bool]) -> BoundKernel:
    """The kernel, marked `noalias` where no pointer that it stores through may share memory with another.

    `alias` says whether two buffers may share memory."""
    buffers = [each.buffer for each in bound.pointers]
    for k in bound.kernel.written():
        if any(alias(buffers[k], other) for j, other in enumerate(buffers) if j != k):
            return bound
    return replace(bound, kernel=replace(bound.kernel, noalias=True))


def lower_nest(nest: Nest) -> tuple[Kernel, tuple[Pointer, ...], tuple[int, ...]]:
    """The kernel of a nest, with its pointers and the values of its sizes."""
    return _lowered(nest, order_loops(nest))


def _lowered(nest: Nest, order: LoopOrder) -> tuple[Kernel, tuple[Pointer, ...], tuple[int, ...]]:
    binder = Binder(order)
    build = {"map": _rows, "row": _rows, "column": _columns, "scatter": _in_order}[nest.kind]
    body = build(nest, order, binder)
    return Kernel(tuple(binder.dtypes), len(binder.sizes), body), tuple(binder.pointers), tuple(binder.sizes)


def _drop_dead(nest: Nest, kept_stores: Callable[[Buffer], bool]) -> None:
    """Remove stores that nobody reads, then values that nobody uses."""
    used: set[str] = set()

    def keep(items: list[Item]) -> list[Item]:
        kept: list[Item] = []
        for item in reversed(items):
            if isinstance(item, StoreItem):
                if not item.accumulate and not kept_stores(item.buffer):
                    continue
                used.add(item.value.name)
            elif isinstance(item, FailItem):
                used.add(item.value.name)
            elif not isinstance(item, CheckItem) and item.value.name not in used:
                continue
            if isinstance(item, ApplyItem):
                used.update(item.operands)
            elif isinstance(item, CheckItem):
                used.add(item.operand)
            if isinstance(item, (LoadItem, StoreItem, IndexItem)):
                used.update(var.name for var, _ in item.place.terms if var.dim < 0)
            kept.append(item)
        return kept[::-1]

    for phase in reversed(nest.phases):
        phase.after = keep(phase.after)
        phase.reductions = [reduction for reduction in phase.reductions if reduction.result.name in used]
        for reduction in phase.reductions:
            used.update((reduction.value.name, reduction.position))
        phase.inner = keep(phase.inner)
        phase.kept = keep(phase.kept)


def statements_run(nest: Nest) -> int:
    """About how many statements it runs, whatever each of them costs."""
    inner = prod(var.extent for var in nest.reduced)
    outer = prod(var.extent for var in nest.kept)
    return sum(outer * len(phase.kept) + outer * inner * (len(phase.inner) + 1) for phase in nest.phases)


def work_of(nest: Nest) -> int:
    """About how many additions it does, by what ops declare to cost."""
    inner = prod(var.extent for var in nest.reduced)
    outer = prod(var.extent for var in nest.kept)
    return sum(outer * cost_of(phase.kept) + outer * inner * (cost_of(phase.inner) + 1) for phase in nest.phases)


def cost_of(items: Iterable[Item]) -> int:
    """About as many additions as the items take, each of them once."""
    return sum(item.cost if isinstance(item, ApplyItem) else 1 for item in items)


def _depth(item: Item, loops: list[MergedLoop]) -> int:
    """The number of `loops` that an item lies in: those up to the last one it depends on."""
    if isinstance(item, StoreItem):
        return len(loops)
    return max((k + 1 for k, loop in enumerate(loops) if any(var in item.value.vars for var in loop.vars)), default=0)


def _statement(item: Item, binder: Binder) -> list[Statement]:
    dtype = item.value.dtype
    match item:
        case StoreItem(value, buffer, place, ""):
            return [Store(binder.access(buffer, place), value.name, buffer.dtype)]
        case StoreItem(value, buffer, place, combine):
            return [Accumulate(binder.access(buffer, place), combine, value.name, buffer.dtype)]
        case CheckItem(value, operand, size):
            return [CheckedIndex(value.name, operand, binder.size(size))] if size else [Fail()]
        case FailItem(value):
            return [Fail(value.name)]
    return [Let(item.value.name, dtype, _expression(item, binder))]


def _expression(item: Item, binder: Binder) -> Expression:
    match item:
        case LoadItem(_, buffer, place):
            return Load(binder.access(buffer, place))
        case ConstantItem(_, constant):
            return Literal(constant)
        case ApplyItem(_, text, operands, widens):
            return Apply(text, operands, widens)
        case IndexItem(_, place):
            return IndexValue(binder.terms(place), binder.size(place.const) if place.const else 0)
    raise AssertionError(item)


def statements_of(items: Iterable[Item], binder: Binder) -> tuple[Statement, ...]:
    """The items as loop IR."""
    return tuple(each for item in items for each in _statement(item, binder))


def lets_first(items: list[Item]) -> list[Item]:
    """Loads come before stores, so that an iteration never reads what it has overwritten."""
    return [item for item in items if not isinstance(item, StoreItem)] + [
        item for item in items if isinstance(item, StoreItem)
    ]


def _rows(nest: Nest, order: LoopOrder, binder: Binder) -> tuple[Statement, ...]:
    """Loops over what is kept; in them, inner loops over what is reduced."""
    loops = list(order.kept)
    hoisted: list[list[Item]] = [[] for _ in loops]
    inside: list[Statement] = []
    early: list[Phase] = []
    for phase in nest.phases:
        here: list[Item] = []
        for item in phase.kept:
            depth = _depth(item, loops)
            (here if depth == len(loops) else hoisted[depth]).append(item)
        early.append(Phase(here, phase.inner, phase.reductions, phase.after))
    outer = [statements_of(items, binder) for items in hoisted]
    for loop in loops[1:]:
        binder.extent(loop)
    for phase in early:
        inside += statements_of(phase.kept if order.reduced else lets_first(phase.kept), binder)
        if order.reduced and (phase.inner or phase.reductions):
            ranges = tuple((f"j{k}", binder.extent(loop)) for k, loop in enumerate(order.reduced))
            inside.append(
                InnerLoop(ranges, statements_of(lets_first(phase.inner), binder), loop_reductions(phase.reductions))
            )
        inside += statements_of(phase.after, binder)
    body: tuple[Statement, ...] = tuple(inside)
    for k in reversed(range(len(loops))):
        extent = "" if k == 0 else binder.extent(loops[k])
        body = (*outer[k], Loop(f"i{k}", extent, body, parallel=k == 0))
    return body


def loop_reductions(reductions: list[ReductionItem]) -> tuple[LoopReduction, ...]:
    """The reductions as loop IR."""
    return tuple(
        LoopReduction(
            reduction.result.name,
            reduction.combine,
            reduction.result.dtype,
            reduction.value.name,
            reduction.value.dtype,
            reduction.position,
        )
        for reduction in reductions
    )


def _columns(nest: Nest, order: LoopOrder, binder: Binder) -> tuple[Statement, ...]:
    """Loops over what is kept but for the innermost; in them, rows reduced into a run of columns."""
    assert order.column is not None
    outer, body, after = list(order.kept), nest.phases[0].inner, nest.phases[1].kept
    loops = [*outer, *order.reduced, order.column]
    hoisted: list[list[Item]] = [[] for _ in outer]
    per_row: list[Item] = []
    inner: list[Item] = []
    first: list[Item] = []
    for item in body:
        depth = _depth(item, loops)
        if depth < len(outer):
            hoisted[depth].append(item)
        elif depth == len(outer):
            first.append(item)
        else:
            (inner if depth == len(loops) else per_row).append(item)
    heads = [statements_of(items, binder) for items in hoisted]
    before = tuple(starts_of(nest, binder))
    lead = statements_of(first, binder)
    ranges = tuple((f"j{k}", binder.extent(loop)) for k, loop in enumerate(order.reduced))
    columns = ColumnReduction(
        "c",
        "" if not outer else binder.extent(order.column),
        ranges,
        before,
        statements_of(per_row, binder),
        statements_of(lets_first(inner), binder),
        statements_of(lets_first(after), binder),
        parallel=not outer,
    )
    result: tuple[Statement, ...] = (*lead, columns)
    for k in reversed(range(len(outer))):
        result = (*heads[k], Loop(f"i{k}", "" if k == 0 else binder.extent(outer[k]), result, parallel=k == 0))
    return result


def starts_of(nest: Nest, binder: Binder) -> Iterable[Statement]:
    """The stores before the first row."""
    for k, (view, place, constant) in enumerate(nest.starts):
        dtype = view.buffer.dtype
        yield Let(f"z{k}", dtype, Literal(constant))
        yield Store(binder.access(view.buffer, place), f"z{k}", dtype)


def _in_order(nest: Nest, order: LoopOrder, binder: Binder) -> tuple[Statement, ...]:
    """Loops that run in the order of the scattered index, each element added before the next."""
    body = statements_of(nest.phases[0].kept, binder)
    for k, loop in reversed(list(enumerate(order.kept))):
        body = (Ordered(f"i{k}", binder.extent(loop), body),)
    return body
