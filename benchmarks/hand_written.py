"""Large arrays on all threads: jitted functions beside kernels written by hand for Numba, and beside NumPy.

    python -P benchmarks/hand_written.py

A kernel written by hand shares its range out among the threads and writes into a buffer that every call uses again.
The pointwise kernel comes a second time with a new result for each call: the difference is what fresh memory costs.
Each result is compared with that of NumPy before anything is timed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -P leaves this folder out

import numba  # noqa: E402
import numpy as np  # noqa: E402
from timing import Row, alternate, print_table, share  # noqa: E402

import guardlift as gl  # noqa: E402

PARTS = 64
"""Parts that the hand-written sums share out."""


def squared_distance(x, y):
    """All squared differences added up."""
    return ((x - y) ** 2).sum()


def column_means(x):
    """Means down the columns."""
    return x.mean(axis=0)


def layer_norm(x):
    """Layer norm of each row, without weights."""
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + np.float32(1e-5))


def pointwise(x, y):
    """A chain of four exact operations."""
    return (x * np.float32(2) + y) * x - y


@numba.njit(fastmath={"reassoc"})
def _part_of_squared_distance(x, y):
    total = x.dtype.type(0)
    for at in range(x.size):
        difference = x[at] - y[at]
        total += difference * difference
    return total


@numba.njit(parallel=True)
def squared_distance_by_hand(x, y, parts):
    """Each part into a place of its own."""
    count = parts.size
    for part in numba.prange(count):
        first, last = part * x.size // count, (part + 1) * x.size // count
        parts[part] = _part_of_squared_distance(x[first:last], y[first:last])
    return parts.sum()


@numba.njit
def _add_rows(x, sums):
    sums[:] = 0
    for row in range(x.shape[0]):
        for column in range(sums.size):
            sums[column] += x[row, column]


@numba.njit(parallel=True)
def column_means_by_hand(x, sums, out):
    """Each thread adds a part of the rows up."""
    rows, columns = x.shape
    count = sums.shape[0]
    for part in numba.prange(count):
        _add_rows(x[part * rows // count : (part + 1) * rows // count], sums[part])
    for column in range(columns):
        total = np.float32(0)
        for part in range(count):
            total += sums[part, column]
        out[column] = total / np.float32(rows)
    return out


@numba.njit(fastmath={"reassoc"})
def _normalise(row, out):
    total = np.float32(0)
    for at in range(row.size):
        total += row[at]
    mean = total / np.float32(row.size)
    total = np.float32(0)
    for at in range(row.size):
        total += (row[at] - mean) * (row[at] - mean)
    scale = np.sqrt(total / np.float32(row.size) + np.float32(1e-5))
    for at in range(row.size):
        out[at] = (row[at] - mean) / scale


@numba.njit(parallel=True)
def layer_norm_by_hand(x, out):
    """Row by row."""
    for row in numba.prange(x.shape[0]):
        _normalise(x[row], out[row])
    return out


@numba.njit(parallel=True)
def pointwise_by_hand(x, y, out):
    """Element by element."""
    for at in numba.prange(x.size):
        out[at] = (x[at] * np.float32(2) + y[at]) * x[at] - y[at]
    return out


@dataclass(frozen=True)
class Rival:
    """A function, its inputs, the kernel written by hand, and what share of the latter's time is aimed at."""

    name: str
    function: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]
    by_hand: Callable[[], Any]
    aim: float | None = None


def rivals() -> list[Rival]:
    """Every row of the table."""
    random = np.random.default_rng(0)
    x, y = (random.random(10_000_000, dtype=np.float32) for _ in range(2))
    wide_x, wide_y = x.astype(np.float64), y.astype(np.float64)
    square = random.random((4096, 4096), dtype=np.float32)
    tall = random.random((4096, 1024), dtype=np.float32)
    parts, wide_parts = np.empty(PARTS, np.float32), np.empty(PARTS, np.float64)
    sums = np.empty((numba.get_num_threads(), square.shape[1]), np.float32)
    means, normal, same = np.empty_like(square[0]), np.empty_like(tall), np.empty_like(x)
    return [
        Rival("squared distance, 10M float32", squared_distance, (x, y),
              lambda: squared_distance_by_hand(x, y, parts), 1.0),
        Rival("squared distance, 10M float64", squared_distance, (wide_x, wide_y),
              lambda: squared_distance_by_hand(wide_x, wide_y, wide_parts), 1.0),
        Rival("column means, 4096 x 4096 float32", column_means, (square,),
              lambda: column_means_by_hand(square, sums, means), 1.1),
        Rival("layer norm, 4096 x 1024 float32", layer_norm, (tall,), lambda: layer_norm_by_hand(tall, normal), 1.1),
        Rival("pointwise, 10M float32, buffer used again", pointwise, (x, y),
              lambda: pointwise_by_hand(x, y, same), 1.3),
        Rival("pointwise, 10M float32, new result", pointwise, (x, y),
              lambda: pointwise_by_hand(x, y, np.empty_like(x))),
    ]  # fmt: skip


def row_of(rival: Rival) -> list[Row]:
    """Jitted beside the kernel written by hand, then beside NumPy."""
    jitted = gl.jit(rival.function)
    expected = rival.function(*rival.inputs)
    np.testing.assert_allclose(jitted(*rival.inputs), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(rival.by_hand(), expected, rtol=1e-4, atol=1e-5)
    tasks = {
        "jit": lambda: jitted(*rival.inputs),
        "hand": rival.by_hand,
        "numpy": lambda: rival.function(*rival.inputs),
    }
    times = alternate(tasks, rounds=15, seconds=0.01)
    return [
        share(f"{rival.name}: jitted / by hand", times["jit"], times["hand"], rival.aim),
        share(f"{rival.name}: jitted / NumPy", times["jit"], times["numpy"]),
    ]


def main() -> int:
    """Prints the table; 0 always, since figures of a shared machine are no verdict."""
    rows = [row for rival in rivals() for row in row_of(rival)]
    print_table(f"Beside kernels written by hand ({numba.get_num_threads()} threads, medians)", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
