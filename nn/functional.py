"""Layers, activations and losses as functions; the modules call these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.dtypes import DType
from ..ops.composite import GELU, LAYER_NORM, LINEAR, LOG_SOFTMAX, RELU, SIGMOID, SILU, SOFTMAX
from ..ops.pointwise import ADD, TANH
from ..tensor.dispatch import apply, apply_
from ..tensor.promotion import as_float, to_dtype
from ..tensor.shapes import wrap_axis
from ..tensor.surface import surface
from .checks import check_dtypes, shape_text
from .errors import LayerArgumentError, LayerShapeError
from .loss_functions import binary_cross_entropy_with_logits, cross_entropy, l1_loss, mse_loss, nll_loss

Value = Any
"""A Tensor, or what stands for one while a function is traced."""

__all__ = [
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "gelu",
    "l1_loss",
    "layer_norm",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "relu",
    "sigmoid",
    "silu",
    "softmax",
    "tanh",
]


@surface
def linear(input: Value, weight: Value, bias: Value | None = None) -> Value:
    """``input @ weight.T + bias``. Shapes: input [*, k], weight [m, k], bias [m] -> [*, m]."""
    check_dtypes("linear", input, weight, bias)
    if input.ndim == 0 or weight.ndim != 2 or input.shape[-1] != weight.shape[1]:
        raise LayerShapeError(f"linear: input {shape_text(input)} does not fit weight {shape_text(weight)}: last axes differ")
    if bias is None:
        return apply(LINEAR, input, weight)
    if tuple(bias.shape) != (weight.shape[0],):
        raise LayerShapeError(f"linear: bias {shape_text(bias)} does not fit weight {shape_text(weight)}: one entry a row")
    return apply(LINEAR, input, weight, bias)


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
    shape = tuple(normalized_shape)
    if not shape or tuple(input.shape[-len(shape) :]) != shape:
        raise LayerShapeError(f"layer_norm: the last axes of input {shape_text(input)} are not {list(shape)}")
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and tuple(each.shape) != shape:
            raise LayerShapeError(f"layer_norm: {name} is {shape_text(each)}, expected {list(shape)}")
    given = (input,) if weight is None and bias is None else (input, weight)
    if bias is None:
        return apply(LAYER_NORM, *given, rank=len(shape), eps=float(eps))
    if weight is None:
        return apply(ADD, apply(LAYER_NORM, input, rank=len(shape), eps=float(eps)), bias)
    return apply(LAYER_NORM, input, weight, bias, rank=len(shape), eps=float(eps))


# Activations.


@surface
def relu(input: Value, inplace: bool = False) -> Value:
    """The larger of `input` and 0."""
    return apply_(RELU, input) if inplace else apply(RELU, input)


@surface
def gelu(input: Value, approximate: str = "none") -> Value:
    """`input` times the normal distribution function of it; approximate="tanh" takes the usual approximation."""
    if approximate not in ("none", "tanh"):
        raise LayerArgumentError(f"gelu: approximate is 'none' or 'tanh', got {approximate!r}")
    return apply(GELU, input, approximate=approximate)


@surface
def silu(input: Value, inplace: bool = False) -> Value:
    """``input * sigmoid(input)``."""
    return apply_(SILU, input) if inplace else apply(SILU, input)


@surface
def sigmoid(input: Value) -> Value:
    """``1 / (1 + exp(-input))``."""
    return apply(SIGMOID, as_float(input))


@surface
def tanh(input: Value) -> Value:
    """The hyperbolic tangent."""
    return apply(TANH, as_float(input))


@surface
def softmax(input: Value, dim: int, dtype: DType | None = None) -> Value:
    """Positive numbers that sum to 1 along `dim`, in proportion to ``exp(input)``."""
    input = input if dtype is None else to_dtype(input, dtype)
    return apply(SOFTMAX, input, axis=wrap_axis(dim, input.ndim))


@surface
def log_softmax(input: Value, dim: int, dtype: DType | None = None) -> Value:
    """The logarithm of `softmax`, without overflow."""
    input = input if dtype is None else to_dtype(input, dtype)
    return apply(LOG_SOFTMAX, input, axis=wrap_axis(dim, input.ndim))
