"""ASGD: stochastic gradient descent that keeps an average of the parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core import dtypes
from ...tensor import Tensor
from ..formulas import New, Scalar, V, like, multiply, slope
from ..settings import CHECKS
from ..stepped import SteppedOptimizer
from ..updates import DECAYS, STEP, Remembered, Update


def asgd_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    eta: V,
    mu: V,
    ax: V,
    lr: Scalar,
    lambd: Scalar,
    alpha: Scalar,
    t0: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
) -> New:
    """`eta` and `mu` are those that the step before has made.

    Source: Polyak & Juditsky 1992, "Acceleration of stochastic approximation by averaging"; Bottou 2010 (the rate).
    """
    step = f.add(step, 1.0)
    grad = slope(f, param, grad, weight_decay, decays, maximize)
    rate = f.cast(eta, dtype=dtypes.float64)
    param = f.multiply(param, like(f, param, f.subtract(1.0, f.multiply(rate, lambd))))
    param = f.add(param, f.multiply(grad, like(f, param, f.negative(rate))))
    averaged = f.add(ax, f.multiply(f.subtract(param, ax), like(f, param, mu)))
    ax = f.where(f.equal(mu, 1.0), param, averaged)
    count = f.cast(step, dtype=dtypes.float64)
    grown = f.add(f.multiply(count, multiply(f, lambd, lr)), 1.0)
    eta = like(f, eta, f.divide(lr, f.power(grown, alpha)))
    mu = like(f, mu, f.divide(1.0, f.maximum(f.subtract(count, t0), 1.0)))
    return {"param": param, "step": step, "eta": eta, "mu": mu, "ax": ax}


class ASGD(SteppedOptimizer):
    """Steps at a rate that falls, and keeps in its state (`ax`) the average of the parameters since step `t0`.

    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Polyak & Juditsky 1992, "Acceleration of stochastic approximation by averaging".
    """

    _checks = {name: check for name, check in CHECKS.items() if name != "alpha"}
    _update = Update(
        asgd_update,
        state=(
            STEP,
            Remembered("eta", single=True, starts_as="lr"),
            Remembered("mu", single=True, starts_as=1.0),
            Remembered("ax"),
        ),
        numbers={name: name for name in ("lr", "lambd", "alpha", "t0", "weight_decay")},
        conditions=DECAYS,
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)
