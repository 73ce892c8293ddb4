"""Conds as data: they print and parse, are checked, are run by the interpreter, and lose what nobody sees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import GraphError, OpError
from guardlift.core.types import TensorType
from guardlift.graph.bodies import add_cond, results_of
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes import run_passes
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify
from guardlift.ops.conds import COND
from guardlift.ops.contraction import MATMUL
from guardlift.ops.pointwise import ADD, EXP, MULTIPLY, SIN, TANH

BOOL = TensorType((), dtypes.bool_)
STATE = TensorType((3, 4), dtypes.float64)
SQUARE = TensorType((4, 4), dtypes.float64)


def branches() -> tuple[Graph, Graph]:
    """`tanh(h @ w), exp(h)` and `sin(h * (h @ w)), h`."""
    true, false = GraphBuilder(), GraphBuilder()
    h, w = true.input(STATE, "h"), true.input(SQUARE, "w")
    one = true.finish([true.add(TANH, true.add(MATMUL, h, w)), true.add(EXP, h)])
    h, w = false.input(STATE, "h"), false.input(SQUARE, "w")
    product = false.add(MULTIPLY, h, false.add(MATMUL, h, w))
    return one, false.finish([false.add(SIN, product), h])


def cond_graph(given: tuple[Graph, Graph] | None = None, kept: int = 0) -> Graph:
    """The cond of these branches, over `c`, `h` and `w`."""
    builder = GraphBuilder()
    test, h, w = builder.input(BOOL, "c"), builder.input(STATE, "h"), builder.input(SQUARE, "w")
    return builder.finish(add_cond(builder, given or branches(), [test, h, w], kept=kept).values())


def arrays(test: bool, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [np.array(test), rng.standard_normal((3, 4)), rng.standard_normal((4, 4))]


def expected(test: Any, h: Any, w: Any) -> list[Any]:
    return [np.tanh(h @ w), np.exp(h)] if test else [np.sin(h * (h @ w)), h]


def test_a_graph_with_a_cond_prints_parses_and_is_valid() -> None:
    graph = cond_graph()
    verify(graph)
    assert print_graph(parse_graph(print_graph(graph))) == print_graph(graph)


@pytest.mark.parametrize("test", [True, False])
def test_the_interpreter_runs_the_arm_that_is_taken(test: bool) -> None:
    given = arrays(test)
    for graph in (cond_graph(), run_passes(cond_graph(), verify=True)):
        for found, wanted in zip(run_reference(graph, given), expected(*given), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_operands_and_arms_that_do_not_fit_are_refused() -> None:
    builder, (true, false) = GraphBuilder(), branches()
    test, h, w = builder.input(BOOL, "c"), builder.input(STATE, "h"), builder.input(SQUARE, "w")
    with pytest.raises(OpError, match="a cond asks one bool"):
        add_cond(builder, (true, false), [h, h, w])
    with pytest.raises(OpError, match="operand 1 of a cond"):
        add_cond(builder, (true, false), [test, h, h])
    with pytest.raises(OpError, match="takes 2 operands, and got 1"):
        add_cond(builder, (true, false), [test, h])
    with pytest.raises(GraphError, match="the arms of a cond give"):
        add_cond(builder, (true, Graph(false.inputs, false.nodes, false.outputs[:1])), [test, h, w])


def test_the_passes_leave_out_results_and_operands_that_nobody_needs() -> None:
    graph = cond_graph()
    small = run_passes(Graph(graph.inputs, graph.nodes, graph.outputs[1:]), verify=True)
    ((cond, results),) = results_of(small.nodes, COND).items()
    assert len(cond.inputs) == 2 and list(results) == [0]
    for test in (True, False):
        given = arrays(test)
        np.testing.assert_allclose(run_reference(small, given)[0], expected(*given)[1])
    assert not run_passes(Graph(graph.inputs, graph.nodes, graph.inputs[1:])).nodes


def test_a_cond_in_an_arm_of_a_cond_is_run_and_made_smaller() -> None:
    outer = []
    for _ in range(2):
        builder = GraphBuilder()
        test, h, w = builder.input(BOOL, "c"), builder.input(STATE, "h"), builder.input(SQUARE, "w")
        made = add_cond(builder, branches(), [test, h, w])
        outer.append(builder.finish([builder.add(ADD, made[0], h)]))
    builder = GraphBuilder()
    tests = builder.input(BOOL, "c"), builder.input(BOOL, "d")
    operands = [builder.input(STATE, "h"), builder.input(SQUARE, "w")]
    graph = builder.finish(add_cond(builder, (outer[0], outer[1]), [tests[0], tests[1], *operands]).values())
    for test in (True, False):
        _, h, w = arrays(test)
        for whole in (graph, run_passes(graph, verify=True)):
            found = run_reference(whole, [np.array(True), np.array(test), h, w])[0]
            np.testing.assert_allclose(found, expected(test, h, w)[0] + h)
