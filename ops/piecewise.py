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
from .registry import Array, Composite, OpDef, Rule, Sample, define_op

Value = Any


def _piecewise(
    name: str,
    eager: Callable[..., Array],
    expand: Callable[..., Value],
    rule: Rule,
    attributes: Iterable[dict[str, float]],
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
        operands=("self",),
        vjp=(rule,),
    )


# leaky_relu: what is positive, and a share of the rest.
def _leaky_rule(f: Emitter, g: Value, self: Value, *, slope: float) -> Value:
    return f.with_history(f.where(f.less(0.0, self), g, f.multiply(g, slope)), self)


LEAKY_RELU = _piecewise(
    "leaky_relu",
    lambda x, *, slope: np.where(x > 0, x, np.multiply(x, x.dtype.type(slope))),
    lambda f, x, *, slope: f.where(f.less(0.0, x), x, f.multiply(x, slope)),
    _leaky_rule,
    ({"slope": 0.01}, {"slope": 0.25}),
)


# hardtanh: what lies between two bounds; a NaN stays. There is no gradient at and beyond them.
def _hard(f: Emitter, x: Value, *, low: float, high: float) -> Value:
    return f.where(f.less_equal(x, low), low, f.where(f.less_equal(high, x), high, x))


def _hard_eager(x: Array, *, low: float, high: float) -> Array:
    kind = x.dtype.type
    return np.where(x <= kind(low), kind(low), np.where(x >= kind(high), kind(high), x))


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
