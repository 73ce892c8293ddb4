"""Nodes that may raise are computed whole."""

from __future__ import annotations

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native
from backend.plain_runner import SIDE_EXIT, run_plain
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.compile import compile_graph
from guardlift.backend.schedule.checks import to_be_checked
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Graph, Node, Write
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


def test_a_take_that_only_a_dead_sum_reads_has_to_be_computed() -> None:
    builder = GraphBuilder()
    node = _picked(builder)
    builder.add(OPS["sum"], node, axes=(0, 1))
    assert to_be_checked(builder.finish([])) == {node}


def test_an_index_known_to_be_good_needs_no_check() -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((6,), dtypes.float64), "x")
    index = builder.add(OPS["full"], shape=(2,), dtype=dtypes.int64, value=3)
    node = builder.add(TAKE, x, index, axis=0)
    graph = builder.finish([builder.add(SLICE, node, starts=(0,), sizes=(1,), steps=(1,))])
    assert to_be_checked(graph) == frozenset()


RUNNERS = pytest.mark.parametrize("runner", [run_plain, run_native], ids=["plain", "native"])
TARGETS = [
    ([0, 9, 3], np.int64),
    ([0, 10, 3], np.int64),
    ([0, -1, 3], np.int64),
    ([0, -7, 3], np.int64),
    ([2, 200, 3], np.uint8),
    ([2, 2**63 + 5, 3], np.uint64),
    ([2, -128, 3], np.int8),
]


@RUNNERS
@pytest.mark.parametrize("ignore", [None, -7, 200])
@pytest.mark.parametrize(("values", "dtype"), TARGETS)
def test_a_checked_index_leaves_before_anything_is_written(values, dtype, ignore, runner) -> None:
    p = Program()
    x = p.input((3,))
    index = p.input((3,), dtypes.from_numpy(np.dtype(dtype)))
    inside = p.checked_index(index, size=10, ignore=ignore)
    classes = p.cast(inside, dtype=dtypes.float64)
    total = p.sum(p.multiply(classes, x), axes=(0,))
    graph = p.builder.finish([total, inside], [Write(x, p.add(x, classes)), Write(index, p.negative(index))])
    check(graph, [np.array([0.5, 2.0, 3.0]), np.array(values, dtype)], runner)


@RUNNERS
@pytest.mark.parametrize("bad", [3, -1])
def test_a_checked_index_that_nobody_reads_is_checked_all_the_same(bad, runner) -> None:
    p = Program()
    x, index = p.input((3,)), p.input((4,), dtypes.int32)
    p.checked_index(index, size=3, ignore=None)
    graph = p.builder.finish([p.exp(x)])
    compiled = compile_graph(graph, layout_for(graph, [np.ones(3), np.ones(4, np.int32)]))
    assert runner(compiled, [np.ones(3), np.array([0, 1, bad, 2], np.int32)]) == SIDE_EXIT
    assert runner(compiled, [np.ones(3), np.array([0, 1, 2, 2], np.int32)]) != SIDE_EXIT


@st.composite
def checked_programs(draw):
    """Writes and outputs of values of which some are picked by indices, or by indices that are checked."""
    p = Program()
    floats = [p.input((6,)) for _ in range(3)]
    indices = [p.input((6,), dtypes.int64) for _ in range(2)]
    inputs = [*floats, *indices]
    for _ in range(draw(st.integers(1, 9))):
        one, other = draw(st.sampled_from(floats)), draw(st.sampled_from(floats))
        index = draw(st.sampled_from(indices))
        match draw(st.integers(0, 6)):
            case 0:
                indices.append(p.checked_index(index, size=6, ignore=draw(st.sampled_from([None, -2]))))
            case 1:
                floats.append(p.take(one, index, axis=0))
            case 2:
                floats.append(p.cast(index, dtype=dtypes.float64))
            case 3:
                floats.append(p.expand(p.sum(one, axes=(0,)), shape=(6,)))
            case 4:
                floats.append(p.store(one, p.part(other, 0, 3), 2))
            case 5:
                indices.append(p.negative(index))
            case _:
                floats.append(p.subtract(one, other))
    outputs = draw(st.lists(st.sampled_from([*floats, *indices]), max_size=2))
    writes = []
    for target in inputs:
        values = floats if target in floats else indices
        value = draw(st.sampled_from([None, *values]))
        if value is not None:
            writes.append(Write(target, value))
    return p.builder.finish(outputs, writes)


@given(checked_programs(), st.lists(st.integers(-3, 6), min_size=12, max_size=12), st.booleans())
def test_either_everything_is_written_or_nothing(graph, numbers, lifted) -> None:
    arrays = [np.arange(6.0) + k for k in range(3)] + [np.array(numbers[:6]), np.array(numbers[6:])]
    check(graph, arrays, lifted=range(5) if lifted else ())
