"""Loops and branches that are not compiled as one tell the reason, its code and the remedy for it."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl
from guardlift.frontend.breaks import KINDS


def broken(function: Any, *args: Any) -> Any:
    """The first break of a function in the report on it."""
    jitted = gl.jit(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jitted(*args)
    return gl.explain(jitted).breaks[0]


def newton(x: Any) -> Any:
    y, before = x + 1, x
    while np.abs(y - before).max() > 1e-6:
        y, before = 0.5 * (y + 2 / y), y
    return y


def appended(x: Any) -> Any:
    found = []
    for k in range(100):
        if x[k % 4] > 1:
            found.append(k)
    return found


def stopped(t: Any) -> Any:
    h = gl.zeros(3)
    for _ in range(600):
        h = (h + t).tanh()
        if h.sum() > 2:
            break
    return h


def twice_written(t: Any) -> Any:
    out = gl.zeros(100, 3)
    for k in range(100):
        out[k] = t.tanh() * k
        out[k] = t * 2
    return out


def added_in_place(t: Any) -> Any:
    y = t * 2
    if t.sum() > 0:
        y += 1
    return y


CASES = [
    pytest.param(newton, np.arange(4.0), "B107", "B333", id="a while loop on the data of an array"),
    pytest.param(appended, np.arange(4.0), "B313", "B331", id="a loop that changes a list"),
    pytest.param(stopped, (3,), "B314", "B361", id="a loop over tensors with a break"),
    pytest.param(twice_written, (3,), "B313", "B362", id="a loop that picks parts of tensors"),
    pytest.param(added_in_place, (2,), "B104", "B350", id="a branch that writes"),
]


@pytest.mark.parametrize(("function", "given", "code", "reason"), CASES)
def test_the_remedy_is_that_of_the_reason(function: Any, given: Any, code: str, reason: str) -> None:
    stop = broken(function, given if isinstance(given, np.ndarray) else gl.ones(*given))
    assert (stop.code, stop.remedy) == (code, KINDS[reason].remedy)
    assert f"({reason})" in stop.what and str(stop).endswith(f"Remedy: {KINDS[reason].remedy}.")


def test_a_reason_without_a_remedy_for_loops_leaves_that_of_the_loop() -> None:
    def told(x: Any) -> Any:
        total = 0.0
        for k in range(100):
            total += math.gamma(x[k % 4] + 1)
        return total

    stop = broken(told, np.arange(4.0))
    assert (stop.code, stop.remedy) == ("B313", KINDS["B313"].remedy) and "argument of gamma (B102)" in stop.what


def test_a_while_loop_that_breaks_gives_the_same_results() -> None:
    assert "B107" in check(newton, np.arange(4.0), backend="reference").breaks
