"""RAdam: Adam whose first steps, while the mean square is unreliable, are those of momentum alone."""

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
    divide,
    interpolate,
    like,
    multiply,
    negative,
    shrunk,
    slope,
    square_average,
    subtract,
)
from ..settings import as_numbers
from ..stepped import SteppedOptimizer
from ..updates import BETAS, DECAYS, STEP, Remembered, Update


def radam_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    exp_avg: V,
    exp_avg_sq: V,
    lr: Scalar,
    beta1: Scalar,
    beta2: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    decoupled_weight_decay: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """`nearer_to_new` says whether beta1 is at most 0.5.

    Source: Liu et al. 2020, "On the Variance of the Adaptive Learning Rate and Beyond", algorithm 2.
    """
    step = f.add(step, 1.0)
    bias1, bias2 = bias_correction(f, step, beta1), bias_correction(f, step, beta2)
    if decays and decoupled_weight_decay:
        param = shrunk(f, param, lr, weight_decay)
    grad = slope(f, param, grad, weight_decay, decays and not decoupled_weight_decay, maximize)
    exp_avg = interpolate(f, exp_avg, grad, beta1, nearer_to_new)
    exp_avg_sq = square_average(f, exp_avg_sq, grad, beta2)
    rectifier, is_plain = _rectifier(f, step, beta2, bias2)
    # Of the two terms that make the factor one is zero: an adaptive step, or one of momentum alone.
    denominator = f.add(f.sqrt(exp_avg_sq), like(f, param, f.add(is_plain, eps)))
    adaptive = f.divide(like(f, param, f.multiply(f.sqrt(bias2), rectifier)), denominator)
    factor = f.add(adaptive, like(f, param, is_plain))
    way = f.multiply(exp_avg, like(f, param, negative(f, divide(f, lr, bias1))))
    return {
        "param": f.add(param, f.multiply(way, factor)),
        "step": step,
        "exp_avg": exp_avg,
        "exp_avg_sq": exp_avg_sq,
    }


def _rectifier(f: Any, step: V, beta2: Scalar, bias2: V) -> tuple[V, V]:
    """The factor of an adaptive step, 0 where there is to be none, and 1.0 there (else 0.0)."""
    count = f.cast(step, dtype=dtypes.float64)
    longest = subtract(f, divide(f, 2.0, subtract(f, 1.0, beta2)), 1.0)
    length = f.subtract(longest, f.divide(f.multiply(f.multiply(2.0, count), f.power(beta2, count)), bias2))
    adapts = f.less(5.0, length)
    above = f.multiply(f.multiply(f.subtract(length, 4.0), f.subtract(length, 2.0)), longest)
    below = f.multiply(multiply(f, subtract(f, longest, 4.0), subtract(f, longest, 2.0)), length)
    ratio = f.divide(f.where(adapts, above, 0.0), f.where(adapts, below, 1.0))
    return f.sqrt(ratio), f.cast(f.less_equal(length, 5.0), dtype=dtypes.float64)


class RAdam(SteppedOptimizer):
    """Adam with steps scaled by how far the mean square can be trusted; decoupled_weight_decay=True decays as AdamW.

    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Liu et al. 2020, "On the Variance of the Adaptive Learning Rate and Beyond".
    """

    _update = Update(
        radam_update,
        state=(STEP, Remembered("exp_avg"), Remembered("exp_avg_sq")),
        numbers={"lr": "lr", **BETAS, "eps": "eps", "weight_decay": "weight_decay"},
        flags=("maximize", "decoupled_weight_decay"),
        conditions={**DECAYS, "nearer_to_new": ("beta1", "<=", 0.5)},
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
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
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)
