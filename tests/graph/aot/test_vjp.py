"""Gradients of graphs against finite differences, and the shape of what is emitted."""

from __future__ import annotations

import numpy as np
import pytest
from graph.aot.programs import Array, Program, arrays, perturbed, programs
from hypothesis import assume, given
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.errors import GraphError
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.vjp import Hook, gradients
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph, Location, Node
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify

F64 = TensorType((3,), dtypes.float64)


def emitter(*names: str, type: TensorType = F64) -> tuple[GraphEmitter, list[Node]]:
    """A new trace and its inputs."""
    builder = GraphBuilder()
    return GraphEmitter(builder), [builder.input(type, name) for name in names]


def emitted(f: GraphEmitter, since: int) -> list[str]:
    """The names of the ops that were added."""
    return [node.op.name for node in f.builder.nodes[since:]]


def joint(program: Program) -> tuple[Graph, dict[Node, Node]]:
    """The program with its gradients as outputs; the cotangents come as further inputs."""
    builder = GraphBuilder()
    builder.inputs, builder.nodes = list(program.inputs), list(program.nodes)
    tangents = [builder.input(root.type, "tangent") for root in program.roots]
    roots = list(zip(program.roots, tangents, strict=True))
    found = gradients(GraphEmitter(builder), roots, program.leaves, program.recorded)
    return builder.finish(found.values()), found


def slope(program: Program, given: list[Array], tangents: list[Array], along: list[Array], step: float) -> float:
    """The derivative of <roots, tangents> when the leaves move along a direction, by a central difference."""
    graph, _ = perturbed(program)

    def value(length: float) -> float:
        found = run_reference(graph, [*given, *(np.asarray(length * array) for array in along)])
        return sum(float(np.sum(root * tangent)) for root, tangent in zip(found, tangents, strict=True))

    return (value(step) - value(-step)) / (2 * step)


@given(programs(), st.integers(0, 2**20))
def test_gradients_are_the_limits_of_difference_quotients(program: Program, seed: int) -> None:
    graph, found = joint(program)
    verify(graph)
    values = arrays([node.shape for node in graph.inputs], seed)
    given_, tangents = values[: len(program.inputs)], values[len(program.inputs) :]
    results = dict(zip(found, run_reference(graph, values), strict=True))
    for number, leaf in enumerate(program.leaves):
        along = [np.zeros(node.shape) for node in program.leaves]
        along[number] = np.asarray(np.random.default_rng(seed + 1).uniform(-1, 1, leaf.shape))
        expected = slope(program, given_, tangents, along, 1e-4)
        closer = slope(program, given_, tangents, along, 5e-5)
        assume(abs(expected - closer) < 1e-6 * (1 + abs(closer)))  # smooth where it is looked at
        told = float(np.sum(results[leaf] * along[number])) if leaf in results else 0.0
        assert told == pytest.approx(closer, rel=1e-5, abs=1e-5)


@given(programs())
def test_the_same_trace_gives_the_same_nodes(program: Program) -> None:
    assert print_graph(joint(program)[0]) == print_graph(joint(program)[0])


@given(programs())
def test_every_new_node_leads_to_a_gradient_but_for_pieces_of_a_cat_that_reach_no_leaf(program: Program) -> None:
    graph, _ = joint(program)
    live: set[Node] = set()
    waiting = list(graph.outputs)
    while waiting:
        node = waiting.pop()
        if node not in live:
            live.add(node)
            waiting.extend(node.inputs)
    dead = [node for node in graph.nodes[len(program.nodes) :] if node not in live]
    joined = {node.location for node in program.nodes if node.op.name == "cat"}
    assert all(node.op.name == "slice" and node.location in joined for node in dead)


def test_a_leaf_that_is_used_several_times_gets_the_sum_latest_consumer_first() -> None:
    f, (x, g) = emitter("x", "g")
    first, second = f.sin(x), f.cos(x)
    root = f.add(f.add(first, second), x)
    since = len(f.builder.nodes)
    found = gradients(f, [(root, g)], [x], set(f.builder.nodes))
    total = found[x]
    assert emitted(f, since) == ["sin", "negative", "multiply", "add", "cos", "multiply", "add"]
    assert total.inputs[0].inputs[0] is g  # from the last add, at once
    assert total.inputs[1].op.name == "multiply" and total.inputs[1].inputs[1].op.name == "cos"


def test_the_operands_of_one_consumer_come_in_their_order() -> None:
    f, (x, y, g) = emitter("x", "y", "g")
    root = f.multiply(x, y)
    both = f.multiply(root, root)
    found = gradients(f, [(both, g)], [root], {both})
    assert found[root].op.name == "add"
    assert found[root].inputs[0] is not found[root].inputs[1]


def test_broadcast_operands_of_one_op_come_in_their_order_too() -> None:
    f, (x, g) = emitter("x", "g")
    (wide,) = [f.builder.input(TensorType((2, 3), dtypes.bool_), "mask")]
    root = f.where(wide, x, x)
    tangent = f.builder.input(root.type, "t")
    found = gradients(f, [(root, tangent)], [x], set(f.builder.nodes))
    first, second = (total.inputs[0] for total in found[x].inputs)
    assert [first.op.name, second.op.name] == ["where", "where"]
    assert first.inputs[1] is tangent and second.inputs[2] is tangent


def test_a_root_that_is_a_leaf_gets_its_cotangents() -> None:
    f, (x, g, h) = emitter("x", "g", "h")
    assert gradients(f, [(x, g)], [x], set()) == {x: g}
    found = gradients(f, [(x, g), (x, h)], [x], set())
    assert found[x].op.name == "add" and found[x].inputs == (g, h)


def test_a_root_that_depends_on_no_leaf_gives_nothing_and_emits_nothing() -> None:
    f, (x, y, g) = emitter("x", "y", "g")
    root = f.sin(y)
    since = len(f.builder.nodes)
    assert gradients(f, [(root, g)], [x], set(f.builder.nodes)) == {}
    assert emitted(f, since) == []


def test_a_node_that_is_not_recorded_is_a_constant() -> None:
    f, (x, g) = emitter("x", "g")
    constant = f.sin(x)
    root = f.multiply(constant, x)
    assert gradients(f, [(root, g)], [x], {root})[x].inputs == (g, constant)
    assert gradients(f, [(root, g)], [x], set()) == {}


def test_what_goes_through_integers_and_bools_is_a_constant() -> None:
    f, (x, g) = emitter("x", "g")
    whole = f.cast(f.cast(x, dtype=dtypes.int64), dtype=dtypes.float64)
    mask = f.cast(f.less(x, 0.0), dtype=dtypes.float64)
    root = f.multiply(f.multiply(whole, mask), f.where(f.less(x, 0.0), x, 1.0))
    since = len(f.builder.nodes)
    found = gradients(f, [(root, g)], [x], set(f.builder.nodes))
    assert emitted(f, since)[0] == "multiply" and len(found) == 1
    assert gradients(f, [(whole, g)], [x], set(f.builder.nodes)) == {}


def test_an_operand_that_reaches_no_leaf_costs_no_node() -> None:
    f, (x, y, g) = emitter("x", "y", "g")
    root = f.multiply(f.sin(x), f.exp(y))
    since = len(f.builder.nodes)
    assert list(gradients(f, [(root, g)], [y], set(f.builder.nodes))) == [y]
    assert emitted(f, since) == ["multiply", "multiply"]


def test_the_walk_ends_at_leaves_and_goes_on_through_those_named() -> None:
    f, (x, g) = emitter("x", "g")
    middle = f.sin(x)
    root = f.multiply(middle, x)
    recorded = set(f.builder.nodes)
    ended = gradients(f, [(root, g)], [middle, x], recorded)
    assert list(ended) == [middle, x] and ended[x].inputs == (g, middle)
    passed = gradients(f, [(root, g)], [x, middle], recorded, through={middle})
    assert list(passed) == [middle, x] and passed[x].op.name == "add"
    assert passed[middle].inputs == ended[middle].inputs == (g, x)


def test_leaves_come_in_the_order_in_which_their_sums_are_complete_however_they_are_named() -> None:
    f, (x, y, g) = emitter("x", "y", "g")
    root = f.add(f.sin(x), f.multiply(x, y))
    for leaves in ([y, x, y], [x, y], {x, y}):
        assert list(gradients(f, [(root, g)], leaves, set(f.builder.nodes))) == [y, x]


def test_a_store_hides_what_it_covers_and_passes_the_rest() -> None:
    f, (x, g) = emitter("x", "g")
    (v,) = [f.builder.input(TensorType((1,), dtypes.float64), "v")]
    stored = f.slice_store(x, v, starts=(1,), sizes=(1,), steps=(1,))
    found = gradients(f, [(f.multiply(stored, 2.0), g)], [x, v], set(f.builder.nodes))
    graph = f.builder.finish(found.values())
    given_ = [np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0]), np.array([5.0])]
    at_x, at_v = run_reference(graph, given_)
    assert at_x.tolist() == [20.0, 0.0, 60.0] and at_v.tolist() == [40.0]


def test_new_nodes_bear_the_line_of_the_node_they_come_from() -> None:
    f, (x, g) = emitter("x", "g")
    here, there = Location("a.py", 1, "f"), Location("a.py", 2, "f")
    with f.at(here):
        y = f.sin(x)
    with f.at(lambda: there):
        z = f.exp(y)
    since = len(f.builder.nodes)
    gradients(f, [(z, g)], [x], {y, z})
    assert [node.location for node in f.builder.nodes[since:]] == [there, here, here]
    assert f.location is None


def test_a_chain_of_ten_thousand_nodes_is_no_deep_recursion() -> None:
    f, (x, g) = emitter("x", "g")
    y = x
    for _ in range(10_000):
        y = f.negative(y)
    found = gradients(f, [(y, g)], [x], set(f.builder.nodes))
    assert len(f.builder.nodes) == 20_000 and found[x].op.name == "negative"


def test_the_gradient_of_a_gradient_is_one_more_walk() -> None:
    f, (x, g) = emitter("x", "g")
    y = f.sin(x)
    first = gradients(f, [(y, g)], [x], {y})[x]
    second = gradients(f, [(first, g)], [x, g], set(f.builder.nodes))
    graph = f.builder.finish([second[x], second[g]])
    at, cotangent = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    by_x, by_g = run_reference(graph, [at, cotangent])
    np.testing.assert_allclose(by_x, -np.sin(at) * cotangent * cotangent)
    np.testing.assert_allclose(by_g, np.cos(at) * cotangent)


def test_zero_size_arrays_have_gradients_of_their_size() -> None:
    f, (x,) = emitter("x", type=TensorType((0, 3), dtypes.float32))
    total = f.sum(f.multiply(x, x), axes=(0, 1))
    g = f.builder.input(total.type, "g")
    graph = f.builder.finish(gradients(f, [(total, g)], [x], set(f.builder.nodes)).values())
    (found,) = run_reference(graph, [np.zeros((0, 3), np.float32), np.array(1.0, np.float32)])
    assert found.shape == (0, 3) and found.dtype == np.float32


def test_a_cotangent_of_another_type_is_refused() -> None:
    f, (x, g) = emitter("x", "g")
    with pytest.raises(GraphError, match=r"has type f64\[3\]; it takes that of its node"):
        gradients(f, [(f.sum(x, axes=(0,)), g)], [x], set(f.builder.nodes))


def test_a_recorded_node_of_another_builder_is_refused() -> None:
    f, (x, g) = emitter("x", "g")
    other, _ = emitter()
    stray = GraphEmitter(other.builder).sin(x)
    with pytest.raises(GraphError, match="no node of the builder"):
        gradients(f, [(stray, g)], [x], {stray})


# -- hooks -------------------------------------------------------------------------------------------------------------
def test_a_hook_sees_the_whole_sum_and_what_it_gives_goes_on() -> None:
    f, (x, g) = emitter("x", "g")
    h = f.sin(x)
    y = f.add(f.multiply(h, h), h)
    seen: list[Node] = []

    def hook(f: GraphEmitter, gradient: Node) -> Node:
        seen.append(gradient)
        return f.multiply(gradient, 3.0)

    found = gradients(f, [(y, g)], [x], set(f.builder.nodes), hooks={h: hook})
    graph = f.builder.finish([seen[0], found[x]])
    at, cotangent = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    whole, by_x = run_reference(graph, [at, cotangent])
    np.testing.assert_allclose(whole, (2 * np.sin(at) + 1) * cotangent)
    np.testing.assert_allclose(by_x, 3 * whole * np.cos(at))
    assert len(seen) == 1


def test_hooks_of_leaves_are_called_when_the_last_part_has_arrived() -> None:
    f, (x, y, g) = emitter("x", "y", "g")
    inner = f.sin(x)
    middle = f.exp(f.multiply(inner, y))
    outer = f.multiply(middle, y)
    told: list[str] = []

    def hook(name: str) -> Hook:
        return lambda f, gradient: told.append(name) or gradient  # type: ignore[func-returns-value]

    hooks = {
        node: hook(name) for node, name in ((x, "x"), (y, "y"), (inner, "inner"), (middle, "middle"), (outer, "outer"))
    }
    found = gradients(f, [(outer, g)], [x, y], set(f.builder.nodes), hooks=hooks)
    assert told == ["outer", "middle", "y", "inner", "x"]
    assert list(found) == [y, x]


def test_a_leaf_that_is_a_root_is_shown_at_once_and_one_that_nothing_reaches_never() -> None:
    f, (x, y, g) = emitter("x", "y", "g")
    told: list[Node] = []
    hooks = {node: lambda f, gradient: told.append(gradient) or gradient for node in (x, y)}  # type: ignore[func-returns-value]
    assert gradients(f, [(x, g)], [x, y], set(), hooks=hooks) == {x: g}
    assert told == [g]
