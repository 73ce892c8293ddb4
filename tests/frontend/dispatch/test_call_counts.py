"""Calls are counted: hits, misses and calls in plain Python add up to the calls that were made."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from recording import recorded

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.frontend.dispatch.call_counts import TIMED
from guardlift.tools.report import CallsReport

X = np.ones(3)


def doubled(x):
    return x * 2.0


def turns(x, n):
    for k in range(n):
        x = x + k
    return x


def picked(x):
    if x.sum() > 0:
        return x * 2
    return -x


def element(x, i):
    return x[i] * 2.0


def shared(x, y):
    x[:] = x + y


def sized(x):
    return np.tanh(x) + len(x)


def failing(x):
    return x + np.zeros(5)


def overlapping() -> tuple[np.ndarray, np.ndarray]:
    base = np.arange(8.0)
    return base[:4], base[2:6]


CASES: list[tuple[Callable[..., Any], Sequence[tuple[Any, ...]], CallsReport]] = [
    (doubled, [(X,)] * 5, CallsReport(4, 1, 0)),
    (doubled, [(X,)] * 3 + [(X.astype(np.float32),)] * 4, CallsReport(5, 2, 0)),
    (turns, [(X, n) for n in (1, 2, 1, 2, 2)], CallsReport(3, 2, 0)),
    (turns, [(X, n) for n in range(1, 21)], CallsReport(0, 8, 12)),
    (picked, [(X,)] * 3 + [(-X,)] * 3, CallsReport(5, 1, 0)),
    (element, [(X, np.int64(k)) for k in (0, 1, 7, 2, 8)], CallsReport(2, 1, 2)),
    (shared, [(X.copy(), X)] * 2 + [overlapping() for _ in range(3)], CallsReport(3, 2, 0)),
    (sized, [(np.ones(n),) for n in range(2, 12)], CallsReport(8, 2, 0)),
    (failing, [(X,)] * 3, CallsReport(0, 0, 3)),
]


@pytest.mark.filterwarnings("ignore::guardlift.GraphBreakWarning", "ignore:.*the limit:RuntimeWarning")
@pytest.mark.parametrize(("function", "calls", "expected"), CASES)
def test_hits_misses_and_plain_calls_add_up_to_the_calls(function, calls, expected) -> None:
    jitted = gl.jit(function)
    for arguments in calls:
        try:
            jitted(*arguments)
        except (IndexError, ValueError):
            pass
    counted = gl.explain(jitted).calls
    assert counted == expected
    assert counted.total == len(calls)


def test_an_error_of_the_miss_handler_counts_as_a_miss() -> None:
    jitted = gl.jit(turns)
    jitted(X, 1)
    report = gl.explain(jitted)
    assert (report.compiles, report.breaks, report.calls) == (1, (), CallsReport(0, 1, 0)), report
    with gl.config.patch(error_on_recompile=True), pytest.raises(gl.RecompileError):
        jitted(X, 2)
    assert gl.explain(jitted).calls == CallsReport(0, 2, 0)


def test_each_entry_tells_the_calls_that_it_served_and_a_break_how_often_it_was_passed() -> None:
    jitted = gl.jit(picked)
    for _ in range(5):
        jitted(X)
    jitted(-X)
    report = gl.explain(jitted)
    assert [(entry.number, entry.served) for entry in report.entries] == [(0, 6), (1, 5), (2, 1)]
    assert [found.passed for found in report.breaks] == [6]
    assert "calls came by it 6 times" in str(report) and "served 5 calls" in str(report)


def pausing(x, seconds):
    y = x * 2.0
    time.sleep(seconds)
    print(end="")
    return y + 1.0


def test_the_first_passes_of_a_break_are_timed_where_somebody_listens() -> None:
    jitted = gl.jit(pausing)
    with recorded():
        for _ in range(3):
            jitted(X, 0.003)
    paused, printed = gl.explain(jitted).breaks
    assert paused.passed == printed.passed == 3
    assert paused.microseconds >= 3000 > printed.microseconds > 0
    assert "calls came by it 3 times, and Python took" in str(gl.explain(jitted))
    before = gl.explain(jitted).breaks[1].microseconds
    for _ in range(TIMED):  # of which 97 or 98 count
        jitted(X, 0.0)
    again = gl.explain(jitted).breaks
    assert again[0].microseconds < paused.microseconds and again[1].microseconds != before
    jitted(X, 0.05)
    assert gl.explain(jitted).breaks[0].microseconds == again[0].microseconds
    alone = gl.jit(pausing)
    alone(X, 0.0)
    assert [found.microseconds for found in gl.explain(alone).breaks] == [None, None]


def test_a_pass_that_ends_in_an_error_is_not_timed() -> None:
    def checked(x, run):
        y = x * 2.0
        run()
        return y + 1.0

    def fails():
        raise LookupError

    jitted = gl.jit(checked)
    with recorded():
        jitted(X, print)
        for _ in range(3):
            with pytest.raises(LookupError):
                jitted(X, fails)
    state = state_of(jitted)
    assert state is not None
    assert sum(count for count, _ in state.calls.clock.passes.values()) <= 1


def test_calls_of_entries_that_are_gone_stay_counted() -> None:
    layer = gl.nn.Linear(3, 2)
    jitted = gl.jit(lambda x: layer(x))
    for _ in range(3):
        for _ in range(4):
            jitted(gl.ones(3))
        layer.weight = gl.nn.Parameter(gl.ones(2, 3))  # the entry's plan is gone with it
    gc.collect()
    assert gl.explain(jitted).calls == CallsReport(9, 3, 0)


def test_calls_of_an_entry_that_waits_for_a_flag_stay_counted() -> None:
    layer = gl.nn.Dropout(0.5)
    jitted = gl.jit(lambda x: layer(x) + 1)
    for _ in range(3):
        jitted(gl.ones(3))
    layer.eval()
    assert gl.explain(jitted).calls == CallsReport(2, 1, 0)


def test_reset_begins_to_count_anew() -> None:
    jitted = gl.jit(doubled)
    jitted(X)
    jitted(X)
    gl.reset()
    jitted(X)
    assert gl.explain(jitted).calls == CallsReport(0, 1, 0)


def test_what_a_plugin_runs_is_not_counted() -> None:
    jitted = gl.jit(doubled, backend=lambda graph, inputs: graph.forward)
    jitted(X)
    jitted(X)
    report = gl.explain(jitted)
    assert report.calls is None and [entry.served for entry in report.entries] == [None]


def test_calls_that_recurse_are_calls() -> None:
    def power(x, n):
        return x if n == 0 else recursing(x * 2.0, n - 1)

    recursing = gl.jit(power)
    for _ in range(4):
        recursing(X, 0)
    assert gl.explain(recursing).calls.total == 4


def test_nothing_is_counted_in_the_code_that_serves_a_call() -> None:
    jitted = gl.jit(doubled)
    jitted(X)
    assert "calls" not in state_of(jitted).entry_text()


def test_calls_of_functions_that_are_gone_are_in_the_record() -> None:
    with recorded() as reports:
        jitted = gl.jit(lambda x: x * 3.0)
        for _ in range(5):
            jitted(X)
        del jitted
        gc.collect()
    (report,) = reports()
    assert report.calls == CallsReport(4, 1, 0) and [entry.served for entry in report.entries] == [5]
