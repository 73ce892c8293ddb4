"""Jacobians of a function, by differences of its values and by backward passes, whole or along one direction.

A Jacobian is an array [elements of the input, elements of the output], both in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..tensor.dispatch import tensor_of
from ..tensor.tensor import Array, Tensor
from .differentiate import grad

Outputs = Callable[[], Sequence[Tensor]]
"""Calls the function on its inputs, as they are now, and gives its outputs."""


def numerical_jacobians(outputs: Outputs, value: Tensor, eps: float) -> list[Array]:
    """For each output its Jacobian by `value`, by central differences; `value` is as before afterwards."""
    array, columns = value._array, []
    for place in np.ndindex(*array.shape):
        columns.append(_change(outputs, array, place, eps, eps))
    if not columns:
        return [np.zeros((0, each.numel())) for each in outputs()]
    return [np.stack(parts) for parts in zip(*columns)]


def numerical_slopes(outputs: Outputs, value: Tensor, direction: Array, eps: float) -> list[Array]:
    """For each output the change of its elements as `value` moves along `direction`, by central differences."""
    return _change(outputs, value._array, (...,), eps * direction, eps)


def _change(outputs: Outputs, array: Array, place: Any, step: Any, eps: float) -> list[Array]:
    """The central differences of all outputs as ``array[place]`` moves by `step`, divided by ``2 * eps``."""
    before = array[place].copy()
    try:
        array[place] = before + step
        above = _values(outputs)
        array[place] = before - step
        below = _values(outputs)
    finally:
        array[place] = before
    with np.errstate(all="ignore"):
        return [(high - low) / (2 * eps) for high, low in zip(above, below)]


def _values(outputs: Outputs) -> list[Array]:
    return [each._array.astype(np.float64).reshape(-1) for each in outputs()]


def analytical_jacobians(output: Tensor, inputs: Sequence[Tensor]) -> list[Array]:
    """For each input the Jacobian of `output` by it, one backward pass for each element of `output`."""
    rows = [_pulled_back(output, inputs, unit(output, place)) for place in range(output.numel())]
    if not rows:
        return [np.zeros((each.numel(), 0)) for each in inputs]
    return [np.stack(parts, axis=1) for parts in zip(*rows)]


def analytical_slopes(output: Tensor, inputs: Sequence[Tensor], cotangent: Array) -> list[Array]:
    """For each input the gradient of `output`, weighted by `cotangent`."""
    return _pulled_back(output, inputs, cotangent.reshape(output.shape))


def unit(output: Tensor, place: int) -> Array:
    """The weights of the elements of `output` that choose one of them, which is number `place` in row-major order."""
    chosen = np.zeros(output.shape, output._array.dtype)
    chosen.reshape(-1)[place] = 1
    return chosen


def _pulled_back(output: Tensor, inputs: Sequence[Tensor], cotangent: Array) -> list[Array]:
    found = gradients_of([output], inputs, [cotangent])
    return [
        np.zeros(each.numel()) if gradient is None else gradient._array.astype(np.float64).reshape(-1)
        for each, gradient in zip(inputs, found)
    ]


def gradients_of(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], cotangents: Sequence[Array]
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs`, weighted by `cotangents`; None for an input they do not depend on."""
    weights = [tensor_of(each.astype(output._array.dtype), output) for each, output in zip(cotangents, outputs)]
    return grad(outputs, inputs, weights, retain_graph=True, allow_unused=True)
