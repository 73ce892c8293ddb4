"""SGD along sparse gradients: without momentum, only the rows that have an entry are written."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor.arithmetic import add, mul, neg
from ..tensor.conversion import clone
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.tensor import Tensor


def sgd_sparse(param: Tensor, grad: Tensor, buffer: Tensor | None, settings: dict[str, Any]) -> Tensor | None:
    """The new buffer, None without momentum, after `param` was stepped in place; `grad` or `buffer` is sparse.

    settings: those of `optim.sgd.sgd`, without weight decay, which would need all of the parameter.
    """
    step = neg(grad.detach()) if settings["maximize"] else grad.detach()
    momentum = settings["momentum"]
    if momentum:
        scaled = mul(step, 1.0 - settings["dampening"])
        buffer = clone(step) if buffer is None else _merged(add(mul(buffer, momentum), scaled))
        step = add(step, mul(buffer, momentum)) if settings["nesterov"] else buffer
    _move(param, step, -settings["lr"])
    return buffer


def _merged(buffer: Tensor) -> Tensor:
    """The same with one entry for each row, so that it does not grow with every step."""
    return buffer.coalesce() if isinstance(buffer, SparseTensor) else buffer


def _move(param: Tensor, step: Tensor, factor: float) -> None:
    """Adds ``factor * step`` to `param` in place."""
    if isinstance(step, SparseTensor):
        np.add.at(param._array, tuple(step._indices()._array), factor * step._values()._array)
    else:
        np.add(param._array, factor * step._array, out=param._array)
    param._counter.value += 1
