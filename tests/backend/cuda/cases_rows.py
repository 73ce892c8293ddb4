"""Rows that a team keeps in registers, of all lengths and wherever they begin. `test_simulated.py` runs this file, with
Numba's simulator on."""

from dataclasses import replace

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.cuda.launched_kernel import bound_kernel, launched
from backend.graph_cases import Program, check, near
from backend.schedule.test_groups import softmax

from guardlift.backend.cuda.device import is_simulated
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import Launch, choose_launch_grid
from guardlift.core import dtypes
from guardlift.graph.interpreter import run_reference

F16, F32, I32 = dtypes.float16, dtypes.float32, dtypes.int32
ROWS = 3


def softmaxes(size):
    p = Program()
    return p.builder.finish([softmax(p, p.input((ROWS, size), F32))])


def narrow_softmaxes(size):
    p = Program()
    x = p.input((ROWS, size), F16)
    return p.builder.finish([p.cast(softmax(p, p.cast(x, dtype=F32)), dtype=F16)])


def centred(size):
    """Rows without their means, times a row and a number of each row; the means; and the sums of what is there then."""
    p = Program()
    x, row, number = p.input((ROWS, size), F32), p.input((size,), F32), p.input((ROWS, 1), F32)
    mean = p.divide(p.sum(x, axes=(1,)), p.full(value=float(size), shape=(ROWS,), dtype=F32))
    wide = p.expand(p.reshape(mean, shape=(ROWS, 1)), shape=(ROWS, size))
    there = p.multiply(p.subtract(x, wide), p.expand(p.reshape(row, shape=(1, size)), shape=(ROWS, size)))
    scaled = p.multiply(there, p.expand(number, shape=(ROWS, size)))
    return p.builder.finish([mean, scaled, p.sum(scaled, axes=(1,))])


def places(size):
    p = Program()
    x = p.input((ROWS, size), F32)
    return p.builder.finish(
        [p.argmax(x, axes=(1,)), p.max(x, axes=(1,)), p.any(p.less(x, p.number(x, -3.0)), axes=(1,))]
    )


def entropies(size):
    """A value of each row, its logarithm of a sum of exponentials, and what is left of the row without that."""
    p = Program()
    x, number = p.input((ROWS, size), F32), p.input((ROWS, 1), F32)
    summed = p.sum(p.exp(p.subtract(x, p.expand(number, shape=(ROWS, size)))), axes=(1,))
    log = p.expand(p.reshape(p.log(summed), shape=(ROWS, 1)), shape=(ROWS, size))
    return p.builder.finish([summed, p.multiply(p.subtract(x, log), x), p.argmax(x, axes=(1,))])


def products(size):
    p = Program()
    x = p.input((ROWS, size), I32)
    return p.builder.finish([p.prod(x, axes=(1,)), p.sum(x, axes=(1,))])


def inputs_of(graph, size):
    random = np.random.default_rng(size)
    inputs = []
    for node in graph.inputs:
        found = random.standard_normal(node.shape).astype(node.type.dtype.numpy)
        if node.type.dtype is I32:
            found = random.choice([-1, 1, 3], node.shape).astype(np.int32)
        inputs.append(found)
    return inputs


@pytest.mark.parametrize(
    ("make", "team", "held", "wide", "sizes"),
    [
        (softmaxes, "warp", 8, 4, (132, 256, 4, 128, 255, 257, 260)),
        (softmaxes, "block", 8, 4, (260, 512, 509, 516)),
        (narrow_softmaxes, "warp", 8, 8, (8, 248, 256, 250)),
        (centred, "warp", 3, 1, (65, 95, 96, 64, 97)),
        (centred, "block", 4, 2, (258, 384, 383, 386)),
        (softmaxes, "warp", 2, 2, (2, 62, 64, 63)),
        (places, "warp", 4, 2, (66, 128, 127)),
        (places, "block", 3, 1, (129, 192)),
        (products, "warp", 6, 2, (130, 192, 191)),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_rows_are_the_same_in_registers_and_not(make, team, held, wide, sizes):
    threads = 32 if team == "warp" else 64
    launch = Launch((2, 1, 1), (threads, 1, 1))
    for size in sizes:
        graph = make(size)
        inputs = inputs_of(graph, size)
        if make is places:
            inputs[0][1, size // 2] = inputs[0][2, -1] = np.nan
            inputs[0][0, [0, -1]] = 9.0  # the first of two
        bound = bound_kernel(graph, inputs)
        grid = replace(choose_launch_grid(bound), team=team, held=held, wide=wide, threads=threads)
        assert "_inside" in cuda_text(bound.kernel, grid)
        expected_inputs = [array.copy() for array in inputs]
        expected = run_reference(graph, expected_inputs)
        arrays = len(inputs) + len(expected)
        for shifts in ([0] * arrays, [1] + [0] * (arrays - 1)):
            found, found_inputs = [np.ones_like(each) for each in expected], [array.copy() for array in inputs]
            launched(bound, grid, launch, found_inputs, found, shifts)
            for whole, right in zip([*found, *found_inputs], [*expected, *expected_inputs], strict=True):
                near(whole, right, 1e-5)


@pytest.mark.skipif(is_simulated(), reason="rows of a block of a GPU, which take the simulator minutes")
@pytest.mark.parametrize(
    ("make", "size", "held", "shared"),
    [
        (softmaxes, 20000, 56, 0),
        (softmaxes, 28672, 56, 0),
        (softmaxes, 32768, 48, 8192),
        (softmaxes, 50257, 48, 11264),
        (centred, 32000, 24, 10240),
        (entropies, 50257, 24, 11264),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_long_rows_are_kept_in_registers(make, size, held, shared):
    graph = make(size)
    compiled = check(graph, inputs_of(graph, size), run_cuda, exact=False, absolute=1e-6 if make is centred else 0.0)
    grid = choose_launch_grid(compiled.calls[-1].bound)
    assert (grid.held, grid.shared) == (held, shared)


@pytest.mark.parametrize(
    ("make", "wide", "shared", "sizes"),
    [
        (softmaxes, 1, 192, (257, 321, 448, 449, 1023)),
        (softmaxes, 4, 512, (516, 768, 772, 1280, 2052)),
        (narrow_softmaxes, 4, 256, (260, 512, 1300)),
        (centred, 2, 128, (386, 640, 898)),
        (entropies, 1, 128, (200, 323, 640)),
        (places, 2, 128, (258, 640, 642)),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_rows_that_are_longer_than_registers_hold_are_the_same(make, wide, shared, sizes):
    for size in sizes:
        graph = make(size)
        inputs = inputs_of(graph, size)
        if make is places:
            inputs[0][1, size // 2] = inputs[0][2, -1] = np.nan
            inputs[0][0, [0, -1]] = 9.0
        bound = bound_kernel(graph, inputs)
        chosen = choose_launch_grid(bound)
        grid = replace(chosen, team="block", held=wide, wide=wide, threads=64, shared=shared)
        assert "while j0_next" in cuda_text(bound.kernel, grid)
        expected_inputs = [array.copy() for array in inputs]
        expected = run_reference(graph, expected_inputs)
        for shifts in ([0] * (len(inputs) + len(expected)), [1] + [0] * (len(inputs) + len(expected) - 1)):
            found, found_inputs = [np.ones_like(each) for each in expected], [array.copy() for array in inputs]
            launched(bound, grid, Launch((2, 1, 1), (64, 1, 1)), found_inputs, found, shifts)
            for whole, right in zip([*found, *found_inputs], [*expected, *expected_inputs], strict=True):
                near(whole, right, 1e-5)
