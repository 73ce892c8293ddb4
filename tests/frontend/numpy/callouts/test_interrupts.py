"""Signals that arrive while a plan is in NumPy, and exceptions that arrive anywhere in a call: none is lost."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
import guardlift.frontend.numpy.callouts.names  # noqa: F401  (which keeps the true `found`)
from guardlift.ops import call_outs

LINE = np.array([3.0, -1.0, 2.5, 0.0, 7.0, -4.0])


class Late(ValueError):
    """The error that a handler raises."""


@pytest.fixture(autouse=True)
def _handler_put_back() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)


def once(x: Any) -> Any:
    return np.sort(x)[0] + 1.0


def twice(x: Any) -> Any:
    return np.sort(x)[::-1].copy() + np.sort(np.cumsum(x))


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        total += np.sort(x)[k]
    return total


def between_writes(x: Any) -> Any:
    x[0] = 5.0
    y = np.sort(x)
    x[1] = 6.0
    return y


def with_a_draw(x: Any, rng: Any = None) -> Any:
    return np.sort(x) + np.random.default_rng(3).random(6)


PROGRAMS = [once, twice, in_a_loop, between_writes, with_a_draw]


ARMED: list[int] = []
"""Not empty: the next sort within a plan ends with an alarm."""


@pytest.fixture(scope="module", autouse=True)
def _plans_sort_with_an_alarm() -> Iterator[None]:
    """The `np.sort` of plans, which raises an alarm where it is `ARMED`; one patch, since entries share call-outs."""
    found = call_outs.found

    def sort(*args: Any, **kwargs: Any) -> Any:
        made = np.sort(*args, **kwargs)
        if ARMED:
            ARMED.clear()
            signal.raise_signal(signal.SIGALRM)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(call_outs, "found", lambda name: sort if name == "numpy.sort" else found(name))
        yield


ERRORS = [TimeoutError, Late, KeyError, KeyboardInterrupt, SystemExit, np.linalg.LinAlgError, AttributeError]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("error", ERRORS)
def test_what_a_handler_raises_while_a_plan_is_in_numpy_leaves_the_call(program: Any, error: Any) -> None:
    def handler(*_: Any) -> None:
        raise error("too long")

    signal.signal(signal.SIGALRM, handler)
    jitted = gl.jit(program, fullgraph=True)
    wanted = program(LINE.copy())
    assert np.array_equal(jitted(LINE.copy()), wanted)
    x = LINE.copy()
    ARMED.append(1)
    with pytest.raises(error, match="too long"):
        jitted(x)
    assert not ARMED
    assert np.array_equal(x, LINE)  # as if the signal had come before the call
    assert np.array_equal(jitted(x), wanted)
    assert not gl.explain(jitted).breaks


def test_a_real_alarm_that_arrives_in_numpy_is_raised() -> None:
    def handler(*_: Any) -> None:
        raise TimeoutError("too long")

    signal.signal(signal.SIGALRM, handler)

    def f(x: Any) -> Any:
        return np.sort(x)[0] + np.sort(-x)[0]

    x = np.random.default_rng(0).random(400_000)
    jitted = gl.jit(f, fullgraph=True)
    jitted(x)
    signal.setitimer(signal.ITIMER_REAL, 0.002)
    with pytest.raises(TimeoutError, match="too long"):
        for _ in range(100):
            jitted(x)
    assert jitted(x) == f(x)


def test_an_object_that_raises_as_it_becomes_an_array_raises_in_the_call() -> None:
    class Raising:
        armed = False

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            if self.armed:
                raise KeyboardInterrupt
            return LINE.copy()

    given = Raising()

    def f(x: Any) -> Any:
        return np.sort(x)[0] + np.asarray(given)[1]

    jitted = gl.jit(f)
    assert jitted(LINE) == f(LINE)
    given.armed = True
    with pytest.raises(KeyboardInterrupt):
        jitted(LINE)
    given.armed = False
    assert jitted(LINE) == f(LINE)


def test_what_numpy_raises_still_comes_from_the_users_line() -> None:
    def f(x: Any) -> Any:
        return np.linalg.inv(x).sum()

    jitted = gl.jit(f, fullgraph=True)
    jitted(np.eye(2))
    with pytest.raises(np.linalg.LinAlgError) as caught:
        jitted(np.zeros((2, 2)))
    assert [entry.name for entry in caught.traceback][1] == "f"


@pytest.mark.parametrize("error", [TimeoutError, ValueError, IndexError, RuntimeError])
@pytest.mark.parametrize("stop", [40, 600, 2000])
def test_what_a_handler_raises_while_a_function_is_compiled_is_no_break(stop: int, error: Any) -> None:
    def handler(*_: Any) -> None:
        raise error("too long")

    def f(x: Any) -> Any:
        y = np.sort(x)
        return [y * 2.0, y.sum()]

    signal.signal(signal.SIGALRM, handler)
    jitted, before, seen = gl.jit(f), sys.gettrace(), 0

    def tracer(frame: Any, event: str, argument: Any) -> Any:
        nonlocal seen
        if frame.f_globals.get("__name__", "").startswith("guardlift.") and event == "call":
            seen += 1
            if seen == stop:
                sys.settrace(None)
                signal.raise_signal(signal.SIGALRM)

    with gl.config.patch(under_tracing="jit"), pytest.raises(error, match="too long"):
        sys.settrace(tracer)
        try:
            jitted(LINE)
        finally:
            sys.settrace(before)
    assert np.array_equal(jitted(LINE)[0], f(LINE)[0])
    assert not gl.explain(jitted).breaks
