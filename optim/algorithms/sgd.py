"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..errors import OptimizerArgumentError
from ..formulas import New, Scalar, V, like, negative, slope, subtract
from ..sparse import sgd_sparse
from ..stepped import SteppedOptimizer
from ..updates import DECAYS, Remembered, Update


def sgd_update(
    f: Any,
    *,
    param: V,
    grad: V,
    momentum_buffer: V | None = None,
    lr: Scalar,
    momentum: Scalar = 0.0,
    dampening: Scalar = 0.0,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    has_momentum: bool = False,
    nesterov: bool = False,
    maximize: bool = False,
) -> New:
    """With momentum, no buffer means the first step.

    Source: Sutskever et al. 2013, with the rate outside of the buffer.
    """
    new: New = {}
    grad = slope(f, param, grad, weight_decay, decays, maximize)
    if has_momentum:
        if momentum_buffer is None:
            momentum_buffer = grad
        else:
            fresh = f.multiply(grad, like(f, param, subtract(f, 1.0, dampening)))
            momentum_buffer = f.add(f.multiply(momentum_buffer, like(f, param, momentum)), fresh)
        new["momentum_buffer"] = momentum_buffer
        if nesterov:
            grad = f.add(f.multiply(momentum_buffer, like(f, param, momentum)), grad)
        else:
            grad = momentum_buffer
    return {"param": f.add(param, f.multiply(grad, like(f, param, negative(f, lr)))), **new}


class SGD(SteppedOptimizer):
    """Steps against the gradient, or along a decaying sum of gradients.

    `foreach` and `fused` choose between PyTorch's ways to compute the same numbers; they are kept and change nothing.
    Source: Sutskever et al. 2013, with the rate outside of the buffer.
    """

    _update = Update(
        sgd_update,
        state=(Remembered("momentum_buffer", starts_as=None, kept_if="has_momentum"),),
        numbers={name: name for name in ("lr", "momentum", "dampening", "weight_decay")},
        flags=("nesterov", "maximize"),
        conditions={**DECAYS, "has_momentum": ("momentum", "!=", 0.0)},
        along_sparse=sgd_sparse,
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
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
