"""Factorisations of matrices, which NumPy's LAPACK finds. Several factors of one matrix are packed side by side.

An error of LAPACK's is NumPy's LinAlgError here; the surface turns it into PyTorch's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.types import TensorType
from . import samples
from .diagonals import on_diagonal
from .emitter import Emitter
from .matrix_forms import (
    as_column,
    as_row,
    below,
    check_matrices,
    is_diagonal,
    laid_out,
    minus_turned,
    packed,
    packed_type,
    plus_turned,
    turned,
    unpacked,
)
from .matrix_info import one_by_one
from .ordering import found_by_numpy
from .registry import Array, Sample
from .solving import regular

Value = Any
Ints = tuple[int, ...]


def symmetric(*shape: int, dtype: Any = dtypes.float64, seed: int = 0) -> Array:
    """Symmetric matrices with positive eigenvalues that lie apart, for samples."""
    made = regular(*shape, dtype=dtype, seed=seed)
    return np.asarray((made + np.swapaxes(made, -1, -2)) / 2)


def _symmetric_samples(**attrs: Any) -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield samples.with_attrs((symmetric(3, 3, dtype=dtype),), **attrs)
    for shape in ((2, 1, 2, 2), (1, 1), (0, 2, 2), (2, 0, 0)):
        yield samples.with_attrs((symmetric(*shape),), **attrs)


# cholesky: [*, n, n] -> [*, n, n], lower triangles L with L Lᵀ = A, of which only the lower triangle is read.
# quiet: what has none gives NaN.
def _cholesky_meta(a: TensorType, *, quiet: bool) -> TensorType:
    check_matrices("cholesky", a, square=True)
    return a


def lower_factor(a: Array, *, quiet: bool) -> Array:
    """The lower triangles. Errors: NumPy's LinAlgError where one is not positive-definite, unless `quiet`."""
    try:
        return laid_out(np.linalg.cholesky(a), a)
    except np.linalg.LinAlgError:
        if not quiet:
            raise
        return one_by_one(np.linalg.cholesky, a)


def _cholesky_rule(f: Emitter, g: Value, result: Value) -> Value:
    """The symmetric cotangent of a matrix.

    Source: Murray 2016, "Differentiation of the Cholesky decomposition".
    """
    size = f.shape(result)[-1]
    inner = below(f, f.matmul(turned(f, result), g))
    inner = f.where(is_diagonal(f, size), f.multiply(inner, 0.5), inner)
    inner = plus_turned(f, inner)
    # L⁻ᵀ X L⁻¹, X being symmetric: twice the same substitution, with a transpose in between.
    back = turned(f, result)
    half = f.solve_triangular(back, inner, upper=True, unit=False)
    whole = f.solve_triangular(back, turned(f, half), upper=True, unit=False)
    return f.multiply(whole, 0.5)


CHOLESKY = found_by_numpy(
    "cholesky",
    _cholesky_meta,
    lower_factor,
    lambda: [*_symmetric_samples(quiet=False), samples.with_attrs((symmetric(3, 3),), quiet=True)],
    ("A",),
    vjp=(_cholesky_rule,),
    grad_name="LinalgCholeskyEx",
)


# eigh: [*, n, n] -> [*, n + n * n], eigenvalues in order and their vectors, columns. It reads lower triangles.
def _eigh_forms(shape: Ints) -> list[Ints]:
    return [(shape[-1],), (shape[-1], shape[-1])]


def _eigh_meta(a: TensorType) -> TensorType:
    check_matrices("eigh", a, square=True)
    return packed_type(a, _eigh_forms(a.shape))


def eigen_pairs(a: Array) -> Array:
    """The eigenvalues, and then the vectors."""
    return packed(np.linalg.eigh(a), a.shape[:-2], a)


def divided(f: Emitter, x: Value, distance: Value) -> Value:
    """`x` by differences of eigenvalues: infinite where those are 0, unless nothing came there."""
    nothing = f.bitwise_and(f.equal(distance, 0.0), f.equal(x, 0.0))
    return f.where(nothing, 0.0, f.divide(x, f.where(nothing, 1.0, distance)))


def _eigh_rule(f: Emitter, g: Value, shapes: Any, result: Value) -> Value:
    """The symmetric cotangent of a matrix: of vectors it goes by the differences of eigenvalues.

    Source: Giles 2008, section 3.1.
    """
    forms = _eigh_forms(shapes[0])
    (values, vectors), (g_values, g_vectors) = unpacked(f, result, forms), unpacked(f, g, forms)
    back = turned(f, vectors)
    diagonal = is_diagonal(f, shapes[0][-1])
    distance = f.where(diagonal, 1.0, f.subtract(as_row(f, values), as_column(f, values)))
    inner = divided(f, f.multiply(minus_turned(f, f.matmul(back, g_vectors)), 0.5), distance)
    inner = f.where(diagonal, as_row(f, g_values), inner)
    return f.matmul(f.matmul(vectors, inner), back)


EIGH = found_by_numpy(
    "eigh", _eigh_meta, eigen_pairs, _symmetric_samples, ("A",), vjp=(_eigh_rule,), grad_name="LinalgEigh"
)


# eigvalsh: [*, n, n] -> [*, n], the eigenvalues alone. What asks for gradients takes those of eigh.
def _eigvalsh_meta(a: TensorType) -> TensorType:
    check_matrices("eigvalsh", a, square=True)
    return a.with_shape(a.shape[:-1])


def eigenvalues(a: Array) -> Array:
    """The eigenvalues, in order."""
    return laid_out(np.linalg.eigvalsh(a), a)


EIGVALSH = found_by_numpy("eigvalsh", _eigvalsh_meta, eigenvalues, _symmetric_samples, ("A",))


# qr: [*, m, n] -> [*, m * k + k * n] of k = min(m, n), Q and R of A = Q R; "complete": k = m. "r": R alone, [*, k * n].
def qr_forms(shape: Ints, mode: str) -> list[Ints]:
    """The forms of the factors that are packed."""
    rows, columns = shape[-2:]
    inner = rows if mode == "complete" else min(rows, columns)
    return [(inner, columns)] if mode == "r" else [(rows, inner), (inner, columns)]


def _qr_meta(a: TensorType, *, mode: str) -> TensorType:
    check_matrices("qr", a)
    return packed_type(a, qr_forms(a.shape, mode))


def orthogonal_and_triangle(a: Array, *, mode: str) -> Array:
    """Q and R, or R alone."""
    found: Any = np.linalg.qr(a, mode)  # type: ignore[call-overload]
    return packed((found,) if mode == "r" else found, a.shape[:-2], a)


def _qr_rule(f: Emitter, g: Value, A: Value, result: Value, *, mode: str) -> Value:
    """The cotangent of a matrix.

    Of one that is wider than high, the part on the right is Q times that of R, and has nothing to say in Q.
    Errors: RuntimeError where Q has columns that the matrix does not decide, or is not there.
    Source: Roberts & Roberts 2020, "QR and LQ decomposition matrix backpropagation algorithms".
    """
    if mode != "reduced":
        raise RuntimeError(
            "The QR decomposition is not differentiable when mode='r', or when mode='complete' and nrows > ncols; take "
            "mode='reduced'"
        )
    shape = f.shape(A)
    rows, columns = shape[-2:]
    (q, r), (g_q, g_r) = unpacked(f, result, qr_forms(shape, mode)), unpacked(f, g, qr_forms(shape, mode))
    if columns <= rows:
        return _square_qr_rule(f, g_q, g_r, q, r)
    right = _columns(f, A, rows, columns)
    g_right = _columns(f, g_r, rows, columns)
    g_q = f.add(g_q, f.matmul(right, turned(f, g_right)))
    left = _square_qr_rule(f, g_q, _columns(f, g_r, 0, rows), q, _columns(f, r, 0, rows))
    return f.cat(left, f.matmul(q, g_right), axis=len(shape) - 1)


def _square_qr_rule(f: Emitter, g_q: Value, g_r: Value, q: Value, r: Value) -> Value:
    inner = f.subtract(f.matmul(r, turned(f, g_r)), f.matmul(turned(f, g_q), q))
    symmetric_part = f.add(below(f, inner), turned(f, below(f, inner, -1)))
    whole = f.add(g_q, f.matmul(q, symmetric_part))
    # X R⁻ᵀ = (R⁻¹ Xᵀ)ᵀ
    return turned(f, f.solve_triangular(r, turned(f, whole), upper=True, unit=False))


def _columns(f: Emitter, x: Value, start: int, end: int) -> Value:
    *lead, _ = f.shape(x)
    return f.slice(x, starts=(*(0 for _ in lead), start), sizes=(*lead, end - start), steps=(1,) * (len(lead) + 1))


def _qr_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield samples.with_attrs((regular(3, 2, dtype=dtype),), mode="reduced")
    for shape in ((3, 3), (2, 3), (2, 3, 2), (0, 2, 2), (2, 0)):
        yield samples.with_attrs((regular(*shape),), mode="reduced")


QR = found_by_numpy("qr", _qr_meta, orthogonal_and_triangle, _qr_samples, ("A",), vjp=(_qr_rule,), grad_name="LinalgQr")


# svd: [*, m, n] -> U, S and Vᵀ of A = U diag(S) Vᵀ, packed. full: U and V are square.
def svd_forms(shape: Ints, full: bool) -> list[Ints]:
    """The forms of the factors that are packed."""
    rows, columns = shape[-2:]
    inner = min(rows, columns)
    return [(rows, rows if full else inner), (inner,), (columns if full else inner, columns)]


def _svd_meta(a: TensorType, *, full: bool) -> TensorType:
    check_matrices("svd", a)
    return packed_type(a, svd_forms(a.shape, full))


def singular_factors(a: Array, *, full: bool) -> Array:
    """U, S and Vᵀ."""
    return packed(np.linalg.svd(a, full_matrices=full), a.shape[:-2], a)


def _svd_rule(f: Emitter, g: Value, shapes: Any, result: Value, *, full: bool) -> Value:
    """The cotangent of a matrix. Of square factors the vectors count that belong to a singular value.

    Source: Townsend 2016, "Differentiating the singular value decomposition".
    """
    shape = shapes[0]
    rows, columns = shape[-2:]
    inner = min(rows, columns)
    (u, s, vh), (g_u, g_s, g_vh) = (unpacked(f, each, svd_forms(shape, full)) for each in (result, g))
    if full:
        u, g_u = (_columns(f, each, 0, inner) for each in (u, g_u))
        vh, g_vh = (turned(f, _columns(f, turned(f, each), 0, inner)) for each in (vh, g_vh))
    row, column = as_row(f, s), as_column(f, s)
    diagonal = is_diagonal(f, inner)
    distance = f.multiply(f.subtract(row, column), f.add(row, column))
    distance = f.where(diagonal, 1.0, distance)
    of_u = f.multiply(divided(f, minus_turned(f, f.matmul(turned(f, u), g_u)), distance), row)
    of_v = f.multiply(divided(f, minus_turned(f, f.matmul(vh, turned(f, g_vh))), distance), column)
    core = f.add(f.add(of_u, of_v), on_diagonal(f, g_s, (*shape[:-2], inner, inner), 0))
    left = f.matmul(u, core)
    if rows > inner:
        scaled = f.divide(g_u, row)
        left = f.add(left, f.subtract(scaled, f.matmul(u, f.matmul(turned(f, u), scaled))))
    whole = f.matmul(left, vh)
    if columns > inner:
        scaled = f.divide(g_vh, column)
        rest = f.subtract(scaled, f.matmul(f.matmul(scaled, turned(f, vh)), vh))
        whole = f.add(whole, f.matmul(u, rest))
    return whole


def _svd_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield samples.with_attrs((regular(3, 2, dtype=dtype),), full=False)
    for shape in ((3, 3), (2, 3), (2, 3, 2), (0, 2, 2), (2, 0)):
        yield samples.with_attrs((regular(*shape),), full=False)


SVD = found_by_numpy("svd", _svd_meta, singular_factors, _svd_samples, ("A",), vjp=(_svd_rule,), grad_name="LinalgSvd")


# svdvals: [*, m, n] -> [*, min(m, n)], the singular values alone. What asks for gradients takes those of svd.
def _svdvals_meta(a: TensorType) -> TensorType:
    check_matrices("svdvals", a)
    return a.with_shape((*a.shape[:-2], min(a.shape[-2:])))


def singular_values(a: Array) -> Array:
    """The singular values, the largest first."""
    return laid_out(np.linalg.svd(a, compute_uv=False), a)


def _svdvals_samples() -> Iterable[Sample]:
    return [Sample(each.args) for each in _svd_samples()]


SVDVALS = found_by_numpy("svdvals", _svdvals_meta, singular_values, _svdvals_samples, ("A",))

__all__ = ["CHOLESKY", "EIGH", "EIGVALSH", "QR", "SVD", "SVDVALS", "qr_forms", "svd_forms"]
