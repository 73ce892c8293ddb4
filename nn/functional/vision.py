"""Windows as columns and back, and channels that become pixels."""

from __future__ import annotations

import math
from typing import Any

from ...ops.windows import FOLD, PATCHES
from ...tensor.conversion import with_own_memory
from ...tensor.dispatch import apply, is_tensor_like, not_a_tensor
from ...tensor.shaping import permute, reshape_to
from ...tensor.surface import surface
from ..checks import check_dtypes
from ..errors import LayerShapeError
from .window_arguments import batched, each_axis, positive, whole, without_batch

Value = Any


@surface
def unfold(input: Value, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Value:
    """The windows of `input` as columns, one after the other, row by row.

    Shapes: [N, C, H, W] or [C, H, W] of floats -> [N, C * KH * KW, windows] or [C * KH * KW, windows].
    Errors: RuntimeError for windows that cannot be.
    """
    x, single = batched("unfold", input, 2)
    check_dtypes("unfold", x)
    kernel, apart, wide, step = (
        each_axis("unfold", name, value, 2)
        for name, value in (
            ("kernel_size", kernel_size),
            ("dilation", dilation),
            ("padding", padding),
            ("stride", stride),
        )
    )
    positive("unfold", kernel_size=kernel, dilation=apart, stride=step)
    out = _counts("unfold", tuple(x.shape[2:]), kernel, apart, wide, step)
    patches = apply(PATCHES, x, kernel=kernel, stride=step, padding=wide, dilation=apart, out=out)
    columns = reshape_to(patches, (x.shape[0], x.shape[1] * math.prod(kernel), math.prod(out)))
    return without_batch(columns, single)


def _counts(name: str, sizes: Any, kernel: Any, apart: Any, wide: Any, step: Any) -> tuple[int, ...]:
    """The number of windows along each axis. Errors: LayerShapeError where there is none."""
    if any(each < 0 for each in wide):
        raise LayerShapeError(f"{name}: padding should be non-negative, but got {list(wide)}")
    every = zip(sizes, kernel, apart, wide, step, strict=True)
    out = tuple((size + 2 * p - d * (k - 1) - 1) // s + 1 for size, k, d, p, s in every)
    if any(each < 1 for each in out):
        raise LayerShapeError(
            f"{name}: Given spatial size {list(sizes)}, kernel_size={list(kernel)}, dilation={list(apart)}, "
            f"padding={list(wide)} and stride={list(step)}, calculated shape of the array of sliding blocks as "
            f"{list(out)}, but its components must be at least one"
        )
    return out


@surface
def fold(
    input: Value, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Value:
    """Columns of windows, as `unfold` gives them, added up where the windows were; the gradient of `unfold`.

    Shapes: [N, C * KH * KW, windows] or [C * KH * KW, windows] of floats -> [N, C, *output_size] or [C, *output_size].
    Errors: RuntimeError for sizes that do not fit together.
    """
    x, single = batched("fold", input, 1)
    check_dtypes("fold", x)
    size, kernel, apart, wide, step = (
        each_axis("fold", name, value, 2)
        for name, value in (
            ("output_size", output_size),
            ("kernel_size", kernel_size),
            ("dilation", dilation),
            ("padding", padding),
            ("stride", stride),
        )
    )
    positive("fold", output_size=size, kernel_size=kernel, dilation=apart, stride=step)
    entries = math.prod(kernel)
    if x.shape[1] % entries:
        raise LayerShapeError(
            "fold: Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
            f"but got input.size(1)={x.shape[1]} and kernel_size={list(kernel)}"
        )
    out = _counts("fold", size, kernel, apart, wide, step)
    if x.shape[2] != math.prod(out):
        raise LayerShapeError(
            f"fold: Given output_size={list(size)}, kernel_size={list(kernel)}, dilation={list(apart)}, "
            f"padding={list(wide)}, stride={list(step)}, expected size of input's dimension 2 to match the calculated "
            f"number of sliding blocks {math.prod(out)}, but got input.size(2)={x.shape[2]}"
        )
    windows = reshape_to(x, (x.shape[0], x.shape[1] // entries, *kernel, *out))
    return without_batch(apply(FOLD, windows, stride=step, padding=wide, dilation=apart, size=size), single)


def _check_pixels(name: str, input: Value, least: int) -> None:
    if not is_tensor_like(input):
        raise not_a_tensor(name, "input", 1, input)
    if input.ndim < least:
        raise LayerShapeError(
            f"{name} expects input to have at least {least} dimensions, but got input with {input.ndim} dimension(s)"
        )


@surface
def pixel_shuffle(input: Value, upscale_factor: int) -> Value:
    """Channels as pixels: of each group of r * r channels, a picture r times as high and as wide.

    Shapes: [*, C * r * r, H, W] -> [*, C, H * r, W * r]. Errors: RuntimeError for shapes that do not fit.
    Source: Shi et al. 2016.
    """
    _check_pixels("pixel_shuffle", input, 3)
    r = whole(upscale_factor)
    if r <= 0:
        raise LayerShapeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *lead, channels, height, width = input.shape
    if channels % (r * r):
        raise LayerShapeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {r * r}"
        )
    rank = len(lead)
    apart = reshape_to(input, (*lead, channels // (r * r), r, r, height, width))
    turned = permute(apart, (*range(rank), rank, rank + 3, rank + 1, rank + 4, rank + 2))
    return with_own_memory(reshape_to(turned, (*lead, channels // (r * r), height * r, width * r)), input)


@surface
def pixel_unshuffle(input: Value, downscale_factor: int) -> Value:
    """Pixels as channels: a picture r times lower and narrower, with r * r channels for each; undoes `pixel_shuffle`.

    Shapes: [*, C, H * r, W * r] -> [*, C * r * r, H, W]. Errors: RuntimeError for shapes that do not fit.
    """
    _check_pixels("pixel_unshuffle", input, 3)
    r = whole(downscale_factor)
    if r <= 0:
        raise LayerShapeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    *lead, channels, height, width = input.shape
    if height % r or width % r:
        raise LayerShapeError(
            f"pixel_unshuffle expects sizes to be divisible by downscale_factor, but input.size(-2)={height} "
            f"or input.size(-1)={width} is not divisible by {r}"
        )
    rank = len(lead)
    apart = reshape_to(input, (*lead, channels, height // r, r, width // r, r))
    turned = permute(apart, (*range(rank), rank, rank + 2, rank + 4, rank + 1, rank + 3))
    return with_own_memory(reshape_to(turned, (*lead, channels * r * r, height // r, width // r)), input)


@surface
def channel_shuffle(input: Value, groups: int) -> Value:
    """The channels, the first of every group before the second of every group.

    Shapes: [N, C, *] -> [N, C, *]. Errors: RuntimeError where the groups do not divide the channels.
    Source: Zhang et al. 2018 (ShuffleNet).
    """
    _check_pixels("channel_shuffle", input, 3)
    groups = whole(groups)
    if groups <= 0 or input.shape[1] % groups:
        raise LayerShapeError(
            f"Number of channels must be divisible by groups. Got {input.shape[1]} channels and {groups} groups."
        )
    shape = tuple(input.shape)
    apart = reshape_to(input, (shape[0], groups, shape[1] // groups, *shape[2:]))
    turned = permute(apart, (0, 2, 1, *range(3, 1 + len(shape))))
    return with_own_memory(reshape_to(turned, shape), input)
