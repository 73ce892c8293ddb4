"""Adagrad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import New, Scalar, V, adagrad_rate, like, moved, negative, slope
from ..sparse import adagrad_sparse
from ..stepped import SteppedOptimizer
from ..updates import DECAYS, STEP, Remembered, Update


def adagrad_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    sum: V,
    lr: Scalar,
    lr_decay: Scalar = 0.0,
    eps: Scalar,
    weight_decay: Scalar = 0.0,
    decays: bool = False,
    maximize: bool = False,
) -> New:
    """Source: Duchi, Hazan & Singer 2011, "Adaptive Subgradient Methods"."""
    step = f.add(step, 1.0)
    rate = adagrad_rate(f, step, lr, lr_decay)
    grad = slope(f, param, grad, weight_decay, decays, maximize)
    sum = f.add(sum, f.multiply(grad, grad))
    denominator = f.add(f.sqrt(sum), like(f, param, eps))
    return {"param": moved(f, param, negative(f, rate), grad, denominator), "step": step, "sum": sum}


class Adagrad(SteppedOptimizer):
    """Divides each step by the root of the sum of all squares so far. Takes sparse gradients, without weight decay.

    `foreach` and `fused` choose between PyTorch's ways to compute the same numbers; they are kept and change nothing.
    The state is made with the optimizer, as PyTorch's.
    Source: Duchi, Hazan & Singer 2011, "Adaptive Subgradient Methods for Online Learning".
    """

    _update = Update(
        adagrad_update,
        state=(STEP, Remembered("sum", starts_as="initial_accumulator_value")),
        numbers={name: name for name in ("lr", "lr_decay", "eps", "weight_decay")},
        conditions=DECAYS,
        along_sparse=adagrad_sparse,
        state_from_the_start=True,
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
