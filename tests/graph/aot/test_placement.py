"""Packing stands right behind what it packs, and the graph means what it meant."""

from __future__ import annotations

from graph.aot.programs import Program, arrays, programs
from graph.bits import assert_same_bits
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.placement import raised
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.verifier import verify
from guardlift.ops import OPS


def test_a_cast_moves_up_to_what_it_casts_and_takes_its_constants_along() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((4, 4), dtypes.float32), "x")
    wide = builder.add(OPS["tanh"], x)
    product = builder.add(OPS["matmul"], wide, wide)
    scale = builder.add(OPS["full"], value=2.0, shape=(4, 4), dtype=dtypes.float32)
    scaled = builder.add(OPS["multiply"], wide, scale)
    narrow = builder.add(OPS["cast"], scaled, dtype=dtypes.float64)
    order = raised(builder.nodes, {scale, scaled, narrow})
    assert order.index(narrow) < order.index(product)
    assert order.index(wide) < order.index(scaled) < order.index(narrow)
    assert raised(builder.nodes, set()) == builder.nodes


@given(programs(), st.sets(st.integers(0, 40)), st.integers(0, 2**20))
def test_any_nodes_may_be_raised(program: Program, which: set[int], seed: int) -> None:
    graph = program.graph()
    early = {node for k, node in enumerate(graph.nodes) if k in which}
    moved = Graph(graph.inputs, tuple(raised(graph.nodes, early)), graph.outputs)
    verify(moved)
    assert set(moved.nodes) == set(graph.nodes)
    values = arrays([node.shape for node in graph.inputs], seed)
    assert_same_bits(run_reference(moved, values), run_reference(graph, values))
