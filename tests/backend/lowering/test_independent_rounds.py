"""Loops over elements on several threads: where rounds are independent, and only there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.launch import chunking

random = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything that can be shared out is, among three threads."""
    monkeypatch.setattr(chunking, "CHUNK_WORK", 50)
    monkeypatch.setattr(chunking, "ROUND", 1)
    with gl.config.patch(num_threads=3, artifact_cache=False, entry_cache=False):
        yield


def is_shared(function: Any) -> bool:
    return any("failed = addresses" in each.text for each in gl.explain(function).entries[-1].kernels)


def mandelbrot(c: Any, limit: Any) -> Any:
    out = np.zeros(c.shape, np.int64)
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            z, n = 0j, 0
            while n < limit and abs(z) < 2:
                z = z * z + c[i, j]
                n += 1
            out[i, j] = n
    return out


def forces(p: Any) -> Any:
    acceleration = np.zeros_like(p)
    for i in range(p.shape[0]):
        x = y = 0.0
        for j in range(p.shape[0]):
            dx, dy = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1]
            distance = dx * dx + dy * dy + 1e-3
            x += dx / distance
            y += dy / distance
        acceleration[i, 0] = x
        acceleration[i, 1] = y
    return acceleration


def stencil(x: Any) -> Any:
    y = np.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
    return y


def triangle(x: Any) -> Any:
    y = np.zeros(x.shape)
    for i in range(x.shape[0]):
        for j in range(i, x.shape[1]):
            y[i, j] = x[i, j] - x[j, i]
    return y


def pairs(x: Any) -> Any:
    y = np.zeros(2 * x.shape[0])
    for i in range(x.shape[0]):
        y[2 * i] = x[i]
        y[2 * i + 1] = -x[i]
    return y


def backwards(x: Any) -> Any:
    y = np.zeros_like(x)
    for i in range(x.shape[0] - 1, -1, -2):
        for j in range(x.shape[1]):
            y[i, j] += x[i, j] * i
    return y


def in_place(x: Any) -> Any:
    x = x.copy()
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < 0:
                continue
            x[i, j] = x[i, j] ** 2 + j
    return x


def looked_up(x: Any, index: Any) -> Any:
    y = np.zeros(index.shape[0])
    for i in range(index.shape[0]):
        for k in range(3):
            y[i] += x[index[i]] * k
    return y


def rows(x: Any) -> Any:
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = x[i] - x[i].mean()
    return y


PLANE, VECTOR = random.standard_normal((40, 30)), random.standard_normal(90)
SQUARE = random.standard_normal((35, 35))
SHARED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (mandelbrot, (PLANE + 1j * PLANE[::-1], 30)),
    (forces, (random.random((70, 2)),)),
    (stencil, (PLANE,)),
    (triangle, (SQUARE,)),
    (pairs, (VECTOR,)),
    (backwards, (PLANE,)),
    (in_place, (PLANE,)),
    (looked_up, (VECTOR, random.integers(-90, 90, 200))),
    (rows, (PLANE,)),
    (mandelbrot, (np.asfortranarray(PLANE) * (1 + 1j), 30)),
    (stencil, (PLANE.T,)),
]


@pytest.mark.parametrize(("python", "arguments"), SHARED, ids=lambda each: getattr(each, "__name__", ""))
def test_independent_rounds_are_shared_out(python: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    function = gl.jit(python)
    result, wanted = function(*arguments), python(*arguments)
    assert is_shared(function), gl.explain(function)
    assert result.dtype == wanted.dtype
    np.testing.assert_allclose(result, wanted, rtol=1e-13)
    with gl.config.patch(num_threads=1):
        np.testing.assert_array_equal(function(*arguments), result)


def prefix(x: Any) -> Any:
    y = x.copy()
    for i in range(1, y.shape[0]):
        y[i] += y[i - 1]
    return y


def gauss_seidel(x: Any) -> Any:
    y = x.copy()
    for i in range(1, y.shape[0] - 1):
        for j in range(1, y.shape[1] - 1):
            y[i, j] = 0.25 * (y[i - 1, j] + y[i + 1, j] + y[i, j - 1] + y[i, j + 1])
    return y


def histogram(index: Any) -> Any:
    counts = np.zeros(50, np.int64)
    for i in range(index.shape[0]):
        counts[index[i]] += 1
    return counts


def mirrored(x: Any) -> Any:
    y = x.copy()
    for i in range(y.shape[0]):
        y[i] = y[y.shape[0] - 1 - i] + 1
    return y


def halves(x: Any) -> Any:
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i // 2] += x[i]
    return y


def carried(x: Any) -> Any:
    y, last = np.zeros_like(x), 0.0
    for i in range(x.shape[0]):
        y[i] = last
        last = last * 0.5 + x[i]
    return y


def overlapping(x: Any) -> Any:
    y = np.zeros(x.shape[0] + 3)
    for i in range(x.shape[0]):
        for k in range(4):
            y[i + k] += x[i]
    return y


def until(x: Any) -> Any:
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = x[i]
        if x[i] > 2:
            break
    return y


def columns_of_the_transposed(x: Any) -> Any:
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[j] += x[i, j]
    return y


KEPT: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (prefix, (VECTOR,)),
    (gauss_seidel, (PLANE,)),
    (histogram, (random.integers(0, 50, 300),)),
    (mirrored, (VECTOR,)),
    (halves, (VECTOR,)),
    (carried, (VECTOR,)),
    (overlapping, (VECTOR,)),
    (until, (VECTOR,)),
    (columns_of_the_transposed, (SQUARE,)),
]


@pytest.mark.parametrize(("python", "arguments"), KEPT, ids=lambda each: getattr(each, "__name__", ""))
def test_rounds_that_see_others_stay_in_order(python: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    function = gl.jit(python)
    np.testing.assert_array_equal(function(*arguments), python(*arguments))
    assert not is_shared(function) and gl.explain(function).entries


def test_memory_that_operands_share() -> None:
    def shifted(x: Any, y: Any) -> None:
        for i in range(x.shape[0]):
            for _ in range(2):
                y[i] = x[i] + 1

    function = gl.jit(shifted)
    one, other = np.zeros(200), np.zeros(200)
    shifted(one[:-1], one[1:])
    function(other[:-1], other[1:])
    np.testing.assert_array_equal(one, other)
    function(np.ones(199), other[1:])
    np.testing.assert_array_equal(other[1:], 2)


def test_sizes_that_are_symbols() -> None:
    function = gl.jit(stencil, dynamic=True)
    for shape in ((40, 30), (55, 23), (20, 81)):
        x = random.standard_normal(shape)
        np.testing.assert_array_equal(function(x), stencil(x))
    assert gl.explain(function).compiles == 1 and is_shared(function)


def test_a_round_that_fails_is_pythons_error_and_leaves_memory_alone() -> None:
    def taken(x: Any, index: Any, out: Any) -> Any:
        for i in range(index.shape[0]):
            out[i] = 0.0
            for k in range(2):
                out[i] += x[index[i] + k]
        return out

    function = gl.jit(taken)
    x, index = random.random(50), random.integers(0, 49, 300)
    np.testing.assert_array_equal(function(x, index, np.zeros(300)), taken(x, index, np.zeros(300)))
    index[170] = 50
    mine, theirs = np.full(300, 7.0), np.full(300, 7.0)
    with pytest.raises(IndexError) as wanted:
        taken(x, index, theirs)
    with pytest.raises(IndexError) as found:
        function(x, index, mine)
    assert str(found.value) == str(wanted.value)
    np.testing.assert_array_equal(mine, theirs)


def test_rounds_behind_one_that_fails_end_though_they_would_run_for_ever() -> None:
    def waits(x: Any, index: Any) -> Any:
        y = np.zeros(index.shape[0])
        for i in range(index.shape[0]):
            n = 0
            while n != index[i]:
                n += 1
                if n > 1000:
                    n = 0
            y[i] = x[index[i]]
        return y

    function = gl.jit(waits)
    x, index = random.random(20), random.integers(0, 20, 300)
    np.testing.assert_array_equal(function(x, index), waits(x, index))
    index[0], index[150:] = 30, -5  # the first round fails; the later ones never end
    with pytest.raises(IndexError):
        function(x, index)


INTERRUPTED = """
import signal, sys
import numpy as np
import guardlift as gl
from guardlift.backend.launch import chunking

chunking.CHUNK_WORK = 50
gl.config.num_threads = 2

@gl.jit
def spins(stop, out):
    for i in range(out.shape[0]):
        n = 0
        while n != stop[i]:
            n += 1
            if n > 1000:
                n = 0
        out[i] = n
    return out

stop = np.full(64, 3)
assert spins(stop, np.zeros(64, int)).tolist() == [3] * 64
assert any("ends_early" in each.text for each in gl.explain(spins).entries[-1].kernels)
stop[int(sys.argv[1]):] = -1
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    spins(stop, np.zeros(64, int))
except KeyboardInterrupt:
    print("interrupted")
assert spins(np.full(64, 5), np.zeros(64, int)).tolist() == [5] * 64
"""


@pytest.mark.parametrize("first", ["0", "60"])
@pytest.mark.slow
def test_a_signal_ends_rounds_on_every_thread(first: str) -> None:
    environment = {**os.environ, "GUARDLIFT_ARTIFACT_CACHE": "0"}
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, first], capture_output=True, text=True, timeout=60, env=environment
    )
    assert (ran.stdout, ran.stderr) == ("interrupted\n", "")
