"""Whole graphs as CUDA kernels. `test_simulated.py` runs this file, with Numba's simulator on."""

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.graph_cases import Program, check, layout_for, strided
from backend.schedule.test_final_writes import in_place_programs
from backend.schedule.test_foreach import momentum, momentum_arrays
from backend.schedule.test_groups import _inputs, programs, softmax
from backend.schedule.test_losses import cross_entropy
from graph.strategies import graphs, inputs_for
from hypothesis import given, settings
from hypothesis import strategies as st

from guardlift.backend.compile import CallLayout, InputLayout, OutputLayout, compile_graph
from guardlift.backend.cuda import launch_grid
from guardlift.backend.cuda.call import build
from guardlift.backend.cuda.kernels import part_counts
from guardlift.core import dtypes
from guardlift.core.errors import KernelError
from guardlift.graph.node import Write
from guardlift.graph.passes.expand import expand_composites
from guardlift.graph.verifier import verify


def normal(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("columns", [5, 40, 1100])
def test_a_softmax_over_rows_is_one_kernel(columns):
    p = Program()
    x = p.input((3, columns), dtypes.float32)
    compiled = check(p.builder.finish([softmax(p, x)]), [normal(3, columns)], run_cuda, exact=False)
    assert len(compiled.calls) == 1


@pytest.mark.parametrize("classes", [10, 40])
def test_cross_entropy_and_its_gradient(classes):
    target = np.random.default_rng(1).integers(0, classes, 6)
    check(cross_entropy(6, classes), [normal(6, classes), target], run_cuda, exact=False, absolute=1e-6)


@pytest.mark.parametrize("dtype", dtypes.TENSORS_ONLY, ids=str)
def test_numbers_beyond_the_range_of_a_narrow_float(dtype):
    x = np.array([448.0, 464.0, 465.0, 1e30, -500.0, np.inf, -np.inf, np.nan, 0.3], np.float32)
    p = Program()
    narrow = p.cast(p.input(x.shape, dtypes.float32), dtype=dtype)
    filled = p.full(value=-1e9, shape=(2,), dtype=dtype)
    check(p.builder.finish([narrow, filled, p.cast(narrow, dtype=dtypes.float32)]), [x], run_cuda)


def test_a_target_out_of_range_leaves_the_call_to_python():
    target = np.array([0, 3, 10, 2])
    check(cross_entropy(4, 10), [normal(4, 10), target], run_cuda)


def softmax_regression(rows=20, features=8, classes=4):
    """One step of gradient descent on the weights, written out; the loss."""
    p = Program()
    x, y = p.input((rows, features), dtypes.float32), p.input((rows, classes), dtypes.float32)
    w, b = p.input((features, classes), dtypes.float32), p.input((classes,), dtypes.float32)
    z = p.add(p.matmul(x, w), p.expand(p.reshape(b, shape=(1, classes)), shape=(rows, classes)))
    s = softmax(p, z)
    loss = p.negative(p.sum(p.multiply(y, p.log(s)), axes=(0, 1)))
    d = p.multiply(p.subtract(s, y), p.number(s, 1.0 / rows))
    new_w = p.subtract(w, p.multiply(p.matmul(p.permute(x, axes=(1, 0)), d), p.number(w, 0.5)))
    new_b = p.subtract(b, p.multiply(p.sum(d, axes=(0,)), p.number(b, 0.5)))
    graph = p.builder.finish([loss], [Write(w, new_w), Write(b, new_b)])
    verify(graph)
    labels = np.eye(classes, dtype=np.float32)[np.arange(rows) % classes]
    return graph, [normal(rows, features), labels, 0.1 * normal(features, classes, seed=2), np.zeros(classes, "f4")]


@pytest.mark.parametrize("lifted", [(), (2, 3)], ids=["arguments", "lifted"])
def test_a_training_step_updates_its_weights(lifted):
    graph, arrays = softmax_regression()
    check(graph, arrays, run_cuda, exact=False, absolute=1e-5, lifted=lifted)


def test_resident_weights_stay_on_the_device_until_they_are_fetched():
    graph, arrays = softmax_regression()
    compiled = compile_graph(graph, layout_for(graph, arrays, lifted=(2, 3)))
    weights = [array.copy() for array in arrays[2:]]
    resident = build(compiled, weights, resident=True)
    losses = [resident(*arrays[:2])[0] for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]
    np.testing.assert_array_equal(weights[0], arrays[2])
    resident.fetch()
    plain = build(compiled, arrays[2:])
    again = [plain(*arrays[:2])[0] for _ in range(3)]
    assert losses == again
    np.testing.assert_array_equal(weights[0], arrays[2])


@pytest.mark.parametrize("lifted", [False, True])
def test_a_step_over_many_arrays_is_one_launch(lifted):
    _, graph = momentum(dtype=dtypes.float32)
    compiled = check(graph, momentum_arrays(dtype=np.float32), run_cuda, lifted=range(12) if lifted else ())
    assert len(compiled.calls) == 1


@pytest.mark.parametrize("operands", [((7, 5), (5, 6)), ((2, 3, 9), (2, 9, 4)), ((1, 1), (1, 1)), ((3, 0), (0, 2))])
@pytest.mark.parametrize("variant", [0, 1])
def test_products_of_any_layout(operands, variant):
    p = Program()
    x, y = (p.input(shape, dtypes.float64) for shape in operands)
    arrays = [strided(normal(*shape, seed=k, dtype=np.float64), variant) for k, shape in enumerate(operands)]
    check(p.builder.finish([p.matmul(x, y)]), arrays, run_cuda, exact=False, absolute=1e-13)


@pytest.mark.parametrize("shape", [(3, 4), (4, 3, 5)])
def test_scattered_sums_add_in_the_order_of_the_index(shape):
    p = Program()
    x = p.input(shape, dtypes.float32)
    indices = p.input((shape[0],), dtypes.int64)
    values = normal(*shape) * np.float32(1e3)
    graph = p.builder.finish([p.scatter_add(x, indices, p.multiply(x, x), axis=0)])
    check(graph, [values, np.array([1, 0, 1, -1][: shape[0]])], run_cuda)


def test_what_follows_a_failed_check_does_nothing():
    p = Program()
    x, index = p.input((40, 3)), p.input((40,), dtypes.int64)
    taken = p.take(x, index, axis=0)
    total = p.sum(taken, axes=(0,))
    new = p.add(x, p.expand(p.reshape(total, shape=(1, 3)), shape=(40, 3)))
    graph = p.builder.finish([total], [Write(x, new)])
    check(graph, [normal(40, 3, dtype=np.float64), np.arange(40)], run_cuda, exact=False, absolute=1e-12)
    check(graph, [normal(40, 3, dtype=np.float64), np.arange(40) + 1], run_cuda)
    arrays = [normal(40, 3, dtype=np.float64), np.arange(40) + 1]
    compiled = compile_graph(graph, layout_for(graph, arrays, lifted=(0,)))
    before = arrays[0].copy()
    resident = build(compiled, arrays[:1], resident=True)
    assert resident(arrays[1]) is Ellipsis
    resident.fetch()
    np.testing.assert_array_equal(arrays[0], before)


@pytest.mark.parametrize("backwards", [False, True])
def test_inputs_that_share_memory_share_it_on_the_device(backwards):
    memory = np.arange(12.0)
    a, b = (memory[::-1][:8], memory[:8]) if backwards else (memory[:8], memory[4:])
    p = Program()
    x, y = p.input((8,)), p.input((8,))
    graph = p.builder.finish([p.add(x, y)], [Write(x, p.add(p.multiply(y, y), x))])
    compiled = compile_graph(graph, layout_for(graph, [a, b], disjoint=False))
    total, new = a + b, b * b + a
    (found,) = run_cuda(compiled, [a, b])
    np.testing.assert_array_equal(found, total)
    np.testing.assert_array_equal(a, new)


def test_bytes_between_the_elements_of_a_written_input_stay():
    wide = np.arange(12.0)
    p = Program()
    x = p.input((6,))
    check(p.builder.finish([], [Write(x, p.negative(x))]), [wide[::2]], run_cuda)
    np.testing.assert_array_equal(wide[1::2], np.arange(1.0, 12.0, 2.0))


def test_scalars_and_views_come_and_go():
    p = Program()
    x, f, i, b, s = p.input((3,)), p.input(()), p.input((), dtypes.int64), p.input((), dtypes.bool_), p.input(())
    y = p.multiply(x, p.expand(p.where(b, p.add(f, p.cast(i, dtype=dtypes.float64)), s), shape=(3,)))
    graph = p.builder.finish([y, p.sum(y, axes=(0,))])
    kinds = ("array", "float", "int", "bool", "numpy_scalar")
    inputs = tuple(
        InputLayout(kind, node.type, (1,) if kind == "array" else ())
        for kind, node in zip(kinds, graph.inputs, strict=True)
    )
    outputs = (
        OutputLayout("fresh", 0, (1,)),
        OutputLayout("scalar", 1),
        OutputLayout("input", None, input=0),
        OutputLayout("view", None, base=("output", 0), shape=(2,), strides=(-1,), offset=2),
        OutputLayout("view", None, base=("input", 0), shape=(2,), strides=(2,)),
    )
    marker = object()
    call = build(compile_graph(graph, CallLayout(inputs, outputs, objects=(marker,))))
    values = np.array([1.0, 2.0, 4.0])
    fresh, total, same, back, ends = call(values, 0.5, 2, True, np.float64(9), marker)
    np.testing.assert_array_equal(fresh, values * 2.5)
    assert (type(total), total) == (np.float64, 17.5) and same is values and fresh.flags.owndata
    np.testing.assert_array_equal(back, fresh[:0:-1])
    assert np.may_share_memory(back, fresh) and np.may_share_memory(ends, values)
    assert call(values, 0.5, 2, True, np.float64(9), object()) is NotImplemented
    assert call(values, 0.5, 2**63, True, np.float64(9), marker) is NotImplemented
    assert call(values.astype(np.float32), 0.5, 2, True, np.float64(9), marker) is NotImplemented
    assert call(values[::-1], 0.5, 2, True, np.float64(9), marker) is NotImplemented


def test_a_written_argument_may_not_meet_a_lifted_array():
    memory = np.zeros(12)
    p = Program()
    x, y = p.input((8,)), p.input((8,))
    graph = p.builder.finish([], [Write(x, p.add(x, y))])
    call = build(compile_graph(graph, layout_for(graph, [memory[:8], memory[:8]], lifted=(1,))), [memory[:8]])
    assert call(memory[4:]) is NotImplemented
    assert call(np.ones(8)) is None
    with pytest.raises(KernelError, match="not laid out"):
        build(call.plan.compiled, [memory[:7]])


@settings(max_examples=40)
@given(st.data())
def test_random_graphs_of_any_ops(data):
    graph = expand_composites(data.draw(graphs(max_nodes=8)))
    arrays = data.draw(inputs_for(graph))
    try:
        compile_graph(graph, layout_for(graph, arrays))
    except KernelError:
        return  # what no back end computes is left to NumPy
    check(graph, arrays, run_cuda, exact=False, absolute=1e-6)


FORMS = {"as sized": (32, 1024, 32), "warps": (1, 10**6, 1), "blocks": (1, 1, 1), "parts": (1, 1, 1)}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=12)
@given(graph=programs(), seed=st.integers(0, 99), variants=st.lists(st.integers(0, 3), min_size=2, max_size=2))
def test_random_programs_in_every_form(form, graph, seed, variants):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in zip(("SHORT_ROW", "LONG_ROW", "FEW_ROWS"), FORMS[form], strict=True):
            patch.setattr(launch_grid, name, value)
        for name in ("SPLIT_FROM", "PART_ELEMENTS", "PART_ROWS") if form == "parts" else ():
            patch.setattr(part_counts, name, 1)
        check(graph, _inputs(graph, seed, iter(variants)), run_cuda)


def test_folds_by_the_whole_grid(monkeypatch):
    monkeypatch.setattr(part_counts, "SPLIT_FROM", 1)
    monkeypatch.setattr(part_counts, "PART_ELEMENTS", 40)
    p = Program()
    x, scale = p.input((10, 12), dtypes.float32), p.input((), dtypes.float32)
    y = p.multiply(x, p.expand(p.reshape(scale, shape=(1, 1)), shape=(10, 12)))
    total, largest = p.sum(y, axes=(0, 1)), p.max(y, axes=(0, 1))
    small = p.all(p.less(x, p.number(x, 9.0)), axes=(0, 1))
    graph = p.builder.finish([p.divide(total, scale), largest, small])
    compiled = check(graph, [normal(10, 12), np.array(3.0, np.float32)], run_cuda, exact=False, absolute=1e-5)
    call = build(compiled)
    assert [step.form for step in call.plan.steps[:1]] == ["grid"]
    p = Program()
    x = p.input((200,))
    graph = p.builder.finish([p.argmax(x, axes=(0,))])
    values = np.zeros(200)
    values[[140, 60]] = 5.0
    check(graph, [values], run_cuda)
    values[180] = np.nan
    check(graph, [values], run_cuda)


@settings(max_examples=30)
@given(in_place_programs())
def test_random_in_place_programs(graph):
    draw = np.random.default_rng(2)
    check(graph, [draw.integers(-9, 9, (8,)).astype(np.float64) for _ in range(2)], run_cuda)
