"""A backward graph as a computation: where histories begin in it, and what the backward pass over it reads."""

from __future__ import annotations

import pytest

from guardlift.core.dtypes import float64
from guardlift.core.types import TensorType
from guardlift.graph.aot.double_backward import (
    BackwardInput,
    DoubleBackwardStep,
    Taped,
    backward_step,
    inner_values,
    second_backward_step,
)
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Node
from guardlift.graph.printer import print_graph

EDGE, TANGENT, VALUE = ("edge", "tangent", "value")


def start(*names: str) -> tuple[GraphEmitter, list[Node]]:
    builder = GraphBuilder()
    return GraphEmitter(builder), [builder.input(TensorType((3,), float64), name) for name in names]


def step(f: GraphEmitter, root: Node, *leaves: Node, unseen: tuple[Node, ...] = ()) -> DoubleBackwardStep:
    nodes = tuple(f.builder.nodes)
    taped = Taped(tuple(f.builder.inputs), nodes, leaves, set(nodes).difference(unseen))
    return backward_step(taped, [root], [root])


def begins(first: DoubleBackwardStep, wanted: bool) -> set[tuple[str, int]]:
    return {(each.kind, each.number) for each in second_backward_step(first, [wanted]).beginnings}


def test_of_an_exponential_the_history_begins_at_the_tangent_and_at_the_result() -> None:
    f, (x,) = start("x")
    first = step(f, f.exp(x), x)
    again = second_backward_step(first, [True])
    assert print_graph(first.pair.backward) == (
        "graph(%input: f64[3], %tangent_0: f64[3]) {\n  %0 = multiply(%tangent_0, %input) : f64[3]\n  return %0\n}\n"
    )
    assert again.beginnings == (BackwardInput("value", 0), BackwardInput("tangent", 0))
    assert again.values == first.roots and again.rooted == (0,)
    # Without a tangent of its own the backward pass is not made for it.
    assert begins(first, False) == {(VALUE, 0)}


def test_a_leaf_that_is_read_is_at_the_end_of_an_edge() -> None:
    f, (x, y) = start("x", "y")
    assert begins(step(f, f.multiply(x, y), x, y), False) == {(EDGE, 0), (EDGE, 1)}
    assert begins(step(f, f.multiply(x, y), x), False) == set()  # y is a constant: the gradient has no history
    assert begins(step(f, f.multiply(x, y), x), True) == {(TANGENT, 0)}


def test_what_is_saved_in_between_is_an_inner_value_if_it_leads_to_a_leaf() -> None:
    f, (x, y) = start("x", "y")
    h, constant = f.sin(x), f.cos(y)
    first = step(f, f.multiply(f.multiply(h, h), constant), x)
    assert inner_values(first) == [h]
    again = second_backward_step(first, [False])
    assert again.values == (h,) and {(each.kind, each.number) for each in again.beginnings} == {(EDGE, 0), (VALUE, 0)}


def test_what_autograd_does_not_see_is_a_constant_in_the_second_walk_too() -> None:
    f, (x,) = start("x")
    seen, unseen = f.alias(x), f.alias(x)
    first = step(f, f.multiply(seen, unseen), seen, unseen=(unseen,))
    assert not second_backward_step(first, [False]).rooted


@pytest.mark.parametrize("order", [2, 3, 4])
def test_each_walk_can_be_walked_again(order: int) -> None:
    f, (x,) = start("x")
    current = step(f, f.exp(f.sin(x)), x)
    for _ in range(order - 1):
        again = second_backward_step(current, [True] * len(current.roots))
        assert again.rooted
        given = {*current.pair.backward.inputs}
        # The second backward pass reads of the first computation what that backward pass was given, and no more.
        assert set(again.step.pair.saved) <= given | set(current.pair.backward.nodes)
        current = again.step
