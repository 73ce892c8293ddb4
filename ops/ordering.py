"""Orders and places of elements, found by NumPy: composites that a plan calls out for, since no kernel sorts.

What they give are places, and what is picked there is picked by a gather: so their operands get their gradients, and
these ops have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.package import PACKAGE
from ..core.types import TensorType, contiguous_strides
from . import samples
from .emitter import Emitter
from .pointwise import NUMBERS
from .registry import Array, Composite, OpDef, Rule, Sample, define_op

Shape = tuple[Any, ...]

KINDS = (*NUMBERS, dtypes.bool_)
FOUND_BY_NUMPY: dict[OpDef, str] = {}
"""The ops that `found_by_numpy` has made, of which the CPU's kernels know nothing, with the names of the functions that
plans call for them."""


def called_as(eager: Callable[..., Any]) -> str:
    """The name by which plans call a function of these modules."""
    return f"{PACKAGE}.ops.{eager.__module__.rpartition('.')[2]}.{eager.__name__}"


def found_by_numpy(
    name: str,
    meta: Callable[..., TensorType],
    eager: Callable[..., Array],
    sampled: Callable[[], Iterable[Sample]],
    operands: tuple[str, ...] = ("self",),
    vjp: tuple[Rule | None, ...] | None = None,
    grad_name: str = "",
    exact: bool = True,
) -> OpDef:
    """An op that plans call out for. Its attributes are numbers and names, which the function `eager` is given."""

    def expand(f: Emitter, *values: Any, **attrs: Any) -> Any:
        result = meta(*(TensorType(f.shape(each), f.dtype(each)) for each in values), **attrs)
        if any(type(size) is int and size == 0 for size in result.shape):
            return f.full(value=0, shape=result.shape, dtype=result.dtype)
        token = f.call_out(
            *values,
            function=called_as(eager),
            arguments=tuple(("array", place, None) for place in range(len(values))),
            keywords=tuple((key, ("constant", attrs[key])) for key in sorted(attrs)),
            results=("array", result.dtype, result.shape, contiguous_strides(result.shape)),
            module="",
        )
        return f.call_result(token, index=0, shape=result.shape, dtype=result.dtype)

    made = define_op(
        name,
        meta=meta,
        eager=eager,
        lower=Composite(expand),
        samples=sampled,
        exact=exact,
        may_raise=True,
        operands=operands,
        vjp=vjp,
        grad_name=grad_name,
    )
    FOUND_BY_NUMPY[made] = called_as(eager)
    return made


def _as_it_lies(found: Any, dtype: type[Any] = np.int64) -> Array:
    """A row-major array that owns its memory, as plans are told that it does."""
    result = np.empty(np.shape(found), dtype)
    result[...] = found
    return result


def _check(name: str, x: TensorType, axis: int) -> None:
    if not 0 <= axis < x.rank:
        raise OpError(f"{name} has no axis {axis} in {x}")
    if x.dtype not in KINDS:
        raise OpError(f"{name} does not take {x.dtype}; it takes {', '.join(map(str, KINDS))}")


def _of_each_kind(**attrs: Any) -> Iterable[Sample]:
    for dtype in KINDS:
        yield samples.with_attrs((samples.values(dtype, (4, 3)),), axis=0, **attrs)
        yield samples.with_attrs((samples.values(dtype, (3, 4)),), axis=1, **attrs)
    yield samples.with_attrs((samples.special_floats(dtypes.float32),), axis=0, **attrs)
    yield samples.with_attrs((np.array([2, 1, 2, 1, 1, 2]),), axis=0, **attrs)


# argsort: the places along an axis in the order of their elements. Equal elements stay in theirs; NaN is the largest.
def _argsort_meta(x: TensorType, *, axis: int, descending: bool) -> TensorType:
    _check("argsort", x, axis)
    return x.with_dtype(dtypes.int64)


def order(x: Array, *, axis: int, descending: bool) -> Array:
    """The places along `axis` in order."""
    if not descending:
        return _as_it_lies(np.argsort(x, axis=axis, kind="stable"))
    turned = np.flip(x, axis)
    return _as_it_lies(np.flip(x.shape[axis] - 1 - np.argsort(turned, axis=axis, kind="stable"), axis))


def _argsort_samples() -> Iterable[Sample]:
    for descending in (False, True):
        yield from _of_each_kind(descending=descending)
    yield samples.with_attrs((samples.uniform(-1, 1, (0, 2)),), axis=0, descending=True)


ARGSORT = found_by_numpy("argsort", _argsort_meta, order, _argsort_samples)


# place_of_rank: where along an axis the element of a rank stands, counted from 0. The rank is a number; or "median",
# the lower of the two in the middle, or the first NaN; or "nanmedian", that of what is no NaN. The axis is kept.
def _rank_meta(x: TensorType, *, axis: int, rank: int | str) -> TensorType:
    _check("place_of_rank", x, axis)
    size = x.shape[axis]
    if type(size) is int and (size == 0 or (type(rank) is int and not 0 <= rank < size)):
        raise OpError(f"place_of_rank finds no element of rank {rank} along axis {axis} of {x}")
    return TensorType((*x.shape[:axis], 1, *x.shape[axis + 1 :]), dtypes.int64)


def place_of_rank(x: Array, *, axis: int, rank: int | str) -> Array:
    """The place of the element of a rank."""
    ranks = np.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), rank) if type(rank) is int else _middle(x, axis, rank)
    return _as_it_lies(np.take_along_axis(np.argsort(x, axis=axis, kind="stable"), ranks, axis))


def _middle(x: Array, axis: int, rank: int | str) -> Array:
    bad = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool)
    count = x.shape[axis]
    good = count - bad.sum(axis, keepdims=True)
    if rank == "nanmedian":
        return np.asarray(np.maximum(good - 1, 0) // 2)
    # NaNs are sorted to the end: the first of them stands after all others.
    return np.where(good < count, good, (count - 1) // 2)


def _rank_samples() -> Iterable[Sample]:
    for rank in (2, "median", "nanmedian"):
        yield from _of_each_kind(rank=rank)


PLACE_OF_RANK = found_by_numpy("place_of_rank", _rank_meta, place_of_rank, _rank_samples)


# place_of_share: where the element stands below which a share of the others lies, from 0 to 1; the share may fall
# between two elements, of which `side` is one ("low", "high") or the nearer one ("near"). A NaN wins, or is ignored.
def _share_meta(x: TensorType, *, axis: int, share: float, ignoring: bool, side: str = "") -> TensorType:
    _check("place_of_share", x, axis)
    return TensorType((*x.shape[:axis], 1, *x.shape[axis + 1 :]), dtypes.int64)


def place_of_share(x: Array, *, axis: int, share: float, ignoring: bool, side: str) -> Array:
    """The place of that element."""
    rounded = {"low": np.floor, "high": np.ceil, "near": np.rint}[side]
    ranks = rounded(_between(x, axis, share, ignoring)).astype(np.int64)
    return _as_it_lies(np.take_along_axis(np.argsort(x, axis=axis, kind="stable"), ranks, axis))


def _between(x: Array, axis: int, share: float, ignoring: bool) -> Array:
    """The rank of a share, which may be no whole number."""
    bad = np.isnan(x).sum(axis, keepdims=True)
    place: Array = share * np.maximum(x.shape[axis] - bad - 1, 0).astype(np.float64)
    return place if ignoring else np.where(bad > 0, x.shape[axis] - 1, place)


def _share_samples(**attrs: Any) -> Iterable[Sample]:
    holes = np.array([[0.5, np.nan, 2.0, 1.0], [3.0, 1.0, 2.0, 0.0]])
    for ignoring in (False, True):
        for share in (0.0, 0.25, 1.0):
            yield samples.with_attrs((holes,), axis=1, share=share, ignoring=ignoring, **attrs)
        yield samples.with_attrs(
            (samples.uniform(-4, 4, (5, 2), dtypes.float32),), axis=0, share=0.3, ignoring=ignoring, **attrs
        )


PLACE_OF_SHARE = found_by_numpy(
    "place_of_share",
    _share_meta,
    place_of_share,
    lambda: [each for side in ("low", "high", "near") for each in _share_samples(side=side)],
)


# weight_of_share: how far between the two elements around it a share falls, as float64.
def _weight_meta(x: TensorType, *, axis: int, share: float, ignoring: bool) -> TensorType:
    return _share_meta(x, axis=axis, share=share, ignoring=ignoring).with_dtype(dtypes.float64)


def weight_of_share(x: Array, *, axis: int, share: float, ignoring: bool) -> Array:
    """The distance by which it falls behind the lower one."""
    place = _between(x, axis, share, ignoring)
    return _as_it_lies(place - np.floor(place), np.float64)


WEIGHT_OF_SHARE = found_by_numpy("weight_of_share", _weight_meta, weight_of_share, _share_samples)


# place_of_extreme: where along an axis the largest (or smallest) element up to each one is: the last of several.
def _extreme_meta(x: TensorType, *, axis: int, largest: bool) -> TensorType:
    _check("place_of_extreme", x, axis)
    return x.with_dtype(dtypes.int64)


def place_of_extreme(x: Array, *, axis: int, largest: bool) -> Array:
    """The place of the largest element so far."""
    best = (np.maximum if largest else np.minimum).accumulate(x, axis=axis)
    shape = tuple(-1 if k == axis else 1 for k in range(x.ndim))
    places = np.broadcast_to(np.arange(x.shape[axis]).reshape(shape), x.shape)
    hit = (x == best) | (np.isnan(x) if x.dtype.kind == "f" else False)
    return _as_it_lies(np.maximum.accumulate(np.where(hit, places, 0), axis=axis))


def _extreme_samples() -> Iterable[Sample]:
    for largest in (False, True):
        yield from _of_each_kind(largest=largest)


PLACE_OF_EXTREME = found_by_numpy("place_of_extreme", _extreme_meta, place_of_extreme, _extreme_samples)


# searchsorted: where each element would go in sequences in order, which lie along the last axis.
def _search_meta(rows: TensorType, asked: TensorType, *, right: bool, dtype: DType) -> TensorType:
    if rows.rank != 1 and (rows.rank != asked.rank or rows.shape[:-1] != asked.shape[:-1]):
        raise OpError(f"searchsorted takes one sequence, or one for each row; got {rows} and {asked}")
    return asked.with_dtype(dtype)


def places_in(rows: Array, asked: Array, *, right: bool, dtype: Any) -> Array:
    """The place of each element of `asked` in the sorted `rows`."""
    side: Any = "right" if right else "left"
    result = np.empty(asked.shape, getattr(dtype, "numpy", dtype))
    if rows.ndim == 1:
        result[...] = np.searchsorted(rows, asked, side)
        return result
    for place in np.ndindex(rows.shape[:-1]):
        result[place] = np.searchsorted(rows[place], asked[place], side)
    return result


def _search_samples() -> Iterable[Sample]:
    for right in (False, True):
        rows = np.array([-2.0, -1.0, -1.0, 0.0, 3.0])
        yield samples.with_attrs((rows, samples.uniform(-4, 4, (3, 4))), right=right, dtype=dtypes.int64)
        yield samples.with_attrs((rows, np.array(-1.0)), right=right, dtype=dtypes.int32)
        two = np.stack([rows, rows + 1])
        yield samples.with_attrs((two, samples.uniform(-4, 4, (2, 3))), right=right, dtype=dtypes.int64)
        yield samples.with_attrs((np.arange(5), np.array([4, 0, 2])), right=right, dtype=dtypes.int64)


SEARCHSORTED = found_by_numpy("searchsorted", _search_meta, places_in, _search_samples, ("sorted_sequence", "input"))


# isin: whether each element is one of others.
def _isin_meta(elements: TensorType, tests: TensorType, *, invert: bool) -> TensorType:
    return elements.with_dtype(dtypes.bool_)


def is_among(elements: Array, tests: Array, *, invert: bool) -> Array:
    """Whether each element is one of `tests`."""
    return _as_it_lies(np.isin(elements, tests, invert=invert), np.bool_)


def _isin_samples() -> Iterable[Sample]:
    for invert in (False, True):
        yield samples.with_attrs((samples.integers(0, 9), np.array([2, 3, 5, 7])), invert=invert)
        yield samples.with_attrs((np.array([0.5, np.nan]), np.array([0.5, np.nan])), invert=invert)


ISIN = found_by_numpy("isin", _isin_meta, is_among, _isin_samples, ("elements", "test_elements"))


# histc: how many elements lie in each of equal parts of a range; without one, of that from the least to the largest.
def _histc_meta(x: TensorType, *, bins: int, low: float, high: float) -> TensorType:
    return TensorType((bins,), x.dtype)


def counts_in_bins(x: Array, *, bins: int, low: float, high: float) -> Array:
    """The number of elements in each part."""
    if low == high and x.size:
        low, high = float(x.min()), float(x.max())
    if low == high:
        low, high = low - 1, high + 1
    held = x.astype(np.uint8) if x.dtype == np.bool_ else x
    return _as_it_lies(np.histogram(held, bins, (low, high))[0], x.dtype.type)


def _histc_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        yield samples.with_attrs((samples.uniform(-4, 4, (3, 4), dtype),), bins=5, low=0.0, high=0.0)
        yield samples.with_attrs((samples.uniform(-4, 4, (7,), dtype),), bins=3, low=-1.0, high=2.0)


HISTC = found_by_numpy("histc", _histc_meta, counts_in_bins, _histc_samples)


# distinct: of a vector, in a first row its distinct elements in order, filled up with the largest int64, which counts
# as one of them; in a second row the place in the first at which each element stands.
def _distinct_meta(x: TensorType) -> TensorType:
    if x.rank != 1 or x.dtype is not dtypes.int64:
        raise OpError(f"distinct takes a vector of int64, got {x}")
    return x.with_shape((2, *x.shape))


def distinct_elements(x: Array) -> Array:
    """The distinct elements, and where among them each element stands."""
    found, places = np.unique(x, return_inverse=True)
    result = np.full((2, x.size), LARGEST_PLACE, np.int64)
    result[0, : found.size] = found
    result[1] = places.reshape(-1)
    return result


def _distinct_samples() -> Iterable[Sample]:
    for listed in ([3, 1, 3, -2, 1, 3], [5], [LARGEST_PLACE, 4, LARGEST_PLACE, 0], []):
        yield samples.with_attrs((np.array(listed, np.int64),))


LARGEST_PLACE = 2**63 - 1
DISTINCT = found_by_numpy("distinct", _distinct_meta, distinct_elements, _distinct_samples, ("elements",))
