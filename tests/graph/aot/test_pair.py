"""A forward and a backward graph give what one joint graph gives, and save no more than they must."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from backend.graph_cases import layout_for, run_native
from graph.aot.programs import Array, Program, arrays, programs
from graph.bits import assert_same_bits
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.compile import compile_graph
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.pair import Origin, Pair, make_pair
from guardlift.graph.aot.vjp import gradients
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Location, Node, Write
from guardlift.graph.passes import run_passes
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify

F64 = TensorType((4,), dtypes.float64)


def pair_of(program: Program) -> Pair:
    return make_pair(program.inputs, program.nodes, program.roots, program.roots, program.leaves, program.recorded)


def run_pair(pair: Pair, given_: Sequence[Array], tangents: Sequence[Array], *, passes: bool = False) -> list[Array]:
    """The gradients of the leaves that were reached."""
    forward, backward = (run_passes(graph) if passes else graph for graph in (pair.forward, pair.backward))
    outputs = run_reference(forward, given_)
    places = {"input": given_, "output": outputs}
    saved = [places[origin.kind][origin.place] for origin in pair.origins]
    return run_reference(backward, [*saved, *tangents])


def run_joint(
    program: Program, given_: Sequence[Array], tangents: Sequence[Array], *, passes: bool = False
) -> list[Array]:
    builder = GraphBuilder()
    builder.inputs, builder.nodes = list(program.inputs), list(program.nodes)
    inputs = [builder.input(root.type, "tangent") for root in program.roots]
    roots = list(zip(program.roots, inputs, strict=True))
    found = gradients(GraphEmitter(builder), roots, program.leaves, program.recorded)
    reached = [found[leaf] for leaf in program.leaves if leaf in found]
    graph = builder.finish(reached)
    return run_reference(run_passes(graph) if passes else graph, [*given_, *tangents])


@given(programs(), st.integers(0, 2**20))
def test_forward_then_backward_gives_the_bits_of_one_graph(program: Program, seed: int) -> None:
    pair = pair_of(program)
    verify(pair.forward)
    verify(pair.backward)
    values = arrays([node.shape for node in (*program.inputs, *program.roots)], seed)
    given_, tangents = values[: len(program.inputs)], values[len(program.inputs) :]
    for passes in (False, True):
        joint = run_joint(program, given_, tangents, passes=passes)
        assert_same_bits(run_pair(pair, given_, tangents, passes=passes), joint)
    assert len(pair.backward.outputs) == len(pair.reached)
    assert [node.type for node in pair.backward.outputs] == [program.leaves[place].type for place in pair.reached]


@given(programs())
def test_backward_reads_all_that_is_saved_and_tangents_come_last(program: Program) -> None:
    pair = pair_of(program)
    count = len(pair.saved)
    assert [node.type for node in pair.backward.inputs[:count]] == [node.type for node in pair.saved]
    assert [node.type for node in pair.backward.inputs[count:]] == [root.type for root in program.roots]
    read = {operand for node in pair.backward.nodes for operand in node.inputs} | set(pair.backward.outputs)
    assert set(pair.backward.inputs[:count]) <= read
    assert len(set(pair.saved)) == count


@given(programs())
def test_forward_gives_the_outputs_then_what_is_saved_and_nowhere_else(program: Program) -> None:
    pair = pair_of(program)
    count = len(program.roots)
    assert pair.forward.outputs[:count] == program.roots
    extra = pair.forward.outputs[count:]
    assert len(set(extra)) == len(extra) and not set(extra) & {*program.roots, *program.inputs}
    for node, origin in zip(pair.saved, pair.origins, strict=True):
        place = program.inputs if origin.kind == "input" else pair.forward.outputs
        assert place[origin.place] is node
    assert {*extra} <= {*pair.saved}


@given(programs())
def test_no_constant_is_saved(program: Program) -> None:
    assert not any(node.op.name in ("full", "arange") for node in pair_of(program).saved)


def trace(*names: str) -> tuple[GraphEmitter, list[Node]]:
    builder = GraphBuilder()
    return GraphEmitter(builder), [builder.input(F64, name) for name in names]


def split(f: GraphEmitter, outputs: list[Node], leaves: list[Node]) -> Pair:
    nodes = tuple(f.builder.nodes)
    return make_pair(f.builder.inputs, nodes, outputs, outputs, leaves, set(nodes))


def test_an_input_is_saved_as_itself_and_an_output_as_the_output() -> None:
    f, (x, w) = trace("x", "w")
    pair = split(f, [f.exp(f.multiply(x, w))], [w])
    assert [node.op.name for node in pair.saved] == ["placeholder", "exp"]
    assert pair.origins == (Origin("input", 0), Origin("output", 0))
    assert len(pair.forward.outputs) == 1


def test_an_intermediate_value_becomes_one_more_output() -> None:
    f, (x,) = trace("x")
    middle = f.exp(x)
    pair = split(f, [f.sin(middle)], [x])
    assert pair.saved == (middle,) and pair.origins == (Origin("output", 1),)
    assert pair.forward.outputs[1] is middle


def test_the_backward_graph_of_the_docstring() -> None:
    f, (x,) = trace("x")
    pair = split(f, [f.sin(f.exp(x))], [x])
    text = print_graph(pair.backward)
    assert [line.split("= ")[1].split("(")[0] for line in text.splitlines() if "=" in line] == [
        "cos",
        "multiply",
        "multiply",
    ]


def test_what_only_the_shape_of_is_needed_is_not_saved() -> None:
    f, (x,) = trace("x")
    pair = split(f, [f.sum(f.add(f.sin(x), 1.0), axes=(0,)), f.add(x, 2.0)], [x])
    assert pair.saved == (x,)
    pair = split(f, [f.sum(f.add(x, 1.0), axes=(0,))], [x])
    assert pair.saved == ()


def test_views_are_taken_again_instead_of_saved() -> None:
    builder = GraphBuilder()
    f = GraphEmitter(builder)
    x = builder.input(TensorType((4, 4), dtypes.float64), "x")
    w = builder.input(TensorType((4, 4), dtypes.float64), "w")
    turned = f.permute(w, axes=(1, 0))
    part = f.slice(turned, starts=(0, 0), sizes=(4, 2), steps=(1, 1))
    pair = split(f, [f.matmul(x, part)], [x])
    assert pair.saved == (w,)
    middle = f.exp(w)
    part = f.slice(middle, starts=(0, 0), sizes=(4, 2), steps=(1, 1))
    assert split(f, [f.matmul(x, part)], [x]).saved == (part,)  # keeps two columns, not four


def test_an_alias_is_not_saved_beside_what_it_is_an_alias_of() -> None:
    f, (x,) = trace("x")
    middle = f.exp(x)
    assert split(f, [f.multiply(f.sin(f.alias(middle)), f.alias(x))], [x]).saved.count(middle) == 1
    assert "alias" not in [node.op.name for node in split(f, [f.sin(f.alias(middle))], [x]).saved]


def test_a_composite_is_saved_for_its_own_rule_as_one_value() -> None:
    f, (x,) = trace("x")
    chances = f.softmax(x, axis=0)
    pair = split(f, [f.sum(chances, axes=(0,))], [x])
    assert pair.saved == (chances,)


def test_a_leaf_that_no_root_depends_on_is_not_reached() -> None:
    f, (x, y) = trace("x", "y")
    pair = split(f, [f.sin(y)], [x, y])
    assert pair.reached == (1,)
    pair = split(f, [f.sin(y)], [x])
    assert pair.reached == () and pair.saved == () and pair.backward.outputs == ()
    verify(pair.backward)


def test_a_root_that_is_a_leaf_gives_its_tangent_back() -> None:
    f, (x,) = trace("x")
    pair = split(f, [x], [x])
    verify(pair.backward)
    assert_same_bits(run_reference(pair.backward, [np.ones(4)]), [np.ones(4)])


def test_writes_stay_in_the_forward_graph() -> None:
    f, (x, y) = trace("x", "y")
    value = f.add(y, 1.0)
    root = f.multiply(x, value)
    nodes = tuple(f.builder.nodes)
    pair = make_pair(f.builder.inputs, nodes, [root], [root], [x], set(nodes), writes=[Write(y, value)])
    verify(pair.forward)
    assert pair.forward.writes == (Write(y, value),) and pair.backward.writes == ()
    given_ = [np.ones(4), np.ones(4)]
    assert_same_bits(run_pair(pair, given_, [np.ones(4)]), [np.full(4, 2.0)])
    assert given_[1].tolist() == [2.0] * 4


def test_a_saved_value_keeps_its_line_as_an_input_of_backward() -> None:
    f, (x,) = trace("x")
    with f.at(Location("a.py", 3, "f")):
        middle = f.exp(x)
    pair = split(f, [f.sin(middle)], [x])
    assert pair.backward.inputs[0].location == Location("a.py", 3, "f")


def test_the_pair_of_a_classifier_runs_natively_and_gives_the_gradient_known_in_closed_form() -> None:
    builder = GraphBuilder()
    f = GraphEmitter(builder)
    x, w, b = (builder.input(TensorType(shape, dtypes.float64), "x") for shape in ((6, 4), (3, 4), (3,)))
    target = builder.input(TensorType((6,), dtypes.int64), "target")
    scores = f.log_softmax(f.linear(x, w, b), axis=1)
    pair = split(f, [f.nll_loss(scores, target, ignore_index=-100, reduction="mean")], [w, b])
    assert pair.saved == (x, target, scores)

    values = arrays([(6, 4), (3, 4), (3,)], 1)
    given_ = [*values, np.array([0, 2, 1, 1, 0, 2])]
    forward, backward = run_passes(pair.forward), run_passes(pair.backward)
    outputs = run_native(compile_graph(forward, layout_for(forward, given_)), given_)
    saved = [(given_ if kept.kind == "input" else outputs)[kept.place] for kept in pair.origins]
    arguments = [*map(np.asarray, saved), np.array(1.0)]
    by_w, by_b = run_native(compile_graph(backward, layout_for(backward, arguments)), arguments)

    powers = np.exp(values[0] @ values[1].T + values[2])
    error = (powers / powers.sum(axis=1, keepdims=True) - np.eye(3)[given_[3]]) / 6
    np.testing.assert_allclose(by_w, error.T @ values[0], rtol=1e-12)
    np.testing.assert_allclose(by_b, error.sum(axis=0), rtol=1e-12, atol=1e-15)
