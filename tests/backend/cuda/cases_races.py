"""Blocks of simulated threads; and barriers are where they are needed: without one of them, a race shows.
`test_simulated.py` runs this file, with Numba's simulator on."""

import itertools
import os
import threading
from dataclasses import replace

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.graph_cases import Program, layout_for
from backend.schedule.test_groups import softmax

from guardlift.backend.compile import compile_graph
from guardlift.backend.cuda import launch_grid, plan
from guardlift.backend.cuda.device import current
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.core import dtypes
from guardlift.graph.node import Write

if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
    pytest.skip("races are watched in the simulator", allow_module_level=True)

from guardlift.backend.cuda.simulated_blocks import run_block  # noqa: E402  # imports the simulator

ROW = 140
"""Elements of a row for which the simulator's blocks have two warps."""


def softmax_rows():
    p = Program()
    return p.builder.finish([softmax(p, p.input((3, ROW), dtypes.float32))])


def rows_and_their_sums():
    """A row sum that is stored, and a use of it that overwrites the row."""
    p = Program()
    x = p.input((3, ROW))
    total = p.sum(x, axes=(1,))
    wide = p.expand(p.reshape(total, shape=(3, 1)), shape=(3, ROW))
    return p.builder.finish([total], [Write(x, p.subtract(p.add(x, x), wide))])


def column_sums():
    p = Program()
    return p.builder.finish([p.sum(p.input((40, 100)), axes=(0,))])


def run_without(graph, barrier=None):
    """The number of barriers in the texts of a graph's kernels; `barrier` is left out of them."""
    arrays = [np.ones(node.shape, node.type.dtype.numpy) for node in graph.inputs]
    numbers = itertools.count()

    def changed(kernel, launch_grid):
        lines = cuda_text(kernel, launch_grid).splitlines()
        for k, line in enumerate(lines):
            if line.strip() in ("join_warp()", "cuda.syncthreads()") and next(numbers) == barrier:
                lines[k] = line.replace(line.strip(), "pass")
        return "\n".join(lines) + "\n"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "cuda_text", changed)
        run_cuda(compile_graph(graph, layout_for(graph, arrays)), arrays)
    return next(numbers)


@pytest.mark.parametrize(
    ("make", "held", "spare"),
    # Of the softmax, the barriers before parts are put in shared memory: those after it order the memory as well.
    # Where rows are kept in registers, those of the loops behind `else` stand last.
    [
        (softmax_rows, False, [0, 2]),
        (softmax_rows, True, [0, 2, 4, 5, 6, 7]),
        (rows_and_their_sums, False, []),
        (rows_and_their_sums, True, [2, 3]),
        (column_sums, False, []),
    ],
)
def test_a_kernel_without_one_of_its_barriers_has_a_race(make, held, spare, monkeypatch):
    if not held:
        monkeypatch.setattr(launch_grid, "held_rows", lambda kernel: None)
    monkeypatch.setattr(launch_grid, "LONG_ROW", 64)
    monkeypatch.setattr(current(), "limits", replace(current().limits, row_lanes=4))
    graph = make()
    silent, count = [], run_without(graph)
    for barrier in range(count):
        try:
            run_without(graph, barrier)
        except RuntimeError as error:
            assert "a race at" in str(error)
        else:
            silent.append(barrier)
    assert count > len(silent) and silent == spare


def run_two_by_two(steps):
    """Runs a block of four threads; which of them did what, in order. steps: called with the thread and its number."""
    seen = []

    def function():
        thread = threading.current_thread()
        for step in steps(thread, thread.thread_id):
            seen.append((step, thread.thread_id))

    run_block(function, (3, 0, 0), (2, 2, 1))
    return seen


def test_nobody_passes_a_barrier_before_all_have_come_to_it():
    def steps(thread, _):
        yield "a"
        thread.syncthreads()
        yield "b"
        thread.syncthreads()
        yield "c"

    assert run_two_by_two(steps) == [(step, k) for step in "abc" for k in range(4)]


def test_threads_that_have_ended_are_not_waited_for():
    def steps(thread, number):
        for _ in range(number):
            thread.syncthreads()
            yield "past"

    assert run_two_by_two(steps) == [("past", k) for k in (1, 2, 3, 2, 3, 3)]


def test_a_vote_is_of_all_threads_of_the_block():
    def steps(thread, number):
        yield thread.syncthreads_or(number == 2)
        yield thread.syncthreads_or(False)

    assert run_two_by_two(steps) == [(1, k) for k in range(4)] + [(0, k) for k in range(4)]


def test_a_thread_that_raises_ends_its_block():
    def steps(thread, number):
        yield "before"
        thread.syncthreads()
        if number == 1:
            raise ValueError("found")
        thread.syncthreads()
        yield "after"

    with pytest.raises(ValueError, match="found") as caught:
        run_two_by_two(steps)
    assert caught.value.__notes__ == ["in thread (1, 0, 0) of block (3, 0, 0)"]
    assert run_two_by_two(lambda *_: ["again"]) == [("again", k) for k in range(4)]


def test_indices_are_those_of_the_thread():
    def steps(thread, number):
        thread.syncthreads()
        yield tuple(thread.threadIdx), tuple(thread.blockIdx)

    places = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    assert sorted(run_two_by_two(steps), key=lambda one: one[1]) == [((p, (3, 0, 0)), k) for k, p in enumerate(places)]
