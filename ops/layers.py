"""Composites that are layers of a network or its loss."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..core import dtypes as d
from ..core.errors import OpError
from ..core.types import TensorType
from . import samples
from .checks import CHECKED_INDEX
from .emitter import Emitter
from .registry import KERNEL, PRODUCT_KERNEL, Array, Composite, Sample, define_op
from .shape_gradients import Ints
from .statistics import count, kept_mean

Value = Any
Shapes = Sequence[Ints]


# linear: input [*lead, k] x weight [m, k] transposed, plus bias [m] -> [*lead, m].
def _linear_meta(x: TensorType, weight: TensorType, bias: TensorType | None = None) -> TensorType:
    fits = x.dtype is weight.dtype and weight.rank == 2 and x.rank >= 1 and x.shape[-1] == weight.shape[1]
    if not fits or x.dtype.is_bool:
        raise OpError(f"linear takes [*, k] and [m, k] of one numeric dtype, got {x} and {weight}")
    if bias is not None and bias != weight.with_shape(weight.shape[:1]):
        raise OpError(f"linear takes a bias of {weight.with_shape(weight.shape[:1])}, got {bias}")
    return x.with_shape((*x.shape[:-1], weight.shape[0]))


def _as_rows(f: Emitter, x: Value) -> Value:
    shape = f.shape(x)
    return x if len(shape) == 2 else f.reshape(x, shape=(math.prod(shape[:-1]), shape[-1]))


def _linear(f: Emitter, x: Value, weight: Value, bias: Value | None = None) -> Value:
    result = f.matmul(_as_rows(f, x), f.permute(weight, axes=(1, 0)))
    if bias is not None:
        result = f.add(result, bias)
    shape = (*f.shape(x)[:-1], f.shape(weight)[0])
    return result if len(shape) == 2 else f.reshape(result, shape=shape)


def _linear_eager(x: Array, weight: Array, bias: Array | None = None) -> Array:
    rows = x if x.ndim == 2 else x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    result = np.matmul(rows, weight.T)
    if bias is not None:
        result += bias
    return result if x.ndim == 2 else result.reshape(*x.shape[:-1], weight.shape[0])


def _linear_input_rule(f: Emitter, g: Value, weight: Value, shapes: Shapes) -> Value:
    rows = f.matmul(_as_rows(f, g), weight)
    return rows if len(shapes[0]) == 2 else f.reshape(rows, shape=shapes[0])


def _linear_weight_rule(f: Emitter, g: Value, input: Value) -> Value:
    return f.matmul(f.permute(_as_rows(f, g), axes=(1, 0)), _as_rows(f, input))


def _linear_bias_rule(f: Emitter, g: Value, shapes: Shapes) -> Value:
    return f.sum(g, axes=tuple(range(len(shapes[0]) - 1)))


def _linear_samples() -> Iterable[Sample]:
    for dtype in d.FLOATS:
        for lead in ((6,), (), (2, 3), (0,)):
            x, weight = samples.values(dtype, (*lead, 5)), samples.values(dtype, (4, 5), 1)
            yield Sample((x, weight))
            yield Sample((x, weight, samples.values(dtype, (4,), 2)))


LINEAR = define_op(
    "linear",
    meta=_linear_meta,
    eager=_linear_eager,
    lower=Composite(_linear),
    exact=False,
    operands=("input", "weight", "bias"),
    vjp=(_linear_input_rule, _linear_weight_rule, _linear_bias_rule),
    grad_name="Addmm",
    samples=_linear_samples,
    kernel_from=replace(PRODUCT_KERNEL, of_rows=True),
)


# layer_norm: the last `rank` axes brought to mean 0 and variance 1, times weight, plus bias (both of those axes).
def _norm_meta(
    x: TensorType, weight: TensorType | None = None, bias: TensorType | None = None, *, rank: int, eps: float
) -> TensorType:
    if not x.dtype.is_float or not 1 <= rank <= x.rank:
        raise OpError(f"layer_norm takes floats and a rank from 1 to that of the operand, got {x} and {rank}")
    expected = x.with_shape(x.shape[x.rank - rank :])
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each != expected:
            raise OpError(f"layer_norm takes a {name} of {expected}, got {each}")
    return x


def _last(shape: Ints, rank: int) -> Ints:
    return tuple(range(len(shape) - rank, len(shape)))


def _normalised(f: Emitter, x: Value, axes: Ints, eps: float) -> tuple[Value, Value]:
    """`x` with mean 0 and variance 1, and what its distances from the mean were multiplied by."""
    distance = f.subtract(x, kept_mean(f, x, axes))
    scale = f.divide(1.0, f.sqrt(f.add(kept_mean(f, f.multiply(distance, distance), axes), eps)))
    return f.multiply(distance, scale), scale


def _norm(
    f: Emitter, x: Value, weight: Value | None = None, bias: Value | None = None, *, rank: int, eps: float
) -> Value:
    result, _ = _normalised(f, x, _last(f.shape(x), rank), eps)
    if weight is not None:
        result = f.multiply(result, weight)
    return result if bias is None else f.add(result, bias)


def _norm_eager(x: Array, weight: Array | None = None, bias: Array | None = None, *, rank: int, eps: float) -> Array:
    axes = _last(x.shape, rank)
    size = count(x.shape, axes)
    result = x - np.add.reduce(x, axis=axes, keepdims=True) / size
    scale = np.add.reduce(result * result, axis=axes, keepdims=True)
    scale /= size
    scale += eps
    np.sqrt(scale, out=scale)
    result /= scale
    if weight is not None:
        result *= weight
    if bias is not None:
        result += bias
    return result


def _norm_input_rule(f: Emitter, g: Value, input: Value, weight: Value | None, *, rank: int, eps: float) -> Value:
    axes = _last(f.shape(input), rank)
    unit, scale = _normalised(f, input, axes, eps)
    scaled = g if weight is None else f.multiply(g, weight)
    along = f.multiply(unit, kept_mean(f, f.multiply(scaled, unit), axes))
    return f.multiply(scale, f.subtract(f.subtract(scaled, kept_mean(f, scaled, axes)), along))


def _norm_weight_rule(f: Emitter, g: Value, input: Value, *, rank: int, eps: float) -> Value:
    shape = f.shape(input)
    unit, _ = _normalised(f, input, _last(shape, rank), eps)
    return f.sum(f.multiply(g, unit), axes=tuple(range(len(shape) - rank)))


def _norm_bias_rule(f: Emitter, g: Value, shapes: Shapes, *, rank: int) -> Value:
    return f.sum(g, axes=tuple(range(len(shapes[0]) - rank)))


def _norm_samples() -> Iterable[Sample]:
    for dtype in d.FLOATS:
        for shape, rank in (((4, 6), 1), ((2, 3, 4), 2), ((2, 3, 4), 1), ((5,), 1), ((3, 100), 1)):
            inner = shape[len(shape) - rank :]
            operands = (samples.values(dtype, shape), samples.values(dtype, inner, 1), samples.values(dtype, inner, 2))
            for given in (1, 2, 3):
                yield samples.with_attrs(operands[:given], eps=1e-5, rank=rank)


LAYER_NORM = define_op(
    "layer_norm",
    meta=_norm_meta,
    eager=_norm_eager,
    lower=Composite(_norm),
    exact=False,
    operands=("input", "weight", "bias"),
    vjp=(_norm_input_rule, _norm_weight_rule, _norm_bias_rule),
    grad_name="NativeLayerNorm",
    kernel_from=KERNEL,
    samples=_norm_samples,
)


# standardise: (x - mean) / sqrt(var + eps), times weight, plus bias, of x [n, c, *] and the others [c].
def _standardise_meta(x: TensorType, *given: TensorType, eps: float) -> TensorType:
    if not x.dtype.is_float or x.rank < 2 or not 2 <= len(given) <= 4:
        raise OpError(f"standardise takes floats [n, c, *] and 2 to 4 operands [c], got {x} and {len(given)}")
    expected = x.with_shape(x.shape[1:2])
    for name, each in zip(("mean", "var", "weight", "bias"), given):
        if each != expected:
            raise OpError(f"standardise takes a {name} of {expected}, got {each}")
    return x


def _along_channels(f: Emitter, each: Value, like: Value) -> Value:
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
    result = f.multiply(f.subtract(x, _along_channels(f, mean, x)), _along_channels(f, scale, x))
    return result if bias is None else f.add(result, _along_channels(f, bias, x))


def _standardise_eager(
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
    distance = f.subtract(input, _along_channels(f, mean, input))
    return _of_channels(f, f.multiply(g, distance))


def _standardise_input_rule(f: Emitter, g: Value, var: Value, weight: Value | None, *, eps: float) -> Value:
    return f.multiply(g, _along_channels(f, _scale(f, var, weight, eps), g))


def _standardise_mean_rule(f: Emitter, g: Value, var: Value, weight: Value | None, *, eps: float) -> Value:
    return f.negative(f.multiply(_of_channels(f, g), _scale(f, var, weight, eps)))


def _standardise_var_rule(
    f: Emitter, g: Value, input: Value, mean: Value, var: Value, weight: Value | None, *, eps: float
) -> Value:
    slope = f.divide(f.multiply(_scale(f, var, weight, eps), -0.5), f.add(var, eps))
    return f.multiply(_along_distance(f, g, input, mean), slope)


def _standardise_weight_rule(f: Emitter, g: Value, input: Value, mean: Value, var: Value, *, eps: float) -> Value:
    return f.multiply(_along_distance(f, g, input, mean), _scale(f, var, None, eps))


def _standardise_bias_rule(f: Emitter, g: Value) -> Value:
    return _of_channels(f, g)


def _standardise_samples() -> Iterable[Sample]:
    for dtype in d.FLOATS:
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
    meta=_standardise_meta,
    eager=_standardise_eager,
    lower=Composite(_standardise),
    exact=False,
    operands=("input", "mean", "var", "weight", "bias"),
    vjp=(
        _standardise_input_rule,
        _standardise_mean_rule,
        _standardise_var_rule,
        _standardise_weight_rule,
        _standardise_bias_rule,
    ),
    grad_name="NativeBatchNorm",
    kernel_from=KERNEL,
    samples=_standardise_samples,
)


# nll_loss: minus the entry that target [n] picks from each row of input [n, classes]; where it is `ignore_index`, 0.
# "mean" divides the sum by the number of targets that are not ignored.
REDUCTIONS = ("mean", "sum", "none")


def _nll_meta(x: TensorType, target: TensorType, *, ignore_index: int, reduction: str) -> TensorType:
    if not x.dtype.is_float or x.rank != 2 or not target.dtype.is_integer or target.shape != x.shape[:1]:
        raise OpError(f"nll_loss takes floats [n, classes] and integers [n], got {x} and {target}")
    if reduction not in REDUCTIONS:
        raise OpError(f"nll_loss takes reduction 'mean', 'sum' or 'none', got {reduction!r}")
    return x.with_shape(target.shape if reduction == "none" else ())


def _as_int64(f: Emitter, target: Value) -> Value:
    return target if f.dtype(target) is d.int64 else f.cast(target, dtype=d.int64)


def _picked(f: Emitter, target: Value, classes: int, ignore_index: int) -> Value:
    """bool[n, classes]: whether the target of a row is that column, and counts."""
    rows = f.shape(target)[0]
    column = f.reshape(_as_int64(f, target), shape=(rows, 1))
    ramp = f.reshape(f.arange(start=0, step=1, size=classes, dtype=d.int64), shape=(1, classes))
    hits = f.equal(ramp, column)
    if 0 <= ignore_index < classes:
        return f.bitwise_and(hits, f.not_equal(column, ignore_index))
    return hits


def _counted(f: Emitter, target: Value, ignore_index: int, like: Value) -> Value:
    """The number of targets that are not ignored, in the dtype of `like`."""
    return f.sum(f.cast(f.not_equal(_as_int64(f, target), ignore_index), dtype=f.dtype(like)), axes=(0,))


def _nll(f: Emitter, x: Value, target: Value, *, ignore_index: int, reduction: str) -> Value:
    classes = f.shape(x)[1]
    checked = f.checked_index(target, size=classes, ignore=ignore_index)
    entries = f.where(_picked(f, checked, classes, ignore_index), f.negative(x), 0.0)
    losses = f.sum(entries, axes=(1,))
    if reduction == "none":
        return losses
    loss = f.sum(losses, axes=(0,))
    # The targets as they came, so that this is one value with what the derivative counts.
    return loss if reduction == "sum" else f.divide(loss, _counted(f, target, ignore_index, x))


def _nll_eager(x: Array, target: Array, *, ignore_index: int, reduction: str) -> Array:
    CHECKED_INDEX.eager(target, size=x.shape[1], ignore=ignore_index)
    valid = target != ignore_index
    counted = int(np.count_nonzero(valid))
    if counted == len(target):
        losses = np.negative(x[np.arange(len(target)), target])
    else:
        rows = np.flatnonzero(valid)
        losses = np.zeros(len(target), x.dtype)
        losses[rows] = -x[rows, target[rows]]
    if reduction == "none":
        return losses
    loss = np.add.reduce(losses)
    return np.asarray(loss if reduction == "sum" else np.divide(loss, x.dtype.type(counted)), x.dtype)


def _nll_rule(f: Emitter, g: Value, self: Value, target: Value, *, ignore_index: int, reduction: str) -> Value:
    rows, classes = f.shape(self)
    slope = f.negative(g)
    if reduction == "mean":
        slope = f.divide(slope, _counted(f, target, ignore_index, g))
    slope = f.reshape(slope, shape=(rows, 1) if reduction == "none" else (1, 1))
    return f.with_history(f.where(_picked(f, target, classes, ignore_index), slope, 0.0), self)


def _nll_samples() -> Iterable[Sample]:
    for dtype in d.FLOATS:
        x, target = samples.uniform(-3, 0, (5, 4), dtype), samples.integers(0, 4, (5,))
        ignoring = np.array([2, -100, 0, -100, 3])
        for reduction in REDUCTIONS:
            yield samples.with_attrs((x, target), ignore_index=-100, reduction=reduction)
            yield samples.with_attrs((x, ignoring), ignore_index=-100, reduction=reduction)
            yield samples.with_attrs((x, target), ignore_index=int(target[0]), reduction=reduction)
    x = samples.uniform(-3, 0, (2, 4))
    yield samples.with_attrs((x, np.array([3, 1], np.uint8)), ignore_index=-100, reduction="mean")
    yield samples.with_attrs((x, np.array([-100, -100])), ignore_index=-100, reduction="mean")
    yield samples.with_attrs((x[:0], np.array([], np.int64)), ignore_index=-100, reduction="sum")


NLL_LOSS = define_op(
    "nll_loss",
    meta=_nll_meta,
    eager=_nll_eager,
    lower=Composite(_nll),
    exact=False,
    operands=("self", "target"),
    vjp=(_nll_rule, None),
    grad_name="NllLoss",
    samples=_nll_samples,
)
