"""Products of reflections, of which orthogonal matrices are made."""

from __future__ import annotations

from typing import Any

from .creation import eye
from .diagonals import tril
from .matrices import check_matrix, check_same_dtype, turned
from .out import takes_out
from .promotion import refuse
from .shaping import expand_to

Value = Any


@takes_out
def householder_product(A: Value, tau: Value) -> Value:
    """The first columns of the product of reflections ``I - tau_i * v_i @ v_i.T``.

    v_i has zeros, a one at place i, and below it what A has in column i; what A has on and above its diagonal is not
    read. Shapes: A [*, m, n] with m >= n, tau [*, k] with k <= n -> [*, m, n].
    Errors: RuntimeError for shapes that do not fit.
    """
    check_matrix("torch.linalg.householder_product", A, argument="input")
    refuse("householder_product", "c", A, tau)
    rows, columns = A.shape[-2:]
    if rows < columns:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if tuple(tau.shape[:-1]) != tuple(A.shape[:-2]) or tau.shape[-1] > columns:
        raise RuntimeError(
            "torch.linalg.householder_product: tau.shape must be that of input without its last two axes, and up to "
            f"input.shape[-1]; got {list(tau.shape)} and {list(A.shape)}"
        )
    check_same_dtype("torch.linalg.householder_product", A, tau)
    vectors = tril(A, -1) + eye(rows, columns, dtype=A.dtype, device=A.device)
    found = expand_to(eye(rows, columns, dtype=A.dtype, device=A.device), tuple(A.shape))
    for k in reversed(range(tau.shape[-1])):
        vector = vectors[..., k : k + 1]
        found = found - tau[..., k, None, None] * (vector @ (turned(vector) @ found))
    return found
