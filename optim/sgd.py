"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..tensor import Tensor
from ..tensor.quiet import quietly
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.writes import WRITES, announce_all
from .errors import OptimizerArgumentError
from .inplace import sgd_update_
from .optimizer import Optimizer, evaluated
from .pieces import Row
from .settings import check_differentiable, check_gradient, check_not_negative, check_rate, number
from .sparse import sgd_sparse


class SGD(Optimizer):
    """Steps against the gradient, or along a decaying sum of gradients.

    `foreach` and `fused` choose between PyTorch's ways to compute the same numbers; they are kept and change nothing.
    Source: Sutskever et al. 2013, with the rate outside of the buffer.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_rate(lr)
        check_not_negative("momentum", momentum)
        check_not_negative("weight_decay", weight_decay)
        check_differentiable(differentiable)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise OptimizerArgumentError("nesterov=True takes a momentum above 0 and no dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _init_group(
        self,
        group: dict[str, Any],
        params: list[Tensor],
        grads: list[Tensor],
        momentum_buffers: list[Tensor | None],
    ) -> None:
        """Fills the lists with what parameters that have a gradient need; a buffer is None before the first step."""
        has_momentum = group["momentum"] != 0
        states = self.state
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            check_gradient("SGD", param, grad, takes_sparse=group["weight_decay"] == 0)
            params.append(param)
            grads.append(grad)
            momentum_buffers.append(states[param].get("momentum_buffer") if has_momentum else None)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Updates every parameter that has a gradient; gives what `closure` gave, which is called first."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            params: list[Tensor] = []
            grads: list[Tensor] = []
            momentum_buffers: list[Tensor | None] = []
            self._init_group(group, params, grads, momentum_buffers)
            sgd(
                params,
                grads,
                momentum_buffers,
                weight_decay=group["weight_decay"],
                momentum=group["momentum"],
                lr=group["lr"],
                dampening=group["dampening"],
                nesterov=group["nesterov"],
                maximize=group["maximize"],
            )
            if group["momentum"] != 0:
                for param, momentum_buffer in zip(params, momentum_buffers):
                    self.state[param]["momentum_buffer"] = momentum_buffer
        return loss


def sgd(
    params: list[Tensor],
    grads: list[Tensor],
    momentum_buffers: list[Tensor | None],
    *,
    weight_decay: float,
    momentum: float,
    lr: float | Tensor,
    dampening: float,
    nesterov: bool,
    maximize: bool,
) -> None:
    """One step for all `params`, in place; with momentum, new buffers take the place of each None in the list."""
    settings = {
        "lr": number(lr),
        "momentum": float(momentum),
        "dampening": float(dampening),
        "weight_decay": float(weight_decay),
        "nesterov": nesterov,
        "maximize": maximize,
    }
    if WRITES.observers is not None:
        announce_all(params, momentum_buffers)
    quietly(_step_all, params, grads, momentum_buffers, settings)


def _step_all(
    params: list[Tensor], grads: list[Tensor], momentum_buffers: list[Tensor | None], settings: dict[str, Any]
) -> None:
    has_momentum = settings["momentum"] != 0
    alike: dict[Any, list[Row]] = {}
    for index, (param, grad) in enumerate(zip(params, grads)):
        if type(grad) is SparseTensor or (has_momentum and type(momentum_buffers[index]) is SparseTensor):
            momentum_buffers[index] = sgd_sparse(param, grad, momentum_buffers[index], settings)
            continue
        array = param._array
        row: Row = (array, grad._array)
        first = False
        param._counter.value += 1
        if has_momentum:
            buffer = momentum_buffers[index]
            first = buffer is None
            if buffer is None:
                buffer = momentum_buffers[index] = Tensor._wrap(np.empty(array.shape, array.dtype))
            else:
                buffer._counter.value += 1
            row = (*row, buffer._array)
        alike.setdefault((first, array.dtype), []).append(row)
    for (first, _), rows in alike.items():
        sgd_update_(rows, first=first, **settings)
