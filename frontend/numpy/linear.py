"""Products: `@`, `np.dot`, `np.outer`, `np.vdot`, `np.inner`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...ops.contraction import MATMUL
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..callables import traces
from ..values.array import ArrayValue, expand, reshape, result
from ..values.base import Value
from .ufuncs import call_ufunc, cast, supported

if TYPE_CHECKING:
    from ..trace import Trace


def _arrays(trace: Trace, *values: Value) -> list[ArrayValue]:
    from .shaping import array_operand

    return [array_operand(trace, value) for value in values]


@traces(np.matmul)
def matmul(trace: Trace, x1: Value, x2: Value) -> Value:
    left, right = _arrays(trace, x1, x2)
    if not left.shape or not right.shape:
        raise RAISES.stop(error="ValueError: matmul: an operand has no dimensions")
    kind = supported(np.result_type(left.twin.dtype, right.twin.dtype))
    if kind.is_bool:
        raise NUMPY_ARGUMENT.stop(name="np.matmul", argument="boolean operands")
    one, two = cast(trace, left.read(trace), kind), cast(trace, right.read(trace), kind)
    if len(one.shape) == 1:
        one = reshape(trace, one, (1, one.shape[0]))
    if len(two.shape) == 1:
        two = reshape(trace, two, (two.shape[0], 1))
    if one.shape[-1] != two.shape[-2]:
        raise RAISES.stop(error=f"ValueError: matmul: {left.shape} and {right.shape} do not fit")
    batch = np.broadcast_shapes(one.shape[:-2], two.shape[:-2])
    one, two = expand(trace, one, (*batch, *one.shape[-2:])), expand(trace, two, (*batch, *two.shape[-2:]))
    node = trace.add(MATMUL, one, two)
    shape = node.shape
    if len(left.shape) == 1:
        shape = (*shape[:-2], shape[-1])
    if len(right.shape) == 1:
        shape = shape[:-1]
    return result(trace, reshape(trace, node, shape), generic=not shape)


@traces(np.dot)
def dot(trace: Trace, a: Value, b: Value) -> Value:
    left, right = _arrays(trace, a, b)
    if not left.shape or not right.shape:
        return call_ufunc(trace, np.multiply, [left, right])
    if len(left.shape) > 2 or len(right.shape) > 2:
        raise NUMPY_ARGUMENT.stop(name="np.dot", argument="operands of more than two dimensions")
    return matmul(trace, left, right)


@traces(np.outer)
def outer(trace: Trace, a: Value, b: Value) -> Value:
    left, right = _arrays(trace, a, b)
    kind = supported(np.result_type(left.twin.dtype, right.twin.dtype))
    rows, columns = left.type.size, right.type.size
    column = result(trace, reshape(trace, cast(trace, left.read(trace), kind), (rows, 1)))
    row = result(trace, reshape(trace, cast(trace, right.read(trace), kind), (1, columns)))
    return call_ufunc(trace, np.multiply, [column, row])


@traces(np.inner)
def inner(trace: Trace, a: Value, b: Value) -> Value:
    left, right = _arrays(trace, a, b)
    if len(left.shape) == len(right.shape) == 1:
        return matmul(trace, left, right)
    raise NUMPY_ARGUMENT.stop(name="np.inner", argument="operands that are not vectors")

