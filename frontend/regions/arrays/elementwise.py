"""Operations on the elements of a region's arrays, one by one, by the rules for numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.sizes import is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_SIZE
from ...tracing.nodes import constant_node
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.arrays.operand import is_array
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import ComputedNumber
from ..numbers.arithmetic import as_operand_of
from ..numbers.python_or_numpy import as_numpy_numbers
from .gather_scatter import Selection
from .indices import known_index
from .inner_loops import made, picked
from .sizes import broadcast
from .slices import Dim
from .views import ArrayExpression, Index, RegionArray, RegionView, as_array

if TYPE_CHECKING:
    from ...tracing.trace import Trace


def elementwise(
    trace: Trace, ufunc: np.ufunc, operands: list[Value], dtype: Any = None, lowered: Callable[..., Node] | None = None
) -> ArrayExpression:
    """A ufunc over arrays of the region and numbers, `lowered` as in `call_ufunc`."""

    def apply(values: list[Value]) -> Value:
        return protocols.call_ufunc(trace, ufunc, values, dtype=dtype, lowered=lowered)

    return expression(trace, operands, apply)


def expression(trace: Trace, operands: list[Value], apply: Callable[[list[Value]], Value]) -> ArrayExpression:
    """The expression that applies a rule for numbers to the elements of arrays."""
    region = trace.region
    assert region is not None
    values = as_numpy_numbers(operands)
    together = _of_selections(trace, values, apply)
    if together is not None:
        return together
    arrays = [as_array(trace, each) for each in values]
    if all(each is None for each in arrays):
        raise unsupported_in_region("an operation in place on an array without axes")
    shape = broadcast(trace, [each.shape for each in arrays if each is not None])

    _require_range(trace, values)

    def compute(index: Index) -> Node:
        elements = [
            value if array is None else array.element(trace, picked(trace, array, shape, index))
            for value, array in zip(values, arrays, strict=True)
        ]
        found = apply(elements)
        assert isinstance(found, ArrayValue)
        return region.let_of(found.read(trace))

    return made(
        trace,
        ArrayExpression(
            shape,
            _dtype_of(trace, compute, shape),
            compute,
            [view for each in arrays if each for view in each.reads()],
            frozenset(cut for each in arrays if isinstance(each, ArrayExpression) for cut in each.cuts),
        ),
    )


def _of_selections(trace: Trace, values: list[Value], apply: Callable[[list[Value]], Value]) -> ArrayExpression | None:
    """The selection that a rule for numbers makes of several by one mask; None for other operands."""
    region, selections = trace.region, [each for each in values if isinstance(each, Selection)]
    if not selections or any(not isinstance(each, Selection) and is_array(each) for each in values):
        return None
    first = selections[0]
    if not all(each.is_alike(trace, first.mask) for each in selections):
        return None
    _require_range(trace, values)

    def full(index: Index) -> Node:
        assert region is not None
        elements = [result(trace, each.full(index)) if isinstance(each, Selection) else each for each in values]
        found = apply(elements)
        assert isinstance(found, ArrayValue)
        return region.let_of(found.read(trace))

    reads = [view for each in selections for view in each.reads()]
    dtype = _dtype_of(trace, full, first.mask.shape)
    outcome = Selection(trace, first.mask, (), dtype, full, reads)
    outcome.operands = selections
    made(trace, outcome)
    return outcome


def _require_range(trace: Trace, values: list[Value]) -> None:
    """Leaves the region for a Python int that the arrays' dtype does not hold: NumPy raises before any element."""
    kept = [each.dtype.numpy for each in values if isinstance(each, (ArrayValue, RegionArray))]
    common = dtypes.from_numpy(np.result_type(*kept))
    for each in values:
        if common is not None and common.is_integer and isinstance(each, ComputedNumber):
            as_operand_of(trace, each, common)


def _dtype_of(trace: Trace, compute: Callable[[Index], Node], shape: tuple[Any, ...]) -> DType:
    """The dtype of the elements: one is computed, into statements that are thrown away."""
    region = trace.region
    assert region is not None
    leaves, written = region.leaves, dict(region.written)
    with region.block():
        node = compute([region.local(region.name("j"), dtypes.int64) for _ in shape])
    region.leaves, region.written = leaves, written
    return node.type.dtype


def supported(dtype: Any) -> DType:
    """The kernel dtype of a NumPy dtype. Errors: a break when kernels do not compute with it."""
    found = dtypes.in_memory(dtype)
    if found is None:
        raise unsupported_in_region(f"an array of {dtype}")
    return found


def where(trace: Trace, condition: Value, x: Value, y: Value) -> Value:
    """`np.where(condition, x, y)`."""
    return expression(trace, [condition, x, y], lambda values: protocols.where(trace, *values))


def roll(trace: Trace, a: Value, shift: Value, axis: Value = Constant(None)) -> Value:  # noqa: B008
    """`np.roll` by a known number along one axis of known size."""
    array, region = as_array(trace, a), trace.region
    assert region is not None
    by, along = shift.constant(trace), axis.constant(trace)
    if array is None or type(by) is not int or not (type(along) is int or along is None and len(array.shape) == 1):
        raise unsupported_in_region("np.roll along several axes, or by a number that changes")
    place = (along or 0) % max(len(array.shape), 1)
    size = array.shape[place]
    if not is_whole(size) or not size:
        raise LOOP_SIZE.stop(what="np.roll of an array whose size changes")
    size = int(size)  # places where an expression is cut are known
    moves = int(by) % size
    first = constant_node(trace, moves, (), dtypes.int64)
    inner: frozenset[int] = array.cuts if isinstance(array, ArrayExpression) else frozenset()
    cuts = inner if place < len(array.shape) - 1 else frozenset({moves, *((cut + moves) % size for cut in inner)})

    def compute(index: Index) -> Node:
        low, high = region.reach.get(index[place], (0, size - 1))
        index = [*index]
        if low >= moves or high < moves:
            ahead = -moves if low >= moves else size - moves
            offset = known_index(trace, region, abs(ahead))
            moved = trace.add(p.ADD if ahead >= 0 else p.SUBTRACT, region.let_of(index[place]), offset)
            region.reach[moved] = low + ahead, high + ahead
            index[place] = moved
            return array.at(trace, index)
        moved = trace.add(p.SUBTRACT, region.let_of(index[place]), first)
        wrapped = trace.add(p.ADD, moved, known_index(trace, region, size))
        below = trace.add(p.LESS, moved, constant_node(trace, 0, (), dtypes.int64))
        index[place] = trace.add(p.WHERE, below, wrapped, moved)
        return array.at(trace, index)

    return made(trace, ArrayExpression(array.shape, array.dtype, compute, array.reads(), cuts))


def rounded(trace: Trace, a: Value) -> Value:
    """`np.round(a)`."""
    return elementwise(trace, np.rint, [a])


def absolute(trace: Trace, a: Value) -> Value:
    """`abs(a)`."""
    return elementwise(trace, np.absolute, [a])


def outer(trace: Trace, a: Value, b: Value) -> Value:
    """`np.outer` of vectors."""
    one, other = as_array(trace, a), as_array(trace, b)
    if one is None or other is None or len(one.shape) != 1 or len(other.shape) != 1:
        raise unsupported_in_region("np.outer of other things than vectors")
    views = [each.materialize(trace) if isinstance(each, ArrayExpression) else each for each in (one, other)]
    column, row = (each for each in views if isinstance(each, RegionView))
    tall = RegionView(column.storage, column.base, (*column.dims, Dim(-1, 1, 1)), writeable=False)
    return elementwise(trace, np.multiply, [tall, row])
