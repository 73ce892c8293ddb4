"""Checks of the numbers and flags that optimizers take."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from .errors import OptimizerArgumentError, StepError


def number(value: Any) -> float:
    """A number, or the only element of a tensor, as a Python float."""
    return float(value)


def check_rate(lr: Any) -> None:
    """Errors: OptimizerArgumentError unless `lr` is a number that is not negative, or a tensor with one."""
    if isinstance(lr, Tensor) and lr.shape not in ((), (1,)):
        raise OptimizerArgumentError(f"a learning rate in a Tensor has one element, got shape {tuple(lr.shape)}")
    check_not_negative("lr", number(lr))


def check_not_negative(name: str, value: Any) -> None:
    """Errors: OptimizerArgumentError when `value` is negative or no number at all (NaN)."""
    if not 0.0 <= value:
        raise OptimizerArgumentError(f"{name} is not to be negative, got {value}")


def check_betas(betas: tuple[float, float]) -> None:
    """Errors: OptimizerArgumentError unless both are at least 0 and less than 1."""
    for index, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise OptimizerArgumentError(f"betas[{index}] is to be at least 0 and less than 1, got {beta}")


def check_differentiable(differentiable: bool) -> None:
    """Errors: OptimizerArgumentError: a step is not recorded on the tape."""
    if differentiable:
        raise OptimizerArgumentError("differentiable=True is not supported: a step writes in place and is not recorded")


def check_gradient(kind: str, param: Any, grad: Any, *, takes_sparse: bool = False) -> None:
    """Errors: StepError for a gradient that is sparse or of another dtype, and a parameter that cannot be written."""
    if grad.is_sparse and not takes_sparse:
        raise StepError(
            f"{kind} does not support sparse gradients; use SGD without weight_decay for this parameter, or make its "
            "layer with sparse=False"
        )
    if grad.dtype is not param.dtype:
        raise StepError(f"{kind}: the gradient is {grad.dtype} and the parameter is {param.dtype}")
    if not param._array.flags.writeable:
        raise StepError(f"{kind}: a parameter of shape {list(param.shape)} is over read-only memory; clone() it first")
