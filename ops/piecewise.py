"""Activations made of straight pieces: their gradient depends on the operand by steps, and so has a history."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .pointwise import WHERE
from .registry import KERNEL, Array, Composite, OpDef, Rule, Sample, define_op

Value = Any


def _piecewise(
    name: str,
    eager: Callable[..., Array],
    expand: Callable[..., Value],
    rule: Rule,
    attributes: Iterable[dict[str, float]],
    exact: bool = True,
) -> OpDef:
    """A composite of one float operand, whose result has its type."""

    def meta(x: TensorType, **attrs: float) -> TensorType:
        if not x.dtype.is_float:
            raise OpError(f"{name} takes floats, got {x.dtype}")
        return x

    def sampled() -> Iterable[Sample]:
        for attrs in attributes:
            for each in samples.unary(dtypes.FLOATS):
                yield samples.with_attrs(each.args, **attrs)

    return define_op(
        name,
        meta=meta,
        eager=eager,
        lower=Composite(expand, elementwise=True),
        samples=sampled,
        exact=exact,
        operands=("self",),
        vjp=(rule,),
        kernel_from=KERNEL,
    )


# leaky_relu: what is positive, and a share of the rest.
def _leaky_rule(f: Emitter, g: Value, self: Value, *, slope: float) -> Value:
    return f.with_history(f.where(f.less(0.0, self), g, f.multiply(g, slope)), self)


LEAKY_RELU = _piecewise(
    "leaky_relu",
    lambda x, *, slope: WHERE.eager(x > 0, x, np.multiply(x, x.dtype.type(slope))),
    lambda f, x, *, slope: f.where(f.less(0.0, x), x, f.multiply(x, slope)),
    _leaky_rule,
    ({"slope": 0.01}, {"slope": 0.25}),
)


# hardtanh: what lies between two bounds; a NaN stays. There is no gradient at and beyond them.
def _hard(f: Emitter, x: Value, *, low: float, high: float) -> Value:
    return f.where(f.less_equal(x, low), low, f.where(f.less_equal(high, x), high, x))


def _hard_eager(x: Array, *, low: float, high: float) -> Array:
    kind = x.dtype.type
    return WHERE.eager(x <= kind(low), kind(low), WHERE.eager(x >= kind(high), kind(high), x))


def _hard_rule(f: Emitter, g: Value, self: Value, *, low: float, high: float) -> Value:
    beyond = f.bitwise_or(f.less_equal(self, low), f.less_equal(high, self))
    return f.with_history(f.where(beyond, 0.0, g), self)


HARDTANH = _piecewise(
    "hardtanh",
    _hard_eager,
    _hard,
    _hard_rule,
    ({"low": -1.0, "high": 1.0}, {"low": 0.0, "high": 6.0}),
)


# huber: half the square below `delta`; above, the straight line that goes on from there. Its slope is always finite.
def _huber(f: Emitter, x: Value, *, delta: float) -> Value:
    bounded = _hard(f, x, low=-delta, high=delta)
    return f.multiply(bounded, f.subtract(x, f.multiply(bounded, 0.5)))


def _huber_eager(x: Array, *, delta: float) -> Array:
    bounded = _hard_eager(x, low=-delta, high=delta)
    return np.multiply(bounded, x - np.multiply(bounded, x.dtype.type(0.5)))


def _huber_rule(f: Emitter, g: Value, self: Value, *, delta: float) -> Value:
    return f.multiply(g, f.hardtanh(self, low=-delta, high=delta))


HUBER = _piecewise("huber", _huber_eager, _huber, _huber_rule, ({"delta": 1.0}, {"delta": 0.5}))


# threshold: what lies above a bound, and a value in the place of the rest.
def _threshold_rule(f: Emitter, g: Value, self: Value, *, threshold: float) -> Value:
    return f.with_history(f.where(f.less_equal(self, threshold), 0.0, g), self)


THRESHOLD = _piecewise(
    "threshold",
    lambda x, *, threshold, value: WHERE.eager(x <= x.dtype.type(threshold), x.dtype.type(value), x),
    lambda f, x, *, threshold, value: f.where(f.less_equal(x, threshold), value, x),
    _threshold_rule,
    ({"threshold": 0.5, "value": -2.0}, {"threshold": -1.0, "value": 0.25}),
)


# hardshrink: 0 as far as a bound on either side of 0, and what lies beyond.
def _within(f: Emitter, x: Value, bound: float) -> Value:
    return f.bitwise_and(f.less_equal(x, bound), f.less_equal(-bound, x))


def _shrink_rule(f: Emitter, g: Value, self: Value, *, bound: float) -> Value:
    return f.with_history(f.where(_within(f, self, bound), 0.0, g), self)


HARDSHRINK = _piecewise(
    "hardshrink",
    lambda x, *, bound: WHERE.eager((x <= x.dtype.type(bound)) & (x >= x.dtype.type(-bound)), x.dtype.type(0), x),
    lambda f, x, *, bound: f.where(_within(f, x, bound), 0.0, x),
    _shrink_rule,
    ({"bound": 0.5}, {"bound": 0.0}),
)


# softshrink: 0 as far as a bound on either side of 0, and the distance from the nearer bound beyond; a NaN stays.
def _soft(f: Emitter, x: Value, *, bound: float) -> Value:
    beyond = f.where(f.less(x, -bound), f.add(x, bound), f.multiply(x, 0.0))
    return f.where(f.less(bound, x), f.subtract(x, bound), f.where(_within(f, x, bound), 0.0, beyond))


def _soft_eager(x: Array, *, bound: float) -> Array:
    low, high = x.dtype.type(-bound), x.dtype.type(bound)
    return WHERE.eager(x > high, x - high, WHERE.eager(x < low, x + high, WHERE.eager(np.isnan(x), x, x.dtype.type(0))))


SOFTSHRINK = _piecewise("softshrink", _soft_eager, _soft, _shrink_rule, ({"bound": 0.5}, {"bound": 0.0}))


# hardsigmoid: the straight line from 0 at -3 to 1 at 3, and those two beyond.
def _slanted(f: Emitter, x: Value) -> Value:
    return f.divide(_hard(f, f.add(x, 3.0), low=0.0, high=6.0), 6.0)


def _slanted_eager(x: Array) -> Array:
    kind = x.dtype.type
    return np.divide(np.minimum(np.maximum(x + kind(3), kind(0)), kind(6)), kind(6))


def _hardsigmoid_rule(f: Emitter, g: Value, self: Value) -> Value:
    inside = f.bitwise_and(f.less(-3.0, self), f.less(self, 3.0))
    return f.with_history(f.where(inside, f.divide(g, 6.0), 0.0), self)


HARDSIGMOID = _piecewise("hardsigmoid", _slanted_eager, _slanted, _hardsigmoid_rule, ({},))


# hardswish: x times hardsigmoid(x).
def _hardswish_rule(f: Emitter, g: Value, self: Value) -> Value:
    rising = f.multiply(g, f.add(f.divide(self, 3.0), 0.5))
    return f.where(f.less_equal(self, -3.0), 0.0, f.where(f.less(self, 3.0), rising, g))


HARDSWISH = _piecewise(
    "hardswish",
    lambda x: np.multiply(x, _slanted_eager(x)),
    lambda f, x: f.multiply(x, _slanted(f, x)),
    _hardswish_rule,
    ({},),
)


# elu: scale * x where that is positive, scale * alpha * (exp(input_scale * x) - 1) elsewhere.
def _elu(f: Emitter, x: Value, *, alpha: float, scale: float, input_scale: float) -> Value:
    below = f.less_equal(x, 0.0)
    bounded = f.where(below, x, 0.0)  # which cannot overflow
    power = f.expm1(bounded if input_scale == 1 else f.multiply(bounded, input_scale))
    return f.where(below, f.multiply(power, alpha * scale), x if scale == 1 else f.multiply(x, scale))


def _elu_eager(x: Array, *, alpha: float, scale: float, input_scale: float) -> Array:
    kind = x.dtype.type
    result = np.minimum(x, kind(0), out=np.empty(x.shape, x.dtype))  # which cannot overflow, and gives 0 for the rest
    if input_scale != 1:
        result *= kind(input_scale)
    np.expm1(result, out=result)
    result *= kind(alpha * scale)
    above = np.maximum(x, kind(0))
    if scale != 1:
        above = above * kind(scale)
    return np.add(result, above, out=result)


def _elu_rule(f: Emitter, g: Value, self: Value, *, alpha: float, scale: float, input_scale: float) -> Value:
    power = f.exp(f.multiply(f.where(f.less(self, 0.0), self, 0.0), input_scale))  # its own slope at 0 is 0
    factor = f.where(f.less_equal(self, 0.0), f.multiply(power, alpha * scale * input_scale), scale)
    return f.multiply(g, factor)


ELU = _piecewise(
    "elu",
    _elu_eager,
    _elu,
    _elu_rule,
    (
        {"alpha": 1.0, "scale": 1.0, "input_scale": 1.0},
        {"alpha": 1.5, "scale": 1.0, "input_scale": 0.5},
        {"alpha": 1.6732632423543772, "scale": 1.0507009873554805, "input_scale": 1.0},
    ),
    exact=False,
)


# prelu: what is positive, and a weight times the rest.
def _prelu_meta(x: TensorType, weight: TensorType) -> TensorType:
    if not x.dtype.is_float or weight != x:
        raise OpError(f"prelu takes floats and weights of one type, got {x} and {weight}")
    return x


def _prelu_eager(x: Array, weight: Array) -> Array:
    return WHERE.eager(x > 0, x, np.multiply(x, weight))


def _prelu_input_rule(f: Emitter, g: Value, self: Value, weight: Value) -> Value:
    return f.with_history(f.where(f.less(0.0, self), g, f.multiply(g, weight)), self)


PRELU = define_op(
    "prelu",
    meta=_prelu_meta,
    eager=_prelu_eager,
    lower=Composite(lambda f, x, weight: f.where(f.less(0.0, x), x, f.multiply(x, weight)), elementwise=True),
    samples=lambda: samples.binary(dtypes.FLOATS),
    operands=("self", "weight"),
    vjp=(_prelu_input_rule, lambda f, g, self: f.where(f.less(0.0, self), 0.0, f.multiply(g, self))),
    grad_name="PreluKernel",
)
