"""The largest element of each window, and what goes back to where it was found.

Of several largest elements the first counts, of several NaNs the last: as PyTorch's loop over a window finds them. What
windows reach outside of the operand is never the largest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .registry import WINDOW_KERNEL, Array, Composite, Sample, define_op
from .shape_gradients import Ints
from .window_places import (
    WindowGrid,
    entries_at,
    entry_of,
    folded,
    over_windows,
    padded,
    padded_array,
    reduce_arrays,
    reduce_windows,
    target_of,
)
from .windows import check_windows, sampled

Value = Any

AT_ONCE = 2**14
"""Windows that are looked at together: few enough to stay in the second cache."""


def _pooled(name: str, dtype: DType | None = None) -> Callable[..., TensorType]:
    """The result type of an op that gives something for each window."""

    @over_windows
    def meta(x: TensorType, *others_and_windows: Any) -> TensorType:
        *others, windows = others_and_windows
        check_windows(name, x, windows)
        if any(each != x for each in others):
            raise OpError(f"{name} takes operands of one type, got {x} and {', '.join(map(str, others))}")
        return TensorType((*x.shape[:2], *windows.out), dtype or x.dtype)

    return meta


# -- places: the entry of each window that is its largest --------------------------------------------------------------
def _first_inside(f: Emitter, windows: WindowGrid, dtype: DType) -> Value:
    """[1, 1, *out]: the first entry of each window that is not outside."""
    rank, total = len(windows.kernel), None
    for k, (s, p, d, count) in enumerate(
        zip(windows.stride, windows.padding, windows.dilation, windows.out, strict=True)
    ):
        outside = f.arange(start=p + d - 1, step=-s, size=count, dtype=dtypes.int64)
        first = f.maximum(f.floor_divide(outside, d), 0)
        step = math.prod(windows.kernel[k + 1 :])
        shape = (1, 1, *(count if j == k else 1 for j in range(rank)))
        part = f.reshape(f.multiply(first, step), shape=shape)
        total = part if total is None else f.add(total, part)
    return f.cast(total, dtype=dtype)


def _places(f: Emitter, x: Value, windows: WindowGrid, dtype: DType) -> Value:
    """[N, C, *out]: the number of the largest entry of each window, in `dtype`."""
    wide = padded(f, x, windows, -math.inf)
    shape = (*f.shape(x)[:2], *windows.out)
    if any(windows.padding):
        place = _first_inside(f, windows, dtype)
    else:
        place = f.full(value=0 if dtype.is_integer else 0.0, shape=(1, 1, *(1 for _ in windows.out)), dtype=dtype)
    place = f.expand(place, shape=shape)
    largest = f.full(value=-math.inf, shape=shape, dtype=f.dtype(x))
    for number, at in enumerate(windows.entries):
        entry = entries_at(f, wide, at, windows)
        better = f.bitwise_or(f.less(largest, entry), f.not_equal(entry, entry))
        place = f.where(better, number if dtype.is_integer else float(number), place)
        largest = f.where(better, entry, largest)
    return place


@over_windows
def _places_lowered(f: Emitter, x: Value, windows: WindowGrid) -> Value:
    return _places(f, x, windows, dtypes.int64)


def _places_in_numpy(x: Array, windows: WindowGrid) -> Array:
    """[N, C, *out]: the number of the largest entry of each window."""
    wide = padded_array(x, windows, -np.inf)
    shape = (*x.shape[:2], *windows.out)
    place, step = np.zeros(shape, np.int64), 1
    for k in reversed(range(len(windows.kernel))):
        stride, padding, dilation, out = windows.stride[k], windows.padding[k], windows.dilation[k], windows.out[k]
        first = np.maximum((padding + dilation - 1 - stride * np.arange(out)) // dilation, 0)
        place += (first * step).reshape(-1, *(1 for _ in windows.out[k + 1 :]))
        step *= windows.kernel[k]
    largest = np.full(shape, -np.inf, x.dtype)
    for number, at in enumerate(windows.entries):
        entry = entry_of(wide, at, windows)
        better = (entry > largest) | (entry != entry)
        np.copyto(place, number, where=better)
        np.copyto(largest, entry, where=better)
    return place


def _samples() -> Iterable[Sample]:
    for dtype, shape, attrs in sampled():
        yield samples.with_attrs((samples.values(dtype, shape),), **attrs)
    attrs = {"kernel": (2, 2), "stride": (2, 2), "padding": (1, 1), "dilation": (1, 1), "out": (2, 2)}
    ties = np.array([[[[1.0, 2.0, 2.0], [2.0, -np.inf, -np.inf], [np.nan, -np.inf, -np.inf]]]])
    yield samples.with_attrs((ties,), **attrs)
    yield samples.with_attrs((np.full((1, 1, 3, 3), np.nan, np.float32),), **attrs)


PLACE_OF_MAX = define_op(
    "place_of_max",
    meta=_pooled("place_of_max", dtypes.int64),
    eager=over_windows(_places_in_numpy),
    lower=Composite(_places_lowered),
    operands=("self",),
    samples=_samples,
)


# -- max_pool: the largest elements ------------------------------------------------------------------------------------
@over_windows
def _max_eager(x: Array, windows: WindowGrid) -> Array:
    return reduce_arrays(padded_array(x, windows, -np.inf), windows, np.maximum)


@over_windows
def _max(f: Emitter, x: Value, windows: WindowGrid) -> Value:
    return reduce_windows(f, padded(f, x, windows, -math.inf), windows, f.maximum, "max")


def _max_rule(f: Emitter, g: Value, self: Value, result: Value, **windows: Ints) -> Value:
    return f.with_history(f.max_pool_input(g, self, result, **windows), self)


MAX_POOL = define_op(
    "max_pool",
    meta=_pooled("max_pool"),
    eager=_max_eager,
    lower=Composite(_max),
    operands=("self",),
    vjp=(_max_rule,),
    grad_name="MaxPool",
    kernel_from=WINDOW_KERNEL,
    samples=_samples,
)


# -- max_pool_input: what belongs to windows, added up where their largest elements are --------------------------------
@over_windows
def _input_meta(g: TensorType, x: TensorType, largest: TensorType, windows: WindowGrid) -> TensorType:
    check_windows("max_pool_input", x, windows)
    if g != x.with_shape((*x.shape[:2], *windows.out)) or largest != g:
        raise OpError(f"max_pool_input takes an element for each window of {x}, got {g} and {largest}")
    return x


@over_windows
def _input_eager(g: Array, x: Array, largest: Array, windows: WindowGrid) -> Array:
    result = np.zeros(x.shape, g.dtype)
    step = max(1, AT_ONCE // max(math.prod(g.shape[1:]), 1))
    for k in range(0, len(x), step):
        part = slice(k, k + step)
        hits = _hits_beside_nan if np.isnan(largest[part]).any() else _hits
        _put_back(result[part], g[part], hits(x[part], largest[part], windows), windows)
    return result


def _hits(x: Array, largest: Array, windows: WindowGrid) -> Iterator[tuple[Ints, Array]]:
    """Each entry of windows, and for which of them it is the largest. The array is used again for the next."""
    wide = padded_array(x, windows, np.nan)  # equal to nothing
    here, free = np.empty(largest.shape, np.bool_), np.ones(largest.shape, np.bool_)
    for at in windows.entries:
        np.equal(entry_of(wide, at, windows), largest, out=here)
        here &= free
        free ^= here
        yield at, here


def _hits_beside_nan(x: Array, largest: Array, windows: WindowGrid) -> Iterator[tuple[Ints, Array]]:
    """As `_hits`, also where the largest element is a NaN."""
    places, here = _places_in_numpy(x, windows), np.empty(largest.shape, np.bool_)
    for number, at in enumerate(windows.entries):
        np.equal(places, number, out=here)
        yield at, here


def _put_back(result: Array, g: Array, hits: Iterable[tuple[Ints, Array]], windows: WindowGrid) -> None:
    """Adds to `result`, which is zeros, what belongs to windows, where their largest elements are."""
    apart = all(k <= s and d == 1 for k, s, d in zip(windows.kernel, windows.stride, windows.dilation, strict=True))
    bits = np.dtype(f"i{g.itemsize}")
    for at, here in hits:
        # All bits of g or none: of an infinite one no product with 0 is needed, and NumPy is quicker than with `where`.
        mask = np.negative(here.view(np.int8)).astype(bits)
        chosen = np.bitwise_and(mask, g.view(bits), out=mask).view(g.dtype)
        target, part = target_of(result, chosen, at, windows)
        if apart:
            target[...] = part
        else:
            target += part


@over_windows
def _input(f: Emitter, g: Value, x: Value, largest: Value, windows: WindowGrid) -> Value:
    dtype, kernel, out = f.dtype(x), windows.kernel, windows.out
    if 0 in f.shape(x):
        return f.full(value=0.0, shape=f.shape(x), dtype=dtype)
    place = _places(f, x, windows, dtype)
    lead, ones = f.shape(x)[:2], tuple(1 for _ in out)
    every = (*lead, *kernel, *out)
    number = f.arange(start=0.0, step=1.0, size=math.prod(kernel), dtype=dtype)
    number = f.expand(f.reshape(number, shape=(1, 1, *kernel, *ones)), shape=every)
    hit = f.equal(f.expand(f.reshape(place, shape=(*lead, *ones, *out)), shape=every), number)
    parts = f.where(hit, f.expand(f.reshape(g, shape=(*lead, *ones, *out)), shape=every), 0.0)
    return folded(f, parts, windows, tuple(f.shape(x)[2:]))


def _input_rule(f: Emitter, g: Value, other: Value, **windows: Ints) -> Value:
    return f.max_pool_pick(g, other, **windows)


def _input_samples() -> Iterable[Sample]:
    for each in _samples():
        attrs = dict(each.attrs)
        largest = _max_eager(each.args[0], **attrs)  # type: ignore[arg-type]
        g = samples.values(dtypes.held(largest.dtype), largest.shape, 3)  # type: ignore[arg-type]
        yield Sample((g, each.args[0], largest), each.attrs)


MAX_POOL_INPUT = define_op(
    "max_pool_input",
    meta=_input_meta,
    eager=_input_eager,
    lower=Composite(_input),
    exact=False,
    operands=("self", "other", "largest"),
    vjp=(_input_rule, None, None),
    grad_name="MaxPoolBackward",
    kernel_from=WINDOW_KERNEL,
    samples=_input_samples,
)


# -- max_pool_pick: of one array, the elements where another has the largest of its windows ----------------------------
@over_windows
def _pick_eager(h: Array, x: Array, windows: WindowGrid) -> Array:
    places, wide = _places_in_numpy(x, windows), padded_array(h, windows)
    result = np.zeros((*h.shape[:2], *windows.out), h.dtype)
    for number, at in enumerate(windows.entries):
        np.copyto(result, entry_of(wide, at, windows), where=places == number)
    return result


@over_windows
def _pick(f: Emitter, h: Value, x: Value, windows: WindowGrid) -> Value:
    place, wide = _places(f, x, windows, f.dtype(x)), padded(f, h, windows)
    result = f.full(value=0.0, shape=(*f.shape(h)[:2], *windows.out), dtype=f.dtype(h))
    for number, at in enumerate(windows.entries):
        here = f.equal(place, float(number))
        result = f.where(here, entries_at(f, wide, at, windows), result)
    return result


def _pick_rule(f: Emitter, g: Value, other: Value, **windows: Ints) -> Value:
    return f.max_pool_input(g, other, f.max_pool(other, **windows), **windows)


def _pick_samples() -> Iterable[Sample]:
    for each in _samples():
        x = each.args[0]
        picked = samples.values(dtypes.held(x.dtype), x.shape, 4)  # type: ignore[arg-type]
        yield Sample((picked, x), each.attrs)


MAX_POOL_PICK = define_op(
    "max_pool_pick",
    meta=_pooled("max_pool_pick"),
    eager=_pick_eager,
    lower=Composite(_pick),
    operands=("self", "other"),
    vjp=(_pick_rule, None),
    grad_name="MaxPoolPick",
    kernel_from=WINDOW_KERNEL,
    samples=_pick_samples,
)
