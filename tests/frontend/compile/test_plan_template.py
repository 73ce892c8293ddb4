"""Plans in which sizes are written as others plus a number: they serve the calls where that is so, and no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend import state_of

Array = np.ndarray[Any, Any]


def numbered(*shape: int) -> Array:
    return np.arange(float(np.prod(shape))).reshape(shape)


def test_sizes_that_facts_make_known_are_asked_by_the_plan() -> None:
    def f(x: Array, y: Array, z: Array) -> Array:
        return np.concatenate([x[1:] + y, y * z]) * 2

    jitted = gl.jit(f)
    for n in (4, 5, 6, 7, 9, 30, 8):
        arrays = numbered(n + 1), numbered(n), numbered(n)
        np.testing.assert_array_equal(jitted(*arrays), f(*arrays))
    binding = next(each.details["binding"] for each in state_of(jitted).entries if "binding" in each.details)  # type: ignore[union-attr]
    assert binding.free_plans == 1 and set(binding.fit.facts.known_by_others().values()) == {(0, -1), (1, 0)}
    for sizes in ((9, 1, 8), (9, 8, 1), (2, 7, 7), (9, 8, 8)):  # broadcast, or as they were
        arrays = tuple(map(numbered, sizes))
        np.testing.assert_array_equal(jitted(*arrays), f(*arrays))
    for sizes in ((9, 7, 7), (8, 8, 8), (9, 8, 7)):
        with pytest.raises(ValueError, match="operands could not be broadcast"):
            jitted(*map(numbered, sizes))
