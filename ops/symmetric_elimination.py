"""Symmetric matrices as a triangle, a matrix of blocks of one or two rows, and the triangle turned.

The form is LAPACK's (sytrf, of the lower triangle): pivots count from 1, and are negative for both rows of a block.
Source: Bunch & Kaufman 1977.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from .gamma_functions import not_implemented
from .matrix_forms import check_matrices, laid_out, packed, packed_type
from .ordering import found_by_numpy
from .registry import Array, Sample
from .solving import regular

Ints = tuple[int, ...]
GROWTH = (1 + math.sqrt(17)) / 8
"""The share of the largest element beside it from which on an element of the diagonal is taken as it is."""


# ldl: [*, n, n] -> [*, n * n + n].
def ldl_forms(shape: Ints) -> list[Ints]:
    """The forms of what is packed: the matrices, and the pivots as whole floats."""
    return [tuple(shape[-2:]), (shape[-1],)]


def _ldl_meta(a: TensorType) -> TensorType:
    check_matrices("ldl", a, square=True)
    return packed_type(a, ldl_forms(a.shape))


def symmetric_factors(a: Array) -> Array:
    """The factors of matrices, of which the lower triangle counts, and the pivots."""
    size = a.shape[-1]
    made = np.tril(a).reshape(math.prod(a.shape[:-2]), size, size).astype(a.dtype)
    pivots = np.empty((len(made), size), np.int64)
    with np.errstate(all="ignore"):
        for matrix, found in zip(made, pivots, strict=True):
            _factor(matrix, found)
    lead = a.shape[:-2]
    return packed([each.reshape(*lead, *each.shape[1:]) for each in (made, pivots)], lead, a)


def _factor(a: Array, pivots: Array) -> None:
    """Writes the factor of one matrix over its lower triangle."""
    size, k = len(a), 0
    while k < size:
        place, step = _pivot(a, k)
        last = k + step - 1
        if place != last:
            _exchange(a, k, last, place)
        rest = slice(k + step, size)
        if step == 1:
            pivots[k] = place + 1
            if a[k, k] != 0:
                column = a[rest, k] / a[k, k]
                a[rest, rest] -= np.tril(np.outer(a[rest, k], column))
                a[rest, k] = column
        else:
            pivots[k : k + 2] = -(place + 1)
            off = a[k + 1, k]
            upper, lower = a[k, k] / off, a[k + 1, k + 1] / off
            scale = 1 / (upper * lower - 1) / off
            first = scale * (lower * a[rest, k] - a[rest, k + 1])
            second = scale * (upper * a[rest, k + 1] - a[rest, k])
            a[rest, rest] -= np.tril(np.outer(a[rest, k], first) + np.outer(a[rest, k + 1], second))
            a[rest, k], a[rest, k + 1] = first, second
        k += step


def _pivot(a: Array, k: int) -> tuple[int, int]:
    """The row that comes next, and whether one or two are taken at once."""
    own = abs(a[k, k])
    column = np.abs(a[k + 1 :, k])
    if not len(column):
        return k, 1
    row = k + 1 + int(np.argmax(column))
    largest = column[row - k - 1]
    # What is no number compares as less, and is taken as it is.
    if not max(own, largest) > 0 or own != own or own >= GROWTH * largest:
        return k, 1
    beside = max(np.abs(a[row, k:row]).max(), np.abs(a[row + 1 :, row]).max(initial=0.0))
    if own >= GROWTH * largest * (largest / beside):
        return k, 1
    return row, 1 if abs(a[row, row]) >= GROWTH * beside else 2


def _exchange(a: Array, k: int, last: int, place: int) -> None:
    """Exchanges two rows, and the columns of the same numbers, of what is left of a symmetric matrix."""
    _swap(a[place + 1 :, last], a[place + 1 :, place])
    _swap(a[last + 1 : place, last], a[place, last + 1 : place])
    a[last, last], a[place, place] = a[place, place], a[last, last]
    if last > k:
        a[last, k], a[place, k] = a[place, k], a[last, k]


def _swap(one: Array, other: Array) -> None:
    held = one.copy()
    one[...] = other
    other[...] = held


def _samples() -> Iterable[Sample]:
    for shape in ((3, 3), (2, 4, 4), (0, 2, 2), (1, 1)):
        yield Sample((regular(*shape),))
    yield Sample((regular(3, 3, dtype=dtypes.float32),))
    yield Sample((np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 3.0], [0.5, 3.0, 0.0]]),))
    yield Sample((np.zeros((3, 3)),))


LDL = found_by_numpy("ldl", _ldl_meta, symmetric_factors, _samples, ("A",), vjp=(not_implemented("ldl_factor", "A"),))


# ldl_solve: [*, n, n], int32[*, n], [*, n, k] -> [*, n, k]
def _solve_meta(factors: TensorType, pivots: TensorType, right: TensorType) -> TensorType:
    check_matrices("ldl_solve", factors, right, square=True)
    if not pivots.dtype.is_integer or pivots.shape != factors.shape[:-1] or right.shape[-2] != factors.shape[-1]:
        raise OpError(f"ldl_solve takes [*, n, n], integers [*, n] and [*, n, k], got {factors}, {pivots} and {right}")
    return right


def symmetric_solutions(factors: Array, pivots: Array, right: Array) -> Array:
    """The solutions, by what `symmetric_factors` gave."""
    made = laid_out(right, right)
    lead = math.prod(factors.shape[:-2])
    matrices = factors.reshape(lead, *factors.shape[-2:])
    rows = np.asarray(pivots, np.int64).reshape(lead, pivots.shape[-1])
    with np.errstate(all="ignore"):
        for a, order, b in zip(matrices, rows, made.reshape(lead, *made.shape[-2:]), strict=True):
            _substitute(a, order, b)
    return made


def _substitute(a: Array, pivots: Array, b: Array) -> None:
    """Writes the solution of one system over its right side."""
    size = len(a)
    places = np.clip(np.abs(pivots) - 1, 0, size - 1)
    blocks, k = [], 0
    while k < size:
        step = 2 if pivots[k] < 0 and k + 1 < size else 1
        blocks.append((k, step))
        k += step
    for k, step in blocks:
        last, rest = k + step - 1, slice(k + step, size)
        b[[last, places[k]]] = b[[places[k], last]]
        b[rest] -= a[rest, k : k + step] @ b[k : k + step]
        if step == 1:
            b[k] /= a[k, k]
            continue
        off = a[k + 1, k]
        upper, lower, one, other = a[k, k] / off, a[k + 1, k + 1] / off, b[k] / off, b[k + 1] / off
        scale = upper * lower - 1
        b[k], b[k + 1] = (lower * one - other) / scale, (upper * other - one) / scale
    for k, step in reversed(blocks):
        last, rest = k + step - 1, slice(k + step, size)
        b[k : k + step] -= a[rest, k : k + step].T @ b[rest]
        b[[last, places[k]]] = b[[places[k], last]]


def _solve_samples() -> Iterable[Sample]:
    yield Sample((regular(3, 3), np.array([1, 2, 3], np.int32), regular(3, 2)))
    yield Sample((regular(3, 3), np.array([-2, -2, 3], np.int32), regular(3, 1)))
    yield Sample((regular(2, 3, 3), np.array([[1, 3, 3], [1, -3, -3]], np.int32), regular(2, 3, 2)))


LDL_SOLVE = found_by_numpy(
    "ldl_solve",
    _solve_meta,
    symmetric_solutions,
    _solve_samples,
    ("LD", "pivots", "B"),
    vjp=(not_implemented("ldl_solve", "LD"), None, lambda f, g, LD, pivots: f.ldl_solve(LD, pivots, g)),  # noqa: N803
)

__all__ = ["LDL", "LDL_SOLVE", "ldl_forms"]
