"""Derivatives of loops: those of the same rounds one after the other, by finite differences and by the graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graph.test_bodies import arrays, expected, recurrent_body, recurrent_graph

from guardlift.graph.aot.loops import saves
from guardlift.graph.aot.pair import Pair, make_pair
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.passes import run_passes

TRIPS = 4


def pair_of(graph: Graph, roots: int = 2) -> Pair:
    """Forward and backward of a graph, with gradients for all inputs from the first results."""
    return make_pair(
        graph.inputs, graph.nodes, graph.outputs[:2], graph.outputs[:roots], graph.inputs, set(graph.nodes)
    )


def gradients_of(pair: Pair, given: list[Any], tangents: list[Any]) -> dict[int, Any]:
    """By the place of the input."""
    forward, backward = run_passes(pair.forward, verify=True), run_passes(pair.backward, verify=True)
    outputs = run_reference(forward, given)
    saved = [given[each.place] if each.kind == "input" else outputs[each.place] for each in pair.origins]
    return dict(zip(pair.reached, run_reference(backward, [*saved, *tangents]), strict=True))


def saving(reverse: bool) -> Graph:
    """A loop that gives what its derivative needs."""
    body = recurrent_body()
    kept = saves(body, 1, 1, {0, 1, 2})
    return recurrent_graph(TRIPS, reverse=reverse, body=Graph(body.inputs, body.nodes, (*body.outputs, *kept)))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("saved", [False, True])
def test_the_derivative_is_that_of_finite_differences(saved: bool, reverse: bool) -> None:
    graph = saving(reverse) if saved else recurrent_graph(TRIPS, reverse=reverse)
    given, rng = arrays(graph), np.random.default_rng(1)
    tangents = [rng.standard_normal(node.shape) for node in graph.outputs[:2]]

    def loss(values: list[Any]) -> float:
        found = expected(TRIPS, *values, reverse=reverse)
        return float(sum((one * other).sum() for one, other in zip(found, tangents, strict=True)))

    for place, gradient in gradients_of(pair_of(graph), given, tangents).items():
        for index in np.ndindex(*given[place].shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [each.copy() for each in given]
                moved[place][index] += step
                ends.append(loss(moved))
            assert gradient[index] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)


def test_a_loop_that_gives_what_backward_needs_is_not_run_again() -> None:
    backward = pair_of(saving(False)).backward
    assert [node.op.name for node in backward.nodes].count("loop") == 1
    backward = pair_of(recurrent_graph(TRIPS)).backward
    assert [node.op.name for node in backward.nodes].count("loop") == 2


def test_what_no_gradient_goes_through_is_not_saved() -> None:
    body = recurrent_body()
    kept = saves(body, 1, 1, {1})
    graph = recurrent_graph(TRIPS, body=Graph(body.inputs, body.nodes, (*body.outputs, *kept)))
    h, w, xs = graph.inputs
    pair = make_pair(graph.inputs, graph.nodes, graph.outputs[:1], graph.outputs[:1], [xs], set(graph.nodes))
    assert kept == (body.outputs[0],)
    assert pair.reached == (0,)
    assert h not in pair.saved and xs not in pair.saved and w in pair.saved


def test_the_passes_leave_out_of_a_body_what_nobody_needs() -> None:
    graph = recurrent_graph(TRIPS)
    small = run_passes(Graph(graph.inputs, graph.nodes, graph.outputs[:1]), verify=True)
    (loop,) = [node for node in small.nodes if node.op.name == "loop"]
    assert "multiply" not in str(loop.attr("body")) and "tanh" in str(loop.attr("body"))
    given = arrays(graph)
    np.testing.assert_array_equal(run_reference(small, given)[0], run_reference(graph, given)[0])
