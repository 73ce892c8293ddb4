"""The plain recurrent network: a linear map of the last state beside that of the input, and a nonlinearity."""

# Source: Elman 1990.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...tensor.arithmetic import add
from ...tensor.contraction import linear
from ...tensor.pointwise import relu, tanh
from ...tensor.tensor import Array
from .recurrence import Arrays, Recurrence, before, gradient_of_weight, order_of
from .sigmoids import through_tanh

Value = Any
_Bend = Callable[[Array], None]


def _into_tanh(x: Array) -> None:
    np.tanh(x, out=x)


def _into_relu(x: Array) -> None:
    np.maximum(x, 0, out=x)


def _through_relu(g: Array, y: Array) -> None:
    np.copyto(g, 0, where=y <= 0)


def _elman(
    name: str, bend: Callable[[Value], Value], into: _Bend, through: Callable[[Array, Array], None]
) -> Recurrence:
    def step(input: Value, state: Value, weight: Value) -> tuple[Value, ...]:
        return (bend(add(input, linear(state, weight))),)

    def forward(operands: Sequence[Array | None], reverse: bool, keeps: bool) -> tuple[Arrays, Arrays]:
        inputs, state, weight = operands
        assert inputs is not None and state is not None and weight is not None
        outputs = np.empty((*inputs.shape[:2], state.shape[1]), inputs.dtype)
        turned = np.ascontiguousarray(weight.T)
        for t in order_of(len(inputs), reverse):
            np.matmul(state, turned, out=outputs[t])
            state = outputs[t]
            state += inputs[t]
            into(state)
        return [outputs, state.copy()], []

    def backward(
        gradients: Sequence[Array | None],
        operands: Sequence[Array | None],
        outputs: Array,
        kept: Sequence[Array],
        reverse: bool,
    ) -> list[Any]:
        _, start, weight = operands
        assert start is not None and weight is not None
        from_outputs, from_state = gradients
        slopes = np.empty_like(outputs)
        state = np.zeros_like(start) if from_state is None else from_state
        for t in order_of(len(outputs), not reverse):
            slope = slopes[t]
            slope[...] = state
            if from_outputs is not None:
                slope += from_outputs[t]
            through(slope, outputs[t])
            state = np.matmul(slope, weight)
        return [slopes, state, gradient_of_weight(slopes, before(outputs, start, reverse))]

    return Recurrence(name, 1, step, forward, backward)


TANH_RECURRENCE = _elman("RNN_TANH", tanh, _into_tanh, through_tanh)
RELU_RECURRENCE = _elman("RNN_RELU", relu, _into_relu, _through_relu)
