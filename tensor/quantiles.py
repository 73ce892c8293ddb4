"""Medians and quantiles: elements picked by their rank."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ops.indexing import GATHER
from ..ops.ordering import PLACE_OF_SHARE, WEIGHT_OF_SHARE
from ..ops.statistics import TIED
from .arithmetic import add, lerp, mul
from .dispatch import apply, is_tensor_like
from .joining import cat
from .ordering import of_rank, sort
from .pointwise import ceil, eq, isnan, logical_and, logical_or
from .promotion import refuse, to_dtype
from .reductions import not_empty
from .shapes import reduced, wrap_axis
from .shaping import flatten, reshape_to, result_in, unsqueeze
from .surface import method
from .tracing import values_of

Value = Any


@method("median")
def median(
    self: Value, dim: int | None = None, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False
) -> Any:
    """The middle element, the lower of two; along `dim` the pair (values, indices). A NaN wins."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return _median(self, dim, keepdim, ignoring=False)


@method("nanmedian")
def nanmedian(
    self: Value, dim: int | None = None, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False
) -> Any:
    """`median` of what is no NaN."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return _median(self, dim, keepdim, ignoring=True)


def _median(x: Value, dim: int | None, keepdim: bool, ignoring: bool) -> Any:
    refuse("median", "b", x)
    if dim is None:
        flat = flatten(x)
        if flat.shape[0]:
            found = _median(flat.detach(), 0, False, ignoring).values
            if not x.dtype.is_float:
                return found
            return apply(TIED, x, logical_or(eq(x, found), logical_and(isnan(x), isnan(found))))
        return to_dtype(add(flat.sum(), math.nan if x.dtype.is_float else np.iinfo(x.dtype.numpy).min), x.dtype)
    axis = wrap_axis(dim, x.ndim)
    if not x.ndim:
        return sort(x)
    not_empty("median", x, axis)
    return of_rank(x, axis, keepdim, "nanmedian" if ignoring else "median")


@method("quantile")
def quantile(
    self: Value,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """The elements below which a share `q` lies (a number from 0 to 1, or a vector of them, which makes a first axis).

    interpolation: linear, lower, higher, nearest or midpoint. Errors: RuntimeError for a share out of range.
    """
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return _quantile(self, q, dim, keepdim, interpolation, ignoring=False)


@method("nanquantile")
def nanquantile(
    self: Value,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
    axis: Any = None,
    keepdims: bool = False,
) -> Value:
    """`quantile` of what is no NaN."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    return _quantile(self, q, dim, keepdim, interpolation, ignoring=True)


def _quantile(x: Value, q: Any, dim: int | None, keepdim: bool, interpolation: str, ignoring: bool) -> Value:
    if interpolation not in ("linear", "lower", "higher", "nearest", "midpoint"):
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}"
        )
    if not x.dtype.is_float:
        raise RuntimeError(f"quantile() input tensor must be either float or double dtype, got {x.dtype}")
    shares = values_of("quantile", q).astype(np.float64) if is_tensor_like(q) else np.float64(q)
    if np.any((shares < 0) | (shares > 1)):
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    if not x.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    rank = x.ndim
    axis = 0 if dim is None else wrap_axis(dim, rank)
    rows = flatten(x) if dim is None or not rank else x
    parts = [_at_share(rows, float(each), axis, interpolation, ignoring) for each in np.atleast_1d(shares)]
    if keepdim:
        kept = (1,) * rank if dim is None else reduced(x.shape, (axis,))
        parts = [result_in(each, kept) for each in parts]
    return cat([unsqueeze(each, 0) for each in parts], 0) if np.ndim(shares) else parts[0]


def _at_share(x: Value, share: float, axis: int, interpolation: str, ignoring: bool) -> Value:
    def at(side: str) -> Value:
        place = apply(PLACE_OF_SHARE, x, axis=axis, share=share, ignoring=ignoring, side=side)
        kept = (*x.shape[:axis], *x.shape[axis + 1 :])
        return result_in(apply(GATHER, x, place, axis=axis), kept)

    one = {"lower": "low", "higher": "high", "nearest": "near"}.get(interpolation)
    if one is not None:
        return at(one)
    below, above = at("low"), at("high")
    weight = reshape_to(apply(WEIGHT_OF_SHARE, x, axis=axis, share=share, ignoring=ignoring), below.shape)
    if interpolation == "midpoint":
        weight = mul(ceil(weight), 0.5)
    return lerp(below, above, to_dtype(weight, x.dtype))
