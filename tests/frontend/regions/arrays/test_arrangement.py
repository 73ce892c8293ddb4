"""Arrays of native loops turned round: flips, transposes, and rolls by numbers that change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

RANDOM = np.random.default_rng(47)
GRID = RANDOM.integers(-9, 9, (5, 4))
DTYPES = ["float64", "int32", "bool", "complex128"]


def through_kernels(function: Any, *args: Any) -> None:
    """`native`, and the same through kernels."""
    native(function, *args)
    check(function, *args, expect="compiled")


@pytest.mark.parametrize("dtype", DTYPES)
def test_flips_are_views(dtype: str) -> None:
    def flipped(g: Any, out: Any) -> Any:
        for i in range(len(g)):
            out[i] = np.flip(g[i])
            turned = np.flipud(g)
            turned[0, i % 4] = out[i, 0]
            np.fliplr(g)[i, 0] = g[i, 1]
            np.flip(g, axis=(0, -1))[1] = out[i]
            new = np.flip(g[i] * 1)
            new[0] = g[0, 0]
            out[i] = out[i] + np.flip(new[1:])[0]
        return g, out

    through_kernels(flipped, GRID.astype(dtype), np.zeros((5, 4), dtype))
    check(flipped, np.asfortranarray(GRID.astype(dtype)), np.zeros((5, 4), dtype), expect="compiled")


def test_flips_of_a_vector_whose_size_changes() -> None:
    def flipped(x: Any) -> Any:
        for i in range(1, len(x)):
            x[i] += np.flip(x[:i])[0] - np.flip(x[i:])[0] + np.fliplr(x[None, :])[0, 0]
        return x

    through_kernels(flipped, GRID.ravel() * 0.5)


def test_transposes() -> None:
    def turned(g: Any, t: Any) -> Any:
        for i in range(4):
            t[i] += np.transpose(g)[i]
            np.transpose(t, (1, 0))[i] *= 2
            g[:] = np.swapaxes(t + i, 0, 1) - g
            t[:, 1] -= t.swapaxes(0, -1)[1]
        return g, t

    through_kernels(turned, GRID[:4] * 1.0, np.ones((4, 4)))
    check(turned, GRID * 1.0, np.ones((4, 5)), backend="reference")


@pytest.mark.parametrize("dtype", DTYPES)
def test_rolls_by_numbers_that_change(dtype: str) -> None:
    def rolled(g: Any, by: Any, out: Any) -> Any:
        for i in range(7):
            out[:] = np.roll(g, i, axis=0)
            out[:] = out * 1 + np.roll(out * 1, by[i % 5], 1)
            g[:] = np.roll(np.roll(g * 1, (1, -i), axis=(0, 1)), (i, 2), (0, 0))
            g[i % 5] = np.roll(g[i % 5], -i) + np.roll(g[1, : i % 4 + 1], i)[0]
        return g, out

    through_kernels(rolled, GRID.astype(dtype), np.array([3, -1, 0, 100, -7]), np.zeros((5, 4), dtype))


def test_what_numpy_refuses_is_left_to_it() -> None:
    def beyond(x: Any, axis: int) -> Any:
        for i in range(len(x)):
            x[i] += np.flip(x, axis)[i]
        return x

    def too_flat(x: Any) -> Any:
        for i in range(len(x)):
            x[i] += np.fliplr(x)[i]
        return x

    check(beyond, GRID[0], 1, backend="reference")
    check(too_flat, GRID[0], backend="reference")
    for size in (0, 1):
        check(lambda x: [np.roll(x[: i * 0], i).sum() + x.sum() for i in range(70)], np.ones(size), backend="reference")
