"""Counting, and arrays of indices in straight-line code: what they pick, and stores through them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

RANDOM = np.random.default_rng(5)
PLACES = np.array([3, -1, 4, 3, 0, 2, 3])
GRID = RANDOM.standard_normal((6, 5))


def whole(function: Any, *args: Any, **options: Any) -> None:
    check(function, *args, backend="reference", expect="compiled", **options)


def test_bincount_with_a_minimal_length() -> None:
    def counted(x: Any, weights: Any) -> Any:
        return np.bincount(x, minlength=6), np.bincount(x, weights, minlength=9), np.bincount(x, weights=x, minlength=6)

    x = RANDOM.integers(0, 6, 40)
    whole(counted, x, RANDOM.random(40))
    whole(counted, x.astype(np.uint8), RANDOM.random(40).astype(np.float32))


@pytest.mark.parametrize("other", [9, -1])
def test_bincount_of_numbers_out_of_range(other: int) -> None:
    def counted(x: Any, out: Any) -> Any:
        out[0] = 1.0
        return np.bincount(x, minlength=6)

    check(counted, np.array([0, 5, other]), np.zeros(2), calls=1, backend="reference")


def test_stores_through_arrays_of_indices() -> None:
    def stored(a: Any, b: Any, places: Any) -> Any:
        a[places] = b[places, 1]
        a[places] += 1.0
        b[places] = a[:5]
        b[[0, 1], places[:2]] = 7
        b[places, places] *= 2.0
        return a, b

    whole(stored, np.arange(6.0), GRID, PLACES)


def test_stores_of_several_values_through_a_mask() -> None:
    def stored(a: Any, b: Any, mask: Any) -> Any:
        a[mask] = b
        a[a > 2] = 0.5
        a[1:][mask[1:]] = b[1:]
        return a

    mask = np.array([True, False, True, True, False, False])
    whole(stored, np.arange(6.0), np.array([5.0, -1.0, 1.0]), mask)


def test_pairs_of_arrays_of_indices_pick_elements() -> None:
    def picked(a: Any, rows: Any, columns: Any) -> Any:
        return a[rows, columns], a[rows, 2], a[rows[:, None], columns[None, :]]

    whole(picked, GRID, PLACES, PLACES % 5)


@pytest.mark.parametrize("far", [6, -7])
def test_an_index_out_of_range_leaves_everything_as_it_was(far: int) -> None:
    def stored(a: Any, places: Any) -> Any:
        a[0] = 5.0
        a[places] = 1.0
        return a

    check(stored, np.zeros(6), np.array([1, far]), calls=1, backend="reference")
