import pytest

from guardlift.core.devices import CUDA
from guardlift.core.dtypes import float64
from guardlift.core.errors import GraphError
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Node
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes import run_passes
from guardlift.graph.passes.rewrite import rewrite
from guardlift.graph.printer import print_graph
from guardlift.ops import OPS
from guardlift.ops.creation import FULL

TEXT = """\
graph(%x: f64[3]) {
  %0 = exp(%x) : f64[3]
  %1 = sin(%0) : f64[3]
  write %x <- %1
  return %0, %1
}
"""


def test_a_step_that_changes_nothing_keeps_the_very_nodes() -> None:
    graph = parse_graph(TEXT)
    assert rewrite(graph, lambda node: node).nodes == graph.nodes


def test_new_operands_are_placed_before_their_user() -> None:
    def step(node: Node) -> Node:
        if node.op.name != "exp":
            return node
        inner = Node(OPS["cos"], node.inputs, node.type)
        return Node(OPS["add"], (inner, inner), node.type)

    assert print_graph(rewrite(parse_graph(TEXT), step)) == (
        "graph(%x: f64[3]) {\n"
        "  %0 = cos(%x) : f64[3]\n"
        "  %1 = add(%0, %0) : f64[3]\n"
        "  %2 = sin(%1) : f64[3]\n"
        "  write %x <- %2\n"
        "  return %1, %2\n"
        "}\n"
    )


def test_a_step_that_changes_a_type_is_refused() -> None:
    def step(node: Node) -> Node:
        return Node(OPS["isnan"], node.inputs, OPS["isnan"].meta(node.inputs[0].type))

    with pytest.raises(GraphError, match=r"a rewrite of exp changed its type from f64\[3\] to b1\[3\]"):
        rewrite(parse_graph(TEXT), step)


def test_a_constant_takes_no_place_of_a_value_on_a_device() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((3,), float64, CUDA), "x")
    zeros = builder.add(FULL, value=0.0, shape=(3,), dtype=float64)
    stored = builder.add(OPS["slice_store"], x, zeros, starts=(0,), sizes=(3,), steps=(1,))
    for graph in (builder.finish([stored]), run_passes(builder.finish([stored]))):
        assert graph.outputs[0].type == TensorType((3,), float64, CUDA)
