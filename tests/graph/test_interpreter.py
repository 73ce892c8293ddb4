import numpy as np
import pytest
from graph.strategies import graphs, inputs_for
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core.errors import GraphError
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph
from guardlift.graph.parser import parse_graph

SWAP = """
graph(%x: f64[2], %y: f64[2]) {
  %0 = add(%x, %y) : f64[2]
  write %x <- %y
  write %y <- %x
  return %0, %x, %x
}
"""


def test_every_node_is_computed_as_numpy_does() -> None:
    graph = parse_graph("""
        graph(%x: f32[2, 3], %w: f32[3, 2]) {
          %0 = matmul(%x, %w) : f32[2, 2]
          %1 = full(dtype=f32, shape=(2, 2), value=0.5) : f32[2, 2]
          %2 = multiply(%0, %1) : f32[2, 2]
          %3 = tanh(%2) : f32[2, 2]
          %4 = max(%3, axes=(0,)) : f32[2]
          return %4
        }
    """)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    w = np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2)
    (result,) = run_reference(graph, [x, w])
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, np.tanh((x @ w) * np.float32(0.5)).max(axis=0))


def test_writes_happen_after_all_values_are_known() -> None:
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    total, before, again = run_reference(parse_graph(SWAP), [x, y])
    np.testing.assert_array_equal(total, [4.0, 6.0])
    np.testing.assert_array_equal(before, [1.0, 2.0])
    np.testing.assert_array_equal(x, [3.0, 4.0])
    np.testing.assert_array_equal(y, [1.0, 2.0])
    assert not np.shares_memory(before, again) and not np.shares_memory(before, x)


def test_inputs_that_share_memory_are_read_before_any_write() -> None:
    memory = np.array([1.0, 2.0, 3.0])
    total, _, _ = run_reference(parse_graph(SWAP), [memory[:2], memory[1:]])
    np.testing.assert_array_equal(total, [3.0, 5.0])
    np.testing.assert_array_equal(memory, [2.0, 1.0, 2.0])


def test_an_output_that_is_a_view_in_numpy_is_a_copy_here() -> None:
    graph = parse_graph("graph(%x: f64[3]) {\n %0 = reshape(%x, shape=(3, 1)) : f64[3, 1]\n return %0\n}")
    x = np.zeros(3)
    (result,) = run_reference(graph, [x])
    assert not np.shares_memory(result, x) and result.flags.writeable


def test_a_sum_does_not_depend_on_how_its_operand_lies_in_memory() -> None:
    graph = parse_graph("graph(%x: f64[100, 99]) {\n %0 = sum(%x, axes=(0, 1)) : f64[]\n return %0\n}")
    x = np.random.default_rng(0).normal(size=(100, 99))
    assert run_reference(graph, [x])[0] == run_reference(graph, [np.asfortranarray(x)])[0]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([np.zeros(2)], "the graph takes 2 inputs, got 1"),
        ([np.zeros(2), np.zeros(3)], r"the input %y got an array of float64\[3\], expected f64\[2\]"),
        ([np.zeros(2), np.zeros(2, np.float32)], r"the input %y got an array of float32\[2\], expected f64\[2\]"),
        ([np.zeros(2), np.zeros(2, ">f8")], r"the input %y got an array of >f8\[2\], expected f64\[2\]"),
        ([np.zeros(2), [0.0, 0.0]], "the input %y takes a NumPy array, got a list"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs: list[np.ndarray], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        run_reference(parse_graph(SWAP), inputs)


def test_an_op_that_breaks_its_own_meta_rule_is_told() -> None:
    graph = parse_graph("graph(%x: f64[2]) {\n %0 = sin(%x) : f64[3]\n return %0\n}")
    with pytest.raises(GraphError, match=r"%0 = sin\(...\) gave an array of float64\[2\], expected f64\[3\]"):
        run_reference(graph, [np.zeros(2)])


def test_an_index_out_of_range_raises_as_in_numpy() -> None:
    text = "graph(%x: f64[2], %i: i64[1]) {\n %0 = take(%x, %i, axis=0) : f64[1]\n return %0\n}"
    with pytest.raises(IndexError):
        run_reference(parse_graph(text), [np.zeros(2), np.array([2])])


@given(data=st.data(), graph=graphs())
def test_any_graph_runs_and_changes_written_inputs_only(data: st.DataObject, graph: Graph) -> None:
    inputs = data.draw(inputs_for(graph))
    before = [array.copy() for array in inputs]
    outputs = run_reference(graph, inputs)
    assert [(array.shape, array.dtype) for array in outputs] == [
        (node.shape, node.type.dtype.numpy) for node in graph.outputs
    ]
    written = {write.target for write in graph.writes}
    for node, old, new in zip(graph.inputs, before, inputs, strict=True):
        assert node in written or old.tobytes() == new.tobytes()
