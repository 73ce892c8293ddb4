"""Activations as functions."""

from __future__ import annotations

import warnings
from typing import Any

from ...core.dtypes import DType
from ...ops.activations import GELU, RELU, SILU, SOFTPLUS
from ...ops.piecewise import ELU, HARDTANH, LEAKY_RELU
from ...ops.statistics import LOG_SOFTMAX, SOFTMAX
from ...tensor.arithmetic import abs as absolute
from ...tensor.arithmetic import add, div, mul, neg
from ...tensor.conversion import clone
from ...tensor.dispatch import apply, apply_, is_tensor_like, not_a_tensor
from ...tensor.indexing import getitem
from ...tensor.pointwise import clamp, gt, sigmoid, tanh, where
from ...tensor.promotion import refuse
from ...tensor.reductions import along
from ...tensor.shapes import wrap_axis
from ...tensor.surface import surface
from ...tensor.tracing import tracing
from ...tensor.writing import copy_
from ..errors import LayerArgumentError

Value = Any


def applied(op: Any, input: Value, inplace: bool, **attrs: float) -> Value:
    """An op of one operand, whose result overwrites it if `inplace`."""
    return apply_(op, input, **attrs) if inplace else apply(op, input, **attrs)


@surface
def leaky_relu(input: Value, negative_slope: float = 0.01, inplace: bool = False) -> Value:
    """`input` where it is positive, and that share of it elsewhere."""
    refuse("leaky_relu", "biu", input)
    return applied(LEAKY_RELU, input, inplace, slope=float(negative_slope))


@surface
def elu(input: Value, alpha: float = 1.0, inplace: bool = False) -> Value:
    """`input` where it is positive, ``alpha * (exp(input) - 1)`` elsewhere."""
    refuse("elu", "biu", input)
    return applied(ELU, input, inplace, alpha=float(alpha), scale=1.0, input_scale=1.0)


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
        return applied(HARDTANH, input, inplace, low=float(min_val), high=float(max_val))
    result = clamp(input, int(min_val), int(max_val))
    return copy_(input, result) if inplace else result


@surface
def relu6(input: Value, inplace: bool = False) -> Value:
    """`input` between 0 and 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


@surface
def mish(input: Value, inplace: bool = False) -> Value:
    """``input * tanh(log(1 + exp(input)))``."""
    refuse("mish", "biu", input)
    x = clone(input) if inplace else input  # which the derivative reads
    result = mul(x, tanh(apply(SOFTPLUS, x)))
    return copy_(input, result) if inplace else result


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


@surface
def relu(input: Value, inplace: bool = False) -> Value:
    """The larger of `input` and 0."""
    if input.dtype.is_bool:
        raise RuntimeError("Boolean inputs not supported for relu")
    return applied(RELU, input, inplace)


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
    return applied(SILU, input, inplace)
