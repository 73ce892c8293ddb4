"""Sorting and searching on a device, beside NumPy. `test_simulated.py` runs this file, with Numba's simulator on."""

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cuda.device import is_simulated
from guardlift.core import dtypes
from guardlift.ops.ordering import (
    ARGSORT,
    ISIN,
    PLACE_OF_EXTREME,
    PLACE_OF_RANK,
    PLACE_OF_SHARE,
    SEARCHSORTED,
    WEIGHT_OF_SHARE,
    order,
)
from guardlift.tensor.dispatch import apply

SIMULATED = is_simulated()
KINDS = (dtypes.float32, dtypes.int64) if SIMULATED else (*dtypes.INTEGERS, *dtypes.FLOATS, dtypes.bool_)
"""The simulator takes a tenth of a second for each barrier of a block."""
SHAPES = [(3,), (2, 5)] if SIMULATED else [(1,), (33, 2), (5, 7), (2, 3, 16), (17, 1)]
LENGTHS = [1023, 1025, 2049, 4097]


@pytest.fixture(autouse=True)
def no_host():
    """The host computes nothing for tensors on the device."""
    before = dict(gl.cuda.host_computations())
    yield
    assert dict(gl.cuda.host_computations()) == before


def drawn(shape, dtype, seed=0):
    """Elements with ties, extremes, zeros of both signs, infinities and NaNs."""
    rng = np.random.default_rng(seed)
    kind = dtype.numpy
    if dtype.is_float:
        values = np.round(rng.standard_normal(shape) * 4, 1).astype(kind)
        special = np.array([np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf, np.finfo(kind).tiny / 4, -1e30], kind)
        return np.where(rng.random(shape) < 0.3, rng.choice(special, shape), values)
    if dtype.is_bool:
        return rng.random(shape) < 0.5
    info = np.iinfo(kind)
    wide = rng.integers(info.min, info.max, shape, kind, endpoint=True)
    return np.where(rng.random(shape) < 0.6, rng.integers(0, 9, shape).astype(kind), wide)


def on_device(array):
    return gl.tensor(array).to("cuda")


def check_order(array, axis, descending, there=None):
    there = on_device(array) if there is None else there
    found = apply(ARGSORT, there, axis=axis, descending=descending).cpu().numpy()
    np.testing.assert_array_equal(found, order(array, axis=axis, descending=descending))


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_rows_of_a_few_elements_are_sorted_by_one_block(dtype):
    for number, shape in enumerate(SHAPES):
        check_order(drawn(shape, dtype, number), len(shape) - 1, bool(number % 2))
    check_order(drawn((3, 2, 2), dtype), 1, False)


@pytest.mark.skipif(SIMULATED, reason="takes the simulator long")
@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_long_rows_are_sorted_by_their_digits(dtype):
    for number, length in enumerate(LENGTHS):
        check_order(drawn((length,), dtype, number), 0, bool(number % 2))
    check_order(drawn((LENGTHS[-1], 3), dtype), 0, False)


@pytest.mark.skipif(SIMULATED, reason="takes the simulator long")
def test_rows_that_lie_anywhere_in_memory():
    base = drawn((6, 10, 8), dtypes.float32)
    whole = on_device(base)
    views = [
        lambda x: x[1:, ::2, 3:],
        lambda x: x.transpose(0, 2),
        lambda x: x[:, :1].expand(6, 4, 8),
        lambda x: x.flip(1)[2:4, 1:],
        lambda x: x[3].t(),
        lambda x: x[:, 2, 1:],
    ]
    for view in views:
        array, there = view(gl.tensor(base)), view(whole)
        for axis in range(array.ndim):
            check_order(array.numpy(), axis, bool(axis % 2), there)


def alike(op, *arrays, **attrs):
    found = apply(op, *map(on_device, arrays), **attrs).cpu().numpy()
    expected = op.eager(*arrays, **attrs)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected, err_msg=f"{op.name} {attrs}")


@pytest.mark.parametrize(
    "dtype", [dtypes.float32] if SIMULATED else [dtypes.float32, dtypes.float64, dtypes.int16], ids=str
)
def test_ranks_shares_and_extremes(dtype):
    shapes = [(2, 3)] if SIMULATED else [(1, 1), (5, 7), (2, 2049), (3, 300)]
    for number, shape in enumerate(shapes):
        array = drawn(shape, dtype, number)
        array[:1] = np.sort(np.arange(shape[1])).astype(dtype.numpy) % 5
        for rank in (shape[1] // 2, "median", "nanmedian"):
            alike(PLACE_OF_RANK, array, axis=1, rank=rank)
        for ignoring in (False, True):
            for side, share in (("low", 0.3), ("high", 0.5), ("near", 0.75)):
                alike(PLACE_OF_SHARE, array, axis=1, share=share, ignoring=ignoring, side=side)
            alike(WEIGHT_OF_SHARE, array, axis=1, share=0.3, ignoring=ignoring)
        for largest in (False, True):
            alike(PLACE_OF_EXTREME, array, axis=1, largest=largest)
    alike(PLACE_OF_RANK, drawn((3, 2, 2), dtype), axis=1, rank="median")


@pytest.mark.parametrize(
    "dtype", [dtypes.float32] if SIMULATED else [dtypes.float32, dtypes.int64, dtypes.uint8], ids=str
)
def test_searches(dtype):
    for length in (0, 5) if SIMULATED else (0, 1, 33, 2500):
        rows, asked = np.sort(drawn((length,), dtype)), drawn((3, 5), dtype, 1)
        for right in (False, True):
            alike(SEARCHSORTED, rows, asked, right=right, dtype=dtypes.int64)
            alike(ISIN, asked, drawn((length,), dtype, 2), invert=right)
    two = np.sort(drawn((2, 7), dtype), -1)
    alike(SEARCHSORTED, two, drawn((2, 4), dtype, 3), right=True, dtype=dtypes.int32)
    alike(SEARCHSORTED, two[0], drawn((), dtype, 3), right=False, dtype=dtypes.int32)
    alike(ISIN, drawn((2, 3, 2), dtype), drawn((2, 4), dtype, 3), invert=False)


def both(program, *arrays):
    """The results of a program on the CPU and on the device, all of them lists of tensors."""
    found = []
    for device in ("cpu", "cuda"):
        made = program(*(gl.tensor(each).to(device) for each in arrays))
        found.append(list(made) if isinstance(made, (tuple, list)) else [made])
    for number, (one, other) in enumerate(zip(*found, strict=True)):
        assert (other.shape, other.dtype, other.device.type) == (one.shape, one.dtype, "cuda"), number
        np.testing.assert_array_equal(other.cpu().numpy(), one.numpy(), err_msg=str(number))


def test_places_of_what_is_not_zero():
    sizes = [33] if SIMULATED else [1, 31, 33, 127, 2049, 5000]
    for size in sizes:
        for dtype in [dtypes.bool_] if SIMULATED else [dtypes.bool_, dtypes.int16, dtypes.float32]:
            x = drawn((size,), dtype, size)
            x[x == 3] = 0
            both(lambda x: (x.nonzero(), *x.nonzero(as_tuple=True)), x)
    both(lambda x: (x[0].nonzero(), gl.zeros_like(x).nonzero(as_tuple=True)[1]), drawn((2, 3), dtypes.bool_))
    if not SIMULATED:
        mask = drawn((7, 5, 9), dtypes.bool_)
        both(
            lambda m: (
                *m[1:, ::2].nonzero(as_tuple=True),
                m.transpose(0, 2).nonzero(),
                m[:1].expand(3, 5, 9).nonzero(),
            ),
            mask,
        )
        both(lambda x, m: (x[m], x[:, :, 1][m[..., 2]], x[m[:, 0, 0]]), drawn((7, 5, 9), dtypes.float64), mask)


@pytest.mark.skipif(SIMULATED, reason="takes the simulator long")
def test_functions_whose_results_elements_decide_the_size_of():
    for dtype in (dtypes.float32, dtypes.int8):
        x = drawn((9, 40), dtype, 3)
        both(lambda x: gl.unique(x, return_counts=True), x)
        x[np.isnan(x)] = 2  # which NaN is which of them, NumPy does not promise
        both(lambda x: gl.unique(x, return_inverse=True, return_counts=True), x)
        both(lambda x: gl.unique_consecutive(x.t(), return_inverse=True, return_counts=True), np.sort(x, 0))
    counted = np.array([3, 1, 3, 0, 7, 1, 3], np.int32)
    both(lambda x: (x.bincount(), x.bincount(minlength=12)), counted)
    both(lambda x, w: x.bincount(w), counted, np.array([0.5, 1, 2, 3, 4, 5, 6], "f4"))


@pytest.mark.skipif(SIMULATED, reason="takes the simulator long")
def test_compiled_functions_sort_without_a_break():
    def program(x, rows):
        values, places = x.topk(3, -1)
        found = values.sum(-1), places, x.sort(0, descending=True).values, x.median(1).indices, x.kthvalue(2).values
        return *found, gl.searchsorted(rows, x), x.cummax(1).indices, (x * 2).argsort(1) + 1, gl.isin(x, rows)

    compiled = gl.jit(program)
    x, rows = drawn((6, 11), dtypes.float32), np.sort(drawn((20,), dtypes.float32, 1))
    for _ in range(2):
        both(compiled, x, rows)
    assert not gl.explain(compiled).breaks
    both(
        lambda x: (x.quantile(0.3, 1), x.nanquantile(0.5, 0), x.mode(1).values),
        np.nan_to_num(x, nan=1.0, posinf=3.0, neginf=-3.0),
    )
