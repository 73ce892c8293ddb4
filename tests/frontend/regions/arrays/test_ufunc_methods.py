"""Methods of ufuncs in native loops, and running sums and products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

RANDOM = np.random.default_rng(48)
GRID = RANDOM.integers(0, 9, (5, 4))


def through_kernels(function: Any, *args: Any, **options: Any) -> None:
    """`native`, and the same through kernels."""
    native(function, *args, **options)
    check(function, *args, expect="compiled", **options)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_outer(dtype: str) -> None:
    def tables(g: Any, out: Any) -> Any:
        for i in range(5):
            out += np.add.outer(g[i], g[:, i % 4])
            out[i % 4] += np.subtract.outer(g, g[i] + 1)[i, 2, 3]
            g[i] += np.maximum.outer(out[0, :2] * 1, out[1] * 1)[1, :4] // 3
            out[1, 1] += np.less.outer(g[0], g[1])[i % 4].sum()
        return g, out

    through_kernels(tables, GRID.astype(dtype), np.zeros((4, 5), dtype))


@pytest.mark.parametrize("dtype", ["float64", "int32", "bool"])
def test_reduce(dtype: str) -> None:
    def reduced(g: Any, out: Any) -> Any:
        for i in range(5):
            out[0] += np.add.reduce(g) * i
            out[1] += np.maximum.reduce(g, axis=0) + np.minimum.reduce(g[i])
            out[2, : len(g)] += np.multiply.reduce(g, 1)[: out.shape[1]]
            out[3] += np.add.reduce(g, axis=None) + np.logical_or.reduce(g[i]) + np.logical_and.reduce(g, axis=1)[i]
            g[i, 0] = i
        return out

    through_kernels(reduced, GRID.astype(dtype), np.zeros((4, 4)))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint16", "bool"])
def test_running_sums_in_every_bit(dtype: str) -> None:
    def running(g: Any, out: Any) -> Any:
        for i in range(5):
            out[i] += np.cumsum(g[i]) + g[i].cumprod() + np.add.accumulate(g, 0)[i]
            out[:, 1] += np.cumsum(g, axis=1)[:, -1] - np.multiply.accumulate(g[:, i % 4])
            out[i, 0] += np.maximum.accumulate(g[::-1, 1])[i] + np.minimum.accumulate(g, axis=-1)[i, 2]
            total = np.cumsum(g[i] * 1)
            total[1] = 7
            out[i] += total
        return g, out

    grid = GRID.astype(dtype)
    if grid.dtype.kind == "f":
        grid = (grid / 7).astype(dtype)
        grid[3, 1], grid[4, 2] = np.nan, np.inf
    with np.errstate(all="ignore"):
        through_kernels(running, grid, np.zeros((5, 4)))


def test_differences_run_on_and_nothing_is_accumulated_of_nothing() -> None:
    def running(x: Any, out: Any) -> Any:
        for i in range(len(out)):
            out[i] = np.subtract.accumulate(x)[i] + len(np.cumsum(x[:0])) + np.cumsum(x[i : i + 1])[0]
        return out

    through_kernels(running, GRID.ravel() / 3, np.zeros(20))


def test_other_arguments_call_numpy() -> None:
    def called(g: Any, out: Any) -> Any:
        for i in range(5):
            g[i] += 1
            out[i] = np.cumsum(g)[i : i + 4] + np.add.reduceat(g[i], [0, 1, 2, 3])
            out[i] += np.add.reduce(g, axis=0, keepdims=True)[0] + np.hypot.accumulate(g[i] * 0.5)
        return out

    def numbers(g: Any, out: Any) -> Any:
        for i in range(4):
            out[i] = np.multiply.outer(g[i], 2)[1] + np.add.outer(i, g[2])[1]
        return out

    check(called, GRID, np.zeros((5, 4)), backend="reference", rtol=1e-14)
    check(numbers, GRID.astype(np.uint8), np.zeros((4, 4)), backend="reference")


def test_sums_of_a_part_whose_size_changes() -> None:
    def running(x: Any, out: Any) -> Any:
        for i in range(len(x)):
            out[i] = np.cumsum(x[: i + 1])[-1] + len(np.cumprod(x[:i])) + np.maximum.accumulate(x[i:] * 2)[0]
            out[: i // 2] += np.add.accumulate(x[: i // 2])
        return out

    through_kernels(running, GRID.ravel() / 3, np.zeros(20))
