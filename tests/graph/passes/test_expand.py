import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes import run_passes
from guardlift.graph.passes.expand import expand_composites
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify
from guardlift.ops import OPS
from guardlift.ops.registry import Composite

RELU = """\
graph(%x: f32[3]) {
  %0 = relu(%x) : f32[3]  # model.py:4
  %1 = exp(%0) : f32[3]  # model.py:5
  return %1
}
"""

RELU_EXPANDED = """\
graph(%x: f32[3]) {
  %0 = full(dtype=f32, shape=(3,), value=0.0) : f32[3]  # model.py:4
  %1 = maximum(%x, %0) : f32[3]  # model.py:4
  %2 = exp(%1) : f32[3]  # model.py:5
  return %2
}
"""

ALIASES = """\
graph(%x: f32[3]) {
  %0 = alias(%x) : f32[3]
  %1 = alias(%0) : f32[3]
  %2 = negative(%1) : f32[3]
  %3 = alias(%2) : f32[3]
  write %x <- %3
  return %1, %3
}
"""

NO_ALIASES = """\
graph(%x: f32[3]) {
  %0 = negative(%x) : f32[3]
  write %x <- %0
  return %x, %0
}
"""

LOSS = """\
graph(%x: f32[64, 10], %y: i64[64]) {
  %0 = log_softmax(%x, axis=1) : f32[64, 10]
  %1 = nll_loss(%0, %y, ignore_index=-100, reduction='mean') : f32[]
  return %1
}
"""

NLL = {"ignore_index": -100, "reduction": "mean"}


def test_primitives_stand_in_place_of_a_composite_and_bear_its_line() -> None:
    graph = expand_composites(parse_graph(RELU))
    verify(graph)
    assert print_graph(graph, locations=True) == RELU_EXPANDED


def test_an_alias_leaves_nothing() -> None:
    assert print_graph(expand_composites(parse_graph(ALIASES))) == NO_ALIASES


def test_a_graph_without_composites_is_given_back() -> None:
    graph = parse_graph(RELU_EXPANDED)
    assert expand_composites(graph) is graph


def test_the_graph_passed_in_is_left_as_it_was() -> None:
    graph = parse_graph(LOSS)
    expand_composites(graph)
    assert print_graph(graph) == LOSS


def test_the_loss_of_a_classifier_needs_no_gather() -> None:
    graph = run_passes(parse_graph(LOSS), verify=True)
    names = {node.op.name for node in graph.nodes}
    assert not names & {"gather", "take", "scatter_add"}
    assert not [node for node in graph.nodes if isinstance(node.op.lower, Composite)]
    x, y = np.random.default_rng(0).uniform(-1, 1, (64, 10)).astype(np.float32), np.arange(64) % 10
    (loss,) = run_reference(graph, [x, y])
    assert loss == pytest.approx(OPS["nll_loss"].eager(OPS["log_softmax"].eager(x, axis=1), y, **NLL), rel=1e-6)


def test_a_bad_target_still_raises_after_all_passes_even_where_nobody_uses_the_loss() -> None:
    text = LOSS.replace("return %1", "return %0")
    graph = run_passes(parse_graph(text), verify=True)
    assert "checked_index" in {node.op.name for node in graph.nodes}
    x, y = np.zeros((64, 10), np.float32), np.full(64, 10)
    with pytest.raises(IndexError, match="Target 10 is out of bounds"):
        run_reference(graph, [x, y])


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if isinstance(op.lower, Composite)])
def test_no_composite_is_left_after_all_passes(name: str) -> None:
    for sample in OPS[name].samples():
        builder = GraphBuilder()
        types = [TensorType(array.shape, dtypes.held(array.dtype)) for array in sample.args]
        node = builder.add(OPS[name], *(builder.input(type, "x") for type in types), **dict(sample.attrs))
        graph = run_passes(builder.finish([node]), verify=True)
        assert not [each for each in graph.nodes if isinstance(each.op.lower, Composite)]
        assert [each.type for each in graph.outputs] == [node.type]
