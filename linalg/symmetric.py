"""Symmetric matrices that need not be positive definite: their factors, and equations that are solved by them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core import dtypes
from ..core.errors import LinAlgError
from ..ops.symmetric_elimination import LDL, LDL_SOLVE, ldl_forms
from ..tensor.creation import arange, zeros
from ..tensor.diagonals import diagonal
from ..tensor.dispatch import apply
from ..tensor.matrices import check_matrix, check_same_dtype, found, in_one_batch, parts
from ..tensor.out import takes_out
from ..tensor.pointwise import eq, gt, logical_and, where
from ..tensor.promotion import to_dtype
from ..tensor.reductions import amin
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import expand_to
from ..tensor.tracing import all_hold

Value = Any


class LDLFactor(NamedTuple):
    """The result of `ldl_factor`: the triangle and the blocks in one matrix, and exchanged rows, counted from 1."""

    LD: Value
    pivots: Value


class LDLFactorAndInfo(NamedTuple):
    """The result of `ldl_factor_ex`."""

    LD: Value
    pivots: Value
    info: Value


@takes_out
def ldl_factor(A: Value, *, hermitian: bool = False) -> LDLFactor:  # noqa: N803
    """The factors of symmetric matrices, as LAPACK keeps them, for `ldl_solve`: ``A = P @ L @ D @ L.mT @ P.mT``.

    Of `A` the lower triangle counts. D has blocks of one or two rows; of those of two, the pivots are negative.
    hermitian: changes nothing, as there are no complex matrices.
    Shapes: [*, n, n] -> [*, n, n], int32[*, n]. They have no derivative.
    Errors: LinAlgError for a block that is 0, RuntimeError for what is no square matrix.
    """
    whole, pivots, _ = ldl_factor_ex(A, hermitian=hermitian, check_errors=True)
    return LDLFactor(whole, pivots)


@takes_out
def ldl_factor_ex(A: Value, *, hermitian: bool = False, check_errors: bool = False) -> LDLFactorAndInfo:  # noqa: N803
    """`ldl_factor`, and `info`, int32[*]: 0, or the first place, counted from 1, of a block that is 0.

    Errors: LinAlgError for such a block, if `check_errors`.
    """
    check_matrix("torch.linalg.ldl_factor_ex", A, square=True)
    whole, rows = parts(found("linalg.ldl_factor", LDL, A), ldl_forms(tuple(A.shape)))
    pivots = to_dtype(rows.detach(), dtypes.int32)
    size = A.shape[-1]
    if not size:
        return LDLFactorAndInfo(whole, pivots, zeros(tuple(A.shape[:-2]), dtype=dtypes.int32, device=A.device))
    zero = logical_and(eq(diagonal(whole.detach(), dim1=-2, dim2=-1), 0), gt(pivots, 0))
    first = amin(where(zero, arange(1, size + 1, device=A.device), size + 1), -1)
    info = to_dtype(where(eq(first, size + 1), 0, first), dtypes.int32)
    if check_errors and not all_hold(eq(info, 0)):
        raise LinAlgError(
            "torch.linalg.ldl_factor: the factorization has a block that is exactly zero, so `ldl_solve` would divide "
            "by zero; take linalg.ldl_factor_ex, which says where"
        )
    return LDLFactorAndInfo(whole, pivots, info)


@takes_out
def ldl_solve(LD: Value, pivots: Value, B: Value, *, hermitian: bool = False) -> Value:  # noqa: N803
    """The X of ``A @ X = B``, by what `ldl_factor` gave for A. It has a derivative by `B` alone.

    Shapes: [*, n, n], int32[*, n], [*, n, k] -> [*, n, k]; batches broadcast.
    Errors: RuntimeError for shapes and dtypes that do not fit.
    """
    check_matrix("torch.linalg.ldl_solve", LD, square=True)
    check_matrix("torch.linalg.ldl_solve", B, argument="B", position=3)
    check_same_dtype("torch.linalg.ldl_solve", LD, B)
    if not pivots.dtype.is_integer or tuple(pivots.shape) != tuple(LD.shape[:-1]):
        raise RuntimeError(
            f"torch.linalg.ldl_solve: Expected pivots to be integers of shape {list(LD.shape[:-1])}, got "
            f"{pivots.dtype}{list(pivots.shape)}"
        )
    if B.shape[-2] != LD.shape[-1]:
        raise RuntimeError(
            f"torch.linalg.ldl_solve: Incompatible matrix sizes: each A matrix is {LD.shape[-1]} by {LD.shape[-1]} but "
            f"each B matrix is {B.shape[-2]} by {B.shape[-1]}"
        )
    factors, right = in_one_batch(LD, B)
    lead = broadcast_shapes(tuple(factors.shape[:-2]), tuple(pivots.shape[:-1]))
    return apply(LDL_SOLVE, factors, expand_to(pivots, (*lead, pivots.shape[-1])), right)


__all__ = ["ldl_factor", "ldl_factor_ex", "ldl_solve"]
