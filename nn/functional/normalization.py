"""Functions that bring values to one size over their last axes, groups of channels, neighbours, or by a norm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import Any

from ...core import dtypes
from ...ops.layers import LAYER_NORM
from ...tensor.arithmetic import add, div, mul, pow
from ...tensor.dispatch import apply, check_tensors
from ...tensor.joining import narrow
from ...tensor.pointwise import clamp, rsqrt
from ...tensor.promotion import refuse, to_dtype
from ...tensor.reductions import mean, norm
from ...tensor.shaping import reshape_to, result_in
from ...tensor.surface import surface
from ..checks import check_dtypes, shape_text
from ..errors import LayerArgumentError, LayerShapeError
from .padding import pad

Value = Any
"""A Tensor, or what stands for one while a function is traced."""


@surface
def layer_norm(
    input: Value,
    normalized_shape: Sequence[int],
    weight: Value | None = None,
    bias: Value | None = None,
    eps: float = 1e-5,
) -> Value:
    """`input` with mean 0 and variance 1 over its last axes, which are `normalized_shape`; times weight, plus bias."""
    check_dtypes("layer_norm", input, weight, bias)
    shape = tuple(index(size) for size in normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise LayerShapeError(f"layer_norm: the last axes of input {shape_text(input)} are not {list(shape)}")
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and tuple(each.shape) != shape:
            raise LayerShapeError(f"layer_norm: {name} is {shape_text(each)}, expected {list(shape)}")
    given = (input,) if weight is None and bias is None else (input, weight)
    if bias is None:
        return apply(LAYER_NORM, *given, rank=len(shape), eps=float(eps))
    if weight is None:
        return add(apply(LAYER_NORM, input, rank=len(shape), eps=float(eps)), bias)
    return apply(LAYER_NORM, input, weight, bias, rank=len(shape), eps=float(eps))


@surface
def rms_norm(
    input: Value, normalized_shape: Sequence[int], weight: Value | None = None, eps: float | None = None
) -> Value:
    """`input` over the root of the mean of its squares over the last axes, times weight.

    eps: that of the dtype by default. What is narrower than float32 is computed in float32.
    Errors: RuntimeError for axes that are not the last ones, or another weight; NotImplementedError for dtypes that
        are not of floats.
    Source: Zhang & Sennrich 2019, Root Mean Square Layer Normalization.
    """
    check_tensors("rms_norm", input=input)
    refuse("rms_norm", "biuc", input)
    shape = tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise LayerShapeError(f"rms_norm: the last axes of {list(input.shape)} are not {list(shape)}")
    if weight is not None and tuple(weight.shape) != shape:
        raise LayerShapeError(
            "Expected weight to be of same shape as normalized_shape, but got weight of shape "
            f"{shape_text(weight)} and normalized_shape = {list(shape)}"
        )
    x = to_dtype(input, dtypes.float32) if input.dtype.is_narrow else input
    least = _EPSILON[x.dtype] if eps is None else eps
    squares = mean(mul(x, x), tuple(range(-len(shape), 0)), keepdim=True)
    result = mul(x, rsqrt(add(squares, least)))
    return to_dtype(result if weight is None else mul(result, weight), input.dtype)


_EPSILON = {dtypes.float32: 2.0**-23, dtypes.float64: 2.0**-52}


@surface
def normalize(input: Value, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Value:
    """`input` divided by its p-norm over `dim`, or by `eps` where that is larger."""
    return div(input, clamp(norm(input, p, dim, keepdim=True), min=eps))


@surface
def group_norm(
    input: Value, num_groups: int, weight: Value | None = None, bias: Value | None = None, eps: float = 1e-5
) -> Value:
    """`input` with mean 0 and variance 1 over each of `num_groups` groups of channels and all that is behind them.

    Shapes: input floats [N, C, *]; weight and bias [C], which each channel is multiplied by, and which is added to it.
    Errors: RuntimeError for fewer than two axes, channels that the groups do not divide, or other weights; ValueError
    for groups of one element.
    Source: Wu & He 2018, Group Normalization.
    """
    check_tensors("group_norm", input=input)
    refuse("GroupNormKernelImpl", "biu", input)
    if input.ndim < 2:
        raise LayerShapeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    check_dtypes("group_norm", input, weight, bias)
    shape = tuple(input.shape)
    channels, groups = shape[1], index(num_groups)
    if channels % groups:
        raise LayerShapeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{shape_text(input)} and num_groups={groups}"
        )
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and tuple(each.shape) != (channels,):
            raise LayerShapeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {shape_text(each)} and input of shape {shape_text(input)}"
            )
    size = channels // groups * math.prod(shape[2:])
    if shape[0] * size == 1:
        raise LayerArgumentError(
            f"Expected more than 1 value per channel when training, got input size {shape_text(input)}"
        )
    grouped = reshape_to(input, (shape[0], groups, size))
    return of_channels(result_in(apply(LAYER_NORM, grouped, rank=1, eps=float(eps)), shape), weight, bias)


def of_channels(x: Value, weight: Value | None, bias: Value | None) -> Value:
    """`x` [N, C, *] with each channel times its weight, plus its bias, where these are given."""
    spread = (1, x.shape[1], *(1 for _ in x.shape[2:]))
    if weight is not None:
        x = mul(x, reshape_to(weight, spread))
    return x if bias is None else add(x, reshape_to(bias, spread))


@surface
def local_response_norm(input: Value, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Value:
    """`input` over a power of the mean square of its neighbours among the channels.

    ``input / (k + alpha * mean) ** beta``, with the mean over `size` channels around each, where those that are not
    there count as 0.
    Shapes: floats [N, C, *] with at least three axes; the result has that shape.
    Errors: ValueError for fewer axes.
    Source: Krizhevsky, Sutskever & Hinton 2012, ImageNet classification with deep convolutional neural networks.
    """
    if input.ndim < 3:
        raise LayerArgumentError(
            f"local_response_norm: Expected 3D or higher dimensionality input (got {input.ndim} dimensions)"
        )
    size, channels = index(size), input.shape[1]
    squares = mul(input, input)
    around = pad(squares, (*(0 for _ in range(2 * (input.ndim - 2))), size // 2, (size - 1) // 2))
    total = narrow(around, 1, 0, channels)
    for place in range(1, size):
        total = add(total, narrow(around, 1, place, channels))
    return div(input, pow(add(mul(div(total, size), alpha), k), beta))
