"""Functions that bring each channel to mean 0 and variance 1: over a batch, or over each example by itself."""

# Note [Running statistics]
# Mean and variance of the channels are values of their own, which have a history: the derivative goes back
# through them. So the running statistics take what the result is made of, and nothing is computed twice. They are
# written after the result was computed, by a write that counts, as any other.

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ...ops.layers import LAYER_NORM, STANDARDISE
from ...ops.statistics import MEAN, VAR
from ...tensor.arithmetic import add, div, mul, sub
from ...tensor.dispatch import apply, check_tensors, is_tensor_like
from ...tensor.promotion import refuse, to_dtype
from ...tensor.reductions import mean as mean_over
from ...tensor.shaping import reshape_to, result_in
from ...tensor.surface import surface
from ...tensor.writing import copy_
from ..checks import shape_text
from ..errors import LayerArgumentError, LayerDtypeError, LayerShapeError
from .normalization import of_channels

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def batch_norm(
    input: Value,
    running_mean: Value | None,
    running_var: Value | None,
    weight: Value | None = None,
    bias: Value | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Value:
    """`input` with mean 0 and variance 1 in each channel, times weight, plus bias.

    In training mean and variance are those of the batch, and the running ones, where there are any, are moved towards
    them by the share `momentum` (the variance is then that with one degree of freedom less); else they are the running
    ones.
    Shapes: input floats [N, C, *]; all others [C].
    Errors: ValueError for one value per channel in training; RuntimeError for missing statistics, other sizes, or
    several dtypes (statistics and weights in float32 go with narrower inputs).
    Source: Ioffe & Szegedy 2015, Batch Normalization.
    """
    check_tensors("batch_norm", input=input)
    refuse("batch_norm", "biu", input)
    if training:
        _check_batch(input, eps)
    given = {"running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias}
    _check_channels("batch_norm", input, given, not training)
    dtype = input.dtype
    x, weight, bias = (_wide(each) for each in (input, weight, bias))
    if not training:
        result = _standardised(x, _wide(running_mean), _wide(running_var), weight, bias, eps)
        return to_dtype(result, dtype)
    axes = (0, *range(2, x.ndim))
    batch_mean, batch_var = apply(MEAN, x, axes=axes), apply(VAR, x, axes=axes, correction=0)
    result = _standardised(x, batch_mean, batch_var, weight, bias, eps)
    count = math.prod(x.shape[axis] for axis in axes)
    if count and x.shape[1]:
        _move(running_mean, batch_mean, momentum)
        _move(running_var, batch_var, momentum, count)
    return to_dtype(result, dtype)


def _standardised(x: Value, mean: Value, var: Value, weight: Value | None, bias: Value | None, eps: float) -> Value:
    if weight is None:
        return of_channels(apply(STANDARDISE, x, mean, var, eps=float(eps)), None, bias)
    given = (weight,) if bias is None else (weight, bias)
    return apply(STANDARDISE, x, mean, var, *given, eps=float(eps))


def _move(running: Value | None, found: Value, momentum: Any, count: Any = None) -> None:
    """Moves running statistics by a share towards those of a batch.   count: of a variance, that of its elements."""
    if running is None:
        return
    found = found.detach()
    if count is not None:
        found = div(mul(found, count), count - 1)
    if is_tensor_like(momentum):
        kept = sub(1, momentum)
    else:
        momentum = float(momentum)  # known while a function is traced, so that no call has to read it
        kept = 1 - momentum
    copy_(running, add(mul(_wide(running), kept), mul(found, momentum)))


def _wide(value: Value) -> Value:
    """`value`, if there is one, in float32 where its dtype is narrower."""
    return to_dtype(value, dtypes.float32) if value is not None and value.dtype.is_narrow else value


def _check_batch(input: Value, eps: float) -> None:
    if input.ndim < 2:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [-{input.ndim}, {input.ndim - 1}], but got 1): "
            "batch_norm takes [N, C, *]"
        )
    if eps <= 0:
        raise LayerArgumentError(f"batch_norm eps must be positive during training, but got {eps}")
    if math.prod((input.shape[0], *input.shape[2:])) == 1:
        raise LayerArgumentError(
            f"Expected more than 1 value per channel when training, got input size {shape_text(input)}"
        )


def _check_channels(name: str, input: Value, given: dict[str, Value | None], evaluating: bool) -> None:
    """Errors: LayerShapeError unless all that are given are [C]; LayerDtypeError for several dtypes."""
    if input.ndim < 2:
        raise LayerShapeError(f"{name} takes [N, C, *], got {shape_text(input)}")
    channels = input.shape[1]
    for called, each in given.items():
        if each is None:
            if evaluating and called.startswith("running"):
                raise LayerShapeError(f"{called} must be defined in evaluation mode")
            continue
        check_tensors(name, **{called: each})
        if each.ndim != 1 or each.shape[0] != channels:
            raise LayerShapeError(f"{called} should contain {channels} elements not {math.prod(each.shape)}")
    others = {each.dtype for each in given.values() if each is not None}
    if len(others) > 1 or (others and input.dtype not in others and not _takes_wider(input, others)):
        names = ", ".join(sorted(map(str, others)))
        raise LayerDtypeError(
            f"{name}: input is {input.dtype} and statistics and weights are {names}; expected one dtype, or float32 "
            "beside a narrower input: use .to()"
        )


def _takes_wider(input: Value, others: set[Any]) -> bool:
    return bool(input.dtype.is_narrow) and others == {dtypes.float32}


@surface
def instance_norm(
    input: Value,
    running_mean: Value | None = None,
    running_var: Value | None = None,
    weight: Value | None = None,
    bias: Value | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Value:
    """`input` with mean 0 and variance 1 in each channel of each example, times weight, plus bias.

    With `use_input_stats` mean and variance are those of the example, and the running ones, where there are any, are
    moved towards their means over the batch by the share `momentum`; else they are the running ones.
    Shapes: input floats [N, C, *]; all others [C].
    Errors: ValueError for one element per channel of an example; RuntimeError for missing statistics, other sizes, or
    several dtypes.
    Source: Ulyanov, Vedaldi & Lempitsky 2016, Instance Normalization.
    """
    check_tensors("instance_norm", input=input)
    refuse("instance_norm", "biu", input)
    if use_input_stats and (input.ndim < 3 or math.prod(input.shape[2:]) == 1):
        raise LayerArgumentError(
            f"Expected more than 1 spatial element when training, got input size {shape_text(input)}"
        )
    if not use_input_stats and (running_mean is None or running_var is None):
        raise LayerShapeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    given = {"running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias}
    _check_channels("instance_norm", input, given, False)
    dtype = input.dtype
    x, weight, bias = (_wide(each) for each in (input, weight, bias))
    if not use_input_stats:
        result = _standardised(x, _wide(running_mean), _wide(running_var), weight, bias, eps)
        return to_dtype(result, dtype)
    shape = tuple(x.shape)
    size = math.prod(shape[2:])
    rows = reshape_to(x, (*shape[:2], size))
    if running_mean is not None or running_var is not None:
        _move_by_examples(running_mean, running_var, rows.detach(), momentum, size)
    unit = apply(LAYER_NORM, rows, rank=1, eps=float(eps)) if size else rows
    return to_dtype(of_channels(result_in(unit, shape), weight, bias), dtype)


def _move_by_examples(
    running_mean: Value | None, running_var: Value | None, rows: Value, momentum: Any, size: Any
) -> None:
    """Moves running statistics by a share towards the means of those of the examples, [N, C, size]."""
    if not rows.shape[0] or not size:
        return
    _move(running_mean, mean_over(apply(MEAN, rows, axes=(2,)), 0), momentum)
    _move(running_var, mean_over(apply(VAR, rows, axes=(2,), correction=0), 0), momentum, size)
