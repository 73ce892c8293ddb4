"""Adadelta."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import New, Scalar, V, like, negative, slope, square_average
from ..stepped import SteppedOptimizer
from ..updates import DECAYS, STEP, Remembered, Update


def adadelta_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    square_avg: V,
    acc_delta: V,
    lr: Scalar,
    rho: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
) -> New:
    """Source: Zeiler 2012, "ADADELTA: An Adaptive Learning Rate Method", algorithm 1."""
    step = f.add(step, 1.0)
    grad = slope(f, param, grad, weight_decay, decays, maximize)
    square_avg = square_average(f, square_avg, grad, rho)
    of_moves, of_slopes = (f.sqrt(f.add(each, like(f, param, eps))) for each in (acc_delta, square_avg))
    delta = f.multiply(f.divide(of_moves, of_slopes), grad)
    acc_delta = square_average(f, acc_delta, delta, rho)
    param = f.add(param, f.multiply(delta, like(f, param, negative(f, lr))))
    return {"param": param, "step": step, "square_avg": square_avg, "acc_delta": acc_delta}


class Adadelta(SteppedOptimizer):
    """Scales each step by the size of recent moves over the size of recent gradients, so that units agree.

    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Zeiler 2012, "ADADELTA: An Adaptive Learning Rate Method".
    """

    _update = Update(
        adadelta_update,
        state=(STEP, Remembered("square_avg"), Remembered("acc_delta")),
        numbers={name: name for name in ("lr", "rho", "eps", "weight_decay")},
        conditions=DECAYS,
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)
