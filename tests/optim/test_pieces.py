from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn, optim
from guardlift.core import dtypes
from guardlift.optim.pieces import BLOCK, SHORT, pieces

BOOLEANS = {"maximize": True, "decays": True, "nearer_to_new": False, "decoupled_weight_decay": False,
            "nesterov": True, "has_momentum": True}  # fmt: skip
NUMBERS = {"lr": 0.1, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "weight_decay": 0.1, "momentum": 0.9, "dampening": 0.2}


def run(kind: Any, rows: Sequence[tuple[np.ndarray, ...]], missing: tuple[str, ...] = ()) -> None:
    """One step of an optimizer's program over rows."""
    update = kind._update
    known = {**BOOLEANS, "amsgrad": len(rows[0]) == 5}
    booleans = {name: known[name] for name in (*update.flags, *update.conditions)}
    kept = update.kept(booleans)
    singles = {each.name: np.float32(6.0) for each in update.state if each.single}
    of = dtypes.from_numpy(rows[0][0].dtype)
    assert of is not None
    update.program(kept, (dtypes.float32,) * len(singles), of, missing, booleans).run(rows, {**NUMBERS, **singles})


def adam_step(rows: Sequence[tuple[np.ndarray, ...]]) -> None:
    run(optim.Adam, rows)


def sgd_step(rows: Sequence[tuple[np.ndarray, ...]], first: bool = False) -> None:
    run(optim.SGD, rows, ("momentum_buffer",) if first else ())


def rows_of(shapes: Sequence[tuple[int, ...]], columns: int, dtype: str = "float32") -> list[tuple[np.ndarray, ...]]:
    generator = np.random.default_rng(1)
    return [tuple(np.asarray(generator.uniform(0.1, 1, shape), dtype) for _ in range(columns)) for shape in shapes]


def copies(rows: Sequence[tuple[np.ndarray, ...]]) -> list[tuple[np.ndarray, ...]]:
    return [tuple(each.copy() for each in row) for row in rows]


def assert_same(rows: Sequence[tuple[np.ndarray, ...]], others: Sequence[tuple[np.ndarray, ...]]) -> None:
    for row, other in zip(rows, others, strict=True):
        for got, expected in zip(row, other, strict=True):
            np.testing.assert_array_equal(got, expected)


def lengths(rows: Sequence[tuple[np.ndarray, ...]]) -> list[int]:
    return [piece[0].size for piece in pieces(rows, [0], 2)]


SHAPES = [(3, 4), (), (5,), (0,), (SHORT,), (SHORT + 1,), (7, 1), (3, BLOCK), (2, 2), *[(SHORT - 1,)] * 9]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_joined_and_cut_rows_get_what_each_gets_alone(dtype: str) -> None:
    rows = rows_of(SHAPES, 5, dtype)
    alone = copies(rows)
    adam_step(rows)
    for row in alone:
        adam_step([row])
    assert_same(rows, alone)
    for first in (True, False):
        rows = rows_of(SHAPES, 3, dtype)
        alone = copies(rows)
        sgd_step(rows, first)
        for row in alone:
            sgd_step([row], first)
        assert_same(rows, alone)


def test_short_rows_are_joined_and_long_ones_cut() -> None:
    assert lengths(rows_of([(10,)] * 5, 2)) == [50]
    assert lengths(rows_of([(2 * BLOCK + 3,)], 2)) == [BLOCK, BLOCK, 3]
    assert lengths(rows_of([(10,)] * 2, 2)) == [10, 10]
    assert lengths(rows_of([(10,), (SHORT + 1,), *[(10,)] * 3], 2)) == [10, SHORT + 1, 30]
    assert lengths(rows_of([(SHORT,)] * (BLOCK // SHORT + 1), 2)) == [BLOCK, SHORT]


def test_rows_that_share_memory_are_not_joined() -> None:
    (one, grad), (two, _), (three, _) = rows_of([(4,)] * 3, 2)
    shared = np.zeros(12, np.float32)
    assert lengths([(one, grad), (two, grad), (three, grad)]) == [12]
    assert lengths([(one, grad), (two, grad), (one, grad)]) == [4, 4, 4]
    assert lengths([(shared[start : start + 4], grad) for start in (0, 4, 8)]) == [4, 4, 4]
    assert lengths([(one, grad), (two, grad), (three, one)]) == [4, 4, 4]
    assert lengths([(one, one[::-1]), (two, grad), (three, grad)]) == [4, 4, 4]
    # What the first reads is written later, joined or not.
    assert lengths([(one, three), (two, grad), (three, grad)]) == [12]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_parameter_that_is_the_gradient_of_another_is_read_in_its_turn(order: tuple[int, ...]) -> None:
    rows = rows_of([(5,)] * 3, 4)
    rows[0] = (rows[0][0], rows[2][0], *rows[0][2:])
    copied = copies(rows)
    copied[0] = (copied[0][0], copied[2][0], *copied[0][2:])
    adam_step([rows[index] for index in order])
    for index in order:
        adam_step([copied[index]])
    assert_same(rows, copied)


def test_a_parameter_that_is_listed_twice_is_stepped_twice() -> None:
    ((param, grad, first, second),) = rows_of([(6,)], 4)
    twice = [(param, grad, first, second)] * 2
    alone = copies(twice[:1])
    adam_step(twice)
    adam_step(alone)
    adam_step(alone)
    assert_same(twice[:1], alone)


def test_arrays_that_are_not_contiguous_are_updated_in_place() -> None:
    bases = rows_of([(6, 8)], 4)[0]
    views = tuple(each[::2, ::-1] for each in bases)
    outside = bases[0][1::2].copy()
    plain = copies([views])
    adam_step(plain)
    adam_step([views])
    assert_same([views], plain)
    np.testing.assert_array_equal(bases[0][1::2], outside)


@pytest.mark.parametrize("shape", [(3, 4), (SHORT + 7,)])
def test_gradients_are_never_written(shape: tuple[int, ...]) -> None:
    rows = rows_of([shape] * 3, 4)
    kept = [row[1].copy() for row in rows]
    adam_step(rows)
    sgd_step([row[:3] for row in rows])
    for row, gradient in zip(rows, kept):
        np.testing.assert_array_equal(row[1], gradient)


@pytest.mark.parametrize(("shape", "dtype"), [((3, 2), "float32"), ((2, 3), "float64")])
def test_a_state_that_no_longer_fits_its_parameter_is_refused(shape: tuple[int, ...], dtype: str) -> None:
    param = nn.Parameter(gl.ones(2, 3))
    optimizer = optim.Adam([param])
    param.grad = gl.ones(2, 3)
    optimizer.step()
    param.grad = None
    param.data = gl.ones(shape, dtype=getattr(gl, dtype))
    param.grad = gl.ones(shape, dtype=getattr(gl, dtype))
    before = param.tolist()
    with pytest.raises(RuntimeError, match=r"and its state float32 \[2, 3\]; make a new optimizer"):
        optimizer.step()
    assert param.tolist() == before


def test_read_only_memory_is_refused() -> None:
    array = np.ones(3, np.float32)
    array.flags.writeable = False
    param = nn.Parameter(gl.from_numpy(array))
    optimizer = optim.SGD([param], lr=0.1)
    param.grad = gl.ones(3)
    with pytest.raises(RuntimeError, match=r"SGD: a parameter of shape \[3\] is over read-only memory"):
        optimizer.step()
