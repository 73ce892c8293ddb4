"""Layers, activations and losses as functions; the modules call these."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from operator import index
from typing import Any

from ..core.dtypes import DType
from ..ops.activations import GELU, RELU, SILU
from ..ops.layers import LAYER_NORM
from ..ops.statistics import LOG_SOFTMAX, SOFTMAX
from ..tensor.arithmetic import add
from ..tensor.contraction import linear
from ..tensor.dispatch import apply, apply_, is_tensor_like, not_a_tensor
from ..tensor.pointwise import sigmoid, tanh
from ..tensor.promotion import refuse
from ..tensor.reductions import along
from ..tensor.surface import surface
from ..tensor.tracing import tracing
from .activation_functions import elu, glu, hardtanh, leaky_relu, logsigmoid, mish, relu6, softplus, softsign
from .checks import check_dtypes, shape_text
from .composed_functions import (
    cosine_similarity,
    huber_loss,
    kl_div,
    normalize,
    one_hot,
    pad,
    rms_norm,
    scaled_dot_product_attention,
    smooth_l1_loss,
)
from .dropout_functions import alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, feature_alpha_dropout
from .embedding_functions import embedding
from .errors import LayerArgumentError, LayerShapeError
from .loss_functions import binary_cross_entropy_with_logits, cross_entropy, l1_loss, mse_loss, nll_loss

Value = Any
"""A Tensor, or what stands for one while a function is traced."""

__all__ = [
    "binary_cross_entropy_with_logits",
    "cosine_similarity",
    "cross_entropy",
    "alpha_dropout",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "feature_alpha_dropout",
    "elu",
    "embedding",
    "gelu",
    "glu",
    "hardtanh",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "mish",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "relu6",
    "rms_norm",
    "scaled_dot_product_attention",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softplus",
    "softsign",
    "tanh",
]


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


# Activations.


@surface
def relu(input: Value, inplace: bool = False) -> Value:
    """The larger of `input` and 0."""
    if input.dtype.is_bool:
        raise RuntimeError("Boolean inputs not supported for relu")
    return apply_(RELU, input) if inplace else apply(RELU, input)


@surface
def softmax(input: Value, dim: int | None = None, _stacklevel: int = 3, dtype: DType | None = None) -> Value:
    """``exp(input) / sum(exp(input))`` along `dim`."""
    return along(SOFTMAX, input, _implicit("softmax", input, _stacklevel) if dim is None else dim, dtype)


@surface
def log_softmax(input: Value, dim: int | None = None, _stacklevel: int = 3, dtype: DType | None = None) -> Value:
    """The logarithm of `softmax`, computed without it."""
    return along(LOG_SOFTMAX, input, _implicit("log_softmax", input, _stacklevel) if dim is None else dim, dtype)


def _implicit(name: str, input: Value, stacklevel: int) -> int:
    """The axis that is meant where none is given, which PyTorch has given up: the second, of some ranks the first."""
    if not is_tensor_like(input):
        raise not_a_tensor(name, "input", 1, input)
    text = f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument."
    handler = tracing()
    if handler is not None:
        handler.warn(text)
    warnings.warn(text, stacklevel=stacklevel)
    return 0 if input.ndim in (0, 1, 3) else 1


@surface
def gelu(input: Value, approximate: str = "none") -> Value:
    """`input` times the normal distribution function of it; approximate="tanh" takes the usual approximation."""
    if approximate not in ("none", "tanh"):
        raise LayerArgumentError(f"gelu: approximate is 'none' or 'tanh', got {approximate!r}")
    refuse("gelu", "biu", input)
    return apply(GELU, input, approximate=approximate)


@surface
def silu(input: Value, inplace: bool = False) -> Value:
    """``input * sigmoid(input)``."""
    refuse("silu", "biu", input)
    return apply_(SILU, input) if inplace else apply(SILU, input)
