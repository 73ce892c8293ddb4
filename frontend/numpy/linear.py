"""Products and norms: `@`, `np.dot`, `np.outer`, `np.vdot`, `np.inner`, `np.tensordot`, `np.linalg.norm`."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.sized_shapes import broadcast_shapes
from ...ops.contraction import MATMUL
from ...ops.pointwise import MULTIPLY, SQRT
from ...ops.reduction import SUM
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing import half_floats
from ..tracing.nodes import cast
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.view_steps import expand, reshape
from ..values.base import Value
from ..values.constant import FALSE, NONE, Constant
from .creation import as_array
from .reductions import max as max_of
from .reductions import min as min_of
from .reductions import sum as sum_of
from .shaping import array_operand, reshaped
from .ufuncs import as_operand, call_ufunc, supported

if TYPE_CHECKING:
    from ..tracing.trace import Trace


TWO = Constant(2)


def _arrays(trace: Trace, *values: Value) -> list[ArrayValue]:
    return [array_operand(trace, value) for value in values]


@traces(np.matmul)
def matmul(trace: Trace, x1: Value, x2: Value) -> Value:
    left, right = _arrays(trace, x1, x2)
    if not left.shape or not right.shape:
        raise RAISES.stop(error="ValueError: matmul: an operand has no dimensions")
    kind = supported(np.result_type(left.fake.dtype, right.fake.dtype))
    counted = dtypes.int64 if kind.is_bool else kind  # of bools it says whether both are true at some place
    one, two = (cast(trace, each.read(trace), counted) for each in (left, right))
    if len(one.shape) == 1:
        one = reshape(trace, one, (1, one.shape[0]))
    if len(two.shape) == 1:
        two = reshape(trace, two, (two.shape[0], 1))
    if one.shape[-1] != two.shape[-2]:
        raise RAISES.stop(error=f"ValueError: matmul: {left.shape} and {right.shape} do not fit")
    batch = broadcast_shapes(one.shape[:-2], two.shape[:-2])
    one, two = expand(trace, one, (*batch, *one.shape[-2:])), expand(trace, two, (*batch, *two.shape[-2:]))
    node = half_floats.rounding(lambda trace, *nodes: trace.add(MATMUL, *nodes), counted)(trace, one, two)
    node = cast(trace, node, kind)
    shape = node.shape
    if len(left.shape) == 1:
        shape = (*shape[:-2], shape[-1])
    if len(right.shape) == 1:
        shape = shape[:-1]
    return result(trace, reshape(trace, node, shape), is_numpy_scalar=not shape)


@traces(np.dot)
def dot(trace: Trace, a: Value, b: Value) -> Value:
    left, right = (as_operand(trace, each) for each in (a, b))
    if not all(isinstance(each, ArrayValue) and each.shape for each in (left, right)):
        if not any(isinstance(each, ArrayValue) for each in (left, right)):
            raise NUMPY_ARGUMENT.stop(name="np.dot", argument="two numbers")
        strong = [each if isinstance(each, ArrayValue) else as_array(trace, each, NONE) for each in (left, right)]
        return _scaled(trace, strong, "np.dot")
    assert isinstance(left, ArrayValue) and isinstance(right, ArrayValue)
    if len(left.shape) > 2 or len(right.shape) > 2:
        raise NUMPY_ARGUMENT.stop(name="np.dot", argument="operands of more than two dimensions")
    return matmul(trace, left, right)


def _scaled(trace: Trace, operands: list[ArrayValue], name: str) -> Value:
    """An array times a number. Errors: a break where NumPy leaves that to BLAS.

    That adds to zeros, so that -0.0 becomes 0.0, and stops at once where the number is 0, whatever it is multiplied by.
    """
    kind = np.result_type(*(each.fake.dtype for each in operands))
    if kind.char in _OF_BLAS and any(each.shape for each in operands):
        raise NUMPY_ARGUMENT.stop(name=name, argument="a number and an array")
    return call_ufunc(trace, np.multiply, list(operands))


_OF_BLAS = "fdFD"
"""The characters of the dtypes that NumPy hands to BLAS."""


@traces(np.outer)
def outer(trace: Trace, a: Value, b: Value) -> Value:
    left, right = _arrays(trace, a, b)
    kind = supported(np.result_type(left.fake.dtype, right.fake.dtype))
    rows, columns = left.type.size, right.type.size
    column = result(trace, reshape(trace, cast(trace, left.read(trace), kind), (rows, 1)))
    row = result(trace, reshape(trace, cast(trace, right.read(trace), kind), (1, columns)))
    return call_ufunc(trace, np.multiply, [column, row])


@traces(np.inner)
def inner(trace: Trace, a: Value, b: Value) -> Value:
    left, right = _arrays(trace, a, b)
    if not left.shape or not right.shape:
        return _scaled(trace, [left, right], "np.inner")
    if len(left.shape) == len(right.shape) == 1:
        return dot(trace, left, right)
    raise NUMPY_ARGUMENT.stop(name="np.inner", argument="operands that are not vectors")


@traces(np.vdot)
def vdot(trace: Trace, a: Value, b: Value) -> Value:
    flat = [result(trace, reshape(trace, array.read(trace), (array.type.size,))) for array in _arrays(trace, a, b)]
    return dot(trace, *flat)


@traces(np.tensordot)
def tensordot(trace: Trace, a: Value, b: Value, axes: Value = TWO) -> Value:
    left, right = _arrays(trace, a, b)
    count = axes.constant(trace)
    if type(count) is not int or count < 1 or count > min(len(left.shape), len(right.shape)):
        raise NUMPY_ARGUMENT.stop(name="np.tensordot", argument="axes other than a count")
    kept, summed = left.shape[: len(left.shape) - count], left.shape[len(left.shape) - count :]
    if summed != right.shape[:count]:
        raise RAISES.stop(error="ValueError: shape-mismatch for sum")
    inside = prod(summed)
    one = left if len(kept) == count == 1 else reshaped(trace, left, (prod(kept), inside))
    two = right if count == 1 and right.shape[2:] == () else reshaped(trace, right, (inside, prod(right.shape[count:])))
    product = dot(trace, one, two)
    assert isinstance(product, ArrayValue)
    return reshaped(trace, product, (*kept, *right.shape[count:]))


@traces(np.linalg.norm)
def norm(trace: Trace, x: Value, ord: Value = NONE, axis: Value = NONE, keepdims: Value = FALSE) -> Value:  # noqa: A002
    (array,) = _arrays(trace, x)
    if not array.dtype.is_float:
        array = as_array(trace, array, Constant(float))
    order, along = ord.constant(trace), axis.constant(trace)
    rank = len(array.shape)
    if along is None and (order is None or (order in ("f", "fro") and rank == 2) or (order == 2 and rank == 1)):
        node = array.read(trace)
        total = trace.add(SUM, trace.add(MULTIPLY, node, node), axes=tuple(range(rank)))
        root = trace.add(SQRT, total)
        if keepdims.constant(trace):
            return result(trace, reshape(trace, root, (1,) * rank))
        return result(trace, root, is_numpy_scalar=True)
    if along is None and rank == 1:
        axis = Constant(0)
    elif type(along) is not int:
        raise NUMPY_ARGUMENT.stop(name="np.linalg.norm", argument="the norm of a matrix")
    return _vector_norm(trace, array, order, axis, keepdims)


def _vector_norm(trace: Trace, array: ArrayValue, order: Any, axis: Value, keepdims: Value) -> Value:
    if order is None or order == 2:
        squares = call_ufunc(trace, np.multiply, [array, array])
        return call_ufunc(trace, np.sqrt, [sum_of(trace, squares, axis, keepdims=keepdims)])
    sizes = call_ufunc(trace, np.absolute, [array])
    if order == 1:
        return sum_of(trace, sizes, axis, keepdims=keepdims)
    if order in (np.inf, -np.inf) and array.type.size:
        return (max_of if order > 0 else min_of)(trace, sizes, axis, keepdims=keepdims)
    raise NUMPY_ARGUMENT.stop(name="np.linalg.norm", argument=f"ord={order!r}")
