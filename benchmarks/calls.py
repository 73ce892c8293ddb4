"""The cost of one call, where all that counts is what happens around the work: the best of 7 rounds of 20 calls."""

from __future__ import annotations

import time
from collections.abc import Callable

ROUNDS, CALLS = 7, 20

Task = Callable[[], object]


def best_of(task: Task) -> float:
    """Seconds of one call."""
    for _ in range(3):
        task()
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            task()
        best = min(best, (time.perf_counter() - start) / CALLS)
    return best


def best_of_prepared(task: Task, prepare: Task) -> float:
    """Seconds of one call that follows upon `prepare`, which is not timed; as a median of 20 calls, the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        times = []
        for _ in range(CALLS):
            prepare()
            start = time.perf_counter()
            task()
            times.append(time.perf_counter() - start)
        best = min(best, sorted(times)[CALLS // 2])
    return best
