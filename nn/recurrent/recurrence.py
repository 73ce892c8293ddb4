"""The meaning of a kind of recurrent layer along time in one direction: in NumPy at once, in tensors step by step."""

# Note [Two forms of a recurrence]
# In eager mode one node stands for all steps of a layer in one direction: NumPy computes them in place, keeps what its
# derivative reads, and multiplies all steps at once where a weight gets its gradient. Whatever that cannot do (a trace,
# halves, a device, derivatives of derivatives) is computed by the steps, which are ordinary functions of tensors. Under
# `gl.jit` the loop over them becomes one node of the graph.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.records import dataclass
from ...ops.emitter import Emitter
from ...tensor.host_kernels import formula_call
from ...tensor.joining import stack
from ...tensor.rearranging import flip
from ...tensor.tensor import Array

Value = Any
Arrays = list[Array]
Step = Callable[..., tuple[Value, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """One kind of layer.

    Its operands are the inputs of all steps, multiplied by their weights already, [time, batch, gates]; the states
    before the first step, each [batch, size]; and the weights, of which None stands for one that is not there.

    states:   the number of states; the first one is what a step puts out.
    step:     ``step(input, *states, *weights)`` gives the states after one step, over tensors.
    forward:  ``forward(operands, reverse, keeps)`` gives the outputs of all steps, [time, batch, size], the last
        states, and the arrays that `backward` reads, none of them unless `keeps`.
    backward: ``backward(gradients, operands, outputs, kept, reverse)`` gives the gradients of the operands for those of
        the outputs and the last states, None for one that is zero.
    """

    name: str
    states: int
    step: Step
    forward: Callable[[Sequence[Array | None], bool, bool], tuple[Arrays, Arrays]]
    backward: Callable[[Sequence[Array | None], Sequence[Array | None], Array, Sequence[Array], bool], list[Any]]


def order_of(steps: int, reverse: bool) -> range:
    """The numbers of the steps in the order in which they are computed."""
    return range(steps - 1, -1, -1) if reverse else range(steps)


def before(outputs: Array, start: Array, reverse: bool) -> Array:
    """The state before each step, of those after each step and the one at the start; a new array."""
    found: Array = outputs.__class__(outputs.shape, outputs.dtype)
    if reverse:
        found[:-1], found[-1] = outputs[1:], start
    else:
        found[1:], found[0] = outputs[:-1], start
    return found


def gradient_of_weight(slopes: Array, factors: Array) -> Array:
    """The gradient of a weight that every step multiplies by: slopes of the products and what it was multiplied with,
    [time, batch, size] each, give the sum over time and batch, [size of slopes, size of factors]."""
    rows, others = (each.reshape(-1, each.shape[-1]) for each in (slopes, factors))
    gradient = np.empty((rows.shape[1], others.shape[1]), rows.dtype)
    given = gradient, rows, others
    if formula_call(_sum_of_outer_products, given[:1], given[1:])(given) is NotImplemented:
        np.matmul(rows.T, others, out=gradient)
    return gradient


def _sum_of_outer_products(f: Emitter, _gradient: Value, rows: Value, others: Value) -> tuple[Value, ...]:
    return (f.matmul(f.permute(rows, axes=(1, 0)), others),)


def by_steps(recurrence: Recurrence, operands: Sequence[Value], reverse: bool) -> tuple[Value, ...]:
    """The outputs of all steps and the last states, computed one step after the other."""
    inputs = flip(operands[0], (0,)) if reverse else operands[0]
    outputs = []
    count = recurrence.states
    step, states, weights = recurrence.step, tuple(operands[1 : count + 1]), operands[count + 1 :]
    if count == 1:
        (state,) = states
        for each in inputs:
            (state,) = step(each, state, *weights)
            outputs.append(state)
        states = (state,)
    else:
        state, cell = states
        for each in inputs:
            state, cell = step(each, state, cell, *weights)
            outputs.append(state)
        states = (state, cell)
    found = stack(outputs)
    return (flip(found, (0,)) if reverse else found, *states)
