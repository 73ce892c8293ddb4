"""The same steps as `formulas`, on NumPy arrays and in place: eager training spends its time here.

The arithmetic and its order are those of `formulas` (a test holds the two against each other, bit for bit); what is
added is memory: nothing is allocated, and long arrays are walked in blocks that stay in the cache.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from .formulas import is_nearer_to_new

Array = np.ndarray[Any, Any]

BLOCK = 1 << 15
"""Units: elements. Five float32 blocks of this length are 640 kB, within the second-level cache of most cores."""


class _Scratch(threading.local):
    """Two work arrays of `BLOCK` elements for each dtype, one pair a thread."""

    def __init__(self) -> None:
        self.pairs: dict[Any, tuple[Array, Array]] = {}

    def pair(self, dtype: np.dtype[Any]) -> tuple[Array, Array]:
        found = self.pairs.get(dtype)
        if found is None:
            found = self.pairs[dtype] = (np.empty(BLOCK, dtype), np.empty(BLOCK, dtype))
        return found


_SCRATCH = _Scratch()


def _blocks(*arrays: Array) -> Iterator[tuple[Array, ...]]:
    """The arrays (of one shape) piece by piece, each tuple followed by two scratch arrays of its shape and dtype."""
    first = arrays[0]
    for array in arrays:
        if not array.flags.c_contiguous:
            yield (*arrays, np.empty_like(first), np.empty_like(first))
            return
    one, two = _SCRATCH.pair(first.dtype)
    size = first.size
    if size <= BLOCK:
        shape = first.shape
        yield (*arrays, one[:size].reshape(shape), two[:size].reshape(shape))
        return
    flat = [array.reshape(-1) for array in arrays]
    for start in range(0, size, BLOCK):
        stop = min(start + BLOCK, size)
        yield (*[array[start:stop] for array in flat], one[: stop - start], two[: stop - start])


def adam_update_(
    param: Array,
    grad: Array,
    exp_avg: Array,
    exp_avg_sq: Array,
    max_exp_avg_sq: Array | None,
    bias1: float,
    sqrt_bias2: float,
    *,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    weight_decay: float,
    decoupled: bool,
    maximize: bool,
) -> None:
    """Updates everything but grad in place by one step of Adam; see `formulas.adam_update`."""
    rate = -(lr / bias1)
    kept = 1.0 - lr * weight_decay
    old_weight, new_weight = 1.0 - (1.0 - beta1), 1.0 - beta1
    arrays = (param, grad, exp_avg, exp_avg_sq)
    if max_exp_avg_sq is not None:
        arrays = (*arrays, max_exp_avg_sq)  # type: ignore[assignment]
    for p, g, m, v, *largest, s, t in _blocks(*arrays):
        if maximize:
            g = np.negative(g, out=t)
        if weight_decay != 0:
            if decoupled:
                np.multiply(p, kept, out=p)
            else:
                np.multiply(p, weight_decay, out=s)
                g = np.add(s, g, out=t)
        np.subtract(g, m, out=s)
        if is_nearer_to_new(beta1):
            np.multiply(s, old_weight, out=s)
            np.subtract(g, s, out=m)
        else:
            np.multiply(s, new_weight, out=s)
            np.add(m, s, out=m)
        np.multiply(g, 1.0 - beta2, out=s)
        np.multiply(s, g, out=s)
        np.multiply(v, beta2, out=v)
        np.add(v, s, out=v)
        if largest:
            v = np.maximum(largest[0], v, out=largest[0])
        np.sqrt(v, out=s)
        np.divide(s, sqrt_bias2, out=s)
        np.add(s, eps, out=s)
        np.multiply(m, rate, out=t)
        np.divide(t, s, out=t)
        np.add(p, t, out=p)


def sgd_update_(
    param: Array,
    grad: Array,
    momentum_buffer: Array | None,
    *,
    lr: float,
    momentum: float,
    dampening: float,
    weight_decay: float,
    nesterov: bool,
    maximize: bool,
) -> Array | None:
    """Updates param and the buffer in place by one step of SGD; gives the buffer, a new one at the first step."""
    first = momentum != 0 and momentum_buffer is None
    if first:
        momentum_buffer = np.empty_like(grad)
    arrays = (param, grad) if momentum_buffer is None or momentum == 0 else (param, grad, momentum_buffer)
    for p, g, *buffer, s, t in _blocks(*arrays):
        if maximize:
            g = np.negative(g, out=t)
        if weight_decay != 0:
            np.multiply(p, weight_decay, out=s)
            g = np.add(s, g, out=t)
        if buffer:
            b = buffer[0]
            if first:
                b[...] = g
            else:
                np.multiply(g, 1.0 - dampening, out=s)
                np.multiply(b, momentum, out=b)
                np.add(b, s, out=b)
            if nesterov:
                np.multiply(b, momentum, out=s)
                g = np.add(s, g, out=t)
            else:
                g = b
        np.multiply(g, -lr, out=s)
        np.add(p, s, out=p)
    return momentum_buffer if momentum != 0 else None
