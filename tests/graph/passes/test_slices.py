from __future__ import annotations

import numpy as np
import pytest

from guardlift.graph.interpreter import run_reference
from guardlift.graph.parser import parse_graph
from guardlift.graph.passes.dce import drop_dead_nodes
from guardlift.graph.passes.slices import join_slices
from guardlift.graph.printer import print_graph

HEAD = "graph(%a: f64[4, 3], %b: f64[4, 3]) {\n"
ZERO = "  %9 = full(dtype=f64, shape=(1, 3), value=0.0) : f64[1, 3]\n"


def row(number: int, start: int, name: str = "a", size: int = 1, step: int = 1) -> str:
    attrs = f"sizes=({size}, 3), starts=({start}, 0), steps=({step}, 1)"
    return f"  %{number} = slice(%{name}, {attrs}) : f64[{size}, 3]\n"


def cat(numbers: list[int], rows: int) -> str:
    parts = ", ".join(f"%{number}" for number in numbers)
    return f"  %20 = cat({parts}, axis=0) : f64[{rows}, 3]\n  return %20\n}}"


def added(number: int, of: int) -> str:
    return f"  %{number} = add(%{of}, %9) : f64[1, 3]\n"


def both(text: str) -> list[str]:
    """The operations that are left, after the values were compared bit for bit."""
    graph = parse_graph(text)
    joined = join_slices(graph)
    given = [np.where(np.arange(12.0).reshape(4, 3) % 5 == 0, -0.0, np.arange(12.0).reshape(4, 3)), np.ones((4, 3))]
    (one,), (other,) = run_reference(graph, given), run_reference(joined, given)
    assert one.tobytes() == other.tobytes()
    return [node.op.name for node in drop_dead_nodes(joined).nodes]


def test_rows_that_follow_one_another_are_one_part() -> None:
    assert both(HEAD + row(0, 0) + row(1, 1) + row(2, 2) + cat([0, 1, 2], 3)) == ["slice"]
    assert both(HEAD + row(0, 3) + row(1, 2) + row(2, 1) + row(3, 0) + cat([0, 1, 2, 3], 4)) == ["slice"]
    assert both(HEAD + row(0, 0, size=2) + row(1, 2, size=2) + cat([0, 1], 4)) == ["slice"]
    assert both(HEAD + row(0, 0) + row(1, 2) + cat([0, 1], 2)) == ["slice"]


def test_the_others_stay_what_they_are() -> None:
    assert both(HEAD + row(0, 3, "b") + row(1, 0) + row(2, 1) + cat([0, 1, 2], 3)) == ["slice", "slice", "cat"]


def test_a_constant_that_is_added_to_every_row_is_added_once() -> None:
    text = HEAD + ZERO + row(0, 2) + row(1, 1) + added(2, 0) + added(3, 1) + cat([2, 3], 2)
    assert both(text) == ["slice", "full", "add"]
    mixed = HEAD + ZERO + row(0, 0) + row(1, 1) + added(2, 0) + cat([2, 1], 2)
    assert both(mixed).count("slice") == 2


@pytest.mark.parametrize(
    "text",
    [
        HEAD + row(0, 0) + row(1, 0) + cat([0, 1], 2),
        HEAD + row(0, 0) + row(1, 1, "b") + cat([0, 1], 2),
        HEAD + row(0, 0, size=2) + row(1, 3) + cat([0, 1], 3),
        HEAD + row(0, 0, size=2, step=2) + row(1, 3) + cat([0, 1], 3),
    ],
)
def test_other_joins_are_left(text: str) -> None:
    graph = parse_graph(text)
    assert print_graph(join_slices(graph)) == print_graph(graph)
