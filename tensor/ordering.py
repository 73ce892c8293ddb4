"""Sorting, running reductions, and finding equal elements. Orders are found by NumPy; picking is recorded."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..core import dtypes
from ..ops.activations import ALIAS
from ..ops.indexing import GATHER
from ..ops.ordering import ARGSORT, HISTC, ISIN, PLACE_OF_EXTREME, PLACE_OF_RANK, SEARCHSORTED
from ..ops.scans import CUMPROD, CUMSUM
from .arithmetic import mul, sub
from .creation import arange, as_tensor, full_like, zeros_like
from .dispatch import apply, tensor_of
from .elementary import logaddexp
from .joining import cat, narrow
from .masks import nonzero
from .narrow import check_computes
from .pointwise import eq, logical_and, logical_or, ne
from .promotion import refuse, to_dtype
from .reductions import Extremes, argmax, wide
from .runs import counts_of, is_sorted_by_device, runs
from .shapes import missing_argument, wrap_axis
from .shaping import as_own, reshape_to, result_in
from .surface import method, surface
from .tensor import Array, Tensor
from .tracing import values_of

Value = Any


class Sorted(NamedTuple):
    """The result of `sort`, `topk` and their like: elements, and where along the axis they were."""

    values: Value
    indices: Value


def _order(x: Value, axis: int, descending: bool) -> Value:
    """Places along `axis` in order; equal elements stay in theirs, and NaN is the largest."""
    return apply(ARGSORT, x, axis=axis, descending=bool(descending))


def _picked(x: Value, indices: Value, axis: int) -> Sorted:
    return Sorted(apply(GATHER, x, indices, axis=axis), indices)


@method("sort")
def sort(self: Value, dim: int = -1, descending: bool = False, stable: bool = False, *, axis: Any = None) -> Sorted:
    """The elements along `dim` in order, and where they were. It is always stable; NaN counts as the largest."""
    dim = dim if axis is None else axis
    axis = wrap_axis(dim, self.ndim)
    if not self.ndim:
        return Sorted(apply(ALIAS, self), full_like(self, 0, dtype=dtypes.int64))
    return _picked(self, _order(self, axis, descending), axis)


@method("argsort")
def argsort(self: Value, dim: int = -1, descending: bool = False, stable: bool = False, *, axis: Any = None) -> Value:
    """The places along `dim` of the elements in order."""
    dim = dim if axis is None else axis
    return sort(self, dim, descending, stable).indices


@method("msort")
def msort(self: Value) -> Value:
    """The elements along the first axis in order."""
    return sort(self, 0).values


@method("topk")
def topk(self: Value, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, axis: Any = None) -> Sorted:
    """The `k` largest (or smallest) elements along `dim`, in order, and where they are.

    Errors: RuntimeError where the axis has fewer.
    """
    dim = dim if axis is None else axis
    axis = wrap_axis(dim, self.ndim)
    extent = self.shape[axis] if self.ndim else 1
    if not 0 <= k <= extent:
        raise RuntimeError("selected index k out of range")
    if not self.ndim:
        return sort(self)
    return _picked(self, as_own(narrow(_order(self, axis, largest), axis, 0, k).contiguous()), axis)


@method("kthvalue")
def kthvalue(
    self: Value, k: int, dim: int = -1, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False
) -> Sorted:
    """The `k`-th smallest element along `dim`, counted from 1, and where it is. Errors: RuntimeError out of range."""
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    axis = wrap_axis(dim, self.ndim)
    if self.ndim and not self.shape[axis]:
        raise IndexError(f"kthvalue(): Expected reduction dim {dim} to have non-zero size.")
    if not 1 <= k <= (self.shape[axis] if self.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    return of_rank(self, axis, keepdim, int(k) - 1) if self.ndim else sort(self)


def of_rank(x: Value, axis: int, keepdim: bool, rank: int | str) -> Sorted:
    """The element of that rank along `axis`: see `ops.ordering.PLACE_OF_RANK`."""
    found = _picked(x, apply(PLACE_OF_RANK, x, axis=axis, rank=rank), axis)
    if keepdim:
        return found
    kept = (*x.shape[:axis], *x.shape[axis + 1 :])
    return Sorted(result_in(found.values, kept), result_in(found.indices, kept))


# Equal elements.


class MostFrequent(NamedTuple):
    """The result of `mode`."""

    values: Value
    indices: Value


@method("mode")
def mode(
    self: Value, dim: int = -1, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False
) -> MostFrequent:
    """The element that there are most of along `dim`, the smallest of several, and the last place where it is.

    All NaNs count as one. Errors: IndexError for an axis without elements.
    """
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    axis = wrap_axis(dim, self.ndim)
    if not self.ndim:
        return MostFrequent(apply(ALIAS, self), full_like(self, 0, dtype=dtypes.int64))
    size = self.shape[axis]
    if not size:
        raise IndexError(f"mode(): Expected reduction dim {axis} to have non-zero size.")
    order = argsort(self.detach(), axis, stable=True)
    rows = apply(GATHER, self.detach(), order, axis=axis)
    later, earlier = narrow(rows, axis, 1, size - 1), narrow(rows, axis, 0, size - 1)
    differ = ne(later, earlier)
    if self.dtype.is_float:
        differ = logical_and(differ, logical_or(eq(later, later), eq(earlier, earlier)))
    place = reshape_to(arange(size, device=self.device), tuple(size if k == axis else 1 for k in range(self.ndim)))
    # Where the run that each element is of began: what follows a difference begins one.
    starts = mul(to_dtype(differ, dtypes.int64), narrow(place, axis, 1, size - 1))
    starts = cat([zeros_like(narrow(order, axis, 0, 1)), starts], axis)
    length = sub(place, cummax(starts, axis).values)
    found = apply(GATHER, order, argmax(length, axis, True), axis=axis)
    result = _picked(self, found, axis)
    if keepdim:
        return MostFrequent(result.values, result.indices)
    kept = (*self.shape[:axis], *self.shape[axis + 1 :])
    return MostFrequent(result_in(result.values, kept), result_in(result.indices, kept))


@method("unique_consecutive")
def unique_consecutive(
    self: Value, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements (or slices along `dim`) without repeats of the one before; also, where each went, and how many."""
    if dim is None and is_sorted_by_device(self):
        return runs(reshape_to(self.detach(), (self.numel(),)), self.shape, None, return_inverse, return_counts)
    array = values_of("unique_consecutive", self, for_shape=True)
    rows = array.reshape(-1) if dim is None else np.moveaxis(array, wrap_axis(dim, self.ndim), 0)
    differ = (rows[1:] != rows[:-1]).reshape(max(len(rows) - 1, 0), math.prod(rows.shape[1:])).any(1)
    first = np.concatenate([np.ones(min(len(rows), 1), bool), differ])
    starts = np.flatnonzero(first)
    kept = rows[starts] if dim is None else np.moveaxis(rows[starts], 0, wrap_axis(dim, self.ndim))
    inverse = np.cumsum(first) - 1
    counts = np.diff(np.append(starts, len(rows)))
    inverse = inverse.reshape(array.shape) if dim is None else inverse
    return _found(self, kept, inverse, counts, return_inverse, return_counts)


@method("unique")
def unique(
    self: Value,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements (or slices along `dim`) in order; also, where each went, and how many there are."""
    if dim is None and is_sorted_by_device(self):
        flat = reshape_to(self.detach(), (self.numel(),))
        order = _order(flat, 0, False)
        return runs(apply(GATHER, flat, order, axis=0), self.shape, order, return_inverse, return_counts)
    array = values_of("unique", self, for_shape=True)
    axis = None if dim is None else wrap_axis(dim, self.ndim)
    kept, inverse, counts = np.unique(array, return_inverse=True, return_counts=True, axis=axis, equal_nan=False)
    inverse = inverse.reshape(array.shape if axis is None else -1)
    return _found(self, kept, inverse, counts, return_inverse, return_counts)


def _found(x: Tensor, kept: Array, inverse: Array, counts: Array, with_inverse: bool, with_counts: bool) -> Any:
    parts = [kept.astype(x.dtype.numpy, copy=False)]
    parts += [inverse.astype(np.int64)] if with_inverse else []
    parts += [counts.astype(np.int64)] if with_counts else []
    made = tuple(tensor_of(np.ascontiguousarray(each), x) for each in parts)
    return made if len(made) > 1 else made[0]


@surface
def isin(elements: Value, test_elements: Value, *, assume_unique: bool = False, invert: bool = False) -> Value:
    """Whether each of `elements` is one of `test_elements`."""
    left, right = as_tensor(elements), as_tensor(test_elements)
    for each in (left, right):
        check_computes("isin", each.dtype)
    return apply(ISIN, left, right, invert=bool(invert))


@surface
def searchsorted(
    sorted_sequence: Value,
    input: Value,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
) -> Value:
    """The place of each element in a sequence in order: before equal ones, or after them with `right`.

    Shapes: sorted_sequence [n], input any; or [*, n] and [*, m] -> [*, m].
    """
    after = right or side == "right"
    rows, asked = sorted_sequence, as_tensor(input)
    if rows.ndim > 1 and (rows.ndim != asked.ndim or rows.shape[:-1] != asked.shape[:-1]):
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
            f"tensor and input value tensor must match, but we got boundaries tensor {list(rows.shape)} and input "
            f"value tensor {list(asked.shape)}"
        )
    return apply(SEARCHSORTED, rows, asked, right=bool(after), dtype=dtypes.int32 if out_int32 else dtypes.int64)


@surface
def bucketize(input: Value, boundaries: Value, *, out_int32: bool = False, right: bool = False) -> Value:
    """Between which two of `boundaries`, a vector in order, each element lies."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@method("bincount")
def bincount(self: Value, weights: Value = None, minlength: int = 0) -> Value:
    """The count of each number from 0 up in a vector of integers, or what the weights there sum to."""
    refuse("bincount", "f", self)
    if is_sorted_by_device(self) and self.ndim == 1 and self.dtype.is_integer:
        found = counts_of(self, weights, minlength)
        if found is not None:
            return found
    array = values_of("bincount", self, for_shape=True)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.size and array.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return tensor_of(np.bincount(array.astype(np.int64), minlength=minlength).astype(np.int64), self)
    if not array.size:
        return tensor_of(np.zeros(minlength, np.int64), self)
    given = values_of("bincount", weights, for_shape=True)
    if given.shape != array.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    kind = np.float32 if weights.dtype is dtypes.float32 else np.float64
    return tensor_of(np.bincount(array.astype(np.int64), given, minlength).astype(kind), self)


@method("histc")
def histc(self: Value, bins: int = 100, min: float = 0, max: float = 0) -> Value:
    """The number of elements in each of `bins` equal parts of the range from `min` to `max`, both included."""
    refuse("histc", "biu", self)
    low, high = float(min), float(max)
    if low > high:
        raise RuntimeError("max must be larger than min")
    return apply(HISTC, self, bins=bins, low=low, high=high)


@method("argwhere")
def argwhere(self: Value) -> Value:
    """A row with the place of each element that is not 0."""
    return nonzero(self)


# Running reductions.


def _running(x: Value, dim: int, dtype: Any, op: Any) -> Value:
    axis = wrap_axis(dim, x.ndim)
    x = wide(x, dtype)
    if not x.ndim:
        return apply(ALIAS, x)
    return apply(op, x, axis=axis)


@method("cumsum")
def cumsum(self: Value, dim: Any = None, *, dtype: Any = None, axis: Any = None) -> Value:
    """The sums of all elements along `dim` up to each one; of integers in int64 unless `dtype` is given."""
    dim = dim if axis is None else axis
    return _running(self, dim, dtype, CUMSUM)


@method("cumprod")
def cumprod(self: Value, dim: Any = None, *, dtype: Any = None, axis: Any = None) -> Value:
    """The products of all elements along `dim` up to each one; of integers in int64 unless `dtype` is given."""
    dim = dim if axis is None else axis
    return _running(self, dim, dtype, CUMPROD)


@method("logcumsumexp")
def logcumsumexp(self: Value, dim: Any = None, *, axis: Any = None) -> Value:
    """The logarithms of the sums of ``exp(x)`` along `dim` up to each one. Errors: NotImplementedError for integers."""
    dim = dim if axis is None else axis
    if dim is None:
        raise missing_argument("logcumsumexp", dim=dim)
    if not self.dtype.is_float:
        raise NotImplementedError(f"logcumsumexp is not implemented for {self.dtype}")
    axis = wrap_axis(dim, self.ndim)
    if not self.ndim:
        return apply(ALIAS, self)
    size, reach = self.shape[axis], 1
    result = apply(ALIAS, self)
    while reach < size:
        # One shift for all would underflow: each step adds what ends `reach` places before.
        later, earlier = narrow(result, axis, reach, size - reach), narrow(result, axis, 0, size - reach)
        result = cat([narrow(result, axis, 0, reach), logaddexp(later, earlier)], axis)
        reach *= 2
    return result


def _extremes_so_far(x: Value, dim: int, largest: bool) -> Extremes:
    axis = wrap_axis(dim, x.ndim)
    if not x.ndim:
        return Extremes(apply(ALIAS, x), full_like(x, 0, dtype=dtypes.int64))
    return Extremes(*_picked(x, apply(PLACE_OF_EXTREME, x, axis=axis, largest=largest), axis))


@method("cummax")
def cummax(self: Value, dim: Any = None, *, axis: Any = None) -> Extremes:
    """The largest element along `dim` up to each one, and where it is: the last of several."""
    dim = dim if axis is None else axis
    return _extremes_so_far(self, dim, largest=True)


@method("cummin")
def cummin(self: Value, dim: Any = None, *, axis: Any = None) -> Extremes:
    """The smallest element along `dim` up to each one, and where it is: the last of several."""
    dim = dim if axis is None else axis
    return _extremes_so_far(self, dim, largest=False)


@method("diff")
def diff(
    self: Value, n: int = 1, dim: int = -1, prepend: Value = None, append: Value = None, *, axis: Any = None
) -> Value:
    """The differences of neighbours along `dim`, taken `n` times."""
    dim = dim if axis is None else axis
    if not self.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    axis = wrap_axis(dim, self.ndim)
    parts = [each for each in (prepend, self, append) if each is not None]
    x = cat(parts, axis) if len(parts) > 1 else self
    for _ in range(n):
        size = x.shape[axis]
        if not size:
            break
        later, earlier = narrow(x, axis, 1, size - 1), narrow(x, axis, 0, size - 1)
        x = later.logical_xor(earlier) if x.dtype.is_bool else sub(later, earlier)
    return x if n or x is not self else apply(ALIAS, x)
