"""Linear equations, inverses and determinants, which NumPy's LAPACK finds. All take batches of matrices.

An error of LAPACK's is NumPy's LinAlgError here; the surface turns it into PyTorch's.
Source: Giles 2008, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .matrix_forms import above, below, check_matrices, laid_out, sum_of_product, turned
from .matrix_info import one_by_one
from .ordering import found_by_numpy
from .registry import Array, Sample

Value = Any


def regular(*shape: int, dtype: Any = dtypes.float64, seed: int = 0) -> Array:
    """Matrices far from singular, for samples."""
    made = samples.uniform(-1.0, 1.0, shape, dtype, seed)
    for k in range(min(shape[-2:])):
        made[..., k, k] += 2.5 + 0.5 * k
    return made


# solve: [*, n, n] and [*, n, k] -> [*, n, k], the X of A X = B. quiet: what a singular A gives is NaN.
def _solve_meta(a: TensorType, b: TensorType, *, quiet: bool = False) -> TensorType:
    check_matrices("solve", a, b, square=True)
    if a.shape[-1] != b.shape[-2]:
        raise OpError(f"solve takes as many rows on both sides, got {a} and {b}")
    return b


def solution(a: Array, b: Array, *, quiet: bool = False) -> Array:
    """The X of A X = B. Errors: NumPy's LinAlgError where A is singular, unless `quiet`."""
    try:
        return laid_out(np.linalg.solve(a, b), b)
    except np.linalg.LinAlgError:
        if not quiet:
            raise
        return one_by_one(np.linalg.solve, a, b)


def _solve_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((regular(3, 3, dtype=dtype), samples.uniform(-2, 2, (3, 2), dtype, 1)))
    yield Sample((regular(2, 1, 2, 2), samples.uniform(-2, 2, (2, 1, 2, 3), seed=1)))
    yield Sample((regular(0, 2, 2), samples.uniform(-2, 2, (0, 2, 3))))
    yield Sample((np.zeros((2, 0, 0)), np.zeros((2, 0, 3))))


SOLVE = found_by_numpy(
    "solve",
    _solve_meta,
    solution,
    lambda: [*_solve_samples(), samples.with_attrs((regular(3, 3), samples.uniform(-2, 2, (3, 2))), quiet=True)],
    ("A", "B"),
    vjp=(
        lambda f, g, A, result: f.negative(f.matmul(f.solve(turned(f, A), g), turned(f, result))),
        lambda f, g, A: f.solve(turned(f, A), g),
    ),
    grad_name="LinalgSolveEx",
)


# solve_triangular: as solve, where A is read as a triangle, with ones on the diagonal if `unit`.
def _triangular_meta(a: TensorType, b: TensorType, *, upper: bool, unit: bool) -> TensorType:
    return _solve_meta(a, b)


def triangular_solution(a: Array, b: Array, *, upper: bool, unit: bool) -> Array:
    """The X of A X = B, by substitution: nothing is raised, a zero on the diagonal makes infinities."""
    made = np.array(b, order="C")
    with np.errstate(all="ignore"):
        _substitute(a, made, upper, unit)
    return made


SUBSTITUTED_AT_ONCE = 16
"""Rows of a triangle that are gone through one by one; larger ones are halved, with a matrix product in between."""


def _substitute(a: Array, x: Array, upper: bool, unit: bool) -> None:
    """Turns `x`, which holds the right side, into the solution."""
    size = a.shape[-1]
    if size > SUBSTITUTED_AT_ONCE:
        half = size // 2
        first, second = (slice(half, None), slice(0, half)) if upper else (slice(0, half), slice(half, None))
        _substitute(a[..., first, first], x[..., first, :], upper, unit)
        x[..., second, :] -= a[..., second, first] @ x[..., first, :]
        _substitute(a[..., second, second], x[..., second, :], upper, unit)
        return
    for k in reversed(range(size)) if upper else range(size):
        if not unit:
            x[..., k, :] /= a[..., k, k, None]
        rest = slice(0, k) if upper else slice(k + 1, None)
        x[..., rest, :] -= a[..., rest, k, None] * x[..., k, None, :]


def _triangle(f: Emitter, x: Value, upper: bool, unit: bool) -> Value:
    if upper:
        return above(f, x, 1 if unit else 0)
    return below(f, x, -1 if unit else 0)


def _triangular_rule(f: Emitter, g: Value, A: Value, result: Value, *, upper: bool, unit: bool) -> Value:
    back = f.solve_triangular(turned(f, A), g, upper=not upper, unit=unit)
    return f.negative(_triangle(f, f.matmul(back, turned(f, result)), upper, unit))


def _triangular_samples() -> Iterable[Sample]:
    for upper in (False, True):
        for unit in (False, True):
            for each in _solve_samples():
                yield samples.with_attrs(each.args, upper=upper, unit=unit)
    yield samples.with_attrs((regular(40, 40), samples.uniform(-2, 2, (40, 1))), upper=True, unit=False)


SOLVE_TRIANGULAR = found_by_numpy(
    "solve_triangular",
    _triangular_meta,
    triangular_solution,
    _triangular_samples,
    ("A", "B"),
    vjp=(
        _triangular_rule,
        lambda f, g, A, *, upper, unit: f.solve_triangular(turned(f, A), g, upper=not upper, unit=unit),
    ),
    grad_name="LinalgSolveTriangular",
    exact=False,
)


# inverse: [*, n, n] -> [*, n, n]. quiet: what a singular one gives is NaN.
def _inverse_meta(a: TensorType, *, quiet: bool = False) -> TensorType:
    check_matrices("inverse", a, square=True)
    return a


def inverse_matrix(a: Array, *, quiet: bool = False) -> Array:
    """The inverses. Errors: NumPy's LinAlgError where one is singular, unless `quiet`."""
    try:
        return laid_out(np.linalg.inv(a), a)
    except np.linalg.LinAlgError:
        if not quiet:
            raise
        return one_by_one(np.linalg.inv, a)


def _inverse_rule(f: Emitter, g: Value, result: Value) -> Value:
    back = turned(f, result)
    return f.negative(f.matmul(f.matmul(back, g), back))


def _square_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield Sample((regular(3, 3, dtype=dtype),))
    yield Sample((regular(2, 1, 2, 2),))
    yield Sample((regular(1, 1),))
    yield Sample((np.zeros((0, 2, 2)),))
    yield Sample((np.zeros((2, 0, 0)),))


INVERSE = found_by_numpy(
    "inverse", _inverse_meta, inverse_matrix, _square_samples, ("A",), vjp=(_inverse_rule,), grad_name="LinalgInvEx"
)


# det: [*, n, n] -> [*]. Of a singular matrix too the derivative is that of the polynomial which the determinant is.
def _det_meta(a: TensorType) -> TensorType:
    check_matrices("det", a, square=True)
    return a.with_shape(a.shape[:-2])


def determinant(a: Array) -> Array:
    """The determinants."""
    return laid_out(np.linalg.det(a), a)


def _det_rule(f: Emitter, g: Value, A: Value) -> Value:
    return f.multiply(f.reshape(g, shape=(*f.shape(g), 1, 1)), f.cofactors(A))


DET = found_by_numpy("det", _det_meta, determinant, _square_samples, ("A",), vjp=(_det_rule,), grad_name="LinalgDet")


# cofactors: [*, n, n] -> [*, n, n], the derivative of the determinant by each element.
def cofactor_matrix(a: Array) -> Array:
    """The cofactors, through singular values: of each its product with the others."""
    u, s, vh, turns = _signed_factors(a)
    before, after = np.ones_like(s), np.ones_like(s)
    before[..., 1:] = np.cumprod(s[..., :-1], -1)
    after[..., :-1] = np.cumprod(s[..., :0:-1], -1)[..., ::-1]
    return laid_out(turns * ((u * (before * after)[..., None, :]) @ vh), a)


def _signed_factors(a: Array) -> tuple[Array, Array, Array, Array]:
    """U, S and Vᵀ, and the sign of the determinants of U and V: NaN for a matrix that is not finite."""
    finite = np.isfinite(a).all((-1, -2), keepdims=True)
    u, s, vh = np.linalg.svd(np.where(finite, a, np.eye(a.shape[-1], dtype=a.dtype)))
    turns = np.rint(np.linalg.det(u) * np.linalg.det(vh)).astype(a.dtype)[..., None, None]
    return u, s, vh, np.where(finite, turns, np.nan).astype(a.dtype)


COFACTORS = found_by_numpy(
    "cofactors",
    _inverse_meta,
    cofactor_matrix,
    _square_samples,
    ("A",),
    vjp=(lambda f, g, A: f.cofactor_slopes(A, g),),
    grad_name="LinalgDet",
)


# cofactor_slopes: [*, n, n] and [*, n, n] -> [*, n, n], the second derivative of the determinant along the second one.
def _slopes_meta(a: TensorType, direction: TensorType) -> TensorType:
    check_matrices("cofactor_slopes", a, direction, square=True)
    if a.shape != direction.shape:
        raise OpError(f"cofactor_slopes takes two matrices of one shape, got {a} and {direction}")
    return a


def slopes_of_cofactors(a: Array, direction: Array) -> Array:
    """The change of the cofactors, through singular values, so that none is divided by.

    Of a diagonal matrix, the second derivative by elements (i, i) and (k, k) is the product of the other values on the
    diagonal, that by (i, k) and (k, i) is minus it, and all others are 0.
    """
    u, s, vh, turns = _signed_factors(a)
    size = s.shape[-1]
    others = np.zeros(a.shape, a.dtype)
    for i in range(size):
        for k in range(i):
            others[..., i, k] = others[..., k, i] = np.prod(np.delete(s, (i, k), -1), -1)
    inner = np.swapaxes(u, -1, -2) @ direction @ np.swapaxes(vh, -1, -2)
    diagonal = (others @ np.diagonal(inner, axis1=-2, axis2=-1)[..., None]) * np.eye(size, dtype=a.dtype)
    return laid_out(turns * (u @ (diagonal - others * np.swapaxes(inner, -1, -2)) @ vh), a)


def _slopes_rule(f: Emitter, g: Value, A: Value, other: Value) -> Value:
    """The cotangent of the matrix, the third derivative of the determinant. Errors: LinAlgError for a singular one."""
    back = turned(f, f.inverse(A))
    along, across = (f.matmul(f.matmul(back, turned(f, each)), back) for each in (other, g))
    one, two = (sum_of_product(f, each, back) for each in (other, g))
    product = f.subtract(f.multiply(one, two), sum_of_product(f, g, along))
    both = f.add(f.matmul(f.matmul(along, turned(f, g)), back), f.matmul(f.matmul(across, turned(f, other)), back))
    inner = f.add(f.multiply(two, along), f.multiply(one, across))
    whole = f.add(f.subtract(f.multiply(back, product), inner), both)
    lead = f.shape(A)[:-2]
    return f.multiply(f.reshape(f.det(A), shape=(*lead, 1, 1)), whole)


COFACTOR_SLOPES = found_by_numpy(
    "cofactor_slopes",
    _slopes_meta,
    slopes_of_cofactors,
    lambda: [Sample((*each.args, np.flip(each.args[0], -1).copy())) for each in _square_samples()],
    ("A", "other"),
    vjp=(_slopes_rule, lambda f, g, A: f.cofactor_slopes(A, g)),
    grad_name="LinalgDet",
)


# slogdet: [*, n, n] -> [*, 2], the sign of the determinant and the logarithm of its size.
def _slogdet_meta(a: TensorType) -> TensorType:
    check_matrices("slogdet", a, square=True)
    return a.with_shape((*a.shape[:-2], 2))


def sign_and_logarithm(a: Array) -> Array:
    """The sign and the logarithm: 0 and minus infinity for singular matrices."""
    return laid_out(np.stack(np.linalg.slogdet(a), -1), a)


def _slogdet_rule(f: Emitter, g: Value, A: Value) -> Value:
    lead = f.shape(g)[:-1]
    none = (0,) * len(lead)
    part = f.slice(g, starts=(*none, 1), sizes=(*lead, 1), steps=(1,) * (len(lead) + 1))
    return f.multiply(f.reshape(part, shape=(*lead, 1, 1)), turned(f, f.inverse(A)))


SLOGDET = found_by_numpy(
    "slogdet",
    _slogdet_meta,
    sign_and_logarithm,
    _square_samples,
    ("A",),
    vjp=(_slogdet_rule,),
    grad_name="LinalgSlogdet",
)


# pinv: [*, m, n] -> [*, n, m]; singular values count as 0 up to the larger of `atol` and `rtol` times the largest one.
def _pinv_meta(a: TensorType, *, atol: float, rtol: float, hermitian: bool) -> TensorType:
    check_matrices("pinv", a, square=hermitian)
    return a.with_shape((*a.shape[:-2], a.shape[-1], a.shape[-2]))


def pseudo_inverse(a: Array, *, atol: float, rtol: float, hermitian: bool) -> Array:
    """The pseudo-inverses. hermitian: only the lower triangles are read."""
    if not a.size:
        return np.zeros((*a.shape[:-2], a.shape[-1], a.shape[-2]), a.dtype)
    if hermitian:
        values, vectors = np.linalg.eigh(a)
        kept = np.abs(values) > _tolerance(np.abs(values), atol, rtol)
        inverted = np.where(kept, 1 / np.where(kept, values, 1), 0)
        return laid_out((vectors * inverted[..., None, :]) @ np.swapaxes(vectors, -1, -2), a)
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    kept = s > _tolerance(s, atol, rtol)
    inverted = np.where(kept, 1 / np.where(kept, s, 1), 0)
    return laid_out((np.swapaxes(vh, -1, -2) * inverted[..., None, :]) @ np.swapaxes(u, -1, -2), a)


def _tolerance(s: Array, atol: float, rtol: float) -> Array:
    return np.maximum(atol, rtol * s.max(-1, keepdims=True))


def _pinv_rule(f: Emitter, g: Value, A: Value, result: Value) -> Value:
    """The cotangent of a matrix, of which changes leave the rank as it is.

    Source: Golub & Pereyra 1973, "The differentiation of pseudo-inverses and nonlinear least squares problems".
    """
    back, turned_g = turned(f, result), turned(f, g)
    direct = f.matmul(f.matmul(back, g), back)
    left = f.matmul(f.matmul(turned_g, result), back)
    left = f.subtract(left, f.matmul(A, f.matmul(result, left)))
    right = f.matmul(f.matmul(back, result), turned_g)
    right = f.subtract(right, f.matmul(f.matmul(right, result), A))
    return f.subtract(f.add(left, right), direct)


def _pinv_samples() -> Iterable[Sample]:
    attrs = {"atol": 0.0, "rtol": 1e-6, "hermitian": False}
    for dtype in dtypes.FLOATS:
        yield samples.with_attrs((regular(3, 2, dtype=dtype),), **attrs)
    for shape in ((2, 3), (2, 3, 3), (0, 2, 2), (2, 0)):
        yield samples.with_attrs((regular(*shape),), **attrs)
    given = regular(2, 3, 3)
    yield samples.with_attrs((given + np.swapaxes(given, -1, -2),), **{**attrs, "hermitian": True})


PINV = found_by_numpy(
    "pinv", _pinv_meta, pseudo_inverse, _pinv_samples, ("A",), vjp=(_pinv_rule,), grad_name="LinalgPinv"
)

__all__ = ["COFACTORS", "COFACTOR_SLOPES", "DET", "INVERSE", "PINV", "SLOGDET", "SOLVE", "SOLVE_TRIANGULAR", "regular"]
