"""Sigmoids and their slopes: in place in NumPy, and over an emitter."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.emitter import Emitter
from ...tensor.tensor import Array

Value = Any


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


# Over an emitter.


def before_sigmoid(f: Emitter, g: Value, y: Value) -> Value:
    """The gradient before a sigmoid that gave `y`."""
    return f.multiply(f.multiply(g, y), f.subtract(1.0, y))


def before_tanh(f: Emitter, g: Value, y: Value) -> Value:
    """The gradient before a tanh that gave `y`."""
    return f.multiply(g, f.subtract(1.0, f.multiply(y, y)))


def gates_of(f: Emitter, x: Value, count: int) -> list[Value]:
    """The parts of rows [batch, count * size], each [batch, size]."""
    batch, width = f.shape(x)
    size = width // count
    return [f.slice(x, starts=(0, k * size), sizes=(batch, size), steps=(1, 1)) for k in range(count)]
