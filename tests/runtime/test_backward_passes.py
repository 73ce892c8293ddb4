"""A node over compiled graphs has the derivatives of the eager tape, order after order, for every op and at random."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
import pytest
from autograd.test_gradcheck_ops import cases, every_op, leaves
from graph.aot.programs import Program, arrays, programs
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_plan import compile_to_reference

from guardlift import autograd
from guardlift.backend.call_layout import InputLayout
from guardlift.core.dtypes import float64
from guardlift.core.types import TensorType, contiguous_strides
from guardlift.graph.aot.double_backward import DoubleBackwardStep, Taped, backward_step
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Node
from guardlift.ops import OpDef
from guardlift.ops.pointwise import ADD, MULTIPLY
from guardlift.runtime.backward_passes import SavedOutput, SecondOrderError, partial_backward_pass, whole_backward_pass
from guardlift.runtime.node import NodeHistory
from guardlift.tensor import Tensor, dispatch


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    """Graphs are interpreted: it is their making that is tested here."""
    with mock.patch("guardlift.backend.compile.compile_graph", compile_to_reference):
        yield


def jitted(taped: Taped, roots: list[Node], given_: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The roots as tensors on one node, as the entry code of a jitted function makes them."""
    step = backward_step(taped, roots, roots)
    found = run_reference(step.pair.forward, [each._array for each in given_])
    values: list[Any] = [*given_, *found]
    places: list[int | SavedOutput] = []
    for origin in step.pair.origins:
        made = origin.kind == "output" and origin.place < len(roots)
        at = origin.place if origin.kind == "input" else len(given_) + origin.place
        places.append(SavedOutput(origin.place) if made else at)
    layouts = [InputLayout("array", each.type, contiguous_strides(each.shape)) for each in step.pair.saved]
    reached = [taped.leaves[place] for place in step.pair.reached]
    whole = whole_backward_pass(step, layouts, [contiguous_strides(each.shape) for each in reached])
    by_node = dict(zip(taped.inputs, given_, strict=True))
    history = NodeHistory(whole, tuple(places), (0,) * len(roots))
    return history(values, [by_node[each] for each in reached], found[: len(roots)])


def eager(taped: Taped, roots: list[Node], given_: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The gradients on the eager tape."""
    values: dict[Node, Tensor] = dict(zip(taped.inputs, given_, strict=True))
    for node in taped.nodes:
        operands = [values[operand] for operand in node.inputs]
        with autograd.set_grad_enabled(node in taped.recorded):
            make = dispatch.apply if operands else dispatch.create
            values[node] = make(node.op, *operands, **node.kwargs)
    return tuple(values[root] for root in roots)


def derivatives(outputs: tuple[Any, ...], inputs: tuple[Tensor, ...], seed: int) -> list[Any]:
    """The gradients of the first three orders; each time all of the last ones are weighted and added up."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(3):
        weights = [None if each is None else Tensor._wrap(rng.uniform(0.5, 1.5, each.shape)) for each in outputs]
        pairs = [(x, w) for x, w in zip(outputs, weights, strict=True) if x is not None and x.requires_grad]
        if not pairs:
            break
        inner = [dispatch.apply(MULTIPLY, x, dispatch.apply(MULTIPLY, x, w)) for x, w in pairs]
        outputs = autograd.grad(inner, inputs, [w for _, w in pairs], create_graph=True, allow_unused=True)
        found += outputs
    return found


def assert_alike(taped: Taped, roots: list[Node], given_: tuple[Tensor, ...], seed: int = 0) -> None:
    wanted = tuple(each for each in given_ if each.requires_grad)
    one, other = (derivatives(run(taped, roots, given_), wanted, seed) for run in (eager, jitted))
    assert [each is None for each in one] == [each is None for each in other]
    for left, right in zip(one, other, strict=True):
        if left is not None:
            assert left.requires_grad == right.requires_grad
            a = left.detach().numpy()
            np.testing.assert_allclose(
                right.detach().numpy(), a, rtol=1e-8, atol=1e-9 * max(1.0, abs(a).max(initial=0))
            )


@every_op
def test_every_op(op: OpDef) -> None:
    for sample in cases(op):
        given_ = leaves(op, sample)
        builder = GraphBuilder()
        inputs = [builder.input(TensorType(each.shape, each.dtype), "x") for each in given_]
        node = builder.add(op, *inputs, **dict(sample.attrs))
        ends = tuple(x for x, each in zip(inputs, given_, strict=True) if each.requires_grad)
        assert_alike(Taped(tuple(inputs), (node,), ends, {node}), [node], given_)


@given(programs(), st.integers(0, 2**20))
@pytest.mark.slow
def test_random_programs(program: Program, seed: int) -> None:
    taped = Taped(program.inputs, program.nodes, program.inputs, program.recorded)
    reaching = taped.reaching(program.roots)
    roots = [each for each in dict.fromkeys(program.roots) if each in reaching and not each.is_input]
    assume(roots)
    values = arrays([node.shape for node in program.inputs], seed)
    assert_alike(taped, roots, tuple(Tensor._wrap(each).requires_grad_() for each in values), seed)


def test_a_walk_that_needs_what_was_not_saved_is_refused_and_says_what_to_do() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((3,), float64), "x")
    squared = builder.add(MULTIPLY, x, x)
    doubled = builder.add(ADD, x, x)
    taped = Taped((x,), (squared, doubled), (x,), {squared, doubled})

    def step(root: Node) -> DoubleBackwardStep:
        return backward_step(taped, [root], [root])

    whole = whole_backward_pass(step(doubled), [], [(1,)])
    with pytest.raises(SecondOrderError, match=r"function.__wrapped__"):
        partial_backward_pass(whole, step(squared), (1,))


def test_a_leaf_that_is_read_and_gets_no_gradient_is_refused_where_a_second_walk_comes_to_it() -> None:
    one_sided = replace(MULTIPLY, vjp=(MULTIPLY.vjp[0], None))  # type: ignore[index]
    builder = GraphBuilder()
    inputs = [builder.input(TensorType((3,), float64), "x") for _ in range(2)]
    node = builder.add(one_sided, *inputs)
    given_ = tuple(Tensor._wrap(np.ones(3)).requires_grad_() for _ in inputs)
    (product,) = jitted(Taped(tuple(inputs), (node,), tuple(inputs), {node}), [node], given_)
    total = dispatch.apply(MULTIPLY, product, product)
    with pytest.raises(SecondOrderError, match="reads a leaf for which it gives no gradient"):
        autograd.grad(total, given_[0], Tensor._wrap(np.ones(3)), create_graph=True)
