"""The meaning of ops of windows, element by element, in plain NumPy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def _cells(shape: Any, stride: Any, padding: Any, dilation: Any, kernel: Any, out: Any) -> Any:
    """The entries of windows that lie inside: (place in the window, window, place of the element)."""
    for at in product(*map(range, kernel)):
        for window in product(*map(range, out)):
            place = tuple(
                o * s + k * d - p for o, s, k, d, p in zip(window, stride, at, dilation, padding, strict=True)
            )
            if all(0 <= each < size for each, size in zip(place, shape, strict=True)):
                yield at, window, place


def remembered(x: Array) -> Array:
    return x


def patches(x: Array, *, kernel: Any, stride: Any, padding: Any, dilation: Any, out: Any) -> Array:
    found = np.zeros((*x.shape[:2], *kernel, *out))
    for at, window, place in _cells(x.shape[2:], stride, padding, dilation, kernel, out):
        found[(..., *at, *window)] = x[(..., *place)]
    return found


def fold(x: Array, *, stride: Any, padding: Any, dilation: Any, size: Any) -> Array:
    rank = len(size)
    found = np.zeros((*x.shape[:2], *size))
    for at, window, place in _cells(size, stride, padding, dilation, x.shape[2 : 2 + rank], x.shape[2 + rank :]):
        found[(..., *place)] += x[(..., *at, *window)]
    return found


def window_sum(x: Array, **attrs: Any) -> Array:
    return patches(x, **attrs).sum(tuple(range(2, x.ndim)))


def convolution(
    x: Array, weight: Array, bias: Any = None, *, stride: Any, padding: Any, dilation: Any, groups: int
) -> Array:
    kernel = weight.shape[2:]
    every = zip(x.shape[2:], kernel, stride, padding, dilation, strict=True)
    out = tuple((size + 2 * p - d * (k - 1) - 1) // s + 1 for size, k, s, p, d in every)
    found = np.zeros((len(x), len(weight), *out))
    height, width = len(weight) // groups, weight.shape[1]
    for row in range(len(weight)):
        first = row // height * width
        for at, window, place in _cells(x.shape[2:], stride, padding, dilation, kernel, out):
            found[(slice(None), row, *window)] += (
                x[(slice(None), slice(first, first + width), *place)] @ weight[(row, slice(None), *at)]
            )
    return found if bias is None else found + bias.reshape(-1, *(1 for _ in out))


def convolution_input(
    g: Array, weight: Array, bias: Any = None, *, stride: Any, padding: Any, dilation: Any, groups: int, size: Any
) -> Array:
    height, width = len(weight) // groups, weight.shape[1]
    found = np.zeros((len(g), width * groups, *size))
    for row in range(len(weight)):
        first = row // height * width
        for at, window, place in _cells(size, stride, padding, dilation, weight.shape[2:], g.shape[2:]):
            found[(slice(None), slice(first, first + width), *place)] += np.outer(
                g[(slice(None), row, *window)], weight[(row, slice(None), *at)]
            )
    return found if bias is None else found + bias.reshape(-1, *(1 for _ in size))


def convolution_weight(
    g: Array, x: Array, *, stride: Any, padding: Any, dilation: Any, groups: int, size: Any
) -> Array:
    height, width = g.shape[1] // groups, x.shape[1] // groups
    found = np.zeros((g.shape[1], width, *size))
    for row in range(g.shape[1]):
        first = row // height * width
        for at, window, place in _cells(x.shape[2:], stride, padding, dilation, size, g.shape[2:]):
            found[(row, slice(None), *at)] += (
                g[(slice(None), row, *window)] @ x[(slice(None), slice(first, first + width), *place)]
            )
    return found


MEANINGS = {
    each.__name__: each for each in (patches, fold, window_sum, convolution, convolution_input, convolution_weight)
}


def place_of_max(x: Array, *, out: Any, kernel: Any, **attrs: Any) -> Array:
    found = np.full((*x.shape[:2], *out), -1)
    largest = np.full(found.shape, -np.inf)
    for at, window, place in _cells(x.shape[2:], kernel=kernel, out=out, **attrs):
        entry, here = x[(..., *place)], (..., *window)
        better = (found[here] < 0) | (entry > largest[here]) | np.isnan(entry)
        found[here] = np.where(better, np.ravel_multi_index(at, kernel), found[here])
        largest[here] = np.where(better, entry, largest[here])
    return found


def max_pool(x: Array, *, out: Any, kernel: Any, **attrs: Any) -> Array:
    return max_pool_pick(x, x, out=out, kernel=kernel, **attrs)


def max_pool_pick(h: Array, x: Array, *, out: Any, kernel: Any, **attrs: Any) -> Array:
    places = place_of_max(x, out=out, kernel=kernel, **attrs)
    found = np.zeros(places.shape)
    for at, window, place in _cells(x.shape[2:], kernel=kernel, out=out, **attrs):
        here = (..., *window)
        found[here] = np.where(places[here] == np.ravel_multi_index(at, kernel), h[(..., *place)], found[here])
    return found


def max_pool_input(g: Array, x: Array, largest: Array, *, out: Any, kernel: Any, **attrs: Any) -> Array:
    places = place_of_max(x, out=out, kernel=kernel, **attrs)
    found = np.zeros(x.shape)
    for at, window, place in _cells(x.shape[2:], kernel=kernel, out=out, **attrs):
        here = (..., *window)
        found[(..., *place)] += np.where(places[here] == np.ravel_multi_index(at, kernel), g[here], 0.0)
    return found


MEANINGS |= {each.__name__: each for each in (remembered, place_of_max, max_pool, max_pool_pick, max_pool_input)}
