from __future__ import annotations

import numpy as np
import pytest

from guardlift.graph.interpreter import run_reference
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes.dce import drop_dead_nodes
from guardlift.graph.passes.pads import join_pads
from guardlift.graph.printer import print_graph

HEAD = "graph(%a: f64[2, 2], %b: f64[2, 3], %c: f64[2, 1]) {\n"


def pad(number: int, name: str, before: int, after: int, whole: int, value: str = "0.0") -> str:
    return f"  %{number} = pad(%{name}, after=(0, {after}), before=(0, {before}), value={value}) : f64[2, {whole}]\n"


def ops(text: str) -> list[str]:
    return [node.op.name for node in drop_dead_nodes(join_pads(parse_graph(text))).nodes]


SIDE_BY_SIDE = (
    HEAD
    + pad(0, "b", 2, 1, 6)
    + pad(1, "c", 5, 0, 6)
    + "  %2 = add(%0, %1) : f64[2, 6]\n"
    + pad(3, "a", 0, 4, 6)
    + "  %4 = add(%2, %3) : f64[2, 6]\n  return %4\n}"
)
WITH_A_GAP = HEAD + pad(0, "a", 1, 4, 7) + pad(1, "b", 4, 0, 7) + "  %2 = add(%1, %0) : f64[2, 7]\n  return %2\n}"


@pytest.mark.parametrize("text", [SIDE_BY_SIDE, WITH_A_GAP])
def test_parts_side_by_side_are_joined_with_the_same_bits(text: str) -> None:
    graph = parse_graph(text)
    joined = join_pads(graph)
    assert "pad" not in ops(text) and ops(text).count("cat") == 1
    given = [np.array([[-0.0, 1.0], [np.nan, -np.inf]]), np.full((2, 3), -0.0), np.array([[2.0], [-0.0]])]
    (one,), (other,) = run_reference(graph, given), run_reference(joined, given)
    assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    "text",
    [
        HEAD + pad(0, "a", 0, 3, 5) + pad(1, "b", 1, 1, 5) + "  %2 = add(%0, %1) : f64[2, 5]\n  return %2\n}",
        HEAD + pad(0, "a", 0, 3, 5) + pad(1, "b", 2, 0, 5, "1.0") + "  %2 = add(%0, %1) : f64[2, 5]\n  return %2\n}",
        HEAD + pad(0, "a", 0, 3, 5) + "  %1 = add(%0, %0) : f64[2, 5]\n  return %1\n}",
    ],
)
def test_other_sums_are_left(text: str) -> None:
    graph = parse_graph(text)
    assert print_graph(join_pads(graph)) == print_graph(graph)
