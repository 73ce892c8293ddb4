"""The logistic function in place, in NumPy."""

from __future__ import annotations

import numpy as np

from ...tensor.tensor import Array


def into_sigmoid(x: Array) -> None:
    """Puts ``1 / (1 + exp(-x))`` in the place of `x`; small values keep all their digits."""
    np.negative(x, out=x)
    np.exp(x, out=x)
    x += 1
    np.reciprocal(x, out=x)


def through_sigmoid(g: Array, y: Array) -> None:
    """Puts ``g * y * (1 - y)`` in the place of `g`: the gradient before a sigmoid that gave `y`."""
    g *= y
    g -= g * y


def through_tanh(g: Array, y: Array) -> None:
    """Puts ``g * (1 - y * y)`` in the place of `g`: the gradient before a tanh that gave `y`."""
    square = y * y
    square *= g
    g -= square
