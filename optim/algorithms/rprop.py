"""Rprop: steps by the sign of the gradient alone, of a size that each element finds for itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...tensor import Tensor
from ..formulas import New, Scalar, V, like
from ..stepped import SteppedOptimizer
from ..updates import STEP, Remembered, Update


def rprop_update(
    f: Any,
    *,
    param: V,
    grad: V,
    step: V,
    prev: V,
    step_size: V,
    eta_minus: Scalar,
    eta_plus: Scalar,
    smallest: Scalar,
    largest: Scalar,
    maximize: bool = False,
) -> New:
    """An element whose sign has turned does not move, and its next step counts as its first.

    Source: Riedmiller & Braun 1993, "A direct adaptive method for faster backpropagation learning"; without
    backtracking (Igel & Huesken 2000, "iRprop-").
    """
    step = f.add(step, 1.0)
    if maximize:
        grad = f.negative(grad)
    agreement = f.multiply(grad, prev)
    goes_on, turns = f.less(0.0, agreement), f.less(agreement, 0.0)
    # What neither goes on nor turns is zero, or NaN, which the size of the step takes over.
    stays = f.add(step_size, f.multiply(agreement, 0.0))
    shorter, longer = (f.multiply(step_size, like(f, param, each)) for each in (eta_minus, eta_plus))
    scaled = f.where(goes_on, longer, f.where(turns, shorter, stays))
    step_size = f.minimum(f.maximum(scaled, like(f, param, smallest)), like(f, param, largest))
    grad = f.where(turns, 0.0, grad)
    param = f.subtract(param, f.multiply(f.sign(grad), step_size))
    return {"param": param, "step": step, "prev": grad, "step_size": step_size}


class Rprop(SteppedOptimizer):
    """Steps by the sign of the gradient; the size of an element's step grows while its sign stays, else shrinks.

    etas: the factors by which it shrinks and grows.   step_sizes: its bounds.   lr: its first value.
    `foreach` and `capturable` choose between PyTorch's ways to compute the same numbers, and are kept. Only this
    depends on them: counters of a parameter on a device lie there under `capturable`, else on the CPU.
    Source: Riedmiller & Braun 1993, "A direct adaptive method for faster backpropagation learning".
    """

    _update = Update(
        rprop_update,
        state=(STEP, Remembered("prev"), Remembered("step_size", starts_as="lr")),
        numbers={
            "eta_minus": ("etas", 0),
            "eta_plus": ("etas", 1),
            "smallest": ("step_sizes", 0),
            "largest": ("step_sizes", 1),
        },
    )

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)
