"""Arithmetic over joined arrays: tables of addresses, copies where those do not do, always the right values."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native, strided
from backend.plain_runner import run_plain
from hypothesis import given
from hypothesis import strategies as st

from guardlift.backend.compile import compile_graph
from guardlift.backend.launch.calls import ForeachCall, KernelCall
from guardlift.core import dtypes
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Write

RUNNERS = pytest.mark.parametrize("runner", [run_plain, run_native], ids=["plain", "native"])
SHAPES = [(5, 8), (20,), (3, 2, 7), (64,)]


def floats(shapes, seed=0, dtype=np.float64):
    draw = np.random.default_rng(seed)
    return [np.asarray(draw.integers(1, 40, shape) / 8).astype(dtype) for shape in shapes]


def tables(compiled):
    return [call for call in compiled.calls if isinstance(call, ForeachCall)]


def total(shapes):
    return sum(int(np.prod(shape)) for shape in shapes)


class Optimizer(Program):
    """Inputs for parameters, gradients and so on, each a list of arrays of `shapes`."""

    def __init__(self, shapes, dtype=dtypes.float64):
        super().__init__()
        self.shapes, self.dtype = shapes, dtype
        self.sizes = tuple(int(np.prod(shape)) for shape in shapes)
        self.starts = tuple(int(each) for each in np.cumsum((0, *self.sizes)))

    def group(self):
        return [self.input(shape, self.dtype) for shape in self.shapes]

    def everywhere(self, scalar):
        return self.expand(scalar, shape=(self.starts[-1],))

    def writes(self, targets, flat):
        parts = [self.segment(flat, start=s, shape=n) for s, n in zip(self.starts, self.shapes)]
        return [Write(target, part) for target, part in zip(targets, parts, strict=True)]


def momentum(shapes=SHAPES, dtype=dtypes.float64):
    """m = mu * m + g; p = p - rate[k] * m."""
    o = Optimizer(shapes, dtype)
    params, grads, moments = o.group(), o.group(), o.group()
    rates, mu = o.input((len(shapes),), dtype), o.input((), dtype)
    moment = o.add(o.multiply(o.everywhere(mu), o.join(*moments)), o.join(*grads))
    new = o.subtract(o.join(*params), o.multiply(o.spread(rates, sizes=o.sizes), moment))
    return o, o.builder.finish([], o.writes(params, new) + o.writes(moments, moment))


def momentum_arrays(shapes=SHAPES, dtype=np.float64):
    arrays = [each for seed in range(3) for each in floats(shapes, seed, dtype)]
    return [*arrays, floats([(len(shapes),)], 7, dtype)[0], np.array(0.5, dtype)]


@RUNNERS
@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64])
def test_a_step_over_all_parameters_is_one_table(dtype, lifted, runner):
    _, graph = momentum(dtype=dtype)
    arrays = momentum_arrays(dtype=dtype.numpy)
    compiled = check(graph, arrays, runner, lifted=range(12) if lifted else ())
    (call,) = compiled.calls
    assert isinstance(call, ForeachCall) and len(call.bound.extents) == 4
    assert len(call.bound.kernel.pointers) == 5  # p, g, m, its rate and mu: what is overwritten is no operand more
    assert compiled.arena_nbytes == 0


@RUNNERS
@pytest.mark.parametrize("orders", ["CCC", "FFF", "CFC", "FCC", "CCF", "SCC", "CSC", "SSS"])
def test_operands_of_any_layout_give_the_same(orders, runner):
    _, graph = momentum()
    arrays = momentum_arrays()
    for part, order in enumerate(orders):
        for k in range(4 * part, 4 * part + 4):
            arrays[k] = strided(arrays[k], "CFS".index(order))
    compiled = check(graph, arrays, runner)
    if orders == "FFF":
        assert len(compiled.calls) == 1  # all of a row in one order, be it what it may
    assert sum(len(call.bound.extents) for call in tables(compiled)) >= 4


@RUNNERS
def test_a_vector_that_others_read_is_stored(runner):
    o = Optimizer(SHAPES)
    params, grads = o.group(), o.group()
    joined = o.join(*grads)
    square = o.multiply(joined, joined)
    norm = o.sqrt(o.sum(square, axes=(0,)))
    new = o.subtract(o.join(*params), o.divide(joined, o.everywhere(norm)))
    graph = o.builder.finish([norm, new, square], o.writes(params, new))
    compiled = check(graph, [*floats(SHAPES, 1), *floats(SHAPES, 2)], runner, exact=False)
    assert len(tables(compiled)) >= 2


@RUNNERS
def test_a_scalar_that_is_dear_is_computed_once(runner):
    o = Optimizer(SHAPES)
    params, step = o.group(), o.input(())
    scale = o.exp(o.sin(step))
    new = o.multiply(o.join(*params), o.everywhere(scale))
    graph = o.builder.finish([], o.writes(params, new))
    compiled = check(graph, [*floats(SHAPES), np.array(2.0)], runner, exact=False)
    assert len(compiled.calls) == 2
    (table,) = tables(compiled)
    assert "exp" not in table.text


@RUNNERS
def test_steps_of_single_elements_are_computed_as_a_vector(runner):
    count = 6
    o = Optimizer([(5, 4)] * count)
    params = o.group()
    steps = [o.input(()) for _ in range(count)]
    step = o.add(o.join(*steps), o.full(value=1.0, shape=(count,), dtype=dtypes.float64))
    scale = o.subtract(o.full(value=1.0, shape=(count,), dtype=dtypes.float64), o.exp2(o.negative(step)))
    new = o.divide(o.join(*params), o.spread(scale, sizes=o.sizes))
    counted = [Write(each, o.segment(step, start=k, shape=())) for k, each in enumerate(steps)]
    graph = o.builder.finish([], [*counted, *o.writes(params, new)])
    arrays = [*floats([(5, 4)] * count), *(np.array(float(k)) for k in range(count))]
    compiled = check(graph, arrays, runner, exact=False, lifted=range(2 * count))
    kinds = [type(call) for call in compiled.calls]
    assert kinds.count(KernelCall) == 1  # the arithmetic on steps
    assert sorted(len(call.bound.extents) for call in tables(compiled)) == [6, 6, 6]


@RUNNERS
def test_rates_given_as_scalars_are_read_where_they_are(runner):
    o = Optimizer(SHAPES)
    params, rates = o.group(), [o.input(()) for _ in SHAPES]
    new = o.multiply(o.join(*params), o.spread(o.join(*rates), sizes=o.sizes))
    arrays = [*floats(SHAPES), *(np.array(k + 0.5) for k in range(4))]
    compiled = check(o.builder.finish([], o.writes(params, new)), arrays, runner)
    assert len(compiled.calls) <= 2


@RUNNERS
def test_segments_may_be_outputs(runner):
    o = Optimizer(SHAPES)
    params, grads = o.group(), o.group()
    new = o.add(o.join(*params), o.join(*grads))
    parts = [o.segment(new, start=s, shape=n) for s, n in zip(o.starts, o.shapes)]
    writes = [Write(params[0], parts[0]), Write(grads[1], parts[1])]
    arrays = [*floats(SHAPES, 1), *floats(SHAPES, 2)]
    for fortran in (False, True):
        check(o.builder.finish(parts, writes), arrays, runner, fortran=fortran)


@RUNNERS
def test_segments_of_other_bounds_are_slices_of_the_vector(runner):
    o = Optimizer(SHAPES)
    params = o.group()
    new = o.negative(o.join(*params))
    odd = o.segment(new, start=3, shape=(5, 4))
    graph = o.builder.finish([odd], o.writes(params, new))
    check(graph, floats(SHAPES), runner)


@RUNNERS
def test_rows_that_read_what_other_rows_write_see_the_values_from_before(runner):
    o = Optimizer([(20,), (20,), (20,)])
    a, b, c = o.group()
    turned = o.add(o.join(b, c, a), o.join(a, b, c))
    graph = o.builder.finish([], o.writes([a, b, c], turned))
    check(graph, floats([(20,)] * 3), runner)


@RUNNERS
def test_a_transposed_operand_of_the_array_that_is_overwritten(runner):
    o = Optimizer([(6, 6), (40,)])
    a, b = o.group()
    new = o.add(o.join(o.permute(a, axes=(1, 0)), b), o.join(a, b))
    check(o.builder.finish([], o.writes([a, b], new)), floats([(6, 6), (40,)]), runner)


@RUNNERS
def test_other_writes_and_outputs_see_the_values_from_before(runner):
    o = Optimizer(SHAPES)
    params, grads = o.group(), o.group()
    other, third = o.input((20,)), o.input((5, 8))
    new = o.subtract(o.join(*params), o.join(*grads))
    writes = o.writes(params, new)
    graph = o.builder.finish(
        [params[0], o.exp(params[3])], [Write(other, o.sin(params[1])), Write(third, params[0]), *writes]
    )
    check(graph, [*floats(SHAPES, 1), *floats(SHAPES, 2), *floats([(20,), (5, 8)], 3)], runner, exact=False)


@RUNNERS
def test_two_tables_of_which_one_overwrites_what_the_other_reads(runner):
    o = Optimizer([(20,), (24,)])
    a, b = o.group()
    c = o.input((44,))
    first = o.negative(o.join(a, b))
    second = o.multiply(o.join(b, a), o.spread(o.part(c, 0, 2), sizes=(24, 20)))
    parts = [o.segment(second, start=0, shape=(24,)), o.segment(second, start=24, shape=(20,))]
    d, e = o.input((24,)), o.input((20,))
    writes = [*o.writes([a, b], first), Write(d, parts[0]), Write(e, parts[1])]
    check(o.builder.finish([], writes), floats([(20,), (24,), (44,), (24,), (20,)]), runner)


@RUNNERS
def test_written_parameters_may_be_used_again_in_the_same_graph(runner):
    o = Optimizer([(5, 4), (4, 6)])
    params, grads = o.group(), o.group()
    new = o.subtract(o.join(*params), o.join(*grads))
    w, v = (o.segment(new, start=s, shape=n) for s, n in zip(o.starts, o.shapes))
    product = o.matmul(w, v)
    again = o.multiply(new, new)
    graph = o.builder.finish([product], o.writes(params, again))
    check(graph, [*floats(o.shapes, 1), *floats(o.shapes, 2)], runner, exact=False)


@RUNNERS
def test_operands_that_are_computed_are_stored_first(runner):
    o = Optimizer([(5, 4), (4, 6), (20,)])
    params = o.group()
    x, y = o.input((5, 3)), o.input((3, 4))
    grads = [o.matmul(x, y), o.permute(o.exp(o.input((6, 4))), axes=(1, 0)), o.sum(o.input((20, 3)), axes=(1,))]
    new = o.subtract(o.join(*params), o.join(*grads))
    arrays = [*floats(o.shapes), *floats([(5, 3), (3, 4), (6, 4), (20, 3)], 1)]
    check(o.builder.finish([], o.writes(params, new)), arrays, runner, exact=False)


@RUNNERS
@pytest.mark.parametrize("bad", [False, True])
def test_nothing_is_written_when_a_row_raises(bad, runner):
    o = Optimizer([(20,), (30,)], dtypes.int64)
    params, exponents = o.group(), o.group()
    new = o.power(o.join(*params), o.join(*exponents))
    arrays = [np.arange(n) % 4 for n in (20, 30, 20, 30)]
    if bad:
        arrays[3][29] = -1
    check(o.builder.finish([], o.writes(params, new)), arrays, runner)


@RUNNERS
def test_arguments_that_may_overlap_are_copied(runner):
    _, graph = momentum()
    memory = np.arange(200.0)
    arrays = momentum_arrays()
    arrays[0], arrays[4] = memory[:40].reshape(5, 8), memory[20:60].reshape(5, 8)
    expected = [array.copy() for array in arrays]
    run_reference(graph, expected)
    runner(compile_graph(graph, layout_for(graph, arrays, disjoint=False)), arrays)
    for k in (*range(4), *range(8, 12)):
        np.testing.assert_array_equal(arrays[k], expected[k])


@RUNNERS
def test_many_roots_make_several_tables(runner):
    o = Optimizer([(20,), (18,)])
    groups = [o.group() for _ in range(20)]
    joined = [o.join(*group) for group in groups]
    new = [o.add(one, other) for one, other in zip(joined, joined[1:] + joined[:1])]
    writes = [write for group, flat in zip(groups, new) for write in o.writes(group, flat)]
    compiled = check(o.builder.finish([], writes), [a for k in range(20) for a in floats(o.shapes, k)], runner)
    assert all(len(call.bound.kernel.pointers) <= 24 for call in tables(compiled))


@RUNNERS
def test_empty_and_single_segments(runner):
    o = Optimizer([(0,), (30,), (3, 0), (), (40, 1)])
    params, grads = o.group(), o.group()
    new = o.subtract(o.join(*params), o.join(*grads))
    check(o.builder.finish([], o.writes(params, new)), [*floats(o.shapes, 1), *floats(o.shapes, 2)], runner)


@RUNNERS
def test_vectors_of_other_kinds_take_part(runner):
    o = Optimizer(SHAPES)
    n = total(SHAPES)
    params, row, matrix = o.group(), o.input((n,)), o.input((2, n // 2))
    flat = o.join(*params)
    ramp = o.arange(start=0, step=1, size=n, dtype=dtypes.float64)
    half = o.full(value=0.5, shape=(n,), dtype=dtypes.float64)
    new = o.add(o.add(o.multiply(flat, half), o.multiply(row, ramp)), o.reshape(matrix, shape=(n,)))
    arrays = [*floats(SHAPES), np.arange(2.0 * n)[::2], np.arange(float(n)).reshape(2, n // 2)]
    check(o.builder.finish([o.sum(new, axes=(0,))], o.writes(params, new)), arrays, runner)


def test_the_plan_says_how_many_rows_a_table_has():
    _, graph = momentum()
    compiled = compile_graph(graph, layout_for(graph, momentum_arrays()))
    assert "table of 4 rows, 5 operands over 166" in compiled.plan.describe()
    assert "4 rows" in compiled.describe()
    (report,) = compiled.kernels
    assert report.uses == 1 and "parallel for i0" in report.loops


@st.composite
def optimizer_programs(draw):
    """Random arithmetic over joins of a few arrays, with writes, outputs and reductions in any mixture."""
    some = st.sampled_from([(17,), (5, 4), (), (2, 3, 4), (0,), (33,), (1, 20)])
    shapes = draw(st.lists(some, min_size=1, max_size=4))
    if draw(st.booleans()):
        shapes = [draw(st.sampled_from([(), (2,)])) for _ in shapes]
    o = Optimizer(shapes)
    groups = [o.group() for _ in range(draw(st.integers(1, 3)))]
    arrays = [each for group in groups for each in group]
    flats = [o.join(*group) for group in groups]
    if draw(st.booleans()):
        order = draw(st.permutations(range(len(shapes))))
        if tuple(o.sizes[k] for k in order) == o.sizes:
            flats.append(o.join(*(groups[0][k] for k in order)))
    rates = o.input((len(shapes),))
    for _ in range(draw(st.integers(0, 5))):
        choice = draw(st.integers(0, 4))
        one, other = draw(st.sampled_from(flats)), draw(st.sampled_from(flats))
        if choice == 0:
            flats.append(o.spread(rates, sizes=o.sizes))
        elif choice == 1:
            flats.append(o.everywhere(o.sum(one, axes=(0,))))
        elif choice == 2:
            flats.append(o.negative(one))
        else:
            flats.append(o.subtract(one, other))
    outputs = draw(st.lists(st.sampled_from(flats), max_size=2))
    writes, used = [], set()
    for _ in range(draw(st.integers(0, 2 * len(arrays)))):
        k = draw(st.integers(0, len(arrays) - 1))
        row = k % len(shapes)
        if k not in used:
            used.add(k)
            part = o.segment(draw(st.sampled_from(flats)), start=o.starts[row], shape=shapes[row])
            writes.append(Write(arrays[k], part))
            if draw(st.integers(0, 3)) == 0:
                outputs.append(part)
    if draw(st.booleans()) and any(o.sizes):
        outputs.append(o.segment(flats[-1], start=0, shape=(o.starts[-1] // 2,)))
    return o.builder.finish(outputs, writes)


@given(optimizer_programs(), st.integers(0, 3), st.booleans(), st.booleans())
def test_random_arithmetic_over_joins_gives_what_the_reference_gives(graph, variant, lifted, apart):
    draw = np.random.default_rng(3)
    arrays = [strided(np.asarray(draw.integers(-3, 4, node.shape)).astype(float), variant) for node in graph.inputs]
    check(graph, arrays, disjoint=apart or lifted, lifted=range(len(arrays)) if lifted else ())
