"""Slices in native loops whose bounds and step change: of all signs, empty, of views, in stores and expressions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.control_flow.elements.test_loops import native
from oracle import check

RANDOM = np.random.default_rng(23)
NUMBERS = np.arange(14.0)
STEPS = np.array([1, 2, 3, 5, 14, 20, 1, 2])


def test_a_sieve() -> None:
    def sieve(prime: Any) -> Any:
        p = 2
        while p * p < len(prime):
            if prime[p]:
                prime[p * p :: p] = False
            p += 1
        return prime

    native(sieve, np.ones(40, bool))


@pytest.mark.parametrize("sign", [1, -1])
def test_steps_that_change(sign: int) -> None:
    def parts(a: Any, steps: Any, out: Any) -> Any:
        for i in range(len(steps)):
            k = steps[i]
            out[i, 0] = a[::k].sum()
            out[i, 1] = a[i::k].sum() + len(a[:-i:k])
            out[i, 2] = (a[-i - 1 : 2 * i : k] * 2).sum()
            out[i, 3] = a[2:-1:k].sum() + a[-20 : 20 - i : int(k)].sum()
        return out

    native(parts, NUMBERS, sign * STEPS, np.zeros((8, 4)))


def test_a_step_whose_sign_changes() -> None:
    def parts(a: Any, out: Any) -> Any:
        k = -3
        for i in range(len(out)):
            out[i] = a[::k].sum() + len(a[4::k]) - a[:9:k].sum() + a[i : 3 * i : k].sum()
            a[i::k] *= 1.5
            k += 2
        return out

    native(parts, NUMBERS, np.zeros(8), rtol=1e-12)


def test_backwards_between_bounds_that_change() -> None:
    def turned(a: Any, out: Any) -> Any:
        for i in range(len(a)):
            out[i] = a[i::-1] @ a[: i + 1] + a[: i - 3 : -1].sum() - a[i : i - 4 : -2].sum()
            a[: i + 1] = a[i::-1]
        return out

    native(turned, NUMBERS, np.zeros(14), rtol=1e-12)


def test_slices_of_slices() -> None:
    def parts(g: Any) -> Any:
        total = 0.0
        for k in range(1, 5):
            part = g[k::k, ::2][::k]
            part[:, 0] += k
            total += part.sum() + part[:, ::k].sum()
        return total, g

    native(parts, RANDOM.integers(0, 9, (12, 9)).astype(float))


def test_a_step_of_zero_raises() -> None:
    def parts(a: Any, k: int) -> Any:
        for i in range(6):
            a[i] += a[:: k - i].sum()
        return a

    check(parts, NUMBERS, 5, backend="reference")


@pytest.mark.parametrize("step", [1, 2, 3, -1, -4, 20])
def test_fills_by_a_step_that_changes(step: int) -> None:
    def fill(a: Any, b: Any, step: Any) -> Any:
        k = step
        for i in range(len(a)):
            a[i::k] = i
            b[i, ::k] += 1.0
            b[1 + i // 4, i::-k] = -1.0 * i
            k += step
        return a

    for a in (np.zeros(9, bool), np.zeros(9, np.int8), np.arange(18.0)[::2], np.arange(9.0)[::-1]):
        native(fill, a, np.zeros((9, 12)).T[:9], step)


def test_arrays_that_share_memory_with_the_one_that_is_written() -> None:
    def sums(a: Any, b: Any, c: Any) -> Any:
        for i in range(1, len(b)):
            a[i] = a[i - 1] + b[i]
            a[0] = b[i] + c[i]
        return a.sum() + b.sum()

    memory = np.arange(20.0)
    for a, b, c in (
        (memory[:12], memory[4:12], memory[::2]),
        (memory[8:], memory[:8], memory[12:4:-1]),
        (memory, memory, memory[10:]),
    ):
        check(sums, a, b, c)


def test_numbers_at_the_ends_of_a_dtype_fit_and_those_beyond_do_not() -> None:
    def put(out: Any, values: Any, more: int) -> Any:
        for i in range(len(values)):
            out[i] = int(values[i]) + more
        return out

    for dtype in (np.int8, np.uint8, np.int32, np.uint32, np.uint64, np.int64):
        info = np.iinfo(dtype)
        ends = np.array([max(info.min, -(2**62)) + 1, min(info.max, 2**62) - 1])
        for more in (-1, 0, 1, -2, 2):
            check(put, np.zeros(2, dtype), ends, more)
