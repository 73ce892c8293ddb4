"""Composites of layers that bring channels to a mean and a variance, which are given."""

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


# standardise: (x - mean) / sqrt(var + eps), times weight, plus bias, of x [n, c, *] and the others [c].
def _meta(x: TensorType, *given: TensorType, eps: float) -> TensorType:
    if not x.dtype.is_float or x.rank < 2 or not 2 <= len(given) <= 4:
        raise OpError(f"standardise takes floats [n, c, *] and 2 to 4 operands [c], got {x} and {len(given)}")
    expected = x.with_shape(x.shape[1:2])
    for name, each in zip(("mean", "var", "weight", "bias"), given):
        if each != expected:
            raise OpError(f"standardise takes a {name} of {expected}, got {each}")
    return x


def _spread(f: Emitter, each: Value, like: Value) -> Value:
    """An operand [c] as [1, c, 1, …], which broadcasts to the shape of `like`."""
    shape = f.shape(like)
    return f.reshape(each, shape=(1, shape[1], *(1 for _ in shape[2:])))


def _scale(f: Emitter, var: Value, weight: Value | None, eps: float) -> Value:
    """[c]: what distances from the mean are multiplied by."""
    inverse = f.divide(1.0, f.sqrt(f.add(var, eps)))
    return inverse if weight is None else f.multiply(inverse, weight)


def _standardise(
    f: Emitter, x: Value, mean: Value, var: Value, weight: Value | None = None, bias: Value | None = None, *, eps: float
) -> Value:
    scale = _scale(f, var, weight, eps)
    result = f.multiply(f.subtract(x, _spread(f, mean, x)), _spread(f, scale, x))
    return result if bias is None else f.add(result, _spread(f, bias, x))


def _eager(
    x: Array, mean: Array, var: Array, weight: Array | None = None, bias: Array | None = None, *, eps: float
) -> Array:
    shape = (1, -1) + (1,) * (x.ndim - 2)
    scale = np.sqrt(var + x.dtype.type(eps))
    np.divide(1, scale, out=scale)
    if weight is not None:
        scale *= weight
    result = np.subtract(x, mean.reshape(shape))
    result *= scale.reshape(shape)
    if bias is not None:
        result += bias.reshape(shape)
    return result


def _of_channels(f: Emitter, g: Value) -> Value:
    """[c]: the sums over all other axes."""
    rank = len(f.shape(g))
    return f.sum(g, axes=(0, *range(2, rank)))


def _along_distance(f: Emitter, g: Value, input: Value, mean: Value) -> Value:
    """[c]: the sums of the cotangent times the distances from the mean."""
    distance = f.subtract(input, _spread(f, mean, input))
    return _of_channels(f, f.multiply(g, distance))


def _input_rule(f: Emitter, g: Value, var: Value, weight: Value | None, *, eps: float) -> Value:
    return f.multiply(g, _spread(f, _scale(f, var, weight, eps), g))


def _mean_rule(f: Emitter, g: Value, var: Value, weight: Value | None, *, eps: float) -> Value:
    return f.negative(f.multiply(_of_channels(f, g), _scale(f, var, weight, eps)))


def _var_rule(
    f: Emitter, g: Value, input: Value, mean: Value, var: Value, weight: Value | None, *, eps: float
) -> Value:
    slope = f.divide(f.multiply(_scale(f, var, weight, eps), -0.5), f.add(var, eps))
    return f.multiply(_along_distance(f, g, input, mean), slope)


def _weight_rule(f: Emitter, g: Value, input: Value, mean: Value, var: Value, *, eps: float) -> Value:
    return f.multiply(_along_distance(f, g, input, mean), _scale(f, var, None, eps))


def _bias_rule(f: Emitter, g: Value) -> Value:
    return _of_channels(f, g)


def _samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        for shape in ((5, 3), (2, 3, 4), (2, 1, 3, 2), (4, 3, 5, 5), (0, 3), (2, 0, 3)):
            c = (shape[1],)
            operands = (
                samples.values(dtype, shape),
                samples.values(dtype, c, 1),
                samples.uniform(0.1, 3.0, c, dtype, 2),
                samples.values(dtype, c, 3),
                samples.values(dtype, c, 4),
            )
            for given in (3, 4, 5):
                yield samples.with_attrs(operands[:given], eps=1e-5)


STANDARDISE = define_op(
    "standardise",
    meta=_meta,
    eager=_eager,
    lower=Composite(_standardise),
    exact=False,
    operands=("input", "mean", "var", "weight", "bias"),
    vjp=(_input_rule, _mean_rule, _var_rule, _weight_rule, _bias_rule),
    grad_name="NativeBatchNorm",
    samples=_samples,
)
