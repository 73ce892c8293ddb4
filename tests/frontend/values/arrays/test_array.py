"""Arrays and tensors from outside: what kernels do not load, and what that leaves to later calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import guardlift as gl


@pytest.mark.parametrize("of", [lambda array: array, gl.from_numpy], ids=["array", "tensor"])
def test_a_call_with_elements_off_their_multiples_leaves_later_calls_to_compiled_code(of: Any) -> None:
    odd = of(np.zeros(33, np.uint8)[1:].view(np.float64))
    between = of(np.zeros(4, [("a", np.float32), ("b", np.float64)])["b"])
    even = of(np.zeros(4))

    @gl.jit
    def added(x: Any) -> Any:
        return x + 1.0

    for each in (odd, odd, even, between, even, odd, even):
        assert added(each).tolist() == [1.0] * 4
    report = gl.explain(added)
    assert report.compiles == 1 and report.calls and report.calls.hits == 2, str(report)
    assert {(each.code, each.what) for each in report.breaks} == {
        ("B429", "x, whose elements do not lie at multiples of their size")
    }
    assert "x.copy()" in report.breaks[0].remedy
