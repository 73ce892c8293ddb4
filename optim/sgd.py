"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensor import Tensor
from .errors import OptimizerArgumentError
from .formulas import sgd_update
from .sparse import sgd_sparse
from .stepped import SteppedOptimizer
from .updates import DECAYS, Remembered, Update


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
