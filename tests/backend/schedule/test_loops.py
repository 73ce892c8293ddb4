"""Loops in plans: native code gives what the interpreter of graphs gives, wherever the loop's memory lies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graph.test_bodies import SQUARE, STATE, arrays, recurrent_body, recurrent_graph

from guardlift.backend.compile import CallLayout, CompiledGraph, InputLayout, OutputLayout, compile_graph
from guardlift.backend.cpu.plan.plan import LaunchPlan, LoopBegin, LoopEnd, build
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.core.types import TensorType, contiguous_strides
from guardlift.graph.bodies import add_loop
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.passes import run_passes
from guardlift.ops.movement import PERMUTE
from guardlift.ops.pointwise import MULTIPLY


def compiled(graph: Graph) -> CompiledGraph:
    inputs = tuple(InputLayout("array", node.type, contiguous_strides(node.shape)) for node in graph.inputs)
    outputs = tuple(OutputLayout("fresh", k, contiguous_strides(node.shape)) for k, node in enumerate(graph.outputs))
    return compile_graph(graph, CallLayout(inputs, outputs))


def assert_runs_right(graph: Graph) -> CompiledGraph:
    graph = run_passes(graph, verify=True)
    made, given = compiled(graph), arrays(graph)
    found: Any = made.build()(*given)
    for one, other in zip(found, run_reference(graph, given), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
    return made


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("trips", [1, 2, 5, 6])
def test_a_loop_of_any_number_of_rounds_runs_either_way(trips: int, reverse: bool) -> None:
    assert_runs_right(recurrent_graph(trips, reverse=reverse))


def test_a_plan_says_what_moves_and_turns() -> None:
    text = assert_runs_right(recurrent_graph(5)).plan.describe()
    assert "loop of 5 rounds: %8 = %0" in text
    assert "end of a round: %11 += 96, %12 += 96, %8, %9, %10 = %9, %10, %9" in text
    assert "loop of 5 rounds" in compiled(recurrent_graph(5)).describe()


def test_a_loop_in_a_loop_runs() -> None:
    inner = GraphBuilder()
    h, w = inner.input(STATE, "h"), inner.input(SQUARE, "w")
    xs = inner.input(TensorType((5, 3, 4), dtypes.float64), "xs")
    made = add_loop(inner, recurrent_body(), [h, xs, w], trips=5, carried=1, scanned=1, reverse=True)
    body = inner.finish([inner.add(MULTIPLY, made[0], h), made[1]])
    outer = GraphBuilder()
    operands = [outer.input(node.type, node.name) for node in body.inputs]
    made = add_loop(outer, body, operands, trips=3, carried=1, scanned=0)
    compiled_graph = assert_runs_right(outer.finish(made.values()))
    assert len(compiled_graph.kernels) == 2


def test_operands_may_lie_anyhow() -> None:
    builder = GraphBuilder()
    h = builder.input(TensorType((4, 3), dtypes.float64), "h")
    xs = builder.input(TensorType((3, 5, 4), dtypes.float64), "xs")
    w = builder.input(SQUARE, "w")
    turned = [builder.add(PERMUTE, h, axes=(1, 0)), builder.add(PERMUTE, xs, axes=(1, 0, 2))]
    turned.append(builder.add(PERMUTE, w, axes=(1, 0)))
    made = add_loop(builder, recurrent_body(), turned, trips=5, carried=1, scanned=1)
    assert_runs_right(builder.finish([made[0], made[1], made[0]]))


def test_a_plan_whose_loops_do_not_fit_together_is_refused() -> None:
    begin, end = LoopBegin(0, 2, ()), LoopEnd(0, (), ())
    for steps, message in (
        ((begin,), "does not end"),
        ((end,), "has not begun"),
        ((LoopBegin(0, 0, ()), end), "has 0 rounds"),
    ):
        with pytest.raises(KernelError, match=message):
            build(LaunchPlan(steps=steps, moving=1))
