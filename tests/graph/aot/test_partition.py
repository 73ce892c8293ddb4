"""Values that a forward keeps for its backward: the least that serves, always alike, and what settings ask for."""

from __future__ import annotations

from itertools import combinations

import pytest
from graph.aot.programs import Program, programs
from hypothesis import given

import guardlift as gl
from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.partition import CHEAP, NEVER, Partition, _cost, _kept_directly, _made_again, partition
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Node
from guardlift.ops import OPS

ALWAYS = {"partition_from": 0}
ROWS = TensorType((64, 32), dtypes.float32)


class Forward:
    """A forward trace written by hand."""

    def __init__(self) -> None:
        self.f = GraphEmitter(GraphBuilder())

    def input(self, *shape: int) -> Node:
        return self.f.builder.input(TensorType(shape, dtypes.float32), f"x{len(self.f.builder.inputs)}")

    def __call__(self, op: str, *operands: Node, **attrs: object) -> Node:
        return self.f.apply(OPS[op], *operands, **attrs)

    def kept(self, *read: Node, **given: object) -> Partition:
        return partition(self.f.builder.inputs, self.f.builder.nodes, read, **given)  # type: ignore[arg-type]


def test_of_a_value_and_what_is_cheaply_made_of_it_only_one_is_kept() -> None:
    g = Forward()
    product = g("matmul", g.input(64, 16), g.input(16, 32))
    active = g("tanh", product)
    squared = g("multiply", active, active)
    with gl.config.patch(**ALWAYS):
        assert g.kept(active, squared).kept == (product,)
        g("matmul", active, g.input(32, 8))  # now the activation is in memory too
        assert g.kept(active, squared).kept == (active,)
        assert g.kept(product, active, squared).kept == (product,)
    assert g.kept(product, active, squared).kept == (product, active, squared)  # too small to be worth a thought


def test_of_values_of_one_size_the_one_nearest_to_backward_is_kept() -> None:
    g = Forward()
    product = g("matmul", g.input(64, 16), g.input(16, 32))
    active = g("relu", product)
    g("matmul", active, g.input(32, 8))
    with gl.config.patch(**ALWAYS):
        assert g.kept(active).kept == (active,)


def test_memory_that_is_there_anyway_costs_nothing() -> None:
    g = Forward()
    table, x = g.input(64, 32), g.input(64, 32)
    made = g("exp", table)
    with gl.config.patch(**ALWAYS):
        assert g.kept(table, made, static={table}).kept == (table,)
        assert g.kept(table, x, g("add", made, x), static={table}).kept == (table, x)


def test_a_value_in_memory_is_kept_before_one_that_a_kernel_keeps_to_itself() -> None:
    g = Forward()
    x = g.input(64, 32)
    product = g("matmul", x, g.input(32, 16))
    shifted = g("add", product, product)
    with gl.config.patch(**ALWAYS):
        assert g.kept(shifted).kept == (product,)


def test_an_input_that_no_derivative_reads_is_kept_only_where_a_budget_asks() -> None:
    g = Forward()
    x = g.input(64, 32)
    shifted = g("add", x, x)
    with gl.config.patch(**ALWAYS):
        assert g.kept(shifted).kept == (shifted,)  # the program may write to x before backward
        assert g.kept(x, shifted).kept == (x,)
    with gl.config.patch(**ALWAYS, activation_memory_budget=0.0):
        assert g.kept(shifted, static={x}).kept == (x,)


def test_what_cannot_be_run_again_is_kept() -> None:
    g = Forward()
    x = g.input(4, 4)
    index = g("full", value=1, shape=(2,), dtype=dtypes.int64)
    taken = g("take", x, index, axis=0)
    with gl.config.patch(**ALWAYS, activation_memory_budget=0.0):
        found = g.kept(taken)
    assert found.kept == (taken,)
    assert next(each for each in found.verdicts if each.node is taken).cost == NEVER


def deep() -> tuple[Forward, list[Node]]:
    g = Forward()
    value = g.input(64, 32)
    read = []
    for _ in range(4):
        value = g("sin", g("matmul", value, g.input(32, 32)))
        read.append(value)
    return g, read


def test_a_budget_asks_for_less_memory_and_gets_it() -> None:
    g, read = deep()
    sizes = []
    for budget in (1.0, 0.6, 0.0):
        with gl.config.patch(**ALWAYS, activation_memory_budget=budget):
            sizes.append(g.kept(*read, static=set(g.f.builder.inputs[1:])).nbytes)
    assert sizes[0] == 4 * ROWS.nbytes
    assert 0.4 * sizes[0] <= sizes[1] <= 0.6 * sizes[0]
    assert sizes[2] == ROWS.nbytes  # everything again, from the first input


def test_ops_can_be_named_that_are_kept_or_made_again() -> None:
    g, read = deep()
    with gl.config.patch(must_recompute=("sin",)):
        assert {node.op.name for node in g.kept(*read).kept} == {"matmul"}
    with gl.config.patch(**ALWAYS, must_save=("sin",), activation_memory_budget=0.0):
        assert {node.op.name for node in g.kept(*read).kept} == {"sin"}


def test_the_table_says_of_each_candidate_what_became_of_it() -> None:
    g = Forward()
    product = g("matmul", g.input(64, 16), g.input(16, 32))
    active = g("tanh", product)
    with gl.config.patch(**ALWAYS):
        table = g.kept(product, active).table(lambda node: node.op.name)
    assert [line.split()[:3] for line in table.splitlines()[:-1]] == [
        ["matmul", "matmul", "kept"],
        ["tanh", "tanh", "again"],
    ]
    assert table.endswith("8,192 bytes kept")


def _serves(kept: set[Node], read: set[Node], verdicts: dict[Node, float], free: set[Node]) -> bool:
    """Whether everything read is kept, or can be computed from what is."""
    waiting = [node for node in read if node not in kept]
    met: set[Node] = set()
    while waiting:
        node = waiting.pop()
        if node in met:
            continue
        met.add(node)
        if node.is_input or (verdicts.get(node, NEVER) == NEVER and node not in free):
            return False
        waiting.extend(each for each in node.inputs if each not in kept)
    return True


@given(programs())
def test_no_smaller_choice_of_the_candidates_serves(program: Program) -> None:
    read = set(program.roots) | {node for node in program.nodes if node.op.name in ("multiply", "exp")}
    with gl.config.patch(**ALWAYS):
        outputs = set(program.nodes)  # all in memory: then a width is a size
        found = partition(program.inputs, program.nodes, read, materialised=outputs)
        again = partition(program.inputs, program.nodes, read, materialised=outputs)
    assert found == again
    costs = {node: _cost(node, CHEAP) for node in program.nodes}
    free = _made_again(program.inputs, program.nodes)
    direct = _kept_directly(read, free)
    among = [*(each for each in program.inputs if each in direct), *program.nodes]
    candidates = [node for node in among if node not in free]
    assert _serves(set(found.kept), read, costs, free)
    if len(candidates) <= 9:
        size = sum(max(node.type.nbytes, 1) for node in found.kept)
        for count in range(len(candidates) + 1):
            for chosen in combinations(candidates, count):
                if sum(max(node.type.nbytes, 1) for node in chosen) < size:
                    assert not _serves(set(chosen), read, costs, free)


@pytest.mark.parametrize("budget", [-0.1, 1.5])
def test_a_budget_is_a_part_of_the_whole(budget: float) -> None:
    with pytest.raises(gl.GuardliftError, match=r"activation_memory_budget was set to .*; it takes a part"):
        gl.config.patch(activation_memory_budget=budget).__enter__()
