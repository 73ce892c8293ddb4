"""Kernels that do several things at once: what fuses, and random programs of reductions, broadcasts and movements."""

import numpy as np
import pytest
from backend.graph_cases import Program, check, run_native, strided
from hypothesis import given
from hypothesis import strategies as st

from guardlift.core import dtypes

SIZES = [1, 2, 3, 4, 6]


def keep(p, x, reduction, axes):
    """The reduction over `axes`, broadcast back to the shape of `x`."""
    reduced = getattr(p, reduction)(x, axes=axes)
    ones = tuple(1 if axis in axes else size for axis, size in enumerate(x.shape))
    return p.expand(p.reshape(reduced, shape=ones), shape=x.shape)


def softmax(p, x):
    e = p.exp(p.subtract(x, keep(p, x, "max", (1,))))
    return p.divide(e, keep(p, e, "sum", (1,)))


def test_a_softmax_over_rows_is_one_kernel():
    p = Program()
    x = p.input((6, 5), dtypes.float32)
    compiled = check(
        p.builder.finish([softmax(p, x)]), [np.linspace(-3, 3, 30, dtype=np.float32).reshape(6, 5)], exact=False
    )
    assert len(compiled.calls) == 1


def test_two_batch_sizes_share_the_text_of_a_kernel():
    texts = set()
    for shape in ((6, 5), (9, 11), (64, 300)):
        p = Program()
        x = p.input(shape, dtypes.float32)
        values = np.zeros(shape, np.float32)
        texts |= {report.text for report in check(p.builder.finish([softmax(p, x)]), [values], exact=False).kernels}
    assert len(texts) == 1


@pytest.mark.parametrize("variant", [0, 1, 2])
def test_a_chain_over_a_matrix_of_any_layout_is_one_kernel(variant):
    p = Program()
    x, y = p.input((4, 6)), p.input((4, 6))
    z = p.multiply(p.add(x, y), p.subtract(x, y))
    values = [strided(np.arange(24.0).reshape(4, 6) - 5 * k, variant) for k in range(2)]
    compiled = check(p.builder.finish([z]), values, fortran=variant == 1)
    assert len(compiled.calls) == 1
    loops = compiled.kernels[0].loops
    assert loops.count("for ") == (2 if variant == 2 else 1)


def test_a_value_stored_and_summed_is_computed_once():
    p = Program()
    x = p.input((4, 6))
    y = p.multiply(x, x)
    compiled = check(p.builder.finish([y, p.sum(y, axes=(1,))]), [np.arange(24.0).reshape(4, 6)])
    assert len(compiled.calls) == 1 and compiled.kernels[0].loops.count("*") <= 6


def test_a_dear_value_that_two_kernels_need_is_stored():
    p = Program()
    x = p.input((4, 6))
    e = p.exp(x)
    compiled = check(
        p.builder.finish([p.sum(e, axes=(0,)), p.max(e, axes=(1,))]), [np.arange(24.0).reshape(4, 6) / 9], exact=False
    )
    assert sum(report.text.count("exp_f64") for report in compiled.kernels) == 1


def test_equal_layers_share_their_kernels():
    p = Program()
    x, w, b = p.input((4, 8)), p.input((8, 8)), p.input((8,))
    for _ in range(6):
        x = p.tanh(p.add(p.matmul(x, w), p.expand(b, shape=(4, 8))))
    rng = np.random.default_rng(3)
    arrays = [rng.standard_normal(each.shape) for each in p.builder.inputs]
    compiled = check(p.builder.finish([x]), arrays, run_native, exact=False, absolute=1e-12)
    assert len(compiled.kernels) == 1 and len(compiled.calls) == 12


def test_dead_values_are_not_computed():
    p = Program()
    x = p.input((4, 6))
    p.sum(p.exp(x), axes=(0,))
    assert len(check(p.builder.finish([p.negative(x)]), [np.ones((4, 6))]).calls) == 1


@st.composite
def programs(draw, most=9):
    """Values are whole numbers, so every order of summation gives the same."""
    p = Program()
    shape = tuple(draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=3)))
    dtype = draw(st.sampled_from([dtypes.float64, dtypes.float32, dtypes.int32]))
    values = [p.input(shape, dtype) for _ in range(draw(st.integers(1, 2)))]
    for _ in range(draw(st.integers(1, most))):
        x = draw(st.sampled_from(values[-4:]))
        kind = draw(
            st.sampled_from(["add", "multiply", "keep", "keep", "fold", "permute", "slice", "reshape", "cat", "take"])
        )
        made = _step(p, draw, kind, x, values)
        if made is not None:
            values.append(made)
    outputs = draw(st.lists(st.sampled_from(values), min_size=1, max_size=3))
    return p.builder.finish([*outputs, values[-1]])


def _step(p, draw, kind, x, values):
    rank = len(x.shape)
    axes = tuple(sorted(draw(st.sets(st.integers(0, rank - 1), min_size=1)))) if rank else ()
    reduction = draw(st.sampled_from(["sum", "max", "min"]))
    if kind in ("add", "multiply"):
        other = draw(st.sampled_from([each for each in values if each.type == x.type]))
        whole = getattr(p, kind)(x, other)
        return p.remainder(whole, p.number(whole, 7)) if kind == "multiply" else whole
    if not rank:
        return p.negative(x)
    if kind == "keep":
        spread = keep(p, x, reduction, axes)
        return p.remainder(p.subtract(x, spread), p.number(x, 5))
    if kind == "fold":
        return getattr(p, reduction)(x, axes=axes)
    if kind == "permute":
        return p.permute(x, axes=tuple(draw(st.permutations(range(rank)))))
    if kind == "slice":
        counts = [draw(st.integers(1, size)) for size in x.shape]
        lows = [draw(st.integers(0, size - count)) for size, count in zip(x.shape, counts, strict=True)]
        back = [draw(st.booleans()) for _ in counts]
        starts = tuple(low + count - 1 if b else low for low, count, b in zip(lows, counts, back, strict=True))
        return p.slice(x, starts=starts, sizes=tuple(counts), steps=tuple(-1 if b else 1 for b in back))
    if kind == "reshape":
        size = x.type.size
        splits = [(k, size // k) for k in (1, 2, 3, 4, 6) if size % k == 0]
        return p.reshape(x, shape=draw(st.sampled_from([(size,), *splits, (*splits[-1], 1), x.shape[::-1]])))
    if kind == "cat":
        return p.cat(x, x, axis=axes[0]) if x.type.size < 100 else None
    size = x.shape[axes[0]]
    ramp = p.arange(start=size - 1, step=-1, size=size, dtype=dtypes.int64)
    return p.take(x, ramp, axis=axes[0])


def _inputs(graph, seed, variants):
    rng = np.random.default_rng(seed)
    return [
        strided(rng.integers(-3, 4, each.shape).astype(each.type.dtype.numpy), next(variants)) for each in graph.inputs
    ]


@given(programs(), st.integers(0, 99), st.lists(st.integers(0, 3), min_size=2, max_size=2), st.booleans())
def test_a_random_program_gives_what_the_reference_gives(graph, seed, variants, fortran):
    check(graph, _inputs(graph, seed, iter(variants)), fortran=fortran)
