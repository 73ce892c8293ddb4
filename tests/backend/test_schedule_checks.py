"""Nodes that may raise are computed whole."""

from __future__ import annotations

from guardlift.backend.schedule_checks import to_be_checked
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Node
from guardlift.ops.indexing import TAKE
from guardlift.ops.movement import PERMUTE, SLICE
from guardlift.ops.registry import OPS


def _picked(builder: GraphBuilder) -> Node:
    x = builder.input(TensorType((6,), dtypes.float64), "x")
    index = builder.input(TensorType((4, 2), dtypes.int64), "index")
    return builder.add(TAKE, x, index, axis=0)


def _first_row(builder: GraphBuilder, node: Node) -> Node:
    return builder.add(SLICE, node, starts=(0, 0), sizes=(1, 2), steps=(1, 1))


def test_a_take_that_is_a_result_needs_nothing_more() -> None:
    builder = GraphBuilder()
    assert to_be_checked(builder.finish([_picked(builder)])) == frozenset()


def test_a_take_of_which_a_slice_is_read_has_to_be_computed_by_itself() -> None:
    builder = GraphBuilder()
    node = _picked(builder)
    turned = builder.add(PERMUTE, builder.add(OPS["sin"], node), axes=(1, 0))
    graph: Graph = builder.finish([_first_row(builder, builder.add(PERMUTE, turned, axes=(1, 0)))])
    assert to_be_checked(graph) == {node}


def test_a_take_that_is_summed_up_needs_nothing_more() -> None:
    builder = GraphBuilder()
    node = _picked(builder)
    total = builder.add(OPS["sum"], builder.add(OPS["sin"], node), axes=(0, 1))
    assert to_be_checked(builder.finish([_first_row(builder, node), total])) == frozenset()


def test_a_take_that_nobody_reads_has_to_be_computed() -> None:
    builder = GraphBuilder()
    node = _picked(builder)
    x = builder.inputs[0]
    assert to_be_checked(builder.finish([builder.add(OPS["sin"], x)])) == {node}


def test_an_index_known_to_be_good_needs_no_check() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((6,), dtypes.float64), "x")
    index = builder.add(OPS["full"], shape=(2,), dtype=dtypes.int64, value=3)
    node = builder.add(TAKE, x, index, axis=0)
    graph = builder.finish([builder.add(SLICE, node, starts=(0,), sizes=(1,), steps=(1,))])
    assert to_be_checked(graph) == frozenset()
