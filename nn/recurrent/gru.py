"""The gated recurrent unit: gates reset, update and new, with the reset gate behind the product."""

# Source: Cho et al. 2014; the place of the reset gate is that of cuDNN's.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.emitter import Emitter
from ...tensor.arithmetic import add, mul, sub
from ...tensor.contraction import linear
from ...tensor.host_kernels import formula_call
from ...tensor.joining import chunk
from ...tensor.pointwise import sigmoid, tanh
from ...tensor.tensor import Array
from .recurrence import Arrays, Recurrence, before, gradient_of_weight, order_of
from .sigmoids import before_sigmoid, before_tanh, gates_of, into_sigmoid, through_sigmoid, through_tanh

Value = Any


def _step(input: Value, state: Value, weight: Value, bias: Value | None = None) -> tuple[Value, ...]:
    reset, update, new = chunk(input, 3, 1)
    of_reset, of_update, of_new = chunk(linear(state, weight, bias), 3, 1)
    update = sigmoid(add(update, of_update))
    new = tanh(add(new, mul(sigmoid(add(reset, of_reset)), of_new)))
    return (add(mul(sub(state, new), update), new),)


# One step forwards and one backwards, over an emitter; the first values are those of the arrays that are written.
def _unit(f: Emitter, *given: Value) -> tuple[Value, ...]:
    state, weight, input, *bias = given[5:]
    product = f.matmul(state, weight)
    if bias:
        product = f.add(product, f.reshape(bias[0], shape=(1, f.shape(product)[1])))
    of_reset, of_update, of_new = gates_of(f, product, 3)
    reset, update, new = gates_of(f, input, 3)
    reset, update = f.sigmoid(f.add(of_reset, reset)), f.sigmoid(f.add(of_update, update))
    new = f.tanh(f.add(f.multiply(reset, of_new), new))
    return reset, update, new, of_new, f.add(f.multiply(f.subtract(state, new), update), new)


def _unit_slopes(f: Emitter, _slopes: Value, _of_products: Value, _before: Value, *given: Value) -> tuple[Value, ...]:
    state, weight, earlier, reset, update, new, of_new, *more = given
    if more:
        state = f.add(state, more[0])
    kept = f.multiply(state, update)
    to_update = before_sigmoid(f, f.multiply(f.subtract(earlier, new), state), update)
    to_new = before_tanh(f, f.subtract(state, kept), new)
    to_reset = before_sigmoid(f, f.multiply(to_new, of_new), reset)
    slopes = f.cat(to_reset, to_update, to_new, axis=1)
    of_products = f.cat(to_reset, to_update, f.multiply(to_new, reset), axis=1)
    return slopes, of_products, f.add(f.matmul(of_products, weight), kept)


def _forward(operands: Sequence[Array | None], reverse: bool, keeps: bool) -> tuple[Arrays, Arrays]:
    inputs, state, weight, *rest = operands
    assert inputs is not None and state is not None and weight is not None
    bias = rest[0] if rest else None
    steps, batch, width = inputs.shape
    size = width // 3
    rows = steps if keeps else 1
    gates = np.empty((3, rows, batch, size), inputs.dtype)
    products = np.empty((rows, batch, size), inputs.dtype)
    outputs = np.empty((steps, batch, size), inputs.dtype)
    turned, state = np.ascontiguousarray(weight.T), np.ascontiguousarray(state)
    by_kernel = None
    for t in order_of(steps, reverse):
        row = t if keeps else 0
        targets = (*gates[:, row], products[row], outputs[t])
        given = (state, turned, inputs[t]) if bias is None else (state, turned, inputs[t], bias)
        by_kernel = by_kernel or formula_call(_unit, targets, given, steps)
        if by_kernel((*targets, *given)) is NotImplemented:
            _unit_in_numpy(targets, *given)
        state = outputs[t]
    return [outputs, state.copy()], [gates, products] if keeps else []


def _unit_in_numpy(
    targets: Sequence[Array], state: Array, weight: Array, input: Array, bias: Array | None = None
) -> None:
    reset, update, new, of_new, output = targets
    product = np.matmul(state, weight)
    size = output.shape[1]
    if bias is not None:
        product += bias
    of_new[...] = product[:, 2 * size :]
    for k, gate in enumerate((reset, update)):
        np.add(product[:, k * size : (k + 1) * size], input[:, k * size : (k + 1) * size], out=gate)
        into_sigmoid(gate)
    np.multiply(reset, of_new, out=new)
    new += input[:, 2 * size :]
    np.tanh(new, out=new)
    np.subtract(state, new, out=output)
    output *= update
    output += new


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
    _, steps, batch, size = gates.shape
    width = 3 * size
    slopes = np.empty((steps, batch, width), gates.dtype)
    of_products = np.empty_like(slopes)
    befores = [np.empty(start.shape, start.dtype) for _ in range(2)]  # a step writes one, and reads the other
    earlier, matrix = before(outputs, start, reverse), np.ascontiguousarray(weight)
    state = np.zeros(start.shape, start.dtype) if from_state is None else from_state.copy()
    by_kernel = None
    for t in order_of(steps, not reverse):
        arriving = () if from_outputs is None else (from_outputs[t],)
        targets = (slopes[t], of_products[t], befores[t & 1])
        given = (state, matrix, earlier[t], *gates[:, t], products[t], *arriving)
        by_kernel = by_kernel or formula_call(_unit_slopes, targets, given, steps)
        if by_kernel((*targets, *given)) is NotImplemented:
            _unit_slopes_in_numpy(*targets, *given)
        state = befores[t & 1]
    found = [slopes, state, gradient_of_weight(of_products, earlier)]
    return [*found, np.add.reduce(of_products, axis=(0, 1))] if rest else found


def _unit_slopes_in_numpy(slopes: Array, of_products: Array, before: Array, state: Array, *given: Array) -> None:
    weight, earlier, reset, update, new, of_new, *arriving = given
    size = before.shape[1]
    to_reset, to_update, to_new = (slopes[:, k * size : (k + 1) * size] for k in range(3))
    if arriving:
        state = state + arriving[0]
    np.subtract(earlier, new, out=to_update)
    to_update *= state
    through_sigmoid(to_update, update)
    kept = state * update
    np.subtract(state, kept, out=to_new)
    through_tanh(to_new, new)
    np.multiply(to_new, of_new, out=to_reset)
    through_sigmoid(to_reset, reset)
    of_products[:, : 2 * size] = slopes[:, : 2 * size]
    np.multiply(to_new, reset, out=of_products[:, 2 * size :])
    np.matmul(of_products, weight, out=before)
    before += kept


GRU_RECURRENCE = Recurrence("GRU", 1, _step, _forward, _backward)
