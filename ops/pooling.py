"""The largest element of each window, and what goes back to where it was found.

Of several largest elements the first counts, of several NaNs the last: as PyTorch's loop over a window finds them. What
windows reach outside of the operand is never the largest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
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
from .window_places import along, ends, entry_of, folded, offsets, padded, padded_array, reduce_windows, target_of
from .windows import sampled

Value = Any

AT_ONCE = 2**14
"""Windows that are looked at together: few enough to stay in the second cache."""


def _check(name: str, x: TensorType, lengths: tuple[Ints, ...]) -> None:
    rank = len(lengths[0])
    if not x.dtype.is_float or x.rank != rank + 2 or any(len(each) != rank for each in lengths):
        raise OpError(f"{name} takes floats [N, C, *S] and an entry of each attribute for each axis of S, got {x}")


def _pooled(name: str, dtype: DType | None = None) -> Callable[..., TensorType]:
    """The result type of an op that gives something for each window."""

    def meta(
        x: TensorType, *others: TensorType, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints
    ) -> TensorType:
        _check(name, x, (kernel, stride, padding, dilation, out))
        if any(each != x for each in others):
            raise OpError(f"{name} takes operands of one type, got {x} and {', '.join(map(str, others))}")
        return TensorType((*x.shape[:2], *out), dtype or x.dtype)

    return meta


# -- places: the entry of each window that is its largest --------------------------------------------------------------
def _first_inside(
    f: Emitter, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints, dtype: DType
) -> Value:
    """[1, 1, *out]: the first entry of each window that is not outside."""
    rank, total = len(kernel), None
    for k, (s, p, d, count) in enumerate(zip(stride, padding, dilation, out, strict=True)):
        outside = f.arange(start=p + d - 1, step=-s, size=count, dtype=dtypes.int64)
        first = f.maximum(f.floor_divide(outside, d), 0)
        step = math.prod(kernel[k + 1 :])
        shape = (1, 1, *(count if j == k else 1 for j in range(rank)))
        part = f.reshape(f.multiply(first, step), shape=shape)
        total = part if total is None else f.add(total, part)
    return f.cast(total, dtype=dtype)


def _entries(f: Emitter, wide: Value, at: Ints, stride: Ints, dilation: Ints, out: Ints) -> Value:
    for k, (place, s, d, count) in enumerate(zip(at, stride, dilation, out, strict=True)):
        wide = along(f, wide, 2 + k, place * d, count, s)
    return wide


def _places(
    f: Emitter, x: Value, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints, dtype: DType
) -> Value:
    """[N, C, *out]: the number of the largest entry of each window, in `dtype`."""
    wide = padded(f, x, padding, ends(out, kernel, stride, dilation), -math.inf)
    shape = (*f.shape(x)[:2], *out)
    if any(padding):
        place = _first_inside(f, kernel, stride, padding, dilation, out, dtype)
    else:
        place = f.full(value=0 if dtype.is_integer else 0.0, shape=(1, 1, *(1 for _ in out)), dtype=dtype)
    place = f.expand(place, shape=shape)
    largest = f.full(value=-math.inf, shape=shape, dtype=f.dtype(x))
    for number, at in enumerate(offsets(kernel)):
        entry = _entries(f, wide, at, stride, dilation, out)
        better = f.bitwise_or(f.less(largest, entry), f.not_equal(entry, entry))
        place = f.where(better, number if dtype.is_integer else float(number), place)
        largest = f.where(better, entry, largest)
    return place


def _places_eager(x: Array, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Array:
    wide = padded_array(x, padding, ends(out, kernel, stride, dilation), -np.inf)
    shape = (*x.shape[:2], *out)
    place, step = np.zeros(shape, np.int64), 1
    for k in reversed(range(len(kernel))):
        first = np.maximum((padding[k] + dilation[k] - 1 - stride[k] * np.arange(out[k])) // dilation[k], 0)
        place += (first * step).reshape(-1, *(1 for _ in out[k + 1 :]))
        step *= kernel[k]
    largest = np.full(shape, -np.inf, x.dtype)
    for number, at in enumerate(offsets(kernel)):
        entry = entry_of(wide, at, stride, dilation, out)
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
    eager=_places_eager,
    lower=Composite(lambda f, x, **attrs: _places(f, x, **attrs, dtype=dtypes.int64)),
    operands=("self",),
    samples=_samples,
)


# -- max_pool: the largest elements ------------------------------------------------------------------------------------
def _max_eager(x: Array, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Array:
    wide = padded_array(x, padding, ends(out, kernel, stride, dilation), -np.inf)
    for k in range(len(kernel)):  # axis by axis, from the outer one on, whose entries are whole rows
        pick = (slice(None),) * (2 + k)
        parts = []
        for at in range(kernel[k]):
            begin = at * dilation[k]
            stop = begin + (out[k] - 1) * stride[k] + 1 if out[k] else begin
            parts.append(wide[(*pick, slice(begin, stop, stride[k]))])
        total = np.maximum(parts[0], parts[1], order="C") if len(parts) > 1 else np.array(parts[0], order="C")
        for part in parts[2:]:
            np.maximum(total, part, out=total)
        wide = total
    return wide


def _max(f: Emitter, x: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Value:
    wide = padded(f, x, padding, ends(out, kernel, stride, dilation), -math.inf)
    return reduce_windows(f, wide, kernel, stride, dilation, out, f.maximum, "max")


def _max_rule(
    f: Emitter,
    g: Value,
    self: Value,
    result: Value,
    *,
    kernel: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    out: Ints,
) -> Value:
    found = f.max_pool_input(g, self, result, kernel=kernel, stride=stride, padding=padding, dilation=dilation, out=out)
    return f.with_history(found, self)


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
def _input_meta(
    g: TensorType,
    x: TensorType,
    largest: TensorType,
    *,
    kernel: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    out: Ints,
) -> TensorType:
    _check("max_pool_input", x, (kernel, stride, padding, dilation, out))
    if g != x.with_shape((*x.shape[:2], *out)) or largest != g:
        raise OpError(f"max_pool_input takes an element for each window of {x}, got {g} and {largest}")
    return x


def _input_eager(
    g: Array, x: Array, largest: Array, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints
) -> Array:
    result = np.zeros(x.shape, g.dtype)
    windows = (kernel, stride, padding, dilation, out)
    step = max(1, AT_ONCE // max(math.prod(g.shape[1:]), 1))
    for k in range(0, len(x), step):
        part = slice(k, k + step)
        _put_back(result[part], g[part], x[part], largest[part], windows)
    return result


def _put_back(result: Array, g: Array, x: Array, largest: Array, windows: tuple[Ints, Ints, Ints, Ints, Ints]) -> None:
    """Adds to `result`, which is zeros, what belongs to windows, where their largest elements are."""
    kernel, stride, padding, dilation, out = windows
    apart = all(width <= s and d == 1 for width, s, d in zip(kernel, stride, dilation, strict=True))
    unknown = bool(np.isnan(largest).any())
    if unknown:
        places = _places_eager(x, kernel=kernel, stride=stride, padding=padding, dilation=dilation, out=out)
    else:
        wide = padded_array(x, padding, ends(out, kernel, stride, dilation), np.nan)  # equal to nothing
        free = np.ones(g.shape, np.bool_)
    here = np.empty(g.shape, np.bool_)
    bits = np.dtype(f"i{g.itemsize}")
    for number, at in enumerate(offsets(kernel)):
        if unknown:
            np.equal(places, number, out=here)
        else:
            np.equal(entry_of(wide, at, stride, dilation, out), largest, out=here)
            here &= free
            free ^= here
        # All bits of g or none: of an infinite one no product with 0 is needed, and NumPy is quicker than with `where`.
        mask = np.negative(here.view(np.int8)).astype(bits)
        chosen = np.bitwise_and(mask, g.view(bits), out=mask).view(g.dtype)
        target, part = target_of(result, chosen, at, stride, padding, dilation)
        if apart:
            target[...] = part
        else:
            target += part


def _input(
    f: Emitter,
    g: Value,
    x: Value,
    largest: Value,
    *,
    kernel: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    out: Ints,
) -> Value:
    dtype = f.dtype(x)
    if 0 in f.shape(x):
        return f.full(value=0.0, shape=f.shape(x), dtype=dtype)
    place = _places(f, x, kernel, stride, padding, dilation, out, dtype)
    lead, ones = f.shape(x)[:2], tuple(1 for _ in out)
    every = (*lead, *kernel, *out)
    number = f.arange(start=0.0, step=1.0, size=math.prod(kernel), dtype=dtype)
    number = f.expand(f.reshape(number, shape=(1, 1, *kernel, *ones)), shape=every)
    hit = f.equal(f.expand(f.reshape(place, shape=(*lead, *ones, *out)), shape=every), number)
    parts = f.where(hit, f.expand(f.reshape(g, shape=(*lead, *ones, *out)), shape=every), 0.0)
    return folded(f, parts, stride=stride, padding=padding, dilation=dilation, size=tuple(f.shape(x)[2:]))


def _input_rule(
    f: Emitter, g: Value, other: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints
) -> Value:
    return f.max_pool_pick(g, other, kernel=kernel, stride=stride, padding=padding, dilation=dilation, out=out)


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
def _pick_eager(h: Array, x: Array, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints) -> Array:
    places = _places_eager(x, kernel=kernel, stride=stride, padding=padding, dilation=dilation, out=out)
    wide = padded_array(h, padding, ends(out, kernel, stride, dilation))
    result = np.zeros((*h.shape[:2], *out), h.dtype)
    for number, at in enumerate(offsets(kernel)):
        np.copyto(result, entry_of(wide, at, stride, dilation, out), where=places == number)
    return result


def _pick(
    f: Emitter, h: Value, x: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints
) -> Value:
    place = _places(f, x, kernel, stride, padding, dilation, out, f.dtype(x))
    wide = padded(f, h, padding, ends(out, kernel, stride, dilation))
    result = f.full(value=0.0, shape=(*f.shape(h)[:2], *out), dtype=f.dtype(h))
    for number, at in enumerate(offsets(kernel)):
        here = f.equal(place, float(number))
        result = f.where(here, _entries(f, wide, at, stride, dilation, out), result)
    return result


def _pick_rule(
    f: Emitter, g: Value, other: Value, *, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints
) -> Value:
    attrs = {"kernel": kernel, "stride": stride, "padding": padding, "dilation": dilation, "out": out}
    return f.max_pool_input(g, other, f.max_pool(other, **attrs), **attrs)


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
