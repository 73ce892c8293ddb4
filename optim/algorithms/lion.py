"""Lion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import New, Scalar, V, like, negative, shrunk, slope, weighted
from ..settings import as_numbers
from ..stepped import SteppedOptimizer
from ..updates import BETAS, DECAYS, Remembered, Update


def lion_update(
    f: Any,
    *,
    param: V,
    grad: V,
    exp_avg: V,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
) -> New:
    """Source: Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms", program 1."""
    if decays:
        param = shrunk(f, param, lr, weight_decay)
    grad = slope(f, param, grad, weight_decay, False, maximize)
    way = f.sign(weighted(f, exp_avg, grad, beta1))
    param = f.add(param, f.multiply(way, like(f, param, negative(f, lr))))
    return {"param": param, "exp_avg": weighted(f, exp_avg, grad, beta2)}


class Lion(SteppedOptimizer):
    """Steps by the sign of a mean of gradient and momentum, so that every element moves by `lr`; decays as AdamW.

    `foreach`, `fused` and `capturable` are taken as AdamW takes them, and change nothing.
    Source: Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms", program 1, with the defaults of its code.
    """

    _update = Update(
        lion_update,
        state=(Remembered("exp_avg"),),
        numbers={"lr": "lr", **BETAS, "weight_decay": "weight_decay"},
        conditions=DECAYS,
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-4,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.99),
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": as_numbers(betas),
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
