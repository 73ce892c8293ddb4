"""Convolution and its two adjoints through an emitter: as products of matrices whose columns or rows are windows.

Shapes: input [N, C, *S], weight [O, C / groups, *K], cotangent and result of the convolution [N, O, *out].
"""

# Note [Phases]
# Entries of the input that leave the same remainder modulo the stride, counted from the padding, meet the same entries
# of the windows: every stride-th. So each such phase of the input's cotangent is a convolution of its own without
# stride, of the cotangent with a part of the weight, and no product is made that is not needed.

from __future__ import annotations

import math
from typing import Any

from ..core.records import dataclass
from .convolution_arrays import counts, is_depthwise
from .emitter import Emitter
from .shape_gradients import Ints
from .window_places import WindowGrid, entries_at, folded, offsets, padded, placed, window_view

Value = Any

MOST_PHASES = 9
"""Phases that the cotangent of an input is computed in at most."""


def _with_bias(f: Emitter, result: Value, bias: Value | None) -> Value:
    if bias is None:
        return result
    shape = f.shape(result)
    return f.add(result, f.reshape(bias, shape=(1, shape[1], *(1 for _ in shape[2:]))))


def _entry(f: Emitter, weight: Value, at: Ints) -> Value:
    """[1, O, 1, ...]: one entry of the windows of a weight [O, 1, *K]."""
    shape = f.shape(weight)
    picked = f.slice(weight, starts=(0, 0, *at), sizes=(shape[0], 1, *(1 for _ in at)), steps=(1,) * len(shape))
    return f.reshape(picked, shape=(1, shape[0], *(1 for _ in at)))


def _repeated(f: Emitter, x: Value, times: int) -> Value:
    """[N, C * times, *S]: each channel of [N, C, *S] that often, one after the other."""
    if times == 1:
        return x
    shape = f.shape(x)
    ones = f.reshape(x, shape=(*shape[:2], 1, *shape[2:]))
    wide = f.expand(ones, shape=(*shape[:2], times, *shape[2:]))
    return f.reshape(wide, shape=(shape[0], shape[1] * times, *shape[2:]))


def _columns(f: Emitter, x: Value, windows: WindowGrid, groups: int) -> Value:
    """[N, C, *K, *out], or [N, groups, C / groups, *K, *out] where there are several groups."""
    view = window_view(f, padded(f, x, windows), windows)
    shape = f.shape(view)
    return view if groups == 1 else f.reshape(view, shape=(shape[0], groups, shape[1] // groups, *shape[2:]))


def convolution_form(
    f: Emitter,
    x: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Value:
    """The convolution [N, O, *out] of `x` with `weight`, plus `bias` [O]."""
    shape, (height, channels, *kernel_) = f.shape(x), f.shape(weight)
    kernel = tuple(kernel_)
    out = counts(tuple(shape[2:]), kernel, stride, padding, dilation)
    windows = WindowGrid(kernel, stride, padding, dilation, out)
    if not channels or 0 in shape or 0 in out or not height:
        result = f.full(value=0.0, shape=(shape[0], height, *out), dtype=f.dtype(x))
        return _with_bias(f, result, bias)
    if is_depthwise(channels, groups, kernel):
        wide = _repeated(f, padded(f, x, windows), height // groups)
        result = None
        for at in windows.entries:
            product = f.multiply(entries_at(f, wide, at, windows), _entry(f, weight, at))
            result = product if result is None else f.add(result, product)
        return _with_bias(f, result, bias)
    right = x if windows.are_pointwise else window_view(f, padded(f, x, windows), windows)
    return _with_bias(f, _product(f, weight, right, out, groups), bias)


def _product(f: Emitter, weight: Value, windows: Value, out: Ints, groups: int) -> Value:
    """[N, O, *out]: a weight [O, C / groups, *K] times windows [N, C, *K, *out]."""
    images, (height, channels, *kernel) = f.shape(windows)[0], f.shape(weight)
    rows, lead = channels * math.prod(kernel), (images,) if groups == 1 else (images, groups)
    right = f.reshape(windows, shape=(*lead, rows, math.prod(out)))
    left = f.reshape(weight, shape=(*lead[1:], height // groups, rows))
    left = f.expand(left, shape=(*lead, height // groups, rows))
    return f.reshape(f.matmul(left, right), shape=(images, height, *out))


def _turned_weight(f: Emitter, weight: Value, groups: int, first: Ints, step: Ints, taps: Ints) -> Value:
    """[C, O / groups, *taps]: a weight [O, C / groups, *K], its channels exchanged.

    Of its windows every `step`-th entry from `first` on, back to front."""
    height, channels, *_ = f.shape(weight)
    rank = len(taps)
    back = f.slice(
        weight,
        starts=(0, 0, *(b + s * (t - 1) for b, s, t in zip(first, step, taps, strict=True))),
        sizes=(height, channels, *taps),
        steps=(1, 1, *(-s for s in step)),
    )
    apart = f.reshape(back, shape=(groups, height // groups, channels, *taps))
    turned = f.permute(apart, axes=(0, 2, 1, *range(3, 3 + rank)))
    return f.reshape(turned, shape=(groups * channels, height // groups, *taps))


@dataclass(frozen=True, slots=True)
class _Phase:
    """Entries of the input: `starts` and every stride-th from there, `sizes` along each axis.

    taps: how many entries of the windows they meet. at: where, before the entries that the first of them adds up, the
        cotangent begins."""

    number: Ints
    starts: Ints
    sizes: Ints
    taps: Ints
    at: Ints


def _phase(number: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, size: Ints) -> _Phase | None:
    """The phase whose entries, counted from the padding, leave `number` modulo the stride; None for an empty one."""
    rows = []
    for r, s, p, d, width, count in zip(number, stride, padding, dilation, kernel, size, strict=True):
        taps = max(-((r - width) // s), 0)
        begin = -((r - p) // s)
        start = s * begin + r - p
        length = max(-((start - count) // s), 0)
        if not taps or not length:
            return None
        rows.append((start, length, taps, (taps - 1) * d - begin))
    starts, sizes, taps_, at = zip(*rows, strict=True)
    return _Phase(number, starts, sizes, taps_, at)


def _is_in_phases(kernel: Ints, stride: Ints, dilation: Ints) -> bool:
    """Whether phases are few, each a part of windows that overlap. See Note [Phases]."""
    if any(s > 1 and d > 1 for s, d in zip(stride, dilation, strict=True)):
        return False
    count = math.prod(min(k, s) for k, s in zip(kernel, stride, strict=True))
    return count == 1 or (count <= MOST_PHASES and any(k > s for k, s in zip(kernel, stride, strict=True)))


def _in_phases(
    f: Emitter, g: Value, weight: Value, *, stride: Ints, padding: Ints, dilation: Ints, groups: int, size: Ints
) -> Value:
    """The input's cotangent, where axes with a stride have no dilation. Note [Phases]."""
    images, channels = f.shape(g)[0], f.shape(weight)[1]
    phases = [
        each
        for phase in offsets(stride)
        if (each := _phase(phase, tuple(f.shape(weight)[2:]), stride, padding, dilation, size)) is not None
    ]
    # One copy of the cotangent, with zeros around, serves all of them.
    at = tuple(max(column) for column in zip(*(each.at for each in phases), strict=True))
    reach = (
        (
            lead - a + n + (t - 1) * d
            for lead, a, n, t, d in zip(at, each.at, each.sizes, each.taps, dilation, strict=True)
        )
        for each in phases
    )
    wide = placed(f, g, 2, at, tuple(max(column) for column in zip(*reach, strict=True)))
    made = []
    for each in phases:
        turned = _turned_weight(f, weight, groups, each.number, stride, each.taps)
        from_ = tuple(lead - a for lead, a in zip(at, each.at, strict=True))
        made.append(_at_every_place(f, wide, turned, from_, dilation, each.sizes, groups))
    if len(phases) == 1 and phases[0].sizes == tuple(size):
        return made[0]
    result = f.full(value=0.0, shape=(images, channels * groups, *size), dtype=f.dtype(g))
    for each, part in zip(phases, made, strict=True):
        shape = (images, channels * groups, *each.sizes)
        result = f.slice_store(result, part, starts=(0, 0, *each.starts), sizes=shape, steps=(1, 1, *stride))
    return result


def _at_every_place(
    f: Emitter, wide: Value, weight: Value, first: Ints, dilation: Ints, out: Ints, groups: int
) -> Value:
    """The convolution of a part of `wide`, which begins at `first`, without stride."""
    _, channels, *kernel = f.shape(weight)
    ones, zeros = (1,) * len(out), (0,) * len(out)
    windows = WindowGrid(tuple(kernel), ones, zeros, dilation, out)
    if is_depthwise(channels, groups, windows.kernel):
        part = placed(f, wide, 2, tuple(-a for a in first), windows.reach)
        return convolution_form(f, part, weight, stride=ones, padding=zeros, dilation=dilation, groups=groups)
    if f.shape(wide)[2:] == out:
        return _product(f, weight, wide, out, groups)
    return _product(f, weight, window_view(f, wide, windows, first), out, groups)


def input_form(
    f: Emitter,
    g: Value,
    weight: Value,
    bias: Value | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    size: Ints,
) -> Value:
    """The cotangent convolved with the weight turned round, phase by phase; or, for other windows, columns added up."""
    shape, (height, channels, *kernel_) = f.shape(g), f.shape(weight)
    kernel = tuple(kernel_)
    if 0 in shape or 0 in size or not channels or not height:
        result = f.full(value=0.0, shape=(shape[0], channels * groups, *size), dtype=f.dtype(g))
        return _with_bias(f, result, bias)
    if _is_in_phases(kernel, stride, dilation):
        steps = {"stride": stride, "padding": padding, "dilation": dilation}
        return _with_bias(f, _in_phases(f, g, weight, **steps, groups=groups, size=size), bias)
    rows, width = channels * math.prod(kernel), math.prod(shape[2:])
    lead = (shape[0],) if groups == 1 else (shape[0], groups)
    left = f.reshape(weight, shape=(*lead[1:], height // groups, rows))
    left = f.permute(left, axes=(0, 2, 1) if groups > 1 else (1, 0))
    left = f.expand(left, shape=(*lead, rows, height // groups))
    made = f.matmul(left, f.reshape(g, shape=(*lead, height // groups, width)))
    made = f.reshape(made, shape=(shape[0], groups * channels, *kernel, *shape[2:]))
    windows = WindowGrid(kernel, stride, padding, dilation, tuple(shape[2:]))
    return _with_bias(f, folded(f, made, windows, size), bias)


def weight_form(
    f: Emitter, g: Value, x: Value, *, stride: Ints, padding: Ints, dilation: Ints, groups: int, size: Ints
) -> Value:
    """The cotangent [O, C / groups, *size] of the weight of a convolution of `x`."""
    (images, height, *out_), (_, all_channels, *_) = f.shape(g), f.shape(x)
    out, channels = tuple(out_), all_channels // groups
    if 0 in f.shape(g) or 0 in f.shape(x) or not channels:
        return f.full(value=0.0, shape=(height, channels, *size), dtype=f.dtype(g))
    rank, each = len(size), height // groups
    windows = WindowGrid(size, stride, padding, dilation, out)
    if is_depthwise(channels, groups, size):
        wide = _repeated(f, padded(f, x, windows), each)
        axes = (0, *range(2, 2 + rank))
        sums = []
        for at in windows.entries:
            found = f.sum(f.multiply(entries_at(f, wide, at, windows), g), axes=axes)
            sums.append(f.reshape(found, shape=(height, 1)))
        return f.reshape(f.cat(*sums, axis=1), shape=(height, 1, *size))
    rows, width = channels * math.prod(size), math.prod(out)
    if windows.are_pointwise:
        columns = f.reshape(x, shape=(images, groups, channels, *out))
    else:
        columns = _columns(f, x, windows, groups)
        columns = f.reshape(columns, shape=(images, groups, channels, *size, *out))
    inner = len(f.shape(columns)) - 3 - rank
    # [groups, C, *K, N, *out] times [groups, N, *out, O], so that the longer side is that of the rows.
    left = f.permute(columns, axes=(1, *range(2, 3 + inner), 0, *range(3 + inner, 3 + inner + rank)))
    left = f.reshape(left, shape=(groups, rows, images * width))
    apart = f.reshape(g, shape=(images, groups, each, width))
    right = f.reshape(f.permute(apart, axes=(1, 0, 3, 2)), shape=(groups, images * width, each))
    product = f.permute(f.matmul(left, right), axes=(0, 2, 1))
    return f.reshape(product, shape=(height, channels, *size))
