"""Reductions of slices into the slices that an index names, and slices scaled down to a norm."""

from __future__ import annotations

import math
from typing import Any

from ..core import dtypes
from .arithmetic import add, div, mul
from .indexing import _in_range as in_range
from .pointwise import gt, where
from .promotion import to_dtype
from .reductions import norm
from .scattering import scatter_reduce
from .shapes import missing_argument, wrap_axis
from .shaping import expand_to, flatten, reshape_to, result_in
from .surface import method

Value = Any


@method("index_reduce")
def index_reduce(
    self: Value,
    dim: Any = None,
    index: Value = None,
    source: Value = None,
    reduce: Any = None,
    *,
    include_self: bool = True,
    axis: Any = None,
) -> Value:
    """A copy whose slices along `dim` are reductions over those of `source` that `index` sends there, and of their own
    unless told so.

    reduce: prod, mean, amax or amin.   Shapes: index [n]; source that of `self` with n slices.
    Errors: RuntimeError for shapes and dtypes that do not fit, IndexError for an index of several axes.
    """
    dim = dim if axis is None else axis
    if index is None or source is None or reduce is None:
        raise missing_argument("index_reduce", dim=dim, index=index, source=source, reduce=reduce)
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    axis = wrap_axis(dim, self.ndim)
    if index.ndim > 1:
        raise IndexError(f"index_reduce_(): Index is supposed to be a vector, but got dim: {index.ndim}")
    if source.dtype is not self.dtype:
        raise RuntimeError("index_reduce_(): self and source expected to have the same scalar type")
    if not self.ndim:
        rows = reshape_to(self, (1,)), 0, flatten(index), flatten(source), reduce
        return result_in(index_reduce(*rows, include_self=include_self), ())
    if source.ndim != self.ndim or any(
        size != (math.prod(index.shape) if k == axis else self.shape[k]) for k, size in enumerate(source.shape)
    ):
        raise RuntimeError(
            f"index_reduce(): source {list(source.shape)} must have a slice for each of {math.prod(index.shape)} "
            f"indices along dimension {axis}, and match self {list(self.shape)} elsewhere"
        )
    index = in_range(index, self.shape[axis], "index out of range in self", IndexError)
    along = tuple(math.prod(index.shape) if k == axis else 1 for k in range(self.ndim))
    places = expand_to(reshape_to(index, along), source.shape)
    return scatter_reduce(self, axis, places, source, reduce, include_self=include_self)


@method("renorm")
def renorm(self: Value, p: Any, dim: int, maxnorm: Any) -> Value:
    """`input` with each slice along `dim` whose p-norm is larger than `maxnorm` scaled down to it.

    Errors: RuntimeError for fewer than two axes, integers, a `p` that is not positive, or a negative `maxnorm`.
    """
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError("renorm: expected maxnorm to be >= 0 but got a negative number")
    if self.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {self.ndim} dimensions")
    axis = wrap_axis(dim, self.ndim)
    x = to_dtype(self, dtypes.float32) if self.dtype.is_narrow else self
    axes = tuple(k for k in range(x.ndim) if k != axis)
    large = gt(norm(x.detach(), p, axes, True), maxnorm)
    # Slices that are kept have no part in the derivative of a norm, which may be infinite or no number.
    size = norm(where(large, x, 1.0), p, axes, True)
    factor = where(large, div(maxnorm, add(size, 1e-7)), 1.0)
    return to_dtype(mul(x, factor), self.dtype)
