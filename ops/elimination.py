"""Elimination with exchanges of rows, for which NumPy has no function: a lower and an upper triangle of each matrix."""

# Note [Elimination]
# ``A[order] = L @ U``: at each column the row with the largest element comes to the front. One op gives L and U in one
# matrix, below and above the diagonal, the rows that were exchanged, counted from 1 as LAPACK does, and `order`, all
# side by side: the numbers of rows are whole floats. Panels of columns are gone through one by one, for all matrices of
# a batch at once; what lies right of a panel takes a product of matrices.

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .matrix_forms import above, as_row, below, check_matrices, packed, packed_type, turned, unpacked
from .ordering import found_by_numpy
from .registry import Array, Sample
from .solving import regular, triangular_solution

Value = Any
Ints = tuple[int, ...]
PANEL = 16
"""Columns that are gone through one by one."""


# lu: [*, m, n] -> [*, m * n + k + m], k = min(m, n). See Note [Elimination].
def lu_forms(shape: Ints) -> list[Ints]:
    """The forms of what is packed."""
    rows, columns = shape[-2:]
    return [(rows, columns), (min(rows, columns),), (rows,)]


def _lu_meta(a: TensorType) -> TensorType:
    check_matrices("lu", a)
    return packed_type(a, lu_forms(a.shape))


def eliminated(a: Array) -> Array:
    """Triangles, exchanged rows, and the order of rows."""
    rows, columns = a.shape[-2:]
    made = np.array(a, order="C").reshape(math.prod(a.shape[:-2]), rows, columns)
    inner = min(rows, columns)
    batch = np.arange(len(made))
    swaps = np.empty((len(made), inner), np.int64)
    order = np.tile(np.arange(rows), (len(made), 1))
    with np.errstate(all="ignore"):
        for start in range(0, inner, PANEL):
            stop = min(start + PANEL, inner)
            for k in range(start, stop):
                best = k + np.argmax(np.abs(made[:, k:, k]), axis=1)
                swaps[:, k] = best + 1
                for each in (made, order):
                    front = each[:, k].copy()
                    each[:, k] = each[batch, best]
                    each[batch, best] = front
                pivot = made[:, k, k, None]
                made[:, k + 1 :, k] /= np.where(pivot == 0, 1, pivot)
                made[:, k + 1 :, k + 1 : stop] -= made[:, k + 1 :, k, None] * made[:, k, None, k + 1 : stop]
            if stop < columns:
                corner, right = made[:, start:stop, start:stop], made[:, start:stop, stop:]
                right[...] = triangular_solution(corner, right, upper=False, unit=True)
                made[:, stop:, stop:] -= made[:, stop:, start:stop] @ right
    lead = a.shape[:-2]
    return packed([each.reshape(*lead, *each.shape[1:]) for each in (made, swaps, order)], lead, a)


def _lu_rule(f: Emitter, g: Value, shapes: Any, result: Value) -> Value:
    """The cotangent of a matrix.

    Source: the differentials of A = P L U, in each of the three forms that a matrix may have.
    """
    shape = shapes[0]
    rows, columns = shape[-2:]
    inner = min(rows, columns)
    whole, _, order = unpacked(f, result, lu_forms(shape))
    slopes = unpacked(f, g, lu_forms(shape))[0]
    square = _block(f, whole, (0, inner), (0, inner))
    # The triangle below has ones on its diagonal, which are not stored.
    g_square = _block(f, slopes, (0, inner), (0, inner))
    under, over = below(f, g_square, -1), above(f, g_square, 0)
    back_l, back_u, upper = turned(f, square), turned(f, square), above(f, square, 0)
    in_lower = f.add(f.matmul(turned(f, below(f, square, -1)), under), under)
    in_upper = f.matmul(over, turned(f, upper))
    right = low = None
    if columns > rows:
        right = _block(f, slopes, (0, rows), (rows, columns))
        in_lower = f.subtract(in_lower, f.matmul(right, turned(f, _block(f, whole, (0, rows), (rows, columns)))))
    if rows > columns:
        low = _block(f, slopes, (columns, rows), (0, columns))
        in_upper = f.subtract(in_upper, f.matmul(turned(f, _block(f, whole, (columns, rows), (0, columns))), low))
    core = f.add(below(f, in_lower, -1), above(f, in_upper, 0))
    core = f.solve_triangular(back_l, core, upper=True, unit=True)
    core = turned(f, f.solve_triangular(square, turned(f, core), upper=True, unit=False))
    axes = len(shape)
    if right is not None:
        core = f.cat(core, f.solve_triangular(back_u, right, upper=True, unit=True), axis=axes - 1)
    if low is not None:
        core = f.cat(core, turned(f, f.solve_triangular(square, turned(f, low), upper=True, unit=False)), axis=axes - 2)
    place = f.reshape(f.arange(start=0, step=1, size=rows, dtype=f.dtype(order)), shape=(rows, 1))
    return f.matmul(f.cast(f.equal(as_row(f, order), place), dtype=f.dtype(core)), core)


def _block(f: Emitter, x: Value, rows: Ints, columns: Ints) -> Value:
    *lead, height, width = f.shape(x)
    if (rows, columns) == ((0, height), (0, width)):
        return x
    starts = (*(0 for _ in lead), rows[0], columns[0])
    sizes = (*lead, rows[1] - rows[0], columns[1] - columns[0])
    return f.slice(x, starts=starts, sizes=sizes, steps=(1,) * len(starts))


def _lu_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((regular(3, 3, dtype=dtype),))
    for shape in ((3, 2), (2, 3), (2, 3, 2), (0, 2, 2), (20, 18)):
        yield Sample((regular(*shape),))


LU = found_by_numpy("lu", _lu_meta, eliminated, _lu_samples, ("A",), vjp=(_lu_rule,), grad_name="LinalgLuFactorEx")


# row_order: int[*, k] -> int64[*, rows], the order of rows that exchanges, counted from 1, bring about.
def _order_meta(swaps: TensorType, *, rows: int) -> TensorType:
    if swaps.rank < 1 or not swaps.dtype.is_integer:
        raise OpError(f"row_order takes integers [*, k], got {swaps}")
    return TensorType((*swaps.shape[:-1], rows), dtypes.int64)


def order_of_rows(swaps: Array, *, rows: int) -> Array:
    """The orders. A row that there is not is the nearest one."""
    flat = np.clip(np.asarray(swaps, np.int64).reshape(-1, swaps.shape[-1]) - 1, 0, rows - 1)
    order, batch = np.tile(np.arange(rows), (len(flat), 1)), np.arange(len(flat))
    for k in range(flat.shape[1]):
        front = order[:, k].copy()
        order[:, k] = order[batch, flat[:, k]]
        order[batch, flat[:, k]] = front
    return order.reshape(*swaps.shape[:-1], rows)


ROW_ORDER = found_by_numpy(
    "row_order",
    _order_meta,
    order_of_rows,
    lambda: [
        samples.with_attrs((np.array([[2, 2, 3], [3, 3, 3]], np.int32),), rows=3),
        samples.with_attrs((np.array([3, 2], np.int32),), rows=4),
    ],
    ("pivots",),
)

__all__ = ["LU", "ROW_ORDER", "lu_forms"]
