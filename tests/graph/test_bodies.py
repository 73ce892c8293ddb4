"""Bodies of loops as data: they come back as they were, print and parse, and are run by the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import GraphError, OpError
from guardlift.core.types import TensorType
from guardlift.graph.bodies import add_loop, check_whole, decode, encode
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.parser import parse_graph
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify
from guardlift.ops.contraction import MATMUL
from guardlift.ops.pointwise import ADD, MULTIPLY, TANH

STATE = TensorType((3, 4), dtypes.float64)
SQUARE = TensorType((4, 4), dtypes.float64)


def recurrent_body() -> Graph:
    """A round of `h = tanh(h @ w + x)` that also gives the square of what it carries."""
    builder = GraphBuilder()
    h, x, w = builder.input(STATE, "h"), builder.input(STATE, "x"), builder.input(SQUARE, "w")
    h = builder.add(TANH, builder.add(ADD, builder.add(MATMUL, h, w), x))
    return builder.finish([h, builder.add(MULTIPLY, h, h)])


def recurrent_graph(trips: int, *, reverse: bool = False, body: Graph | None = None) -> Graph:
    """The loop over that round."""
    builder = GraphBuilder()
    h, w = builder.input(STATE, "h"), builder.input(SQUARE, "w")
    xs = builder.input(TensorType((trips, 3, 4), dtypes.float64), "xs")
    made = add_loop(builder, body or recurrent_body(), [h, xs, w], trips=trips, carried=1, scanned=1, reverse=reverse)
    return builder.finish(made.values())


def arrays(graph: Graph, seed: int = 0) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(node.shape) for node in graph.inputs]


def expected(trips: int, h: Any, w: Any, xs: Any, *, reverse: bool = False) -> list[Any]:
    """The result in NumPy."""
    squares = np.zeros_like(xs)
    for t in reversed(range(trips)) if reverse else range(trips):
        h = np.tanh(h @ w + xs[t])
        squares[t] = h * h
    return [h, squares]


def test_a_body_comes_back_as_it_was() -> None:
    body = recurrent_body()
    assert print_graph(decode(encode(body))).replace("input_0", "h").replace("input_1", "x").replace(
        "input_2", "w"
    ) == print_graph(body)


def test_a_graph_with_a_loop_prints_parses_and_is_valid() -> None:
    graph = recurrent_graph(5)
    verify(graph)
    assert print_graph(parse_graph(print_graph(graph))) == print_graph(graph)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_interpreter_runs_rounds_in_order(reverse: bool) -> None:
    graph = recurrent_graph(5, reverse=reverse)
    given = arrays(graph)
    for found, wanted in zip(run_reference(graph, given), expected(5, *given, reverse=reverse), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_operands_that_do_not_fit_the_body_are_refused() -> None:
    builder = GraphBuilder()
    h, w = builder.input(STATE, "h"), builder.input(SQUARE, "w")
    with pytest.raises(OpError, match="operand 1 of a loop of 5 rounds"):
        add_loop(builder, recurrent_body(), [h, h, w], trips=5, carried=1, scanned=1)
    with pytest.raises(OpError, match="got 2 operands"):
        add_loop(builder, recurrent_body(), [h, w], trips=5, carried=1, scanned=1)


def test_a_graph_that_reads_a_value_of_a_body_is_refused() -> None:
    body, builder = recurrent_body(), GraphBuilder()
    builder.input(STATE, "h")
    with pytest.raises(GraphError, match="no part of its graph"):
        check_whole(builder.finish([body.outputs[0]]))
    builder.add(TANH, body.outputs[0])
    with pytest.raises(GraphError, match="reads a value"):
        check_whole(builder.finish([]))


def test_rows_of_a_vector_are_numbers() -> None:
    body = GraphBuilder()
    total, x = (body.input(TensorType((), dtypes.float64), name) for name in ("total", "x"))
    builder = GraphBuilder()
    start = builder.input(total.type, "start")
    xs = builder.input(TensorType((5,), dtypes.float64), "xs")
    sums = body.finish([body.add(ADD, total, x)])
    graph = builder.finish(add_loop(builder, sums, [start, xs], trips=5, carried=1, scanned=1).values())
    given = arrays(graph)
    np.testing.assert_allclose(run_reference(graph, given)[0], given[0] + given[1].sum())
