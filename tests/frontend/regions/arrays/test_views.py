"""Slices and array expressions in native loops: views, overlap, aliasing, reductions, arrays made in a round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import broken, native
from oracle import check

RANDOM = np.random.default_rng(21)
GRID = RANDOM.random((12, 14))


def test_time_steps_over_slices() -> None:
    def wave(u: Any, c: float) -> Any:
        for t in range(1, u.shape[0] - 1):
            u[t + 1, 1:-1] = 2 * u[t, 1:-1] - u[t - 1, 1:-1] + c * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
            u[t + 1, 0] = u[t, 1]
            u[t + 1, -1] = u[t, -2]
        return u

    native(wave, GRID, 0.2)


@pytest.mark.parametrize("steps", [6, 9])
def test_a_write_that_overlaps_what_it_reads_sees_the_old_values(steps: int) -> None:
    def shifted(a: Any) -> Any:
        for i in range(steps):
            a[1:] = a[:-1]
            a[0] = i
        return a

    def smoothed(u: Any) -> Any:
        for _ in range(steps):
            u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        return u

    native(shifted, RANDOM.random(10))
    native(smoothed, RANDOM.random(10))


def test_slices_whose_bounds_change() -> None:
    def cholesky(a: Any) -> Any:
        n = a.shape[0]
        low = np.zeros_like(a)
        for i in range(n):
            for j in range(i + 1):
                s = a[i, j] - low[i, :j] @ low[j, :j]
                if i == j:
                    low[i, j] = np.sqrt(s)
                else:
                    low[i, j] = s / low[j, j]
        return low

    def tails(a: Any, out: Any) -> Any:
        for i in range(len(a)):
            out[i] = a[i:].sum() + a[: i + 1].max() - a[: 2 * i].sum() + a[-i - 1 :].min()
        return out

    native(cholesky, GRID @ GRID.T + 12 * np.eye(12), rtol=1e-12)
    native(tails, RANDOM.random(9), np.zeros(9), rtol=1e-12)


def test_views_share_memory_and_expressions_do_not() -> None:
    def rows(a: Any, out: Any) -> Any:
        for i in range(a.shape[0]):
            row = a[i]
            twice = row * 2
            a[i, 0] = -1.0
            out[i] = row[0] + twice[0]
            row += twice
        return out

    native(rows, GRID, np.zeros(12))


def test_an_expression_is_stored_before_a_branch_or_loop_writes_what_it_reads() -> None:
    def turned(a: Any, out: Any) -> Any:
        for i in range(a.shape[0]):
            before = a[i] * 10
            if i % 2:
                a[i] = 0.0
            for j in range(a.shape[1]):
                a[i, j] += j
                out[i] += before[j]
        return out

    native(turned, GRID, np.zeros(12), rtol=1e-12)


def test_arrays_made_in_a_round() -> None:
    def pulled(p: Any, force: Any) -> Any:
        for i in range(len(p)):
            sum_ = np.zeros(3)
            for j in range(len(p)):
                if i != j:
                    d = p[i] - p[j]
                    sum_ += d / np.dot(d, d)
            force[i] = sum_
        return force

    def stepped(y: Any, n: int) -> Any:
        out = np.empty((n + 1, 2))
        out[0] = y
        for i in range(n):
            a, b = out[i]
            slope = np.array([a - a * b, a * b - b])
            out[i + 1] = out[i] + 0.01 * slope
        return out

    native(pulled, RANDOM.random((7, 3)), np.zeros((7, 3)), rtol=1e-12)
    native(stepped, np.array([1.0, 2.0]), 30, recompiles=0)


def test_reductions_along_axes_and_the_places_of_extremes() -> None:
    def nearest(points: Any, centres: Any, labels: Any) -> Any:
        for i in range(len(points)):
            d = ((centres - points[i]) ** 2).sum(axis=1)
            labels[i] = np.argmin(d)
        return labels

    def spread(a: Any, out: Any) -> Any:
        for i in range(1, a.shape[0]):
            out[i] = a[:i].mean(axis=0) + a[:i].max(axis=0)
        return out

    native(nearest, RANDOM.random((20, 2)), RANDOM.random((6, 2)), np.zeros(20, np.int64))
    native(spread, GRID, np.zeros_like(GRID), rtol=1e-12)


def test_integers_bools_and_other_dtypes() -> None:
    def life(g: Any, steps: int) -> Any:
        for _ in range(steps):
            n = np.zeros_like(g)
            n[1:-1, 1:-1] = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:]
            g[1:-1, 1:-1] = (n[1:-1, 1:-1] == 2) | ((g[1:-1, 1:-1] == 1) & (n[1:-1, 1:-1] == 1))
        return g

    def half(a: Any) -> Any:
        for i in range(1, len(a)):
            a[i] = a[i] * 0.5 + a[i - 1]
        return a

    def counted(image: Any, bins: Any) -> Any:
        for i in range(image.shape[0]):
            for j in range(image.shape[1]):
                bins[image[i, j]] += 1
        return bins

    def sieve(flags: Any) -> Any:
        p = 2
        while p * p < len(flags):
            if flags[p]:
                for q in range(p * p, len(flags), p):
                    flags[q] = False
            p += 1
        return flags

    native(life, RANDOM.integers(0, 2, (9, 9)), 6)
    native(half, RANDOM.random(20).astype(np.float32))
    native(counted, RANDOM.integers(0, 16, (8, 8)).astype(np.uint8), np.zeros(16, np.int64))
    native(sieve, np.ones(90, bool))


def test_arrays_of_any_layout() -> None:
    def swept(a: Any) -> Any:
        for i in range(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] += a[i - 1, j]
        return a

    native(swept, np.asfortranarray(GRID))
    native(swept, GRID[::2, ::-1])
    native(swept, GRID.T)


def test_new_arrays_under_two_names_are_left_to_other_code() -> None:
    def alias(u: Any, steps: int) -> Any:
        v = np.zeros_like(u)
        for _ in range(steps):
            u = u + 1.0
            v = u
            v[0] = 7.0
        return u, v

    broken(alias, RANDOM.random(10), 6)


def test_a_read_only_array_raises_as_in_numpy() -> None:
    def filled(a: Any) -> Any:
        for i in range(len(a)):
            a[i] = i
        return a

    fixed = np.zeros(9)
    fixed.flags.writeable = False
    check(filled, fixed, backend="reference")


def test_an_int_that_does_not_fit_raises_whether_its_sum_is_used_or_not() -> None:
    def summed(u: Any, out: Any, k: int) -> Any:
        for i in range(len(u)):
            row = u[i] + k * i
            if out[i] > 0:
                out[i] = row.sum()
        return out

    check(summed, np.zeros((9, 4), np.uint8), np.zeros(9), 100, backend="reference")
    native(summed, np.zeros((9, 4), np.uint8), np.ones(9), 10)
    check(summed, np.zeros((9, 0), np.uint8), np.zeros(9), 100, backend="reference")


def test_a_product_in_place_writes_the_row() -> None:
    def turned(a: Any, m: Any, out: Any) -> Any:
        for i in range(len(a)):
            row = a[i]
            row @= m
            out[i] = a[i, 0]
        return a

    check(turned, RANDOM.random((6, 4)), RANDOM.random((4, 4)), np.zeros(6), rtol=1e-12, backend="reference")


def test_a_variable_that_names_a_new_array_in_each_round() -> None:
    def descent(x: Any, steps: int) -> Any:
        for _ in range(steps):
            slope = 2 * x - 1
            x = x - 0.1 * slope
        return x, slope

    def heated(u: Any, steps: int) -> Any:
        for _ in range(steps):
            new = u.copy()
            new[1:-1] = 0.5 * (u[:-2] + u[2:])
            change = np.abs(new - u).max()
            u = new
            if change < 1e-3:
                break
        return u

    def kept(u: Any, steps: int) -> Any:
        first = u
        for k in range(steps):
            if k > 2:
                u = u * 2
        first[0] = 5.0
        return u

    def powers(m: Any, v: Any) -> Any:
        for _ in range(7):
            w = m @ v
            v = w / np.linalg.norm(w)
        return v

    check(descent, RANDOM.random(8), 6, backend="reference")
    check(heated, RANDOM.random(8), 60, backend="reference")
    check(kept, RANDOM.random(8), 6, backend="reference")
    check(powers, RANDOM.random((5, 5)), RANDOM.random(5), rtol=1e-12)


def test_rows_exchanged_by_lists_and_rolled_arrays() -> None:
    def pivoted(m: Any, order: Any) -> Any:
        for k in range(m.shape[0] - 1):
            best = k
            for i in range(k + 1, m.shape[0]):
                if abs(m[i, k]) > abs(m[best, k]):
                    best = i
            m[[k, best]] = m[[best, k]]
            order[k], order[best] = order[best], order[k]
        return m

    def around(g: Any, steps: int) -> Any:
        for _ in range(steps):
            g[:] = np.roll(g, 1, axis=0) + np.roll(g, -2, 1)
        return g

    native(pivoted, RANDOM.standard_normal((6, 6)), np.arange(6))
    native(around, RANDOM.random((5, 4)), 6)


def test_a_copy_is_written_apart_from_what_it_was_copied_from() -> None:
    def shifted(u: Any) -> Any:
        v = u.copy()
        for i in range(1, len(u)):
            v[i] = u[i - 1] + v[i - 1]
        return u, v

    def both(x: Any) -> Any:
        u = x * 2
        v = u.copy()
        for i in range(1, len(u)):
            v[i] = u[i - 1] + 1
            u[i] += 3
        return u, v

    for backend in ("reference", "numba"):
        for function in (shifted, both):
            assert "region" in check(function, np.arange(8.0), backend=backend, expect="compiled").op_names


def test_an_expression_that_one_branch_stores() -> None:
    def first(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            if i % 3 == 1:
                e[0] = 7.0
            out[i] = e.sum()
        return out

    def multiplied(a: Any, M: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            if i % 3 == 1:
                out[i] = (M @ e)[0]
            else:
                out[i] = (e @ M)[1]
            out[i] += e[2]
        return out

    def inner(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            for k in range(i % 3):
                e[k] += 1.0
            out[i] = e.sum()
        return out

    native(first, np.arange(1.0, 5.0), np.zeros(10))
    native(multiplied, np.arange(4.0), RANDOM.random((4, 4)), np.zeros(10), rtol=1e-12)
    native(inner, np.arange(1.0, 5.0), np.zeros(10))


def test_a_variable_that_is_another_array_behind_a_branch() -> None:
    def either(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            if i % 3 == 1:
                e = e + 1.0
            out[i] = e.sum() - e[0]
        return out

    def carried(a: Any, out: Any) -> Any:
        e = a * 0.5
        for i in range(len(out)):
            e = e * 0.5 + a
            if e[0] > 1.5:
                e = e - i
            out[i] = e.sum()
        return out, e

    native(either, np.arange(1.0, 5.0), np.zeros(10))
    native(carried, np.arange(1.0, 5.0), np.zeros(10))


def test_a_variable_behind_a_branch_that_others_know_is_left_to_other_code() -> None:
    def two_names(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            y = e
            if i % 3 == 1:
                e = e + 1.0
            y[0] += 5
            out[i] = e.sum() + y[0]
        return out

    def in_a_tuple(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            held = (e, 1)
            if i % 3 == 1:
                e = e + 1.0
            e[0] += 5
            out[i] = e.sum() + held[0][0]
        return out

    broken(two_names, np.arange(1.0, 5.0), np.zeros(10))
    broken(in_a_tuple, np.arange(1.0, 5.0), np.zeros(10))


@pytest.mark.parametrize(("first", "second"), [(1, -1), (3, 5), (0, 14), (-6, 6)])
def test_rolled_arrays_are_rolled_again(first: int, second: int) -> None:
    def rolled(g: Any, out: Any) -> Any:
        for k in range(5):
            once = np.roll(g, first, axis=1)
            out += np.roll(np.roll(once, second, axis=0), second, axis=1) * once
            g[k] = np.roll(g[1], first) + out[:, 2:].sum()
        return g, out

    native(rolled, GRID, np.zeros(GRID.shape), rtol=1e-12)


def test_an_expression_that_one_arm_stores_is_computed_anew_behind_it() -> None:
    def used(a: Any, out: Any) -> Any:
        for i in range(len(out)):
            e = a * i
            picked = a[a > i / 9]
            if out[i] > 0.5:
                out[i] = e[0] + picked.sum()
            else:
                for k in range(6 - i):
                    out[i] += e[k] + picked[0]
            out[i] += e[2] + picked.max()
        return out

    native(used, np.linspace(0.1, 2.0, 9), RANDOM.random(7), rtol=1e-13)


def test_an_array_without_axes_is_written_in_place() -> None:
    def counted(a: Any, n: int) -> Any:
        for i in range(n):
            a += i
        return a

    check(counted, np.array(2.0), 3, backend="reference")
    check(counted, np.array(2), 70, backend="reference")


def test_arrays_without_dimensions_in_a_loop() -> None:
    def summed(a: Any, b: Any, n: int) -> Any:
        for i in range(n):
            if a[i] > 1:
                b = b.copy()
            else:
                a[i] = b.sum() + b.T
        return a, b

    def in_turn(a: Any, b: Any, n: int) -> Any:
        for i in range(n):
            a[i] = a[i - 1] + 1
            b = b * 0.5
        return a, b

    for function in (summed, in_turn):
        check(function, np.array([0.5, 3.0, -1.0]), np.array(1.5), 3, backend="reference")
