"""Decisions of minimum cuts, remembered: the same partition as that of a search, and only where a search allows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from guardlift.core.config import config
from guardlift.core.dtypes import float64
from guardlift.core.types import TensorType
from guardlift.graph.aot import decisions
from guardlift.graph.aot.decisions import Allows, Decision, Question, Search
from guardlift.graph.aot.partition import partition
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Node
from guardlift.ops import OPS


class Remembering:
    """A memory of one decision."""

    def __init__(self) -> None:
        self.known: Decision | None = None
        self.asked: list[Question] = []
        self.searched = 0

    def decided(self, question: Question, allows: Allows, search: Search) -> Decision:
        self.asked.append(question)
        if self.known is not None and allows(self.known):
            return self.known
        self.searched += 1
        self.known = search()
        return self.known


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Remembering]:
    found = Remembering()
    monkeypatch.setattr(decisions, "_memories", [found])
    with config.patch(partition_from=0):
        yield found


def layers() -> tuple[list[Node], list[Node]]:
    """Inputs and nodes of three layers of products and pointwise operations."""
    builder = GraphBuilder()
    h = builder.input(TensorType((64, 32), float64), "x")
    for k in range(3):
        w = builder.input(TensorType((32, 32), float64), f"w{k}")
        h = builder.add(OPS["tanh"], builder.add(OPS["matmul"], h, w))
        h = builder.add(OPS["exp"], builder.add(OPS["multiply"], h, h))
    return builder.inputs, builder.nodes


def read_by_backward(inputs: list[Node], nodes: list[Node]) -> set[Node]:
    return {node for node in nodes if node.op.name in ("tanh", "exp", "multiply")} | set(inputs)


SETTINGS: list[dict[str, Any]] = [
    {},
    {"activation_memory_budget": 0.5},
    {"activation_memory_budget": 0.0},
    {"must_save": ("tanh",)},
    {"must_recompute": ("exp",)},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_remembered_decision_is_the_partition_of_a_search(memory: Remembering, settings: dict[str, Any]) -> None:
    inputs, nodes = layers()
    with config.patch(**settings):
        first = partition(inputs, nodes, read_by_backward(inputs, nodes))
        again = partition(inputs, nodes, read_by_backward(inputs, nodes))
    assert memory.searched == 1 and len(memory.asked) == 2
    assert first == again
    assert first.kept


WRONG = {
    "nothing is kept": Decision((), 32.0),
    "a number that no value has": Decision((999,), 32.0),
    "a negative number": Decision((-1,), 32.0),
    "a number twice": Decision((*range(5), 4), 32.0),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_decision_that_backward_cannot_live_with_is_not_followed(memory: Remembering, name: str) -> None:
    inputs, nodes = layers()
    wanted = partition(inputs, nodes, read_by_backward(inputs, nodes))
    memory.known = WRONG[name]
    assert partition(inputs, nodes, read_by_backward(inputs, nodes)) == wanted
    assert memory.searched == 2


def test_no_decision_makes_more_be_computed_again_than_the_budget_asks_for(memory: Remembering) -> None:
    inputs, nodes = layers()
    read = read_by_backward(inputs, nodes)
    wanted = partition(inputs, nodes, read)
    with config.patch(activation_memory_budget=0.0):
        memory.known = None
        partition(inputs, nodes, read)
    assert memory.known is not None and memory.known.bound > 32.0
    assert partition(inputs, nodes, read) == wanted


def test_an_input_that_no_derivative_reads_is_not_kept_by_a_decision(memory: Remembering) -> None:
    builder = GraphBuilder()
    x = builder.input(TensorType((8,), float64), "x")
    shifted = builder.add(OPS["add"], x, builder.add(OPS["full"], shape=(8,), value=1.0, dtype=float64))
    sine = builder.add(OPS["sin"], shifted)
    inputs, nodes = builder.inputs, [*builder.nodes]
    wanted = partition(inputs, nodes, {shifted, sine})
    assert x not in wanted.kept
    memory.known = Decision((0,), 32.0)
    assert partition(inputs, nodes, {shifted, sine}) == wanted


def test_a_question_tells_what_the_answer_depends_on(memory: Remembering) -> None:
    inputs, nodes = layers()
    read = read_by_backward(inputs, nodes)
    partition(inputs, nodes, read)
    partition(inputs, nodes, {node for node in read if node.op.name != "exp"})
    partition(inputs, nodes, read, static={inputs[0]})
    partition(inputs, nodes, read, exact={nodes[0]})
    partition(inputs, nodes, read, materialised={nodes[-1]})
    flags = [(each.read, each.in_memory, each.static, each.exact) for each in memory.asked]
    assert len(set(flags)) == len(flags) == 5
