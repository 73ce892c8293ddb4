"""The windows of a few images as columns of a matrix, in memory that is used again."""

# Note [Columns in one piece]
# With strides of 1 the next window begins one element further, also from row to row, if the windows across the end of
# a row are taken as well: what an entry contributes to all of them follows one another in memory, and is copied and
# added as one piece. There are a few columns too many then, whose results are dropped, or whose factors are zeros.

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.strided import strided
from ..core.types import contiguous_strides
from .registry import Array
from .shape_gradients import Ints
from .window_places import WindowGrid, fold_into, padded_array, windows_of

MOST_WASTE = 1.35
"""Columns at most, in parts of those that are needed, for which columns in one piece are worth it."""


def _wide_sizes(sizes: Ints, padding: Ints, reach: Ints) -> Ints:
    return tuple(max(p + size, r) for size, p, r in zip(sizes, padding, reach, strict=True))


class WindowColumns:
    """Windows [C / groups * K, out] of images [N, C, *size], for a few images and one group at a time."""

    def __init__(self, size: Ints, places: WindowGrid, in_pieces: bool = True) -> None:
        self.size, self.places, out = size, places, places.out
        self.wide = _wide_sizes(size, places.padding, places.reach)
        self.steps = contiguous_strides(self.wide)
        span = sum((count - 1) * step for count, step in zip(out, self.steps, strict=True)) + 1
        whole = math.prod(out)
        flat = in_pieces and len(out) > 1 and all(each == 1 for each in places.stride) and span <= MOST_WASTE * whole
        self.in_one_piece = flat
        self.span = span if flat else whole
        """Columns of an image."""
        self._memory: dict[str, Array] = {}

    def _held(self, name: str, shape: Ints, dtype: Any, zeros: bool = False) -> Array:
        size = math.prod(shape)
        memory = self._memory.get(name)
        if memory is None or memory.size < size:
            memory = self._memory[name] = np.zeros(size, dtype) if zeros else np.empty(size, dtype)
        return memory[:size].reshape(shape)

    def begin(self, x: Array, groups: int) -> None:
        """Takes the images [N, C, *size] whose windows are asked for."""
        wide = padded_array(x, self.places)
        if not self.in_one_piece:
            view = windows_of(wide, self.places)
        else:
            wide = np.ascontiguousarray(wide)
            item = wide.itemsize
            inner = (d * step * item for d, step in zip(self.places.dilation, self.steps, strict=True))
            shape = (*wide.shape[:2], *self.places.kernel, self.span)
            view = strided(wide, shape, (*wide.strides[:2], *inner, item), writeable=False)
        shape = (len(x), groups, x.shape[1] // groups, *view.shape[2:])
        self._windows = view.reshape(shape) if groups > 1 else view[:, None]

    def windows(self, images: slice, group: int) -> Array:
        """[C / groups * K, images * span]: the columns of some images and one group, until it is called again."""
        count = images.stop - images.start
        inner = self._windows.shape[2:]
        lead = 1 + len(self.places.kernel)
        made = self._held("windows", (*inner[:lead], count, *inner[lead:]), self._windows.dtype)
        np.moveaxis(made, lead, 0)[...] = self._windows[images, group]
        return made.reshape(math.prod(inner[:lead]), count * self.span)

    def inside(self, columns: Array) -> Array:
        """A view [rows, images, *out] of those columns [rows, images * span] that are windows."""
        apart = columns.reshape(len(columns), -1, self.span)
        if not self.in_one_piece:
            return apart.reshape(*apart.shape[:2], *self.places.out)
        strides = (*apart.strides[:2], *(step * apart.itemsize for step in self.steps))
        return strided(apart, (*apart.shape[:2], *self.places.out), strides)

    def spread(self, g: Array, images: slice, channels: slice) -> Array:
        """[channels, images * span]: a cotangent [N, O, *out] of some images and channels as columns."""
        part = g[images, channels]
        count, height = part.shape[:2]
        if count == 1 and not self.in_one_piece:
            return np.ascontiguousarray(part).reshape(height, self.span)
        made = self._held("spread", (height, count * self.span), g.dtype, zeros=True)
        self.inside(made)[...] = part.swapaxes(0, 1)
        return made

    def product(self, name: str, left: Array, right: Array) -> Array:
        """``left @ right`` in memory that is used again."""
        made = self._held(name, (len(left), right.shape[1]), right.dtype)
        return np.matmul(left, right, out=made)

    def fold(self, result: Array, columns: Array) -> None:
        """Adds columns [C * K, images * span] to images [N, C, *size]."""
        count, channels = result.shape[:2]
        if not self.in_one_piece:
            apart = columns.reshape(channels, *self.places.kernel, count, *self.places.out)
            split = np.moveaxis(apart, 1 + len(self.places.kernel), 0)
            fold_into(result, split, self.places)
            return
        apart = columns.reshape(channels, *self.places.kernel, count, self.span)
        wide = self._held("wide", (channels, count, math.prod(self.wide)), result.dtype)
        wide[...] = 0
        for at in self.places.entries:
            start = sum(k * d * step for k, d, step in zip(at, self.places.dilation, self.steps, strict=True))
            entry: Any = (slice(None), *at)
            target = wide[..., start : start + self.span]
            target += apart[entry]
        every = zip(self.places.padding, self.size, strict=True)
        index: Any = (..., *(slice(p, p + size) for p, size in every))
        result += wide.reshape(channels, count, *self.wide)[index].swapaxes(0, 1)


def blocks(images: int, step: int) -> Iterator[slice]:
    """Slices of so many images."""
    return (slice(k, min(k + step, images)) for k in range(0, images, step))
