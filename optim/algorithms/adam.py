"""Adam and AdamW."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import (
    New,
    Scalar,
    V,
    bias_correction,
    divide,
    interpolate,
    like,
    moved,
    negative,
    shrunk,
    slope,
    square_average,
)
from ..settings import as_numbers
from ..stepped import SteppedOptimizer
from ..updates import BETAS, DECAYS, STEP, Remembered, Update


def adam_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    exp_avg: V,
    exp_avg_sq: V,
    max_exp_avg_sq: V | None = None,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    decoupled_weight_decay: bool = False,
    amsgrad: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """`nearer_to_new` says whether beta1 is at most 0.5.

    Source: Kingma & Ba 2015, algorithm 1; Loshchilov & Hutter 2019 (decoupled); Reddi et al. 2018 (AMSGrad).
    """
    step = f.add(step, 1.0)
    bias1, bias2 = bias_correction(f, step, beta1), bias_correction(f, step, beta2)
    if decays and decoupled_weight_decay:
        param = shrunk(f, param, lr, weight_decay)
    grad = slope(f, param, grad, weight_decay, decays and not decoupled_weight_decay, maximize)
    exp_avg = interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    exp_avg_sq = second = square_average(f, exp_avg_sq, grad, beta2)
    if amsgrad:
        second = max_exp_avg_sq = f.maximum(max_exp_avg_sq, exp_avg_sq)
    denominator = f.add(f.divide(f.sqrt(second), like(f, param, f.sqrt(bias2))), like(f, param, eps))
    param = moved(f, param, negative(f, divide(f, lr, bias1)), exp_avg, denominator)
    new = {"param": param, "step": step, "exp_avg": exp_avg, "exp_avg_sq": exp_avg_sq}
    return {**new, "max_exp_avg_sq": max_exp_avg_sq} if amsgrad else new


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
