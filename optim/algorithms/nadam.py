"""NAdam: Adam with Nesterov's momentum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core import dtypes
from ...tensor import Tensor
from ..formulas import (
    New,
    Scalar,
    V,
    bias_correction,
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


def nadam_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    mu_product: V,
    exp_avg: V,
    exp_avg_sq: V,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    momentum_decay: Scalar = 4e-3,
    decays: bool = False,
    decoupled_weight_decay: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """The new values of a NAdam step: Adam's, looking one step of the momentum ahead.

    Source: Dozat 2016, "Incorporating Nesterov Momentum into Adam"; the schedule of mu is the paper's.
    """
    step = f.add(step, 1.0)
    bias2 = bias_correction(f, step, beta2)
    if decays and decoupled_weight_decay:
        param = shrunk(f, param, lr, weight_decay)
    grad = slope(f, param, grad, weight_decay, decays and not decoupled_weight_decay, maximize)
    count = f.cast(step, dtype=dtypes.float64)
    mu = _nadam_momentum(f, count, beta1, momentum_decay)
    mu_next = _nadam_momentum(f, f.add(count, 1.0), beta1, momentum_decay)
    mu_product = f.multiply(mu_product, like(f, mu_product, mu))
    product = f.cast(mu_product, dtype=dtypes.float64)
    exp_avg = interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    exp_avg_sq = square_average(f, exp_avg_sq, grad, beta2)
    denominator = f.add(f.sqrt(f.divide(exp_avg_sq, like(f, param, bias2))), like(f, param, eps))
    back = negative(f, lr)
    of_grad = f.divide(f.multiply(back, f.subtract(1.0, mu)), f.subtract(1.0, product))
    of_average = f.divide(f.multiply(back, mu_next), f.subtract(1.0, f.multiply(product, mu_next)))
    param = moved(f, param, of_grad, grad, denominator)
    param = moved(f, param, of_average, exp_avg, denominator)
    return {"param": param, "step": step, "mu_product": mu_product, "exp_avg": exp_avg, "exp_avg_sq": exp_avg_sq}


def _nadam_momentum(f: Any, count: V, beta1: Scalar, momentum_decay: Scalar) -> V:
    """``beta1 * (1 - 0.5 * 0.96**(count * momentum_decay))``."""
    decayed = f.power(0.96, f.multiply(count, momentum_decay))
    return f.multiply(beta1, f.subtract(1.0, f.multiply(0.5, decayed)))


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
