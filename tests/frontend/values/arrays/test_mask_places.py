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


GRIDS = {
    "elements": "x[np.nonzero(m)] * 2",
    "unpacked": "(lambda rows, columns: (x[rows, columns] - rows, columns))(*np.nonzero(m))",
    "one of both": "(np.where(x > k)[1] + 1, x * 2)",
    "their number": "(len(m.nonzero()[0]), x.nonzero()[1].sum())",
    "pairs": "(np.argwhere(m), np.argwhere(x > k) * 2, np.argwhere(m).sum(axis=0))",
    "pairs of a vector": "np.argwhere(m[:, 1])[:, 0] - 1",
    "columns": "(np.compress(m[0], x, axis=1) * 2, x.compress(m[:, 1], -2) + 1)",
    "columns as they are": "(np.compress(m[0], x, axis=1), x * 2)",
    "a block": "sum(np.nonzero(np.stack([m, ~m, m])))",
}


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("use", GRIDS)
def test_places_along_several_axes(use: str, order: str) -> None:
    scope: dict[str, Any] = {"np": np}
    exec(f"def program(x, m, k):\n    return {GRIDS[use]}\n", scope)
    for number in (0, 1, 2, 11, 20):
        mask = np.random.default_rng(number).permutation(20).reshape(5, 4) < number
        x = np.asarray(np.arange(20.0).reshape(5, 4), order=order)
        check(scope["program"], x, np.asarray(mask, order=order), 19.5 - number, backend="reference", expect="compiled")


def test_what_lies_at_places_along_two_axes_is_written() -> None:
    def marked(x: Any, m: Any) -> Any:
        y = x.copy()
        rows, columns = np.nonzero(m)
        y[rows, columns] = -1.0
        y[rows, 0] += columns
        return y

    for number in (0, 1, 2, 7):
        mask = np.random.default_rng(number).permutation(12).reshape(3, 4) < number
        check(marked, np.arange(12.0).reshape(3, 4), mask, backend="reference", expect="compiled")


def test_elements_of_any_layout_at_vectors_of_indices() -> None:
    def elements(x: Any, i: Any, j: Any) -> Any:
        return x[i, j] + 1, x[2, j], x[i, 1] * 2

    x, i = np.arange(12.0).reshape(3, 4), np.array([0, 2, 1, -1, 1, 0])
    for each in (x, np.asfortranarray(x), x[::-1]):
        check(elements, each, i[::2], i[::-2] + 1, expect="compiled")


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


def test_as_many_elements_as_a_mask_has_places_are_written_to_tensors() -> None:
    weight = gl.ones(1, requires_grad=True)

    @gl.jit
    def targets(x: gl.Tensor, values: gl.Tensor) -> gl.Tensor:
        made = gl.zeros(x.shape)
        made[x > 0] = values * weight
        made.sum().backward()
        return made.detach()

    for count in (4, 2, 5, 3):
        x = gl.arange(6.0) - (5 - count)
        found = []
        for function in (targets, targets.__wrapped__):
            weight.grad = None
            found.append((function(x, gl.arange(float(count)) + 1).tolist(), weight.grad.tolist()))
        assert found[0] == found[1]
    assert gl.explain(targets).breaks == () and gl.explain(targets).compiles <= 3
    errors = []
    for function in (targets, targets.__wrapped__):
        with pytest.raises(RuntimeError) as raised:
            function(gl.arange(6.0), gl.ones(3))
        errors.append(str(raised.value))
    assert errors[0] == errors[1]
