"""Barriers are where they are needed: without one of them, a race shows. `test_simulated.py` runs this file, with
Numba's simulator on."""

import itertools
import os
from dataclasses import replace

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.graph_cases import Program, layout_for
from backend.test_schedule_groups import softmax

from guardlift.backend.compile import compile_graph
from guardlift.backend.cuda import forms, plan
from guardlift.backend.cuda.device import current
from guardlift.backend.cuda.kernel_text import cuda_text
from guardlift.core import dtypes
from guardlift.graph.node import Write

if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
    pytest.skip("races are watched in the simulator", allow_module_level=True)


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

    def changed(kernel, form):
        lines = cuda_text(kernel, form).splitlines()
        for k, line in enumerate(lines):
            if line.strip() in ("join_warp()", "cuda.syncthreads()") and next(numbers) == barrier:
                lines[k] = line.replace(line.strip(), "pass")
        return "\n".join(lines) + "\n"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "cuda_text", changed)
        run_cuda(compile_graph(graph, layout_for(graph, arrays)), arrays)
    return next(numbers)


@pytest.mark.parametrize(
    ("make", "spare"),
    # Of the softmax, the barriers before parts are put in shared memory: those after it order the memory as well.
    [(softmax_rows, [0, 2]), (rows_and_their_sums, []), (column_sums, [])],
)
def test_a_kernel_without_one_of_its_barriers_has_a_race(make, spare, monkeypatch):
    monkeypatch.setattr(forms, "LONG_ROW", 64)
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
