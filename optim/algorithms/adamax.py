"""Adamax: Adam over the largest gradient in place of the mean square."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import New, Scalar, V, bias_correction, divide, interpolate, like, moved, negative, slope
from ..settings import as_numbers
from ..stepped import SteppedOptimizer
from ..updates import BETAS, DECAYS, STEP, Remembered, Update


def adamax_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    exp_avg: V,
    exp_inf: V,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """`nearer_to_new` says whether beta1 is at most 0.5.

    Source: Kingma & Ba 2015, algorithm 2; `eps` is added to each gradient's size.
    """
    step = f.add(step, 1.0)
    grad = slope(f, param, grad, weight_decay, decays, maximize)
    exp_avg = interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    exp_inf = f.maximum(f.multiply(exp_inf, like(f, param, beta2)), f.add(f.absolute(grad), like(f, param, eps)))
    rate = negative(f, divide(f, lr, bias_correction(f, step, beta1)))
    return {"param": moved(f, param, rate, exp_avg, exp_inf), "step": step, "exp_avg": exp_avg, "exp_inf": exp_inf}


class Adamax(SteppedOptimizer):
    """Adam that divides by a decaying maximum of the gradients' sizes.

    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Kingma & Ba 2015, algorithm 2.
    """

    _update = Update(
        adamax_update,
        state=(STEP, Remembered("exp_avg"), Remembered("exp_inf")),
        numbers={"lr": "lr", **BETAS, "eps": "eps", "weight_decay": "weight_decay"},
        conditions={**DECAYS, "nearer_to_new": ("beta1", "<=", 0.5)},
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": as_numbers(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)
