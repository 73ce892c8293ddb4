"""Matrices as operands: the checks of them, the calls of LAPACK with what they find wrong, and parts of results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.devices.host_or_device import on_host
from ..core.errors import LinAlgError
from ..ops.factorisations import CHOLESKY, SVD, SVDVALS
from ..ops.matrix_info import broken_minor, zero_pivot
from ..ops.registry import OpDef
from ..ops.solving import INVERSE, PINV, SOLVE
from .dispatch import apply, is_tensor_like, not_a_tensor
from .joining import narrow
from .shapes import broadcast_shapes
from .shaping import expand_to, reshape_to, transpose
from .tensor import Tensor

Value = Any
Array = np.ndarray[Any, Any]


def check_matrix(name: str, x: Value, *, square: bool = False, argument: str = "A", position: int = 1) -> None:
    """Errors: TypeError for what is no tensor; RuntimeError for one that is no matrix, is not square, or no float."""
    if not is_tensor_like(x):
        raise not_a_tensor(name, argument, position, x)
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")
    if x.dtype.is_narrow:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {x.dtype}; convert it to float32")
    if not x.dtype.is_differentiable:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {x.dtype}; convert it with float()"
        )
    if square and x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"{name}: {argument} must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} "
            "matrices"
        )


def check_same_dtype(name: str, x: Value, y: Value) -> None:
    """Errors: RuntimeError for two dtypes."""
    if x.dtype is not y.dtype:
        raise RuntimeError(f"{name}: Expected A and B to have the same dtype, but got {x.dtype} and {y.dtype}")


def found(name: str, op: OpDef, *operands: Value, **attrs: Any) -> Value:
    """The result of `op`. Errors: LinAlgError, which says what was wrong with which matrix, where LAPACK gives up."""
    try:
        return apply(op, *operands, **attrs)
    except np.linalg.LinAlgError:
        first = operands[0]
        array = on_host(first._array) if isinstance(first, Tensor) else np.zeros((0, 0))
        raise LinAlgError(why(name, op, array)) from None


def why(name: str, op: OpDef, matrices: Array) -> str:
    """The text of what LAPACK found wrong, with the first matrix of the batch at which it did."""
    if not np.isfinite(matrices).all() and op in (SVD, SVDVALS, PINV):
        return f"{name}: The algorithm failed to converge because the input matrix contained non-finite values."
    flat = matrices.reshape(-1, *matrices.shape[-2:])
    for place, matrix in enumerate(flat):
        where = f"{name}: " + (f"(Batch element {place}): " if matrices.ndim > 2 else "")
        if op is CHOLESKY and (order := broken_minor(matrix)):
            return (
                f"{where}The factorization could not be completed because the input is not positive-definite (the "
                f"leading minor of order {order} is not positive-definite)."
            )
        if op is INVERSE and (row := zero_pivot(matrix)):
            return (
                f"{where}The diagonal element {row} is zero, the inversion could not be completed because the input "
                "matrix is singular."
            )
        if op is SOLVE and zero_pivot(matrix):
            return f"{where}The solver failed because the input matrix is singular."
    if op in (INVERSE, SOLVE):
        return f"{name}: The solver failed because an input matrix is singular."
    return (
        f"{name}: The algorithm failed to converge because the input matrix is ill-conditioned, has too many repeated "
        "eigenvalues, or contained non-finite values."
    )


def turned(x: Value) -> Value:
    """The transposes of matrices."""
    return transpose(x, -1, -2)


def parts(row: Value, forms: Sequence[tuple[int, ...]]) -> list[Value]:
    """The factors that stand side by side in `row`, each in its form."""
    made, start = [], 0
    for form in forms:
        size = math.prod(form)
        made.append(reshape_to(narrow(row, -1, start, size), (*row.shape[:-1], *form)))
        start += size
    return made


def in_one_batch(*matrices: Value) -> list[Value]:
    """Matrices expanded to one batch."""
    lead = broadcast_shapes(*(each.shape[:-2] for each in matrices))
    return [expand_to(each, (*lead, *each.shape[-2:])) for each in matrices]
