"""The extension `linalg` of the standard. Factors and determinants of complex matrices have no derivative."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core.dtypes import DType, int64
from ..linalg import decompositions, eigenvalues, norms, solving
from ..tensor import contraction, products
from ..tensor.arithmetic import mul
from ..tensor.diagonals import diagonal as _diagonal
from ..tensor.dispatch import is_tensor_like
from ..tensor.pointwise import gt
from ..tensor.reductions import amax
from ..tensor.reductions import norm as _norm
from ..tensor.reductions import sum as _sum
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import expand_to, reshape_to, unsqueeze
from .data_types import finfo
from .declare import array, named, operands, over, standard
from .products import matmul, matrix_transpose, tensordot, vecdot
from .statistical import wide

Value = Any


class EigResult(NamedTuple):
    """The result of `eig`: eigenvalues, and eigenvectors as columns, both complex."""

    eigenvalues: Value
    eigenvectors: Value


class EighResult(NamedTuple):
    """The result of `eigh`: eigenvalues in ascending order, and eigenvectors as columns."""

    eigenvalues: Value
    eigenvectors: Value


class QRResult(NamedTuple):
    """The result of `qr`: a matrix with orthonormal columns, and a triangle above the diagonal."""

    Q: Value
    R: Value


class SlogdetResult(NamedTuple):
    """The result of `slogdet`: the sign of the determinant, and the logarithm of its absolute value."""

    sign: Value
    logabsdet: Value


class SVDResult(NamedTuple):
    """The result of `svd`: left singular vectors, singular values in descending order, right vectors as rows."""

    U: Value
    S: Value
    Vh: Value


def _matrices(name: str, x: Value, accepted: str = "floating-point") -> Value:
    """Errors: TypeError for other dtypes, ValueError for fewer than two axes."""
    if array(name, x, accepted).ndim < 2:
        raise ValueError(f"{name}(): takes matrices, got an array of shape {tuple(x.shape)}")
    return x


def _of_matrices(name: str, compute: Any, gives: str, shapes: str) -> Any:
    def function(x: Value, /) -> Value:
        return compute(_matrices(name, x))

    text = f"{gives}.\n\n    Shapes: x floating-point {shapes}.\n"
    return named(
        function, name, f"{text}    Errors: TypeError for other dtypes, LinAlgError where there is none.\n    "
    )


det = _of_matrices("det", solving.det, "The determinants of square matrices", "[*, n, n] -> [*]")
eigvals = _of_matrices(
    "eigvals", eigenvalues.eigvals, "The eigenvalues of square matrices, complex, in no order", "[*, n, n] -> [*, n]"
)
eigvalsh = _of_matrices(
    "eigvalsh", decompositions.eigvalsh, "The eigenvalues of symmetric matrices, ascending", "[*, n, n] -> [*, n]"
)
inv = _of_matrices("inv", solving.inv, "The inverses of square matrices", "[*, n, n] -> [*, n, n]")
svdvals = _of_matrices(
    "svdvals", decompositions.svdvals, "The singular values, in descending order", "[*, n, m] -> [*, min(n, m)]"
)


@standard
def cholesky(x: Value, /, *, upper: bool = False) -> Value:
    """The triangle L with ``x = L @ L.mT`` of positive definite matrices, or with `upper` that with ``U.mT @ U``.

    Shapes: x floating-point [*, n, n] -> [*, n, n]. Errors: LinAlgError where a matrix is not positive definite.
    """
    return decompositions.cholesky(_matrices("cholesky", x), upper=bool(upper))


@standard
def cross(x1: Value, x2: Value, /, *, axis: int = -1) -> Value:
    """The cross products of vectors of three elements along `axis`; the other axes broadcast.

    Errors: ValueError for an axis that has another size, or that is not counted from the back.
    """
    left, right = operands("cross", "numeric", array("cross", x1, "numeric", "x1"), array("cross", x2, "numeric", "x2"))
    if not -min(left.ndim, right.ndim) <= axis < 0:
        raise ValueError(f"cross(): the axis is counted from the back, -1 to -n for n axes, got {axis}")
    if left.shape[axis] != 3 or right.shape[axis] != 3:
        raise ValueError(f"cross(): the axis has size 3 in both, got {left.shape[axis]} and {right.shape[axis]}")
    shape = broadcast_shapes(left.shape, right.shape)
    return products.cross(expand_to(left, shape), expand_to(right, shape), axis)


@standard
def diagonal(x: Value, /, *, offset: int = 0) -> Value:
    """The diagonals of matrices, `offset` above the main one. Shapes: x [*, n, m] -> [*, length], a view."""
    return _diagonal(_matrices("diagonal", x, "any dtype"), offset, -2, -1)


@standard
def eig(x: Value, /) -> EigResult:
    """The eigenvalues of square matrices, and their eigenvectors as columns. It has no derivative.

    Shapes: x floating-point [*, n, n] -> complex eigenvalues [*, n], eigenvectors [*, n, n].
    """
    return EigResult(*eigenvalues.eig(_matrices("eig", x)))


@standard
def eigh(x: Value, /) -> EighResult:
    """The eigenvalues of symmetric matrices, ascending, and their eigenvectors as columns.

    Shapes: x floating-point [*, n, n] -> eigenvalues [*, n], eigenvectors [*, n, n].
    """
    return EighResult(*decompositions.eigh(_matrices("eigh", x)))


@standard
def matrix_norm(x: Value, /, *, keepdims: bool = False, ord: Any = "fro") -> Value:
    """The norm of matrices: "fro", "nuc", 1, -1, 2, -2, inf or -inf. Shapes: x floating-point [*, n, m] -> [*]."""
    return norms.matrix_norm(_matrices("matrix_norm", x), ord, (-2, -1), bool(keepdims))


@standard
def matrix_power(x: Value, n: int, /) -> Value:
    """The product of `n` square matrices, or of -n inverses. Shapes: x floating-point [*, m, m] -> [*, m, m]."""
    return products.matrix_power(_matrices("matrix_power", x), n)


def _largest(x: Value, rtol: Value) -> Value:
    """The tolerance relative to the largest singular value: by default the eps of the dtype times the larger size."""
    if rtol is None:
        return max(x.shape[-2:]) * finfo(x.dtype).eps
    return rtol


@standard
def matrix_rank(x: Value, /, *, rtol: Value = None) -> Value:
    """The number of singular values that are greater than `rtol` times the largest one.

    Shapes: x floating-point [*, n, m], rtol a number or [*] -> int64 [*].
    """
    singular = decompositions.svdvals(_matrices("matrix_rank", x))
    if not singular.shape[-1]:
        return _sum(singular, -1, dtype=int64)
    tolerance = _largest(x, rtol)
    limit = mul(amax(singular, -1, True), unsqueeze(tolerance, -1) if is_tensor_like(tolerance) else tolerance)
    return _sum(gt(singular, limit), -1)


@standard
def outer(x1: Value, x2: Value, /) -> Value:
    """The products of each element of one vector with each of the other. Shapes: x1 [n], x2 [m] -> [n, m]."""
    left, right = operands("outer", "numeric", array("outer", x1, "numeric", "x1"), array("outer", x2, "numeric", "x2"))
    if left.ndim != 1 or right.ndim != 1:
        raise ValueError(f"outer(): takes vectors, got shapes {tuple(left.shape)} and {tuple(right.shape)}")
    return contraction.outer(left, right)


@standard
def pinv(x: Value, /, *, rtol: Value = None) -> Value:
    """The pseudo-inverses of matrices, singular values below `rtol` times the largest one counting as 0.

    Shapes: x floating-point [*, n, m] -> [*, m, n].
    """
    _matrices("pinv", x)
    return solving.pinv(x, rtol=_largest(x, rtol))


@standard
def qr(x: Value, /, *, mode: str = "reduced") -> QRResult:
    """Q with orthonormal columns and R, a triangle above the diagonal, with ``x = Q @ R``.

    Shapes: x floating-point [*, n, m], k = min(n, m) -> Q [*, n, k], R [*, k, m]; k = n for mode "complete".
    Errors: ValueError for another mode.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f'qr(): mode is "reduced" or "complete", got {mode!r}')
    return QRResult(*decompositions.qr(_matrices("qr", x), mode))


@standard
def slogdet(x: Value, /) -> SlogdetResult:
    """The sign of the determinants, and the logarithm of their absolute value. Shapes: [*, n, n] -> [*] and [*]."""
    return SlogdetResult(*solving.slogdet(_matrices("slogdet", x)))


@standard
def solve(x1: Value, x2: Value, /) -> Value:
    """X with ``x1 @ X = x2``; x2 of one axis is one vector, of more axes matrices.

    Shapes: x1 floating-point [*, n, n], x2 [n] or [*, n, k] -> [*, n] or [*, n, k]; the leading axes broadcast.
    Errors: LinAlgError where a matrix is singular.
    """
    array("solve", x2, "floating-point", "x2")
    left, right = operands("solve", "floating-point", _matrices("solve", x1), x2)
    vector = right.ndim == 1
    right = unsqueeze(right, -1) if vector else right
    batch = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    left, right = (expand_to(each, (*batch, *each.shape[-2:])) for each in (left, right))
    found = solving.solve(left, right)
    return reshape_to(found, found.shape[:-1]) if vector else found


@standard
def svd(x: Value, /, *, full_matrices: bool = True) -> SVDResult:
    """U, the singular values S in descending order, and Vh, with ``x = (U * S) @ Vh``.

    Shapes: x floating-point [*, n, m], k = min(n, m) -> U [*, n, n or k], S [*, k], Vh [*, m or k, m].
    """
    return SVDResult(*decompositions.svd(_matrices("svd", x), bool(full_matrices)))


@standard
def trace(x: Value, /, *, offset: int = 0, dtype: DType | None = None) -> Value:
    """The sums along diagonals of matrices, in `dtype`, or as `sum` has it. Shapes: x numeric [*, n, m] -> [*]."""
    entries = wide("trace", _diagonal(_matrices("trace", x, "numeric"), offset, -2, -1), dtype)
    return _sum(entries, -1, dtype=entries.dtype)


@standard
def vector_norm(x: Value, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Value:
    """The norm of order `ord`, any number or infinity, over `axis`: None for all, one, or several.

    Shapes: x floating-point [*] -> [*] without these axes. Errors: TypeError for other dtypes.
    """
    array("vector_norm", x, "floating-point")
    return over(lambda x, dim, keep: _norm(x, ord, dim, keep), x, axis, keepdims)


__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
