"""Functions that bring values to one size: layer norm, root-mean-square norm, division by a norm."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from ...core import dtypes
from ...ops.layers import LAYER_NORM
from ...tensor.arithmetic import add, div, mul
from ...tensor.dispatch import apply
from ...tensor.pointwise import clamp, rsqrt
from ...tensor.reductions import mean, norm
from ...tensor.surface import surface
from ..checks import check_dtypes, shape_text
from ..errors import LayerShapeError

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
    """`input` over the root of the mean of its squares over the last axes, times weight.   eps: that of the dtype."""
    shape = tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise LayerShapeError(f"rms_norm: the last axes of {list(input.shape)} are not {list(shape)}")
    least = _EPSILON[input.dtype] if eps is None else eps
    squares = mean(mul(input, input), tuple(range(-len(shape), 0)), keepdim=True)
    result = mul(input, rsqrt(add(squares, least)))
    return result if weight is None else mul(result, weight)


_EPSILON = {dtypes.float16: 2.0**-10, dtypes.bfloat16: 2.0**-7, dtypes.float32: 2.0**-23, dtypes.float64: 2.0**-52}


@surface
def normalize(input: Value, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Value:
    """`input` divided by its p-norm over `dim`, or by `eps` where that is larger."""
    return div(input, clamp(norm(input, p, dim, keepdim=True), min=eps))
