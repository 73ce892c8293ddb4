"""Losses of predicted classes as functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import Any

from ...ops.activations import SOFTPLUS
from ...ops.indexing import TAKE
from ...ops.layers import NLL_LOSS
from ...ops.movement import PERMUTE, RESHAPE
from ...ops.pointwise import CAST, DIVIDE, NOT_EQUAL, WHERE
from ...ops.reduction import SUM
from ...ops.statistics import LOG_SOFTMAX
from ...tensor.arithmetic import add, mul, neg, sub
from ...tensor.contraction import linear
from ...tensor.dispatch import apply, check_tensors
from ...tensor.shaping import reshape_to
from ...tensor.surface import surface
from ..checks import shape_text
from ..errors import LayerArgumentError, LayerDtypeError, LayerShapeError, TargetShapeError
from .loss_reduction import check_reduction, reduced, reduction_of

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def binary_cross_entropy_with_logits(
    input: Value,
    target: Value,
    weight: Value | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Value | None = None,
) -> Value:
    """Minus the logarithm of the probability of `target`, where `input` are the logits of 1.

    ``(1 - t) * x + log(1 + exp(-x))``, which does not overflow. `pos_weight` multiplies what concerns targets of
    1, `weight` multiplies every element.
    """
    check_tensors("binary_cross_entropy_with_logits", input=input, target=target)
    if tuple(input.shape) != tuple(target.shape):
        raise _unfit("binary_cross_entropy_with_logits", input, target, input.shape)
    rest = apply(SOFTPLUS, neg(input))
    if pos_weight is not None:
        rest = mul(add(mul(sub(pos_weight, 1.0), target), 1.0), rest)
    loss = add(mul(sub(1.0, target), input), rest)
    if weight is not None:
        loss = mul(loss, weight)
    return reduced("binary_cross_entropy_with_logits", loss, reduction_of(size_average, reduce, reduction))


@surface
def nll_loss(
    input: Value,
    target: Value,
    weight: Value | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """Minus the entry of `input` that `target` picks: of log-probabilities, the negative log likelihood.

    Shapes: input [C], [N, C] or [N, C, d1, …]; target i64 without the axis C; weight [C].
    weight: multiplies the loss of each class; the mean is over the weights.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("nll_loss", reduction)
    check_tensors("nll_loss", input=input, target=target)
    _check_classes("nll_loss", input, target)
    loss = _picked(_rows(input), _flat(target), weight, index(ignore_index), reduction)
    return apply(RESHAPE, loss, shape=tuple(target.shape)) if reduction == "none" and target.ndim != 1 else loss


def _picked(rows: Value, flat: Value, weight: Value | None, ignore_index: int, reduction: str) -> Value:
    """The negative log likelihood of rows of log-probabilities, each multiplied by the weight of its class."""
    if weight is None:
        return apply(NLL_LOSS, rows, flat, ignore_index=ignore_index, reduction=reduction)
    each = apply(NLL_LOSS, rows, flat, ignore_index=ignore_index, reduction="none")
    weights = _weights_of(rows, flat, weight, ignore_index)
    weighed = mul(each, weights)
    if reduction == "none":
        return weighed
    total = apply(SUM, weighed, axes=(0,))
    return total if reduction == "sum" else apply(DIVIDE, total, apply(SUM, weights, axes=(0,)))


def _weights_of(rows: Value, flat: Value, weight: Value, ignore_index: int) -> Value:
    """The weight of the class of each row; 0 for those that are ignored. Errors: LayerShapeError for other weights."""
    if tuple(weight.shape) != (rows.shape[1],):
        raise LayerShapeError(f"weight is one number for each of {rows.shape[1]} classes, got {shape_text(weight)}")
    counts = apply(NOT_EQUAL, flat, ignore_index)
    return apply(WHERE, counts, apply(TAKE, weight, apply(WHERE, counts, flat, 0), axis=0), 0.0)


@surface
def cross_entropy(
    input: Value,
    target: Value,
    weight: Value | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Value:
    """The negative log likelihood of `target` under ``softmax(input)``.

    Shapes: input [C], [N, C] or [N, C, d1, …]; target: classes, i64 without the axis C; or probabilities, of input's
    shape and dtype; weight [C], which multiplies the loss of each class.
    """
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("cross_entropy", reduction)
    # Numbers that decide what is computed have to be known while a function is traced.
    ignore_index, label_smoothing = index(ignore_index), float(label_smoothing)
    if not 0.0 <= label_smoothing <= 1.0:
        raise LayerArgumentError(f"cross_entropy: label_smoothing is between 0 and 1, got {label_smoothing}")
    if _is_float("cross_entropy", input, target):
        return _cross_entropy_of_probabilities(input, target, weight, reduction, label_smoothing)
    _check_classes("cross_entropy", input, target)
    rows, flat = apply(LOG_SOFTMAX, _rows(input), axis=1), _flat(target)
    loss = _picked(rows, flat, weight, ignore_index, reduction)
    if label_smoothing > 0.0:
        even = _spread_evenly(rows, flat, weight, ignore_index, reduction)
        share = label_smoothing / rows.shape[1]
        loss = add(mul(loss, 1.0 - label_smoothing), mul(even, share))
    return apply(RESHAPE, loss, shape=tuple(target.shape)) if reduction == "none" and target.ndim != 1 else loss


@surface
def linear_cross_entropy(
    input: Value,
    linear_weight: Value,
    target: Value,
    *,
    linear_bias: Value | None = None,
    weight: Value | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: None = None,
) -> Value:
    """The `cross_entropy` of ``linear(input, linear_weight, linear_bias)`` as logits.

    Shapes: input [F] or [N, F]; linear_weight [C, F] or, beside a batch, [C, d1, …, F]; linear_bias [C, d1, …]; target
        as `cross_entropy` takes it, for logits [N, C, d1, …].
    ignore_index: -100 where none is given.
    Errors: RuntimeError for shapes that do not fit, and an `ignore_index` beside probabilities; NotImplementedError for
        `options`, which would choose how the logits are computed in parts.
    """
    check_tensors("linear_cross_entropy", input=input, linear_weight=linear_weight, target=target)
    if options is not None:
        raise NotImplementedError("linear_cross_entropy computes all logits at once: leave `options` out")
    if input.ndim not in (1, 2):
        raise LayerShapeError(f"expected input with dimensionality 1 or 2, got {input.ndim}")
    if linear_weight.ndim < 2:
        raise LayerShapeError(f"expected linear_weight with dimensionality at least 2, got {linear_weight.ndim}")
    features = input.shape[-1]
    if features != linear_weight.shape[-1]:
        raise LayerShapeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{features} and {linear_weight.shape[-1]}, respectively"
        )
    places = tuple(linear_weight.shape[:-1])
    if linear_bias is not None and tuple(linear_bias.shape) != places:
        raise LayerShapeError(f"expected linear_bias shape {places}, got {tuple(linear_bias.shape)}")
    if len(places) > 1 and input.ndim == 1:
        raise LayerShapeError(
            f"K-dimensional loss defined by linear_weight shape {tuple(linear_weight.shape)} requires batched input, "
            f"(N, {features}), got unbatched input with shape {tuple(input.shape)}"
        )
    shape = (*input.shape[:-1], *places)
    if ignore_index is not None and tuple(target.shape) == shape:
        raise LayerShapeError("ignore_index cannot be specified when target contains probabilities")
    if len(places) > 1:
        linear_weight = reshape_to(linear_weight, (math.prod(places), features))
        linear_bias = None if linear_bias is None else reshape_to(linear_bias, (math.prod(places),))
    logits = reshape_to(linear(input, linear_weight, linear_bias), shape)
    return cross_entropy(
        logits,
        target,
        weight=weight,
        reduction=reduction,
        ignore_index=-100 if ignore_index is None else ignore_index,
        label_smoothing=label_smoothing,
    )


def _spread_evenly(rows: Value, target: Value, weight: Value | None, ignore_index: int, reduction: str) -> Value:
    """The loss for a target that is spread over all classes, times their number; reduced as the loss itself."""
    counts = apply(NOT_EQUAL, target, ignore_index)
    weighed = rows if weight is None else mul(rows, weight)
    cost = apply(WHERE, counts, neg(apply(SUM, weighed, axes=(1,))), 0.0)
    if reduction == "none":
        return cost
    total = apply(SUM, cost, axes=(0,))
    if reduction == "sum":
        return total
    if weight is not None:
        return apply(DIVIDE, total, apply(SUM, _weights_of(rows, target, weight, ignore_index), axes=(0,)))
    return apply(DIVIDE, total, apply(SUM, apply(CAST, counts, dtype=rows.dtype), axes=(0,)))


def _cross_entropy_of_probabilities(
    input: Value, target: Value, weight: Value | None, reduction: str, smoothing: float
) -> Value:
    check_tensors("cross_entropy", input=input, target=target)
    if tuple(input.shape) != tuple(target.shape):
        raise _unfit("cross_entropy", input, target, input.shape)
    axis = 0 if input.ndim == 1 else 1
    if smoothing > 0.0:
        share = smoothing / input.shape[axis]
        target = add(mul(target, 1.0 - smoothing), share)
    cost = mul(apply(LOG_SOFTMAX, input, axis=axis), target)
    if weight is not None:
        cost = mul(cost, apply(RESHAPE, weight, shape=(input.shape[axis], *(1,) * (input.ndim - axis - 1))))
    return reduced("cross_entropy", neg(apply(SUM, cost, axes=(axis,))), reduction)


def _is_float(name: str, input: Value, target: Value) -> bool:
    """Whether the target is of floats. Errors: TypeError where one of the two is no tensor."""
    try:
        return bool(target.dtype.is_float)
    except AttributeError:
        check_tensors(name, input=input, target=target)
        raise


def _check_classes(name: str, input: Value, target: Value) -> None:
    if not target.dtype.is_integer:
        raise LayerDtypeError(f"{name}: a target of classes is of integers, got {target.dtype}")
    shape = tuple(input.shape)
    expected = shape[:1] + shape[2:] if len(shape) > 1 else ()
    if not shape or tuple(target.shape) != expected:
        raise _unfit(name, input, target, expected)


def _unfit(name: str, input: Value, target: Value, expected: Sequence[int]) -> TargetShapeError:
    return TargetShapeError(
        f"{name}: target is {shape_text(target)} and input is {shape_text(input)}; expected target {list(expected)}"
    )


def _rows(input: Value) -> Value:
    """`input` as [rows, classes]."""
    if input.ndim == 2:
        return input
    if input.ndim == 1:
        return apply(RESHAPE, input, shape=(1, *input.shape))
    moved = apply(PERMUTE, input, axes=(0, *range(2, input.ndim), 1))
    return apply(RESHAPE, moved, shape=(math.prod(moved.shape[:-1]), moved.shape[-1]))


def _flat(target: Value) -> Value:
    return target if target.ndim == 1 else apply(RESHAPE, target, shape=(math.prod(target.shape),))
