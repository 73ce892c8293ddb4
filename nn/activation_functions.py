"""Activations that are made of a few operations: as functions."""

from __future__ import annotations

from typing import Any

from ..ops.activations import SOFTPLUS
from ..ops.piecewise import HARDTANH, LEAKY_RELU
from ..tensor.arithmetic import abs as absolute
from ..tensor.arithmetic import add, div, mul, neg
from ..tensor.dispatch import apply
from ..tensor.indexing import getitem
from ..tensor.pointwise import clamp, expm1, gt, le, sigmoid, tanh, where
from ..tensor.promotion import refuse
from ..tensor.shapes import wrap_axis
from ..tensor.surface import surface
from ..tensor.writing import copy_

Value = Any


def _result(input: Value, result: Value, inplace: bool) -> Value:
    return copy_(input, result) if inplace else result


@surface
def leaky_relu(input: Value, negative_slope: float = 0.01, inplace: bool = False) -> Value:
    """`input` where it is positive, and that share of it elsewhere."""
    refuse("leaky_relu", "biu", input)
    return _result(input, apply(LEAKY_RELU, input, slope=float(negative_slope)), inplace)


@surface
def elu(input: Value, alpha: float = 1.0, inplace: bool = False) -> Value:
    """`input` where it is positive, ``alpha * (exp(input) - 1)`` elsewhere."""
    refuse("elu", "biu", input)
    below = mul(expm1(clamp(input, max=0)), alpha)  # which cannot overflow, and then spoil the gradient
    return _result(input, where(le(input, 0), below, input), inplace)


@surface
def softplus(input: Value, beta: float = 1.0, threshold: float = 20.0) -> Value:
    """``log(1 + exp(beta * input)) / beta``; `input` itself where that is the same, above the threshold."""
    refuse("softplus", "biu", input)
    scaled = mul(input, beta)
    return where(gt(scaled, threshold), input, div(apply(SOFTPLUS, scaled), beta))


@surface
def logsigmoid(input: Value) -> Value:
    """The logarithm of the sigmoid, which does not underflow."""
    refuse("log_sigmoid", "biu", input)
    return neg(apply(SOFTPLUS, neg(input)))


@surface
def hardtanh(input: Value, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Value:
    """`input` between two bounds, beyond and at which there is no gradient."""
    refuse("hardtanh", "b", input)
    if input.dtype.is_float:
        return _result(input, apply(HARDTANH, input, low=float(min_val), high=float(max_val)), inplace)
    return _result(input, clamp(input, int(min_val), int(max_val)), inplace)


@surface
def relu6(input: Value, inplace: bool = False) -> Value:
    """`input` between 0 and 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


@surface
def mish(input: Value, inplace: bool = False) -> Value:
    """``input * tanh(log(1 + exp(input)))``."""
    refuse("mish", "biu", input)
    return _result(input, mul(input, tanh(apply(SOFTPLUS, input))), inplace)


@surface
def softsign(input: Value) -> Value:
    """``input / (1 + abs(input))``."""
    return div(input, add(absolute(input), 1))


@surface
def glu(input: Value, dim: int = -1) -> Value:
    """One half of `input` along `dim` times the sigmoid of the other. Errors: RuntimeError for an odd size."""
    axis = wrap_axis(dim, input.ndim)
    size = input.shape[axis]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {size}")
    lead = (slice(None),) * axis
    return mul(getitem(input, (*lead, slice(0, size // 2))), sigmoid(getitem(input, (*lead, slice(size // 2, size)))))
