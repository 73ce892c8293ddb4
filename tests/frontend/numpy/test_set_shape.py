"""A shape that is set: of an array that the function made, of a view, and where NumPy or somebody else has a say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import Tolerance, check, check_in_turn

from guardlift.frontend.tracing.numpy_versions import NUMPY

pytestmark = pytest.mark.skipif(NUMPY.setting_shape_is_deprecated, reason="NumPy warns, so Python sets it")
LINE = np.arange(12.0)

TRACED = {
    "made": "y = x * 2; y.shape = (3, 4)",
    "by its size": "y = x + 1; y.shape = (2, -1)",
    "an int": "y = (x + 1).reshape(3, 4).copy(); y.shape = 12",
    "added to": "y = np.empty(12); y[:] = x; y.shape += (1,)",
    "twice": "y = np.sort(-x); y.shape = (3, 2, 2); y[1] = 5; y.shape = (6, -1); y[0] = 7",
    "another name": "y = x + 1; z = y; y.shape = (3, 4); z[1] = 0; y[:, 1] = 9",
    "written before": "y = x + 1; y[0] = 5; y[1:3] *= 2; y.shape = (4, 3)",
    "in a list": "y = [x + 1, x * 2]\n    for each in y:\n        each.shape = (3, -1)\n        each[2] = each[0]",
    "a ufunc's output": "y = x + 1; y.shape = (3, 4); np.negative(y, out=y); y.shape = 12; y = y, y[::-1], y.sum()",
    "a view": "y = x[2:8]; y.shape = (2, 3); y[1] = 4",
    "a view of a view": "z = (x + 1).reshape(3, 4); y = z[1:]; y.shape = 8; y[3] = -1; y = y, z",
    "its views": "y = x + 1; w, v = y[2:6], y.reshape(4, -1); y.shape = (2, -1); r = v[1]; y[1, 0] = 77; w[0] = 8\n"
    "    v[3, 1] = 9; r[:] += 100; w.shape = (2, 2); y.shape = (-1, 3); w[1, 1] = 55; y = w, y, v, r",
    "a mask's": "y = x[x > 3]; y.shape = (-1, 2)",
    "in loops": "y = x + 1; y.shape = (2, 6)\n    for i in range(6):\n        y[1, i] += y[0, i]\n    y.shape = 12\n"
    "    for i in range(1, 12):\n        y[i] += y[i - 1]",
    "nothing": "y = x[:0] * 1; y.shape = (0, 3)",
}
LEFT = {
    "an argument's": "x.shape = (3, 4); y = x",
    "too large": "y = x + 1; y.shape = (5, 7)",
    "that would copy": "y = (x + 1).reshape(3, 4).T; y.shape = 12",
    "no shape": "y = x + 1; y.shape = 'ab'",
    "a number's": "y = x[0] * 2; y.shape = (1,)",
    "with a diagonal": "z = (x + 1).reshape(3, 4)[:]; w = z.diagonal(); z.shape = 12; y = z, w",
    "with parts of a view": "z = (x + 1j)[2:8]; w = z.imag; z.shape = (2, 3); y = z, w",
    "with a mask's elements": "z = x[2:8]; w = z[z > 4]; z.shape = (2, 3); y = z, w, x * 2",
    "with elements up to a computed place": "z = x + 1; w = z[: int(x.sum()) // 10]; z.shape = (3, 4); y = w, z",
    "with a view of parts": "z = x + 1j; w = z.real; z.shape = (2, -1); w[0] = 4; y = z, w",
}


def program(body: str) -> Any:
    scope: dict[str, Any] = {"np": np}
    exec(f"def program(x):\n    {body}\n    return y\n", scope)
    return scope["program"]


@pytest.mark.parametrize("body", TRACED)
def test_a_shape_that_is_set_is_part_of_the_graph(body: str) -> None:
    function = program(TRACED[body])
    check(function, LINE, expect="compiled")
    check(function, LINE.astype(np.int32), backend="reference", expect="compiled")


@pytest.mark.parametrize("body", LEFT)
def test_another_is_pythons(body: str) -> None:
    check(program(LEFT[body]), LINE, backend="reference")


def test_sizes_that_change() -> None:
    function = program("y = x * 2; y.shape = (2, -1); y[1] += 1; z = y[0]; y.shape = (x.size // 2, 2); y = y, z")
    report = check_in_turn(function, [(np.arange(float(size)),) for size in (8, 12, 20, 30)], Tolerance())
    assert report.compiles <= 2 and not report.breaks
