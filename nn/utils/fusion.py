"""Batch norm in evaluation, folded into the weight and bias of the layer before it."""

from __future__ import annotations

import copy
from typing import Any

from ...tensor import Tensor
from ...tensor.creation import ones_like, zeros_like
from ...tensor.parameter import Parameter
from ..errors import LayerArgumentError
from ..module import Module


def _folded(
    weight: Tensor,
    bias: Tensor | None,
    mean: Tensor,
    var: Tensor,
    eps: float,
    bn_weight: Tensor | None,
    bn_bias: Tensor | None,
    axis: int,
) -> tuple[Parameter, Parameter]:
    bias = zeros_like(mean) if bias is None else bias
    bn_weight = ones_like(mean) if bn_weight is None else bn_weight
    bn_bias = zeros_like(mean) if bn_bias is None else bn_bias
    scale = bn_weight * (var + eps).rsqrt()
    spread = [1] * weight.ndim
    spread[axis] = -1
    new_weight = (weight * scale.reshape(spread)).to(weight.dtype)
    new_bias = ((bias - mean) * scale + bn_bias).to(bias.dtype)
    return Parameter(new_weight.detach(), weight.requires_grad), Parameter(new_bias.detach(), bias.requires_grad)


def fuse_conv_bn_weights(
    conv_w: Tensor,
    conv_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor | None,
    bn_b: Tensor | None,
    transpose: bool = False,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of a convolution that does what the given one and the batch norm behind it do together.

    Shapes: conv_w [C, *], or [*, C, *] for a transposed one; all others [C].
    """
    return _folded(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 1 if transpose else 0)


def fuse_linear_bn_weights(
    linear_w: Tensor,
    linear_b: Tensor | None,
    bn_rm: Tensor,
    bn_rv: Tensor,
    bn_eps: float,
    bn_w: Tensor,
    bn_b: Tensor,
) -> tuple[Parameter, Parameter]:
    """Weight and bias of a linear layer that does what the given one and the batch norm behind it do together."""
    return _folded(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)


def fuse_conv_bn_eval(conv: Module, bn: Module, transpose: bool = False) -> Any:
    """A copy of a convolution that does what it and the batch norm behind it do, both in evaluation mode.

    Errors: ValueError for modules in training, or a batch norm without running statistics.
    """
    return _fused(conv, bn, 1 if transpose else 0)


def fuse_linear_bn_eval(linear: Module, bn: Module) -> Any:
    """A copy of a linear layer that does what it and the batch norm behind it do, both in evaluation mode.

    Errors: ValueError for modules in training, or sizes that do not fit.
    """
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise LayerArgumentError("To fuse, linear.out_features == bn.num_features or bn.num_features == 1")
    return _fused(linear, bn, 0)


def _fused(layer: Module, bn: Module, axis: int) -> Any:
    if layer.training or bn.training:
        raise LayerArgumentError("Fusion only for eval! Call .eval() on both modules first.")
    if bn.running_mean is None or bn.running_var is None:
        raise LayerArgumentError("a batch norm without running statistics cannot be folded into the layer before it")
    fused = copy.deepcopy(layer)
    fused.weight, fused.bias = _folded(
        layer.weight, layer.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, axis
    )
    return fused
