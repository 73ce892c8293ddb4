"""Signals that arrive while a native loop runs: an endless one can be stopped, and any handler runs in time."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import guardlift as gl

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")


@contextmanager
def on_alarm(handler: Callable[..., Any]) -> Iterator[None]:
    """The handler is called soon, and again and again until the block ends: what it raises at last is of the block."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@gl.jit
def searched(a: Any, wanted: float) -> Any:
    a[0], k = 1.0, 0
    while a[k] != wanted:
        k = (k + 1) % len(a)
        a[k] += 0.5
    return a


@gl.jit
def nested(a: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        for j in range(len(a)):
            total += a[j] * i
    return total


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt("stop")


def test_an_endless_loop_is_interrupted() -> None:
    assert searched(np.zeros(3), 2.5).max() == 2.5
    assert not gl.explain(searched).breaks
    for _ in range(2):
        a = np.zeros(3)
        with pytest.raises(KeyboardInterrupt, match="stop"), on_alarm(interrupt):
            searched(a, -1.0)
    assert searched(np.zeros(3), 2.5).max() == 2.5


def test_the_error_of_a_handler_is_the_calls() -> None:
    def fail(*_: object) -> None:
        raise TimeoutError("too long")

    assert nested(np.ones(8), 5) == 80.0
    with pytest.raises(TimeoutError, match="too long"), on_alarm(fail):
        nested(np.ones(8), 2**40)


def test_a_handler_that_returns_lets_the_loop_go_on() -> None:
    seen: list[float] = []

    def note(*_: object) -> None:
        seen.append(nested(np.ones(8), 5))
        if len(seen) >= 3:  # again, should an interrupt have come where Python drops it: in a finalizer
            interrupt()

    with pytest.raises(KeyboardInterrupt), on_alarm(note):
        nested(np.ones(8), 2**40)
    assert len(seen) >= 3 and set(seen) == {80.0}
