"""Operations on the elements of a region's arrays, one by one, by the rules for numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....graph.node import Node
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import ArrayValue, result
from ...values.arrays.operand import is_array
from ...values.base import Value
from ...values.numbers.computed import ComputedNumber
from ..numbers.arithmetic import as_operand_of
from ..numbers.python_or_numpy import as_numpy_numbers
from .gather_scatter import Selection
from .inner_loops import made, picked
from .sizes import broadcast
from .views import ArrayExpression, Index, RegionArray, as_array

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
    leaves, written = region.leaves, dict(region.memory.written)
    with region.block():
        node = compute([region.local(region.name("j"), dtypes.int64) for _ in shape])
    region.leaves, region.memory.written = leaves, written
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


def rounded(trace: Trace, a: Value) -> Value:
    """`np.round(a)`."""
    return elementwise(trace, np.rint, [a])


def absolute(trace: Trace, a: Value) -> Value:
    """`abs(a)`."""
    return elementwise(trace, np.absolute, [a])
