"""Composites that reduce along axes: mean, variance, softmax."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.errors import OpError
from ..core.sizes import float_of
from ..core.types import TensorType
from . import samples
from .emitter import ArrayEmitter, Emitter
from .reduction import MAX, MIN
from .registry import KERNEL, ROW_KERNEL, Array, Composite, OpDef, Rule, Sample, define_op
from .shape_gradients import Ints, Shapes, restored, shared_rule, spread

Value = Any


def count(shape: Ints, axes: Ints) -> int:
    """The number of elements of something of `shape` that are reduced into one over `axes`."""
    return math.prod(shape[axis] for axis in axes)


def reduced_type(name: str, x: TensorType, axes: Ints) -> TensorType:
    """The type of a reduction of floats over `axes`. Errors: OpError for other dtypes, or axes that `x` does not
    have."""
    if not x.dtype.is_float:
        raise OpError(f"{name} takes floats, got {x}")
    if list(axes) != sorted(set(axes)) or any(not 0 <= axis < x.rank for axis in axes):
        raise OpError(f"{name} takes distinct ascending axes of {x}, got {axes}")
    return x.with_shape(tuple(size for axis, size in enumerate(x.shape) if axis not in axes))


def _over_axes(**attrs: object) -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        for shape, axes in (((5, 7), (0,)), ((5, 7), (1,)), ((5, 7), (0, 1)), ((2, 3, 4), (0, 2)), ((3, 200), (1,))):
            yield samples.with_attrs((samples.values(dtype, shape),), axes=axes, **attrs)


# shared_max, shared_min: the extreme of all elements, whose cotangent those that tie share, NaNs too.
def _shared(name: str, extreme: OpDef) -> OpDef:
    return define_op(
        name,
        meta=lambda x, *, axes: extreme.meta(x, axes=axes),
        eager=extreme.eager,
        lower=Composite(lambda f, x, *, axes: f.apply(extreme, x, axes=axes)),
        operands=("self",),
        vjp=(shared_rule,),
        grad_name=extreme.name.capitalize(),
        samples=extreme.samples,
    )


SHARED_MAX = _shared("shared_max", MAX)
SHARED_MIN = _shared("shared_min", MIN)


# tied: what the elements are where `ties` holds, which are equal (or else their mean); they share the cotangent.
def _tied_meta(x: TensorType, ties: TensorType) -> TensorType:
    if ties.dtype is not dtypes.bool_ or ties.shape != x.shape or not x.dtype.is_float:
        raise OpError(f"tied takes floats and bools of their shape, got {x} and {ties}")
    return x.with_shape(())


def _tied_eager(x: Array, ties: Array) -> Array:
    found = x[ties]
    return np.asarray(found[0] if (found[1:] == found[:-1]).all() or np.isnan(found[0]) else found.mean())


def _ways(f: Emitter, ties: Value, like: Value) -> Value:
    return f.sum(f.cast(ties, dtype=f.dtype(like)), axes=_all(f, ties))


def _all(f: Emitter, x: Value) -> Ints:
    return tuple(range(len(f.shape(x))))


TIED = define_op(
    "tied",
    meta=_tied_meta,
    eager=_tied_eager,
    lower=Composite(lambda f, x, ties: f.divide(f.sum(f.where(ties, x, 0.0), axes=_all(f, x)), _ways(f, ties, x))),
    exact=False,
    operands=("self", "ties"),
    vjp=(lambda f, g, ties: f.where(ties, f.divide(g, _ways(f, ties, g)), 0.0), None),
    grad_name="Median",
    samples=lambda: [
        Sample((np.array([[1.0, 2.0], [2.0, 3.0]], dtype.numpy), np.array([[False, True], [True, False]])))
        for dtype in dtypes.FLOATS
    ],
)


# mean: the sum over `axes`, divided by how many.
def _mean(f: Emitter, x: Value, *, axes: Ints) -> Value:
    return f.divide(f.sum(x, axes=axes), float_of(count(f.shape(x), axes)))


def _mean_eager(x: Array, *, axes: Ints) -> Array:
    return np.asarray(np.add.reduce(x, axis=axes) / count(x.shape, axes))


def _mean_rule(f: Emitter, g: Value, shapes: Shapes, *, axes: Ints) -> Value:
    number = float_of(count(shapes[0], axes))
    if isinstance(f, ArrayEmitter):  # one quotient; whoever is shown the gradient is shown it written out
        return spread(f, f.divide(g, number), shapes[0], axes)
    return f.divide(spread(f, g, shapes[0], axes), number)


MEAN = define_op(
    "mean",
    meta=lambda x, *, axes: reduced_type("mean", x, axes),
    eager=_mean_eager,
    lower=Composite(_mean),
    exact=False,
    operands=("self",),
    vjp=(_mean_rule,),
    samples=lambda: [
        *_over_axes(),
        samples.with_attrs((samples.uniform(-1, 1, ()),), axes=()),
        samples.with_attrs((samples.uniform(-1, 1, (0, 3)),), axes=(0,)),
    ],
)


# var: squared distances from the mean, summed over `axes`, divided by how many less `correction` (0 at the least).
def _freedom(shape: Ints, axes: Ints, correction: int | float) -> Any:
    return float_of(max(count(shape, axes) - correction, 0))


def kept_mean(f: Emitter, x: Value, axes: Ints) -> Value:
    """The mean over `axes`, which are kept with size 1."""
    return restored(f, _mean(f, x, axes=axes), f.shape(x), axes)


def _distance(f: Emitter, x: Value, axes: Ints) -> Value:
    return f.subtract(x, kept_mean(f, x, axes))


def _var(f: Emitter, x: Value, *, axes: Ints, correction: int | float) -> Value:
    distance = _distance(f, x, axes)
    return f.divide(f.sum(f.multiply(distance, distance), axes=axes), _freedom(f.shape(x), axes, correction))


def _var_eager(x: Array, *, axes: Ints, correction: int | float) -> Array:
    distance = np.asarray(x - np.add.reduce(x, axis=axes, keepdims=True) / count(x.shape, axes))
    np.multiply(distance, distance, out=distance)
    return np.asarray(np.divide(np.add.reduce(distance, axis=axes), _freedom(x.shape, axes, correction)))


def _var_rule(f: Emitter, g: Value, self: Value, *, axes: Ints, correction: int | float) -> Value:
    shape = f.shape(self)
    scaled = f.multiply(g, f.divide(f.constant(2.0, g), _freedom(shape, axes, correction)))
    return f.multiply(restored(f, scaled, shape, axes), _distance(f, self, axes))


VAR = define_op(
    "var",
    meta=lambda x, *, axes, correction: reduced_type("var", x, axes),
    eager=_var_eager,
    lower=Composite(_var),
    exact=False,
    operands=("self",),
    vjp=(_var_rule,),
    kernel_from=KERNEL,
    samples=lambda: [*_over_axes(correction=1), *_over_axes(correction=0)],
)


def _along_axis(
    name: str, eager: Callable[..., Array], expand: Callable[..., Value], rule: Rule, grad_name: str
) -> OpDef:
    """A composite that normalises along `axis` and keeps the shape."""

    def meta(x: TensorType, *, axis: int) -> TensorType:
        reduced_type(name, x, (axis,))
        return x

    return define_op(
        name,
        meta=meta,
        eager=lambda x, *, axis: eager(x, axis) if x.size else x.copy(),
        lower=Composite(lambda f, x, *, axis: expand(f, x, axis) if 0 not in f.shape(x) else x),
        exact=False,
        operands=("self",),
        vjp=(rule,),
        grad_name=grad_name,
        samples=_along_axis_samples,
        kernel_from=ROW_KERNEL,
    )


def _along_axis_samples() -> Iterable[Sample]:
    for dtype in dtypes.FLOATS:
        for shape, axis in (((5, 7), 1), ((5, 7), 0), ((2, 3, 4), 1), ((6,), 0), ((3, 200), 1)):
            yield samples.with_attrs((samples.values(dtype, shape),), axis=axis)
        yield samples.with_attrs((np.array([[1e4, -1e4, 0.0], [-300.0, -301.0, 300.0]], dtype.numpy),), axis=1)
    yield samples.with_attrs((samples.uniform(-1, 1, (0, 3)),), axis=1)
    yield samples.with_attrs((samples.uniform(-1, 1, (2, 0)),), axis=1)


def total(f: Emitter, x: Value, axis: int) -> Value:
    """The sum along `axis`, which is kept with size 1."""
    return restored(f, f.sum(x, axes=(axis,)), f.shape(x), (axis,))


def _below_largest(f: Emitter, x: Value, axis: int) -> Value:
    """`x` less its maximum along `axis`, so that exp does not overflow."""
    return f.subtract(x, restored(f, f.max(x, axes=(axis,)), f.shape(x), (axis,)))


# softmax: exp(x) / sum(exp(x)) along `axis`.
def _softmax(f: Emitter, x: Value, axis: int) -> Value:
    powers = f.exp(_below_largest(f, x, axis))
    return f.divide(powers, total(f, powers, axis))


def _softmax_eager(x: Array, axis: int) -> Array:
    result = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    np.exp(result, out=result)
    result /= np.add.reduce(result, axis=axis, keepdims=True)
    return result


def _softmax_rule(f: Emitter, g: Value, result: Value, *, axis: int) -> Value:
    return f.multiply(result, f.subtract(g, total(f, f.multiply(g, result), axis)))


SOFTMAX = _along_axis("softmax", _softmax_eager, _softmax, _softmax_rule, "Softmax")


# masked_softmax: softmax, but zeros where everything along `axis` is minus infinity: nothing is left to take a share.
def _finite_largest(f: Emitter, x: Value, axis: int) -> Value:
    largest = restored(f, f.max(x, axes=(axis,)), f.shape(x), (axis,))
    return f.where(f.equal(largest, -math.inf), 0.0, largest)


def _masked_softmax(f: Emitter, x: Value, axis: int) -> Value:
    powers = f.exp(f.subtract(x, _finite_largest(f, x, axis)))
    whole = total(f, powers, axis)
    return f.divide(powers, f.where(f.equal(whole, 0.0), 1.0, whole))


def _masked_softmax_eager(x: Array, axis: int) -> Array:
    largest = np.maximum.reduce(x, axis=axis, keepdims=True)
    largest[np.isneginf(largest)] = 0
    result = x - largest
    np.exp(result, out=result)
    whole = np.add.reduce(result, axis=axis, keepdims=True)
    whole[whole == 0] = 1
    result /= whole
    return result


MASKED_SOFTMAX = _along_axis("masked_softmax", _masked_softmax_eager, _masked_softmax, _softmax_rule, "SafeSoftmax")


# log_softmax: x - log(sum(exp(x))) along `axis`.
def _log_softmax(f: Emitter, x: Value, axis: int) -> Value:
    below = _below_largest(f, x, axis)
    return f.subtract(below, f.log(total(f, f.exp(below), axis)))


def _log_softmax_eager(x: Array, axis: int) -> Array:
    result = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    result -= np.log(np.add.reduce(np.exp(result), axis=axis, keepdims=True))
    return result


def _log_softmax_rule(f: Emitter, g: Value, result: Value, *, axis: int) -> Value:
    return f.subtract(g, f.multiply(f.exp(result), total(f, g, axis)))


LOG_SOFTMAX = _along_axis("log_softmax", _log_softmax_eager, _log_softmax, _log_softmax_rule, "LogSoftmax")
