"""Determinants, inverses and factorisations of matrices, in PyTorch's meaning; `guardlift.linalg` is made of these.

LAPACK does the work, through NumPy, in float32 and float64. In compiled code each is a call of NumPy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..core.devices.host_or_device import on_host
from ..core.errors import LinAlgError
from ..ops.factorisations import CHOLESKY, EIGH, EIGVALSH, QR, SVD, SVDVALS, qr_forms, svd_forms
from ..ops.matrix_info import MATRIX_INFO
from ..ops.registry import OpDef
from ..ops.solving import DET, INVERSE, PINV, SLOGDET, SOLVE, SOLVE_TRIANGULAR
from .complex_matrices import found_of_complex, orthogonal_parts, pseudo_inverse, triangle
from .contraction import matmul
from .creation import eye, zeros
from .dispatch import apply, is_tensor_like, not_a_tensor
from .matrices import check_matrix, check_same_dtype, found, in_one_batch, parts, turned, why
from .pointwise import eq, log
from .shaping import expand_to, squeeze, unsqueeze
from .surface import method
from .tracing import all_hold

Value = Any
Array = np.ndarray[Any, Any]


# What `linalg` is made of, by the name that messages give it.


def inverse_of(name: str, x: Value, *, quiet: bool = False) -> Value:
    """The inverses. Errors: LinAlgError for a singular matrix, unless `quiet`."""
    check_matrix(name, x, square=True)
    return found(name, INVERSE, x, quiet=True) if quiet else found(name, INVERSE, x)


def info_of(name: str, x: Value, of: str, check_errors: bool, op: OpDef) -> Value:
    """LAPACK's `info` of each matrix: 0 where all is well. Errors: LinAlgError, if asked, where it is not."""
    check_matrix(name, x, square=True)
    info = apply(MATRIX_INFO, x.detach(), of=of)
    if check_errors and not all_hold(eq(info, 0)):
        raise LinAlgError(why(name, op, on_host(x._array)))
    return info


def solution_of(name: str, a: Value, b: Value, left: bool, *, quiet: bool = False) -> Value:
    """The X of A X = B, or of X A = B, where `b` may be a batch of vectors. Errors: LinAlgError for a singular A."""
    check_matrix(name, a, square=True)
    if not is_tensor_like(b):
        raise not_a_tensor(name, "B", 2, b)
    check_same_dtype(name, a, b)
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and tuple(b.shape) == tuple(a.shape[:-1]))
    if is_vector and not left:
        raise RuntimeError(f"{name}: Vector broadcasting of the left hand side is not supported for left=False.")
    right = unsqueeze(b, -1) if is_vector else b
    if right.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor B must have at least 2 dimensions.")
    if right.shape[-2 if left else -1] != a.shape[-1]:
        equation = "AX = B" if left else "XA = B"
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {equation} ({a.shape[-2]}x{a.shape[-1]} and "
            f"{right.shape[-2]}x{right.shape[-1]})"
        )
    attrs = {"quiet": True} if quiet else {}
    if not left:
        return turned(found(name, SOLVE, *in_one_batch(turned(a), turned(right)), **attrs))
    solved = found(name, SOLVE, *in_one_batch(a, right), **attrs)
    return squeeze(solved, -1) if is_vector else solved


def triangular_solution_of(
    name: str, a: Value, b: Value, *, upper: bool, left: bool = True, unit: bool = False
) -> Value:
    """The X of A X = B, or of X A = B, where A is read as a triangle."""
    check_matrix(name, a, square=True)
    check_matrix(name, b, argument="B", position=2)
    check_same_dtype(name, a, b)
    if b.shape[-2 if left else -1] != a.shape[-1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]})"
        )
    if left:
        return apply(SOLVE_TRIANGULAR, *in_one_batch(a, b), upper=bool(upper), unit=bool(unit))
    pair = in_one_batch(turned(a), turned(b))
    return turned(apply(SOLVE_TRIANGULAR, *pair, upper=not upper, unit=bool(unit)))


def cholesky_factor_of(name: str, x: Value, upper: bool, *, quiet: bool = False) -> Value:
    """The triangular factors. Errors: LinAlgError for a matrix that is not positive-definite, unless `quiet`."""
    check_matrix(name, x, square=True)
    if x.dtype.is_complex:
        return found_of_complex(name, triangle, x, upper)[0]
    if upper:
        return turned(found(name, CHOLESKY, turned(x), quiet=quiet))
    return found(name, CHOLESKY, x, quiet=quiet)


def eigenvectors_of(name: str, x: Value, UPLO: str) -> list[Value]:
    """Eigenvalues and eigenvectors of symmetric matrices."""
    check_matrix(name, x, square=True)
    if x.dtype.is_complex:
        return found_of_complex(name, lambda given: tuple(np.linalg.eigh(given, _side(UPLO))), x)
    size = x.shape[-1]
    return parts(found(name, EIGH, _lower(x, UPLO)), [(size,), (size, size)])


def _lower(x: Value, UPLO: str) -> Value:
    """Matrices whose lower triangles are those that `UPLO` names."""
    return x if _side(UPLO) == "L" else turned(x)


def _side(UPLO: str) -> Any:
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return UPLO.upper()


def symmetric_eigenvalues_of(name: str, x: Value, UPLO: str) -> Value:
    """Eigenvalues of symmetric matrices."""
    if x.requires_grad:
        return eigenvectors_of(name, x, UPLO)[0]
    check_matrix(name, x, square=True)
    if x.dtype.is_complex:
        return found_of_complex(name, np.linalg.eigvalsh, x, _side(UPLO))[0]
    return found(name, EIGVALSH, _lower(x, UPLO))


def singular_parts_of(name: str, x: Value, full: bool) -> list[Value]:
    """U, S and the transpose of V."""
    check_matrix(name, x)
    if x.dtype.is_complex:
        return found_of_complex(name, lambda given: tuple(np.linalg.svd(given, bool(full))), x)
    return parts(found(name, SVD, x, full=bool(full)), svd_forms(x.shape, bool(full)))


def singular_values_of(name: str, x: Value) -> Value:
    """Singular values, the largest first."""
    check_matrix(name, x)
    if x.dtype.is_complex:
        return found_of_complex(name, np.linalg.svd, x, compute_uv=False)[0]
    return singular_parts_of(name, x, False)[1] if x.requires_grad else found(name, SVDVALS, x)


def orthogonal_parts_of(name: str, x: Value, mode: str) -> list[Value]:
    """Q and R; with mode "r" R alone."""
    check_matrix(name, x)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode {mode!r} but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if x.dtype.is_complex:
        return found_of_complex(name, orthogonal_parts, x, mode)
    mode = "reduced" if mode == "complete" and x.shape[-2] <= x.shape[-1] else mode
    return parts(found(name, QR, x, mode=mode), qr_forms(x.shape, mode))


def pseudo_inverse_of(name: str, x: Value, atol: Any, rtol: Any, hermitian: bool) -> Value:
    """The pseudo-inverses; `atol` and `rtol` as in `linalg.pinv`."""
    check_matrix(name, x, square=hermitian)
    atol, rtol = tolerances(x, atol, rtol)
    if x.dtype.is_complex:
        return found_of_complex(name, pseudo_inverse, x, atol, rtol)[0]
    return found(name, PINV, x, atol=atol, rtol=rtol, hermitian=bool(hermitian))


def tolerances(x: Value, atol: Any, rtol: Any) -> tuple[float, float]:
    """The numbers below which singular values count as 0: by default the relative one is that of rounding."""
    absolute = 0.0 if atol is None else float(atol)
    if rtol is None:
        rounding = max(x.shape[-2:]) * float(np.finfo(x.dtype.numpy).eps)
        return absolute, rounding if absolute <= 0 else 0.0
    return absolute, float(rtol)


# Functions of gl, and methods.


class SignAndLogarithm(NamedTuple):
    """The result of `slogdet`: the sign of a determinant, and the logarithm of its size."""

    sign: Value
    logabsdet: Value


class SingularFactors(NamedTuple):
    """The result of `svd`: U, the singular values, and V."""

    U: Value
    S: Value
    V: Value


class OrthogonalFactors(NamedTuple):
    """The result of `qr`: orthogonal columns, and an upper triangle."""

    Q: Value
    R: Value


@method("det")
def det(self: Value) -> Value:
    """The determinants of matrices. Shapes: [*, n, n] -> [*]. Errors: RuntimeError for what is not square."""
    check_matrix("linalg.det", self, square=True)
    if self.dtype.is_complex:
        return found_of_complex("linalg.det", np.linalg.det, self)[0]
    return apply(DET, self)


@method("slogdet")
def slogdet(self: Value) -> SignAndLogarithm:
    """The signs of determinants and the logarithms of their sizes: 0 and -inf for singular matrices.

    Shapes: [*, n, n] -> [*], [*].
    """
    check_matrix("linalg.slogdet", self, square=True)
    if self.dtype.is_complex:
        return SignAndLogarithm(
            *found_of_complex("linalg.slogdet", lambda given: tuple(np.linalg.slogdet(given)), self)
        )
    sign, logarithm = parts(apply(SLOGDET, self), [(), ()])
    return SignAndLogarithm(sign.detach(), logarithm)


@method("logdet")
def logdet(self: Value) -> Value:
    """The logarithms of determinants: NaN where one is negative. Shapes: [*, n, n] -> [*]."""
    sign, logarithm = slogdet(self)
    return logarithm + log(sign)


@method("inverse")
def inverse(self: Value) -> Value:
    """The inverses of matrices. Shapes: [*, n, n] -> [*, n, n]. Errors: LinAlgError for a singular one."""
    return inverse_of("linalg.inv", self)


@method("pinverse")
def pinverse(self: Value, rcond: float = 1e-15) -> Value:
    """The pseudo-inverses of matrices. Shapes: [*, m, n] -> [*, n, m]."""
    return pseudo_inverse_of("linalg.pinv", self, 0.0, rcond, False)


@method("matrix_exp")
def matrix_exp(self: Value) -> Value:
    """The exponential of matrices, 1 + A + A @ A / 2 + ... Shapes: [*, n, n] -> [*, n, n]."""
    from ..ops.matrix_exponential import MATRIX_EXP  # seldom wanted, and imported then

    check_matrix("linalg.matrix_exp", self, square=True)
    return apply(MATRIX_EXP, self)


@method("cholesky")
def cholesky(self: Value, upper: bool = False) -> Value:
    """The lower triangles L of ``A = L @ L.mT``, or the upper ones. Shapes: [*, n, n] -> [*, n, n].

    Errors: LinAlgError for a matrix that is not positive-definite.
    """
    return cholesky_factor_of("linalg.cholesky", self, upper)


@method("cholesky_solve")
def cholesky_solve(self: Value, input2: Value, upper: bool = False) -> Value:
    """The X of A X = B, given a Cholesky factor of A, `input2`. Shapes: [*, n, k], [*, n, n] -> [*, n, k]."""
    check_matrix("cholesky_solve", input2, square=True, argument="input2", position=2)
    lower = turned(input2) if upper else input2
    half = triangular_solution_of("cholesky_solve", lower, self, upper=False)
    return triangular_solution_of("cholesky_solve", turned(lower), half, upper=True)


@method("cholesky_inverse")
def cholesky_inverse(self: Value, upper: bool = False) -> Value:
    """The inverses of the matrices that these are Cholesky factors of. Shapes: [*, n, n] -> [*, n, n]."""
    check_matrix("cholesky_inverse", self, square=True)
    from_left = turned(self) if upper else self
    size = self.shape[-1]
    unit = expand_to(eye(size, dtype=self.dtype, device=self.device), self.shape)
    half = triangular_solution_of("cholesky_inverse", from_left, unit, upper=False)
    return matmul(turned(half), half)


@method("qr")
def qr(self: Value, some: bool = True) -> OrthogonalFactors:
    """Q and R of ``A = Q @ R``. Shapes: [*, m, n] -> [*, m, k], [*, k, n], k = min(m, n), or m unless `some`."""
    return OrthogonalFactors(*orthogonal_parts_of("linalg.qr", self, "reduced" if some else "complete"))


@method("svd")
def svd(self: Value, some: bool = True, compute_uv: bool = True) -> SingularFactors:
    """U, S and V of ``A = U @ diag(S) @ V.mT``. Shapes: [*, m, n] -> [*, m, k], [*, k], [*, n, k], k = min(m, n)."""
    if not compute_uv:
        rows, columns = self.shape[-2:]
        nothing = [_zeros(self, size) for size in (rows, columns)]
        return SingularFactors(nothing[0], singular_values_of("linalg.svd", self), nothing[1])
    u, s, vh = singular_parts_of("linalg.svd", self, not some)
    return SingularFactors(u, s, turned(vh.conj()))


def _zeros(x: Value, size: int) -> Value:
    return zeros(*x.shape[:-2], size, size, dtype=x.dtype, device=x.device)


__all__ = [
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "det",
    "inverse",
    "logdet",
    "pinverse",
    "qr",
    "slogdet",
    "svd",
]
