"""Losses of predicted numbers as functions, and that of predicted distributions."""

from __future__ import annotations

from typing import Any

from ...ops.piecewise import HUBER
from ...tensor.arithmetic import abs, div, mul, sub
from ...tensor.arithmetic import abs as absolute
from ...tensor.dispatch import apply
from ...tensor.elementary import xlogy
from ...tensor.pointwise import exp
from ...tensor.promotion import refuse
from ...tensor.surface import surface
from .loss_reduction import difference_of, reduced, reduction_of, weighted

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def mse_loss(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Value | None = None,
) -> Value:
    """Squared differences; `weight` multiplies that of each element, and the mean is over the weights."""
    refuse("mse_loss", "c", input, target)
    difference = difference_of("mse_loss", input, target)
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce, reduction)
    loss = mul(difference, difference)
    return reduced("mse_loss", loss, reduction) if weight is None else weighted("mse_loss", loss, weight, reduction)


@surface
def l1_loss(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Value | None = None,
) -> Value:
    """Absolute differences; `weight` multiplies that of each element, and the mean is over the weights."""
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce, reduction)
    loss = abs(difference_of("l1_loss", input, target))
    return reduced("l1_loss", loss, reduction) if weight is None else weighted("l1_loss", loss, weight, reduction)


@surface
def smooth_l1_loss(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Value:
    """Half the squared difference over `beta` below `beta`, the absolute one less half of `beta` above."""
    difference = difference_of("smooth_l1_loss", input, target)
    size = div(apply(HUBER, difference, delta=float(beta)), beta) if beta else absolute(difference)
    return reduced("smooth_l1_loss", size, reduction_of(size_average, reduce, reduction))


@surface
def huber_loss(
    input: Value, target: Value, reduction: str = "mean", delta: float = 1.0, weight: Value | None = None
) -> Value:
    """Half the squared difference below `delta`; above, `delta` times the absolute one less half of `delta`."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    difference = difference_of("huber_loss", input, target)
    loss = apply(HUBER, difference, delta=float(delta))
    if weight is not None:
        return weighted("huber_loss", loss, weight, reduction)
    return reduced("huber_loss", loss, reduction)


@surface
def kl_div(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Value:
    """``target * (log(target) - input)``, for log-probabilities `input`; "batchmean" divides by the first size."""
    refuse("kl_div", "c", input, target)
    reduction = reduction_of(size_average, reduce, reduction)
    if log_target:
        loss = mul(exp(target), sub(target, input))
    else:
        loss = sub(xlogy(target, target), mul(target, input))
    if reduction == "batchmean":
        return div(reduced("kl_div", loss, "sum"), input.shape[0])
    return reduced("kl_div", loss, reduction)
