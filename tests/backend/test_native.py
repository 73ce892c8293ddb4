"""Graphs through Numba and the launch plan: many operations in few kernels, to keep compile time low."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, run_native, sample_graph, strided
from backend.schedule.test_final_writes import in_place_programs
from backend.schedule.test_groups import _inputs, programs
from hypothesis import given, settings
from hypothesis import strategies as st

from guardlift.core import dtypes
from guardlift.core.errors import OpError
from guardlift.ops import OPS, samples
from guardlift.ops.registry import Indexed, Pointwise, Reduction

POINTWISE = [
    op
    for op in OPS.values()
    if isinstance(op.lower, Pointwise) and op.name not in ("where", "cast", "bitcast", "power", "to_device")
]


def _operands(dtype):
    """Two operands that every op takes without raising, special floats among them."""
    if dtype.is_float:
        left, right = np.meshgrid(samples.special_floats(dtype), samples.special_floats(dtype))
        return np.ascontiguousarray(left), np.ascontiguousarray(right)
    return samples.values(dtype, (5, 7), 1), samples.values(dtype, (5, 7), 2)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_every_pointwise_op_of_a_dtype_in_few_kernels(dtype, exact):
    p = Program()
    operands = _operands(dtype)
    x, y = (p.input(array.shape, dtype) for array in operands)
    results = []
    for op in POINTWISE:
        # The zero that maximum(0.0, -0.0) gives is NumPy's to choose; its own loops disagree.
        if op.exact is exact and not (dtype.is_float and op.name in ("maximum", "minimum")):
            for taken in ((x,), (x, y)):
                try:
                    results.append(p.builder.add(op, *taken))
                except OpError:
                    continue
    if exact:
        results += [
            p.cast(x, dtype=other) for other in dtypes.ALL if not dtype.is_float or other.is_float or other.is_bool
        ]
        results += [p.bitcast(x, dtype=other) for other in dtypes.ALL if other.itemsize == dtype.itemsize]
        results.append(p.where(p.not_equal(x, y), x, y))
    if results:
        compiled = check(p.builder.finish(results), operands, run_native, exact=exact)
        assert len(compiled.calls) <= 6


@pytest.mark.parametrize("dtype", [dtypes.bool_, dtypes.int8, dtypes.uint64, dtypes.float32, dtypes.float64], ids=str)
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (0, 1, 2)], ids=str)
def test_every_reduction_of_a_dtype_over_some_axes(dtype, axes):
    values = samples.values(dtype, (3, 4, 5))
    if dtype.is_float:
        values = np.trunc(values) + 0.0  # no minus zero: which zero is the larger is not defined
        values[1, 2, 3] = np.nan
    p = Program()
    x = p.input(values.shape, dtype)
    results = []
    for op in OPS.values():
        if isinstance(op.lower, Reduction):
            try:
                results.append(p.builder.add(op, x, axes=axes))
            except OpError:
                continue
    check(p.builder.finish(results), [values], run_native)


@pytest.mark.parametrize(
    "name", [op.name for op in OPS.values() if isinstance(op.lower, Indexed)] + ["reshape", "arange", "full", "matmul"]
)
def test_indexed_ops_run_natively(name):
    op = OPS[name]
    for k, sample in enumerate(op.samples()):
        check(sample_graph(op, sample), [strided(array, k % 4) for array in sample.args], run_native, exact=op.exact)


@settings(max_examples=8)
@given(programs(), st.integers(0, 99), st.lists(st.integers(0, 3), min_size=2, max_size=2))
def test_some_random_programs_run_natively(graph, seed, variants):
    check(graph, _inputs(graph, seed, iter(variants)), run_native)


@settings(max_examples=8)
@given(in_place_programs())
def test_some_random_in_place_programs_run_natively(graph):
    rng = np.random.default_rng(2)
    check(graph, [rng.integers(-9, 9, (8,)).astype(np.float64) for _ in range(2)], run_native)


def test_scalars_come_in_and_go_out():
    from guardlift.backend.compile import CallLayout, InputLayout, OutputLayout, compile_graph
    from guardlift.core.types import TensorType

    p = Program()
    x, f, i, b, s = (
        p.input((3,)),
        p.input(()),
        p.input((), dtypes.int64),
        p.input((), dtypes.bool_),
        p.input((), dtypes.float32),
    )
    scale = p.where(b, p.add(f, p.cast(i, dtype=dtypes.float64)), p.cast(s, dtype=dtypes.float64))
    y = p.multiply(x, p.expand(scale, shape=(3,)))
    graph = p.builder.finish([y, p.sum(y, axes=(0,)), p.any(p.less(x, p.number(x, 0.0)), axes=(0,))])
    kinds = ("array", "float", "int", "bool", "numpy_scalar")
    layout = CallLayout(
        tuple(
            InputLayout(kind, node.type, (1,) if kind == "array" else ())
            for kind, node in zip(kinds, graph.inputs, strict=True)
        ),
        (
            OutputLayout("fresh", 0, (1,)),
            OutputLayout("scalar", 1),
            OutputLayout("scalar", 2),
            OutputLayout("input", None, input=0),
        ),
        frozenset(),
        False,
    )
    assert TensorType((), dtypes.float64) == f.type
    call = compile_graph(graph, layout).build()
    values = np.array([1.0, 2.0, 4.0])
    array, total, negative, same = call(values, 0.5, 2, True, np.float32(9))
    np.testing.assert_array_equal(array, values * 2.5)
    assert (type(total), total, type(negative), negative) == (np.float64, 17.5, np.bool_, False) and same is values
    assert call(values, 0.5, 2, False, np.float32(3))[1] == 21.0


def test_constants_of_every_kind_are_what_they_say():
    p = Program()
    numbers = [(dtypes.float32, float("nan")), (dtypes.float64, -0.0), (dtypes.bool_, True), (dtypes.uint64, 2**64 - 1)]
    made = [p.full(value=value, shape=(2,), dtype=dtype) for dtype, value in numbers]
    flags = p.input((2,), dtypes.bool_)
    results = [*made, p.less_equal(made[2], flags), p.invert(made[2]), p.copysign(p.number(made[0], 2.0), made[0])]
    check(p.builder.finish(results), [np.array([False, True])], run_native)


def test_views_of_inputs_and_outputs_come_back():
    from guardlift.backend.compile import CallLayout, InputLayout, OutputLayout, compile_graph

    p = Program()
    x = p.input((4, 6))
    graph = p.builder.finish([p.negative(x)])
    outputs = (
        OutputLayout("fresh", 0, (6, 1)),
        OutputLayout("view", None, base=("output", 0), shape=(6,), strides=(1,), offset=6),
        OutputLayout("view", None, base=("input", 0), shape=(4,), strides=(6,), offset=2),
    )
    values = np.arange(24.0).reshape(4, 6).copy()
    fresh, row, column = compile_graph(graph, CallLayout((InputLayout("array", x.type, (6, 1)),), outputs)).build()(
        values
    )
    np.testing.assert_array_equal(row, -values[1])
    np.testing.assert_array_equal(column, values[:, 2])
    assert row.base is fresh and column.base is values
