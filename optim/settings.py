"""Checks of the numbers and flags that optimizers take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..tensor import Tensor
from .errors import OptimizerArgumentError, StepError

Check = Callable[[str, Any], None]


def number(value: Any) -> float:
    """A number, or the only element of a tensor, as a Python float."""
    return float(value)


def as_numbers(values: Any) -> tuple[Any, ...]:
    """`values` with a number in place of each tensor of one element."""
    return tuple(number(value) if isinstance(value, Tensor) else value for value in values)


def check_settings(settings: dict[str, Any], checks: Mapping[str, Check] | None = None) -> None:
    """Checks every entry by its name, by `CHECKS` if nothing else is said. Errors: OptimizerArgumentError."""
    checks = CHECKS if checks is None else checks
    for name, value in settings.items():
        check = checks.get(name)
        if check is not None:
            check(name, value)


def _rate(name: str, value: Any) -> None:
    if isinstance(value, Tensor) and value.shape not in ((), (1,)):
        raise OptimizerArgumentError(f"a learning rate in a Tensor has one element, got shape {tuple(value.shape)}")
    _not_negative(name, number(value))


def _not_negative(name: str, value: Any) -> None:
    if not 0.0 <= value:  # nor NaN
        raise OptimizerArgumentError(f"{name} is not to be negative, got {value}")


def _betas(name: str, betas: tuple[float, float]) -> None:
    for index, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise OptimizerArgumentError(f"{name}[{index}] is to be at least 0 and less than 1, got {beta}")


def _share(name: str, value: Any) -> None:
    if not 0.0 <= value <= 1.0:
        raise OptimizerArgumentError(f"{name} is to be at least 0 and at most 1, got {value}")


def _etas(name: str, etas: tuple[float, float]) -> None:
    if not 0.0 < etas[0] < 1.0 < etas[1]:
        raise OptimizerArgumentError(f"{name} is a factor between 0 and 1 and one above 1, got {etas[0]} and {etas[1]}")


def _not_differentiable(name: str, value: bool) -> None:
    if value:
        raise OptimizerArgumentError(f"{name}=True is not supported: a step writes in place and is not recorded")


CHECKS: dict[str, Check] = {
    "lr": _rate,
    "betas": _betas,
    "etas": _etas,
    "rho": _share,
    "differentiable": _not_differentiable,
    **dict.fromkeys(
        ("alpha", "eps", "initial_accumulator_value", "lr_decay", "momentum", "momentum_decay", "weight_decay"),
        _not_negative,
    ),
}
"""The check of each setting by name, whichever optimizer it is for."""


def check_dense(kind: str, grad: Any) -> None:
    """Errors: StepError for a sparse gradient."""
    if grad.is_sparse:
        raise _no_sparse(kind, "")


def _no_sparse(kind: str, when: str) -> StepError:
    return StepError(
        f"{kind} does not support sparse gradients{when}; use SGD, SparseAdam or Adagrad without weight_decay for this "
        "parameter, or make its layer with sparse=False"
    )


def check_gradient(kind: str, param: Any, grad: Any, takes_sparse: bool, group: dict[str, Any]) -> None:
    """Errors: StepError for a gradient that is sparse or of another dtype, and a parameter that cannot be written."""
    if grad.is_sparse and not (takes_sparse and group["weight_decay"] == 0):
        raise _no_sparse(kind, " with weight_decay" if takes_sparse else "")
    if grad.dtype is not param.dtype:
        raise StepError(f"{kind}: the gradient is {grad.dtype} and the parameter is {param.dtype}")
    if not param._array.flags.writeable:
        raise StepError(f"{kind}: a parameter of shape {list(param.shape)} is over read-only memory; clone() it first")
