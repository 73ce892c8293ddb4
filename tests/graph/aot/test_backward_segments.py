"""A graph in segments gives the bits of the whole one, and has let go of its inputs on the way."""

from __future__ import annotations

from typing import Any

from graph.aot.programs import Program, arrays, programs
from graph.bits import assert_same_bits
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.backward_segments import SegmentedGraph, segmented
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph, Node
from guardlift.graph.verifier import verify
from guardlift.ops import OPS


def run(segments: SegmentedGraph, values: list[Any]) -> list[Any]:
    known = dict(enumerate(values))
    for segment in segments.segments:
        verify(segment.graph)
        found = run_reference(segment.graph, [known[number] for number in segment.takes])
        known.update(zip(segment.gives, found, strict=True))
        for number in segment.done:
            del known[number]
    assert set(known) == set(segments.results) | {k for k in known if k < len(values)}
    return [known[number] for number in segments.results]


@given(programs(), st.integers(1, 48), st.integers(0, 2**20))
def test_pieces_give_what_the_whole_gives(program: Program, least: int, seed: int) -> None:
    graph = program.graph()
    segments = segmented(graph, range(len(graph.inputs)), least)
    if segments is None:
        return  # nothing to let go of before the end
    assert len(segments.segments) > 1
    values = arrays([node.shape for node in graph.inputs], seed)
    assert_same_bits(run(segments, list(values)), run_reference(graph, values))


def backward_of(layers: int) -> Graph:
    """As a backward of products: each step reads a value of its own and what the step before gave."""
    builder = GraphBuilder()
    wide = TensorType((32, 32), dtypes.float32)
    saved = [builder.input(wide, f"saved_{k}") for k in range(layers)]
    value = builder.input(wide, "tangent")
    outputs: list[Node] = []
    for each in reversed(saved):
        active = builder.add(OPS["multiply"], value, each)
        outputs.append(builder.add(OPS["matmul"], active, each))
        value = builder.add(OPS["matmul"], active, active)
    return builder.finish([*outputs, value])


def test_each_piece_is_the_last_to_hold_what_it_reads() -> None:
    graph = backward_of(6)
    segments = segmented(graph, range(6), 4096)
    assert segments is not None
    assert len(segments.segments) > 2
    assert all(any(number < 6 for number in segment.done) for segment in segments.segments)
    crossing = [len(segment.takes) for segment in segments.segments]
    assert max(crossing) == 2  # what was saved, and one value from the segment before


def test_no_cut_is_made_for_little_or_where_everything_is_needed_to_the_end() -> None:
    assert segmented(backward_of(6), range(6), 1 << 20) is None
    assert segmented(backward_of(6), (), 1) is None
    assert segmented(backward_of(1), range(1), 1) is None
