import numpy as np
import pytest

from guardlift.graph.interpreter import run_reference
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes.dce import drop_dead_nodes
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify


def test_only_what_an_output_or_a_write_needs_stays() -> None:
    graph = parse_graph("""
        graph(%x: f64[3], %unused: f64[3]) {
          %0 = exp(%x) : f64[3]
          %1 = sin(%0) : f64[3]
          %2 = cos(%0) : f64[3]
          %3 = tan(%2) : f64[3]
          %4 = add(%x, %x) : f64[3]
          write %x <- %4
          return %2
        }
    """)
    assert print_graph(drop_dead_nodes(graph)) == (
        "graph(%x: f64[3], %unused: f64[3]) {\n"
        "  %0 = exp(%x) : f64[3]\n"
        "  %1 = cos(%0) : f64[3]\n"
        "  %2 = add(%x, %x) : f64[3]\n"
        "  write %x <- %2\n"
        "  return %1\n"
        "}\n"
    )


def test_an_index_that_may_be_out_of_range_stays_and_raises() -> None:
    graph = parse_graph("""
        graph(%x: f64[3], %i: u8[2]) {
          %0 = exp(%x) : f64[3]
          %1 = take(%0, %i, axis=0) : f64[2]
          return %x
        }
    """)
    kept = drop_dead_nodes(graph)
    assert len(kept.nodes) == 2
    with pytest.raises(IndexError):
        run_reference(kept, [np.zeros(3), np.array([0, 3], np.uint8)])


@pytest.mark.parametrize(
    ("node", "stays"),
    [
        ("%0 = power(%i, %i) : i64[2]", True),
        ("%0 = power(%x, %x) : f64[2]", False),
        ("%0 = power(%u, %u) : u8[2]", False),
        ("%0 = gather(%x, %i, axis=0) : f64[2]", True),
        ("%0 = gather(%x, %u, axis=0) : f64[2]", True),
        ("%0 = scatter_add(%x, %i, %x, axis=0) : f64[2]", True),
        ("%0 = take(%x, %none, axis=0) : f64[0]", False),
        ("%0 = take(%x, %one, axis=0) : f64[1]", False),
        ("%0 = take(%x, %two, axis=0) : f64[1]", True),
        ("%0 = gather(%x, %two, axis=0) : f64[1]", True),
        ("%0 = power(%one, %two) : i64[1]", False),
        ("%0 = power(%two, %one) : i64[1]", True),
        ("%0 = floor_divide(%i, %i) : i64[2]", False),
    ],
)
def test_a_dead_node_stays_just_when_it_may_raise(node: str, stays: bool) -> None:
    graph = parse_graph(f"""
        graph(%x: f64[2], %i: i64[2], %u: u8[2], %none: i64[0]) {{
          %one = full(dtype=i64, shape=(1,), value=-1) : i64[1]
          %two = full(dtype=i64, shape=(1,), value=2) : i64[1]
          {node}
          return
        }}
    """)
    verify(graph)
    assert (graph.nodes[-1] in drop_dead_nodes(graph).nodes) is stays
