"""Adam and AdamW."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensor import Tensor
from .formulas import adam_update
from .settings import as_numbers
from .stepped import SteppedOptimizer
from .updates import BETAS, DECAYS, STEP, Remembered, Update


class Adam(SteppedOptimizer):
    """Adaptive moments; decoupled_weight_decay=True is AdamW's way to decay.

    `foreach`, `fused` and `capturable` choose between PyTorch's ways to compute the same numbers. There is one way
    here, and they are kept in the groups for state dicts to agree. Only this depends on them: the step counter of a
    parameter on a device lies there under `fused` or `capturable`, else on the CPU.
    Source: Kingma & Ba 2015; Loshchilov & Hutter 2019; Reddi et al. 2018 (amsgrad).
    """

    _update = Update(
        adam_update,
        state=(
            STEP,
            Remembered("exp_avg"),
            Remembered("exp_avg_sq"),
            Remembered("max_exp_avg_sq", kept_if="amsgrad"),
        ),
        numbers={"lr": "lr", **BETAS, "eps": "eps", "weight_decay": "weight_decay"},
        flags=("amsgrad", "maximize", "decoupled_weight_decay"),
        conditions={**DECAYS, "nearer_to_new": ("beta1", "<=", 0.5)},
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": as_numbers(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters themselves and stays out of the moments."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )
