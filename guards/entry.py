"""Entries: one compiled variant of a function, the facts it relies on, and its block of entry code."""

from __future__ import annotations

import heapq
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from types import CodeType
from typing import Any

from ..core.events import Reason
from ..core.records import dataclass, replace
from ..core.watch import Validity
from .advice.module_paths import by_module_path
from .arrays import ArrayLayout
from .assumptions import Assumption, resume
from .class_facts import class_facts, class_of, text_of_classes, through_known
from .entry_code import ERRORS, FAILED, MISSED
from .guard import Equals, Evaluates, Guard, Is, NumberInput, Outcome, TypeIs
from .pool import Pool
from .reasons import DEAD, broken, reason
from .sources import RESULT, Source


def needed(guards: Iterable[Guard]) -> tuple[Guard, ...]:
    """The guards, without those that another guard implies: a value or an identity implies its type.

    Where other guards are read through a place, its own check comes before them: with it, no user code can run in them.
    """
    listed = tuple(guards)
    fixed = {guard.source: guard for guard in reversed(listed) if isinstance(guard, (Equals, Is))}
    evaluated = {guard.source for guard in listed if not isinstance(guard, (Evaluates, TypeIs))}
    read_through = {below for guard in listed for source in guard.sources for below in source.below()}
    outcomes = {guard.source for guard in listed if isinstance(guard, Outcome)}
    native = {guard.source for guard in listed if isinstance(guard, NumberInput)} - read_through - outcomes
    kept: dict[Guard, None] = {}
    for guard in listed:
        if isinstance(guard, TypeIs) and (guard.source in fixed or guard.source in native):
            if guard.source in fixed:
                kept.setdefault(fixed[guard.source])
        elif not (isinstance(guard, Evaluates) and (guard.source in evaluated or guard.source in read_through)):
            kept.setdefault(guard)
    return through_known(tuple(kept))


def passed_to_plan(guards: Iterable[Guard], inputs: Iterable[Source]) -> tuple[Guard, ...]:
    """The guards, each identity that nothing else is read through checked by the plan, as one more argument.

    What is read through a place stays behind the check of that place: evaluating it must not run the user's code.
    """
    listed = tuple(guards)
    read = [*inputs, *(source for guard in listed for source in guard.sources)]
    read_through = {below for source in read for below in source.below()}
    return tuple(
        replace(guard, checked_by="plan")
        if type(guard) is Is
        and guard.checked_by == "entry"
        and guard.source not in read_through
        and class_of(guard) is None
        and not (guard.expected is None or isinstance(guard.expected, bool))
        else guard
        for guard in listed
    )


def condition(guards: Iterable[Guard], pool: Pool, *, natively: bool = True) -> str:
    """The conjunction of the guards that entry code checks itself, as an expression; empty when there is none.

    What classes define comes first: as long as it holds, no other guard runs the user's code.
    natively: a plan follows, so that each guard is left to whom it is to be checked by.
    """
    classes, others = class_facts((guard for guard in guards if not (natively and guard.native)), pool)
    return " and ".join([*text_of_classes(classes, pool), *(each.text(pool) for each in cheapest_first(others))])


def cheapest_first(guards: Iterable[Guard]) -> list[Guard]:
    """The guards by cost, each still behind the earlier ones on the places that it reads or reads through.

    An entry that does not fit is left early so, and no guard runs the user's code.
    """
    listed = list(guards)
    on_place: dict[Source, list[int]] = {}
    waits: list[int] = []
    followers: list[list[int]] = [[] for _ in listed]
    for number, guard in enumerate(listed):
        places = {each for source in guard.sources for each in (source, *source.below())}
        before = {earlier for place in places for earlier in on_place.get(place, ())}
        waits.append(len(before))
        for earlier in before:
            followers[earlier].append(number)
        for source in guard.sources:
            on_place.setdefault(source, []).append(number)
    ready = [(guard.cost, number) for number, guard in enumerate(listed) if not waits[number]]
    heapq.heapify(ready)
    ordered: list[Guard] = []
    while ready:
        number = heapq.heappop(ready)[1]
        ordered.append(listed[number])
        for follower in followers[number]:
            waits[follower] -= 1
            if not waits[follower]:
                heapq.heappush(ready, (listed[follower].cost, follower))
    return ordered


@dataclass(eq=False)
class Entry:
    """One compiled variant. `block` is its part of the entry code; `slot` is its plan's in the pool (-1: it has none).

    validity: keeps the plan as long as the assumptions hold; it sits in the slot then.
    recipe: how it is linked again once they broke, if it can be (frontend/compile/relink.py).
    """

    number: int
    guards: tuple[Guard, ...]
    block: str
    slot: int = -1
    plain: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = ()
    validity: Validity | None = None
    recipe: Any = None
    ends_in_break: bool = False
    """Whether it ends at a graph break, in the middle of the body."""
    probe: CodeType | None = None
    """The code of functions that try this entry alone, once one was needed."""
    used: float = field(default_factory=time.monotonic)
    """The last time a call was known to fit it; see frontend/dispatch/memory_budget.py, note [Who was used]."""
    born: float = field(default_factory=time.monotonic)
    took: float = 0.0
    """The time that it took to make it, or to link it again. Units: seconds."""
    pooled: set[int] = field(default_factory=set)
    """The numbers of the pool's objects that its code names, or a report on it."""
    artifact: bytes = b""
    """A key that entries share which run the same code, each with its own memory; empty where code cannot be shared."""
    shares: bool = False
    """Whether it differs from an earlier one only in the objects that it is about, and has no code of its own."""

    written: Any = None
    """Its form on disk, once it was made or read."""

    def __post_init__(self) -> None:
        self.took = self.seconds.get("total", 0.0)
        if self.validity is not None:
            self.validity.on_end = _Forgetting(self)
            if self.stale:
                self.details = {}

    def link(self, validity: Validity, details: Mapping[str, Any], took: float) -> None:
        """Make the entry stand again, by another validity. `took` is the time that it took. Units: seconds."""
        self.validity, self.details, self.took, self.born = validity, details, took, time.monotonic()
        validity.on_end = _Forgetting(self)

    @property
    def stale(self) -> bool:
        """Whether an assumption broke for good: the plan is gone, and no call will fit any more."""
        return self.validity is not None and self.validity.broken is not None

    def ready(self, began: float) -> None:
        """Notes that it can be used from now on, and that this took the time since `began`, its code included."""
        self.born = time.monotonic()
        self.took = self.born - began

    def younger_than(self, times: float) -> bool:
        """Whether it has been there for less than this many times as long as it took to make it."""
        return time.monotonic() - self.born < times * self.took

    @property
    def replaceable(self) -> bool:
        """Whether it is stale by a write, and not by the death of what it was about."""
        return self.validity is not None and self.validity.broken is not None and self.validity.broken.number >= 0

    def stands(self) -> bool:
        """Whether every assumption holds. Those that did not for a while are asked again."""
        return self.validity is None or self.validity.stands or resume(self.assumptions, self.validity)

    def broken_assumption(self) -> Reason | None:
        """The reason why the entry's assumptions do not hold, if they do not."""
        change = self.validity.change if self.validity is not None else None
        if change is None:
            return None
        about = self.assumptions[change.number] if 0 <= change.number < len(self.assumptions) else None
        return by_module_path([broken(self.number, change, about)], self.assumptions)[0]

    def first_failure(self, namespace: Mapping[str, object], pool: Pool) -> Reason:
        """The reason why the entry does not fit. One that names no guard is a bug, and says so."""
        for failure in self.failures(namespace, pool):
            return failure
        return self.unexplained()

    def unexplained(self) -> Reason:
        """The reason where every guard holds and the call missed all the same."""
        return Reason(self.number, "none", "", "every guard holds, yet the call missed: a bug in guardlift", "")

    def fits(self, namespace: Mapping[str, object], pool: Pool) -> bool:
        """Whether a call with these locals can be served: every guard and every assumption holds."""
        return not self.stale and next(self.failed_guards(namespace, pool), None) is None and self.stands()

    def failures(self, namespace: Mapping[str, object], pool: Pool) -> Iterator[Reason]:
        """The reasons: an assumption that does not hold, then every guard that does not, in the order of the trace.

        Where an object has died that the entry speaks of, that is the reason, and nothing else is told of it.
        """
        assumed = self.broken_assumption()
        found = [*([assumed] if assumed is not None else []), *self._failed_guards(namespace, pool)]
        yield from by_module_path([each for each in found if each.parts >= DEAD][:1] or found, self.assumptions)

    def dtypes(self) -> frozenset[Any]:
        """The dtypes of the arrays that its graph computes with, as far as that is known still."""
        graph = self.details.get("graph")
        types = [node.type for node in getattr(graph, "nodes", ())]
        types += [guard.type for guard in self.guards if isinstance(guard, ArrayLayout)]
        return frozenset(each.dtype.numpy for each in types if each.rank)

    def written_arguments(self) -> frozenset[str]:
        """The arguments that lead to the arrays it writes."""
        names = (guard.source.local_name() for guard in self.guards if getattr(guard, "writeable", False))
        return frozenset(filter(None, names))

    def code_lets_in(self, namespace: Mapping[str, object], pool: Pool) -> bool:
        """Whether the guards hold that the entry code checks; those that the plan checks are not looked at."""
        with pool.lease(self.pooled):
            return all(guard.native or guard.holds(namespace, pool) for guard in self.guards)

    def _failed_guards(self, namespace: Mapping[str, object], pool: Pool) -> Iterator[Reason]:
        """The reason of each guard that does not hold."""
        for guard, found in self.failed_guards(namespace, pool):
            yield reason(self.number, guard, found)

    def failed_guards(self, namespace: Mapping[str, object], pool: Pool) -> Iterator[tuple[Guard, object]]:
        """Each guard that does not hold, and the value it found.

        What is read through a place whose guard failed is left out: it may not exist, and looking might run user code.
        """
        failed: set[Source] = set()
        for guard in self.guards:
            read = {each for source in guard.sources for each in (source, *source.below())}
            if read & failed:
                continue
            with pool.lease(self.pooled):
                if guard.holds(namespace, pool):
                    continue
                found = guard.found(namespace, pool)
            failed.add(guard.source)
            yield guard, found


class _Forgetting:
    """Drops what a stale entry knew about its plan: the graph leads to the memory of the tensors in it."""

    def __init__(self, entry: Entry) -> None:
        self._entry = weakref.ref(entry)

    def __call__(self) -> None:
        entry = self._entry()
        if entry is not None:
            entry.details = {}


def compiled_block(
    condition: str, plan: str, arguments: Sequence[str], statements: Sequence[str], *, side_exit: str, binder: str = ""
) -> str:
    """The entry code of a compiled variant.

    The plan answers `NotImplemented` when its own checks fail: on to the next entry. A plan that can meet what Python
    would raise on answers `Ellipsis` then: nothing has been done, and `side_exit` goes to the user's own code.
    `binder` is called in the same way where the plan answers `NotImplemented`: it knows plans for other sizes.
    """
    lines: list[str] = []
    for called in filter(None, (plan, binder)):
        call = f"{called}({', '.join(arguments)})"
        attempt = _attempt(f"{call} if {condition} else {MISSED}" if condition else call, FAILED)
        lines += [f"if {RESULT} is {MISSED}:", *(f"    {line}" for line in attempt)] if lines else attempt
    if side_exit:
        lines += [f"if {RESULT} is ...:", f"    {side_exit}"]
    lines.append(f"if {RESULT} is not {MISSED}:")
    lines += [f"    {statement}" for statement in statements]
    return "\n".join(lines)


def _attempt(expression: str, otherwise: str) -> list[str]:
    """The statements that put the expression's value, or `otherwise` when a place it reads is gone, into the result.

    Only guards and arguments are evaluated in there: what follows a plan that has run must never run it again.
    """
    return ["try:", f"    {RESULT} = {expression}", f"except {ERRORS}:", f"    {RESULT} = {otherwise}"]


def plain_block(condition: str, *, side_exit: str) -> str:
    """The entry code of a variant that breaks the graph: it leaves straight for the user's own code."""
    return guards_only_block(condition, [side_exit])


def guards_only_block(condition: str, statements: Sequence[str]) -> str:
    """The entry code of a variant without a plan: the guards, then these statements."""
    lines = [*_attempt(condition or "True", f"{FAILED} is not {MISSED}"), f"if {RESULT}:"]
    return "\n".join([*lines, *(f"    {statement}" for statement in statements)])
