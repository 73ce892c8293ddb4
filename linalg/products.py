"""Products of matrices and vectors, under the names of `torch.linalg`."""

from __future__ import annotations

from typing import Any

from ..tensor.arithmetic import mul
from ..tensor.contraction import matmul as _matmul
from ..tensor.creation import arange
from ..tensor.diagonals import diagonal as _diagonal
from ..tensor.dispatch import is_tensor_like
from ..tensor.linear_algebra import matrix_exp as _exponential
from ..tensor.out import takes_out
from ..tensor.products import cross as _cross
from ..tensor.products import matrix_power as _matrix_power
from ..tensor.reductions import sum
from ..tensor.shaping import squeeze, unsqueeze
from ..tensor.surface import surface

Value = Any


@takes_out
def matmul(input: Value, other: Value) -> Value:
    """The matrix product, as `gl.matmul`."""
    return _matmul(input, other)


@takes_out
def matrix_power(A: Value, n: int) -> Value:
    """The product of `n` times the same matrix; for a negative `n` of its inverse. Shapes: [*, n, n] -> [*, n, n]."""
    return _matrix_power(A, n)


@surface
def matrix_exp(A: Value) -> Value:
    """The exponential of matrices, 1 + A + A @ A / 2 + ... Shapes: [*, n, n] -> [*, n, n]."""
    return _exponential(A)


@takes_out
def multi_dot(tensors: Any) -> Value:
    """The product of two or more matrices in the order that takes the fewest multiplications.

    The first may be a vector, a row, and the last one, a column. Errors: RuntimeError for fewer, other ranks, or sizes
    that do not fit.
    """
    given = list(tensors)
    if len(given) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(given)}")
    starts, ends = given[0].ndim == 1, given[-1].ndim == 1
    if starts:
        given[0] = unsqueeze(given[0], 0)
    if ends:
        given[-1] = unsqueeze(given[-1], -1)
    for place, each in enumerate(given):
        if each.ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {place} must be 2D but got {each.ndim}D")
    for place, (left, right) in enumerate(zip(given, given[1:])):
        if left.shape[1] != right.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {place} and {place + 1} with shapes {list(left.shape)} and {list(right.shape)} "
                "cannot be multiplied"
            )
    result = _in_best_order(given)
    result = squeeze(result, 0) if starts else result
    return squeeze(result, -1) if ends else result


def _in_best_order(matrices: list[Value]) -> Value:
    """The product; for each stretch the place to cut it, found from short stretches to long ones."""
    sizes = [int(matrices[0].shape[0]), *(int(each.shape[1]) for each in matrices)]
    count = len(matrices)
    cost = [[0] * count for _ in range(count)]
    cut = [[0] * count for _ in range(count)]
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            ways = [
                (cost[first][k] + cost[k + 1][last] + sizes[first] * sizes[k + 1] * sizes[last + 1], k)
                for k in range(first, last)
            ]
            cost[first][last], cut[first][last] = min(ways)

    def product(first: int, last: int) -> Value:
        if first == last:
            return matrices[first]
        middle = cut[first][last]
        return _matmul(product(first, middle), product(middle + 1, last))

    return product(0, count - 1)


@takes_out
def vecdot(x: Value, y: Value, *, dim: int = -1) -> Value:
    """The inner products of vectors that lie along `dim`, the first ones conjugated. Batches broadcast."""
    return sum(mul(x.conj(), y), dim)


@takes_out
def cross(input: Value, other: Value, *, dim: int = -1) -> Value:
    """The vector product along `dim`, of size 3. Errors: RuntimeError for tensors of two ranks."""
    if is_tensor_like(input) and is_tensor_like(other) and input.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    return _cross(input, other, dim)


@surface
def diagonal(A: Value, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """The diagonal of matrices that lie along two axes, as a view."""
    return _diagonal(A, offset, dim1, dim2)


@surface
def vander(x: Value, N: int | None = None) -> Value:
    """Powers of each element, from 0 up: as many as `N`, or as there are elements. Shapes: [*, n] -> [*, n, N]."""
    if not x.ndim:
        raise RuntimeError("Expected dim of input to be at least 1. Got 0")
    count = x.shape[-1] if N is None else N
    if N is not None and N <= 1:
        raise RuntimeError(f"N must be greater than 1. Got {N}")
    return unsqueeze(x, -1) ** arange(count, device=x.device)


__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_exp",
    "matrix_power",
    "multi_dot",
    "vander",
    "vecdot",
]
