"""RMSprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import New, Scalar, V, interpolate, like, moved, negative, slope, square_average
from ..stepped import SteppedOptimizer
from ..updates import DECAYS, STEP, Remembered, Update


def rmsprop_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    square_avg: V,
    momentum_buffer: V | None = None,
    grad_avg: V | None = None,
    lr: Scalar,
    alpha: Scalar,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    momentum: Scalar = 0.0,
    decays: bool = False,
    has_momentum: bool = False,
    centered: bool = False,
    maximize: bool = False,
    nearer_to_new: bool = False,
) -> New:
    """`nearer_to_new` says whether alpha is at most 0.5.

    Source: Hinton's lecture 6e (2012); Graves 2013, equations 38 to 45 (centered).
    """
    new = {"step": f.add(step, 1.0)}
    grad = slope(f, param, grad, weight_decay, decays, maximize)
    new["square_avg"] = average = square_average(f, square_avg, grad, alpha)
    if centered:
        new["grad_avg"] = grad_avg = interpolate(f, grad_avg, grad, alpha, nearer_to_new)
        average = f.subtract(average, f.multiply(grad_avg, grad_avg))
    denominator = f.add(f.sqrt(average), like(f, param, eps))
    back = negative(f, lr)
    if has_momentum:
        kept = f.multiply(momentum_buffer, like(f, param, momentum))
        new["momentum_buffer"] = momentum_buffer = f.add(kept, f.divide(grad, denominator))
        return {"param": f.add(param, f.multiply(momentum_buffer, like(f, param, back))), **new}
    return {"param": moved(f, param, back, grad, denominator), **new}


class RMSprop(SteppedOptimizer):
    """Divides each step by the root of a running average of squares, or (`centered`) of the variance.

    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Hinton's lecture 6e (2012); Graves 2013, "Generating Sequences With Recurrent Neural Networks" (centered).
    """

    _update = Update(
        rmsprop_update,
        state=(
            STEP,
            Remembered("square_avg"),
            Remembered("momentum_buffer", kept_if="has_momentum"),
            Remembered("grad_avg", kept_if="centered"),
        ),
        numbers={name: name for name in ("lr", "alpha", "eps", "weight_decay", "momentum")},
        flags=("centered", "maximize"),
        conditions={**DECAYS, "has_momentum": ("momentum", ">", 0.0), "nearer_to_new": ("alpha", "<=", 0.5)},
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)
