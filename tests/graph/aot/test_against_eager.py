"""Gradients as graph nodes have the bits of the eager engine's: the same rules, summed in the same order."""

from __future__ import annotations

import numpy as np
from graph.aot.programs import EXACT, Array, Program, arrays, programs
from graph.bits import assert_same_bits
from hypothesis import assume, given
from hypothesis import strategies as st

from guardlift import autograd
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.vjp import gradients
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Node
from guardlift.tensor import Tensor, dispatch
from guardlift.tensor.creation import from_numpy


def eager(program: Program, given_: list[Array], tangents: list[Array]) -> list[Array | None]:
    """The gradient of each input, by the engine."""
    inputs = [from_numpy(array.copy()).requires_grad_() for array in given_]
    values: dict[Node, Tensor] = dict(zip(program.inputs, inputs, strict=True))
    for node in program.nodes:
        operands = [values[operand] for operand in node.inputs]
        with autograd.set_grad_enabled(node in program.recorded):
            if operands:
                values[node] = dispatch.apply(node.op, *operands, **node.kwargs)
            else:
                values[node] = dispatch.create(node.op, **node.kwargs)
    pairs = [(values[root], from_numpy(tangent)) for root, tangent in zip(program.roots, tangents, strict=True)]
    pairs = [(root, tangent) for root, tangent in pairs if root.requires_grad]
    assume(pairs)
    autograd.backward([root for root, _ in pairs], [tangent for _, tangent in pairs])
    return [None if x.grad is None else x.grad._array for x in inputs]


def traced(program: Program, given_: list[Array], tangents: list[Array]) -> list[Array | None]:
    """The gradients by nodes of the graph."""
    builder = GraphBuilder()
    builder.inputs, builder.nodes = list(program.inputs), list(program.nodes)
    cotangents = [builder.input(root.type, "tangent") for root in program.roots]
    roots = list(zip(program.roots, cotangents, strict=True))
    found = gradients(GraphEmitter(builder), roots, program.inputs, program.recorded)
    results = run_reference(builder.finish(found.values()), [*given_, *tangents])
    by_leaf = dict(zip(found, results, strict=True))
    return [by_leaf.get(leaf) for leaf in program.inputs]


def both(program: Program, seed: int) -> list[tuple[Array, Array]]:
    values = arrays([node.shape for node in (*program.inputs, *program.roots)], seed)
    given_, tangents = values[: len(program.inputs)], values[len(program.inputs) :]
    pairs = list(zip(traced(program, given_, tangents), eager(program, given_, tangents), strict=True))
    assert all((left is None) == (right is None) for left, right in pairs)
    return [(left, right) for left, right in pairs if left is not None and right is not None]


@given(programs(max_steps=14, steps=EXACT, shapes=[(3,)]), st.integers(0, 2**20))
def test_element_by_element_every_bit_is_the_same(program: Program, seed: int) -> None:
    for left, right in both(program, seed):
        assert_same_bits([left], [right])


@given(programs(), st.integers(0, 2**20))
def test_with_sums_and_products_the_values_are_the_same(program: Program, seed: int) -> None:
    for left, right in both(program, seed):
        np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-12)
