"""Writing to places that index tensors name, as new tensors; the in-place forms are in `in_place`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import dtypes
from ..ops.activations import ALIAS
from ..ops.indexing import SCATTER, SCATTER_ADD, SCATTER_REDUCE, TAKE
from ..ops.movement import SLICE
from .arithmetic import add, div, mul, sub
from .creation import arange, full, ones_like, zeros, zeros_like
from .dispatch import apply, assign_, is_tensor_like, number_kind, tensor_of
from .folding import count_nonzero
from .indexing import _in_range, check_slices, gather, getitem
from .item_assignment import setitem
from .joining import cat
from .ordering import cumsum
from .pointwise import clamp, eq, isinf, le, logical_and, ne, where
from .promotion import to_dtype
from .rearranging import flip
from .reductions import prod
from .shapes import broadcast_shapes, missing_argument, wrap_axis
from .shaping import expand_to, flatten, reshape_to, result_in
from .surface import method
from .tracing import all_hold, values_of

Value = Any


def _positions(x: Value, axis: int, index: Value) -> Value:
    """The place in `x`, its elements in a row, of each element that ``scatter(axis, index)`` writes."""
    extent = x.shape[axis]
    message = f"index is out of bounds for dimension {axis} with size {{}}"
    index = to_dtype(_in_range(index, extent, message, RuntimeError), dtypes.int64)
    result: Value = None
    for k in range(x.ndim):
        place = index
        if k != axis:
            count = index.shape[k]
            place = arange(count, device=x.device)
            place = reshape_to(place, tuple(count if j == k else 1 for j in range(x.ndim)))
        step = mul(place, math.prod(x.shape[k + 1 :]))
        result = step if result is None else add(result, step)
    return flatten(expand_to(result, index.shape))


def _checked(name: str, x: Value, dim: int, index: Value, src: Value) -> int:
    """The axis. Errors: RuntimeError where shapes or dtypes do not fit."""
    axis = wrap_axis(dim, x.ndim)
    fits = index.ndim == x.ndim and all(
        small <= large for k, (small, large) in enumerate(zip(index.shape, x.shape)) if k != axis
    )
    if is_tensor_like(src):
        fits = fits and index.ndim == src.ndim and all(a <= b for a, b in zip(index.shape, src.shape))
        if src.dtype is not x.dtype:
            raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")
    if not fits:
        of = f" and src {list(src.shape)}" if is_tensor_like(src) else ""
        raise RuntimeError(
            f"{name}(): Expected index {list(index.shape)} to be no larger than self {list(x.shape)} apart from "
            f"dimension {axis}{of}"
        )
    return axis


def _part(src: Value, index: Value) -> Value:
    """The elements of `src` in the shape of `index`, in a row."""
    return flatten(getitem(src, tuple(slice(0, size) for size in index.shape)) if src.ndim else src)


def _with_axis(function: Any, x: Value, dim: int, *tensors: Value) -> Value:
    """`function` of operands without axes as of vectors of one element."""
    wrap_axis(dim, 0)
    given = [reshape_to(each, (1,)) if is_tensor_like(each) and not each.ndim else each for each in tensors]
    return result_in(function(reshape_to(x, (1,)), 0, *given), ())


def untouched(x: Value, values: Value) -> Value:
    """A copy of `x` into which none of `values` was written: they get a gradient of zeros all the same."""
    nowhere = zeros(0, dtype=dtypes.int64, device=x.device)
    nothing = reshape_to(apply(SLICE, flatten(values), starts=(0,), sizes=(0,), steps=(1,)), (0,))
    return result_in(apply(SCATTER_ADD, flatten(x), nowhere, to_dtype(nothing, x.dtype), axis=0), x.shape)


@method("scatter_add")
def scatter_add(self: Value, dim: Any = None, index: Value = None, src: Value = None, *, axis: Any = None) -> Value:
    """A copy with each element of `src` added at the place that `index` names along `dim`. Errors: RuntimeError."""
    dim = dim if axis is None else axis
    if index is None or src is None:
        raise missing_argument("scatter_add", dim=dim, index=index, src=src)
    if not self.ndim:
        return _with_axis(scatter_add, self, dim, index, src)
    wrap_axis(dim, self.ndim)
    if not math.prod(index.shape):
        return untouched(self, src)
    axis = _checked("scatter", self, dim, index, src)
    flat = apply(SCATTER_ADD, flatten(self), _positions(self, axis, index), _part(src, index), axis=0)
    return result_in(flat, self.shape)


@method("scatter")
def scatter(
    self: Value,
    dim: Any = None,
    index: Value = None,
    src: Value = None,
    *,
    value: Any = None,
    reduce: Any = None,
    axis: Any = None,
) -> Value:
    """A copy with each element of `src` (a tensor or a number) at the place that `index` names along `dim`.

    reduce: None, ``"add"`` or ``"multiply"``. Of places named twice the last element stays.
    """
    dim = dim if axis is None else axis
    if index is None:
        raise missing_argument("scatter", dim=dim, index=index)
    src = value if src is None else src
    if reduce is not None:
        return _scatter_with(self, dim, index, src, reduce)
    if not self.ndim:
        return _with_axis(scatter, self, dim, index, src)
    wrap_axis(dim, self.ndim)
    if not math.prod(index.shape):
        return untouched(self, src) if is_tensor_like(src) else apply(ALIAS, self)
    axis = _checked("scatter", self, dim, index, src)
    places = _positions(self, axis, index)
    if number_kind(src) is not None:
        return where(_is_hit(self, places), full((), src, dtype=self.dtype, device=self.device), self)
    copy = flatten(apply(ALIAS, self))
    setitem(copy, places, _part(src, index))
    return result_in(copy, self.shape)


def _scatter_with(x: Value, dim: int, index: Value, src: Value, reduce: str) -> Value:
    if reduce not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    src = src if is_tensor_like(src) else full(index.shape, src, dtype=x.dtype, device=x.device)
    return scatter_reduce(x, dim, index, src, "sum" if reduce == "add" else "prod")


@method("scatter_reduce")
def scatter_reduce(
    self: Value,
    dim: Any = None,
    index: Value = None,
    src: Value = None,
    reduce: Any = None,
    *,
    include_self: bool = True,
    axis: Any = None,
) -> Value:
    """A copy whose elements are reductions over those of `src` that `index` sends there, and of their own unless told
    so.

    reduce: sum, prod, mean, amax or amin.
    """
    dim = dim if axis is None else axis
    if index is None or src is None or reduce is None:
        raise missing_argument("scatter_reduce", dim=dim, index=index, src=src, reduce=reduce)
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}.")
    if not self.ndim:
        return result_in(
            scatter_reduce(reshape_to(self, (1,)), 0, flatten(index), flatten(src), reduce, include_self=include_self),
            (),
        )
    if not math.prod(index.shape):
        return untouched(self, src)
    axis = _checked("scatter", self, dim, index, src)
    if reduce in ("sum", "mean"):
        hits = scatter_add(zeros_like(self), axis, index, ones_like(src))
        own = self if include_self else where(ne(hits, 0), zeros_like(self), self)
        result = scatter_add(own, axis, index, src)
        if reduce == "sum":
            return result
        count = clamp(add(hits, 1) if include_self else hits, min=1)
        return div(result, count, rounding_mode=None if self.dtype.is_float else "floor")
    return _extreme_or_product(self, axis, index, src, reduce, include_self)


_COMBINE = {"prod": "prod", "amax": "max", "amin": "min"}


def _extreme_or_product(x: Value, axis: int, index: Value, src: Value, reduce: str, include_self: bool) -> Value:
    places, part = _positions(x, axis, index), _part(src, index)
    own, given = flatten(x.detach()), part.detach()
    if not include_self:
        # The first that arrives takes the place; the others are combined with it.
        beginning = ones_like(given) if reduce == "prod" else flip(given, 0)
        own = apply(SCATTER, own, flip(places, 0), beginning, axis=0)
    result = result_in(apply(SCATTER_REDUCE, own, places, given, axis=0, combine=_COMBINE[reduce]), x.shape)
    if not (x.requires_grad or src.requires_grad):
        return result
    if reduce == "prod":
        return _product(x, values_of("the derivative of scatter_reduce", places), part, include_self)
    return _shared_by_ties(x, axis, index, src, result, include_self)


def _is_hit(x: Value, places: Value) -> Value:
    """Whether each element of `x`, counted in a row, is one of `places`."""
    nothing = zeros(math.prod(x.shape), dtype=dtypes.float32, device=x.device)
    hits = apply(SCATTER_ADD, nothing, places, ones_like(places, dtype=nothing.dtype), axis=0)
    return result_in(ne(hits, 0), x.shape)


def _product(x: Value, places: Any, part: Value, include_self: bool) -> Value:
    """The products, from operations that have derivatives: a row of factors for each element of `x`, filled with 1."""
    order = np.argsort(places, kind="stable")
    counts = np.bincount(places, minlength=math.prod(x.shape))
    columns = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.full((len(counts), int(counts.max(initial=0))), len(places))
    table[places[order], columns] = order
    factors = cat([part, full((1,), 1, dtype=part.dtype, device=part.device)])
    rows = reshape_to(apply(TAKE, factors, tensor_of(table.reshape(-1), x), axis=0), table.shape)
    own = flatten(x) if include_self else where(tensor_of(counts > 0, x), 1.0, flatten(x))
    return result_in(mul(own, prod(rows, 1)), x.shape)


def _shared_by_ties(x: Value, axis: int, index: Value, src: Value, result: Value, include_self: bool) -> Value:
    """`result`, a reduction to extremes, as the mean of those that tie, who share the gradient.

    What is infinite and no extreme is left out, since 0 times it is no number.
    """
    src = getitem(src, tuple(slice(0, size) for size in index.shape))
    own = to_dtype(eq(x, result), x.dtype)
    if not include_self:
        hits = scatter_add(zeros_like(x), axis, index, ones_like(src))
        own = where(ne(hits, 0), zeros_like(x), ones_like(x))
        x = where(ne(hits, 0), zeros_like(x), x)
    ties = to_dtype(eq(src, gather(result, axis, index)), x.dtype)
    total = scatter_add(_weighted(x, own), axis, index, _weighted(src, ties))
    return div(total, scatter_add(own, axis, index, ties))


def _weighted(x: Value, weights: Value) -> Value:
    return mul(where(logical_and(isinf(x), eq(weights, 0)), zeros_like(x), x), weights)


@method("take_along_dim")
def take_along_dim(self: Value, indices: Value, dim: int | None = None, *, axis: Any = None) -> Value:
    """One element along `dim` for each place of `indices`, both broadcast elsewhere; of all in a row for None."""
    dim = dim if axis is None else axis
    if dim is None:
        return gather(flatten(self), 0, flatten(indices))
    if self.ndim != indices.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{self.ndim} dimensions for input, and {indices.ndim} dimensions for indices"
        )
    axis = wrap_axis(dim, self.ndim)
    outer = broadcast_shapes(*((*each.shape[:axis], 1, *each.shape[axis + 1 :]) for each in (self, indices)))
    own = (*outer[:axis], self.shape[axis], *outer[axis + 1 :])
    places = (*outer[:axis], indices.shape[axis], *outer[axis + 1 :])
    return gather(expand_to(self, own), axis, expand_to(indices, places))


@method("take")
def take(self: Value, index: Value) -> Value:
    """The elements, counted in a row, that `index` names, in its shape. Errors: IndexError out of range."""
    if index.dtype.is_float or index.dtype.is_bool:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {index.dtype}")
    return getitem(flatten(self), index)


@method("put")
def put(self: Value, index: Value, source: Value, accumulate: bool = False) -> Value:
    """A copy with the elements of `source` at the places, counted in a row, that `index` names."""
    flat = index_put(flatten(self), (flatten(index),), flatten(source), accumulate)
    return result_in(flat, self.shape)


@method("index_put")
def index_put(self: Value, indices: Any, values: Value, accumulate: bool = False) -> Value:
    """A copy after ``self[indices] = values``; `accumulate` adds instead, places named twice too."""
    if values.dtype is not self.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {self.dtype} for the destination and "
            f"{values.dtype} for the source."
        )
    if not accumulate:
        copy = apply(ALIAS, self)
        setitem(copy, tuple(indices), values)
        return copy
    places = getitem(reshape_to(arange(math.prod(self.shape), device=self.device), self.shape), tuple(indices))
    spread = flatten(expand_to(to_dtype(values, self.dtype), places.shape))
    return result_in(apply(SCATTER_ADD, flatten(self), flatten(places), spread, axis=0), self.shape)


@method("index_copy")
def index_copy(self: Value, dim: Any = None, index: Value = None, source: Value = None, *, axis: Any = None) -> Value:
    """A copy with slice i of `source` as its slice ``index[i]`` along `dim`."""
    dim = dim if axis is None else axis
    if index is None or source is None:
        raise missing_argument("index_copy", dim=dim, index=index, source=source)
    return _written_slices("index_copy", self, dim, index, source)


@method("index_fill")
def index_fill(self: Value, dim: Any = None, index: Value = None, value: Any = None, *, axis: Any = None) -> Value:
    """A copy with a number for the slices along `dim` that `index` names."""
    dim = dim if axis is None else axis
    if index is None or value is None:
        raise missing_argument("index_fill", dim=dim, index=index, value=value)
    if is_tensor_like(value) and value.ndim:
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    return _written_slices("index_fill", self, dim, index, value)


def _written_slices(name: str, x: Value, dim: int, index: Value, source: Value) -> Value:
    axis = wrap_axis(dim, x.ndim)
    if not x.ndim:
        return result_in(_written_slices(name, reshape_to(x, (1,)), 0, index, source), ())
    if index.ndim > 1:
        raise IndexError(f"{name}_(): Index should have dimension 1 or 0 (got {index.ndim})")
    if is_tensor_like(source) and source.dtype is not x.dtype and name == "index_copy":
        raise RuntimeError(
            f"index_copy_(): self and source expected to have the same dtype, but got {x.dtype} and {source.dtype}"
        )
    if name == "index_copy":
        check_slices("index_copy", x, axis, index, source if source.ndim else expand_to(source, (1,) * x.ndim))
    copy = apply(ALIAS, x)
    setitem(copy, (slice(None),) * axis + (reshape_to(index, (math.prod(index.shape),)),), source)
    return copy


@method("masked_scatter")
def masked_scatter(self: Value, mask: Value, source: Value) -> Value:
    """A copy with the elements of `source`, in their order, where `mask`, which broadcasts, holds.

    Errors: RuntimeError for fewer elements than places.
    """
    if self.dtype is not source.dtype:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got {self.dtype} and {source.dtype}"
        )
    shape = broadcast_shapes(self.shape, mask.shape)
    held, whole = expand_to(mask, shape), expand_to(self, shape)
    count = math.prod(source.shape)
    if not all_hold(le(count_nonzero(held), count)):
        raise RuntimeError(
            "masked_scatter: expected self and source to have same number of elements: source has too few"
        )
    if not count:
        return untouched(whole, source)
    number = clamp(sub(cumsum(flatten(held), 0), 1), 0, count - 1)
    return where(held, result_in(apply(TAKE, flatten(source), number, axis=0), shape), whole)


@method("select_scatter")
def select_scatter(self: Value, src: Value, dim: Any = None, index: Any = None, *, axis: Any = None) -> Value:
    """A copy with `src` for the entry of axis `dim` at `index`. Errors: RuntimeError where shapes differ."""
    dim = dim if axis is None else axis
    if index is None:
        raise missing_argument("select_scatter", dim=dim, index=index)
    return _stored(self, src, (slice(None),) * wrap_axis(dim, self.ndim) + (index,))


@method("slice_scatter")
def slice_scatter(
    self: Value,
    src: Value,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
    *,
    axis: Any = None,
) -> Value:
    """A copy with `src` for the slice of axis `dim`. Errors: RuntimeError where shapes differ."""
    dim = dim if axis is None else axis
    return _stored(self, src, (slice(None),) * wrap_axis(dim, self.ndim) + (slice(start, end, step),))


def _stored(x: Value, src: Value, index: Any) -> Value:
    copy = apply(ALIAS, x)
    store(getitem(copy, index), src)
    return copy


def store(part: Value, src: Value) -> None:
    """Writes `src` to `part`, a view. Errors: RuntimeError where shapes differ."""
    if part.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. "
            f"src size = {list(src.shape)}, slice size = {list(part.shape)}"
        )
    assign_(part, src)
