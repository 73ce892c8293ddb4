"""Negative log likelihoods of distributions as functions."""

from __future__ import annotations

import math
from typing import Any

from ...ops.elementary import BINARY_CROSS_ENTROPY
from ...tensor.arithmetic import add, div, mul, sub
from ...tensor.dispatch import apply, check_tensors, is_tensor_like
from ...tensor.pointwise import exp, ge, le, log, logical_and, lt, where
from ...tensor.promotion import refuse
from ...tensor.shapes import broadcast_shapes
from ...tensor.shaping import unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import all_hold
from ..checks import shape_text
from ..errors import LayerArgumentError, LayerDtypeError, LayerShapeError, TargetShapeError
from .loss_reduction import check_reduction, reduced, reduction_of

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def binary_cross_entropy(
    input: Value,
    target: Value,
    weight: Value | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """Minus the logarithm of the probability of `target`, where `input` is the probability of 1.

    Logarithms count as -100 at the least.
    Shapes: floats of one shape and dtype; weight, which multiplies every element, broadcasts to it.
    Errors: ValueError for shapes that differ; RuntimeError for dtypes that do, or numbers outside of 0 and 1.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("binary_cross_entropy", reduction)
    check_tensors("binary_cross_entropy", input=input, target=target)
    if tuple(input.shape) != tuple(target.shape):
        raise TargetShapeError(
            f"Using a target size ({shape_text(target)}) that is different to the input size ({shape_text(input)}) is "
            "deprecated. Please ensure they have the same size."
        )
    refuse("binary_cross_entropy", "biu", input)
    if target.dtype is not input.dtype:
        raise LayerDtypeError(
            f"binary_cross_entropy: Found dtype {target.dtype} but expected {input.dtype}; use target.to(input.dtype)"
        )
    for name, each in (("input", input), ("target", target)):
        if not all_hold(logical_and(ge(each, 0), le(each, 1))):
            raise LayerShapeError(f"binary_cross_entropy: all elements of {name} should be between 0 and 1")
    loss = apply(BINARY_CROSS_ENTROPY, input, target)
    if weight is not None:
        if broadcast_shapes(tuple(weight.shape), tuple(input.shape)) != tuple(input.shape):
            raise LayerShapeError(f"weight {shape_text(weight)} does not broadcast to input {shape_text(input)}")
        loss = mul(loss, weight)
    return reduced("binary_cross_entropy", loss, reduction)


@surface
def poisson_nll_loss(
    input: Value,
    target: Value,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """Minus the logarithm of the probability of counts, up to a constant, of rates or (`log_input`) their logarithms.

    full: with the constant, by Stirling's formula, for counts above 1.   eps: added to rates before the logarithm.
    Shapes: input and target broadcast.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise LayerArgumentError(f"{reduction} is not a valid value for reduction; expected 'none', 'mean' or 'sum'")
    check_tensors("poisson_nll_loss", input=input, target=target)
    if log_input:
        loss = sub(exp(input), mul(target, input))
    else:
        loss = sub(input, mul(target, log(add(input, eps))))
    if full:
        stirling = add(sub(mul(target, log(target)), target), mul(log(mul(target, 2 * math.pi)), 0.5))
        loss = add(loss, where(le(target, 1), 0.0, stirling))
    return reduced("poisson_nll_loss", loss, reduction)


@surface
def gaussian_nll_loss(
    input: Value,
    target: Value,
    var: Value,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Value:
    """Minus the logarithm of the density of `target` under normal distributions, up to a constant.

    full: with the constant.   eps: the least that a variance counts as; its gradient goes through all the same.
    Shapes: input [*]; target broadcasts; var [*], or with 1 in place of the last axis, or without it, or a number.
    Errors: ValueError for a negative variance, or one of another shape.
    Source: Nix & Weigend 1994, Estimating the mean and variance of the target probability distribution.
    """
    check_tensors("gaussian_nll_loss", input=input, target=target)
    shape = tuple(input.shape)
    if is_tensor_like(var):
        if not all_hold(ge(var, 0)):
            raise LayerArgumentError("gaussian_nll_loss: var has negative entry/entries")
        if tuple(var.shape) != shape:
            if tuple(var.shape) == shape[:-1]:
                var = unsqueeze(var, -1)
            elif tuple(var.shape) != (*shape[:-1], 1):
                raise LayerArgumentError(
                    f"gaussian_nll_loss: var is of incorrect size: got {shape_text(var)} for input {shape_text(input)}"
                )
        # What is too small becomes `eps`, and keeps its history.
        var = where(lt(var, eps), add(sub(var, var.detach()), eps), var)
    elif var < 0:
        raise LayerArgumentError(f"gaussian_nll_loss: var has negative entry/entries: {var}")
    else:
        var = max(float(var), eps)
    if reduction not in ("none", "mean", "sum"):
        raise LayerArgumentError(f"{reduction} is not valid: reduction is 'none', 'mean' or 'sum'")
    distance = sub(input, target)
    of_var = log(var) if is_tensor_like(var) else math.log(var)
    loss = mul(add(div(mul(distance, distance), var), of_var), 0.5)
    if full:
        loss = add(loss, 0.5 * math.log(2 * math.pi))
    return reduced("gaussian_nll_loss", loss, reduction)
