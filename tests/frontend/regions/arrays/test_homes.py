"""Arrays that loops fill and functions return: the loop works in the memory of the result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Tolerance, check_in_turn

import guardlift as gl
from guardlift.frontend import state_of


def filled(n: int) -> Any:
    out = np.zeros(n)
    out[0] = 1.0
    for i in range(1, n):
        out[i] = out[i - 1] * 1.5 + i
    return out


def filled_and_kept(n: int) -> Any:
    out = np.zeros(n)
    before = out.copy()
    for i in range(1, n):
        out[i] = out[i - 1] + i
    return out, before


def filled_in_columns(n: int) -> Any:
    out = np.zeros((n, 3), order="F")
    for i in range(1, n):
        out[i, 1] = out[i - 1, 1] + i
    return out


def filled_twice(n: int) -> Any:
    out = np.zeros(n)
    for i in range(1, n):
        out[i] = out[i - 1] + i
    total = out.sum()
    for i in range(1, n):
        out[i] = out[i] - out[i - 1]
    return out, total


def filled_until_an_error(n: int) -> Any:
    out = np.zeros(n)
    for i in range(n + 1):
        out[i] = i
    return out


@pytest.mark.parametrize("function", [filled, filled_and_kept, filled_in_columns, filled_twice, filled_until_an_error])
def test_a_loop_fills_what_is_returned(function: Any) -> None:
    check_in_turn(function, [(7,), (7,), (9,), (4,)], Tolerance())


@pytest.mark.parametrize("function", [filled, filled_in_columns])
def test_no_copy_is_made(function: Any) -> None:
    jitted = gl.jit(function)
    jitted(50)
    (entry,) = state_of(jitted).entries
    assert entry.details["compiled"].arena_nbytes == 0
