"""Counts of the calls of a jitted function: how many an entry served, how many compiled, how many ran plainly."""

# Note [Counting calls]
# A call that an entry serves runs no code of ours but the plan's, which counts it in its own table (decision 126). All
# that is counted in Python lies on slower ways: entry code that leaves a call to the body, and the miss handler. The
# table of a plan may go before its entry does, so what it has counted is inherited by the function (`PlanTable.heir`).

from __future__ import annotations

from collections import Counter, defaultdict
from threading import get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...backend.cpu.plan.builtin import PlanTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...guards.entry import Entry
    from .state import FunctionState


TIMED = 100
"""Passes of a graph break that are timed."""


class BreakClock:
    """The time that Python takes at graph breaks: from where compiled code leaves to where it takes over again.

    Code that was compiled while somebody listened to events asks it. A pass that ends elsewhere, by an error or in an
    iteration that comes back later, is not counted.
    """

    def __init__(self) -> None:
        self.on = False
        """Whether any code asks it."""
        self.passes: dict[int, tuple[int, float]] = {}
        """By number of the entry that ends at a break, the passes that were timed, and their seconds."""
        self._left: dict[int, tuple[int, float]] = {}
        """By thread, the entry that it has left last, and when."""

    def leaves(self, number: int) -> None:
        """Entry `number` leaves for the body, in this thread."""
        thread = get_ident()
        if self.passes.get(number, _NONE)[0] < TIMED:
            self._left[thread] = number, perf_counter()
        else:
            self._left.pop(thread, None)

    def arrives(self) -> None:
        """The thread has come to a place where compiled code takes over again."""
        left = self._left.pop(get_ident(), None)
        if left is not None:
            number, since = left
            count, seconds = self.passes.get(number, _NONE)
            self.passes[number] = count + 1, seconds + perf_counter() - since


_NONE = (0, 0.0)


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
        self.breaks: dict[int, str] = {}
        """By number of the entry that ends there, the text of a graph break."""
        self.met: list[str] = []
        """The texts of breaks that ended a trace, for which the call ran as plain Python."""
        self.clock = BreakClock()
        self.complete = True
        """Whether every entry has a plan that counts."""


def counted_from_now(state: FunctionState, entry: Entry, position: int, ends_at: str = "") -> None:
    """Have the calls that an entry serves counted for its function; it was just made, at the point of this position.

    ends_at: the text of the graph break at its end, if it has one.
    """
    counter = state.calls
    if position:
        counter.resuming.add(entry.number)
    if ends_at:
        counter.breaks[entry.number] = ends_at
    if entry.plain:
        return
    tables = list(plan_tables(state, entry))
    for table in tables:
        table.heir = counter.inherited, entry.number
    if not tables and not position:
        counter.complete = False


def served_by_number(counter: CallCounter, state: FunctionState | None) -> dict[int, int]:
    """By number of the entry, the calls, or rests of calls, that it served or, if it is plain, left to the body.

    state: None when the function is gone.
    """
    served = Counter(counter.inherited)
    if state is not None:
        for entry in state.entries:
            served[entry.number] += sum([table.served for table in plan_tables(state, entry)])
    return served + Counter(counter.left)


def calls_of(counter: CallCounter, state: FunctionState | None) -> tuple[int, int, int] | None:
    """The calls of a function so far: hits, misses, and those that ran as plain Python.

    A hit was served by an entry; for a miss one was made or found, or it raised an error meanwhile. None where the
    function has an entry whose calls nobody counts, as on a device. state: None when the function is gone.
    """
    if not counter.complete:
        return None
    served = served_by_number(counter, state)
    left = sum(count for number, count in counter.left.items() if number not in counter.resuming)
    ended = sum(count for number, count in served.items() if number not in counter.resuming)
    total, plain = ended + counter.sent_back + counter.failed, left + counter.sent_back
    hits = max(ended - left - counter.answered, 0)  # an entry that was made for a call has served it, too
    return hits, total - hits - plain, plain


def passes_of(counter: CallCounter, state: FunctionState | None) -> Counter[str]:
    """By text of a graph break, how often calls came by it."""
    served, passed = served_by_number(counter, state), Counter[str]()
    for number, text in counter.breaks.items():
        passed[text] += served[number]
    return passed + Counter(counter.met)


def microseconds_of(counter: CallCounter) -> dict[str, float]:
    """By text of a graph break, the microseconds of a pass in Python: the mean of those that were timed."""
    sums: dict[str, tuple[int, float]] = {}
    for number, (count, seconds) in tuple(counter.clock.passes.items()):
        text = counter.breaks.get(number)
        if text is not None:
            before = sums.get(text, _NONE)
            sums[text] = before[0] + count, before[1] + seconds
    return {text: round(seconds / count * 1e6, 2) for text, (count, seconds) in sums.items()}


def plan_tables(state: FunctionState, entry: Entry) -> Iterator[PlanTable]:
    """The tables of an entry's plans, also while an assumption of it does not hold."""
    held: Any = state.pool.objects[entry.slot] if entry.slot >= 0 else None
    held = getattr(held, "plan_or_kept", held)
    for run in getattr(held, "plans", (held,)):
        table = getattr(getattr(run, "plan", run), "__self__", None)
        if isinstance(table, PlanTable):
            yield table
