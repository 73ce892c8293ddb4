"""Layouts for graphs under test, and the comparison of a compiled graph with the reference interpreter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from backend.plain_runner import SIDE_EXIT, run_plain

from guardlift.backend.compile import (
    CallLayout,
    CompiledGraph,
    InputLayout,
    OutputLayout,
    compile_graph,
)
from guardlift.backend.cpu.plan.errstate import accept_current
from guardlift.backend.launch.calls import KernelCall
from guardlift.backend.lowered import lowered_calls
from guardlift.backend.lowering.lower import BoundKernel
from guardlift.backend.schedule.matmul import expand_products
from guardlift.backend.schedule.schedule import schedule_graph
from guardlift.core import dtypes
from guardlift.core.types import TensorType, contiguous_strides
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.node import Graph, Node
from guardlift.graph.printer import print_graph
from guardlift.ops import OPS
from guardlift.ops.registry import OpDef, Sample

Array = np.ndarray[Any, Any]
Runner = Callable[..., Any]


class Program:
    """A graph builder whose methods are the ops."""

    def __init__(self):
        self.builder = GraphBuilder()

    def input(self, shape, dtype=dtypes.float64):
        return self.builder.input(TensorType(shape, dtype), f"x{len(self.builder.inputs)}")

    def __getattr__(self, name):
        return lambda *operands, **attrs: self.builder.add(OPS[name], *operands, **attrs)

    def part(self, x, start, size, step=1):
        return self.slice(x, starts=(start,), sizes=(size,), steps=(step,))

    def store(self, x, value, start, step=1):
        return self.slice_store(x, value, starts=(start,), sizes=value.shape, steps=(step,))

    def number(self, like, value):
        return self.full(value=value, shape=like.shape, dtype=like.type.dtype)


def run_native(compiled: CompiledGraph, arguments: Sequence[Any], lifted: Sequence[Array] = ()) -> Any:
    """The results of a program through Numba and the launch plan."""
    accept_current()  # as a miss does: an earlier test may have run under another error state
    result = compiled.build(lifted)(*arguments)
    assert result is not NotImplemented, "the plan refused its arguments"
    return SIDE_EXIT if result is Ellipsis else [] if result is None else list(result)


def layout_for(
    graph: Graph,
    arrays: Sequence[Array],
    disjoint: bool = True,
    fortran: bool = False,
    lifted: Collection[int] = (),
) -> CallLayout:
    """Array inputs as they lie, fresh outputs; all inputs apart from each other, or none promised to be.

    The inputs at positions `lifted` are lifted."""
    inputs = tuple(
        InputLayout(
            "lifted" if k in lifted else "array",
            node.type,
            tuple(step // array.itemsize for step in array.strides),
            array.flags.writeable,
        )
        for k, (node, array) in enumerate(zip(graph.inputs, arrays, strict=True))
    )
    outputs = tuple(
        OutputLayout(
            "fresh", k, contiguous_strides(node.shape[::-1])[::-1] if fortran else contiguous_strides(node.shape)
        )
        for k, node in enumerate(graph.outputs)
    )
    arguments = [k for k in range(len(arrays)) if k not in lifted]
    pairs = frozenset((i, j) for i in arguments for j in arguments if j < i) if disjoint else frozenset()
    return CallLayout(inputs, outputs, pairs, False)


def strided(array: Array, variant: int) -> Array:
    """Equal values in other memory: 0 row-major, 1 Fortran order, 2 every other element, 3 reversed."""
    if array.ndim == 0:
        return np.array(array)
    if variant == 1:
        return np.asfortranarray(array)
    if variant == 2:
        wide = np.zeros(tuple(2 * size for size in array.shape), array.dtype)
        view = wide[tuple(slice(None, None, 2) for _ in array.shape)]
        view[...] = array
        return view
    if variant == 3:
        back = tuple(slice(None, None, -1) for _ in array.shape)
        return np.ascontiguousarray(array[back])[back]
    return np.array(array, order="C", copy=True)


def bound(p: Program, *results: Node) -> BoundKernel:
    """The bound kernel of the last call of the program's graph, as a device gets it that shares it out itself."""
    graph = p.builder.finish(results)
    arrays = [np.zeros(node.shape, node.type.dtype.numpy) for node in graph.inputs]
    schedule = schedule_graph(expand_products(graph), layout_for(graph, arrays), compile_graph)
    call = lowered_calls(schedule, in_parts=False)[-1]
    assert isinstance(call, KernelCall)
    return call.bound


def sample_graph(op: OpDef, sample: Sample) -> Graph:
    """The graph that applies `op` to its inputs."""
    builder = GraphBuilder()
    inputs = []
    for k, array in enumerate(sample.args):
        dtype = dtypes.held(array.dtype)
        assert dtype is not None
        inputs.append(builder.input(TensorType(array.shape, dtype), f"x{k}"))
    node = builder.add(op, *inputs, **dict(sample.attrs))
    return builder.finish([node])


def check(
    graph: Graph,
    arrays: Sequence[Array],
    runner: Runner = run_plain,
    *,
    disjoint: bool = True,
    fortran: bool = False,
    exact: bool = True,
    absolute: float = 0.0,
    lifted: Collection[int] = (),
) -> CompiledGraph:
    """The compiled graph, after its results and what it wrote have been compared with the reference."""
    compiled = compile_graph(graph, layout_for(graph, arrays, disjoint, fortran, lifted))
    arguments = [array for k, array in enumerate(arrays) if k not in lifted]
    fixed = [array for k, array in enumerate(arrays) if k in lifted]
    expected_inputs = [np.array(array, copy=True) for array in arrays]
    try:
        expected = run_reference(graph, expected_inputs)
    except (IndexError, ValueError):
        before = [array.copy() for array in arrays]
        assert runner(compiled, arguments, fixed) == SIDE_EXIT
        for array, old in zip(arrays, before, strict=True):
            same(array, old)
        return compiled
    found = runner(compiled, arguments, fixed)
    assert isinstance(found, list), found
    try:
        for left, right in zip([*found, *arrays], [*expected, *expected_inputs], strict=True):
            same(left, right) if exact else near(left, right, absolute)
    except AssertionError as error:
        error.add_note(print_graph(graph))
        error.add_note(compiled.describe())
        raise
    return compiled


def same(found: Array, expected: Array) -> None:
    """Nothing, when the arrays agree in shape, dtype and value; NaNs are equal, zeros of both signs are not."""
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    known = dtypes.held(found.dtype)
    if known in dtypes.TENSORS_ONLY:
        found, expected = found.view(known.bits.numpy), expected.view(known.bits.numpy)
    np.testing.assert_array_equal(found, expected)
    if found.dtype.kind == "f":
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(expected)[numbers])


def near(found: Array, expected: Array, absolute: float = 0.0) -> None:
    """Assert that two results are equal to a few units in the last place, or to `absolute` where sums cancel."""
    if found.dtype.kind != "f" or dtypes.held(found.dtype) in dtypes.TENSORS_ONLY:
        same(found, expected)
        return
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    eps = float(np.finfo(found.dtype).eps)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(found, expected, rtol=16 * eps, atol=absolute)
