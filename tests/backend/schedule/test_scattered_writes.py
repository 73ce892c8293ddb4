"""Sums scattered over the memory of an input: in place where nobody can tell, and with nothing written by an error."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native, run_plain, strided
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.compile import compile_graph
from guardlift.core import dtypes
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Write

ROWS, WIDTH, COUNT = 400, 3, 5
INDICES = [7, 0, 7, 399, 7]


def table_and_values():
    rng = np.random.default_rng(3)
    return rng.standard_normal((ROWS, WIDTH)), rng.standard_normal((COUNT, WIDTH))


def added(p, scale=1.0):
    """The inputs, and the sum of a table and scaled values at indices."""
    x, values, indices = p.input((ROWS, WIDTH)), p.input((COUNT, WIDTH)), p.input((COUNT,), dtypes.int64)
    return x, values, indices, p.scatter_add(x, indices, p.multiply(values, p.number(values, scale)), axis=0)


@pytest.mark.parametrize("runner", [run_plain, run_native])
@pytest.mark.parametrize("variant", range(4))
def test_a_sum_takes_no_memory_of_the_size_of_the_table(runner, variant):
    p = Program()
    x, _, _, total = added(p, -0.5)
    graph = p.builder.finish([], [Write(x, total)])
    table, values = table_and_values()
    compiled = check(graph, [strided(table, variant), values, np.array(INDICES)], runner)
    assert compiled.arena_nbytes < table.nbytes // 4


SCATTERING = [("scatter", {}), *(("scatter_reduce", {"combine": name}) for name in ("prod", "max", "min"))]


@pytest.mark.parametrize("runner", [run_plain, run_native])
@pytest.mark.parametrize(("name", "attrs"), SCATTERING, ids=["last", "prod", "max", "min"])
def test_other_ways_to_scatter_take_no_such_memory_either(runner, name, attrs):
    p = Program()
    x, values, indices = p.input((ROWS, WIDTH)), p.input((COUNT, WIDTH)), p.input((COUNT,), dtypes.int64)
    scattered = getattr(p, name)(x, indices, p.multiply(values, values), axis=0, **attrs)
    graph = p.builder.finish([], [Write(x, scattered)])
    table, given = table_and_values()
    given[2, :2] = np.nan
    compiled = check(graph, [table, given, np.array(INDICES)], runner)
    assert compiled.arena_nbytes < table.nbytes // 4


@pytest.mark.parametrize("runner", [run_plain, run_native])
@pytest.mark.parametrize("wrong", [ROWS, -ROWS - 1, 2**62])
def test_nothing_is_written_where_the_last_index_is_out_of_range(runner, wrong):
    p = Program()
    x, _, _, total = added(p)
    graph = p.builder.finish([], [Write(x, total)])
    check(graph, [*table_and_values(), np.array([*INDICES[:-1], wrong])], runner)


@pytest.mark.parametrize("runner", [run_plain, run_native])
def test_negative_indices_count_from_the_end(runner):
    p = Program()
    x, _, _, total = added(p)
    graph = p.builder.finish([], [Write(x, total)])
    check(graph, [*table_and_values(), np.array([-1, -ROWS, 399, 0, -1])], runner)


def test_along_the_second_axis():
    p = Program()
    x, values, indices = p.input((3, 300)), p.input((3, 4)), p.input((4,), dtypes.int32)
    graph = p.builder.finish([], [Write(x, p.scatter_add(x, indices, values, axis=1))])
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal((3, 300)), rng.standard_normal((3, 4)), np.array([299, 1, 1, 0], np.int32)]
    assert check(graph, arrays).arena_nbytes < arrays[0].nbytes // 4


def test_what_reads_the_table_as_it_was_comes_before():
    p = Program()
    x, values, indices, _ = added(p)
    other = p.input((ROWS, WIDTH))
    rows = p.take(x, indices, axis=0)
    total = p.scatter_add(x, indices, p.add(p.multiply(rows, rows), values), axis=0)
    writes = [Write(x, total), Write(other, p.add(x, other))]
    table, given_values = table_and_values()
    for order in (writes, writes[::-1]):
        graph = p.builder.finish([p.sum(x, axes=(0,))], order)
        check(graph, [table.copy(), given_values, np.array(INDICES), table * 2.0], exact=False)


def test_a_sum_that_somebody_reads_is_computed_apart():
    p = Program()
    x, _, indices, total = added(p)
    graph = p.builder.finish([total, p.take(total, indices, axis=0)], [Write(x, total)])
    check(graph, [*table_and_values(), np.array(INDICES)])


def test_two_tables_of_which_one_feeds_the_other():
    p = Program()
    x, values, indices, first = added(p)
    y = p.input((ROWS, WIDTH))
    second = p.scatter_add(y, indices, p.add(values, p.take(x, indices, axis=0)), axis=0)
    table, given_values = table_and_values()
    arrays = [table, given_values, np.array(INDICES), table[::-1].copy()]
    for writes in ([Write(x, first), Write(y, second)], [Write(y, second), Write(x, first)]):
        check(p.builder.finish([], writes), [each.copy() for each in arrays])


def test_a_table_written_with_another_sum_as_its_base():
    p = Program()
    x, values, indices, first = added(p)
    y = p.input((ROWS, WIDTH))
    twice = p.scatter_add(first, indices, values, axis=0)
    table, given_values = table_and_values()
    arrays = [table, given_values, np.array(INDICES), table[::-1].copy()]
    check(p.builder.finish([], [Write(x, twice)]), [each.copy() for each in arrays])
    check(p.builder.finish([], [Write(y, first)]), [each.copy() for each in arrays])


@st.composite
def programs(draw):
    """Sums, picks and whole updates over two arrays that the caller owns, with indices that may be wrong."""
    p = Program()
    size, count = 8, 3
    state = [p.input((size,)), p.input((size,))]
    listed = [p.input((count,), dtypes.int64), p.input((count,), dtypes.int64)]
    first, seen = list(state), []
    for _ in range(draw(st.integers(1, 5))):
        k, j = draw(st.integers(0, 1)), draw(st.integers(0, 1))
        value = p.take(state[j], draw(st.sampled_from(listed)), axis=0)
        action = draw(st.sampled_from(["scatter", "scatter", "scatter", "update", "keep", "store"]))
        if action == "scatter":
            state[k] = p.scatter_add(state[k], draw(st.sampled_from(listed)), value, axis=0)
        elif action == "update":
            state[k] = p.subtract(state[k], state[j])
        elif action == "store":
            state[k] = p.store(state[k], value, draw(st.integers(0, size - count)))
        else:
            seen.append(value)
    writes = [Write(target, now) for target, now in zip(first, state, strict=True) if now is not target]
    if draw(st.booleans()):
        writes.reverse()
    return p.builder.finish(draw(st.lists(st.sampled_from([*seen, *state, *first]), max_size=2)), writes)


INDEX = st.lists(st.integers(-9, 8), min_size=3, max_size=3).map(np.array)


@given(programs(), st.booleans(), INDEX, INDEX)
def test_a_random_program_of_sums_gives_what_the_reference_gives(graph, disjoint, one, other):
    arrays = [np.arange(8.0), -np.arange(8.0) * 3.0, one % 8, other % 8 - 8]
    check(graph, [each.copy() for each in arrays], disjoint=disjoint)
    check(graph, [*(each.copy() for each in arrays[:2]), one, other], disjoint=disjoint)


@given(programs(), INDEX, st.integers(0, 8))
def test_a_random_program_of_sums_over_overlapping_inputs(graph, indices, shift):
    if len(graph.writes) > 1:
        return  # which of two writes into shared memory comes last is the caller's to say
    base = np.arange(16.0)
    inputs = [base[:8], base[shift : shift + 8], indices % 8, indices % 8 - 8]
    expected = base.copy()
    results = run_reference(graph, [expected[:8], expected[shift : shift + 8], *inputs[2:]])
    found = run_plain(compile_graph(graph, layout_for(graph, inputs, disjoint=False)), inputs)
    np.testing.assert_array_equal(base, expected)
    for left, right in zip(found, results, strict=True):
        np.testing.assert_array_equal(left, right)
