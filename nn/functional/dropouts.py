"""Dropout as functions: elements, or whole channels, set to 0 at random in training, the others scaled up.

Alpha dropout sets them to the value at which SELU saturates instead, and keeps mean and variance.
Source: Klambauer, Unterthiner, Mayr & Hochreiter 2017, Self-Normalizing Neural Networks.
"""

from __future__ import annotations

import math
from typing import Any

from ...tensor.arithmetic import add, add_, div, mul, mul_, sub
from ...tensor.pointwise import lt
from ...tensor.promotion import to_dtype
from ...tensor.random import rand
from ...tensor.surface import surface

Value = Any
SATURATED = -1.7580993408473766
"""The value that SELU tends to for large negative numbers."""


def _check(p: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _kept(input: Value, p: float, shape: tuple[Any, ...]) -> Value:
    """Ones with probability ``1 - p`` and zeros, of the dtype of `input`."""
    return to_dtype(lt(rand(shape, dtype=input.dtype, device=input.device), 1 - p), input.dtype)


def _dropped(input: Value, p: float, training: bool, inplace: bool, shape: tuple[Any, ...]) -> Value:
    """`input` times 0 with probability `p`, times ``1 / (1 - p)`` otherwise; one decision for each place of `shape`."""
    _check(p)
    if not training or p == 0 or not input.numel():
        return input
    if p == 1:
        return mul_(input, 0.0) if inplace else mul(input, 0.0)
    noise = div(_kept(input, p, shape), 1 - p)
    return mul_(input, noise) if inplace else mul(input, noise)


@surface
def dropout(input: Value, p: float = 0.5, training: bool = True, inplace: bool = False) -> Value:
    """`input`, of which each element is 0 with probability `p` in training, and else divided by ``1 - p``.

    Which ones is drawn from the default generator. Errors: ValueError for a probability out of range.
    """
    return _dropped(input, p, training, inplace, tuple(input.shape))


def _of_channels(name: str, rank: int) -> Any:
    def function(input: Value, p: float = 0.5, training: bool = True, inplace: bool = False) -> Value:
        whole = input.ndim == rank + 2
        channels = tuple(input.shape[: 2 if whole else 1])
        return _dropped(input, p, training, inplace, (*channels, *(1 for _ in range(input.ndim - len(channels)))))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`input`, of which each channel is 0 with probability `p`, or divided by ``1 - p``.

    Shapes: [N, C, *] or [C, *], with {rank} axes in the place of the star.
    """
    return surface(function)


dropout1d = _of_channels("dropout1d", 1)
dropout2d = _of_channels("dropout2d", 2)
dropout3d = _of_channels("dropout3d", 3)


def _saturated(input: Value, p: float, training: bool, inplace: bool, shape: tuple[Any, ...]) -> Value:
    """`input` scaled and shifted, `SATURATED` in its place with probability `p`; one decision for each of `shape`."""
    _check(p)
    if not training or p == 0 or not input.numel():
        return input
    if p == 1:
        return mul_(input, 0.0) if inplace else mul(input, 0.0)
    kept = _kept(input, p, shape)
    scale = 1 / math.sqrt((SATURATED * SATURATED * p + 1) * (1 - p))
    shift = add(mul(sub(kept, 1), -SATURATED * scale), -SATURATED * scale * p)
    noise = mul(kept, scale)
    return add_(mul_(input, noise), shift) if inplace else add(mul(input, noise), shift)


@surface
def alpha_dropout(input: Value, p: float = 0.5, training: bool = False, inplace: bool = False) -> Value:
    """`input`, of which each element is set to what SELU saturates at with probability `p`, mean and variance kept.

    All is scaled and shifted, so that an input of mean 0 and variance 1 gives a result of mean 0 and variance 1. It is
    drawn from the default generator.
    Shapes: any; the result has the shape and the dtype of `input`, which is a float.
    Errors: ValueError for a probability out of range.
    """
    return _saturated(input, p, training, inplace, tuple(input.shape))


@surface
def feature_alpha_dropout(input: Value, p: float = 0.5, training: bool = False, inplace: bool = False) -> Value:
    """`input`, of which each channel is set to what SELU saturates at with probability `p`, mean and variance kept.

    Shapes: [N, C, *]; the result has the shape and the dtype of `input`, which is a float.
    Errors: ValueError for a probability out of range; RuntimeError for fewer than two axes, in training.
    """
    if training and 0 < p < 1 and input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    return _saturated(input, p, training, inplace, (*input.shape[:2], *(1 for _ in input.shape[2:])))
