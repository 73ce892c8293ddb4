"""Watchers: facts about objects of our own that are pushed when they change, instead of being asked for at every call.

Whoever relies on a fact subscribes a `Validity`; the write that would break the fact marks it. An entry over ten
thousand parameters then pays nothing for them while nothing changes.
"""

# Note [What is watched]
# Only objects and containers that guardlift made carry watchers: tensors, modules, and the lists and dicts of modules
# and optimizers. A write that goes around Python's protocols (`dict.__setitem__(d, ...)` on a watched dict) is not
# seen; `config.check_assumptions` finds it. Of modules' own attributes and classes see `guards.own_attributes`.
#
# Whoever owns a watched fact writes it inside of `with changing(owner, key, ...)`, which tells before the write and
# after it. Before: the interpreter may raise KeyboardInterrupt in between, and a change must never be there untold; one
# that is told and not made costs a compile. After: another thread may have subscribed meanwhile, or have found that a
# paused fact holds. Whoever subscribes asks once more afterwards whether it holds (`guards.assumptions.subscribe`).

# Note [Facts that come back]
# A flag that is switched off is often switched on again (`model.eval()`, then `model.train()`). A fact subscribed with
# `returns` therefore pauses the validity instead of ending it: the payload is kept aside, and can go on once the fact
# holds again. A plan is stood in for meanwhile by what asks that in each call (`guards.assumptions.PausedPlan`): a
# program that switches in every round pays some microseconds, and no miss. Any other change, and the death of an
# owner, ends it for good and drops the payload.

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from .records import dataclass
from .user_line import user_line

LOCK = threading.RLock()
"""Held while subscriptions and validities change, and never while a user's code runs."""


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """The change that ended a validity: the fact in the user's words, what was done to it, and the user's line.

    number: which of the assumptions of the validity it was; -1 when its owner died.
    """

    fact: str
    what: str
    file: str = ""
    line: int = 0
    number: int = -1


class Validity:
    """Whether all that one entry assumed still holds. `payload` is dropped at the first change that ends it."""

    __slots__ = (
        "__weakref__",
        "_kept",
        "_lives",
        "broken",
        "check",
        "on_broken",
        "on_end",
        "on_pause",
        "paused",
        "pauses",
        "payload",
    )

    def __init__(self, payload: Any, on_broken: Any = None) -> None:
        self.payload = payload
        self.on_broken = on_broken
        """Takes the payload's place when an assumption does not hold."""
        self.on_pause: Any = None
        """Takes its place instead while it is paused, where it is not None: it may ask whether the facts hold again."""
        self.broken: WatchedChange | None = None
        """The change that ended it for good."""
        self.paused: dict[int, WatchedChange] = {}
        """The changes that paused it, by the number of the assumption."""
        self.pauses = 0
        """The number of times that anything paused it."""
        self.check: Callable[[], bool] = _nothing_to_check
        """Asks at each call for what nobody tells, or for everything (`config.check_assumptions`), which may raise."""
        self.on_end: Callable[[], None] | None = None
        """Called once, when it ends. It must not keep the entry's objects alive."""
        self._kept: Any = None
        self._lives: list[_Life] = []

    @property
    def stands(self) -> bool:
        """Whether every assumption holds."""
        return self.broken is None and not self.paused

    @property
    def plan_or_kept(self) -> Any:
        """The payload, also while it is put aside."""
        with LOCK:
            return self._kept if self.paused else self.payload

    @property
    def change(self) -> WatchedChange | None:
        """Why it does not stand: what ended it, or else what paused it first."""
        with LOCK:
            return self.broken or next(iter(self.paused.values()), None)

    def end(self, change: WatchedChange) -> None:
        """Mark it broken, once and for all; the first change is the one that is told."""
        with LOCK:
            if self.broken is not None:
                return
            self.broken = change
            dropped = self.payload, self._kept, self._lives  # freed outside the lock: that may run anybody's code
            self.payload, self._kept, self._lives, self.paused = self.on_broken, None, [], {}
            self.on_pause = None
            self.check = _nothing_to_check
            told, self.on_end = self.on_end, None
        if told is not None:
            told()
        del dropped

    def pause(self, change: WatchedChange) -> None:
        """Put the payload aside until `go_on`."""
        with LOCK:
            if self.broken is None:
                if not self.paused:
                    self._kept = self.payload
                    self.payload = self.on_broken if self.on_pause is None else self.on_pause
                self.paused[change.number] = change
                self.pauses += 1

    def go_on(self, pauses: int) -> bool:
        """Whether the payload is back in place, given that all that had paused it by then was found to hold again.

        pauses: how often anything had. When something has paused it since, it stays paused.
        """
        with LOCK:
            if self.broken is None and self.paused and self.pauses == pauses:
                self.payload, self._kept, self.paused = self._kept, None, {}
        return self.stands


def _nothing_to_check() -> bool:
    return True


Subscription = tuple["weakref.ref[Validity]", str, int, bool]
"""Who relies on a fact, the fact in words, its number there, and whether it may come back."""


class Watchers:
    """The subscriptions to one object: who relies on it, by the key of the fact."""

    __slots__ = ("by_key", "subscribers")

    def __init__(self) -> None:
        self.by_key: dict[Any, list[Subscription]] = {}
        self.subscribers: tuple[tuple[weakref.ref[Any], int], ...] = ()
        """Who is told of each new `.grad` (see `watched_slots`)."""

    @property
    def is_needed(self) -> bool:
        """Whether anybody still wants to be told of anything."""
        return bool(self.by_key or self.subscribers)


def watch(owner: Any, key: Any, validity: Validity, fact: str, number: int = -1, *, returns: bool = False) -> None:
    """Ends `validity` at the next change of `key` of `owner`; `fact` says in the user's words what was relied on.

    number: tells this fact from the others of the validity.   returns: pause it instead, see [Facts that come back].
    `owner` has an attribute `_watchers`, None until now. The owner's death ends the validity too (see `watch_life`).
    """
    subscription = (weakref.ref(validity), fact, number, returns)
    with LOCK:
        watchers = owner._watchers
        while True:
            watchers = watchers or Watchers()
            watchers.by_key[key] = [*_living(watchers.by_key.get(key, ())), subscription]
            # What runs in between (a key's own code, a collection of garbage) may have told all others, or subscribed.
            if owner._watchers is None:
                put_watchers(owner, watchers)
            if owner._watchers is watchers:
                return
            watchers = owner._watchers


def put_watchers(owner: Any, watchers: Watchers | None) -> None:
    """Set the attribute, and run nothing of the owner's."""
    object.__setattr__(owner, "_watchers", watchers)


class _Life(weakref.ref[Any]):
    """Ends a validity when its referent dies. The validity keeps it, so it goes with the validity."""

    __slots__ = ("fact", "validity", "what")
    fact: str
    what: str
    validity: weakref.ref[Validity]


def _died(life: Any) -> None:
    validity = life.validity()
    if validity is not None:
        validity.end(WatchedChange(life.fact, life.what))


def watch_life(owner: Any, validity: Validity, fact: str, what: str = "it was deleted") -> None:
    """Ends `validity` when `owner` dies, so that what its entry holds of it is freed."""
    life = _Life(owner, _died)
    life.fact, life.what, life.validity = fact, what, weakref.ref(validity)
    with LOCK:
        if validity.broken is None:
            validity._lives.append(life)


def _living(listed: Iterable[Subscription]) -> list[Subscription]:
    return [each for each in listed if each[0]() is not None]


def _without(listed: Iterable[Subscription], others: Iterable[Subscription]) -> list[Subscription]:
    gone = set(map(id, others))
    return [each for each in listed if id(each) not in gone]


class changing:
    """A context in which `key` of `owner` changes: whoever relies on it is told before and after."""

    __slots__ = ("_key", "_owner", "_what")

    def __init__(self, owner: Any, key: Any, what: str | Callable[[], str] = "") -> None:
        self._owner, self._key, self._what = owner, key, what

    def __enter__(self) -> None:
        self.tell(self._owner, self._key, self._what)

    def __exit__(self, *_exception: object) -> None:
        self.tell(self._owner, self._key, self._what)

    @staticmethod
    def tell(owner: Any, key: Any, what: Any) -> None:
        """Tells that the key changes."""
        if owner._watchers is not None:
            tell(owner, key, what)


def tell(owner: Any, key: Any, what: str | Callable[[], str] = "") -> None:
    """Tells everybody who relies on `key` of `owner` that it changes. To be called before the change and after it."""
    if owner._watchers is None:
        return
    with LOCK:
        watchers = owner._watchers
        listed = None if watchers is None else watchers.by_key.get(key)
    if listed:
        _tell(owner, {key: listed}, what)


def tell_all(owner: Any, what: str | Callable[[], str] = "") -> None:
    """Tells everybody who relies on anything of `owner`. To be called before the change and after it."""
    with LOCK:
        watchers = owner._watchers
        listed = {} if watchers is None else dict(watchers.by_key)
    if listed:
        _tell(owner, listed, what)


def _tell(owner: Any, listed: dict[Any, list[Subscription]], what: str | Callable[[], str]) -> None:
    file, line = user_line()
    text = (what() if callable(what) else what) or "it was changed"
    for reference, fact, number, returns in itertools.chain.from_iterable(listed.values()):
        validity = reference()
        if validity is None:
            continue
        change = WatchedChange(fact, text, file, line, number)
        if returns:
            validity.pause(change)
        else:
            validity.end(change)
    _drop(owner, listed)  # last: an interrupt before leaves those who were not told where they are


def _drop(owner: Any, listed: dict[Any, list[Subscription]]) -> None:
    """Takes subscriptions away, and not those that came since: a paused one that goes on subscribes anew."""
    with LOCK:
        watchers = owner._watchers
        if watchers is None:
            return
        for key, told in listed.items():
            left = _without(watchers.by_key.get(key, ()), told)
            if left:
                watchers.by_key[key] = left
            else:
                watchers.by_key.pop(key, None)
        if not watchers.is_needed:
            put_watchers(owner, None)
