"""Losses that ask for a margin between what belongs together and what does not, as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...ops.activations import SOFTPLUS
from ...tensor.arithmetic import add, div, minimum, mul, neg, sub
from ...tensor.creation import arange
from ...tensor.dispatch import apply, check_tensors
from ...tensor.indexing import gather, index_select
from ...tensor.ordering import cumsum
from ...tensor.pointwise import clamp, eq, ge, gt, logical_and, logical_not, lt, ne, sqrt, where
from ...tensor.promotion import to_dtype
from ...tensor.reductions import any as any_of
from ...tensor.reductions import sum as total
from ...tensor.shaping import reshape_to, result_in, unsqueeze
from ...tensor.surface import surface
from ...tensor.tracing import all_hold
from ..checks import shape_text
from ..errors import LayerArgumentError, LayerDtypeError, LayerShapeError
from .activations import logsigmoid
from .distance import pairwise_distance
from .loss_reduction import check_reduction, reduced, reduction_of

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


def _above(x: Value) -> Value:
    """`x` where it is not negative, else 0."""
    return clamp(x, min=0)


@surface
def soft_margin_loss(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """``log(1 + exp(-target * input))``, for targets of 1 and -1; it does not overflow.

    Shapes: floats [*] and targets of the same shape, or one that broadcasts.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("soft_margin_loss", reduction)
    check_tensors("soft_margin_loss", input=input, target=target)
    return reduced("soft_margin_loss", apply(SOFTPLUS, mul(neg(input), target)), reduction)


@surface
def margin_ranking_loss(
    input1: Value,
    input2: Value,
    target: Value,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """``max(0, -target * (input1 - input2) + margin)``: with a target of 1, the first is to be larger by the margin.

    Errors: RuntimeError for operands of different numbers of axes.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("margin_ranking_loss", reduction)
    check_tensors("margin_ranking_loss", input1=input1, input2=input2, target=target)
    if input1.ndim != input2.ndim or input1.ndim != target.ndim:
        raise LayerShapeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {shape_text(input1)}, input2: {shape_text(input2)}, target: {shape_text(target)} "
        )
    return reduced("margin_ranking_loss", _above(add(mul(neg(target), sub(input1, input2)), margin)), reduction)


@surface
def hinge_embedding_loss(
    input: Value,
    target: Value,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """`input` where the target is 1, ``max(0, margin - input)`` where it is -1."""
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("hinge_embedding_loss", reduction)
    check_tensors("hinge_embedding_loss", input=input, target=target)
    far = where(ne(target, 1), _above(sub(margin, input)), 0.0)
    return reduced("hinge_embedding_loss", add(far, where(ne(target, -1), input, 0.0)), reduction)


@surface
def cosine_embedding_loss(
    input1: Value,
    input2: Value,
    target: Value,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """One less the cosine of the angle where the target is 1; where it is -1, as far as it exceeds the margin.

    Shapes: inputs [N, D] and target [N]; or inputs [D] and target [].   Errors: RuntimeError for others.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("cosine_embedding_loss", reduction)
    check_tensors("cosine_embedding_loss", input1=input1, input2=input2, target=target)
    if target.ndim > 1:
        raise LayerShapeError("0D or 1D target tensor expected, multi-target not supported")
    if input1.ndim != target.ndim + 1 or input2.ndim != target.ndim + 1:
        raise LayerShapeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with sizes "
            f"{shape_text(input1)} and {shape_text(input2)}."
        )
    squares = [add(total(mul(each, each), -1), 1e-12) for each in (input1, input2)]
    cosine = div(total(mul(input1, input2), -1), sqrt(mul(*squares)))
    near = where(eq(target, 1), sub(1, cosine), 0.0)
    far = where(eq(target, -1), _above(sub(cosine, margin)), 0.0)
    return reduced("cosine_embedding_loss", add(near, far), reduction)


@surface
def multi_margin_loss(
    input: Value,
    target: Value,
    p: int = 1,
    margin: float = 1.0,
    weight: Value | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """The mean over the classes of ``max(0, margin - input[target] + input[class]) ** p``, without the target itself.

    Shapes: input [N, C] and target i64 [N]; or [C] and one class; weight [C], by the class of the target.
    Errors: ValueError for a `p` other than 1 and 2; RuntimeError for other shapes or a class out of range.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("multi_margin_loss", reduction)
    check_tensors("multi_margin_loss", input=input, target=target)
    if p not in (1, 2):
        raise LayerArgumentError("only p == 1 and p == 2 supported")
    _check_integers("multi_margin_loss", target)
    rows = reshape_to(input, (1, *input.shape)) if input.ndim == 1 else input
    if rows.ndim != 2 or tuple(target.shape) not in ([(rows.shape[0],)] if input.ndim == 2 else [(), (1,)]):
        raise LayerShapeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size {[rows.shape[0]]}, but got {shape_text(target)}. Input has shape "
            f"{shape_text(input)}."
        )
    count, classes = rows.shape
    if weight is not None and tuple(weight.shape) != (classes,):
        raise LayerShapeError(f"inconsistent weight size, expected {classes} but got {shape_text(weight)}")
    column = reshape_to(target, (count, 1))
    if not all_hold(logical_and(ge(column, 0), lt(column, classes))):
        raise LayerShapeError(f"target out of range: a class is at least 0 and below {classes}")
    distance = add(sub(margin, gather(rows, 1, column)), rows)
    wanted = logical_and(gt(distance, 0), ne(arange(classes, device=input.device), column))
    short = where(wanted, distance, 0.0)
    if p == 2:
        short = mul(short, short)
    loss = div(total(short, 1), classes)
    if weight is not None:
        loss = mul(loss, index_select(weight, 0, reshape_to(target, (count,))))
    return reduced("multi_margin_loss", result_in(loss, tuple(target.shape)), reduction)


@surface
def multilabel_margin_loss(
    input: Value,
    target: Value,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """The mean over the classes of ``max(0, 1 - (input[label] - input[other]))``, summed over labels and others.

    The labels of a row are its entries before the first that is -1.
    Shapes: input [N, C] or [C]; target i64 of the same shape.
    Errors: RuntimeError for other shapes, or a label out of range.
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("multilabel_margin_loss", reduction)
    check_tensors("multilabel_margin_loss", input=input, target=target)
    if tuple(input.shape) != tuple(target.shape) or input.ndim not in (1, 2):
        raise LayerShapeError(f"inconsistent target size: {shape_text(target)} for input of size: {shape_text(input)}")
    _check_integers("multilabel_margin_loss", target)
    single = input.ndim == 1
    rows, labels = (unsqueeze(each, 0) if single else each for each in (input, target))
    classes = rows.shape[1]
    if not all_hold(logical_and(ge(labels, -1), lt(labels, classes))):
        raise LayerShapeError(
            f"argument #2 'target' is out of range: a label is at least 0 and below {classes}, or -1 behind the last"
        )
    counts = eq(cumsum(to_dtype(lt(labels, 0), dtypes.int64), 1), 0)
    labels = where(counts, labels, 0)
    # [N, label, class]
    there = logical_and(unsqueeze(counts, 2), eq(unsqueeze(labels, 2), arange(classes, device=input.device)))
    other = logical_not(any_of(there, 1))
    distance = add(sub(1, unsqueeze(gather(rows, 1, labels), 2)), unsqueeze(rows, 1))
    wanted = logical_and(logical_and(unsqueeze(counts, 2), unsqueeze(other, 1)), gt(distance, 0))
    loss = div(total(where(wanted, distance, 0.0), (1, 2)), classes)
    return reduced("multilabel_margin_loss", result_in(loss, ()) if single else loss, reduction)


@surface
def multilabel_soft_margin_loss(
    input: Value,
    target: Value,
    weight: Value | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """The mean over the classes (the last axis) of minus the logarithm of the probability of each target of 0 or 1.

    Shapes: input [*, C] and targets that broadcast to it; weight [C].
    """
    reduction = reduction_of(size_average, reduce, reduction)
    check_reduction("multilabel_soft_margin_loss", reduction)
    check_tensors("multilabel_soft_margin_loss", input=input, target=target)
    loss = neg(add(mul(target, logsigmoid(input)), mul(sub(1, target), logsigmoid(neg(input)))))
    if weight is not None:
        loss = mul(loss, weight)
    return reduced("multilabel_soft_margin_loss", div(total(loss, -1), input.shape[-1]), reduction)


@surface
def triplet_margin_loss(
    anchor: Value,
    positive: Value,
    negative: Value,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Value:
    """``max(0, margin + distance(anchor, positive) - distance(anchor, negative))``.

    swap: the distance of the negative is the smaller one of those to anchor and positive.
    Shapes: [N, D] or [D] each.   Errors: ValueError unless the margin is positive; RuntimeError for other axes.
    Source: Balntas et al. 2016, Learning shallow convolutional feature descriptors with triplet losses.
    """
    reduction = reduction_of(size_average, reduce, reduction)

    def distance(left: Value, right: Value) -> Value:
        return pairwise_distance(left, right, p, eps)

    return _triplet("triplet_margin_loss", anchor, positive, negative, distance, margin, swap, reduction)


def _triplet(
    name: str,
    anchor: Value,
    positive: Value,
    negative: Value,
    distance: Callable[[Value, Value], Value],
    margin: float,
    swap: bool,
    reduction: str,
) -> Value:
    check_reduction(name, reduction)
    check_tensors(name, anchor=anchor, positive=positive, negative=negative)
    if margin <= 0:
        raise LayerArgumentError(f"margin must be greater than 0, got {margin}")
    ranks = anchor.ndim, positive.ndim, negative.ndim
    if len(set(ranks)) > 1:
        raise LayerShapeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return reduced(name, _above(sub(add(near, margin), far)), reduction)


@surface
def triplet_margin_with_distance_loss(
    anchor: Value,
    positive: Value,
    negative: Value,
    *,
    distance_function: Callable[[Value, Value], Value] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Value:
    """`triplet_margin_loss` with any distance; the Euclidean one where none is given."""
    distance = pairwise_distance if distance_function is None else distance_function
    name = "triplet_margin_with_distance_loss"
    return _triplet(name, anchor, positive, negative, distance, margin, swap, reduction)


def _check_integers(name: str, target: Value) -> None:
    if target.dtype is not dtypes.int64:
        raise LayerDtypeError(f"{name}: expected scalar type Long but found {target.dtype}; use .long()")
