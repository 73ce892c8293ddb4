"""The count of writes to a storage, by which a backward pass finds out that a saved value has changed."""

# Note [Ticks]
# A compiled optimizer step writes thousands of tensors at once. To count each of them would cost a fifth of the step;
# so their counters refer to a ticker, which compiled code moves on once a call.

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from ..core.errors import GuardliftError


class UncountedError(GuardliftError, RuntimeError):
    """The version of an inference tensor was asked for where it is needed."""


class VersionCounter:
    """One count, shared by a tensor, its views and what `detach()` gives. `value` counts in-place operations."""

    # A class default in place of `__init__` halves the cost of making one, and every tensor has one.
    value: int = 0
    inference: bool = False
    """Whether it belongs to an inference tensor, which has no version: then asking for `value` is an error."""

    def fresh(self) -> VersionCounter:
        """A counter for a tensor of the same kind that shares none."""
        return VersionCounter()

    def __repr__(self) -> str:
        return f"VersionCounter({self.value})"


class Ticker:
    """The count of runs of a piece of compiled code. `user` leads to what runs it; without one it never will again."""

    __slots__ = ("count", "user")

    def __init__(self) -> None:
        self.count = 0
        self.user: weakref.ref[Any] | None = None

    @property
    def stopped(self) -> bool:
        """Whether it will never move on again."""
        user = self.user() if self.user is not None else None
        return user is None or user.broken is not None


class TickedCounter(VersionCounter):
    """A count that goes up with tickers, each by its own number of writes, besides the writes it is told of."""

    ticked: tuple[int, tuple[tuple[Ticker, int], ...]]
    """Its own count, and the tickers with their numbers of writes: one object, so that no interrupt comes between."""

    @property
    def value(self) -> int:  # type: ignore[override]
        """The count."""
        count, tickers = self.ticked
        for ticker, writes in tickers:
            count += ticker.count * writes
        return count

    @value.setter
    def value(self, new: int) -> None:
        own, tickers = self.ticked
        self.ticked = own + new - self.value, tickers


def tick(counters: Iterable[tuple[VersionCounter, int]], ticker: Ticker) -> None:
    """From now on each counter goes up by its number of writes whenever `ticker` moves on. See Note [Ticks]."""
    for counter, writes in counters:
        before = counter.value
        known = counter.ticked[1] if isinstance(counter, TickedCounter) else ()
        tickers = (*(each for each in known if not each[0].stopped), (ticker, writes))
        own = before - sum(each.count * times for each, times in tickers)
        counter.ticked = own, tickers  # type: ignore[attr-defined]  # which another counter does not look at
        counter.__class__ = TickedCounter
