"""Convolution and its adjoints in NumPy.

Shapes: input [N, C, *S], weight [O, C / groups, *K], cotangent and result of the convolution [N, O, *out].
"""

# Note [Convolution as products]
# Windows of the input are columns of a matrix [C * K, out] for each image, which the weight [O, C * K] multiplies. What
# NumPy computes copies the columns of a few images at a time, so that they stay in the cache from the copy to the
# product. Where each channel is convolved alone, products of matrices would have one column: windows are multiplied
# entry by entry instead.

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .registry import Array
from .shape_gradients import Ints
from .window_columns import WindowColumns, blocks
from .window_places import (
    WindowGrid,
    entry_of,
    padded_array,
    target_of,
    window_count,
)

COLUMNS = 2**19
"""Elements of columns at a time: few enough to stay in a cache from the copy to the product."""
WIDE = 256
"""Windows of an image from which products of single elements of a window are worth a product for each image."""
MOST_ENTRIES = 128
"""Entries of a window up to which channels alone are convolved entry by entry."""


def counts(sizes: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Ints:
    """The sizes of the result of a convolution."""
    every = zip(sizes, kernel, stride, padding, dilation, strict=True)
    return tuple(window_count(*each) for each in every)


def is_depthwise(channels: int, groups: int, kernel: Ints) -> bool:
    """Whether each channel is convolved alone, entry by entry."""
    return channels == 1 and groups > 1 and math.prod(kernel) <= MOST_ENTRIES


def _at_once(images: int, rows: int, out: int) -> int:
    """The number of images whose columns are made at a time."""
    return min(max(1, COLUMNS // max(rows * out, 1)), max(images, 1))


def _of_group(group: int, channels: int) -> slice:
    return slice(group * channels, (group + 1) * channels)


def convolution_array(
    x: Array,
    weight: Array,
    bias: Array | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
) -> Array:
    """The convolution [N, O, *out] of `x` with `weight`, plus `bias`."""
    kernel, images, channels = weight.shape[2:], len(x), weight.shape[1]
    out = counts(x.shape[2:], kernel, stride, padding, dilation)
    windows, width = WindowGrid(kernel, stride, padding, dilation, out), math.prod(out)
    result = np.empty((images, len(weight), *out), x.dtype)
    if not result.size or not channels:
        result[...] = 0.0
    elif is_depthwise(channels, groups, kernel):
        _multiply_entries(result, padded_array(x, windows), weight, windows)
    elif windows.are_pointwise:
        left = weight.reshape(groups, len(weight) // groups, channels)
        right = np.ascontiguousarray(x).reshape(images, groups, channels, width)
        np.matmul(left, right, out=result.reshape(images, groups, -1, width))
    else:
        _multiply_columns(result, x, weight, windows, groups)
    if bias is not None:
        result += bias.reshape(-1, *(1 for _ in out))
    return result


def _multiply_columns(result: Array, x: Array, weight: Array, windows: WindowGrid, groups: int) -> None:
    columns = WindowColumns(x.shape[2:], windows)
    columns.begin(x, groups)
    height, rows = len(weight) // groups, math.prod(weight.shape[1:])
    left = weight.reshape(groups, height, rows)
    for images in blocks(len(x), _at_once(len(x), rows, columns.span)):
        for group in range(groups):
            right = columns.windows(images, group)
            goal = result[images, _of_group(group, height)]
            if len(goal) == 1 and not columns.in_one_piece:
                np.matmul(left[group], right, out=goal.reshape(height, columns.span))
            else:
                goal[...] = columns.inside(columns.product("result", left[group], right)).swapaxes(0, 1)


def _multiply_entries(result: Array, wide: Array, weight: Array, windows: WindowGrid) -> None:
    """Multiplies each channel of `wide`, which is padded, by its own weights of [O, 1, *K]."""
    out, kernel = result.shape[2:], weight.shape[2:]
    images, channels = wide.shape[:2]
    each = result.reshape(images, channels, -1, *out)
    factors = weight.reshape(channels, -1, *kernel)
    ones = (1,) * len(out)
    product = np.empty_like(each)
    for count, at in enumerate(windows.entries):
        entries = entry_of(wide, at, windows)[:, :, None]
        entry: Any = (..., *at)
        factor = factors[entry].reshape(1, channels, -1, *ones)
        if not count:
            np.multiply(entries, factor, out=each)
        else:
            np.multiply(entries, factor, out=product)
            np.add(each, product, out=each)


def input_array(
    g: Array,
    weight: Array,
    bias: Array | None = None,
    *,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int,
    size: Ints,
) -> Array:
    """The cotangent [N, C, *size] of a convolution's input, plus `bias`; what a transposed convolution gives."""
    kernel, images, channels = weight.shape[2:], len(g), weight.shape[1]
    out, height = g.shape[2:], len(weight) // groups
    windows, width = WindowGrid(kernel, stride, padding, dilation, out), math.prod(out)
    result = np.zeros((images, channels * groups, *size), g.dtype)
    if not g.size or not result.size or not height:
        pass
    elif is_depthwise(channels, groups, kernel):
        apart = np.ascontiguousarray(g).reshape(images, groups, height, *out)
        factors = weight.reshape(groups, height, *kernel)
        for at in windows.entries:
            entry: Any = (..., *at)
            factor = factors[entry].reshape(1, groups, height, *(1 for _ in out))
            target, part = target_of(result, np.add.reduce(apart * factor, axis=2), at, windows)
            target += part
    elif windows.are_pointwise:
        left = weight.reshape(groups, height, channels).swapaxes(1, 2)
        right = np.ascontiguousarray(g).reshape(images, groups, height, width)
        np.matmul(left, right, out=result.reshape(images, groups, channels, width))
    else:
        # With an infinite weight, factors of zero would not do: see Note [Columns in one piece].
        finite = bool(np.isfinite(weight).all())
        columns = WindowColumns(size, windows, in_pieces=finite)
        rows = channels * math.prod(kernel)
        left = weight.reshape(groups, height, rows).swapaxes(1, 2)
        for some in blocks(images, _at_once(images, rows, columns.span)):
            for group in range(groups):
                right = columns.spread(g, some, _of_group(group, height))
                made = columns.product("columns", left[group], right)
                columns.fold(result[some, _of_group(group, channels)], made)
    if bias is not None:
        result += bias.reshape(-1, *(1 for _ in out))
    return result


def weight_array(g: Array, x: Array, *, stride: Ints, padding: Ints, dilation: Ints, groups: int, size: Ints) -> Array:
    """The cotangent [O, C / groups, *size] of a convolution's weight."""
    images, out, channels = len(x), g.shape[2:], x.shape[1] // groups
    height, width = g.shape[1] // groups, math.prod(out)
    windows = WindowGrid(size, stride, padding, dilation, out)
    result = np.zeros((g.shape[1], channels, *size), g.dtype)
    if not g.size or not result.size:
        return result
    if is_depthwise(channels, groups, size):
        wide = padded_array(x, windows)
        apart = np.ascontiguousarray(g).reshape(images, groups, height, width)
        each = result.reshape(groups, height, *size)
        for at in windows.entries:
            entries = np.ascontiguousarray(entry_of(wide, at, windows)).reshape(images, groups, width)
            place: Any = (..., *at)
            each[place] = np.einsum("ngho,ngo->gh", apart, entries)
        return result
    if windows.are_pointwise and width >= WIDE:
        right = np.ascontiguousarray(x).reshape(images, groups, channels, width).swapaxes(2, 3)
        left = np.ascontiguousarray(g).reshape(images, groups, height, width)
        np.add.reduce(np.matmul(left, right), axis=0, out=result.reshape(groups, height, channels))
        return result
    _add_products(result, g, x, WindowColumns(x.shape[2:], windows), groups)
    if not np.isfinite(result).all():  # zeros times what is infinite: see Note [Columns in one piece]
        result[...] = 0.0
        _add_products(result, g, x, WindowColumns(x.shape[2:], windows, in_pieces=False), groups)
    return result


def _add_products(result: Array, g: Array, x: Array, columns: WindowColumns, groups: int) -> None:
    columns.begin(x, groups)
    height, rows = len(result) // groups, math.prod(result.shape[1:])
    total = result.reshape(groups, height, rows)
    for images in blocks(len(x), _at_once(len(x), rows, columns.span)):
        for group in range(groups):
            left = columns.spread(g, images, _of_group(group, height))
            total[group] += np.matmul(left, columns.windows(images, group).T)
