"""Arrays with a pattern: identity, triangles, diagonals, evenly spaced numbers, coordinate grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.sized_shapes import broadcast_shapes
from ...core.sizes import Size, float_of
from ...graph.node import Node
from ...ops import pointwise as p
from ...ops.creation import ARANGE
from ...ops.indexing import PAD
from ...ops.movement import SLICE
from ..breaks import NUMPY_ARGUMENT, RAISES
from ..tracing.nodes import cast, constant_node, ramp
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue, result
from ..values.arrays.view_steps import expand, reshape
from ..values.base import Value
from ..values.constant import FALSE, NONE, TRUE, Constant, is_known_number, is_none
from ..values.containers.sequences import TupleValue
from ..values.numbers.computed import ComputedNumber
from ..values.numbers.input_scalar import InputNumber
from ..values.numbers.symbolic_int import whole_of
from .creation import dtype_of, on_host, order_strides
from .reductions import sum as sum_of
from .selection import where
from .shaping import ZERO, array_operand, owned, reshaped
from .ufuncs import operand_node
from .views import diagonal

if TYPE_CHECKING:
    from ..tracing.trace import Trace

FLOAT = Constant(float)
LEAST_SPAN, MOST_SPAN = 1e-200, 1e200
"""Between these a span that is cut in up to `LARGEST` parts gives steps that are neither 0 nor infinite."""
C, XY, FIFTY = Constant("C"), Constant("xy"), Constant(50)


def _grid(trace: Trace, rows: int, columns: int, offset: int) -> tuple[Node, Node]:
    """Row numbers plus an offset, and column numbers, both of the full shape."""
    down = ramp(trace, start=offset, step=1, size=rows, dtype=dtypes.int64)
    across = trace.add(ARANGE, start=0, step=1, size=columns, dtype=dtypes.int64)
    shape = (rows, columns)
    return expand(trace, reshape(trace, down, (rows, 1)), shape), expand(trace, across, shape)


@traces(np.eye)
@on_host
def eye(trace: Trace, N: Value, M: Value = NONE, k: Value = ZERO, dtype: Value = FLOAT, order: Value = C) -> Value:  # noqa: N803
    rows = whole_of(trace, N)
    columns = rows if is_none(M) else whole_of(trace, M)
    if rows < 0 or columns < 0:
        raise RAISES.stop(error="ValueError: negative dimensions are not allowed")
    equal = trace.add(p.EQUAL, *_grid(trace, rows, columns, whole_of(trace, k)))
    return result(
        trace, cast(trace, equal, dtype_of(trace, dtype, float)), order_strides(trace, order, (rows, columns))
    )


@traces(np.identity)
def identity(trace: Trace, n: Value, dtype: Value = NONE) -> Value:
    return eye(trace, n, dtype=dtype)


@traces(np.tri)
def tri(trace: Trace, N: Value, M: Value = NONE, k: Value = ZERO, dtype: Value = FLOAT) -> Value:  # noqa: N803
    rows = whole_of(trace, N)
    columns = rows if is_none(M) else whole_of(trace, M)
    if rows < 0 or columns < 0:
        raise NUMPY_ARGUMENT.stop(name="np.tri", argument="a negative size")
    below = _below(trace, rows, columns, whole_of(trace, k))
    return result(trace, cast(trace, below.read(trace), dtype_of(trace, dtype, float)))


def _below(trace: Trace, rows: int, columns: int, offset: int) -> ArrayValue:
    """True on and below a diagonal."""
    down, across = _grid(trace, rows, columns, offset)
    return result(trace, trace.add(p.LESS_EQUAL, across, down))


@traces(np.tril)
def tril(trace: Trace, m: Value, k: Value = ZERO) -> Value:
    array, mask, zero = _triangle(trace, m, whole_of(trace, k))
    return where(trace, mask, array, zero)


@traces(np.triu)
def triu(trace: Trace, m: Value, k: Value = ZERO) -> Value:
    array, mask, zero = _triangle(trace, m, whole_of(trace, k) - 1)
    return where(trace, mask, zero, array)


def _triangle(trace: Trace, m: Value, offset: int) -> tuple[ArrayValue, ArrayValue, ArrayValue]:
    array = array_operand(trace, m)
    if not array.shape:
        raise RAISES.stop(error="TypeError: a triangle of an array without dimensions")
    rows, columns = array.shape[-2:] if len(array.shape) > 1 else array.shape * 2
    zero = result(trace, constant_node(trace, 0, (1,), array.dtype))
    return array, _below(trace, rows, columns, offset), zero


@traces(np.diag)
def diag(trace: Trace, v: Value, k: Value = ZERO) -> Value:
    array, offset = array_operand(trace, v), int(whole_of(trace, k))
    if len(array.shape) == 2:
        return diagonal(trace, array, Constant(offset))
    if len(array.shape) != 1:
        raise RAISES.stop(error="ValueError: Input must be 1- or 2-d.")
    size = array.shape[0] + abs(offset)
    on = trace.add(p.EQUAL, *_grid(trace, size, size, offset))
    node = array.read(trace)
    # The element of row i is v[i + min(k, 0)]: v moved down by as many rows as the diagonal lies below.
    padded = _moved(trace, node, max(-offset, 0), size)
    zero = constant_node(trace, 0, (size, size), array.dtype)
    return result(trace, trace.add(p.WHERE, on, expand(trace, reshape(trace, padded, (size, 1)), (size, size)), zero))


def _moved(trace: Trace, node: Node, start: int, size: int) -> Node:
    if node.shape == (size,):
        return node
    fill = False if node.type.dtype.is_bool else 0.0 if node.type.dtype.is_float else 0
    return trace.add(PAD, node, before=(start,), after=(size - start - node.shape[0],), value=fill)


@traces(np.trace)
def trace_of(trace: Trace, a: Value, offset: Value = ZERO) -> Value:
    array, k = array_operand(trace, a), whole_of(trace, offset)
    if len(array.shape) != 2:
        raise NUMPY_ARGUMENT.stop(name="np.trace", argument="an array that is not a matrix")
    rows, columns = array.shape
    count = max(0, min(rows + min(k, 0), columns - max(k, 0)))
    flat = reshape(trace, array.read(trace), (rows * columns,))
    start = (max(k, 0) + max(-k, 0) * columns) if count else 0
    node = trace.add(SLICE, flat, starts=(start,), sizes=(count,), steps=(columns + 1,))
    return sum_of(trace, result(trace, node))


@traces(np.linspace)
@on_host
def linspace(
    trace: Trace,
    start: Value,
    stop: Value,
    num: Value = FIFTY,
    endpoint: Value = TRUE,
    retstep: Value = FALSE,
    dtype: Value = NONE,
) -> Value:
    count = whole_of(trace, num)
    if isinstance(count, Size):
        return _spaced_to_any_number(trace, start, stop, count, endpoint, retstep, dtype)
    if any(map(_is_known_by_its_source, (start, stop))):
        return _spaced_between(trace, start, stop, count, endpoint, retstep, dtype)
    first, last = start.constant(trace), stop.constant(trace)
    if type(first) not in (int, float) or type(last) not in (int, float) or retstep.constant(trace):
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="bounds that are not Python numbers, or retstep")
    kind = dtype_of(trace, dtype, float)
    if kind.is_bool:
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="dtype=bool")
    ends = bool(endpoint.constant(trace))
    if count < 0:
        raise RAISES.stop(error="ValueError: Number of samples must be non-negative.")
    node, plain = _spaced(trace, float(first), float(last), count, ends)
    if kind.is_integer:
        node, plain = trace.add(p.FLOOR, node), np.floor(plain)
    if not np.array_equal(
        plain.astype(kind.numpy), np.linspace(first, last, count, endpoint=ends, dtype=kind.numpy), equal_nan=True
    ):
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="bounds of this kind")
    made = result(trace, cast(trace, node, kind))
    # NumPy reshapes the ramp that it starts from, so what it returns is a view, unless a cast makes a new array.
    return reshaped(trace, made, (-1,)) if kind is dtypes.float64 and count > int(ends) else made


def _is_known_by_its_source(bound: Value) -> bool:
    """Whether the run alone has a number that no trace fixes: a float, or a float64 of NumPy's."""
    if isinstance(bound, ArrayValue):
        return not bound.shape and bound.dtype is dtypes.float64
    return isinstance(bound, (InputNumber, ComputedNumber)) and bound.python_type is float


def _spaced_between(
    trace: Trace, start: Value, stop: Value, count: int, endpoint: Value, retstep: Value, dtype: Value
) -> Value:
    """`np.linspace` of so many float64 between bounds that the run has."""
    if trace.region is not None or not all(
        _is_known_by_its_source(each) or is_known_number(each) for each in (start, stop)
    ):
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="bounds of this kind")
    if dtype_of(trace, dtype, float) is not dtypes.float64 or retstep.constant(trace) or count < 1:
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="bounds that are computed, and another dtype or retstep")
    ends = bool(endpoint.constant(trace))
    parts = count - 1 if ends else count
    first, last = (operand_node(trace, each, dtypes.float64, (count,)) for each in (start, stop))
    span = trace.add(p.SUBTRACT, last, first)
    node = trace.add(ARANGE, start=0.0, step=1.0, size=count, dtype=dtypes.float64)
    if parts > 0:
        all_parts = _everywhere(trace, parts, count)
        step = trace.add(p.DIVIDE, span, all_parts)
        no_step = trace.add(p.EQUAL, step, _everywhere(trace, 0.0, count))
        tiny = trace.add(p.MULTIPLY, trace.add(p.DIVIDE, node, all_parts), span)
        node = trace.add(p.WHERE, no_step, tiny, trace.add(p.MULTIPLY, node, step))
    else:
        node = trace.add(p.MULTIPLY, node, span)
    node = trace.add(p.ADD, node, first)
    if ends and count > 1:
        node = _with_end(trace, node, last, count)
    made = result(trace, node)
    return reshaped(trace, made, (-1,)) if count > int(ends) else made


def _spaced(trace: Trace, first: float, last: float, count: int, ends: bool) -> tuple[Node, Any]:
    """The numbers as a graph value, and the same steps in NumPy, to be compared with what NumPy gives."""
    parts = count - 1 if ends else count
    delta = last - first
    node = trace.add(ARANGE, start=0.0, step=1.0, size=count, dtype=dtypes.float64)
    plain = np.arange(0, count, dtype=np.float64)
    step = delta / parts if parts > 0 else 0.0
    if parts > 0 and step == 0:
        node, plain = trace.add(p.DIVIDE, node, _everywhere(trace, parts, count)), plain / parts
    factor = step if step else delta
    node, plain = trace.add(p.MULTIPLY, node, _everywhere(trace, factor, count)), plain * factor
    node, plain = trace.add(p.ADD, node, _everywhere(trace, first, count)), plain + first
    if ends and count > 1:
        node = _with_end(trace, node, _everywhere(trace, last, count), count)
        plain[-1] = last
    return node, plain


def _spaced_to_any_number(
    trace: Trace, start: Value, stop: Value, count: Any, endpoint: Value, retstep: Value, dtype: Value
) -> Value:
    """`np.linspace` of a symbolic number of float64. Bounds are constants, and far enough apart that no step is 0."""
    kind, ends = dtype_of(trace, dtype, float), bool(endpoint.constant(trace))
    if kind is not dtypes.float64 or retstep.constant(trace):
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="a symbolic number, and another dtype or retstep")
    first, last = start.constant(trace), stop.constant(trace)
    if any(type(each) not in (int, float) for each in (first, last)) or not LEAST_SPAN < abs(last - first) < MOST_SPAN:
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="a symbolic number, and such bounds")
    parts = count - 1 if ends else count
    if parts < 1:
        raise NUMPY_ARGUMENT.stop(name="np.linspace", argument="no steps")
    span = _everywhere(trace, float(last) - float(first), count)
    step = trace.add(p.DIVIDE, span, _everywhere(trace, float_of(parts), count))
    node = trace.add(ARANGE, start=0.0, step=1.0, size=count, dtype=dtypes.float64)
    node = trace.add(p.ADD, trace.add(p.MULTIPLY, node, step), _everywhere(trace, float(first), count))
    if ends:
        node = _with_end(trace, node, _everywhere(trace, last, count), count)
    return reshaped(trace, result(trace, node), (-1,))


def _everywhere(trace: Trace, value: Any, count: int) -> Node:
    return constant_node(trace, value, (count,), dtypes.float64)


def _with_end(trace: Trace, node: Node, last: Node, count: int) -> Node:
    """The numbers with the last of them replaced, which rounding may have moved."""
    places = trace.add(ARANGE, start=0, step=1, size=count, dtype=dtypes.int64)
    at_end = trace.add(p.EQUAL, places, constant_node(trace, count - 1, (count,), dtypes.int64))
    return trace.add(p.WHERE, at_end, last, node)


@traces(np.meshgrid)
def meshgrid(
    trace: Trace,
    *xi: Value,
    copy: Value = TRUE,
    sparse: Value = FALSE,
    indexing: Value = XY,
) -> Value:
    order, thin = indexing.constant(trace), sparse.constant(trace)
    if order not in ("xy", "ij") or copy.constant(trace) is not True:
        raise NUMPY_ARGUMENT.stop(name="np.meshgrid", argument="an unknown indexing, or copy=False")
    arrays = [owned(trace, array_operand(trace, each)) for each in xi]
    rank = len(arrays)
    axes = [1, 0, *range(2, rank)] if order == "xy" and rank > 1 else list(range(rank))
    views = [
        reshaped(trace, array, tuple(-1 if k == axis else 1 for k in range(rank)))
        for array, axis in zip(arrays, axes, strict=True)
    ]
    whole = broadcast_shapes(*(view.shape for view in views))
    made: list[Value] = []
    for view in views:
        node = view.read(trace)
        made.append(result(trace, node if thin else expand(trace, node, whole)))
    return TupleValue(made)
