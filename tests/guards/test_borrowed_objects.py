"""Bodies that compiled code leaves and takes over again, where their slots may hold what only a variable refers to."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import guardlift as gl

X = np.arange(4.0)


class Thing:
    def __init__(self, value: Any) -> None:
        self.value = value

    def scaled(self, factor: float, other: Thing) -> Any:
        return self.value * factor + other.value


def last_use_before_a_break(x: Any) -> Any:
    one, two = Thing(x + 1), Thing(x * 2)
    return one.scaled(print("", end="") or 2.0, two)


def bound_anew_behind_a_break(x: Any) -> Any:
    one = Thing(x + 1)
    return one.value, print("", end=""), x + 1, (one := 3)


def deleted_behind_a_break(x: Any) -> Any:
    one = Thing(x * 3)
    pair = [one, print("", end="")]
    del one
    return pair[0].value + x


@pytest.mark.parametrize("body", [last_use_before_a_break, bound_anew_behind_a_break, deleted_behind_a_break])
@pytest.mark.slow
def test_an_object_on_the_stack_outlives_the_variable_that_held_it(body: Any) -> None:
    jitted = gl.jit(body)
    for _ in range(3):
        wanted, found = body(X), jitted(X)
        gc.collect()
        assert repr(found) == repr(wanted)
    assert gl.explain(jitted).breaks
