"""Pools whose windows lie at places that are drawn, so that sizes shrink by any factor."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...tensor.arithmetic import add, mul, sub
from ...tensor.creation import arange
from ...tensor.indexing import gather
from ...tensor.joining import cat
from ...tensor.promotion import to_dtype
from ...tensor.random import rand
from ...tensor.rearranging import select
from ...tensor.reductions import argmax
from ...tensor.shaping import expand_to, reshape_to, unsqueeze
from ...tensor.surface import surface
from ..checks import check_dtypes
from ..errors import LayerArgumentError, LayerShapeError
from .window_arguments import Ints, batched, each_axis, positive, without_batch

Value = Any


def _output_sizes(name: str, x: Value, rank: int, output_size: Any, output_ratio: Any) -> Ints:
    if output_size is not None:
        return each_axis(name, "output_size", output_size, rank)
    if output_ratio is None:
        raise LayerArgumentError(f"{name} requires specifying either an output_size or an output_ratio")
    ratios = tuple(output_ratio) if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * rank
    if len(ratios) != rank:
        raise LayerArgumentError(f"{name} requires output_ratio to be a number or {rank} of them, got {list(ratios)}")
    return tuple(int(size * ratio) for size, ratio in zip(x.shape[2:], ratios, strict=True))


def _starts(sample: Value, size: int, count: int, width: int) -> Value:
    """The first elements of `count` windows, for each channel: steps of about one length, moved on by a share.

    Shapes: [N, C] of shares from 0 to 1 -> int64 [N, C, count].
    """
    last = size - width
    shape = (*sample.shape, count)
    ends = expand_to(arange(last, last + 1, device=sample.device), (*sample.shape, 1))
    if count == 1:
        return ends
    step = (size - width) / (count - 1)
    moved = mul(add(unsqueeze(sample, -1), arange(count - 1, dtype=sample.dtype, device=sample.device)), step)
    first = mul(unsqueeze(sample, -1), step)
    begins = sub(to_dtype(moved, dtypes.int64), to_dtype(first, dtypes.int64))
    return cat([expand_to(begins, (*shape[:-1], count - 1)), ends], -1)


def _pool(
    name: str,
    rank: int,
    input: Value,
    kernel_size: Any,
    output_size: Any,
    output_ratio: Any,
    return_indices: bool,
    samples: Value,
) -> Any:
    x, single = batched(name, input, rank)
    check_dtypes(name, x)
    kernel = each_axis(name, "kernel_size", kernel_size, rank)
    out = _output_sizes(name, x, rank, output_size, output_ratio)
    positive(name, kernel_size=kernel, output_size=out)
    batch, channels, *sizes = tuple(x.shape)
    if any(o + k - 1 > size for o, k, size in zip(out, kernel, sizes, strict=True)):
        raise LayerShapeError(
            f"{name}: windows {list(kernel)} and an output of {list(out)} are too large for an input of {sizes}: along "
            "each axis, the output and the window less 1 have to fit in"
        )
    if samples is None:
        samples = rand(batch, channels, rank, dtype=x.dtype, device=x.device)
    elif tuple(samples.shape) != (batch, channels, rank):
        raise LayerShapeError(
            f"{name}: Expect _random_samples to have shape {[batch, channels, rank]}, got {list(samples.shape)}"
        )
    place = _places(samples.detach(), sizes, kernel, out)
    count, entries = math.prod(out), math.prod(kernel)
    flat = reshape_to(x, (batch, channels, math.prod(sizes)))
    windows = gather(flat.detach(), 2, reshape_to(place, (batch, channels, count * entries)))
    windows = reshape_to(windows, (batch, channels, count, entries))
    largest = unsqueeze(argmax(windows, -1), -1)
    index = reshape_to(gather(place, 3, largest), (batch, channels, count))
    values = reshape_to(gather(flat, 2, index), (batch, channels, *out))
    if not return_indices:
        return without_batch(values, single)
    return without_batch(values, single), without_batch(reshape_to(index, (batch, channels, *out)), single)


def _places(samples: Value, sizes: list[int], kernel: Ints, out: Ints) -> Value:
    """The places of the elements of every window, counted over the spatial axes, row by row.

    Shapes: samples [N, C, rank] -> int64 [N, C, windows, elements of a window].
    """
    rank = len(sizes)
    batch, channels = samples.shape[:2]
    total = None
    for k, (size, count, width) in enumerate(zip(sizes, out, kernel, strict=True)):
        # Of pictures, the first share is that of the last axis.
        starts = _starts(select(samples, -1, rank - 1 - k if rank == 2 else k), size, count, width)
        begin = reshape_to(starts, (batch, channels, *(count if j == k else 1 for j in range(rank)), *(1,) * rank))
        offset = arange(width, device=samples.device)
        offset = reshape_to(offset, (*(1,) * (2 + rank), *(width if j == k else 1 for j in range(rank))))
        along = mul(add(begin, offset), math.prod(sizes[k + 1 :]))
        total = along if total is None else add(total, along)
    whole = expand_to(total, (batch, channels, *out, *kernel))
    return reshape_to(whole, (batch, channels, math.prod(out), math.prod(kernel)))


def _fractional_max_pool(name: str, rank: int, axes: str) -> Any:
    def function(
        input: Value,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Value = None,
    ) -> Any:
        return _pool(name, rank, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The largest element of each of so many windows, whose places are drawn for each channel.

    output_size, output_ratio: the number of windows along each axis, or its share of that of the elements.
    return_indices: also where it is, as integers, for `max_unpool{rank}d`.
    _random_samples: floats [N, C, {rank}] from 0 to 1, in place of draws; the numbers are not PyTorch's for a seed.
    Shapes: [N, C, {axes}] or [C, {axes}] of floats; the result has as many axes.
    Errors: ValueError for neither a size nor a ratio, RuntimeError for windows that do not fit in.
        Source: Graham 2014, Fractional max-pooling.
    """
    return surface(function)


fractional_max_pool2d = _fractional_max_pool("fractional_max_pool2d", 2, "H, W")
fractional_max_pool3d = _fractional_max_pool("fractional_max_pool3d", 3, "T, H, W")
