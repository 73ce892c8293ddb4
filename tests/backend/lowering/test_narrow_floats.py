"""Narrow floats in kernels: cast, moved and kept as bits, through the plain runner and through Numba."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, run_native
from backend.plain_runner import run_plain
from ops.narrow_oracle import cast

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.node import Graph
from guardlift.graph.parser import parse_graph
from guardlift.graph.printer import print_graph
from guardlift.loop_ir.source_text import cast_text, literal
from guardlift.ops import samples
from guardlift.ops.pointwise import CAST

RUNNERS = pytest.mark.parametrize("runner", [run_plain, run_native], ids=["plain", "native"])
EACH = pytest.mark.parametrize("dtype", dtypes.NARROW, ids=str)


def numbers(dtype: dtypes.DType) -> np.ndarray:
    """Ordinary and special numbers, in a narrow float."""
    special = samples.special_floats(dtypes.float32)
    wide = np.concatenate([np.resize(special, 20), samples.values(dtypes.float32, (20,))])
    return CAST.eager(wide.astype(np.float32).reshape(5, 8), dtype=dtype)


@RUNNERS
@EACH
def test_casts_to_and_from_every_other_dtype(runner, dtype):
    p = Program()
    floats = samples.values(dtypes.float64, (5, 8))
    narrow = p.input((5, 8), dtype)
    others = [p.input((5, 8), other) for other in (dtypes.bool_, dtypes.int32, dtypes.uint8, *dtypes.FLOATS)]
    arrays = [numbers(dtype), *(floats.astype(each.type.dtype.numpy) for each in others[:-1]), floats]
    arrays[3] = np.abs(floats).astype(np.uint8)
    results = [p.cast(narrow, dtype=other) for other in (dtypes.bool_, *dtypes.FLOATS, *dtypes.NARROW)]
    results += [p.cast(other, dtype=dtype) for other in others]
    check(p.builder.finish(results), arrays, runner)


@RUNNERS
@EACH
def test_whole_numbers_come_out_of_it(runner, dtype):
    p = Program()
    x = p.input((9,), dtype)
    whole = CAST.eager(np.arange(-8, 10, 2).astype(np.float32), dtype=dtype)
    wanted = (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
    check(p.builder.finish([p.cast(x, dtype=other) for other in wanted]), [whole], runner)


def moved(dtype: dtypes.DType) -> Graph:
    """Movement of a narrow float, and of constants of one."""
    p = Program()
    x, index = p.input((5, 8), dtype), p.input((3,), dtypes.int64)
    chosen = p.where(p.input((5, 8), dtypes.bool_), x, p.full(value=0.1, shape=(5, 8), dtype=dtype))
    flipped = p.slice(x, starts=(4, 0), sizes=(5, 8), steps=(-1, 1))
    part = p.slice(x, starts=(1, 2), sizes=(2, 3), steps=(1, 2))
    results = [chosen, flipped, p.permute(x, axes=(1, 0)), p.reshape(x, shape=(40,)), p.take(x, index, axis=0)]
    results += [p.cat(x, flipped, axis=0), p.slice_store(x, part, starts=(0, 0), sizes=(2, 3), steps=(1, 1))]
    results += [p.pad(x, before=(1, 0), after=(0, 2), value=float("nan")), p.full(value=-0.0, shape=(2,), dtype=dtype)]
    return p.builder.finish(results)


@RUNNERS
@EACH
def test_it_moves_as_it_is(runner, dtype):
    mask = samples.values(dtypes.bool_, (5, 8))
    check(moved(dtype), [numbers(dtype), np.array([4, 0, 2]), mask], runner)


@EACH
def test_a_value_is_packed_and_unpacked_within_one_kernel(dtype):
    p = Program()
    x = p.input((5, 8), dtypes.float32)
    packed = p.cast(p.multiply(x, x), dtype=dtype)
    wide = p.add(p.cast(packed, dtype=dtypes.float32), x)
    compiled = check(p.builder.finish([packed, wide]), [samples.values(dtypes.float32, (5, 8))], run_native)
    assert len(compiled.calls) == 1


@EACH
def test_graphs_of_it_print_and_parse(dtype):
    text = print_graph(moved(dtype))
    assert f"{dtype.code}[5, 8]" in text and print_graph(parse_graph(text)) == text
    assert parse_graph(text).inputs[0].type == TensorType((5, 8), dtype)


@EACH
@pytest.mark.parametrize("number", [1.5, -0.0, 0.1, 500.0, 1e30, float("nan"), float("inf"), float("-inf"), 3, True])
def test_a_literal_is_the_bits_of_the_number_rounded(dtype, number):
    with np.errstate(over="ignore"):
        bits = cast(np.asarray(number, np.float32), dtype).view(dtype.bits.numpy)
    assert literal(number, dtype) == f"{dtype.bits.name}({bits})"


def test_casts_of_what_numpy_does_not_know_go_by_way_of_float32():
    assert cast_text(dtypes.float64, dtypes.float16) == "cast_f64_f16({0})"
    assert cast_text(dtypes.float32, dtypes.bfloat16) == "cast_f32_bf16({0})"
    assert cast_text(dtypes.float8_e5m2, dtypes.int32) == "cast_f32_i32(cast_f8e5m2_f32({0}))"
    assert cast_text(dtypes.float16, dtypes.float8_e4m3fn) == "cast_f32_f8e4m3fn(cast_f16_f32({0}))"
