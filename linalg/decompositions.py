"""Factorisations of matrices, under the names of `torch.linalg`."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..ops.factorisations import CHOLESKY
from ..tensor.creation import empty
from ..tensor.linear_algebra import (
    OrthogonalFactors,
    cholesky_factor_of,
    eigenvectors_of,
    info_of,
    orthogonal_parts_of,
    singular_parts_of,
    singular_values_of,
    symmetric_eigenvalues_of,
)
from ..tensor.matrices import turned
from ..tensor.out import takes_out

Value = Any


class EigenPairs(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Value
    eigenvectors: Value


class SingularTriple(NamedTuple):
    """The result of `svd`: U, the singular values, and the transpose of V."""

    U: Value
    S: Value
    Vh: Value


@takes_out
def cholesky(A: Value, *, upper: bool = False) -> Value:
    """The lower triangles L of ``A = L @ L.mT``, or the upper ones. Only that triangle of A is read.

    Shapes: [*, n, n] -> [*, n, n]. Errors: LinAlgError for a matrix that is not positive-definite.
    """
    return cholesky_factor_of("linalg.cholesky", A, upper)


class CholeskyFactor(NamedTuple):
    """The result of `cholesky_ex`."""

    L: Value
    info: Value


@takes_out
def cholesky_ex(A: Value, *, upper: bool = False, check_errors: bool = False) -> CholeskyFactor:
    """`cholesky`, which raises nothing: `info` is 0, or the order of the leading minor that is not positive-definite.

    Shapes: [*, n, n] -> [*, n, n], int32[*]. A factor that there is not is all NaN.
    """
    info = info_of("linalg.cholesky_ex", turned(A) if upper else A, "cholesky", check_errors, CHOLESKY)
    return CholeskyFactor(cholesky_factor_of("linalg.cholesky_ex", A, upper, quiet=True), info)


@takes_out
def eigh(A: Value, UPLO: str = "L") -> EigenPairs:
    """The eigenvalues of symmetric matrices in rising order, and their vectors, which are columns.

    Shapes: [*, n, n] -> [*, n], [*, n, n]. Only the triangle that `UPLO` names is read. The sign of a vector is
    arbitrary, and derivatives of vectors are infinite where two eigenvalues are equal.
    Errors: LinAlgError where LAPACK finds none, RuntimeError for what is not square.
    """
    return EigenPairs(*eigenvectors_of("linalg.eigh", A, UPLO))


@takes_out
def eigvalsh(A: Value, UPLO: str = "L") -> Value:
    """The eigenvalues of symmetric matrices in rising order. Shapes: [*, n, n] -> [*, n]."""
    return symmetric_eigenvalues_of("linalg.eigvalsh", A, UPLO)


@takes_out
def qr(A: Value, mode: str = "reduced") -> OrthogonalFactors:
    """Q with orthogonal columns and the upper triangle R of ``A = Q @ R``.

    Shapes: [*, m, n] -> [*, m, k], [*, k, n]; k is min(m, n), or m with mode "complete". With mode "r", Q is empty.
    Errors: RuntimeError in backward for mode "r", and for "complete" where m > n.
    """
    found = orthogonal_parts_of("linalg.qr", A, mode)
    if mode == "r":
        return OrthogonalFactors(empty(0, dtype=A.dtype, device=A.device), found[0])
    return OrthogonalFactors(*found)


def _check_driver(name: str, driver: Any) -> None:
    if driver is not None:
        raise RuntimeError(
            f"{name}: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )


@takes_out
def svd(A: Value, full_matrices: bool = True, *, driver: str | None = None) -> SingularTriple:
    """U, the singular values S, the largest first, and Vh of ``A = U @ diag(S) @ Vh``.

    Shapes: [*, m, n] -> [*, m, m], [*, k], [*, n, n], k = min(m, n); without `full_matrices` [*, m, k] and [*, k, n].
    Signs of vectors are arbitrary, and derivatives of vectors are infinite where two singular values are equal.
    Errors: LinAlgError for matrices that are not finite.
    """
    _check_driver("linalg.svd", driver)
    return SingularTriple(*singular_parts_of("linalg.svd", A, full_matrices))


@takes_out
def svdvals(A: Value, *, driver: str | None = None) -> Value:
    """The singular values, the largest first. Shapes: [*, m, n] -> [*, min(m, n)]."""
    _check_driver("linalg.svdvals", driver)
    return singular_values_of("linalg.svdvals", A)


__all__ = ["cholesky", "cholesky_ex", "eigh", "eigvalsh", "qr", "svd", "svdvals"]
