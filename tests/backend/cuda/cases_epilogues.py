"""Products whose results are mapped as they are stored, beside the same kernels one after the other: the same bits.

`test_simulated.py` runs this file."""

import numpy as np
import pytest
from backend.cuda.cuda_runner import run_cuda
from backend.graph_cases import Program, layout_for, near, same, strided

import guardlift as gl
from guardlift.backend import lowered
from guardlift.backend.compile import compile_graph
from guardlift.backend.cuda.call import build
from guardlift.backend.cuda.device import current, is_simulated
from guardlift.backend.cuda.products import launches
from guardlift.backend.launch.epilogues import MappedProductCall
from guardlift.core import dtypes
from guardlift.core.devices.arrays import fetched, moved
from guardlift.core.types import TensorType
from guardlift.graph.interpreter import run_reference

F32, F64, BF16 = dtypes.float32, dtypes.float64, dtypes.bfloat16


@pytest.fixture(autouse=True)
def own_kernels(monkeypatch):
    """Kernels of ours, and tiles for small products in the simulator, where they are tiny."""
    monkeypatch.setattr(current(), "has_libraries", False)
    if is_simulated():
        monkeypatch.setattr(launches, "FEW", 3)


def device_program():
    """A program for a device: one of its inputs, which it does not use, lies there."""
    p = Program()
    p.builder.input(TensorType((), F32, "cuda:0"), "there")
    return p


def row(p, bias, like):
    return p.expand(p.reshape(bias, shape=(1,) * (len(like.shape) - 1) + bias.shape), shape=like.shape)


def compared(p, results, arrays, joined=1, absolute=1e-4):
    """The forms of the steps of a graph whose maps joined products, after it has been compared."""
    graph, arrays = p.builder.finish(results), [np.zeros((), "f4"), *arrays]
    there = [moved(arrays[0]), *arrays[1:]]
    layout = layout_for(graph, arrays)
    compiled = compile_graph(graph, layout)
    assert sum(isinstance(each, MappedProductCall) for each in compiled.calls) == joined, compiled.describe()
    found = run_cuda(compiled, there)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lowered, "join_maps", lambda calls, alias: calls)
        apart = compile_graph(graph, layout)
        assert len(apart.calls) > len(compiled.calls) or not joined
        wanted = run_cuda(apart, there)
    for one, other, exact in zip(map(fetched, found), map(fetched, wanted), run_reference(graph, arrays), strict=True):
        same(one, other)
        near(one, exact, absolute)
    return [step.form for step in build(compiled).plan.steps]


def normal(rng, *shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def sizes():
    """Rows and columns around those of tiles."""
    side, few = current().tilings[-1].size, launches.FEW + 1
    return [(few, side + 1), (side + 1, few), (side + few, side), (side, side + 4)]


@pytest.mark.parametrize("number", range(4))
def test_bias_activation_and_residual(number):
    (m, n), k, rng = sizes()[number], 9, np.random.default_rng(number)
    p = device_program()
    x, w, b, rest = p.input((m, k), F32), p.input((k, n), F32), p.input((n,), F32), p.input((m, n), F32)
    z = p.add(p.matmul(x, w), row(p, b, rest))
    y = p.add(p.tanh(z), rest)
    arrays = [normal(rng, m, k), normal(rng, k, n), normal(rng, n), strided(normal(rng, m, n), number)]
    (form,) = compared(p, [y, z], arrays)
    assert form.startswith("tiles") and form.endswith("mapped")


def test_rows_of_batches_scales_by_line_and_a_result_that_is_kept():
    side, few, rng = current().tilings[-1].size, launches.FEW + 1, np.random.default_rng(0)
    p = device_program()
    x, w, scale = p.input((2, 3, few, 7), F32), p.input((2, 3, 7, side + 2), F32), p.input((2, 3, few), F32)
    z = p.matmul(x, w)
    wide = p.expand(p.reshape(scale, shape=(2, 3, few, 1)), shape=z.shape)
    arrays = [normal(rng, *node.shape) for node in (x, w, scale)]
    (form,) = compared(p, [p.multiply(z, wide), z], arrays)
    assert form.endswith("mapped")


def test_axes_that_are_divided_and_results_that_are_turned():
    few, rng = launches.FEW + 1, np.random.default_rng(1)
    batch, length, heads, width = 2, few, 3, 4
    p = device_program()
    x, w, b = p.input((batch * length, 5), F32), p.input((5, heads * width), F32), p.input((length, 1), F32)
    z = p.reshape(p.matmul(x, w), shape=(batch, length, heads * width))
    y = p.multiply(z, p.expand(p.reshape(b, shape=(1, length, 1)), shape=z.shape))
    arrays = [normal(rng, *node.shape) for node in (x, w, b)]
    compared(p, [y], arrays, joined=0)  # a factor for each place within a batch is none of lines
    p = device_program()
    x, w, b = p.input((batch * length, 5), F32), p.input((5, heads * width), F32), p.input((heads * width,), F32)
    z = p.reshape(p.matmul(x, w), shape=(batch, length, heads * width))
    y = p.exp(p.add(z, row(p, b, z)))
    arrays = [normal(rng, *node.shape) for node in (x, w, b)]
    compared(p, [y], arrays)
    p = device_program()
    x, w, other = p.input((few, 5), F32), p.input((5, few + 3), F32), p.input((few + 3, few), F32)
    z = p.add(p.matmul(x, w), p.permute(other, axes=(1, 0)))
    arrays = [normal(rng, *node.shape) for node in (x, w, other)]
    compared(p, [p.permute(z, axes=(1, 0))], arrays)


@pytest.mark.parametrize("dtype", [F64, BF16, dtypes.float16], ids=str)
def test_other_dtypes(dtype):
    few, side, rng = launches.FEW + 1, current().tilings[-1].size, np.random.default_rng(2)
    for m, n in ((few + 1, side + 4), (side + 1, few)):
        p = device_program()
        x, w, b = (p.input(shape, dtype) for shape in ((m, 6), (6, n), (n,)))
        if dtype is F64:
            z = p.matmul(x, w)
            y = p.maximum(p.add(z, row(p, b, z)), p.number(z, 0.0))
            absolute = 1e-12
        else:
            z = p.cast(p.matmul(p.cast(x, dtype=F32), p.cast(w, dtype=F32)), dtype=dtype)
            y = p.multiply(p.cast(z, dtype=F32), row(p, p.cast(b, dtype=F32), z))
            absolute = 1e-3
        arrays = [normal(rng, *node.shape).astype(dtype.numpy) for node in (x, w, b)]
        compared(p, [y], arrays, absolute=absolute)


def test_parts_and_thin_products(monkeypatch):
    for name, value in (("LEAST_SHARE", 16), ("LEAST_WARP_SHARE", 128), ("LEAST_THREAD_SHARE", 8)):
        monkeypatch.setattr(launches, name, value)
    few, rng = launches.FEW + 1, np.random.default_rng(3)
    for m, n, k in ((few, few + 2, 67), (2, 7, 40), (few + 4, 1, 9)):
        p = device_program()
        x, w, b, scale = (p.input(shape, F32) for shape in ((m, k), (k, n), (n,), (m, 1)))
        z = p.matmul(x, w)
        y = p.multiply(p.add(z, row(p, b, z)), p.expand(scale, shape=z.shape))
        arrays = [normal(rng, *node.shape) for node in (x, w, b, scale)]
        forms = compared(p, [y, p.negative(z)], arrays)
        assert forms[-1] == "merged parts, mapped"


def test_what_a_product_reads_is_not_overwritten_and_checks_stay_kernels():
    few, rng = launches.FEW + 1, np.random.default_rng(4)
    p = device_program()
    x, w, index = p.input((few, few), F32), p.input((few, few), F32), p.input((few,), dtypes.int64)
    z = p.matmul(x, w)
    bias = p.take(p.input((5,), F32), index, axis=0)
    arrays = [normal(rng, few, few), normal(rng, few, few), np.arange(few) % 5, normal(rng, 5)]
    compared(p, [p.add(z, row(p, bias, z))], arrays, joined=0)


SIZES = [(1, 1, 1), (2, 33, 5), (31, 32, 33), (33, 31, 4), (129, 127, 3), (128, 129, 1), (65, 64, 40), (17, 257, 2)]


@pytest.mark.parametrize("number", range(len(SIZES)))
def test_operands_that_begin_anywhere_give_the_bits_of_eager_mode(number):
    m, n, k = (min(size, 9) for size in SIZES[number]) if is_simulated() else SIZES[number]
    given = [gl.randn(4 + rows * columns, device="cuda") for rows, columns in ((m, k), (k, n), (1, n), (m, n))]
    shapes = ((m, k), (k, n), (n,), (m, n))

    def network(x, w, b, rest):
        z = x @ w + b
        return gl.tanh(z) * rest, z.to(gl.bfloat16)

    jitted = gl.jit(fullgraph=True)(network)
    for shift in (0, number % 3 + 1):
        start = [shift if place in (number % 4, 3) else 0 for place in range(4)]
        operands = [
            each[at : at + int(np.prod(shape))].reshape(shape)
            for each, at, shape in zip(given, start, shapes, strict=True)
        ]
        for one, other in zip(jitted(*operands), network(*operands), strict=True):
            np.testing.assert_array_equal(one.float().cpu().numpy(), other.float().cpu().numpy())


@pytest.mark.parametrize("shape", [(0, 5, 4), (5, 0, 4), (5, 4, 0)])
def test_sizes_of_zero(shape):
    m, n, k = shape
    x, w, b = gl.randn(m, k, device="cuda"), gl.randn(k, n, device="cuda"), gl.randn(n, device="cuda")
    found = gl.jit(fullgraph=True)(lambda x, w, b: gl.exp(x @ w + b))(x, w, b)
    np.testing.assert_array_equal(found.cpu().numpy(), gl.exp(x @ w + b).cpu().numpy())


def test_a_network_of_two_layers_has_a_launch_for_each():
    few, side, rng = launches.FEW + 1, current().tilings[-1].size, np.random.default_rng(5)
    p = device_program()
    x, v, a, w, b = (p.input(shape, F32) for shape in ((few, 9), (9, side), (side,), (side, few), (few,)))
    first = p.matmul(x, v)
    hidden = p.tanh(p.add(first, row(p, a, first)))
    second = p.matmul(hidden, w)
    arrays = [normal(rng, *node.shape) for node in (x, v, a, w, b)]
    forms = compared(p, [p.add(second, row(p, b, second))], arrays, joined=2)
    assert len(forms) == 2
