"""Conds in plans: native code runs the branch that is taken, and gives what the interpreter of graphs gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graph.test_bodies import recurrent_body
from graph.test_conds import BOOL, SQUARE, STATE, arrays, branches, cond_graph, expected

from guardlift.backend.compile import CallLayout, CompiledGraph, InputLayout, OutputLayout, compile_graph
from guardlift.backend.cpu.plan.plan import Jump, LaunchPlan, LoopBegin, LoopEnd, build
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.core.types import TensorType, contiguous_strides
from guardlift.graph.bodies import add_cond, add_loop
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.passes import run_passes
from guardlift.ops.movement import PERMUTE
from guardlift.ops.pointwise import LESS


def compiled(graph: Graph) -> CompiledGraph:
    inputs = tuple(InputLayout("array", node.type, contiguous_strides(node.shape)) for node in graph.inputs)
    outputs = tuple(OutputLayout("fresh", k, contiguous_strides(node.shape)) for k, node in enumerate(graph.outputs))
    return compile_graph(graph, CallLayout(inputs, outputs))


@pytest.mark.parametrize("test", [True, False])
def test_native_code_runs_the_arm_that_is_taken(test: bool) -> None:
    made, given = compiled(run_passes(cond_graph(), verify=True)), arrays(test)
    found: Any = made.build()(*given)
    for one, other in zip(found, expected(*given), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
    assert "over 4 steps unless %0" in made.plan.describe()
    assert "if input0" in made.describe() and "else" in made.describe()


def test_operands_may_lie_anyhow_and_the_test_may_be_computed() -> None:
    builder = GraphBuilder()
    a, b = (builder.input(TensorType((), dtypes.float64), name) for name in "ab")
    h = builder.input(TensorType((4, 3), dtypes.float64), "h")
    w = builder.input(SQUARE, "w")
    turned = [builder.add(PERMUTE, each, axes=(1, 0)) for each in (h, w)]
    made = add_cond(builder, branches(), [builder.add(LESS, a, b), *turned])
    graph = run_passes(builder.finish([made[0], made[1], made[0]]), verify=True)
    run: Any = compiled(graph).build()
    for low in (0.0, 2.0):
        given = [np.array(low), np.array(1.0), *(each.T.copy() for each in arrays(True)[1:])]
        for one, other in zip(run(*given), run_reference(graph, given), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_a_loop_in_an_arm_and_a_cond_in_a_loop_run() -> None:
    xs = TensorType((5, 3, 4), dtypes.float64)

    def branch(reverse: bool) -> Graph:
        inner = GraphBuilder()
        h, w, rows = inner.input(STATE, "h"), inner.input(SQUARE, "w"), inner.input(xs, "xs")
        made = add_loop(inner, recurrent_body(), [h, rows, w], trips=5, carried=1, scanned=1, reverse=reverse)
        return inner.finish([made[0]])

    body = GraphBuilder()
    h, test = body.input(STATE, "h"), body.input(BOOL, "c")
    rest = [body.input(SQUARE, "w"), body.input(xs, "xs")]
    round_ = body.finish(add_cond(body, (branch(True), branch(False)), [test, h, *rest]).values())
    builder = GraphBuilder()
    operands = [
        builder.input(STATE, "h"),
        builder.input(TensorType((4,), dtypes.bool_), "cs"),
        builder.input(SQUARE, "w"),
        builder.input(xs, "xs"),
    ]
    made = add_loop(builder, round_, operands, trips=4, carried=1, scanned=1)
    graph = run_passes(builder.finish(made.values()), verify=True)
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(each.shape) for each in graph.inputs]
    given[1] = np.array([True, False, False, True])
    run: Any = compiled(graph).build()
    np.testing.assert_allclose(run(*given)[0], run_reference(graph, given)[0], rtol=1e-12, atol=1e-14)


def test_a_plan_whose_jumps_do_not_fit_is_refused() -> None:
    begin, end = LoopBegin(0, 2, ()), LoopEnd(0, (), ())
    for steps, message in (
        ((Jump(1),), "leads out of the plan"),
        ((Jump(0),), "leads over 0 steps"),
        ((Jump(1), begin, end), "into a loop or out of one"),
        ((begin, Jump(1), end), "into a loop or out of one"),
    ):
        with pytest.raises(KernelError, match=message):
            build(LaunchPlan(steps=steps, moving=1))
