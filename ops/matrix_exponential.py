"""The exponential of matrices, which NumPy computes by scaling, a quotient of polynomials, and squaring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .matrix_forms import check_matrices, laid_out, turned
from .ordering import found_by_numpy
from .registry import Array, Sample

Value = Any
LARGEST_NORM = 5.37
"""The 1-norm up to which the quotient of order 13 is as exact as float64 is."""


def _coefficients(order: int) -> list[float]:
    """The coefficients of the numerator of the diagonal Padé quotient of exp; the denominator has alternating signs."""
    found = [1.0]
    for k in range(order):
        found.append(found[-1] * (order - k) / ((2 * order - k) * (k + 1)))
    return found


PADE = _coefficients(13)


def _meta(a: TensorType) -> TensorType:
    check_matrices("matrix_exp", a, square=True)
    return a


def exponential(a: Array) -> Array:
    """The exponentials, computed in float64.

    Source: Higham 2005, "The scaling and squaring method for the matrix exponential revisited".
    """
    wide = a.astype(np.float64)
    if not a.size:
        return laid_out(wide, a)
    with np.errstate(all="ignore"):
        norm = np.abs(wide).sum(-2).max(-1)
        halvings = np.where(norm > LARGEST_NORM, np.ceil(np.log2(np.maximum(norm, 1) / LARGEST_NORM)), 0)
        halvings = np.where(np.isfinite(norm), halvings, 0).astype(np.int64)
        scaled = wide / np.exp2(halvings)[..., None, None]
        odd, even = _halves(scaled)
        bad = ~np.isfinite(norm)[..., None, None]
        unit = np.eye(a.shape[-1])
        made = np.linalg.solve(np.where(bad, unit, even - odd), np.where(bad, unit, even + odd))
        for step in range(int(halvings.max(initial=0))):
            made = np.where((step < halvings)[..., None, None], made @ made, made)
        return laid_out(np.where(bad, np.nan, made), a)


def _halves(a: Array) -> tuple[Array, Array]:
    """The odd and the even terms of the numerator."""
    unit = np.broadcast_to(np.eye(a.shape[-1]), a.shape)
    square = a @ a
    odd, even = PADE[13] * unit, PADE[12] * unit
    for k in range(11, 0, -2):
        odd, even = odd @ square + PADE[k] * unit, even @ square + PADE[k - 1] * unit
    return np.asarray(a @ odd), np.asarray(even)


def _rule(f: Emitter, g: Value, A: Value) -> Value:
    """The cotangent of a matrix: the corner of the exponential of twice its transpose with `g` above the diagonal.

    Source: Najfeld & Havel 1995, "Derivatives of the matrix exponential and their computation".
    """
    *lead, size, _ = f.shape(A)
    back = turned(f, A)
    axis = len(lead)
    upper = f.cat(back, g, axis=axis + 1)
    nothing = f.full(value=0.0, shape=f.shape(A), dtype=f.dtype(A))
    whole = f.matrix_exp(f.cat(upper, f.cat(nothing, back, axis=axis + 1), axis=axis))
    starts = (*(0 for _ in lead), 0, size)
    return f.slice(whole, starts=starts, sizes=f.shape(A), steps=(1,) * (axis + 2))


def _samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((samples.uniform(-2, 2, (3, 3), dtype),))
    for shape in ((2, 1, 2, 2), (1, 1), (0, 2, 2), (2, 0, 0)):
        yield Sample((samples.uniform(-2, 2, shape),))
    yield Sample((samples.uniform(-9, 9, (2, 2)),))


MATRIX_EXP = found_by_numpy(
    "matrix_exp", _meta, exponential, _samples, ("A",), vjp=(_rule,), grad_name="LinalgMatrixExp", exact=False
)

__all__ = ["MATRIX_EXP"]
