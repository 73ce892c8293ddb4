"""Variables of native loops that hold a new array in some iterations and the old one in others; stores of tuples."""

# ruff: noqa: B007 (what is written is what is tested)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

POINTS = np.random.default_rng(3).standard_normal((40, 3))


def accepted(points: Any, start: Any) -> Any:
    x, chain, count = start.copy(), np.empty_like(points), 0
    for i in range(len(points)):
        proposed = x + 0.5 * points[i]
        if (proposed * proposed).sum() < 2 * (x * x).sum():
            x = proposed
            count += 1
        chain[i] = x
    x[0] = 9.0
    return chain, x, count


def best(points: Any, start: Any) -> Any:
    x, kept, least = start.copy(), start.copy(), 1e9
    for i in range(len(points)):
        x = 0.9 * x + points[i]
        if (x * x).sum() < least:
            kept, least = x.copy(), (x * x).sum()
    return x, kept, least


@pytest.mark.parametrize("function", [accepted, best])
@pytest.mark.parametrize("start", [np.array([1.0, 2.0, 3.0]), np.zeros(3)], ids=["accepts", "refuses at first"])
def test_a_branch_that_replaces_an_array(function: Callable[..., Any], start: Any) -> None:
    native(function, POINTS, start)


def known_behind_the_loop(points: Any, start: Any) -> Any:
    x = proposed = start.copy()
    for i in range(len(points)):
        proposed = x + points[i]
        if proposed[0] > x[0]:
            x = proposed
    proposed[1] = 7.0
    return x, proposed


def known_in_the_iteration(points: Any, start: Any) -> Any:
    x, out = start.copy(), np.empty_like(points)
    for i in range(len(points)):
        proposed = x + points[i]
        if proposed[0] > x[0]:
            x = proposed
        proposed[1] = i
        out[i] = x
    return x, out


def written(points: Any, start: Any) -> Any:
    x, out = start.copy(), np.empty_like(points)
    for i in range(len(points)):
        proposed = x + points[i]
        if proposed[0] > x[0]:
            x = proposed
        x[1] = i
        out[i] = x
    return x, out


def known_to_the_caller(points: Any, start: Any) -> Any:
    x = start
    for i in range(len(points)):
        proposed = x + points[i]
        if proposed[0] > 1e9:
            x = proposed
    start[0] = 5.0
    return x


def remembered(points: Any, start: Any) -> Any:
    x, moves = start.copy(), 0.0
    for i in range(len(points)):
        before, proposed = x, x + points[i]
        if proposed[0] > x[0]:
            x = proposed
        moves += (x - before).sum()
    return x, before, moves


@pytest.mark.parametrize(
    "function", [known_behind_the_loop, known_in_the_iteration, written, known_to_the_caller, remembered]
)
def test_an_array_that_another_name_knows(function: Callable[..., Any]) -> None:
    check(function, POINTS, np.array([1.0, 2.0, 3.0]), backend="reference")


def test_tuples_and_lists_that_are_stored() -> None:
    def pairs(out: Any, whole: Any, half: Any) -> Any:
        for i in range(len(out)):
            out[i] = i * 0.5, out[i, 0]
            out[i] = out[i, 1], out[i, 0]
            whole[i, 1:] = [i, -i]
            half[i] = (i * 0.37,)
        return out

    native(pairs, np.arange(80.0).reshape(40, 2), np.ones((40, 3), int), np.zeros((40, 2), np.float16))


def test_tuples_of_another_length_raise_what_python_raises() -> None:
    def pairs(out: Any) -> Any:
        for i in range(len(out)):
            out[i] = i, 2.0
        return out

    check(pairs, np.zeros((40, 3)), backend="reference")
