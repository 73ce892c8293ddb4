"""The long short-term memory: gates enter, forget, new and out, a cell, and an output that may be projected."""

# Source: Hochreiter & Schmidhuber 1997; Gers, Schmidhuber & Cummins 2000 (forget gates); Sak et al. 2014 (projection).

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.emitter import Emitter
from ...tensor.arithmetic import add, mul
from ...tensor.contraction import linear
from ...tensor.host_kernels import formula_call
from ...tensor.joining import chunk
from ...tensor.pointwise import sigmoid, tanh
from ...tensor.tensor import Array
from .recurrence import Arrays, Recurrence, before, gradient_of_weight, order_of
from .sigmoids import before_sigmoid, before_tanh, gates_of, into_sigmoid, through_sigmoid, through_tanh

Value = Any


def _step(input: Value, state: Value, cell: Value, weight: Value, projection: Value | None = None) -> tuple[Value, ...]:
    enter, forget, new, out = chunk(add(input, linear(state, weight)), 4, 1)
    cell = add(mul(sigmoid(forget), cell), mul(sigmoid(enter), tanh(new)))
    state = mul(sigmoid(out), tanh(cell))
    return (state if projection is None else linear(state, projection)), cell


# One step forwards and one backwards, over an emitter; the first values are those of the arrays that are written.
def _cell(f: Emitter, *given: Value) -> tuple[Value, ...]:
    state, weight, input, cell = given[7:]
    enter, forget, new, out = gates_of(f, f.add(f.matmul(state, weight), input), 4)
    enter, forget, out, new = f.sigmoid(enter), f.sigmoid(forget), f.sigmoid(out), f.tanh(new)
    held = f.add(f.multiply(forget, cell), f.multiply(enter, new))
    shown = f.tanh(held)
    return enter, forget, new, out, held, shown, f.multiply(out, shown)


def _cell_slopes(f: Emitter, _slopes: Value, cell: Value, _before: Value, *given: Value) -> tuple[Value, ...]:
    state, weight, enter, forget, new, out, shown, earlier, *more = given
    if more:
        state = f.add(state, more[0])
    cell = f.add(cell, before_tanh(f, f.multiply(state, out), shown))
    slopes = f.cat(
        before_sigmoid(f, f.multiply(cell, new), enter),
        before_sigmoid(f, f.multiply(cell, earlier), forget),
        before_tanh(f, f.multiply(cell, enter), new),
        before_sigmoid(f, f.multiply(state, shown), out),
        axis=1,
    )
    return slopes, f.multiply(cell, forget), f.matmul(slopes, weight)


def _forward(operands: Sequence[Array | None], reverse: bool, keeps: bool) -> tuple[Arrays, Arrays]:
    inputs, state, cell, weight, *rest = operands
    assert inputs is not None and state is not None and cell is not None and weight is not None
    projection = rest[0] if rest else None
    steps, batch, width = inputs.shape
    size = width // 4
    rows = steps if keeps else 2  # a step reads the cell before it
    gates = np.empty((4, rows, batch, size), inputs.dtype)
    cells = np.empty((rows, batch, size), inputs.dtype)
    bent = np.empty((rows, batch, size), inputs.dtype)
    outputs = np.empty((steps, batch, state.shape[1]), inputs.dtype)
    hidden = None if projection is None else np.empty((batch, size), inputs.dtype)
    turned, state, cell = (np.ascontiguousarray(each) for each in (weight.T, state, cell))
    by_kernel = None
    for t in order_of(steps, reverse):
        row = t if keeps else t & 1
        given = state, turned, inputs[t], cell
        state = outputs[t] if hidden is None else hidden
        targets = (*gates[:, row], cells[row], bent[row], state)
        by_kernel = by_kernel or formula_call(_cell, targets, given, steps)
        if by_kernel((*targets, *given)) is NotImplemented:
            _cell_in_numpy(targets, *given)
        cell = cells[row]
        if projection is not None:
            state = np.matmul(state, projection.T, out=outputs[t])
    return [outputs, state.copy(), cell.copy()], [gates, cells, bent] if keeps else []


def _cell_in_numpy(targets: Sequence[Array], before: Array, weight: Array, input: Array, cell: Array) -> None:
    *gates, held, shown, state = targets
    product = np.matmul(before, weight)
    product += input
    size = held.shape[1]
    for k, gate in enumerate(gates):
        gate[...] = product[:, k * size : (k + 1) * size]
    enter, forget, new, out = gates
    for gate in (enter, forget, out):
        into_sigmoid(gate)
    np.tanh(new, out=new)
    np.multiply(forget, cell, out=held)
    held += enter * new
    np.tanh(held, out=shown)
    np.multiply(out, shown, out=state)


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
    _, steps, batch, size = gates.shape
    width = 4 * size
    slopes = np.empty((steps, batch, width), gates.dtype)
    shown = np.empty_like(outputs) if projection is not None else None
    state = np.zeros(start.shape, start.dtype) if from_state is None else from_state.copy()
    cell = np.zeros(first_cell.shape, first_cell.dtype) if from_cell is None else from_cell.copy()
    befores = [np.empty(start.shape, start.dtype) for _ in range(2)]  # a step writes one, and reads the other
    matrix, first = np.ascontiguousarray(weight), np.ascontiguousarray(first_cell)
    by_kernel = None
    for t in order_of(steps, not reverse):
        arriving = () if from_outputs is None else (from_outputs[t],)
        if shown is not None and projection is not None:
            if arriving:
                state += arriving[0]
            shown[t], arriving = state, ()
            state = np.matmul(state, projection)
        earlier = t + 1 if reverse else t - 1
        held = cells[earlier] if 0 <= earlier < steps else first
        targets, given = (slopes[t], cell, befores[t & 1]), (state, matrix, *gates[:, t], bent[t], held, *arriving)
        by_kernel = by_kernel or formula_call(_cell_slopes, targets, given, steps)
        if by_kernel((*targets, *given)) is NotImplemented:
            _cell_slopes_in_numpy(*targets, *given)
        state = befores[t & 1]
    found = [slopes, state, cell, gradient_of_weight(slopes, before(outputs, start, reverse))]
    if shown is not None:
        found.append(gradient_of_weight(shown, gates[3] * bent))
    return found


def _cell_slopes_in_numpy(slopes: Array, cell: Array, before: Array, state: Array, *given: Array) -> None:
    weight, enter, forget, new, out, shown, earlier, *arriving = given
    size = cell.shape[1]
    to_enter, to_forget, to_new, to_out = (slopes[:, k * size : (k + 1) * size] for k in range(4))
    state = state + arriving[0] if arriving else state.copy()
    np.multiply(state, shown, out=to_out)
    state *= out
    through_tanh(state, shown)
    cell += state
    np.multiply(cell, new, out=to_enter)
    np.multiply(cell, earlier, out=to_forget)
    np.multiply(cell, enter, out=to_new)
    through_sigmoid(to_enter, enter)
    through_sigmoid(to_forget, forget)
    through_sigmoid(to_out, out)
    through_tanh(to_new, new)
    cell *= forget
    np.matmul(slopes, weight, out=before)


LSTM_RECURRENCE = Recurrence("LSTM", 2, _step, _forward, _backward)
