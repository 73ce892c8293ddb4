"""Native loops over arrays, `enumerate`, `zip` and `reversed`."""

# ruff: noqa: B007, B905 (what is written is what is tested)

from __future__ import annotations

from typing import Any

import numpy as np
from frontend.control_flow.elements.test_loops import broken, native
from oracle import check

RANDOM = np.random.default_rng(24)
LINE = RANDOM.integers(-4, 9, 9).astype(float)
GRID = RANDOM.integers(-4, 9, (7, 6)).astype(float)


def test_loops_over_the_elements_of_an_array() -> None:
    def grown(a: Any, out: Any) -> Any:
        total, seen = 0.0, 0
        for x in a:
            total += x
            seen += 1
            if seen < len(a):
                a[seen] += total  # which the loop reads next
        for x in reversed(a):
            total = 0.5 * total + x
        for i, x in enumerate(a, 3):
            out[i - 3] = x * i + total
        return total, seen, x, i, out

    native(grown, LINE, np.zeros(9))


def test_loops_over_the_rows_of_an_array() -> None:
    def least(g: Any, out: Any) -> Any:
        for k, row in enumerate(g):
            best = 0
            for j, x in enumerate(row):
                if x < row[best]:
                    best = j
            out[k] = best
            row[best] = 100.0
            for y in row[k::2]:
                out[k] += y
        for row in g[:, 1:-1].T:
            for x in row:
                out[0] += x
        return out

    native(least, GRID, np.zeros(7))


def test_loops_over_several_arrays_at_once() -> None:
    def mixed(a: Any, g: Any, idx: Any, out: Any) -> Any:
        total = 0.0
        for x, row, k in zip(a, g, idx):
            out[k] += x * row[k]
        for (i, x), y, z in zip(enumerate(a), reversed(range(3, 9)), range(0, 90, 7)):
            out[i] -= x * y + z
            for p, q in zip(range(i), out):
                total += p * q
            for p, q in zip(out, range(i, 9), strict=False):
                total -= p * q
            for p in reversed(range(i)):
                total = total * 0.5 + p
            for p in reversed(range(9, i, -1)):
                total = total * 0.5 - p
        return out, total

    idx = RANDOM.integers(0, 6, 7)
    native(mixed, LINE, GRID, idx, np.zeros(9), rtol=1e-12)
    native(mixed, LINE[:5], GRID, idx, np.zeros(9), rtol=1e-12)


def test_none_or_one_round() -> None:
    def total(a: Any, b: Any) -> Any:
        x, k, seen = 7.0, -1, 0
        for k, x in enumerate(a):
            seen += b[k]
        for y, z in zip(a, b):
            seen += y - z
        return x, k, seen

    for size in (0, 1, 2):
        check(total, np.arange(float(size)), np.arange(5.0) + 1, backend="reference")


def test_an_iterator_that_the_program_holds_is_not_where_it_was() -> None:
    def asked_behind(a: Any) -> Any:
        total, it = 0.0, iter(range(1, 8))
        for i in it:
            total += a[i]
            if total > 5:
                break
        return total, list(it)

    def asked_inside(a: Any) -> Any:
        total, it = 0.0, iter(a)
        for x in it:
            total += x * next(it, 0.0)
        return total

    def asked_through_another(a: Any) -> Any:
        total, it = 0.0, iter(a)
        for i, x in enumerate(it):
            total += x * i
            if total > 5:
                break
        return total, next(it, None)

    def in_a_round(g: Any) -> Any:
        total = 0.0
        for row in g:
            it = iter(range(6))
            for i in it:
                total += row[i]
                if total > 5:
                    total -= next(it, 0)
        return total

    for function in (asked_behind, asked_inside, asked_through_another):
        check(function, LINE, backend="reference")
    broken(in_a_round, GRID)


def test_strict_zips_of_different_lengths_raise() -> None:
    def total(a: Any, b: Any) -> Any:
        seen = 0.0
        for x, y in zip(a, b, strict=True):
            seen += x * y
            b[0] = seen
        return seen

    native(total, LINE, LINE + 1)
    check(total, LINE, LINE[:6] + 1, backend="reference")


def test_a_loop_over_an_array_that_its_variable_leaves() -> None:
    """The iterator goes on over the first array, which the round writes into."""

    def left(n: int) -> Any:
        values = np.arange(float(n))
        seen = np.zeros(n)
        k = 0
        for x in values:
            seen[k] = x
            values[n - 1] += 1.0
            values = values * 2.0
            k += 1
        return seen, values

    def kept(points: Any, limit: int) -> Any:
        labels = np.full(len(points), -1.0)
        points = points.copy()
        for k in range(limit):
            new = np.floor(points * k / limit)
            if np.all(new == labels):
                break
            labels = new
            points[k % 3] += 0.5
        return labels

    check(left, 7, backend="reference")
    native(kept, np.linspace(0.0, 3.0, 9), 70)
    check(kept, np.linspace(0.0, 3.0, 9), 0, backend="reference")
