"""Version counters that compiled code moves on by a ticker: they count as if each tensor had been told."""

from __future__ import annotations

import weakref

from guardlift.tensor.version import Ticker, VersionCounter, tick


class User:
    broken = None


def test_a_ticked_counter_goes_on_from_where_it_was() -> None:
    first, second, user = VersionCounter(), VersionCounter(), User()
    first.value = 5
    ticker = Ticker()
    ticker.user = weakref.ref(user)
    tick([(first, 1), (second, 2)], ticker)
    assert (first.value, second.value) == (5, 0)
    ticker.count += 3
    assert (first.value, second.value) == (8, 6)
    first.value += 1
    second.value += 1
    ticker.count += 1
    assert (first.value, second.value) == (10, 9)


def test_two_tickers_count_both_and_one_that_stands_still_is_dropped() -> None:
    counter, users = VersionCounter(), [User(), User(), User()]
    tickers = [Ticker() for _ in users]
    for ticker, user in zip(tickers, users, strict=True):
        ticker.user = weakref.ref(user)
    tick([(counter, 1)], tickers[0])
    tick([(counter, 10)], tickers[1])
    tickers[0].count += 2
    tickers[1].count += 1
    assert counter.value == 12
    users[0].broken = "stale"  # type: ignore[assignment]
    del users[1], user
    tick([(counter, 100)], tickers[2])
    assert counter.value == 12
    assert counter.ticked[1] == ((tickers[2], 100),)  # type: ignore[attr-defined]
    tickers[2].count += 1
    assert counter.value == 112
