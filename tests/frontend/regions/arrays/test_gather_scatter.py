"""Masks and arrays of indices in native loops: what they pick, and stores through them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import broken, native
from oracle import check

RANDOM = np.random.default_rng(22)
LINE = RANDOM.standard_normal(20)
ROWS = RANDOM.standard_normal((9, 3))


def test_what_a_mask_picks_is_reduced() -> None:
    def sums(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            picked = a[a > i / 10]
            out[i] = picked.sum() + 2 * len(picked)
            if len(picked) > 3:
                out[i] += picked[2] - picked[1:].max() + (picked * picked).mean()
        return out

    native(sums, LINE, np.zeros(8), rtol=1e-13)


def test_rows_that_a_mask_picks_are_averaged() -> None:
    def centres(points: Any, labels: Any, out: Any) -> Any:
        for k in range(len(out)):
            members = labels == k
            if members.any():
                out[k] = points[members].mean(axis=0)
        return out

    labels = RANDOM.integers(0, 5, 9)
    native(centres, ROWS, labels, np.zeros((6, 3)), rtol=1e-13)


def test_a_mask_that_changes_and_what_it_picked_before() -> None:
    def kept(a: Any, mask: Any, out: Any) -> Any:
        for i in range(len(out)):
            picked = a[mask]
            mask[i] = not mask[i]
            a[i] = -1.0
            out[i] = picked.sum() + a[mask].sum()
        return out

    native(kept, LINE, LINE > 0, np.zeros(9), rtol=1e-13)


def test_stores_through_masks() -> None:
    def clipped(a: Any, grid: Any, steps: int) -> Any:
        for i in range(steps):
            a[a > 1.0 - i / 9] = 0.25 * i
            a[a < -0.5] *= 0.5
            grid[a[:9] > 0] = i
            grid[grid == i] += a[0]
        return a, grid

    def numbered(a: Any, steps: int) -> Any:
        for i in range(steps):
            mask = a % (i + 2) == 0
            a[mask] = np.arange(20)[: int(mask.sum())]
        return a

    native(clipped, LINE, ROWS, 6)
    native(numbered, np.arange(20), 6)


def test_a_store_through_a_mask_that_reads_what_it_writes() -> None:
    def shifted(flags: Any, steps: int) -> Any:
        for _ in range(steps):
            flags[flags] = ~flags[flags]
            flags[1:][flags[:-1]] = True
        return flags

    native(shifted, LINE > 0.3, 6)


def test_an_array_of_another_length_stored_through_a_mask_raises() -> None:
    def stored(a: Any, b: Any) -> Any:
        for i in range(5):
            a[i] = i
            a[a > 2.0] = b
        return a

    check(stored, LINE, np.arange(7.0), calls=1, backend="reference")


def test_arrays_of_indices_gather_and_scatter() -> None:
    def scattered(a: Any, places: Any, out: Any) -> Any:
        for i in range(5):
            out[places] = a[places - i] + i
            out[places] += 1.0
            a[places[i]] = out[places].sum()
        return a, out

    def pairs(grid: Any, rows: Any, columns: Any) -> Any:
        for i in range(5):
            grid[rows, columns] = grid[columns, rows] - i
            grid[rows, 0] += grid[rows].sum(axis=1)
        return grid

    places = np.array([3, -1, 7, 3, 0, 11, 3])
    native(scattered, LINE, places, np.zeros(20), rtol=1e-13)
    native(pairs, RANDOM.standard_normal((6, 6)), np.array([1, 2, 5, 1]), np.array([0, -2, 3, 0]), rtol=1e-13)


@pytest.mark.parametrize("far", [9, -10])
def test_an_index_out_of_range_raises_with_what_came_before_it(far: int) -> None:
    def stored(a: Any, places: Any) -> Any:
        for i in range(6):
            a[i] = i
            a[places + i] = 1.0
        return a

    check(stored, np.zeros(9), np.array([0, far - 2, 1]), calls=1, backend="reference")

    def read(a: Any, places: Any) -> Any:
        for i in range(6):
            a[i] = 2.0
            a[places + i]
        return a

    check(read, np.zeros(9), np.array([0, far - 2, 1]), calls=1, backend="reference")


def test_an_array_from_before_the_loop_that_no_round_may_replace() -> None:
    def settled(a: Any, limit: int) -> Any:
        labels = np.full(len(a), -1)
        for _ in range(limit):
            new = (a > 0).astype(np.int64)
            if np.all(new == labels):
                break
            labels = new
            a[0] += 0.5
        return labels

    def known_outside(a: Any, limit: int) -> Any:
        labels = np.full(len(a), -1)
        first = labels
        for i in range(limit):
            if a[i] > 9.0:
                break
            labels = np.where(a > i, 1, 0)
        return labels, first

    del settled
    broken(known_outside, LINE, 6)


def test_what_the_last_round_made_is_returned() -> None:
    def halved(a: Any) -> Any:
        rank = np.full(20, 0.5)
        while True:
            new = np.full(20, rank.sum() / 30)
            for k in range(len(a)):
                new[k] += rank[k] / 4
            if np.abs(new - rank).sum() < 1e-3:
                return new
            rank = new

    native(halved, LINE, rtol=1e-12)


def folds(a: Any, edges: Any, out: Any) -> Any:
    """All folds of what a mask picks; some masks pick nothing."""
    for k in range(len(edges) - 1):
        inside = (edges[k] <= a) & (a < edges[k + 1])
        out[k, 0] = a[inside].sum()
        out[k, 1] = np.prod(a[inside] * 0.5)
        out[k, 2] = a[inside].any() + 2 * np.all(a[inside])
        if inside.any():
            out[k, 3] = np.mean(a[inside]) + a[inside].max() - np.min(a[inside] + 1, axis=0)
        out[k, 4] = inside.sum()
    return out


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_what_a_mask_picks_is_folded_where_it_lies(dtype: str) -> None:
    edges = np.array([0, 2, 5, 5, 7, 90]).astype(dtype)
    values = RANDOM.integers(0, 9, 40).astype(dtype)
    native(folds, values, edges, np.zeros((5, 5)), rtol=1e-6 if dtype == "float32" else 1e-13)


def test_what_a_mask_leaves_out_does_not_count_whatever_it_is() -> None:
    def sums(a: Any, n: Any, out: Any) -> Any:
        for k in range(len(out)):
            known = a == a
            out[k, 0] = a[known].sum() + a[known & (np.abs(a) < 9)].mean()
            out[k, 1] = (1.0 / a[known & (a != 0)]).sum()
            out[k, 2] = a[known].max() - a[known & (a > -9)].min()
            out[k, 3] = (n[n != 0] * 2 // n[n != 0]).sum() + (100 % n[n > k]).sum()
            out[k, 4] = np.exp(a[np.abs(a) < 3]).sum() + np.sqrt(a[a > 0]).sum()
            a[k] = np.nan
        return out

    a = np.array([0.0, np.nan, 1.0, -0.0, 2.5, np.nan, -1.5, 1e300, 0.5, 3.0])
    native(sums, a, np.array([0, 3, 1, 0, 7, -2]), np.zeros((4, 5)), rtol=1e-13)


def test_what_a_mask_picked_before_a_write_is_folded_as_it_was() -> None:
    def before(a: Any, out: Any) -> Any:
        for k in range(len(out)):
            picked = a[a > 0.1 * k]
            twice = picked * 2
            a[k] = 5.0
            out[k] = picked.sum() + twice.max() + a[a > 1].sum() + len(picked)
            a[a > 4] -= a[a > 4].mean()
            picked[0] = 7.0
            out[k] += picked.sum() + picked.min()
        return a, out

    native(before, np.abs(LINE), np.zeros(6), rtol=1e-13)


def test_an_extreme_of_nothing_that_a_mask_picks_raises_in_the_round_where_numpy_does() -> None:
    def most(a: Any, out: Any) -> Any:
        for k in range(len(out)):
            out[k] = a[a > k].max()
        return out

    check(most, np.array([1.5, 2.5, 0.5]), np.zeros(2), backend="reference")
    check(most, np.array([1.5, 2.5, 0.5]), np.zeros(5), backend="reference")


def test_masks_of_grids_pick_elements_that_are_folded() -> None:
    def levels(grid: Any, out: Any) -> Any:
        for k in range(len(out)):
            out[k] = grid[grid > k].sum() + grid.T[grid.T <= k].sum() + grid[::2, 1:][grid[::2, 1:] > 1].mean()
        return out

    native(levels, RANDOM.random((6, 5)) * 4, np.zeros(4), rtol=1e-13)


def test_what_masks_pick_is_folded_through_kernels() -> None:
    edges = np.array([0.0, 2, 5, 5, 7, 90])
    check(folds, RANDOM.integers(0, 9, 700) / 2, edges, np.zeros((5, 5)), expect="compiled", rtol=1e-13)
