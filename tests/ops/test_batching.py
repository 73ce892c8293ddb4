import itertools

import numpy as np
import pytest

from guardlift.ops import batching
from guardlift.ops.emitter import ARRAYS
from guardlift.ops.registry import OPS, Creation, Structural

SIZE = 3
NAMES = sorted(
    name
    for name, op in OPS.items()
    if not isinstance(op.lower, (Structural, Creation)) and name not in {"distinct", "real", "imag", "complex"}
)
# One of its operands is the largest elements of another: entries in another order would be none. See test_pooling.py.
NAMES.remove("max_pool_input")
DRAWN_TOGETHER = {"poisson", "binomial", "standard_gamma", "von_mises"}
"""The ops that draw: one draw for a batch gives other numbers than a draw for each entry."""


def varied(array, place, seed):
    """An array like `array` for each entry: the first is `array`, the others hold its elements in another order."""
    if array.dtype.kind == "f":  # of a power of -inf NumPy makes this or that, by how the exponent lies in memory
        array = np.where(np.isneginf(array), array.dtype.type(-3), array)
    if not place:
        return array
    rng = np.random.default_rng(seed + place)
    return rng.permutation(array.ravel()).reshape(array.shape)


def plain(op, args, attrs):
    with np.errstate(all="ignore"):
        return np.asarray(op.eager(*args, **attrs))


def cases(op):
    for number, sample in enumerate(op.samples()):
        count = len(sample.args)
        chosen = itertools.product((False, True), repeat=count) if count < 4 else [(True,) * count]
        for batched in chosen:
            if any(batched):
                yield number, sample, batched


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_of_calls_gives_what_the_calls_give_one_by_one(name):
    op = OPS[name]
    tried = 0
    for number, sample, batched in cases(op):
        attrs = dict(sample.attrs)
        entries = [
            [varied(arg, place if flag else 0, number) for place in range(SIZE)]
            for arg, flag in zip(sample.args, batched, strict=True)
        ]
        expected = []
        try:
            for place in range(SIZE):
                expected.append(plain(op, [each[place] for each in entries], attrs))
        except (ValueError, IndexError):
            continue
        operands = [np.stack(each) if flag else each[0] for each, flag in zip(entries, batched, strict=True)]
        with np.errstate(all="ignore"):
            found = batching.batch(ARRAYS, op, operands, batched, SIZE, attrs)
            if found is None:
                found = batching.one_by_one(ARRAYS, op, operands, batched, SIZE, attrs)
        tried += 1
        found = np.asarray(found)
        assert found.dtype == expected[0].dtype
        assert found.shape == (SIZE, *expected[0].shape), (batched, attrs)
        if name not in DRAWN_TOGETHER:
            np.testing.assert_allclose(found, np.stack(expected), rtol=1e-5, atol=1e-6, err_msg=f"{batched} {attrs}")
    assert tried


def test_these_ops_alone_are_computed_one_by_one():
    structural = {name for name, op in OPS.items() if isinstance(op.lower, (Structural, Creation))}
    assert set(batching.without_rule()) - structural == {"histc", "distinct"}


def test_an_index_that_is_out_of_range_names_no_slice_of_another_entry():
    x, index = np.arange(12.0).reshape(2, 6), np.array([[0, 6], [1, 2]])
    with pytest.raises(IndexError, match="out of bounds"):
        batching.batch(ARRAYS, OPS["take"], (x, index), (True, True), 2, {"axis": 0})
    with pytest.raises(IndexError, match="out of bounds"):
        batching.batch(ARRAYS, OPS["scatter_add"], (x, index, x[:, :2]), (True, True, True), 2, {"axis": 0})


def test_a_batch_of_nothing_has_the_shape_and_dtype_of_a_result():
    rows = np.empty((0, 5))
    found = batching.one_by_one(ARRAYS, OPS["histc"], (rows,), (True,), 0, {"bins": 4, "low": 0.0, "high": 1.0})
    assert (found.shape, found.dtype) == ((0, 4), rows.dtype)
