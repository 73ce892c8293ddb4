import numpy as np
import pytest
from graph.bits import assert_same_bits
from graph.strategies import graphs, inputs_for
from hypothesis import given, settings
from hypothesis import strategies as st

from guardlift.core.config import config
from guardlift.core.errors import GraphError
from guardlift.graph import passes
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph, Write
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes import PASSES, run_passes
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify

TEXT = """
graph(%x: f32[2, 3], %w: f32[2, 3]) {
  %one = full(dtype=f32, shape=(), value=1.0) : f32[]
  %ones = expand(%one, shape=(2, 3)) : f32[2, 3]
  %same = multiply(%x, %ones) : f32[2, 3]
  %a = exp(%same) : f32[2, 3]  # first.py:3
  %b = exp(%x) : f32[2, 3]  # second.py:4
  %dead = sin(%x) : f32[2, 3]
  %c = add(%a, %b) : f32[2, 3]  # third.py:5
  write %w <- %c
  return %b
}
"""

SHORT = """\
graph(%x: f32[2, 3], %w: f32[2, 3]) {
  %0 = exp(%x) : f32[2, 3]  # first.py:3
  %1 = add(%0, %0) : f32[2, 3]  # third.py:5
  write %w <- %1
  return %0
}
"""


def test_the_passes_together_shorten_a_graph_and_keep_the_earliest_lines() -> None:
    graph = parse_graph(TEXT)
    assert print_graph(run_passes(graph, verify=True), locations=True) == SHORT


def test_the_graph_passed_in_is_left_as_it_was() -> None:
    graph = parse_graph(TEXT)
    before = print_graph(graph, locations=True)
    run_passes(graph)
    assert print_graph(graph, locations=True) == before


def test_a_graph_of_inputs_only_goes_through() -> None:
    graph = parse_graph("graph(%x: f32[2]) {\n  return %x, %x\n}")
    assert print_graph(run_passes(graph, verify=True)) == print_graph(graph)


def test_verify_refuses_a_bad_graph_before_the_first_pass() -> None:
    bad = parse_graph(TEXT.replace("sin(%x) : f32[2, 3]", "sin(%x) : f32[9]"))
    run_passes(bad)  # the bad node is dead
    with pytest.raises(GraphError, match="^the graph is not valid: %5 has type"):
        run_passes(bad, verify=True)
    with config.patch(verify_graphs=True), pytest.raises(GraphError):
        run_passes(bad)


def test_verify_names_the_pass_that_broke_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_it(graph: Graph) -> Graph:
        return Graph(graph.inputs, (), graph.outputs, tuple(Write(w.target, w.target) for w in graph.writes))

    monkeypatch.setattr(passes, "PASSES", (*PASSES, ("smash", break_it)))
    with pytest.raises(GraphError, match="after the pass smash, the graph is not valid: output 0"):
        run_passes(parse_graph(TEXT), verify=True)


@settings(max_examples=5 * settings().max_examples)
@given(data=st.data(), graph=graphs())
@pytest.mark.slow
def test_passes_keep_every_bit_of_results_and_writes(data: st.DataObject, graph: Graph) -> None:
    inputs = data.draw(inputs_for(graph))
    plain, passed = [array.copy() for array in inputs], [array.copy() for array in inputs]
    expected = run_reference(graph, plain)
    shorter = graph
    for _, apply in PASSES:
        shorter = apply(shorter)
        verify(shorter)
    assert_same_bits(run_reference(shorter, passed), expected)
    assert_same_bits(passed, plain)


@given(graph=graphs())
def test_passes_find_nothing_more_the_second_time_but_what_merging_brought(graph: Graph) -> None:
    once = run_passes(graph)
    assert len(run_passes(once).nodes) <= len(once.nodes)
    twice = run_passes(run_passes(once))
    assert print_graph(run_passes(twice)) == print_graph(twice)


@pytest.mark.slow
def test_a_chain_of_ten_thousand_nodes_needs_no_deep_recursion() -> None:
    lines = ["graph(%x: f64[2]) {", "  %0 = sin(%x) : f64[2]"]
    lines += (f"  %{k} = sin(%{k - 1}) : f64[2]" for k in range(1, 10_000))
    graph = parse_graph("\n".join([*lines, "  return %9999", "}"]))
    assert len(run_passes(graph).nodes) == 10_000
    assert np.isfinite(run_reference(run_passes(graph), [np.ones(2)])[0]).all()
