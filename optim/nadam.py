"""NAdam: Adam with Nesterov's momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tensor import Tensor
from .formulas import nadam_update
from .settings import as_numbers
from .stepped import SteppedOptimizer
from .updates import BETAS, DECAYS, STEP, Remembered, Update


class NAdam(SteppedOptimizer):
    """Adam that looks one step of its momentum ahead; decoupled_weight_decay=True is AdamW's way to decay.

    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Dozat 2016, "Incorporating Nesterov Momentum into Adam".
    """

    _update = Update(
        nadam_update,
        state=(
            STEP,
            Remembered("mu_product", single=True, starts_as=1.0),
            Remembered("exp_avg"),
            Remembered("exp_avg_sq"),
        ),
        numbers={
            "lr": "lr",
            **BETAS,
            "eps": "eps",
            "weight_decay": "weight_decay",
            "momentum_decay": "momentum_decay",
        },
        flags=("maximize", "decoupled_weight_decay"),
        conditions={**DECAYS, "nearer_to_new": ("beta1", "<=", 0.5)},
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 2e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": as_numbers(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)
