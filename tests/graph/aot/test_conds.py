"""Derivatives of conds: those of the branch that is taken, by finite differences and by the graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graph.aot.test_loops import gradients_of
from graph.test_conds import SQUARE, STATE, arrays, branches, cond_graph, expected

from guardlift.graph.aot.conds import has_uneven_derivatives, keeping, uneven
from guardlift.graph.aot.pair import Pair, make_pair
from guardlift.graph.aot.reach import reached
from guardlift.graph.bodies import add_cond, add_loop, results_of
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph
from guardlift.ops.conds import COND
from guardlift.ops.contraction import MATMUL
from guardlift.ops.pointwise import ADD, EXP, LESS, MULTIPLY, SIN, WHERE


def pair_of(graph: Graph) -> Pair:
    """Forward and backward of a graph, with gradients for its floats from the first two results."""
    leaves = graph.inputs[1:]
    return make_pair(graph.inputs, graph.nodes, graph.outputs[:2], graph.outputs[:2], leaves, set(graph.nodes))


def keeping_graph() -> Graph:
    """The cond of the tests of graphs, which keeps what backward reads."""
    kept, more = keeping(branches(), {0, 1})
    return cond_graph(kept, more)


@pytest.mark.parametrize("test", [True, False])
@pytest.mark.parametrize("kept", [True, False])
def test_the_derivative_is_that_of_finite_differences(kept: bool, test: bool) -> None:
    given, rng = arrays(test), np.random.default_rng(1)
    tangents = [rng.standard_normal((3, 4)) for _ in range(2)]

    def loss(values: list[Any]) -> float:
        return float(sum((one * other).sum() for one, other in zip(expected(*values), tangents, strict=True)))

    found = gradients_of(pair_of(keeping_graph() if kept else cond_graph()), given, tangents)
    assert sorted(found) == [0, 1]
    for place, gradient in found.items():
        for index in np.ndindex(*given[place + 1].shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [each.copy() for each in given]
                moved[place + 1][index] += step
                ends.append(loss(moved))
            assert gradient[index] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)


def test_values_of_one_type_that_the_arms_keep_share_a_result() -> None:
    (true, false), more = keeping(branches(), {0, 1})
    assert more == 2  # of the second branch the product, and the sine's argument; the first keeps its results alone
    assert [node.type for node in true.outputs] == [node.type for node in false.outputs]


def test_a_derivative_without_what_the_arms_keep_computes_it_again() -> None:
    products = []
    for graph in (cond_graph(), keeping_graph()):
        ((cond, _),) = results_of(pair_of(graph).backward.nodes, COND).items()
        products.append([str(cond.attr(branch)).count("matmul") for branch in ("true", "false")])
    assert products == [[2, 3], [2, 2]]


def graph_of(*ops: Any) -> Graph:
    """The last of some operations, each over values by their numbers: 0 and 1 are the inputs."""
    builder = GraphBuilder()
    values = [builder.input(STATE, "x"), builder.input(STATE, "y")]
    for op, *numbers in ops:
        values.append(builder.add(op, *(values[k] for k in numbers)))
    return builder.finish([values[-1]])


def test_gradients_reach_what_has_a_derivative_only() -> None:
    assert reached(graph_of((LESS, 0, 1), (WHERE, 2, 0, 0))) == [{0}]
    assert reached(graph_of((EXP, 0), (MULTIPLY, 2, 1))) == [{0, 1}]


def test_gradients_reach_through_loops_and_conds() -> None:
    assert reached(cond_graph()) == [{1, 2}, {1}]
    body = GraphBuilder()
    a, b, w = body.input(STATE, "a"), body.input(STATE, "b"), body.input(SQUARE, "w")
    round_ = body.finish([body.add(ADD, b, b), body.add(MATMUL, b, w), a])
    builder = GraphBuilder()
    operands = [builder.input(STATE, "a"), builder.input(STATE, "b"), builder.input(SQUARE, "w")]
    graph = builder.finish(add_loop(builder, round_, operands, trips=3, carried=2, scanned=0).values())
    assert reached(graph) == [{1, 2}, {1, 2}, {0, 1, 2}]


def test_arms_are_uneven_where_gradients_go_to_different_inputs() -> None:
    one, other = graph_of((MULTIPLY, 0, 1)), graph_of((EXP, 0))
    assert uneven((one, other), {0, 1}) == {1} and not uneven((one, other), {0})
    assert not uneven((one, graph_of((ADD, 0, 1))), {0, 1})


def test_arms_with_like_derivatives_may_have_others_again() -> None:
    def cond(one: Graph, other: Graph) -> Any:
        builder = GraphBuilder()
        test, h, w = (builder.input(node.type, node.name) for node in cond_graph().inputs)
        operands = [test, h, h]
        add_cond(builder, (one, other), operands)
        return builder.nodes

    assert not has_uneven_derivatives(cond(graph_of((EXP, 0)), graph_of((SIN, 0))))
    assert has_uneven_derivatives(cond(graph_of((EXP, 0)), graph_of((ADD, 0, 0))))
