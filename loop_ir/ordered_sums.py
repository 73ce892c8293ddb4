"""Sums that loops in order add up at places in memory: scattered sums, where they may be added in any order."""

from __future__ import annotations

from collections import Counter

from ..core.dtypes import DType
from ..core.records import dataclass, replace
from .ir import Access, Accumulate, Apply, CheckedIndex, Fail, Kernel, Let, Load, Ordered, Statement, Store
from .passes.dce import names_read

SUM = "({0} + {1})"
"""The text of a sum in the loops of a kernel."""


@dataclass(frozen=True, slots=True)
class OrderedSum:
    """loops: in order, outermost first; body: of the innermost, with the sum as an `Accumulate`, its last statement;
    loaded: the place that was loaded, which is that of the sum if its strides are the same numbers."""

    loops: tuple[Ordered, ...]
    body: tuple[Statement, ...]
    loaded: Access

    @property
    def sum(self) -> Accumulate:
        """The statement that adds to a place."""
        found = self.body[-1]
        assert isinstance(found, Accumulate)
        return found

    @property
    def dtype(self) -> DType:
        """The dtype of what is added up."""
        return self.sum.dtype


def ordered_sum(kernel: Kernel) -> OrderedSum | None:
    """The parts of a kernel that does nothing but add values to places in memory; None for another one.

    ```
    t4 = p2[t1 * s3]     ->    p2[t1 * s4] sum= t2
    t5 = (t4 + t2)
    p2[t1 * s4] = t5
    ```
    """
    loops: list[Ordered] = []
    body = kernel.body
    while len(body) == 1 and isinstance(body[0], Ordered):
        loops.append(body[0])
        body = body[0].body
    if not loops or not isinstance(body[-1], Store):
        return None
    if not all(isinstance(each, (Let, CheckedIndex, Fail)) for each in body[:-1]):
        return None
    store = body[-1]
    made = {each.name: each for each in body if isinstance(each, Let)}
    used = Counter(name for each in body for name in names_read(each))
    total = made.get(store.value)
    match total:
        case Let(_, dtype, Apply(text, (before, value))) if text == SUM and dtype is store.dtype:
            old = made.get(before)
        case _:
            return None
    if old is None or not isinstance(old.expression, Load) or old.dtype is not store.dtype or value == before:
        return None
    loaded = old.expression.access
    if not _has_variables_of(loaded, store.access) or used[before] != 1 or used[total.name] != 1:
        return None
    kept = tuple(each for each in body[:-1] if each is not total and each is not old)
    if any(_loads_from(store.access.pointer, each) for each in kept):
        return None
    return OrderedSum(tuple(loops), (*kept, Accumulate(store.access, "sum", value, store.dtype)), loaded)


def _has_variables_of(one: Access, other: Access) -> bool:
    return one.pointer == other.pointer and [name for name, _ in one.terms] == [name for name, _ in other.terms]


def _loads_from(pointer: int, each: Statement) -> bool:
    return isinstance(each, Let) and isinstance(each.expression, Load) and each.expression.access.pointer == pointer


def in_any_order(kernel: Kernel) -> Kernel:
    """The kernel with its sum as one statement, so that the loops may run in any order; it loads where it stores."""
    found = ordered_sum(kernel)
    assert found is not None
    body = found.body
    for loop in reversed(found.loops):
        body = (replace(loop, body=body),)
    return replace(kernel, body=body)
