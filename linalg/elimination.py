"""Lower and upper triangles by elimination, and equations that are solved by them, as in `torch.linalg`."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..core import dtypes
from ..core.errors import LinAlgError
from ..ops.elimination import LU, ROW_ORDER, lu_forms
from ..tensor.creation import arange, eye, zeros
from ..tensor.diagonals import diagonal, tril, triu
from ..tensor.dispatch import apply
from ..tensor.indexing import gather
from ..tensor.joining import narrow
from ..tensor.linear_algebra import triangular_solution_of as _triangular
from ..tensor.matrices import check_matrix, check_same_dtype, found, in_one_batch, parts, turned
from ..tensor.ordering import argsort
from ..tensor.out import takes_out
from ..tensor.pointwise import eq, ge, le, logical_and, where
from ..tensor.promotion import to_dtype
from ..tensor.reductions import amax, argmax
from ..tensor.shapes import broadcast_shapes
from ..tensor.shaping import expand_to, unsqueeze
from ..tensor.tracing import all_hold

Value = Any


class Triangles(NamedTuple):
    """The result of `lu`: ``A = P @ L @ U``."""

    P: Value
    L: Value
    U: Value


class LUFactor(NamedTuple):
    """The result of `lu_factor`: both triangles in one matrix, and exchanged rows, counted from 1."""

    LU: Value
    pivots: Value


class LUFactorAndInfo(NamedTuple):
    """The result of `lu_factor_ex`."""

    LU: Value
    pivots: Value
    info: Value


def _factor(name: str, A: Value, pivot: bool) -> list[Value]:
    check_matrix(name, A)
    if not pivot:
        raise RuntimeError(f"{name}: LU without pivoting is not implemented on the CPU")
    return parts(found(name, LU, A), lu_forms(tuple(A.shape)))


def _info(whole: Value) -> Value:
    """The number of the first zero on the diagonal, counted from 1, or 0."""
    zero = eq(diagonal(whole.detach(), dim1=-2, dim2=-1), 0)
    if not zero.shape[-1]:
        return zeros(tuple(zero.shape[:-1]), dtype=dtypes.int32, device=whole.device)
    first = argmax(to_dtype(zero, dtypes.int32), -1) + 1
    return to_dtype(where(to_dtype(amax(to_dtype(zero, dtypes.int32), -1), dtypes.bool_), first, 0), dtypes.int32)


def _triangles(whole: Value) -> tuple[Value, Value]:
    rows, columns = whole.shape[-2:]
    inner = min(rows, columns)
    lower = tril(narrow(whole, -1, 0, inner), -1) + eye(rows, inner, dtype=whole.dtype, device=whole.device)
    return lower, triu(narrow(whole, -2, 0, inner))


@takes_out
def lu(A: Value, *, pivot: bool = True) -> Triangles:
    """A permutation P, a lower triangle L with ones on its diagonal, and an upper one U of ``A = P @ L @ U``.

    Shapes: [*, m, n] -> [*, m, m], [*, m, k], [*, k, n], k = min(m, n). Derivatives are infinite for singular matrices.
    Errors: RuntimeError for what is no matrix, and without `pivot`.
    """
    whole, _, order = _factor("linalg.lu", A, pivot)
    rows = A.shape[-2]
    place = unsqueeze(arange(rows, dtype=order.dtype, device=A.device), -1)
    return Triangles(to_dtype(eq(unsqueeze(order.detach(), -2), place), A.dtype), *_triangles(whole))


@takes_out
def lu_factor(A: Value, *, pivot: bool = True) -> LUFactor:
    """`lu` as `lu_solve` takes it: both triangles in one matrix, and the rows that were exchanged, counted from 1.

    Shapes: [*, m, n] -> [*, m, n], int32[*, min(m, n)].
    Errors: LinAlgError for a singular matrix, RuntimeError for what is no matrix, and without `pivot`.
    """
    whole, pivots, info = lu_factor_ex(A, pivot=pivot, check_errors=True)
    return LUFactor(whole, pivots)


@takes_out
def lu_factor_ex(A: Value, *, pivot: bool = True, check_errors: bool = False) -> LUFactorAndInfo:
    """`lu_factor`, and `info`, int32[*]: 0, or the first place, counted from 1, of a zero on the diagonal of U.

    Errors: LinAlgError for a singular matrix, if `check_errors`.
    """
    whole, pivots, _ = _factor("linalg.lu_factor", A, pivot)
    info = _info(whole)
    if check_errors and not all_hold(eq(info, 0)):
        number = int(info.flatten()[info.flatten() != 0][0])
        raise LinAlgError(
            f"torch.linalg.lu_factor: U[{number},{number}] is zero and using it on lu_solve would result in a division "
            "by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
            "linalg.lu_factor_ex(A, pivot)"
        )
    return LUFactorAndInfo(whole, to_dtype(pivots.detach(), dtypes.int32), info)


def _in_order(x: Value, order: Value) -> Value:
    """The rows of `x` in this order."""
    lead = broadcast_shapes(tuple(x.shape[:-2]), tuple(order.shape[:-1]))
    x = expand_to(x, (*lead, *x.shape[-2:]))
    return gather(x, -2, expand_to(unsqueeze(order, -1), (*lead, order.shape[-1], x.shape[-1])))


@takes_out
def lu_solve(LU: Value, pivots: Value, B: Value, *, left: bool = True, adjoint: bool = False) -> Value:
    """The X of ``A @ X = B``, or ``X @ A = B`` where `left` is False, by what `lu_factor` gave for A.

    adjoint: A is transposed.   Shapes: [*, n, n], int32[*, n], [*, n, k] -> [*, n, k]. Batches broadcast.
    Errors: RuntimeError for shapes that do not fit, and rows that there are not.
    """
    check_matrix("torch.linalg.lu_solve", LU, square=True)
    check_matrix("linalg.lu_solve", B, argument="B", position=3)
    check_same_dtype("linalg.lu_solve", LU, B)
    if pivots.dtype is not dtypes.int32:
        raise RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
    if B.shape[-2 if left else -1] != LU.shape[-1]:
        form = "AX = B" if left else "XA = B"
        raise RuntimeError(
            f"linalg.lu_solve: Incompatible shapes of A and B for the equation {form} "
            f"({LU.shape[-2]}x{LU.shape[-1]} and {B.shape[-2]}x{B.shape[-1]})"
        )
    if not left:
        return turned(lu_solve(LU, pivots, turned(B), adjoint=not adjoint))
    if not all_hold(logical_and(ge(pivots, 1), le(pivots, LU.shape[-2]))):
        raise RuntimeError(
            "Pivots given to lu_solve must all be smaller or equal to LU.size(-2). Did you properly pass the result of "
            "lu_factor?"
        )
    order = apply(ROW_ORDER, pivots, rows=LU.shape[-1])
    if adjoint:
        found = _substituted(turned(LU), B, False, False)
        return _in_order(_substituted(turned(LU), found, True, True), argsort(order, -1))
    return _substituted(LU, _substituted(LU, _in_order(B, order), False, True), True, False)


def _substituted(triangle: Value, right: Value, upper: bool, unit: bool) -> Value:
    return _triangular("linalg.lu_solve", *in_one_batch(triangle, right), upper=upper, left=True, unit=unit)


__all__ = ["lu", "lu_factor", "lu_factor_ex", "lu_solve"]
