"""Reductions and statistics: `sum`, `mean`, `max`, `argmax`, `std` … with NumPy's dtypes, axes and `keepdims`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.sizes import float_of
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops import reduction as r
from ...ops.registry import OpDef
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing import half_floats
from ..tracing.nodes import cast, constant_node
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.symbolic_fake import seen_through
from ..values.arrays.view_steps import Ints, expand, reshape
from ..values.base import Value
from ..values.constant import FALSE, NONE, Constant, is_none
from .creation import as_array
from .memory_order import copied_order, kept_order
from .ufuncs import call_ufunc, supported, target_array

if TYPE_CHECKING:
    from ..tracing.trace import Trace

ZERO = Constant(0)


def axes_of(trace: Trace, axis: Value, rank: int) -> Ints:
    """An `axis` argument as ascending non-negative axes; None means all."""
    given = axis.constant(trace)
    if given is None:
        return tuple(range(rank))
    listed = given if isinstance(given, tuple) else (given,)
    if not rank and listed:
        raise NUMPY_ARGUMENT.stop(name="a reduction", argument="an axis of an array without dimensions")
    return tuple(sorted(np.lib.array_utils.normalize_axis_tuple(listed, rank)))


def reduced(trace: Trace, array: ArrayValue, node: Node, axes: Ints, keepdims: Value, out: Value = NONE) -> Value:
    """The result of a reduction as NumPy returns it: kept axes of size 1 on demand, a scalar for no axes."""
    target = target_array(out)
    if target is not None:
        wide = keepdims.constant(trace)
        sizes = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape) if wide or axis not in axes)
        if target.shape != sizes or target.dtype is not node.type.dtype:
            raise NUMPY_ARGUMENT.stop(name="a reduction", argument="an output array of another shape or dtype")
        target.write(trace, reshape(trace, node, sizes))
        return target
    kept = [axis for axis in range(len(array.shape)) if axis not in axes]
    shape = tuple(array.shape[axis] for axis in kept)
    strides = kept_order(shape, [seen_through(array.fake, kept)])
    if keepdims.constant(trace) and array.shape:
        wide = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
        steps = iter(strides)
        return result(
            trace, reshape(trace, node, wide), tuple(1 if axis in axes else next(steps) for axis in range(len(wide)))
        )
    return result(trace, node, strides, is_numpy_scalar=not shape)


def _source(trace: Trace, a: Value) -> ArrayValue:
    return as_array(trace, a, NONE) if not isinstance(a, ArrayValue) else a


def _accumulator(trace: Trace, array: ArrayValue, dtype: Value, ufunc: np.ufunc) -> DType:
    given = dtype.constant(trace)
    if given is not None:
        return supported(np.dtype(given))
    return supported(ufunc.reduce(np.ones((1,), array.fake.dtype)).dtype)


def _reduction(
    trace: Trace, a: Value, axis: Value, keepdims: Value, out: Value, op: OpDef, kind: DType | None
) -> Value:
    array = _source(trace, a)
    axes = axes_of(trace, axis, len(array.shape))
    node = array.read(trace)
    node = cast(trace, node, kind) if kind is not None else node
    if kind is not None and kind.is_bool and op in (r.SUM, r.PROD):
        raise NUMPY_ARGUMENT.stop(name=f"np.{op.name}", argument="dtype=bool")
    if op in (r.MAX, r.MIN) and any(array.shape[each] == 0 for each in axes):
        raise RAISES.stop(error="ValueError: zero-size array to a reduction which has no identity")
    reduce = half_floats.rounding(lambda trace, node: trace.add(op, node, axes=axes), node.type.dtype)
    return reduced(trace, array, reduce(trace, node), axes, keepdims, out)


@traces(np.sum)
def sum(
    trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE
) -> Value:  # noqa: A001
    return _reduction(trace, a, axis, keepdims, out, r.SUM, _accumulator(trace, _source(trace, a), dtype, np.add))


@traces(np.prod)
def prod(
    trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE
) -> Value:
    return _reduction(trace, a, axis, keepdims, out, r.PROD, _accumulator(trace, _source(trace, a), dtype, np.multiply))


@traces(np.max, np.amax)
def max(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:  # noqa: A001
    return _reduction(trace, a, axis, keepdims, out, r.MAX, None)


@traces(np.min, np.amin)
def min(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:  # noqa: A001
    return _reduction(trace, a, axis, keepdims, out, r.MIN, None)


@traces(np.any)
def any_(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(trace, a, axis, keepdims, out, r.ANY, dtypes.bool_)


@traces(np.all)
def all_(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _reduction(trace, a, axis, keepdims, out, r.ALL, dtypes.bool_)


def _argument(op: OpDef) -> Callable[..., Value]:
    def rule(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, *, keepdims: Value = FALSE) -> Value:
        array = _source(trace, a)
        node, given = half_floats.widened(trace, array.read(trace)), axis.constant(trace)
        if not array.type.size:
            raise NUMPY_ARGUMENT.stop(name=f"np.{op.name}", argument="an empty array")
        if given is None:
            if keepdims.constant(trace):
                raise NUMPY_ARGUMENT.stop(name=f"np.{op.name}", argument="keepdims without an axis")
            flat = result(trace, reshape(trace, node, (array.type.size,)))
            return reduced(trace, flat, trace.add(op, flat.read(trace), axes=(0,)), (0,), FALSE, out)
        axes = axes_of(trace, axis, len(array.shape))
        # NumPy lays argmax out in row-major order, whatever the operand's order.
        plain = result(trace, node)
        return reduced(trace, plain, trace.add(op, node, axes=axes), axes, keepdims, out)

    return rule


argmax = traces(np.argmax)(_argument(r.ARGMAX))
argmin = traces(np.argmin)(_argument(r.ARGMIN))


@traces(np.mean)
def mean(
    trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE
) -> Value:
    array = _source(trace, a)
    axes = axes_of(trace, axis, len(array.shape))
    _refuse_warning(array, axes, "np.mean")
    kind = _mean_dtype(trace, array, dtype)
    if kind.is_half and not (is_none(dtype) and is_none(out)):
        raise NUMPY_ARGUMENT.stop(name="np.mean", argument="float16 for the sum")
    average = half_floats.rounding(lambda trace, node: _mean(trace, node, axes), kind)
    return reduced(trace, array, average(trace, cast(trace, array.read(trace), kind)), axes, keepdims, out)


def _refuse_warning(array: ArrayValue, axes: Ints, name: str, correction: int = 0) -> None:
    """Errors: a break where NumPy warns that nothing is left to divide by, which is then left to NumPy."""
    if math.prod(array.shape[axis] for axis in axes) <= correction:
        raise NUMPY_ARGUMENT.stop(name=name, argument="an empty array, or too few elements for its ddof")


def _mean_dtype(trace: Trace, array: ArrayValue, dtype: Value) -> DType:
    default: Any = array.fake.dtype if array.dtype.is_float else np.float64
    given = dtype.constant(trace)
    kind = supported(np.dtype(default if given is None else given))
    if not kind.is_float:
        raise NUMPY_ARGUMENT.stop(name="np.mean", argument=f"dtype={kind}")
    return kind


def _mean(trace: Trace, node: Node, axes: Ints, correction: int = 0) -> Node:
    count = math.prod(node.shape[axis] for axis in axes) - correction
    total = trace.add(r.SUM, node, axes=axes)
    divisor = constant_node(trace, float_of(count), total.shape, total.type.dtype)
    return trace.add(p.DIVIDE, total, divisor)


def _variance(
    trace: Trace, a: Value, axis: Value, dtype: Value, ddof: Value, keepdims: Value, out: Value, *, root: bool
) -> Value:
    array = _source(trace, a)
    axes = axes_of(trace, axis, len(array.shape))
    correction = ddof.constant(trace)
    if type(correction) is not int:
        raise NUMPY_ARGUMENT.stop(name="np.var", argument="a ddof that is not an integer")
    _refuse_warning(array, axes, "np.var", correction)
    kind = _mean_dtype(trace, array, dtype)
    node = cast(trace, array.read(trace), kind)
    centre = _mean(trace, node, axes)
    wide = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
    centred = trace.add(p.SUBTRACT, node, expand(trace, reshape(trace, centre, wide), array.shape))
    spread = _mean(trace, trace.add(p.MULTIPLY, centred, centred), axes, correction)
    return reduced(trace, array, trace.add(p.SQRT, spread) if root else spread, axes, keepdims, out)


@traces(np.var)
def var(
    trace: Trace,
    a: Value,
    axis: Value = NONE,
    dtype: Value = NONE,
    out: Value = NONE,
    ddof: Value = ZERO,
    keepdims: Value = FALSE,
) -> Value:
    return _variance(trace, a, axis, dtype, ddof, keepdims, out, root=False)


@traces(np.std)
def std(
    trace: Trace,
    a: Value,
    axis: Value = NONE,
    dtype: Value = NONE,
    out: Value = NONE,
    ddof: Value = ZERO,
    keepdims: Value = FALSE,
) -> Value:
    return _variance(trace, a, axis, dtype, ddof, keepdims, out, root=True)


@traces(np.ptp)
def ptp(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    high, low = max(trace, a, axis, NONE, keepdims), min(trace, a, axis, NONE, keepdims)
    return call_ufunc(trace, np.subtract, [high, low], out=out)


@traces(np.average)
def average(trace: Trace, a: Value, axis: Value = NONE, *, keepdims: Value = FALSE) -> Value:
    return mean(trace, a, axis, keepdims=keepdims)


@traces(np.nansum)
def nansum(
    trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE
) -> Value:
    return sum(trace, _without_nan(trace, a, 0.0), axis, dtype, out, keepdims)


@traces(np.nanprod)
def nanprod(
    trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE
) -> Value:
    return prod(trace, _without_nan(trace, a, 1.0), axis, dtype, out, keepdims)


def _without_nan(trace: Trace, a: Value, value: float) -> ArrayValue:
    array = _source(trace, a)
    if not array.dtype.is_float:
        return array
    node = array.read(trace)
    filled = trace.add(
        p.WHERE,
        trace.add(p.ISNAN, half_floats.widened(trace, node)),
        constant_node(trace, value, node.shape, array.dtype),
        node,
    )
    return result(trace, filled, copied_order(array.shape, array.fake))


_COUNT_IS_PYTHON_INT = not isinstance(np.count_nonzero(np.ones(1)), np.generic)


@traces(np.count_nonzero)
def count_nonzero(trace: Trace, a: Value, axis: Value = NONE, *, keepdims: Value = FALSE) -> Value:
    array = _source(trace, a)
    if _COUNT_IS_PYTHON_INT and axis.constant(trace) is None:
        raise NUMPY_ARGUMENT.stop(name="np.count_nonzero", argument="no axis, in this release of NumPy")
    node = cast(trace, cast(trace, array.read(trace), dtypes.bool_), dtypes.int64)
    axes = axes_of(trace, axis, len(array.shape))
    return reduced(trace, array, trace.add(r.SUM, node, axes=axes), axes, keepdims)


def _reduce(rule: Callable[..., Value], *, has_dtype: bool) -> Callable[..., Value]:
    def reduce(
        trace: Trace, array: Value, axis: Value = ZERO, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE
    ) -> Value:
        if not has_dtype and dtype.constant(trace) is not None:
            raise NUMPY_ARGUMENT.stop(name="a reduction of a ufunc", argument="a dtype")
        given = _source(trace, array)
        if len(given.shape) == 0 and axis is ZERO:
            raise NUMPY_ARGUMENT.stop(name="a reduction of a ufunc", argument="an array without dimensions")
        extra = {"dtype": dtype} if has_dtype else {}
        return rule(trace, given, axis, out=out, keepdims=keepdims, **extra)

    return reduce


for _ufunc, _rule, _typed in (
    (np.add, sum, True), (np.multiply, prod, True), (np.maximum, max, False), (np.minimum, min, False),
    (np.logical_and, all_, False), (np.logical_or, any_, False),
):  # fmt: skip
    traces((_ufunc, "reduce"))(_reduce(_rule, has_dtype=_typed))
