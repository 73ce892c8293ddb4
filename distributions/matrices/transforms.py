"""Transforms into matrices: definite ones, and Cholesky factors of correlations."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtypes import int64
from ...linalg import cholesky
from ...nn.functional import pad, softplus
from ...tensor.contraction import matmul
from ...tensor.creation import eye, tensor
from ...tensor.indexing import index_select
from ...tensor.joining import cat
from .. import constraints
from ..parameters import rounding
from ..transform import Transform
from ..transforms import LowerCholeskyTransform

Value = Any
Shape = tuple[int, ...]


class PositiveDefiniteTransform(Transform):
    """Matrices as positive-definite ones: ``L @ L.mT`` of the factor that `LowerCholeskyTransform` makes."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PositiveDefiniteTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        lower = LowerCholeskyTransform()(x)
        return matmul(lower, lower.mT)

    def _inverse(self, y: Value) -> Value:
        return LowerCholeskyTransform().inv(cholesky(y))


def _places(size: int, diagonal: int) -> list[int]:
    """The places, counted row by row, of a lower triangle."""
    return [row * size + column for row in range(size) for column in range(min(row + diagonal + 1, size))]


def _size_for(length: int) -> int:
    """The rows of a matrix with as many elements below its diagonal. Errors: ValueError where there is none."""
    size = round((0.25 + 2 * length) ** 0.5 + 0.5)
    if size * (size - 1) // 2 != length:
        raise ValueError("Input is not a flattened lower-diagonal number")
    return size


def _into_triangle(x: Value) -> Value:
    """Numbers below the diagonal of a matrix, row by row, and zeros elsewhere."""
    length = x.shape[-1]
    size = _size_for(length)
    order = [length] * (size * size)
    for number, place in enumerate(_places(size, -1)):
        order[place] = number
    whole = cat([x, x.new_zeros((*x.shape[:-1], 1))], -1)
    found = index_select(whole, -1, tensor(order, dtype=int64, device=x.device))
    return found.reshape((*x.shape[:-1], size, size))


def _of_triangle(y: Value, diagonal: int) -> Value:
    """The numbers of a lower triangle, row by row."""
    size = y.shape[-1]
    order = tensor(_places(size, diagonal), dtype=int64, device=y.device)
    return index_select(y.reshape((*y.shape[:-2], size * size)), -1, order)


class CorrCholeskyTransform(Transform):
    """Vectors of n (n - 1) / 2 numbers as Cholesky factors of correlations between n: rows of length 1.

    Each row breaks a stick: tanh of a number takes a share, with its sign, of what the numbers before it have left.
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Value) -> Value:
        least = rounding(x.dtype)
        shares = _into_triangle(x.tanh().clamp(min=-1 + least, max=1 - least))
        left = (1 - shares**2).sqrt().cumprod(-1)
        whole = shares + eye(shares.shape[-1], dtype=x.dtype, device=x.device)
        return whole * pad(left[..., :-1], [1, 0], value=1.0)

    def _inverse(self, y: Value) -> Value:
        left = pad((1 - (y * y).cumsum(-1))[..., :-1], [1, 0], value=1.0)
        shares = _of_triangle(y, -1) / _of_triangle(left, -1).sqrt()
        return (shares.log1p() - (-shares).log1p()) / 2

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        left = _of_triangle(1 - (y * y).cumsum(-1), -2)
        of_tanh = -2 * (x + softplus(-2 * x) - math.log(2.0)).sum(-1)
        return 0.5 * left.log().sum(-1) + of_tanh

    def forward_shape(self, shape: Shape) -> Shape:
        """The shape of a batch of factors. Errors: ValueError for a length that no triangle has."""
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        size = _size_for(shape[-1])
        return (*shape[:-1], size, size)

    def inverse_shape(self, shape: Shape) -> Shape:
        """The shape of a batch of vectors. Errors: ValueError for what is not square."""
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)


__all__ = ["CorrCholeskyTransform", "PositiveDefiniteTransform"]
