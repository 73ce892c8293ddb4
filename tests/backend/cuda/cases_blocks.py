"""Kernels in which blocks work together. `test_simulated.py` runs this file, with Numba's simulator on."""

import os

import numpy as np
import pytest
from backend.cuda.cuda_runner import BOTH, run_cuda
from backend.graph_cases import Program, check, strided

import guardlift as gl
from guardlift.backend.cuda import kernel_text  # noqa: F401  # before its parts
from guardlift.backend.cuda.kernels import part_counts, scans
from guardlift.backend.schedule import reduction_forms
from guardlift.core import dtypes
from guardlift.graph.node import Write


def normal(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def whole(*shape, seed=0, dtype=np.float32):
    """Numbers whose sums are exact."""
    return np.random.default_rng(seed).integers(-9, 9, shape).astype(dtype)


@pytest.fixture
def small_parts(monkeypatch):
    """Parts of a few elements, and few blocks for them."""
    for name, value in {"SPLIT_FROM": 40, "PART_ELEMENTS": 20, "PART_ROWS": 10, "BLOCKS": 7, "MOST_PARTS": 5}.items():
        monkeypatch.setattr(part_counts, name, value)


def grids(compiled):
    from guardlift.backend.cuda.launch_grid import choose_launch_grid

    return [choose_launch_grid(call.bound) for call in compiled.calls]


def teams(compiled):
    return [grid.team for grid in grids(compiled)]


COLUMNS = [((40, 33), (0,), 0), ((2, 41, 31), (1,), 2), ((3, 4, 45, 2), (0, 2), 0), ((64, 65), (0,), 2)]
ROWS = [((129,), (0,), 0), ((43, 1), (0,), 0), ((3, 127), (1,), 2), ((2, 2, 40), (2,), 0), ((2, 5, 41), (1, 2), 0)]


@pytest.mark.parametrize(("shape", "axes", "variant"), COLUMNS + ROWS, ids=str)
def test_blocks_share_rows_and_columns(small_parts, shape, axes, variant):
    p = Program()
    x = p.input(shape, dtypes.float32)
    total = p.sum(p.multiply(x, x), axes=axes)
    graph = p.builder.finish([p.add(total, total), p.max(x, axes=axes)])
    compiled = check(graph, [strided(normal(*shape), variant)], run_cuda, exact=False)
    assert {"grid", "row parts"} & set(teams(compiled))


@pytest.mark.parametrize("dtype", [dtypes.int8, dtypes.bool_, dtypes.float64], ids=str)
def test_parts_of_every_width(small_parts, dtype):
    shape = (60, 35)
    x = whole(*shape).astype(dtype.numpy)
    p = Program()
    given = p.input(shape, dtype)
    several = [] if dtype.is_bool else [p.sum(given, axes=(0,)), p.sum(given, axes=(0, 1))]
    most = (
        [p.any(given, axes=(0,))]
        if dtype.is_bool
        else [p.max(given, axes=(0,)), p.argmax(p.reshape(given, shape=(2100,)), axes=(0,))]
    )
    check(p.builder.finish([*several, *most]), [x], run_cuda)


def forms(function):
    """The teams of the launches of a jitted function, whose arguments lie on a device."""
    from guardlift.backend.cuda.launch_grid import choose_launch_grid
    from guardlift.frontend import state_of

    compiled = state_of(function).entries[-1].details["compiled"]
    return [choose_launch_grid(call.bound).team for call in compiled.calls], compiled


def in_rows(x, w, b, g):
    shares = gl.softmax(x.detach(), -1)
    y = gl.nn.functional.layer_norm(x, x.shape[-1:], w, b)
    y.backward(g)
    return shares, y.detach()


def in_rows_by_definition(x, w, b, g):
    """Shares, layer norm, and its gradients, in float64."""
    powers = np.exp(x - x.max(-1, keepdims=True))
    inverse = 1 / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    there = (x - x.mean(-1, keepdims=True)) * inverse
    slope = g * w
    for_x = inverse * (slope - slope.mean(-1, keepdims=True) - there * (slope * there).mean(-1, keepdims=True))
    rows = tuple(range(x.ndim - 1))
    return powers / powers.sum(-1, keepdims=True), there * w + b, for_x, (g * there).sum(rows), g.sum(rows)


@pytest.mark.parametrize("shape", [(3, 127), (2, 1, 40), (9, 41)], ids=str)
def test_blocks_share_few_rows_that_are_gone_over_several_times(small_parts, monkeypatch, shape):
    monkeypatch.setattr(reduction_forms, "SERIAL_SIZE", 40)
    monkeypatch.setattr(reduction_forms, "FEW_ROWS", 8)
    size = shape[-1]
    arrays = [normal(*one, seed=k) for k, one in enumerate((shape, (size,), (size,), shape))]
    function = gl.jit(in_rows, fullgraph=True)
    bits = set()
    for _ in range(2):
        leaves = [gl.tensor(each).to("cuda").requires_grad_() for each in arrays[:3]]
        results = function(*leaves, gl.tensor(arrays[3]).to("cuda"))
        found = [each.cpu().numpy() for each in (*results, *(each.grad for each in leaves))]
        bits.add(b"".join(each.tobytes() for each in found))
        for one, other in zip(found, in_rows_by_definition(*(each.astype(np.float64) for each in arrays)), strict=True):
            np.testing.assert_allclose(one, other, 2e-5, 2e-5)
    assert len(bits) == 1
    teams, compiled = forms(function)
    few = shape == (3, 127)
    assert teams.count("grid") == (4 if few else 0) and {"grid", "thread"} >= set(teams if few else ()), teams
    if not few:  # numbers of each row lie in memory between kernels, and nothing of the size of rows
        assert compiled.arena_nbytes <= 4 * 64 * len(teams)


def test_the_last_block_writes_over_what_all_have_read(small_parts):
    p = Program()
    x = p.input((50, 40), dtypes.float32)
    sums = p.sum(x, axes=(0,))
    row = p.expand(p.reshape(sums, shape=(1, 40)), shape=(50, 40))
    graph = p.builder.finish([], [Write(x, p.add(x, row))])
    check(graph, [whole(50, 40)], run_cuda)
    p = Program()
    x = p.input((50, 40), dtypes.float32)
    graph = p.builder.finish(
        [],
        [
            Write(
                x,
                p.slice_store(
                    x, p.reshape(p.sum(x, axes=(0,)), shape=(1, 40)), starts=(0, 0), sizes=(1, 40), steps=(1, 1)
                ),
            )
        ],
    )
    check(graph, [whole(50, 40)], run_cuda)


def test_a_plan_runs_again_and_again_over_the_same_tickets(small_parts):
    from backend.graph_cases import layout_for

    from guardlift.backend.compile import compile_graph
    from guardlift.backend.cuda.call import build

    p = Program()
    x = p.input((30, 40), dtypes.float32)
    graph = p.builder.finish([p.sum(x, axes=(0,)), p.sum(x, axes=(0, 1))])
    call = None
    for seed in range(3):
        array = normal(30, 40, seed=seed)
        call = call or build(compile_graph(graph, layout_for(graph, [array])), ())
        found = [call(array) for _ in range(2)]
        exact = array.astype(np.float64)
        for k, axis in enumerate((0, None)):
            np.testing.assert_allclose(found[0][k], exact.sum(axis), rtol=3e-6, atol=1e-5)
            np.testing.assert_array_equal(found[0][k], found[1][k])


@pytest.fixture
def few_items(monkeypatch):
    """Fewer elements to a thread where each of their exchanges takes the simulator long."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
        monkeypatch.setattr(scans, "ITEMS", 2)


SCANS = [
    *[((3, 130), 1, 0, 0), ((3, 33), 1, 2, 0), ((1,), 0, 0, 0), ((5, 2, 9), 0, 1, 0), ((2, 45, 33), 1, 0, 0)],
    *[((2, 131), 1, 0, 20), ((200,), 0, 3, 40), ((2, 45, 33), 1, 0, 20)],
]


@pytest.mark.parametrize(("shape", "axis", "variant", "part"), SCANS, ids=str)
def test_scans_along_any_axis(monkeypatch, few_items, shape, axis, variant, part):
    for name, value in {"PART_OF_ROW": part, "PART_OF_COLUMN": part, "BLOCKS": 5}.items() if part else ():
        monkeypatch.setattr(scans, name, value)
    p = Program()
    x, y = p.input(shape, dtypes.float32), p.input(shape, dtypes.int8)
    graph = p.builder.finish([p.cumsum(p.add(x, x), axis=axis), p.add(p.cumprod(y, axis=axis), y)])
    arrays = [strided(whole(*shape), variant), strided(whole(*shape, dtype=np.int8, seed=1), variant)]
    check(graph, arrays, run_cuda)


def test_a_scan_keeps_signs_and_tells_of_what_is_no_number(few_items):
    x = np.array([[-0.0, -0.0, 1.0], [1.0, np.inf, -np.inf], [np.nan, 1.0, 2.0], [3.0, 0.0, -3.0]])
    p = Program()
    check(p.builder.finish([p.cumsum(p.input(x.shape), axis=1)]), [x], run_cuda)


def test_a_scan_of_axes_that_lie_in_no_order_is_of_a_copy(few_items):
    x = whole(2, 3, 2, 5, 2).transpose(2, 0, 4, 1, 3)
    p = Program()
    given = p.input(x.shape, dtypes.float32)
    check(
        p.builder.finish([p.cumsum(given, axis=3), p.cumsum(p.input((0, 3)), axis=1)]), [x, np.zeros((0, 3))], run_cuda
    )


@pytest.mark.parametrize(
    ("shape", "axis", "count"), [((9, 3, 35), 0, 70), ((2, 5, 4), 1, 64), ((40,), 0, 129), ((3, 33), 0, 65)], ids=str
)
@pytest.mark.parametrize("combine", ["", "sum", "max"])
def test_each_place_of_a_scatter_has_its_owner(shape, axis, count, combine):
    p = Program()
    given = (*shape[:axis], count, *shape[axis + 1 :])
    x, index, values = p.input(shape, dtypes.float32), p.input((count,), dtypes.int64), p.input(given, dtypes.float32)
    doubled = p.add(values, values)
    if combine == "max":
        result = p.scatter_reduce(x, index, doubled, axis=axis, combine="max")
    else:
        result = (p.scatter_add if combine else p.scatter)(x, index, doubled, axis=axis)
    places = np.random.default_rng(3).integers(-shape[axis], shape[axis], count)
    arrays = [normal(*shape), places, normal(*given, seed=1)]
    compiled = check(p.builder.finish([result]), arrays, run_cuda)  # to the bit: repeats are added in order
    assert teams(compiled)[-1] == "owners"
    places[-1] = shape[axis]
    check(p.builder.finish([result]), arrays, run_cuda)


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint64], ids=str)
def test_scattered_sums_in_any_order(dtype):
    p = Program()
    x, index = p.input((2, 5, 4), dtype), p.input((70,), dtypes.int64)
    values = p.input((2, 70, 4), dtype)
    graph = p.builder.finish([p.scatter_add(x, index, p.multiply(values, values), axis=1)])
    places = np.random.default_rng(3).integers(-5, 5, 70)
    arrays = [whole(2, 5, 4).astype(dtype.numpy), places, whole(2, 70, 4, seed=1).astype(dtype.numpy)]
    in_order = check(graph, arrays, run_cuda)
    with gl.config.patch(deterministic_algorithms=False):
        compiled = check(graph, arrays, run_cuda)  # whole numbers: sums are exact in any order
        assert grids(compiled)[-1].atomic and grids(compiled)[-1].team == "thread"
        if dtype.is_float and not BOTH:  # whose bits are those of one order
            arrays = [normal(*each.shape).astype(dtype.numpy) if each.ndim > 1 else each for each in arrays]
            check(graph, arrays, run_cuda, exact=False)
    assert grids(in_order)[-1].atomic is dtype.is_integer


TURNED = [((33, 40), (1, 0)), ((2, 32, 65), (0, 2, 1)), ((34, 2, 33), (2, 1, 0)), ((2, 33, 2, 32), (0, 3, 2, 1))]


@pytest.mark.parametrize(("shape", "axes"), TURNED, ids=str)
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bool_, dtypes.float64], ids=str)
def test_transpositions_go_through_tiles(shape, axes, dtype):
    p = Program()
    x, y = p.input(shape, dtype), p.input(tuple(shape[axis] for axis in axes), dtype)
    turned = p.permute(x, axes=axes)
    result = p.bitwise_and(turned, y) if dtype.is_bool else p.add(turned, p.multiply(y, p.number(y, 3.0)))
    arrays = [np.maximum(whole(*each.shape, seed=k), 0).astype(dtype.numpy) for k, each in enumerate((x, y))]
    compiled = check(p.builder.finish([result]), arrays, run_cuda)
    assert teams(compiled) == ["tiles"]
