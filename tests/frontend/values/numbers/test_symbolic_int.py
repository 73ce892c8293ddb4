"""Sizes in functions of numbers, which rely on how they compare and not on their values."""

from __future__ import annotations

import math
import operator

import pytest
from frontend.tracing.test_dynamic_sizes import in_turn, ramp

LIMIT = 12
EXPRESSIONS = """
    x[max(0, n - 8):] | x[: min(n, LIMIT)] | x[: min(n, p)] | x[n - p :] | x if n <= LIMIT else x[-LIMIT:]
    x * 2 if n == p + 2 else x | x[: int(n) - 1] | x / float(n) | x / math.sqrt(n) | x * math.prod(x.shape)
    x * sum([n, p, n]) | x[: abs(n - 40)] | x * round(n, -1) | x[: operator.index(n) - 1] * bool(n)
"""


@pytest.mark.parametrize("text", [each.strip() for line in EXPRESSIONS.strip().split("\n") for each in line.split("|")])
def test_a_function_of_sizes_is_compiled_for_each_outcome_at_the_most(text: str) -> None:
    namespace = {"math": math, "operator": operator, "LIMIT": LIMIT}
    exec(f"def f(x, p):\n    n = len(x)\n    return ({text}) + 1", namespace)
    report = in_turn(namespace["f"], *((ramp(n), n - 2) for n in range(6, 17)))
    assert sum(event.kind in ("compile", "recompile") for event in report.events) <= 3
    in_turn(namespace["f"], *((ramp(n), p) for n, p in ((6, 2), (7, 4), (30, 40), (9, 9), (5, -1), (1, 0), (0, 3))))
