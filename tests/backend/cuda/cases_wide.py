"""Maps that take several elements at once, wherever arrays begin. `test_simulated.py` runs this file, with Numba's
simulator on."""

from dataclasses import replace

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.cuda.launched_kernel import bound_kernel, launched
from backend.graph_cases import Program, check, same
from backend.schedule.test_foreach import momentum, momentum_arrays

from guardlift.backend.cuda.access import wide_loops
from guardlift.backend.cuda.access.wide_loops import group_size, wide_loop
from guardlift.backend.cuda.device import current
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.backend.cuda.launch_grid import Launch, choose_launch_grid
from guardlift.backend.cuda.plan import plan_of
from guardlift.core import dtypes
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Write

F16, F32, F64, I8, I64 = dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int64
LAUNCHES = [Launch((1, 1, 1), (16, 1, 1)), Launch((3, 1, 1), (5, 1, 1)), Launch((2, 2, 1), (4, 2, 1))]


def some(shape, dtype, seed=0):
    found = np.random.default_rng(seed).standard_normal(shape) * 8
    return (found > 0) if dtype.is_bool else found.astype(dtype.numpy)


def chain(size):
    p = Program()
    x, y = p.input((size,), F32), p.input((size,), F32)
    return p.builder.finish([p.maximum(p.divide(p.add(x, y), p.number(x, 3.0)), p.multiply(x, y))])


def mixed(size):
    """Elements of one, two, and four bytes."""
    p = Program()
    x, y, chosen = p.input((size,), F16), p.input((size,), F32), p.input((size,), dtypes.bool_)
    wide = p.where(chosen, p.cast(x, dtype=F32), y)
    return p.builder.finish([p.cast(p.sqrt(wide), dtype=F16), p.less(wide, y)])


def doubles(size):
    p = Program()
    x, y = p.input((size,), F64), p.input((size,), F32)
    return p.builder.finish([p.subtract(x, p.cast(y, dtype=F64)), p.multiply(y, y)])


def small_integers(size):
    p = Program()
    x, y = p.input((size,), I8), p.input((size,), I8)
    return p.builder.finish([p.multiply(x, y)])


def in_place(size):
    p = Program()
    x, y = p.input((size,), F32), p.input((size,), F32)
    return p.builder.finish([], [Write(x, p.add(x, y))])


def taken(size):
    p = Program()
    table, index = p.input((7,), F32), p.input((size,), I64)
    return p.builder.finish([p.add(p.take(table, index, axis=0), p.cast(index, dtype=F32))])


@pytest.mark.parametrize(
    ("make", "count"), [(chain, 4), (mixed, 8), (doubles, 4), (small_integers, 16), (in_place, 4), (taken, 4)]
)
def test_elements_are_the_same_whatever_the_size_and_wherever_arrays_begin(make, count):
    most = 8 * count + 3
    graph = make(most)
    inputs = [some(node.shape, node.type.dtype, k) for k, node in enumerate(graph.inputs)]
    if make is taken:
        inputs[1] = np.arange(most) % 7 - 7 * (np.arange(most) % 2)
    bound = bound_kernel(graph, inputs)
    assert group_size(bound.kernel, wide_loop(bound.kernel)) == count
    grid = replace(choose_launch_grid(bound), wide=count)
    assert f"load_{count}_" in cuda_text(bound.kernel, grid)
    expected_inputs = [array.copy() for array in inputs]
    expected = run_reference(graph, expected_inputs)
    arrays = len(inputs) + len(expected)
    aligned, odd = [0] * arrays, [[k == j for k in range(arrays)] for j in range(arrays)]
    cases = [(size, aligned) for size in (0, 1, count - 1, count, count + 1)]
    cases += [(size, shift) for size in (most - 3, most) for shift in (aligned, [1] * arrays, [count] * arrays, *odd)]
    for number, (size, shifts) in enumerate(cases):
        found_inputs = [array.copy() for array in inputs]
        found = [np.full_like(each, 1) for each in expected]
        failed = []
        launched(bound, grid, LAUNCHES[number % 2], found_inputs, found, [int(each) for each in shifts], size, failed)
        for whole, right, before in zip(
            [*found, *found_inputs], [*expected, *expected_inputs], [*map(np.ones_like, expected), *inputs]
        ):
            same(whole, right if right is before else np.concatenate([right[:size], before[size:]]).astype(right.dtype))
        assert failed == [0]
        if make is taken and size == most:
            found_inputs[1][-2] = 7
            launched(bound, grid, LAUNCHES[0], found_inputs, found, aligned, size, failed)
            assert failed == [0, 1]


def over_rows(columns):
    """A sum of three arrays: rows of a wider one, a row for all, an array with its axes turned."""
    p = Program()
    x, row, turned = p.input((6, columns), F32), p.input((columns,), F32), p.input((2, 3, columns), F32)
    there = p.reshape(p.permute(p.permute(turned, axes=(1, 0, 2)), axes=(1, 0, 2)), shape=(6, columns))
    wide = p.expand(p.reshape(row, shape=(1, columns)), shape=(6, columns))
    return p.builder.finish([p.add(p.multiply(x, wide), there)])


@pytest.mark.parametrize("columns", [12, 13])
def test_rows_are_the_same_wherever_they_begin(columns):
    graph = over_rows(columns)
    row, expected = some((columns,), F32, 1), None
    turned = some((3, 2, columns), F32, 2).transpose(1, 0, 2)
    for padding in (0, 1, 4):
        x = some((6, columns + padding), F32, 3)[:, :columns]
        inputs = [x, row, turned]
        bound = bound_kernel(graph, inputs)
        (expected,) = run_reference(graph, inputs)
        for wide in {1, group_size(bound.kernel, wide_loop(bound.kernel))}:
            grid = replace(choose_launch_grid(bound), wide=wide)
            for shifts in ([0, 0, 0, 0], [4, 8, 4, 0], [0, 1, 0, 0], [4, 0, 0, 2]):
                found = np.ones_like(expected)
                launched(bound, grid, LAUNCHES[2], inputs, [found], shifts)
                same(found, expected)


def test_rows_of_a_table_go_by_groups(monkeypatch):
    monkeypatch.setattr(wide_loops, "WIDE_FROM", 1)
    for dtype in (F32, F64):
        _, graph = momentum(dtype=dtype)
        compiled = check(graph, momentum_arrays(dtype=dtype.numpy), run_cuda)
        assert "load_" in plan_of(compiled, current()).steps[0].text
