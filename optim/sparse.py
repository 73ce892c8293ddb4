"""Steps along sparse gradients: where nothing else has to be written, only the rows that have an entry are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.emitter import UFUNCS
from ..tensor.arithmetic import add, mul, neg
from ..tensor.conversion import clone
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.tensor import Tensor
from .formulas import adagrad_rate

State = dict[str, Any]
"""The state of one parameter: what is remembered of it, by name."""


def sgd_sparse(param: Tensor, grad: Tensor, state: State, numbers: dict[str, float], booleans: dict[str, bool]) -> None:
    """Steps `param` in place, and puts the new buffer into `state`; the gradient or the buffer is sparse.

    There is no weight decay, which would need all of the parameter.
    """
    step = neg(grad.detach()) if booleans["maximize"] else grad.detach()
    momentum = numbers["momentum"]
    if booleans["has_momentum"]:
        buffer = state["momentum_buffer"]
        scaled = mul(step, 1.0 - numbers["dampening"])
        buffer = clone(step) if buffer is None else _merged(add(mul(buffer, momentum), scaled))
        step = add(step, mul(buffer, momentum)) if booleans["nesterov"] else buffer
        state["momentum_buffer"] = buffer
    _move(param, step, -numbers["lr"])


def adagrad_sparse(
    param: Tensor, grad: Any, state: State, numbers: dict[str, float], booleans: dict[str, bool]
) -> None:
    """Steps `param` and its state in place; only the rows that have an entry in `grad` are read and written."""
    counter = state["step"]._array
    counter[()] = counter.item() + 1.0
    rate = float(adagrad_rate(UFUNCS, counter, numbers["lr"], numbers["lr_decay"]))
    merged = (neg(grad.detach()) if booleans["maximize"] else grad.detach()).coalesce()
    rows, values, sums = tuple(merged._indices()._array), merged._values()._array, state["sum"]._array
    grown = sums[rows] + values * values
    sums[rows] = grown
    param._array[rows] += -rate * (values / (np.sqrt(grown) + numbers["eps"]))
    for written in (param, state["step"], state["sum"]):
        written._counter.value += 1


def _merged(buffer: Tensor) -> Tensor:
    """`buffer` with one entry for each row if it is sparse, so that it does not grow with every step."""
    return buffer.coalesce() if isinstance(buffer, SparseTensor) else buffer


def _move(param: Tensor, step: Tensor, factor: float) -> None:
    """Adds ``factor * step`` to `param` in place."""
    if isinstance(step, SparseTensor):
        np.add.at(param._array, tuple(step._indices()._array), factor * step._values()._array)
    else:
        np.add(param._array, factor * step._array, out=param._array)
    param._counter.value += 1
