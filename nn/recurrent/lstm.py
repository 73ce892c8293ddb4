"""The long short-term memory: gates enter, forget, new and out, a cell, and an output that may be projected."""

# Source: Hochreiter & Schmidhuber 1997; Gers, Schmidhuber & Cummins 2000 (forget gates); Sak et al. 2014 (projection).

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...tensor.arithmetic import add, mul
from ...tensor.contraction import linear
from ...tensor.joining import chunk
from ...tensor.pointwise import sigmoid, tanh
from ...tensor.tensor import Array
from .recurrence import Arrays, Recurrence, before, order_of
from .sigmoids import into_sigmoid, through_sigmoid, through_tanh

Value = Any


def _step(input: Value, state: Value, cell: Value, weight: Value, projection: Value | None = None) -> tuple[Value, ...]:
    enter, forget, new, out = chunk(add(input, linear(state, weight)), 4, 1)
    cell = add(mul(sigmoid(forget), cell), mul(sigmoid(enter), tanh(new)))
    state = mul(sigmoid(out), tanh(cell))
    return (state if projection is None else linear(state, projection)), cell


def _forward(operands: Sequence[Array | None], reverse: bool, keeps: bool) -> tuple[Arrays, Arrays]:
    inputs, state, cell, weight, *rest = operands
    assert inputs is not None and state is not None and cell is not None and weight is not None
    projection = rest[0] if rest else None
    steps, batch, width = inputs.shape
    size = width // 4
    rows = steps if keeps else 1
    gates = np.empty((rows, batch, width), inputs.dtype)
    cells = np.empty((rows, batch, size), inputs.dtype)
    bent = np.empty((rows, batch, size), inputs.dtype)
    outputs = np.empty((steps, batch, state.shape[1]), inputs.dtype)
    turned = np.ascontiguousarray(weight.T)
    for t in order_of(steps, reverse):
        row = t if keeps else 0
        gate, held, shown = gates[row], cells[row], bent[row]
        np.matmul(state, turned, out=gate)
        gate += inputs[t]
        into_sigmoid(gate[:, : 2 * size])
        into_sigmoid(gate[:, 3 * size :])
        new = gate[:, 2 * size : 3 * size]
        np.tanh(new, out=new)
        np.multiply(gate[:, size : 2 * size], cell, out=held)
        held += gate[:, :size] * new
        np.tanh(held, out=shown)
        cell, state = held, outputs[t]
        if projection is None:
            np.multiply(gate[:, 3 * size :], shown, out=state)
        else:
            np.matmul(gate[:, 3 * size :] * shown, projection.T, out=state)
    return [outputs, state.copy(), cell.copy()], [gates, cells, bent] if keeps else []


def _backward(
    gradients: Sequence[Array | None],
    operands: Sequence[Array | None],
    outputs: Array,
    kept: Sequence[Array],
    reverse: bool,
) -> list[Any]:
    inputs, start, first_cell, weight, *rest = operands
    assert inputs is not None and start is not None and first_cell is not None and weight is not None
    projection = rest[0] if rest else None
    from_outputs, from_state, from_cell = gradients
    gates, cells, bent = kept
    steps, batch, width = gates.shape
    size = width // 4
    slopes = np.empty_like(gates)
    shown = np.empty_like(outputs) if projection is not None else None
    state = np.zeros_like(start) if from_state is None else from_state.copy()
    cell = np.zeros_like(first_cell) if from_cell is None else from_cell.copy()
    order = order_of(steps, not reverse)
    for t in order:
        if from_outputs is not None:
            state += from_outputs[t]
        enter, forget, new, out = (gates[t, :, k * size : (k + 1) * size] for k in range(4))
        to_enter, to_forget, to_new, to_out = (slopes[t, :, k * size : (k + 1) * size] for k in range(4))
        if shown is not None and projection is not None:
            shown[t] = state
            state = np.matmul(state, projection)
        np.multiply(state, bent[t], out=to_out)
        state *= out
        through_tanh(state, bent[t])
        cell += state
        earlier = t + 1 if reverse else t - 1
        np.multiply(cell, new, out=to_enter)
        np.multiply(cell, cells[earlier] if 0 <= earlier < steps else first_cell, out=to_forget)
        np.multiply(cell, enter, out=to_new)
        through_sigmoid(slopes[t, :, : 2 * size], gates[t, :, : 2 * size])
        through_sigmoid(to_out, out)
        through_tanh(to_new, new)
        cell *= forget
        state = np.matmul(slopes[t], weight)
    flat = slopes.reshape(steps * batch, width)
    found = [slopes, state, cell, np.matmul(flat.T, before(outputs, start, reverse).reshape(steps * batch, -1))]
    if shown is not None:
        hidden = (gates[:, :, 3 * size :] * bent).reshape(steps * batch, size)
        found.append(np.matmul(shown.reshape(steps * batch, -1).T, hidden))
    return found


LSTM_RECURRENCE = Recurrence("LSTM", 2, _step, _forward, _backward)
