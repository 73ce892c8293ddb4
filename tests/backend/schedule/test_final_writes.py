"""In-place stores and final writes, on programs written as NumPy users write them."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native, run_plain
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.compile import compile_graph
from guardlift.core import dtypes
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Write


def arrays(count, shape=(12,)):
    rng = np.random.default_rng(5)
    return [rng.integers(-9, 9, shape).astype(np.float64) for _ in range(count)]


def test_an_update_at_the_same_index_is_one_kernel_and_no_intermediate():
    p = Program()
    x, y = p.input((12,)), p.input((12,))
    graph = p.builder.finish([], [Write(x, p.add(p.multiply(x, p.number(x, 2.0)), y))])
    compiled = check(graph, arrays(2))
    assert len(compiled.calls) == 1 and compiled.arena_nbytes == 0


def test_an_optimiser_step_reads_and_overwrites_all_its_state_in_one_kernel():
    p = Program()
    w, g, m = p.input((12,)), p.input((12,)), p.input((12,))
    m2 = p.add(p.multiply(m, p.number(m, 0.5)), g)
    w2 = p.subtract(w, p.multiply(m2, p.number(m, 0.25)))
    graph = p.builder.finish([], [Write(m, m2), Write(w, w2)])
    compiled = check(graph, arrays(3))
    assert len(compiled.calls) == 1 and compiled.arena_nbytes == 0


def test_two_inputs_are_swapped():
    p = Program()
    x, y = p.input((12,)), p.input((12,))
    check(p.builder.finish([], [Write(x, y), Write(y, x)]), arrays(2))


def test_two_inputs_of_other_shapes_feed_each_other():
    p = Program()
    x, y = p.input((3, 4)), p.input((4, 3))
    new_x = p.permute(y, axes=(1, 0))
    new_y = p.permute(x, axes=(1, 0))
    a, b = np.arange(12.0).reshape(3, 4), -np.arange(12.0).reshape(4, 3)
    check(p.builder.finish([], [Write(x, new_x), Write(y, new_y)]), [a, b])


@pytest.mark.parametrize("start", [0, 1, 2])
def test_a_shifted_read_of_what_is_overwritten_sees_the_old_values(start):
    p = Program()
    x = p.input((12,))
    moved = p.add(p.part(x, start, 10), p.part(x, 1, 10))
    graph = p.builder.finish([], [Write(x, p.store(x, moved, 1))])
    check(graph, arrays(1))


def test_a_reversed_copy_onto_itself():
    p = Program()
    x = p.input((12,))
    check(p.builder.finish([x], [Write(x, p.part(x, 11, 12, -1))]), arrays(1))


def test_a_transpose_onto_itself():
    p = Program()
    x = p.input((5, 5))
    check(p.builder.finish([], [Write(x, p.permute(x, axes=(1, 0)))]), [np.arange(25.0).reshape(5, 5)])


def test_a_stencil_that_reads_its_neighbours_needs_one_intermediate():
    p = Program()
    u = p.input((12,))
    mean = p.multiply(p.add(p.part(u, 0, 10), p.part(u, 2, 10)), p.number(p.part(u, 0, 10), 0.5))
    compiled = check(p.builder.finish([], [Write(u, p.store(u, mean, 1))]), arrays(1))
    assert len(compiled.calls) == 2 and compiled.arena_nbytes == 128


def test_a_store_that_reads_the_elements_it_overwrites_needs_no_intermediate():
    p = Program()
    u = p.input((12,))
    new = p.multiply(p.part(u, 1, 10), p.number(p.part(u, 1, 10), 0.5))
    compiled = check(p.builder.finish([], [Write(u, p.store(u, new, 1))]), arrays(1))
    assert len(compiled.calls) == 1 and compiled.arena_nbytes == 0


def test_a_value_read_before_a_store_keeps_what_it_saw():
    p = Program()
    x = p.input((12,))
    before = p.multiply(x, p.number(x, 3.0))
    stored = p.store(x, p.number(p.part(x, 0, 4), 7.0), 2)
    after = p.add(stored, before)
    check(p.builder.finish([after, before], [Write(x, stored)]), arrays(1))


def test_an_input_needed_as_it_was_is_not_overwritten_early():
    p = Program()
    x = p.input((12,))
    stored = p.store(x, p.number(p.part(x, 0, 4), 7.0), 2)
    check(p.builder.finish([p.add(x, stored), x], [Write(x, stored)]), arrays(1))


def test_stores_that_follow_each_other_see_each_other():
    p = Program()
    x = p.input((12,))
    state = x
    for k in range(1, 12):
        state = p.store(state, p.add(p.part(state, k - 1, 1), p.part(state, k, 1)), k)
    compiled = check(p.builder.finish([state], [Write(x, state)]), arrays(1))
    assert len({report.text for report in compiled.kernels}) <= 3


def test_stores_into_what_is_returned_happen_in_the_output():
    p = Program()
    x = p.input((12,))
    state = p.add(x, x)
    for k in (2, 5, 9):
        state = p.store(state, p.number(p.part(x, 0, 3), float(k)), k)
    compiled = check(p.builder.finish([state], []), arrays(1))
    assert compiled.arena_nbytes == 0


def test_a_state_between_stores_that_is_returned_or_read_as_well_is_kept():
    p = Program()
    x = p.input((12,))
    first = p.store(p.add(x, x), p.number(p.part(x, 0, 3), 1.0), 2)
    second = p.store(first, p.number(p.part(x, 0, 3), 2.0), 4)
    third = p.store(second, p.part(p.reshape(second, shape=(12,)), 0, 3), 5)
    check(p.builder.finish([third, first], []), arrays(1))
    check(p.builder.finish([third, p.multiply(second, first)], []), arrays(1))
    check(p.builder.finish([third, third, p.add(third, x)], []), arrays(1))


def test_inputs_that_may_overlap_are_read_in_full_before_either_is_written():
    p = Program()
    x, y = p.input((12,)), p.input((12,))
    graph = p.builder.finish([], [Write(x, p.add(x, y))])
    base = np.arange(14.0)
    layout = layout_for(graph, [base[1:13], base[:12]], disjoint=False)
    compiled = compile_graph(graph, layout)
    expected = base.copy()
    expected[1:13] += base[:12]
    run_plain(compiled, [base[1:13], base[:12]])
    np.testing.assert_array_equal(base, expected)


def test_nothing_is_written_when_an_index_is_out_of_range():
    p = Program()
    x, table, indices = p.input((12,)), p.input((4,)), p.input((12,), dtypes.int64)
    first = p.store(x, p.number(p.part(x, 0, 2), 1.0), 0)
    graph = p.builder.finish([], [Write(x, p.add(first, p.take(table, indices, axis=0)))])
    wrong = np.arange(12) % 5
    x_values, table_values = arrays(1)[0], np.arange(4.0)
    check(graph, [x_values, table_values, wrong])
    check(graph, [x_values, table_values, wrong % 4 - 4])


def test_nothing_is_written_when_an_integer_is_raised_to_a_negative_power():
    p = Program()
    x, y = p.input((4,), dtypes.int64), p.input((4,), dtypes.int64)
    graph = p.builder.finish([], [Write(x, p.power(x, y))])
    for runner in (run_plain, run_native):
        check(graph, [np.arange(4), np.array([0, 1, -1, 2])], runner)
        check(graph, [np.arange(4), np.array([0, 1, 3, 2])], runner)


@st.composite
def in_place_programs(draw):
    """Programs of stores, shifted reads and whole-array updates over two arrays that the caller owns."""
    p = Program()
    size = 8
    state = [p.input((size,)), p.input((size,))]
    first = list(state)
    seen = []
    for _ in range(draw(st.integers(1, 7))):
        k, j = draw(st.integers(0, 1)), draw(st.integers(0, 1))
        count = draw(st.integers(1, size))
        step = draw(st.sampled_from([1, -1]))

        def place(count=count, step=step):
            low = draw(st.integers(0, size - count))
            return low if step == 1 else low + count - 1

        value = p.part(state[j], place(), count, step)
        if draw(st.booleans()):
            value = p.add(value, p.part(state[k], place(), count, step))
        action = draw(st.sampled_from(["store", "store", "update", "keep"]))
        if action == "store":
            state[k] = p.store(state[k], value, place(), step)
        elif action == "update":
            state[k] = p.subtract(state[k], state[j])
        else:
            seen.append(value)
    writes = [Write(target, now) for target, now in zip(first, state, strict=True) if now is not target]
    if draw(st.booleans()):
        writes.reverse()
    return p.builder.finish(draw(st.lists(st.sampled_from([*seen, *state, *first]), max_size=3)), writes)


@given(in_place_programs(), st.booleans())
def test_a_random_in_place_program_gives_what_the_reference_gives(graph, disjoint):
    check(graph, arrays(2, (8,)), disjoint=disjoint)


@given(in_place_programs(), st.integers(0, 8))
def test_a_random_in_place_program_over_overlapping_inputs(graph, shift):
    base = np.arange(16.0)
    inputs = [base[:8], base[shift : shift + 8]]
    if len(graph.writes) > 1:
        return  # which of two writes into shared memory comes last is the caller's to say
    expected = base.copy()
    results = run_reference(graph, [expected[:8], expected[shift : shift + 8]])
    found = run_plain(compile_graph(graph, layout_for(graph, inputs, disjoint=False)), inputs)
    np.testing.assert_array_equal(base, expected)
    for left, right in zip(found, results, strict=True):
        np.testing.assert_array_equal(left, right)


def test_in_place_programs_run_natively():
    p = Program()
    x, y = p.input((12,)), p.input((12,))
    state = p.store(x, p.add(p.part(x, 0, 10), p.part(y, 2, 10)), 1)
    state = p.multiply(state, y)
    graph = p.builder.finish([p.sum(state, axes=(0,))], [Write(x, state), Write(y, p.part(x, 11, 12, -1))])
    check(graph, arrays(2), run_native)


def test_many_writes_that_fill_a_kernel_each_read_what_others_overwrite():
    p = Program()
    memory = [p.input((12,)) for _ in range(40)]
    graph = p.builder.finish([], [Write(x, p.add(x, memory[k - 1])) for k, x in enumerate(memory)])
    check(graph, arrays(40))
