"""Arrays that a mask picks, computed with: NumPy's values, dtypes and layouts, for any count of True."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import guardlift as gl

MASKS = {
    "an argument": "m",
    "a comparison": "x.real > k",
    "of integers": "y % 3 == 1",
    "several": "(y > 1) & ~m | (x.real < -1)",
    "a cast": "y.astype(bool)",
    "reversed": "m[::-1]",
    "finite": "np.isfinite(x)",
    "written before": "z < 3",
}
USES = {
    "arithmetic": "x[{mask}] * 2 + 1",
    "two of one mask": "x[{mask}] * y[{mask}]",
    "reductions": "(x[{mask}].sum(), x[{mask}].prod(), y[{mask}].max(initial=0))",
    "the length": "(y * len(x[{mask}]), x[{mask}].shape)",
    "a view": "x[{mask}][::-1] + 0",
    "places": "x[np.flatnonzero({mask})] - y[np.flatnonzero({mask})]",
    "places of one axis": "(x[np.nonzero({mask})] + 1, np.where({mask})[0] * 2, y[({mask}).nonzero()[0]] * 3)",
    "extracted": "np.extract({mask}, x) * 2",
    "returned places": "(np.nonzero({mask}), y * 2)",
    "returned besides": "(x[{mask}], x[{mask}] - 1)",
}
LAYOUTS = {
    "rows": lambda x: x,
    "reversed": lambda x: x[::-1].copy()[::-1],
    "steps": lambda x: np.repeat(x, 2)[::2],
}


def arguments(dtype: str, layout: str, number: int) -> tuple[Any, ...]:
    """An array of numbers, integers, a mask, and a threshold that leaves none, one or more elements."""
    random = np.random.default_rng(number)
    x = (random.standard_normal(9) * 3).astype(dtype)
    y = random.integers(0, 5, 9)
    mask = np.arange(9) < (0, 1, 5, 9)[number]
    return LAYOUTS[layout](x), LAYOUTS[layout](y), LAYOUTS[layout](mask), (-9.0, 9.0, 0.0, 1.0)[number]


def function(mask: str, use: str) -> Any:
    """A function of the arguments that uses what a mask picks."""
    scope: dict[str, Any] = {"np": np}
    text = f"def program(x, y, m, k):\n    z = y * 2\n    z[0] = 7\n    return {USES[use].format(mask=MASKS[mask])}\n"
    exec(text, scope)
    return scope["program"]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("mask", MASKS)
def test_what_a_mask_picks_is_numpys_for_each_count(mask: str, use: str) -> None:
    program = function(mask, use)
    for number in range(4):
        for dtype in ("float64", "int32", "complex64"):
            check(program, *arguments(dtype, "rows", number), backend="reference", expect="compiled", rtol=1e-6)


@pytest.mark.parametrize("layout", ["reversed", "steps"])
@pytest.mark.parametrize("use", USES)
def test_so_it_is_for_other_layouts(use: str, layout: str) -> None:
    check(function("an argument", use), *arguments("float64", layout, 2), backend="reference", expect="compiled")


@pytest.mark.parametrize("order", ["C", "F"])
def test_masks_of_rows_and_of_all_elements_pick_from_matrices(order: str) -> None:
    matrix = np.asarray(np.arange(12.0).reshape(4, 3), order=order)
    rows = np.array([True, False, True, True])

    def picked(a: Any, rows: Any) -> Any:
        return a[rows] * 2, a[a > 4] - 1, a[rows].T + 1, a[rows].mean(axis=0)

    check(picked, matrix, rows, backend="reference", expect="compiled", rtol=1e-12)


def test_one_entry_serves_all_counts_of_two_or_more() -> None:
    jitted = gl.jit(lambda x: x[x > 0.5] * 2 - x[x > 0.5].mean())
    for number in range(6):
        x = np.random.default_rng(number).random(30)
        assert np.allclose(jitted(x), x[x > 0.5] * 2 - x[x > 0.5].mean())
    report = gl.explain(jitted)
    assert len(report.entries) == 1 and not report.breaks


def test_a_mask_in_a_loop_is_looked_at_in_each_round() -> None:
    def totals(x: Any, y: Any) -> Any:
        found = []
        for k in range(3):
            found.append(x[y == k] * k + 1)
        return found

    check(totals, np.arange(9.0), np.arange(9) % 3, backend="reference", expect=None)


def test_arrays_of_static_sizes_are_left_to_python() -> None:
    with gl.config.patch(dynamic_sizes=False):
        check(lambda x: x[x > 0] * 2, np.arange(-3.0, 3.0), backend="reference", expect="broken")
