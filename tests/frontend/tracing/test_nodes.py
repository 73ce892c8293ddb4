"""Ramps that begin at an int from outside: one entry for all of them, and NumPy's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from frontend.tracing.test_dynamic_sizes import in_turn, ramp

EXPRESSIONS = """
    np.arange(p, p + 3) | np.arange(p, p + len(x), dtype=np.int32) | np.arange(p, p + 3, dtype=np.float32)
    np.arange(p + 4, p, -2, dtype=float) | np.tri(2, 5, p) | np.tril(x[:4, None] * x[:5], p - 4)
    np.triu(np.full((2, 5), -1.0), k=p + 1) | np.eye(3, k=p - 4)
"""


@pytest.mark.parametrize("text", [each.strip() for line in EXPRESSIONS.strip().split("\n") for each in line.split("|")])
def test_a_ramp_begins_at_an_int_from_outside(text: str) -> None:
    namespace = {"np": np}
    exec(f"def f(x, p):\n    return {text} + x.sum()", namespace)
    in_turn(namespace["f"], *((ramp(7), p) for p in range(3, 9)), expect=2)
    in_turn(namespace["f"], *((ramp(7), p) for p in (2, 3, 0, -3, 2**24 - 1, 2**24, -(2**31) + 1, 2**31 - 2)))
