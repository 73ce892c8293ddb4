"""Arithmetic on layouts says what NumPy does, and copies fetch and store all elements and no byte besides."""

import random

import numpy as np

from guardlift.core.devices.layout import (
    StraightCopies,
    dense_strides,
    indexed,
    lies_in_rows,
    reshaped_strides,
    span,
)

SLICES = (lambda size: slice(0, size), lambda size: slice(0, 2 * size, 2), lambda size: slice(2 * size - 1, None, -2))


def arrays(count=400):
    """Parts of arrays, turned and with gaps, and the arrays that they are parts of."""
    draw = np.random.default_rng(0)
    for _ in range(count):
        shape = draw.choice([1, 2, 3, 4, 6], draw.integers(0, 5))
        whole = np.arange(np.prod(2 * shape), dtype=np.int32).reshape(2 * shape)
        part = whole[(*(SLICES[draw.integers(3)](size) for size in shape), ...)].transpose(draw.permutation(len(shape)))
        if len(shape) and draw.random() < 0.2:
            part = np.broadcast_to(part[:1], (5, *part.shape[1:]))
        yield whole, part, draw


def shapes_of(size, draw):
    """A shape of so many elements."""
    found = []
    while size > 1 or draw.random() < 0.3:
        found.append(int(draw.choice([each for each in range(1, size + 1) if size % each == 0])))
        size //= found[-1]
    return tuple(found)


def viewed(part, shape):
    """The strides of a view of that shape, as NumPy finds them; None where it copies."""
    found = part.reshape(shape)
    return found if np.shares_memory(found, part) else None


def test_a_reshape_is_a_view_where_numpys_is():
    for _, part, draw in arrays():
        for array in (part, np.ascontiguousarray(part)):
            shape = shapes_of(array.size, draw)
            strides, wanted = reshaped_strides(array.shape, array.strides, shape, 4), viewed(array, shape)
            assert (strides is None) == (wanted is None), (array.shape, array.strides, shape)
            if wanted is not None:
                seen = np.lib.stride_tricks.as_strided(array, shape, strides)
                np.testing.assert_array_equal(seen, wanted)


def test_rows_and_spans_are_numpys():
    for _, part, _ in arrays():
        assert lies_in_rows(part.shape, part.strides, 4) == part.flags.c_contiguous
        first = part.__array_interface__["data"][0]
        low, high = span(part.shape, part.strides, 4)
        assert (first + low, first + high) == np.lib.array_utils.byte_bounds(part)
        assert dense_strides(part.shape, 4) == np.empty(part.shape, np.int32).strides
    assert span((3, 0), (4, 4), 4) == (0, 0)


def test_copies_fetch_all_elements_and_store_no_byte_besides():
    for whole, part, _ in arrays():
        memory = whole.reshape(-1).view(np.uint8)
        first = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        straight = StraightCopies.of(part.shape, part.strides, 4)
        dense, touched = np.empty(straight.nbytes, np.uint8), np.zeros(memory.size, bool)
        for rows in straight.rows():
            for k in range(rows.count):
                start, place = first + rows.start + k * rows.pitch, rows.place + k * rows.width
                dense[place : place + rows.width] = memory[start : start + rows.width]
                touched[start : start + rows.width] = True
        np.testing.assert_array_equal(straight.restored(dense.view(np.int32), part.shape), part)
        np.testing.assert_array_equal(straight.in_order(part).reshape(-1).view(np.uint8), dense)
        assert set(np.flatnonzero(touched) // 4) == set(part.reshape(-1).tolist())


def test_a_matrix_with_gaps_is_one_copy_of_rows():
    straight = StraightCopies.of((100, 30), (400, 4), 4)
    (rows,) = straight.rows()
    assert (rows.start, rows.width, rows.count, rows.pitch) == (0, 120, 100, 400)
    (whole,) = StraightCopies.of((100, 30), (4, 400), 4).rows()
    assert (whole.width, whole.count) == (12000, 1)


def test_views_by_indices_are_numpys():
    rng, met = random.Random(1), 0
    bounds = [None, -5, -2, -1, 0, 1, 3, 6]
    for _ in range(3000):
        x = np.zeros([rng.randint(0, 4) for _ in range(rng.randint(1, 3))])[::-1].T
        parts = [
            rng.choice(
                [None, rng.randint(-4, 4), slice(rng.choice(bounds), rng.choice(bounds), rng.choice([1, 2, -3]))]
            )
            for _ in range(rng.randint(0, x.ndim + 1))
        ]
        parts.insert(rng.randint(0, len(parts)), ...)
        found = indexed(x.shape, x.strides, tuple(parts))
        try:
            view = x[tuple(parts)]
        except IndexError:
            assert found is None
            continue
        met += 1
        offset, shape, strides = found
        assert shape == view.shape
        if view.size:
            assert offset == view.__array_interface__["data"][0] - x.__array_interface__["data"][0]
            assert [a for a, n in zip(strides, shape, strict=True) if n > 1] == [
                a for a, n in zip(view.strides, shape, strict=True) if n > 1
            ]
    assert met > 1000
