"""Activations made of straight or exponential pieces, and the forms that overwrite their operand."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import DType
from ...ops.activations import RELU
from ...ops.piecewise import ELU, HARDSIGMOID, HARDSWISH, SOFTSHRINK, THRESHOLD
from ...ops.statistics import SOFTMAX
from ...tensor.arithmetic import add, div, mul, neg, sub
from ...tensor.conversion import clone
from ...tensor.creation import empty_like, zeros_like
from ...tensor.dispatch import apply, apply_, check_tensors
from ...tensor.distributions import exponential_
from ...tensor.pointwise import gt, le, log, tanh, where
from ...tensor.promotion import refuse
from ...tensor.random import rand
from ...tensor.reductions import along, argmax
from ...tensor.scattering import scatter
from ...tensor.shaping import unsqueeze
from ...tensor.surface import surface
from ...tensor.writing import copy_
from ..errors import LayerShapeError
from .activations import applied, elu, hardtanh, leaky_relu, softmax

Value = Any
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946
"""The two numbers that make mean 0 and variance 1 a fixed point.   Source: Klambauer et al. 2017."""


@surface
def threshold(input: Value, threshold: float, value: float, inplace: bool = False) -> Value:
    """`input` where it is above the threshold, `value` elsewhere. Errors: NotImplementedError for bools."""
    check_tensors("threshold", input=input)
    refuse("threshold", "b", input)
    if input.dtype.is_float:
        return applied(THRESHOLD, input, inplace, threshold=float(threshold), value=float(value))
    result = where(gt(input, threshold), input, int(value))
    return copy_(input, result) if inplace else result


@surface
def selu(input: Value, inplace: bool = False) -> Value:
    """ELU with the `alpha` and the scale that keep mean 0 and variance 1.

    Shapes: floats of any shape.   Source: Klambauer, Unterthiner, Mayr & Hochreiter 2017.
    """
    refuse("elu", "biu", input)
    return applied(ELU, input, inplace, alpha=SELU_ALPHA, scale=SELU_SCALE, input_scale=1.0)


@surface
def celu(input: Value, alpha: float = 1.0, inplace: bool = False) -> Value:
    """`input` where it is positive, ``alpha * (exp(input / alpha) - 1)`` elsewhere, smooth for any `alpha`.

    Errors: RuntimeError for an `alpha` of 0.   Source: Barron 2017.
    """
    refuse("elu", "biu", input)
    alpha = float(alpha)
    if alpha == 0:
        raise LayerShapeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return applied(ELU, input, inplace, alpha=alpha, scale=1.0, input_scale=1.0 / alpha)


@surface
def hardsigmoid(input: Value, inplace: bool = False) -> Value:
    """The straight line from 0 at -3 to 1 at 3, and those two beyond: a sigmoid made of pieces."""
    refuse("hardsigmoid", "biu", input)
    return applied(HARDSIGMOID, input, inplace)


@surface
def hardswish(input: Value, inplace: bool = False) -> Value:
    """`input` times its `hardsigmoid`.   Source: Howard et al. 2019, Searching for MobileNetV3."""
    refuse("hardswish", "biu", input)
    return applied(HARDSWISH, input, inplace)


@surface
def softshrink(input: Value, lambd: float = 0.5) -> Value:
    """0 between ``-lambd`` and ``lambd``, the distance of `input` from the nearer of them beyond.

    Errors: RuntimeError for a negative `lambd`.
    """
    refuse("softshrink", "biu", input)
    if lambd < 0:
        raise LayerShapeError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    return apply(SOFTSHRINK, input, bound=float(lambd))


@surface
def tanhshrink(input: Value) -> Value:
    """``input - tanh(input)``."""
    return sub(input, tanh(input))


@surface
def softmin(input: Value, dim: int | None = None, _stacklevel: int = 3, dtype: DType | None = None) -> Value:
    """``softmax(-input)`` along `dim`."""
    return softmax(neg(input), dim, _stacklevel, dtype)


@surface
def rrelu(
    input: Value, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Value:
    """`input` where it is positive, a share of it elsewhere.

    In training the share is drawn for each element, evenly from `lower` to `upper`, by the default generator; else it
    is the mean of the two.
    Errors: RuntimeError for bounds in the wrong order.
    Source: Xu, Wang, Chen & Li 2015, Empirical evaluation of rectified activations.
    """
    refuse("rrelu_with_noise", "biu", input)
    if lower > upper:
        raise LayerShapeError(f"Lower bound should be less than or equal to the upper bound, got {lower} and {upper}")
    if not training:
        return leaky_relu(input, (float(lower) + float(upper)) / 2, inplace)
    drawn = rand(tuple(input.shape), dtype=input.dtype, device=input.device)
    share = add(mul(drawn, float(upper) - float(lower)), float(lower))
    x = clone(input) if inplace else input  # which the derivative reads
    result = where(le(x, 0), mul(x, share), x)
    return copy_(input, result) if inplace else result


@surface
def gumbel_softmax(logits: Value, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Value:
    """A sample of a categorical distribution, made differentiable: softmax of the logits plus Gumbel noise.

    tau: the temperature.   hard: the result is one-hot, and has the gradient of the softmax.   eps: not used.
    Shapes: logits floats [*]; the result has that shape, and sums to 1 along `dim`.
    Source: Jang, Gu & Poole 2017; Maddison, Mnih & Teh 2017.
    """
    drawn = exponential_(empty_like(logits).detach())
    soft = along(SOFTMAX, div(sub(logits, log(drawn)), tau), dim, None)
    if not hard:
        return soft
    place = unsqueeze(argmax(soft, dim), dim)
    picked = scatter(zeros_like(logits).detach(), dim, place, 1.0)
    return add(sub(picked, soft.detach()), soft)


# The forms that overwrite their operand.


@surface
def relu_(input: Value) -> Value:
    """`input` itself, after it became ``relu(input)``."""
    refuse("relu", "b", input)
    return apply_(RELU, input)


@surface
def threshold_(input: Value, threshold: float, value: float) -> Value:
    """`input` itself, after it became ``threshold(input, threshold, value)``."""
    return _with_threshold(input, threshold, value, True)


_with_threshold = threshold  # of which the parameter below has the name


@surface
def elu_(input: Value, alpha: float = 1.0) -> Value:
    """`input` itself, after it became ``elu(input, alpha)``."""
    return elu(input, alpha, True)


@surface
def selu_(input: Value) -> Value:
    """`input` itself, after it became ``selu(input)``."""
    return selu(input, True)


@surface
def celu_(input: Value, alpha: float = 1.0) -> Value:
    """`input` itself, after it became ``celu(input, alpha)``."""
    return celu(input, alpha, True)


@surface
def hardtanh_(input: Value, min_val: float = -1.0, max_val: float = 1.0) -> Value:
    """`input` itself, after it became ``hardtanh(input, min_val, max_val)``."""
    return hardtanh(input, min_val, max_val, True)


@surface
def leaky_relu_(input: Value, negative_slope: float = 0.01) -> Value:
    """`input` itself, after it became ``leaky_relu(input, negative_slope)``."""
    return leaky_relu(input, negative_slope, True)


@surface
def rrelu_(input: Value, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Value:
    """`input` itself, after it became ``rrelu(input, lower, upper, training)``."""
    return rrelu(input, lower, upper, training, True)
