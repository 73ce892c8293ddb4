"""A variable that only some calls bind, read behind a graph break."""

from typing import Any

import numpy as np
from oracle import Tolerance, check_in_turn


def test_a_variable_that_a_later_call_leaves_unbound() -> None:
    def ended(a: Any, stop: Any) -> Any:
        for i in range(len(a)):  # noqa: B007
            if stop[0]:
                break
        last = 0 + i
        return last, a.sum()

    rows = [(np.ones(size), np.array([3, 4])) for size in (6, 0, 6, 2, 0)]
    check_in_turn(ended, rows, Tolerance(), backend="reference")
