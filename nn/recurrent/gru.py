"""The gated recurrent unit: gates reset, update and new, with the reset gate behind the product."""

# Source: Cho et al. 2014; the place of the reset gate is that of cuDNN's.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor.arithmetic import add, mul, sub
from ...tensor.contraction import linear
from ...tensor.joining import chunk
from ...tensor.pointwise import sigmoid, tanh
from ...tensor.tensor import Array
from .recurrence import Arrays, Recurrence, before, order_of
from .sigmoids import into_sigmoid, through_sigmoid, through_tanh

Value = Any


def _step(input: Value, state: Value, weight: Value, bias: Value | None = None) -> tuple[Value, ...]:
    reset, update, new = chunk(input, 3, 1)
    of_reset, of_update, of_new = chunk(linear(state, weight, bias), 3, 1)
    update = sigmoid(add(update, of_update))
    new = tanh(add(new, mul(sigmoid(add(reset, of_reset)), of_new)))
    return (add(mul(sub(state, new), update), new),)


def _forward(operands: Sequence[Array | None], reverse: bool, keeps: bool) -> tuple[Arrays, Arrays]:
    inputs, state, weight, *rest = operands
    assert inputs is not None and state is not None and weight is not None
    bias = rest[0] if rest else None
    steps, batch, width = inputs.shape
    size = width // 3
    rows = steps if keeps else 1
    gates = np.empty((rows, batch, width), inputs.dtype)
    products = np.empty((rows, batch, size), inputs.dtype)
    outputs = np.empty((steps, batch, size), inputs.dtype)
    product = np.empty((batch, width), inputs.dtype)
    turned = np.ascontiguousarray(weight.T)
    for t in order_of(steps, reverse):
        row = t if keeps else 0
        gate, of_new = gates[row], products[row]
        np.matmul(state, turned, out=product)
        if bias is not None:
            product += bias
        of_new[:] = product[:, 2 * size :]
        both = gate[:, : 2 * size]
        np.add(product[:, : 2 * size], inputs[t, :, : 2 * size], out=both)
        into_sigmoid(both)
        new = gate[:, 2 * size :]
        np.multiply(gate[:, :size], of_new, out=new)
        new += inputs[t, :, 2 * size :]
        np.tanh(new, out=new)
        output = outputs[t]
        np.subtract(state, new, out=output)
        output *= gate[:, size : 2 * size]
        output += new
        state = output
    return [outputs, state.copy()], [gates, products] if keeps else []


def _backward(
    gradients: Sequence[Array | None],
    operands: Sequence[Array | None],
    outputs: Array,
    kept: Sequence[Array],
    reverse: bool,
) -> list[Any]:
    inputs, start, weight, *rest = operands
    assert inputs is not None and start is not None and weight is not None
    from_outputs, from_state = gradients
    gates, products = kept
    steps, batch, width = gates.shape
    size = width // 3
    slopes = np.empty_like(gates)
    of_products = np.empty_like(gates)
    earlier = before(outputs, start, reverse)
    state = np.zeros_like(start) if from_state is None else from_state.copy()
    for t in order_of(steps, not reverse):
        if from_outputs is not None:
            state += from_outputs[t]
        reset, update, new = (gates[t, :, k * size : (k + 1) * size] for k in range(3))
        to_reset, to_update, to_new = (slopes[t, :, k * size : (k + 1) * size] for k in range(3))
        np.subtract(earlier[t], new, out=to_update)
        to_update *= state
        through_sigmoid(to_update, update)
        kept_part = state * update
        np.subtract(state, kept_part, out=to_new)
        through_tanh(to_new, new)
        np.multiply(to_new, products[t], out=to_reset)
        through_sigmoid(to_reset, reset)
        of_products[t, :, : 2 * size] = slopes[t, :, : 2 * size]
        np.multiply(to_new, reset, out=of_products[t, :, 2 * size :])
        state = np.matmul(of_products[t], weight)
        state += kept_part
    flat = of_products.reshape(steps * batch, width)
    found = [slopes, state, np.matmul(flat.T, earlier.reshape(steps * batch, size))]
    return [*found, np.add.reduce(flat, axis=0)] if rest else found


GRU_RECURRENCE = Recurrence("GRU", 1, _step, _forward, _backward)
