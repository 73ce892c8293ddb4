"""Assumptions: facts about objects of our own that an entry relies on and does not check at its calls.

Whoever changes such a fact says so (`core.watch`). An entry with assumptions keeps its plan in a `Validity`, which the
first such change empties: the entry then answers every call with `NotImplemented`, and the next miss replaces it.
"""

from __future__ import annotations

import functools
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..core.asynchronous import is_asynchronous
from ..core.config import config
from ..core.errors import AssumptionError
from ..core.records import dataclass
from ..core.watch import Validity, WatchedChange, watch, watch_life
from ..core.watched_containers import STRUCTURE
from .describe import describe_type
from .guard import Where
from .own_attributes import check_of_own_attributes
from .pool import RebindableRef, Rebinding

RETURNING = frozenset({"training", "requires_grad"})
"""The keys of flags, which are switched off and on again; see core/watch.py, note [Facts that come back]."""

FACTS_SHOWN = 3
"""Facts of one kind that a report spells out; it counts the others."""

_MOMENT = 2.0
"""Units: seconds that another thread gets from its write to announcing it; it may be kept waiting for a core."""


@dataclass(frozen=True, slots=True, eq=False)
class Assumption:
    """One fact about `owner`, which announces when what it calls `key` changes.

    owner: leads to it, as an anchor or a weak reference.
    key: what the owner calls the fact; an object that is to be freed when nobody else needs it, as an anchor.
    fact: the statement that must hold, as the user would write it.   where: the user's line that relied on it.
    check: asks whether it holds now. It keeps no owner alive; where it raises an error, the fact does not hold.
    renew: tries to move anchors so that the fact holds of the present objects, and says whether it could.
    """

    owner: Callable[[], Any]
    key: Any
    fact: str
    where: Where | None
    check: Callable[[], bool]
    renew: Callable[[Rebinding], bool] | None = None

    @property
    def watched_key(self) -> Any:
        """The key under which the owner announces the change."""
        return self.key() if isinstance(self.key, RebindableRef) else self.key

    def holds(self) -> bool:
        """Whether the fact holds now, by the check."""
        try:
            return self.owner() is not None and bool(self.check())
        except Exception as error:
            if is_asynchronous(error):
                raise
            return False

    @property
    def returns(self) -> bool:
        """Whether the fact may well be true again after it was false."""
        return type(self.key) is str and self.key in RETURNING

    @property
    def kind(self) -> str:
        """The words for what facts of this kind are about."""
        owner = self.owner()
        if owner is None:
            return "deleted objects"
        if isinstance(owner, list):
            return "elements of lists"
        if isinstance(owner, dict):
            return "keys of dicts" if self.watched_key is STRUCTURE else "values in dicts"
        return f"{type(owner).__name__}.{self.key}" if type(self.key) is str else type(owner).__name__


def stale_plan(*arguments: object) -> Any:
    """`NotImplemented`: the result of the plan of an entry whose assumptions do not hold. It fits no call."""
    return NotImplemented


class PausedPlan:
    """Stands in for the plan or the binding of an entry whose flags are switched: it runs that once they are as before.

    The entry code has checked its guards before it calls this, as it does before it calls the plan.
    """

    __slots__ = ("_assumptions", "_validity")

    def __init__(self, assumptions: Sequence[Assumption], validity: Validity) -> None:
        self._assumptions, self._validity = assumptions, weakref.ref(validity)

    def _resumed(self) -> Validity | None:
        validity = self._validity()
        return validity if validity is not None and resume(self._assumptions, validity) else None

    def __call__(self, *arguments: object) -> Any:
        """The plan's answer; `NotImplemented` while a flag is not as the entry assumes."""
        validity = self._resumed()
        return NotImplemented if validity is None else validity.payload(*arguments)

    def plan(self, *arguments: object) -> Any:
        """The answer of a binding's plan; see `__call__`."""
        validity = self._resumed()
        return NotImplemented if validity is None else validity.payload.plan(*arguments)

    def bind(self, *arguments: object) -> Any:
        """`NotImplemented`: a binding that is paused knows no other plans."""
        return NotImplemented


def subscribe(assumptions: Sequence[Assumption], validity: Validity) -> bool:
    """Whether all of the assumptions hold, now that `validity` ends at the first that does not.

    The owners are watched for their death as well. Numbers of assumptions are places in the sequence.
    """
    seen: set[int] = set()
    for number, each in enumerate(assumptions):
        owner = each.owner()
        if owner is None:
            validity.end(WatchedChange(each.fact, "what it speaks of was deleted", number=number))
            return False
        watch(owner, each.watched_key, validity, each.fact, number, returns=each.returns)
        if id(owner) not in seen:
            seen.add(id(owner))
            watch_life(owner, validity, each.fact, f"the {describe_type(owner)} it speaks of was deleted")
    # What another thread wrote since the trace read it was announced to nobody.
    for number, each in enumerate(assumptions):
        if not each.holds():
            validity.end(WatchedChange(each.fact, "it was changed while the function was compiled", number=number))
            return False
    return validity.stands


def resume(assumptions: Sequence[Assumption], validity: Validity) -> bool:
    """Whether `validity` stands: what paused it may hold again by now, and is then watched as before."""
    first = next(iter(tuple(validity.paused)), None)
    if first is None or not assumptions[first].holds():
        return validity.stands
    pauses = validity.pauses
    paused = {number: assumptions[number] for number in tuple(validity.paused)}
    if not paused or not all(each.holds() for each in paused.values()):
        return validity.stands
    for number, each in paused.items():
        owner = each.owner()
        if owner is None:
            return False
        watch(owner, each.watched_key, validity, each.fact, number, returns=each.returns)
    return all(each.holds() for each in paused.values()) and validity.go_on(pauses)


def checked_first(
    condition: str,
    validity: Validity,
    name: str,
    assumptions: Sequence[Assumption],
    title: str,
    gradients_hold: Callable[[], bool] = lambda: True,
) -> str:
    """The condition of an entry. It begins with the check of the validity, where that has any.

    name: the text that names `validity` in the entry code.   For the others see `check_first`.
    """
    if not check_first(validity, assumptions, title, gradients_hold):
        return condition
    return f"{name}.check() and {condition}" if condition else f"{name}.check()"


def check_first(
    validity: Validity, assumptions: Sequence[Assumption], title: str, gradients_hold: Callable[[], bool] = lambda: True
) -> bool:
    """Whether `validity.check` is to be asked at each call.

    It asks what is assumed of the attributes of modules, where that may have changed (see `own_attributes`); under
    `config.check_assumptions` every assumption after that.

    title: names the entry in the error.   gradients_hold: asks whether the gradients are where the plan was told
    (`core.watched_slots`).   Errors: that check raises `AssumptionError`.
    """
    if not assumptions:
        return False
    own = check_of_own_attributes(validity, assumptions)
    if config.check_assumptions:
        every = functools.partial(_check, tuple(assumptions), gradients_hold, weakref.ref(validity), title)
        own = every if own is None else functools.partial(_both, own, every)
    if own is not None:
        validity.check = own
    return own is not None


def _both(first: Callable[[], bool], second: Callable[[], bool]) -> bool:
    return first() and second()


def _check(
    assumptions: tuple[Assumption, ...],
    gradients_hold: Callable[[], bool],
    reference: weakref.ref[Validity],
    title: str,
) -> bool:
    for each in assumptions:
        if not each.holds() and not _told(reference):
            where = f" (relied on at {each.where})" if each.where else ""
            raise AssumptionError(
                f"{title} assumes that `{each.fact}`{where}. That no longer holds, and nobody was told: "
                f"the {describe_type(each.owner())} was written behind its watchers (by object.__setattr__ or "
                "dict.__setitem__, say), or this is a bug in guardlift"
            )
    if not gradients_hold() and not _holds_in_a_moment(gradients_hold):
        raise AssumptionError(
            f"{title} reads gradients where it was told that they are. One of them is elsewhere by now, or has "
            "changed, and nobody told: `_grad` was set and not `grad`, or this is a bug in guardlift"
        )
    return True


def _told(reference: weakref.ref[Validity]) -> bool:
    """Whether the change is known; another thread may be about to announce it."""

    def known() -> bool:
        validity = reference()
        return validity is None or not validity.stands

    return _holds_in_a_moment(known)


def _holds_in_a_moment(holds: Callable[[], bool]) -> bool:
    """Whether it holds, now or, where other threads run that may be about to announce a write, in a moment."""
    until = time.monotonic() + (_MOMENT if len(sys._current_frames()) > 1 else 0.0)
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


@dataclass(frozen=True, slots=True)
class AssumptionGroup:
    """Assumptions of one kind: how many, the first few as statements, and the line that first relied on one."""

    kind: str
    count: int
    facts: tuple[str, ...]
    where: Where | None


def grouped(assumptions: Iterable[Assumption]) -> tuple[AssumptionGroup, ...]:
    """The assumptions by kind, in the order in which a kind was first relied on."""
    by_kind: dict[str, list[Assumption]] = {}
    for each in assumptions:
        by_kind.setdefault(each.kind, []).append(each)
    return tuple(
        AssumptionGroup(kind, len(listed), tuple(each.fact for each in listed[:FACTS_SHOWN]), listed[0].where)
        for kind, listed in by_kind.items()
    )
