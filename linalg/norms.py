"""Norms, and what is counted by them, under the names of `torch.linalg`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.errors import LinAlgError
from ..tensor.arithmetic import maximum
from ..tensor.dispatch import is_tensor_like, not_a_tensor, number_kind, tensor_of
from ..tensor.linear_algebra import inverse_of, singular_values_of, symmetric_eigenvalues_of, tolerances
from ..tensor.matrices import check_matrix
from ..tensor.out import takes_out
from ..tensor.promotion import to_dtype
from ..tensor.reductions import norm as _norm
from ..tensor.shapes import wrap_axis
from ..tensor.shaping import movedim, unsqueeze
from ..tensor.tensor import Tensor

Value = Any


def _floats(name: str, x: Value, dtype: Any) -> Value:
    if not is_tensor_like(x):
        raise not_a_tensor(name.replace(".", "_"), "A", 1, x)
    if dtype is not None and not dtype.is_differentiable:
        raise RuntimeError(f"{name}: dtype should be floating point or complex. Got {dtype}")
    if not x.dtype.is_differentiable:
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {x.dtype}")
    return x if dtype is None else to_dtype(x, dtype)


@takes_out
def vector_norm(x: Value, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    """The norm of order `ord`, any number or infinity, over `dim` (all axes for None), of a tensor as one vector.

    Errors: RuntimeError for integers, and for a negative or infinite order of no elements.
    """
    x = _floats("linalg.vector_norm", x, dtype)
    if number_kind(ord) is None:
        raise TypeError(f"linalg_vector_norm(): argument 'ord' must be Number, not {type(ord).__name__}")
    return _norm(x, ord, dim, keepdim)


SPECTRAL = (2, -2)


@takes_out
def matrix_norm(A: Value, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Value:
    """The norm of matrices, which lie along the two axes `dim`: "fro", "nuc", 1, -1, 2, -2, inf or -inf.

    Shapes: [*, m, n] -> [*]. Errors: RuntimeError for another order, integers, or two equal axes.
    """
    name = "linalg.matrix_norm"
    x = _floats(name, A, dtype)
    if x.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if isinstance(dim, int) or len(dim) != 2:
        raise RuntimeError(f"{name}: dim must be a 2-tuple. Got {dim}")
    rows, columns = (wrap_axis(axis, x.ndim) for axis in dim)
    if rows == columns:
        raise RuntimeError(f"{name}: dims must be different. Got ({dim[0]}, {dim[1]})")
    if ord == "fro":
        return _norm(x, 2, (rows, columns), keepdim)
    if ord == "nuc" or ord in SPECTRAL:
        singular = singular_values_of(name, movedim(x, (rows, columns), (-2, -1)))
        found = singular.sum(-1) if ord == "nuc" else singular.amax(-1) if ord == 2 else singular.amin(-1)
        return _with_axes(found, rows, columns) if keepdim else found
    if isinstance(ord, str) or ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"{name}: Order {ord} not supported.")
    summed, chosen = (rows, columns) if ord in (1, -1) else (columns, rows)
    sums = x.abs().sum(summed, keepdim=True)
    found = sums.amax(chosen, keepdim=True) if ord > 0 else sums.amin(chosen, keepdim=True)
    return found if keepdim else found.squeeze(max(rows, columns)).squeeze(min(rows, columns))


def _with_axes(x: Value, first: int, second: int) -> Value:
    low, high = min(first, second), max(first, second)
    return unsqueeze(unsqueeze(x, low), high)


@takes_out
def norm(A: Value, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    """A vector norm over one axis, a matrix norm over two; without `ord` the 2-norm of all elements along `dim`.

    Errors: RuntimeError for an order without axes of a tensor that has more than two.
    """
    if not is_tensor_like(A):
        raise not_a_tensor("linalg_norm", "A", 1, A)
    axes = None if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    if ord is not None:
        if axes is not None and len(axes) not in (1, 2):
            raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(axes)}")
        if axes is None and A.ndim not in (1, 2):
            raise RuntimeError(
                f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D."
            )
        if (len(axes) if axes is not None else A.ndim) == 2:
            return matrix_norm(A, ord, (0, 1) if axes is None else axes, keepdim, dtype=dtype)
        if isinstance(ord, str):
            raise RuntimeError(f"linalg.norm: ord={ord!r} is that of matrices, and takes two axes")
    return vector_norm(A, 2 if ord is None else ord, axes, keepdim, dtype=dtype)


@takes_out
def cond(A: Value, p: Any = None) -> Value:
    """The condition number: the product of its norm and that of its inverse, of order `p` (2).

    Shapes: [*, m, n] -> [*]; square ones for another order than 2 and -2, infinite where they are singular.
    """
    check_matrix("linalg.cond", A)
    if p is None or p in SPECTRAL:
        singular = singular_values_of("linalg.cond", A)
        high, low = singular.amax(-1), singular.amin(-1)
        return low / high if p == -2 else high / low
    check_matrix("linalg.cond", A, square=True)
    try:
        return matrix_norm(A, p) * matrix_norm(inverse_of("linalg.cond", A), p)
    except LinAlgError:
        if A.ndim == 2:
            return tensor_of(np.full((), math.inf, A.dtype.to_real().numpy), A)
        return _one_by_one(A, p)


def _one_by_one(A: Tensor, p: Any) -> Value:
    found = [cond(A[place], p) for place in np.ndindex(tuple(A.shape[:-2]))]
    return tensor_of(np.array([each.item() for each in found], A.dtype.to_real().numpy).reshape(A.shape[:-2]), A)


def rank_of(singular: Value, A: Value, atol: Any, rtol: Any) -> Value:
    """The number of singular values above the tolerances, as int64."""
    if not singular.shape[-1]:
        return singular.sum(-1).long()
    largest = singular.amax(-1, keepdim=True)
    if is_tensor_like(atol) or is_tensor_like(rtol):
        absolute = 0.0 if atol is None else atol
        relative = (max(A.shape[-2:]) * float(np.finfo(A.dtype.numpy).eps)) if rtol is None else rtol
        absolute, relative = (unsqueeze(each, -1) if is_tensor_like(each) else each for each in (absolute, relative))
        bound = maximum(largest * relative, largest * 0.0 + absolute)
    else:
        absolute, relative = tolerances(A, atol, rtol)
        bound = (largest * relative).clamp(min=absolute)
    return (singular > bound).sum(-1)


@takes_out
def matrix_rank(A: Value, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None) -> Value:
    """The rank of matrices: how many singular values are above both tolerances. Shapes: [*, m, n] -> int64[*].

    atol, rtol: as in `pinv`, or tensors that broadcast. tol: another name of `atol`.
    hermitian: the matrices are symmetric, and their lower triangles are read.
    """
    check_matrix("linalg.matrix_rank", A, square=hermitian)
    held = A.detach()
    if hermitian:
        found = symmetric_eigenvalues_of("linalg.matrix_rank", held, "L").abs()
    else:
        found = singular_values_of("linalg.matrix_rank", held)
    return rank_of(found, A, tol if atol is None else atol, 0.0 if tol is not None and rtol is None else rtol)


__all__ = ["cond", "matrix_norm", "matrix_rank", "norm", "vector_norm"]
