"""Products of weights in loops: which totals are made behind the loop, and that gradients are those of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.frontend import state_of
from guardlift.graph.aot.loop_products import products_in
from guardlift.graph.parser import parse_graph

HEAD = (
    "graph(%t: f64[4, 3], %a: f64[2, 4], %b: f64[2, 3], %c: f64[4, 2]) {\n  %0 = permute(%a, axes=(1, 0)) : f64[4, 2]\n"
)
PRODUCT = "  %1 = matmul(%0, %b) : f64[4, 3]\n"


@pytest.mark.parametrize(
    ("rest", "count"),
    [
        (PRODUCT + "  %2 = add(%t, %1) : f64[4, 3]\n  return %2\n}", 1),
        (PRODUCT + "  %2 = add(%1, %t) : f64[4, 3]\n  return %2\n}", 1),
        (PRODUCT + "  %2 = add(%t, %1) : f64[4, 3]\n  %3 = add(%2, %1) : f64[4, 3]\n  return %3\n}", 2),
        ("  %1 = matmul(%c, %b) : f64[4, 3]\n  %2 = add(%t, %1) : f64[4, 3]\n  return %2\n}", 0),
        (PRODUCT + "  %2 = multiply(%t, %1) : f64[4, 3]\n  return %2\n}", 0),
        (PRODUCT + "  %2 = negative(%1) : f64[4, 3]\n  %3 = add(%t, %2) : f64[4, 3]\n  return %3\n}", 0),
    ],
)
def test_totals_of_nothing_but_products_of_few_rows_are_found(rest: str, count: int) -> None:
    graph = parse_graph(HEAD + rest)
    assert len(products_in(graph.outputs[0], graph.inputs[0])) == count


def test_products_of_many_rows_are_left_in_the_loop() -> None:
    text = HEAD.replace("[2, ", "[9, ").replace(", 2]", ", 9]") + PRODUCT
    graph = parse_graph(text + "  %2 = add(%t, %1) : f64[4, 3]\n  return %2\n}")
    assert products_in(graph.outputs[0], graph.inputs[0]) == []


def by_rows(x: Any, h: Any, w: Any, u: Any) -> Any:
    for row in x:
        h = gl.tanh(row @ w + h @ u)
    return h.square().sum()


def twice_in_a_round(x: Any, h: Any, w: Any, u: Any) -> Any:
    for row in x:
        h = gl.tanh(gl.tanh(row @ w + h @ u) @ u)
    return h.sum()


def turned(x: Any, h: Any, w: Any, u: Any) -> Any:
    for row in x:
        h = gl.tanh(row @ w + gl.nn.functional.linear(h, u))
    return (h * h).sum()


def with_another_use(x: Any, h: Any, w: Any, u: Any) -> Any:
    for row in x:
        h = gl.tanh(row @ w + h @ u) + u.sum() * 0.01
    return h.sum()


def from_the_end(x: Any, h: Any, w: Any, u: Any) -> Any:
    for k in range(x.shape[0] - 1, -1, -1):
        h = gl.tanh(x[k] @ w + h @ u)
    return h.sum()


def of_a_fixed_row(x: Any, h: Any, w: Any, u: Any) -> Any:
    for row in x:
        h = gl.tanh(h + x[0] @ w @ u + row @ w)
    return h.sum()


@pytest.mark.parametrize("program", [by_rows, twice_in_a_round, turned, with_another_use, from_the_end, of_a_fixed_row])
def test_gradients_are_those_of_eager_mode(program: Callable[..., Any]) -> None:
    found = []
    for jitted in (False, True):
        rng = np.random.default_rng(0)
        shapes = ((12, 2, 4), (2, 8), (4, 8), (8, 8))
        given = [gl.tensor(rng.standard_normal(shape) / 2, requires_grad=True) for shape in shapes]

        def step(*given: Any) -> Any:
            loss = program(*given)
            loss.backward()
            return loss

        run = gl.jit(step) if jitted else step
        run(*given)
        found.append([each.grad for each in given])
        if jitted:
            state = state_of(run)
            assert state is not None
            assert any(node.op.name == "loop" for node in state.entries[0].details["traced"].nodes)
    for one, other in zip(*found, strict=True):
        assert gl.allclose(one, other, rtol=1e-10, atol=1e-12)
