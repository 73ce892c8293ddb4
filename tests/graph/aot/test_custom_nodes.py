"""Steps of the tape that are no op, in a backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.errors import GraphError
from guardlift.core.types import TensorType
from guardlift.graph.aot.custom_nodes import TapeStep, operands
from guardlift.graph.aot.double_backward import Taped, backward_step, second_backward_step
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.pair import OnTheWay, make_pair
from guardlift.graph.aot.vjp import gradients, passed
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Node, Write
from guardlift.graph.printer import print_graph
from guardlift.graph.verifier import verify
from guardlift.ops.activations import ALIAS
from guardlift.ops.pointwise import ADD, MULTIPLY, SIN

F64 = TensorType((3,), dtypes.float64)


class Tape:
    """A trace of two inputs, and what its steps were asked."""

    def __init__(self) -> None:
        self.builder = GraphBuilder()
        self.f = GraphEmitter(self.builder)
        self.x, self.y = (self.builder.input(F64, name) for name in "xy")
        self.recorded: set[Node] = set()
        self.steps: dict[Node, TapeStep] = {}
        self.asked: list[tuple[str, list[bool]]] = []

    def op(self, op: Any, *operands: Node) -> Node:
        """A recorded node."""
        node = self.builder.add(op, *operands)
        self.recorded.add(node)
        return node

    def step(self, name: str, inputs: Sequence[Node], count: int, factor: float | None) -> list[Node]:
        """Results of a step, which gives each input its factor times the sum of what has arrived; or None."""
        hidden = self.builder.add(SIN, inputs[0])
        outputs = [self.op(ALIAS, hidden) for _ in range(count)]

        def pull(f: GraphEmitter, cotangents: Sequence[Node | None]) -> list[Node | None]:
            self.asked.append((name, [each is not None for each in cotangents]))
            arrived = [each for each in cotangents if each is not None]
            if factor is None or not arrived:
                return [None] * len(inputs)
            total = arrived[0]
            for each in arrived[1:]:
                total = f.apply(ADD, total, each)
            return [f.apply(MULTIPLY, total, factor)] * len(inputs)

        step = TapeStep(tuple(outputs), tuple(inputs), pull)
        self.steps.update((node, step) for node in outputs)
        return outputs

    def backward_step(self, root: Node, leaves: Sequence[Node]) -> list[np.ndarray[Any, Any] | None]:
        """The gradients of the leaves at 1 and 2, for a cotangent of 1."""
        tangent = self.builder.input(root.type, "tangent")
        found = gradients(self.f, [(root, tangent)], leaves, self.recorded, steps=self.steps)
        graph = self.builder.finish([found[each] for each in leaves if each in found])
        verify(graph)
        values = iter(run_reference(graph, [np.full(3, value) for value in (1.0, 2.0, 1.0)]))
        return [next(values) if each in found else None for each in leaves]


def test_a_step_turns_cotangents_into_cotangents_when_all_have_arrived() -> None:
    tape = Tape()
    a, b = tape.step("s", [tape.x], 2, 10.0)
    root = tape.op(ADD, tape.op(MULTIPLY, a, tape.y), tape.op(MULTIPLY, b, a))
    (gradient,) = tape.backward_step(root, [tape.x])
    hidden = np.sin(1.0)
    assert tape.asked == [("s", [True, True])]
    np.testing.assert_allclose(gradient, np.full(3, 10.0 * (2.0 + 2.0 * hidden)))


def test_a_step_may_stand_where_a_hook_on_a_value_does() -> None:
    tape = Tape()
    inner = tape.op(MULTIPLY, tape.x, tape.x)
    (seen,) = tape.step("hook", [inner], 1, 3.0)
    (gradient,) = tape.backward_step(tape.op(MULTIPLY, seen, tape.y), [tape.x])
    np.testing.assert_allclose(gradient, np.full(3, 2.0 * 3.0 * 2.0))


def test_steps_are_asked_latest_first_once_and_also_for_nothing() -> None:
    tape = Tape()
    (a,) = tape.step("a", [tape.x], 1, 1.0)
    (b,) = tape.step("b", [a, tape.x], 1, None)
    (c,) = tape.step("c", [tape.y], 1, 1.0)
    root = tape.op(ADD, b, tape.op(MULTIPLY, c, b))
    assert tape.backward_step(root, [tape.x]) == [None]
    assert tape.asked == [("b", [True]), ("a", [False])]


def test_the_walk_says_which_steps_it_passes_and_tells_before_each_rule() -> None:
    tape = Tape()
    a, b = tape.step("s", [tape.x], 2, 1.0)
    root = tape.op(MULTIPLY, b, tape.y)
    assert operands(b, tape.steps) == (tape.x,) and operands(root, tape.steps) == (b, tape.y)
    assert passed(tape.builder, [root], [tape.x], tape.recorded, steps=tape.steps) == {root, a, b}
    told: list[Node] = []
    tangent = tape.builder.input(F64, "tangent")
    gradients(tape.f, [(root, tangent)], [tape.x], tape.recorded, steps=tape.steps, before=told.append)
    assert told == [root, a]


def test_a_walk_that_has_passed_steps_is_not_taken_for_operations_and_walked_back_over() -> None:
    tape = Tape()
    (a,) = tape.step("s", [tape.x], 1, 2.0)
    root = tape.op(MULTIPLY, a, tape.y)
    taped = Taped((tape.x, tape.y), tuple(tape.builder.nodes), (tape.x, tape.y), tape.recorded)
    with pytest.raises(GraphError, match="custom functions"):
        second_backward_step(backward_step(taped, [root], [root], way=nullcontext(OnTheWay(tape.steps))), [True])
    assert second_backward_step(backward_step(taped, [root], [root]), [True]).rooted


def test_a_pair_writes_in_its_backward_what_steps_have_written_and_saves_that_memory_as_it_is() -> None:
    tape = Tape()
    memory = tape.builder.add(ALIAS, tape.y)  # which would be made again, were it not written
    (a,) = tape.step("s", [tape.x], 1, 2.0)
    late: list[Write] = []

    def pull(f: GraphEmitter, cotangents: Sequence[Node | None]) -> list[Node | None]:
        late.append(Write(memory, f.apply(ADD, memory, cotangents[0])))  # type: ignore[arg-type]
        extra = f.builder.input(F64, "extra")
        return [f.apply(MULTIPLY, memory, extra)]

    step = TapeStep((a,), (tape.x,), pull)
    way = OnTheWay({a: step}, exact={memory}, written=lambda: late)
    pair = make_pair(tape.builder.inputs, tape.builder.nodes, [a], [a], [tape.x], tape.recorded, way=nullcontext(way))
    assert pair.saved == (memory,) and [each.name for each in pair.later] == ["extra"]
    assert "\n  write %input <- " in print_graph(pair.backward) and not pair.forward.writes
    given = [np.full(3, 5.0), np.full(3, 7.0), np.ones(3)]
    (gradient,) = run_reference(pair.backward, given)
    assert (gradient == 35.0).all() and (given[0] == 6.0).all()


def test_a_hook_is_called_though_nothing_came_by_the_last_way_to_its_leaf() -> None:
    tape = Tape()
    below = tape.op(SIN, tape.x)
    (silent,) = tape.step("silent", [below], 1, None)
    root, tangent = tape.op(ADD, tape.x, silent), tape.builder.input(F64, "t")
    told: list[Node] = []
    hooks = {tape.x: lambda f, gradient: told.append(gradient) or gradient}  # type: ignore[func-returns-value]
    gradients(tape.f, [(root, tangent)], [tape.x], tape.recorded, steps=tape.steps, hooks=hooks)
    assert told == [tangent]
