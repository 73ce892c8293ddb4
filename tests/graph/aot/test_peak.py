"""The estimate of how much a graph holds at once."""

from __future__ import annotations

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.peak import peak_bytes
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.node import Node

LARGE, SMALL = TensorType((100,), dtypes.float64), TensorType((10,), dtypes.float64)


def inputs(*types: TensorType) -> tuple[GraphEmitter, list[Node]]:
    builder = GraphBuilder()
    return GraphEmitter(builder), [builder.input(type, f"x{place}") for place, type in enumerate(types)]


def test_a_value_is_held_until_its_last_reader() -> None:
    f, (x, y) = inputs(LARGE, LARGE)
    a = f.sin(x)  # x, y, a; then y, a
    b = f.multiply(a, y)  # y, a, b; then b
    graph = f.builder.finish([f.exp(b)])
    assert peak_bytes(graph) == 3 * 800


def test_order_makes_a_difference() -> None:
    f, (x, y) = inputs(SMALL, SMALL)
    wide = [f.reshape(f.expand(f.reshape(each, shape=(10, 1)), shape=(10, 10)), shape=(100,)) for each in (x, y)]
    early = [f.exp(each) for each in wide]  # both wide values wait
    together = f.builder.finish([f.add(*(f.sum(each, axes=(0,)) for each in early))])
    f, (x, y) = inputs(SMALL, SMALL)
    sums = []
    for each in (x, y):
        wide_one = f.reshape(f.expand(f.reshape(each, shape=(10, 1)), shape=(10, 10)), shape=(100,))
        sums.append(f.sum(f.exp(wide_one), axes=(0,)))
    one_by_one = f.builder.finish([f.add(*sums)])
    assert peak_bytes(together) > peak_bytes(one_by_one)


def test_views_take_no_memory_and_keep_what_they_are_of() -> None:
    f, (x, y) = inputs(LARGE, SMALL)
    view = f.reshape(x, shape=(10, 10))
    s = f.sin(y)
    t = f.exp(s)  # x is held by its view still
    graph = f.builder.finish([f.add(f.sum(view, axes=(1,)), t)])
    assert peak_bytes(graph) == 800 + 2 * 80
    f, (x, y) = inputs(LARGE, SMALL)
    first = f.sum(f.reshape(x, shape=(10, 10)), axes=(1,))
    graph = f.builder.finish([f.add(first, f.exp(f.multiply(f.exp(f.sin(y)), first)))])
    assert peak_bytes(graph) == 800 + 2 * 80


def test_memory_that_is_there_anyway_and_results() -> None:
    f, (x, y) = inputs(LARGE, SMALL)
    first = f.sin(x)
    graph = f.builder.finish([first, f.exp(y)])
    assert peak_bytes(graph) == 2 * 800 + 80
    assert peak_bytes(graph, {x}) == 800 + 80 + 80
