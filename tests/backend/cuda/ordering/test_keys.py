"""Keys of elements, computed by the lines of the kernels, and rows of views."""

import numpy as np
import pytest

from guardlift.backend.cuda.ordering.keys import key_lines, rows_of
from guardlift.backend.evaluate.buffers import Buffer, BufferView
from guardlift.core import dtypes


def keys_of(array, dtype, descending, nan_first=True):
    """The keys of elements, by the text that kernels have."""
    text = "\n".join(key_lines(dtype, "bits_of_element", descending, nan_first))
    program, keys = compile(text, "<keys>", "exec"), []
    for bits in array.view(f"u{dtype.itemsize}").tolist():
        names = {"uint64": np.uint64, "bits_of_element": bits}
        exec(program, names)
        keys.append(names["key"])
    assert {type(each) for each in keys} == {np.uint64}
    return np.array(keys)


def elements(dtype):
    """Elements of a dtype, with all that orders could get wrong."""
    rng = np.random.default_rng(0)
    if dtype.is_bool:
        return np.array([True, False, True, False])
    if dtype.is_float:
        limits = np.finfo(dtype.numpy)
        special = [
            np.nan,
            -np.nan,
            0.0,
            -0.0,
            np.inf,
            -np.inf,
            limits.max,
            limits.min,
            limits.tiny / 2,
            -limits.tiny / 2,
        ]
        return np.concatenate([special, rng.standard_normal(50), special]).astype(dtype.numpy)
    limits = np.iinfo(dtype.numpy)
    drawn = rng.integers(limits.min, limits.max, 50, dtype.numpy, endpoint=True)
    return np.concatenate([np.array([limits.min, limits.max, 0, 1], dtype.numpy), drawn, drawn[:9]])


@pytest.mark.parametrize("dtype", [*dtypes.ALL, dtypes.float16], ids=str)
def test_keys_stand_in_the_order_of_the_elements(dtype):
    array = elements(dtype)
    expected = np.argsort(array, kind="stable")
    ones = 2 ** (8 * dtype.itemsize) - 1
    for descending in (False, True):
        keys = keys_of(array, dtype, descending)
        assert all(int(each) <= ones for each in keys)
        wanted = expected if not descending else array.size - 1 - np.argsort(array[::-1], kind="stable")[::-1]
        np.testing.assert_array_equal(np.argsort(keys, kind="stable"), wanted)
    if dtype.is_float:
        last = keys_of(array, dtype, True, nan_first=False)
        assert all((last == ones) == np.isnan(array))
        finite = ~np.isnan(array)
        np.testing.assert_array_equal(last[finite], keys_of(array, dtype, True)[finite])


def views(*layouts):
    return {
        name: BufferView(Buffer("input", k, dtypes.float32), shape, strides)
        for k, (name, shape, strides) in enumerate(layouts)
    }


def test_axes_that_lie_on_are_joined_where_all_views_allow_it():
    rows = rows_of(2, **views(("x", (2, 3, 5), (15, 5, 1)), ("out", (2, 3, 5), (15, 5, 1))))
    assert (rows.count, rows.steps, rows.sizes, rows.strides) == (6, (1, 1), (6,), ((5,), (5,)))
    rows = rows_of(1, **views(("x", (2, 3, 5), (15, 5, 1)), ("out", (2, 3, 5), (1, 2, 6))))
    assert (rows.count, rows.steps, rows.sizes, rows.strides) == (10, (5, 2), (2, 5), ((15, 1), (1, 6)))
    rows = rows_of(0, **views(("x", (7, 1), (3, 1))))
    assert (rows.count, rows.sizes, rows.numbers, rows.lines) == (1, (), (3,), ["x_row = int64(0)"])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_lines_of_rows_find_their_first_elements(axis):
    shape, strides = (4, 3, 5), (60, 2, 7)
    rows = rows_of(axis, **views(("x", shape, strides), ("out", shape, (15, 5, 1))))
    text = "\n".join(rows.lines)
    others = [k for k in range(3) if k != axis]
    found = []
    for row in range(rows.count):
        names = dict(zip(rows.parameters, rows.numbers, strict=True)) | {"row": row, "int64": int}
        exec(text, names)
        found.append((names["x_row"], names["out_row"]))
    places = [dict(zip(others, place)) for place in np.ndindex(*(shape[k] for k in others))]
    assert found == [
        (sum(i * strides[k] for k, i in place.items()), sum(i * (15, 5, 1)[k] for k, i in place.items()))
        for place in places
    ]
