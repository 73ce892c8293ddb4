"""A function with a closure that a program makes for each object, and keeps in an attribute, is known by its code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl


class Solver:
    """An object that makes a function of its own, as SciPy's solvers do."""

    def __init__(self, field: Callable[[Any], Any], scale: float) -> None:
        self.calls = 0

        def counted(y: Any) -> Any:
            self.calls += 1
            return field(y) * scale

        self.counted = counted

    def step(self, y: Any) -> Any:
        return y + 0.1 * self.counted(y)


def doubled(y: Any) -> Any:
    return y * 2


def test_an_object_of_its_own_for_each_call_compiles_nothing_anew() -> None:
    step, y = gl.jit(Solver.step), np.arange(3.0)
    for number in range(12):
        solver, plain = Solver(doubled, 0.5), Solver(doubled, 0.5)
        np.testing.assert_array_equal(step(solver, y), plain.step(y))
        np.testing.assert_array_equal(step(solver, y), plain.step(y))
        assert solver.calls == 2, number
    assert gl.explain(step).compiles <= 3


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_the_closures_hold_is_asked() -> None:
    step, y = gl.jit(Solver.step), np.arange(3.0)
    for field in (doubled, np.sin, doubled, np.cos):
        for scale in (0.5, 2, 0.25):
            np.testing.assert_array_equal(step(Solver(field, scale), y), Solver(field, scale).step(y))


def test_another_function_in_the_attribute_is_seen() -> None:
    step, y = gl.jit(Solver.step), np.arange(3.0)
    for _ in range(3):
        step(Solver(doubled, 0.5), y)
    solver = Solver(doubled, 0.5)
    solver.counted = lambda y: y - 1.0
    np.testing.assert_array_equal(step(solver, y), y + 0.1 * (y - 1.0))
    solver.counted = np.sin
    np.testing.assert_array_equal(step(solver, y), y + 0.1 * np.sin(y))
