"""Eigenvalues of matrices that need not be symmetric, which are complex; LAPACK finds them, and no derivative."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..core.devices.host_or_device import as_array
from ..core.errors import LinAlgError
from ..tensor.dispatch import tensor_of
from ..tensor.matrices import check_matrix
from ..tensor.surface import surface
from ..tensor.tracing import values_of

Value = Any


class Eig(NamedTuple):
    """The result of `eig`: eigenvalues, and eigenvectors as columns, both complex."""

    eigenvalues: Value
    eigenvectors: Value


def _values(name: str, A: Value) -> Any:  # noqa: N803  (PyTorch's name)
    """The elements of square matrices. Errors: NotImplementedError where a gradient would have to go back."""
    check_matrix(name, A, square=True)
    if A.requires_grad:
        raise NotImplementedError(
            f"{name} has no derivative here; take that of a detach()ed matrix, or eigh of a symmetric one"
        )
    found = values_of(name, A)
    if not np.isfinite(found).all():
        raise LinAlgError(f"{name}: the matrices hold infinities or NaNs, of which there are no eigenvalues")
    return found


@surface
def eig(A: Value) -> Eig:  # noqa: N803
    """The eigenvalues of square matrices, in no order, and their eigenvectors of length 1 as columns.

    Shapes: A [*, n, n] -> complex [*, n] and [*, n, n]. A trace ends here.
    Errors: RuntimeError for what is no square matrix, NotImplementedError where `A` requires grad.
    """
    found = np.linalg.eig(_values("linalg.eig", A))
    dtype = A.dtype.to_complex().numpy
    return Eig(*(tensor_of(as_array(each.astype(dtype)), A) for each in found))


@surface
def eigvals(A: Value) -> Value:  # noqa: N803
    """The eigenvalues of square matrices, in no order.

    Shapes: A [*, n, n] -> complex [*, n]. A trace ends here. Errors: those of `eig`.
    """
    found = np.linalg.eigvals(_values("linalg.eigvals", A))
    return tensor_of(as_array(found.astype(A.dtype.to_complex().numpy)), A)
