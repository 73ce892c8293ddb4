"""Counts of the calls of a jitted function: those that entries served, those that compiled, those that ran plainly."""

# Note [Counting calls]
# A call that an entry serves runs no code of ours but the plan's, which counts it in its own table (decision 126). All
# that is counted in Python lies on slower ways: entry code that leaves a call to the body, and the miss handler. The
# table of a plan may go before its entry does, so what it has counted is inherited by the function (`PlanTable.heir`).

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ...backend.cpu.plan.builtin import PlanTable
from ...core.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...guards.entry import Entry
    from .state import FunctionState


@dataclass(frozen=True, slots=True)
class FunctionCalls:
    """The calls of a function so far. Their sum is the number of its calls.

    hits: that an entry served.   misses: for which one was made or found, or that raised an error meanwhile.
    plain: that ran as plain Python.
    """

    hits: int
    misses: int
    plain: int


class CallCounter:
    """The counts that a function's state keeps: of its plans that are gone, and of calls that no plan served."""

    def __init__(self) -> None:
        self.left: defaultdict[int, int] = defaultdict(int)
        """Calls that entry code has left to the body, by number of the entry."""
        self.inherited: dict[int, int] = {}
        """Calls that plans served which are gone, by number of the entry."""
        self.sent_back = 0
        """Calls that the miss handler has left to the body."""
        self.answered = 0
        """Calls to which it gave compiled code."""
        self.failed = 0
        """Calls in which it raised an error."""
        self.resuming: set[int] = set()
        """The numbers of entries of resume points: they serve the rests of calls, which are no calls."""
        self.complete = True
        """Whether every entry has a plan that counts."""


def counted_from_now(state: FunctionState, entry: Entry, position: int) -> None:
    """Have the plans of an entry that was just made, at the point of this position, counted for its function."""
    if position:
        state.calls.resuming.add(entry.number)
    if entry.plain:
        return
    tables = list(plan_tables(state, entry))
    for table in tables:
        table.heir = state.calls.inherited, entry.number
    if not tables and not position:
        state.calls.complete = False


def calls_of(state: FunctionState) -> FunctionCalls | None:
    """The calls of a function; None where it has an entry whose calls nobody counts, as on a device."""
    counter = state.calls
    if not counter.complete:
        return None
    served = dict(counter.inherited)
    for entry in state.entries:
        served[entry.number] = served_by(state, entry)
    hits = sum(count for number, count in served.items() if number not in counter.resuming)
    left = sum(count for number, count in list(counter.left.items()) if number not in counter.resuming)
    total = hits + left + counter.sent_back + counter.failed
    # The first call of each new entry was served by it as well.
    hits = max(hits - counter.answered, 0)
    plain = left + counter.sent_back
    return FunctionCalls(hits, total - hits - plain, plain)


def served_by(state: FunctionState, entry: Entry) -> int:
    """Calls, or rests of calls, that an entry has served; for one that is plain, those that it left to the body."""
    if entry.plain:
        return state.calls.left.get(entry.number, 0)
    return state.calls.inherited.get(entry.number, 0) + sum(table.served for table in plan_tables(state, entry))


def plan_tables(state: FunctionState, entry: Entry) -> Iterator[PlanTable]:
    """The tables of an entry's plans, also while an assumption of it does not hold."""
    held: Any = state.pool.objects[entry.slot] if entry.slot >= 0 else None
    held = getattr(held, "plan_or_kept", held)
    for run in getattr(held, "plans", (held,)):
        table = getattr(getattr(run, "plan", run), "__self__", None)
        if isinstance(table, PlanTable):
            yield table
