"""Shared by all losses: the difference of the operands, and how the losses of elements become one."""

from __future__ import annotations

import warnings
from typing import Any

from ...ops.pointwise import DIVIDE
from ...ops.reduction import SUM
from ...ops.statistics import MEAN
from ...tensor.arithmetic import mul, sub
from ...tensor.dispatch import apply, check_tensors
from ...tensor.tracing import tracing
from ..checks import check_dtypes, shape_text
from ..errors import LayerArgumentError

Value = Any
"""A Tensor, or what stands for one while a function is traced."""

_REDUCTIONS = ("mean", "sum", "none")


def difference_of(name: str, input: Value, target: Value) -> Value:
    """The difference of the operands, with a warning where they are broadcast. Errors: LayerDtypeError."""
    try:
        fits = tuple(input.shape) == tuple(target.shape)
    except AttributeError:
        check_tensors(name, input=input, target=target)
        raise
    if not fits:
        text = (
            f"{name}: target is {shape_text(target)} and input is {shape_text(input)}; they are broadcast, "
            "which is seldom what is meant"
        )
        handler = tracing()
        if handler is not None:
            handler.warn(text)
        warnings.warn(text, stacklevel=3)
    difference = sub(input, target)
    check_dtypes(name, difference)
    return difference


def reduction_of(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """The reduction that PyTorch's two old arguments ask for; they give a warning."""
    if size_average is None and reduce is None:
        return reduction
    average, together = size_average is not False, reduce is not False
    meant = "mean" if average and together else "sum" if together else "none"
    text = f"size_average and reduce args will be deprecated, please use reduction='{meant}' instead."
    handler = tracing()
    if handler is not None:
        handler.warn(text)
    warnings.warn(text, stacklevel=4)
    return meant


def weighted(name: str, loss: Value, weight: Value, reduction: str) -> Value:
    """The losses of elements times their weights, reduced; a mean is over the weights."""
    if tuple(weight.shape) != tuple(loss.shape):
        raise LayerArgumentError("Weights and input must have the same size.")
    total = reduced(name, mul(loss, weight), "sum" if reduction == "mean" else reduction)
    if reduction != "mean":
        return total
    return apply(DIVIDE, total, apply(SUM, weight, axes=tuple(range(weight.ndim))))


def reduced(name: str, loss: Value, reduction: str) -> Value:
    """The losses of elements as `reduction` asks for them."""
    check_reduction(name, reduction)
    if reduction == "none":
        return loss
    return apply(MEAN if reduction == "mean" else SUM, loss, axes=tuple(range(loss.ndim)))


def check_reduction(name: str, reduction: str) -> None:
    """Errors: LayerArgumentError for another word than the three."""
    if reduction not in _REDUCTIONS:
        raise LayerArgumentError(f"{name}: reduction is 'mean', 'sum' or 'none', got {reduction!r}")
