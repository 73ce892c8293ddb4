"""Diagonals and triangles of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..ops.activations import ALIAS
from ..ops.diagonals import DIAGONAL
from ..ops.pointwise import BITWISE_AND, REMAINDER
from .creation import arange, zeros
from .devices import made_on
from .dispatch import apply, assign_
from .pointwise import eq, le, where
from .promotion import to_dtype
from .reductions import sum as total
from .scattering import store
from .shapes import wrap_axis
from .shaping import as_own, flatten, movedim, reshape_to
from .surface import method, surface
from .tensor import Tensor
from .tracing import tracing

Value = Any


@method("diagonal")
def diagonal(self: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    """A view of the diagonals of the matrices in two axes, `offset` above the main ones, as the last axis."""
    first, second = _two_axes(self.ndim, dim1, dim2)
    return apply(DIAGONAL, movedim(self, (first, second), (-2, -1)), offset=offset)


def _two_axes(rank: int, dim1: int, dim2: int) -> tuple[int, int]:
    first, second = wrap_axis(dim1, rank), wrap_axis(dim2, rank)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return first, second


@method("diag")
def diag(self: Value, diagonal: int = 0) -> Value:
    """The matrix with a vector on a diagonal; of a matrix a copy of that diagonal."""
    if self.ndim == 1:
        return diag_embed(self, diagonal)
    if self.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {self.ndim}D")
    return apply(ALIAS, apply(DIAGONAL, self, offset=diagonal))


@method("diag_embed")
def diag_embed(self: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    """Matrices, in two new axes, with the last axis of `self` on a diagonal and zeros elsewhere."""
    rank = self.ndim + 1
    first, second = _two_axes(rank, dim1, dim2)
    size = self.shape[-1] + abs(offset)
    columns = arange(size, device=self.device)
    on = eq(reshape_to(columns, (size, 1)) + offset, columns)
    place = (columns - max(offset, 0)).clamp(0, max(self.shape[-1] - 1, 0))
    nothing = zeros(*self.shape[:-1], size, dtype=self.dtype, device=self.device)
    spread = self[..., place] if self.shape[-1] else nothing
    filled = where(on, spread.unsqueeze(-2), zeros((), dtype=self.dtype, device=self.device))
    return as_own(movedim(filled, (-2, -1), (first, second)))


@method("diagflat")
def diagflat(self: Value, offset: int = 0) -> Value:
    """The matrix with the elements in a row on a diagonal."""
    return diag_embed(flatten(self), offset)


@method("trace")
def trace(self: Value) -> Value:
    """The sum of the main diagonal. Errors: RuntimeError for what is no matrix."""
    if self.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return total(apply(DIAGONAL, self, offset=0))


def _triangle(name: str, gives: str, lower: bool) -> Any:
    def function(self: Value, diagonal: int = 0) -> Value:
        if self.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        height, width = self.shape[-2:]
        rows = reshape_to(arange(height, device=self.device), (height, 1))
        columns = arange(width, device=self.device)
        kept = le(columns - rows, diagonal) if lower else le(diagonal, columns - rows)
        return where(kept, self, zeros((), dtype=self.dtype, device=self.device))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives} that diagonal, with zeros elsewhere."
    return method(name)(function)


tril = _triangle("tril", "The part of matrices on and below", lower=True)
triu = _triangle("triu", "The part of matrices on and above", lower=False)


def _indices(name: str, of: Any) -> Any:
    def function(row: int, col: int, offset: int = 0, *, dtype: DType | None = None, device: Any = None) -> Value:
        if tracing() is not None:
            raise NotImplementedError(f"there is no operation yet that finds {name} inside of a trace")
        found = Tensor._wrap(np.stack(of(row, offset, col)).astype(np.int64))
        return made_on(device, to_dtype(found, dtype or dtypes.int64))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Rows and columns of that triangle of a matrix, as the two rows of a tensor."
    return surface(function)


tril_indices = _indices("tril_indices", np.tril_indices)
triu_indices = _indices("triu_indices", np.triu_indices)


@method("fill_diagonal_")
def fill_diagonal_(self: Value, fill_value: Any, wrap: bool = False) -> Value:
    """`self`, with a number on its main diagonal; `wrap` goes on below in matrices that are tall.

    Errors: RuntimeError for fewer than two axes, or for more that are not of one size.
    """
    if self.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if self.ndim > 2 and len(set(self.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    shape = self.shape
    step = sum(math.prod(shape[k + 1 :]) for k in range(self.ndim))
    places = reshape_to(made_on(self.device, arange(math.prod(shape))), shape)
    mask = eq(apply(REMAINDER, places, step), 0)
    if self.ndim == 2 and not wrap:  # a tall matrix has further places of this step below
        mask = apply(BITWISE_AND, mask, le(places, shape[1] * step - 1))
    return assign_(self, where(mask, fill_value, self))


@method("diagonal_scatter")
def diagonal_scatter(self: Value, src: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    """A copy with `src` for its diagonals. Errors: RuntimeError where shapes differ."""
    copy = apply(ALIAS, self)
    store(diagonal(copy, offset, dim1, dim2), src)
    return copy


__all__ = [
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "diagonal_scatter",
    "fill_diagonal_",
    "trace",
    "tril",
    "tril_indices",
    "triu",
    "triu_indices",
]
