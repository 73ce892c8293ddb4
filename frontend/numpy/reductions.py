"""Reductions and statistics: `sum`, `mean`, `max`, `argmax`, `std` … with NumPy's dtypes, axes and `keepdims`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops import reduction as r
from ...ops.registry import OpDef
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..callables import traces
from ..values.array import ArrayValue, Ints, expand, reshape, result
from ..values.base import Value
from ..values.constant import Constant
from .creation import NONE, as_array
from .layout import kept_order
from .ufuncs import call_ufunc, cast, constant_node, supported

if TYPE_CHECKING:
    from ..trace import Trace

FALSE = Constant(False)
ZERO = Constant(0)


def axes_of(trace: Trace, axis: Value, rank: int) -> Ints:
    """An `axis` argument as ascending non-negative axes; None means all."""
    given = axis.constant(trace)
    if given is None:
        return tuple(range(rank))
    listed = given if isinstance(given, tuple) else (given,)
    return tuple(sorted(np.lib.array_utils.normalize_axis_tuple(listed, rank)))


def reduced(trace: Trace, array: ArrayValue, node: Node, axes: Ints, keepdims: Value, out: Value = NONE) -> Value:
    """The result of a reduction as NumPy returns it: kept axes of size 1 on demand, a scalar for no axes."""
    if out.constant(trace) is not None:
        raise NUMPY_ARGUMENT.stop(name="a reduction", argument="an output array")
    kept = [axis for axis in range(len(array.shape)) if axis not in axes]
    shape = tuple(array.shape[axis] for axis in kept)
    like = np.lib.stride_tricks.as_strided(array.twin, shape, tuple(array.twin.strides[axis] for axis in kept))
    strides = kept_order(shape, [like])
    if keepdims.constant(trace) and array.shape:
        wide = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
        steps = iter(strides)
        return result(trace, reshape(trace, node, wide), tuple(1 if axis in axes else next(steps) for axis in range(len(wide))))
    return result(trace, node, strides, generic=not shape)


def _source(trace: Trace, a: Value) -> ArrayValue:
    return as_array(trace, a, NONE) if not isinstance(a, ArrayValue) else a


def _accumulator(trace: Trace, array: ArrayValue, dtype: Value, ufunc: np.ufunc) -> DType:
    given = dtype.constant(trace)
    if given is not None:
        return supported(np.dtype(given))
    return supported(ufunc.reduce(np.ones((1,), array.twin.dtype)).dtype)


def _fold(trace: Trace, a: Value, axis: Value, keepdims: Value, out: Value, op: OpDef, kind: DType | None) -> Value:
    array = _source(trace, a)
    axes = axes_of(trace, axis, len(array.shape))
    node = array.read(trace)
    node = cast(trace, node, kind) if kind is not None else node
    if op in (r.MAX, r.MIN) and any(array.shape[each] == 0 for each in axes):
        raise RAISES.stop(error="ValueError: zero-size array to a reduction which has no identity")
    return reduced(trace, array, trace.add(op, node, axes=axes), axes, keepdims, out)


@traces(np.sum)
def sum(trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:  # noqa: A001
    return _fold(trace, a, axis, keepdims, out, r.SUM, _accumulator(trace, _source(trace, a), dtype, np.add))


@traces(np.prod)
def prod(trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _fold(trace, a, axis, keepdims, out, r.PROD, _accumulator(trace, _source(trace, a), dtype, np.multiply))


@traces(np.max, np.amax)
def max(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:  # noqa: A001
    return _fold(trace, a, axis, keepdims, out, r.MAX, None)


@traces(np.min, np.amin)
def min(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:  # noqa: A001
    return _fold(trace, a, axis, keepdims, out, r.MIN, None)


@traces(np.any)
def any_(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _fold(trace, a, axis, keepdims, out, r.ANY, dtypes.bool_)


@traces(np.all)
def all_(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return _fold(trace, a, axis, keepdims, out, r.ALL, dtypes.bool_)


def _argument(op: OpDef) -> Callable[..., Value]:
    def rule(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, *, keepdims: Value = FALSE) -> Value:
        array = _source(trace, a)
        node, given = array.read(trace), axis.constant(trace)
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
def mean(trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    array = _source(trace, a)
    axes = axes_of(trace, axis, len(array.shape))
    kind = _mean_dtype(trace, array, dtype)
    return reduced(trace, array, _mean(trace, cast(trace, array.read(trace), kind), axes), axes, keepdims, out)


def _mean_dtype(trace: Trace, array: ArrayValue, dtype: Value) -> DType:
    default: Any = array.twin.dtype if array.dtype.is_float else np.float64
    given = dtype.constant(trace)
    kind = supported(np.dtype(default if given is None else given))
    if not kind.is_float:
        raise NUMPY_ARGUMENT.stop(name="np.mean", argument=f"dtype={kind}")
    return kind


def _mean(trace: Trace, node: Node, axes: Ints, correction: int = 0) -> Node:
    count = int(np.prod([node.shape[axis] for axis in axes], dtype=np.int64))
    total = trace.add(r.SUM, node, axes=axes)
    divisor = constant_node(trace, float(np.maximum(count - correction, 0)), total.shape, total.type.dtype)
    return trace.add(p.DIVIDE, total, divisor)


def _variance(trace: Trace, a: Value, axis: Value, dtype: Value, ddof: Value, keepdims: Value, root: bool) -> Value:
    array = _source(trace, a)
    axes = axes_of(trace, axis, len(array.shape))
    kind = _mean_dtype(trace, array, dtype)
    node = cast(trace, array.read(trace), kind)
    centre = _mean(trace, node, axes)
    wide = tuple(1 if axis in axes else size for axis, size in enumerate(array.shape))
    centred = trace.add(p.SUBTRACT, node, expand(trace, reshape(trace, centre, wide), array.shape))
    correction = ddof.constant(trace)
    if type(correction) is not int:
        raise NUMPY_ARGUMENT.stop(name="np.var", argument="a ddof that is not an integer")
    spread = _mean(trace, trace.add(p.MULTIPLY, centred, centred), axes, correction)
    return reduced(trace, array, trace.add(p.SQRT, spread) if root else spread, axes, keepdims)


@traces(np.var)
def var(trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, ddof: Value = ZERO, keepdims: Value = FALSE) -> Value:
    if out.constant(trace) is not None:
        raise NUMPY_ARGUMENT.stop(name="np.var", argument="an output array")
    return _variance(trace, a, axis, dtype, ddof, keepdims, root=False)


@traces(np.std)
def std(trace: Trace, a: Value, axis: Value = NONE, dtype: Value = NONE, out: Value = NONE, ddof: Value = ZERO, keepdims: Value = FALSE) -> Value:
    if out.constant(trace) is not None:
        raise NUMPY_ARGUMENT.stop(name="np.std", argument="an output array")
    return _variance(trace, a, axis, dtype, ddof, keepdims, root=True)


@traces((np.add, "reduce"))
def add_reduce(trace: Trace, array: Value, axis: Value = ZERO, dtype: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return sum(trace, array, axis, dtype, out, keepdims)


@traces(np.ptp)
def ptp(trace: Trace, a: Value, axis: Value = NONE, out: Value = NONE, keepdims: Value = FALSE) -> Value:
    return call_ufunc(trace, np.subtract, [max(trace, a, axis, out, keepdims), min(trace, a, axis, out, keepdims)])
