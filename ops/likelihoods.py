"""Composites that are negative log likelihoods, element by element."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .emitter import Emitter
from .registry import Array, Composite, Sample, define_op

Value = Any
LEAST = -100.0
"""What logarithms count as at the least."""
NARROWEST = 1e-12
"""What the variance of a probability counts as at the least, in its derivative."""


# binary_cross_entropy: -(target * log(self) + (1 - target) * log(1 - self)), with logarithms bounded from below.
def _meta(x: TensorType, target: TensorType) -> TensorType:
    if not x.dtype.is_float or target != x:
        raise OpError(f"binary_cross_entropy takes floats and targets of one type, got {x} and {target}")
    return x


def _logs(f: Emitter, x: Value) -> tuple[Value, Value]:
    """The logarithms of the probabilities of 1 and of 0."""
    return f.maximum(f.log(x), LEAST), f.maximum(f.log1p(f.negative(x)), LEAST)


def _expanded(f: Emitter, x: Value, target: Value) -> Value:
    of_one, of_zero = _logs(f, x)
    return f.subtract(f.multiply(f.subtract(target, 1.0), of_zero), f.multiply(target, of_one))


def _eager(x: Array, target: Array) -> Array:
    least = x.dtype.type(LEAST)
    of_zero = np.maximum(np.log1p(-x), least)
    return np.subtract((target - x.dtype.type(1)) * of_zero, target * np.maximum(np.log(x), least))


def _self_rule(f: Emitter, g: Value, self: Value, target: Value) -> Value:
    spread = f.maximum(f.multiply(f.subtract(1.0, self), self), NARROWEST)
    return f.multiply(g, f.divide(f.subtract(self, target), spread))


def _target_rule(f: Emitter, g: Value, self: Value) -> Value:
    of_one, of_zero = _logs(f, self)
    return f.multiply(g, f.subtract(of_zero, of_one))


def _samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        for shape in ((3, 4), (), (0, 2)):
            yield Sample((samples.uniform(0.05, 0.95, shape, dtype), samples.uniform(0.0, 1.0, shape, dtype, 1)))
        ends = np.array([0.0, 1.0, 0.0, 1.0, 1e-30, np.nan], dtype.numpy)
        yield Sample((ends, np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.5], dtype.numpy)))


BINARY_CROSS_ENTROPY = define_op(
    "binary_cross_entropy",
    meta=_meta,
    eager=_eager,
    lower=Composite(_expanded, elementwise=True),
    exact=False,
    operands=("self", "target"),
    vjp=(_self_rule, _target_rule),
    grad_name="BinaryCrossEntropy",
    samples=_samples,
)
