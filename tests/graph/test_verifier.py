from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from graph.strategies import graphs
from hypothesis import assume, given
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.errors import GraphError
from guardlift.core.types import TensorType
from guardlift.graph.node import Graph, Node, Write
from guardlift.graph.parser import parse_graph
from guardlift.graph.verifier import verify
from guardlift.ops import OPS
from guardlift.ops.registry import PLACEHOLDER, OpDef, Structural

TEXT = """
graph(%x: f64[2], %w: f64[2]) {
  %0 = sin(%x) : f64[2]
  %1 = cat(%0, %x, axis=0) : f64[4]
  %2 = exp(%1) : f64[4]
  write %w <- %0
  return %2, %x
}
"""


def refused(graph: Graph) -> str:
    with pytest.raises(GraphError) as caught:
        verify(graph)
    return str(caught.value)


def changed(graph: Graph, number: int, **changes: Any) -> Graph:
    """`graph` with node `number` replaced, its users left as they are."""
    nodes = list(graph.nodes)
    nodes[number] = replace(nodes[number], **changes)
    return replace(graph, nodes=tuple(nodes))


def test_a_valid_graph_passes() -> None:
    verify(parse_graph(TEXT))


def test_an_error_shows_the_lines_around_the_node() -> None:
    text = TEXT.replace("%2 = exp(%1) : f64[4]", "%2 = exp(%1) : f64[5]")
    assert refused(parse_graph(text)) == (
        "the graph is not valid: %2 has type f64[5], but exp gives f64[4] here\n"
        "   %0 = sin(%x) : f64[2]\n"
        "   %1 = cat(%0, %x, axis=0) : f64[4]\n"
        "-> %2 = exp(%1) : f64[5]\n"
        "   write %w <- %0\n"
        "   return %2, %x"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sin(%x) : f64[2]", "sin(%x) : f32[2]", "%0 has type f32[2], but sin gives f64[2] here"),
        ("sin(%x) : f64[2]", "sin(%x) : f64[2]@cuda:0", "%0 has type f64[2]@cuda:0, but sin gives f64[2] here"),
        ("sin(%x)", "sin(%x, %x)", "sin refuses the operands of %0: sin takes 1 operands, got 2"),
        ("sin(%x)", "invert(%x)", "invert refuses the operands of %0: invert does not take float64"),
        ("axis=0", "axis=7", "cat refuses the operands of %1: cat has no axis 7 in f64[2]"),
        ("axis=0", "ax=0", "the meta rule of cat failed on the operands of %1: TypeError"),
        ("write %w <- %0", "write %0 <- %w", "write 0 goes to %0, which is no input"),
        ("write %w <- %0", "write %w <- %2", "write 0 puts f64[4] into f64[2]; the types must be equal"),
        ("write %w <- %0", "write %w <- %0\n  write %w <- %x", "write 1 goes to %w, which has been written already"),
    ],
)
def test_a_rule_that_is_broken_is_told(old: str, new: str, message: str) -> None:
    assert message in refused(parse_graph(TEXT.replace(old, new)))


def test_a_node_before_its_operand_is_told() -> None:
    graph = parse_graph(TEXT)
    first, second, third = graph.nodes
    message = refused(replace(graph, nodes=(second, first, third)))
    assert "operand 0 of %0 is %1, which comes later; an operand is an input or an earlier node" in message


def test_an_operand_from_outside_is_told() -> None:
    graph = parse_graph(TEXT)
    assert "operand 0 of %0 is a sin that the graph does not hold" in refused(replace(graph, nodes=graph.nodes[1:]))


def test_a_node_listed_twice_is_told() -> None:
    graph = parse_graph(TEXT)
    assert "node 3 is %0 again; a node is listed once" in refused(replace(graph, nodes=(*graph.nodes, graph.nodes[0])))


def test_an_input_listed_twice_is_told() -> None:
    graph = parse_graph(TEXT)
    assert "input 2, %x, is listed twice" in refused(replace(graph, inputs=(*graph.inputs, graph.inputs[0])))


def test_an_input_that_is_computed_is_told() -> None:
    graph = parse_graph(TEXT)
    assert "input 2 is a sin; an input is a bare placeholder" in refused(
        replace(graph, inputs=(*graph.inputs, graph.nodes[0]))
    )


def test_a_placeholder_among_the_nodes_is_told() -> None:
    graph = parse_graph(TEXT)
    stray = Node(PLACEHOLDER, (), TensorType((), dtypes.int8))
    assert "node 3 is a placeholder" in refused(replace(graph, nodes=(*graph.nodes, stray)))


def test_an_output_from_outside_is_told() -> None:
    graph = parse_graph(TEXT)
    message = refused(replace(graph, nodes=graph.nodes[:2]))
    assert "output 0, a exp, is not a value of the graph" in message
    assert message.endswith("-> return %?, %x")


def test_a_written_value_from_outside_is_told() -> None:
    graph = parse_graph(TEXT)
    other = parse_graph(TEXT).nodes[0]
    assert "the value of write 0, a sin, is not" in refused(replace(graph, writes=(Write(graph.inputs[1], other),)))


def test_an_op_that_is_not_in_the_table_is_told() -> None:
    sin = OPS["sin"]
    fake = OpDef("sin", sin.meta, sin.eager, Structural(), tuple)
    assert "uses an op named 'sin' that is not the one in the table" in refused(changed(parse_graph(TEXT), 0, op=fake))


@pytest.mark.parametrize("attrs", [(("b", 1), ("a", 1)), (("a", 1), ("a", 1))])
def test_attributes_out_of_order_or_twice_are_told(attrs: tuple[tuple[str, object], ...]) -> None:
    assert "each stands once, in order of name" in refused(changed(parse_graph(TEXT), 0, attrs=attrs))


@pytest.mark.parametrize("value", [[1], 1j, dtypes.float32.numpy, dtypes.float32.numpy.type(1), (1, [2])])
def test_an_attribute_that_is_no_plain_value_is_told(value: object) -> None:
    assert "it takes a dtype, bool, int, float, str" in refused(changed(parse_graph(TEXT), 1, attrs=(("axis", value),)))


@given(graph=graphs())
def test_every_graph_of_the_builder_passes(graph: Graph) -> None:
    verify(graph)


def _other_type(graph: Graph, number: int) -> Graph:
    node = graph.nodes[number]
    return changed(graph, number, type=node.type.with_shape((*node.shape, 1)))


def _lost(graph: Graph, number: int) -> Graph:
    node = graph.nodes[number]
    used = any(node in other.inputs for other in graph.nodes) or node in graph.results
    assume(used)
    return replace(graph, nodes=tuple(other for other in graph.nodes if other is not node))


def _twice(graph: Graph, number: int) -> Graph:
    return replace(graph, nodes=(*graph.nodes, graph.nodes[number]))


def _late(graph: Graph, number: int) -> Graph:
    node = graph.nodes[number]
    assume(any(node in other.inputs for other in graph.nodes))
    return replace(graph, nodes=(*(other for other in graph.nodes if other is not node), node))


def _more_operands(graph: Graph, number: int) -> Graph:
    node = graph.nodes[number]
    assume(node.op.name != "cat")
    return changed(graph, number, inputs=(*node.inputs, *(graph.inputs[0],) * 4))


def _extra_attribute(graph: Graph, number: int) -> Graph:
    return changed(graph, number, attrs=(*graph.nodes[number].attrs, ("zzz", 1)))


@given(
    graph=graphs(),
    mutate=st.sampled_from([_other_type, _lost, _twice, _late, _more_operands, _extra_attribute]),
    data=st.data(),
)
def test_a_mutated_graph_is_refused(graph: Graph, mutate: Callable[[Graph, int], Graph], data: st.DataObject) -> None:
    assume(graph.nodes)
    refused(mutate(graph, data.draw(st.integers(0, len(graph.nodes) - 1))))
