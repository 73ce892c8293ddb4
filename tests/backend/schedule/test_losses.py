"""A loss and its gradient: few kernels, in any size."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, layout_for, run_native
from backend.plain_runner import run_plain

from guardlift.backend.compile import compile_graph
from guardlift.backend.launch.calls import KernelCall
from guardlift.backend.schedule.matmul import ProductCall
from guardlift.core import dtypes
from guardlift.graph.aot.emitter import GraphEmitter
from guardlift.graph.aot.vjp import gradients
from guardlift.graph.interpreter import run_reference
from guardlift.graph.passes import run_passes


def cross_entropy(rows, classes, dtype=dtypes.float32, reduction="mean"):
    """The loss of log-probabilities, and what it does to the logits."""
    p = Program()
    x, target = p.input((rows, classes), dtype), p.input((rows,), dtypes.int64)
    f = GraphEmitter(p.builder)
    loss = f.nll_loss(f.log_softmax(x, axis=1), target, ignore_index=-100, reduction=reduction)
    one = f.full(value=1.0, shape=loss.shape, dtype=dtype)
    found = gradients(f, [(loss, one)], {x}, {*p.builder.nodes, x})
    return run_passes(p.builder.finish([loss, found[x]]), verify=True)


def logits(rows, classes, dtype=np.float32):
    draw = np.random.default_rng(rows)
    return draw.standard_normal((rows, classes)).astype(dtype), draw.integers(0, classes, rows)


@pytest.mark.parametrize("shape", [(128, 10), (4096, 64), (64, 32000)], ids=str)
def test_loss_and_gradient_are_one_kernel_over_rows_and_two_over_scalars(shape):
    graph = cross_entropy(*shape)
    compiled = compile_graph(graph, layout_for(graph, logits(*shape)))
    assert [call.bound.extent for call in compiled.calls] == [1, shape[0], 1]
    assert compiled.arena_nbytes <= 4 * shape[0] + 256  # a number for each row, no matrix
    large = compiled.calls[1]
    assert large.text.count("exp_f32") == 2
    assert "columns" not in compiled.describe()


@pytest.mark.parametrize("runner", [run_plain, run_native], ids=["plain", "native"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("case", ["plain", "ignored", "out of range", "negative"])
def test_loss_and_gradient_are_those_of_the_reference(case, reduction, runner):
    graph = cross_entropy(12, 7, dtypes.float64, reduction)
    x, target = logits(12, 7, np.float64)
    target[3] = {"plain": 2, "ignored": -100, "out of range": 7, "negative": -1}[case]
    check(graph, [x, target], runner, exact=False, absolute=1e-15)


def test_a_large_case_runs_natively():
    graph = cross_entropy(512, 300)
    arrays = logits(512, 300)
    loss, gradient = run_native(compile_graph(graph, layout_for(graph, arrays)), arrays)
    wide = cross_entropy(512, 300, dtypes.float64)
    expected = run_reference(wide, [arrays[0].astype(np.float64), arrays[1]])
    np.testing.assert_allclose(loss, expected[0], rtol=1e-6)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-5, atol=1e-9)


def test_a_sum_of_what_does_not_change_along_it_joins_the_rows():
    p = Program()
    x, weights = p.input((6, 8)), p.input((6,))
    wide = p.expand(p.reshape(weights, shape=(6, 1)), shape=(6, 8))
    total = p.sum(wide, axes=(1,))
    scaled = p.multiply(x, p.expand(p.reshape(total, shape=(6, 1)), shape=(6, 8)))
    compiled = check(p.builder.finish([total, scaled]), [np.arange(48.0).reshape(6, 8), np.arange(6.0)])
    assert "columns" not in compiled.describe()


def test_a_gradient_that_a_product_reads_turned_is_computed_once():
    p = Program()
    x, y, mask = p.input((16, 12), dtypes.float32), p.input((16, 8), dtypes.float32), p.input((16, 8), dtypes.float32)
    grad = p.multiply(p.exp(y), mask)
    weight = p.matmul(p.permute(grad, axes=(1, 0)), x)
    bias = p.sum(grad, axes=(0,))
    draw = np.random.default_rng(0)
    arrays = [draw.standard_normal(shape).astype(np.float32) for shape in ((16, 12), (16, 8), (16, 8))]
    compiled = check(p.builder.finish([weight, bias]), arrays, exact=False, absolute=1e-5)
    assert [type(call) for call in compiled.calls] == [KernelCall, ProductCall]
