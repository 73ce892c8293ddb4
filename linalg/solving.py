"""Equations and inverses, under the names of `torch.linalg`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..ops.solving import INVERSE, SOLVE
from ..tensor.contraction import matmul
from ..tensor.creation import empty
from ..tensor.dispatch import is_tensor_like, not_a_tensor
from ..tensor.linear_algebra import (
    SignAndLogarithm,
    info_of,
    inverse_of,
    pseudo_inverse_of,
    singular_values_of,
    solution_of,
    triangular_solution_of,
)
from ..tensor.linear_algebra import det as _det
from ..tensor.linear_algebra import slogdet as _slogdet
from ..tensor.matrices import check_matrix, check_same_dtype
from ..tensor.out import takes_out
from ..tensor.promotion import refuse
from ..tensor.shapes import wrap_axis
from ..tensor.shaping import permute, reshape_to, squeeze, unsqueeze
from ..tensor.surface import surface
from ..tensor.tracing import all_hold
from .norms import rank_of

Value = Any


class LeastSquares(NamedTuple):
    """The result of `lstsq`."""

    solution: Value
    residuals: Value
    rank: Value
    singular_values: Value


@takes_out
def det(A: Value) -> Value:
    """The determinants of matrices. Shapes: [*, n, n] -> [*]. Errors: RuntimeError for what is not square."""
    check_matrix("linalg.det", A, square=True)
    return _det(A)


@takes_out
def slogdet(A: Value) -> SignAndLogarithm:
    """The signs of determinants and the logarithms of their sizes: 0 and -inf for singular matrices.

    Shapes: [*, n, n] -> [*], [*].
    """
    check_matrix("linalg.slogdet", A, square=True)
    return _slogdet(A)


@takes_out
def inv(A: Value) -> Value:
    """The inverses of matrices. Shapes: [*, n, n] -> [*, n, n]. Errors: LinAlgError for a singular one."""
    return inverse_of("linalg.inv", A)


class InverseAndInfo(NamedTuple):
    """The result of `inv_ex`."""

    inverse: Value
    info: Value


class SolutionAndInfo(NamedTuple):
    """The result of `solve_ex`."""

    result: Value
    info: Value


@takes_out
def inv_ex(A: Value, *, check_errors: bool = False) -> InverseAndInfo:
    """`inv`, which raises nothing: `info` is 0, or the first row at which elimination finds zeros alone.

    Shapes: [*, n, n] -> [*, n, n], int32[*]. An inverse that there is not is all NaN.
    """
    info = info_of("linalg.inv_ex", A, "lu", check_errors, INVERSE)
    return InverseAndInfo(inverse_of("linalg.inv_ex", A, quiet=True), info)


@takes_out
def solve_ex(A: Value, B: Value, *, left: bool = True, check_errors: bool = False) -> SolutionAndInfo:
    """`solve`, which raises nothing: `info` is that of `inv_ex`; a solution that there is not is all NaN."""
    info = info_of("linalg.solve_ex", A, "lu", check_errors, SOLVE)
    return SolutionAndInfo(solution_of("linalg.solve_ex", A, B, left, quiet=True), info)


@takes_out
def solve(A: Value, B: Value, *, left: bool = True) -> Value:
    """The X of ``A @ X = B``, or of ``X @ A = B`` where `left` is False.

    Shapes: A [*, n, n]; B [*, n, k], or vectors, [n] or of the shape of A without its last axis. Batches broadcast.
    Errors: LinAlgError for a singular A, RuntimeError for shapes that do not fit or two dtypes.
    """
    return solution_of("linalg.solve", A, B, left)


@takes_out
def solve_triangular(A: Value, B: Value, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Value:
    """The X of ``A @ X = B``, or of ``X @ A = B``, where A is read as a triangle, with ones on the diagonal if asked.

    Shapes: [*, n, n] and [*, n, k] -> [*, n, k]. A zero on the diagonal makes infinities; nothing is raised for it.
    """
    return triangular_solution_of("linalg.solve_triangular", A, B, upper=upper, left=left, unit=unitriangular)


@takes_out
def pinv(A: Value, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Value:
    """The pseudo-inverses of matrices. Shapes: [*, m, n] -> [*, n, m].

    Singular values count as 0 up to the larger of `atol` and `rtol` times the largest one; `rtol`, of which `rcond` is
    another name, is max(m, n) times the rounding of the dtype, or 0 with a positive `atol`. Tolerances are numbers.
    Derivatives are those of changes that leave the rank as it is.
    """
    return pseudo_inverse_of("linalg.pinv", A, atol, rcond if rtol is None else rtol, hermitian)


DRIVERS = ("gelsy", "gels", "gelsd", "gelss")


@surface
def lstsq(A: Value, B: Value, rcond: Any = None, *, driver: str | None = None) -> LeastSquares:
    """The X for which ``A @ X - B`` is shortest, and of those the shortest, by the pseudo-inverse of A.

    Shapes: A [*, m, n]; B [*, m, k], or vectors, [m] -> X [*, n, k]. The rank is int64[*]. As in PyTorch, residuals are
    given by the drivers "gels", "gelsd" and "gelss" alone, where m > n and the ranks are full, and singular values by
    the last two; they are empty otherwise. All drivers compute the same.
    Errors: RuntimeError for shapes that do not fit, another driver, or two dtypes.
    """
    check_matrix("torch.linalg.lstsq", A, argument="input")
    refuse("lstsq", "c", A, B)
    if not is_tensor_like(B):
        raise not_a_tensor("linalg_lstsq", "B", 2, B)
    check_same_dtype("torch.linalg.lstsq", A, B)
    if driver not in (None, *DRIVERS):
        raise RuntimeError(
            f"torch.linalg.lstsq: parameter `driver` should be one of {', '.join(DRIVERS)}, got {driver}"
        )
    is_vector = B.ndim == A.ndim - 1
    right = unsqueeze(B, -1) if is_vector else B
    if right.ndim < 2 or right.shape[-2] != A.shape[-2]:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    rows, columns = A.shape[-2:]
    inverted = pseudo_inverse_of("torch.linalg.lstsq", A, None, rcond, False)
    found = matmul(inverted, right)
    singular = singular_values_of("torch.linalg.lstsq", A.detach())
    rank = rank_of(singular, A, None, rcond)
    nothing = empty(0, dtype=A.dtype, device=A.device)
    residuals = nothing
    if driver in ("gels", "gelsd", "gelss") and rows > columns and all_hold(rank == columns):
        rest = matmul(A, found) - right
        residuals = (rest * rest).sum(-2)
    values = singular if driver in ("gelsd", "gelss") else nothing
    return LeastSquares(squeeze(found, -1) if is_vector else found, residuals, rank, values)


@takes_out
def tensorinv(A: Value, ind: int = 2) -> Value:
    """The inverse of what `tensordot` does over the last axes, all but the first `ind`.

    Errors: RuntimeError unless the first and the last axes have as many elements; LinAlgError for a singular tensor.
    """
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind'")
    first, last = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    if math.prod(first) != math.prod(last):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            f"{math.prod(last)} != {math.prod(first)}"
        )
    square = reshape_to(A, (math.prod(first), math.prod(last)))
    return reshape_to(inverse_of("linalg.tensorinv", square), (*last, *first))


@takes_out
def tensorsolve(A: Value, B: Value, dims: Any = None) -> Value:
    """The X of ``tensordot(A, X, X.ndim) = B``. dims: axes of A that are moved to the end first."""
    if dims is not None:
        moved = [wrap_axis(axis, A.ndim) for axis in dims]
        A = permute(A, *(axis for axis in range(A.ndim) if axis not in moved), *moved)
    form = tuple(A.shape[B.ndim :])
    if math.prod(form) != B.numel():
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            f"but got {math.prod(form)} != {B.numel()}"
        )
    square = reshape_to(A, (B.numel(), math.prod(form)))
    return reshape_to(solution_of("linalg.tensorsolve", square, reshape_to(B, (B.numel(),)), True), form)


__all__ = [
    "det",
    "inv",
    "inv_ex",
    "lstsq",
    "pinv",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "tensorinv",
    "tensorsolve",
]
