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
from collections.abc import Iterator

import numpy as np

from .registry import Array
from .shape_gradients import Ints
from .window_places import (
    ends,
    entry_of,
    fold_into,
    offsets,
    padded_array,
    target_of,
    window_count,
    windows_of,
)

COLUMNS = 2**18
"""Elements of columns at a time: those stay in the second cache."""
WIDE = 256
"""Windows of an image from which its product is worth one of its own."""
MOST_ENTRIES = 128
"""Entries of a window up to which channels alone are convolved entry by entry."""


def counts(sizes: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Ints:
    """The sizes of the result of a convolution."""
    every = zip(sizes, kernel, stride, padding, dilation, strict=True)
    return tuple(window_count(*each) for each in every)


def is_depthwise(channels: int, groups: int, kernel: Ints) -> bool:
    """Whether each channel is convolved alone, entry by entry."""
    return channels == 1 and groups > 1 and math.prod(kernel) <= MOST_ENTRIES


def is_pointwise(kernel: Ints, stride: Ints, padding: Ints) -> bool:
    """Whether windows are single elements, one for each element of the input."""
    return all(k == 1 for k in kernel) and all(s == 1 for s in stride) and not any(padding)


def _blocks(images: int, rows: int, out: int) -> Iterator[slice]:
    """Images whose columns are made at a time."""
    step = 1 if out >= WIDE else max(1, COLUMNS // max(rows * out, 1))
    step = min(step, max(images, 1))
    return (slice(k, min(k + step, images)) for k in range(0, images, step))


class _Columns:
    """The columns of an input, for a few images at a time, in memory that is used again."""

    def __init__(self, x: Array, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, out: Ints, groups: int):
        wide = padded_array(x, padding, ends(out, kernel, stride, dilation))
        view = windows_of(wide, kernel, stride, dilation, out)
        self._windows = view.reshape(len(x), groups, -1, *view.shape[2:]) if groups > 1 else view[:, None]
        self.groups = groups
        self._inner = self._windows.shape[2:]
        self.rows, self.out = math.prod(self._inner[: 1 + len(kernel)]), math.prod(out)
        self._memory = np.empty(0, x.dtype)

    def of(self, images: slice, group: int) -> Array:
        """[rows, images * out]."""
        count = images.stop - images.start
        size = self.rows * count * self.out
        if self._memory.size < size:
            self._memory = np.empty(size, self._memory.dtype)
        flat = self._memory[:size]
        if count == 1:
            flat.reshape(self._inner)[...] = self._windows[images.start, group]
        else:
            out_axes = 1 + (len(self._inner) - 1) // 2
            split = (*self._inner[:out_axes], count, *self._inner[out_axes:])
            target = np.moveaxis(flat.reshape(split), out_axes, 0)
            target[...] = self._windows[images, group]
        return flat.reshape(self.rows, count * self.out)


def _in_columns(x: Array, images: slice, channels: slice, out: int) -> Array:
    """[channels, images * out]: some images of [N, C, *out]; a view where it is one image."""
    part = x[images, channels]
    if len(part) == 1:
        return part.reshape(part.shape[1], out)
    return np.ascontiguousarray(part.reshape(len(part), part.shape[1], out).swapaxes(0, 1)).reshape(part.shape[1], -1)


def _of_group(group: int, channels: int) -> slice:
    return slice(group * channels, (group + 1) * channels)


def _grouped(x: Array, groups: int, *rest: int) -> Array:
    return x.reshape(*rest[:1], groups, -1, *rest[1:])


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
    width = math.prod(out)
    result = np.empty((images, len(weight), *out), x.dtype)
    if not result.size or not channels:
        result[...] = 0.0
    elif is_depthwise(channels, groups, kernel):
        _multiply_entries(
            result, padded_array(x, padding, ends(out, kernel, stride, dilation)), weight, stride, dilation
        )
    elif is_pointwise(kernel, stride, padding):
        left = weight.reshape(groups, len(weight) // groups, channels)
        right = np.ascontiguousarray(x).reshape(images, groups, channels, width)
        np.matmul(left, right, out=result.reshape(images, groups, -1, width))
    else:
        _multiply_columns(result, x, weight, (kernel, stride, padding, dilation, out), groups)
    if bias is not None:
        result += bias.reshape(-1, *(1 for _ in out))
    return result


def _multiply_columns(
    result: Array, x: Array, weight: Array, windows: tuple[Ints, Ints, Ints, Ints, Ints], groups: int
) -> None:
    columns = _Columns(x, *windows, groups)
    height, width = len(weight) // groups, columns.out
    left = weight.reshape(groups, height, columns.rows)
    flat = result.reshape(len(x), groups, height, width)
    for images in _blocks(len(x), columns.rows, width):
        for group in range(groups):
            right = columns.of(images, group)
            if images.stop - images.start == 1:
                np.matmul(left[group], right, out=flat[images.start, group])
            else:
                made = np.matmul(left[group], right).reshape(height, -1, width)
                flat[images, group] = made.swapaxes(0, 1)


def _multiply_entries(result: Array, wide: Array, weight: Array, stride: Ints, dilation: Ints) -> None:
    """Each channel of `wide`, which is padded, by its own windows of the weight [O, 1, *K]."""
    out, kernel = result.shape[2:], weight.shape[2:]
    images, channels = wide.shape[:2]
    each = result.reshape(images, channels, -1, *out)
    factors = weight.reshape(channels, -1, *kernel)
    ones = (1,) * len(out)
    product = np.empty_like(each)
    for count, at in enumerate(offsets(kernel)):
        entries = entry_of(wide, at, stride, dilation, out)[:, :, None]
        factor = factors[(..., *at)].reshape(1, channels, -1, *ones)
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
    width = math.prod(out)
    result = np.zeros((images, channels * groups, *size), g.dtype)
    if not g.size or not result.size or not height:
        pass
    elif is_depthwise(channels, groups, kernel):
        apart = np.ascontiguousarray(g).reshape(images, groups, height, *out)
        factors = weight.reshape(groups, height, *kernel)
        for at in offsets(kernel):
            factor = factors[(..., *at)].reshape(1, groups, height, *(1 for _ in out))
            target, part = target_of(result, np.add.reduce(apart * factor, axis=2), at, stride, padding, dilation)
            target += part
    elif is_pointwise(kernel, stride, padding):
        left = weight.reshape(groups, height, channels).swapaxes(1, 2)
        right = np.ascontiguousarray(g).reshape(images, groups, height, width)
        np.matmul(left, right, out=result.reshape(images, groups, channels, width))
    else:
        rows = channels * math.prod(kernel)
        left = weight.reshape(groups, height, rows).swapaxes(1, 2)
        memory = np.empty(0, g.dtype)
        for images_ in _blocks(images, rows, width):
            count = images_.stop - images_.start
            if memory.size < rows * count * width:
                memory = np.empty(rows * count * width, g.dtype)
            made = memory[: rows * count * width].reshape(rows, count * width)
            for group in range(groups):
                np.matmul(left[group], _in_columns(g, images_, _of_group(group, height), width), out=made)
                split = np.moveaxis(made.reshape(channels, *kernel, count, *out), 1 + len(kernel), 0)
                fold_into(result[images_, _of_group(group, channels)], split, kernel, stride, padding, dilation)
    if bias is not None:
        result += bias.reshape(-1, *(1 for _ in out))
    return result


def weight_array(g: Array, x: Array, *, stride: Ints, padding: Ints, dilation: Ints, groups: int, size: Ints) -> Array:
    """The cotangent [O, C / groups, *size] of a convolution's weight."""
    images, out, channels = len(x), g.shape[2:], x.shape[1] // groups
    height, width = g.shape[1] // groups, math.prod(out)
    result = np.zeros((g.shape[1], channels, *size), g.dtype)
    if not g.size or not result.size:
        return result
    if is_depthwise(channels, groups, size):
        wide = padded_array(x, padding, ends(out, size, stride, dilation))
        apart = np.ascontiguousarray(g).reshape(images, groups, height, width)
        each = result.reshape(groups, height, *size)
        for at in offsets(size):
            entries = np.ascontiguousarray(entry_of(wide, at, stride, dilation, out)).reshape(images, groups, width)
            each[(..., *at)] = np.einsum("ngho,ngo->gh", apart, entries)
        return result
    if is_pointwise(size, stride, padding) and width >= WIDE:
        right = np.ascontiguousarray(x).reshape(images, groups, channels, width).swapaxes(2, 3)
        left = np.ascontiguousarray(g).reshape(images, groups, height, width)
        np.add.reduce(np.matmul(left, right), axis=0, out=result.reshape(groups, height, channels))
        return result
    columns = _Columns(x, size, stride, padding, dilation, out, groups)
    total = result.reshape(groups, height, columns.rows)
    for part in _blocks(images, columns.rows, width):
        for group in range(groups):
            right = columns.of(part, group)
            total[group] += np.matmul(_in_columns(g, part, _of_group(group, height), width), right.T)
    return result
