"""Reductions and products of the arrays of a region."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.records import dataclass
from ....core.sizes import is_whole
from ....graph.node import Node
from ....ops import pointwise as p
from ...tracing import half_floats
from ...tracing.nodes import cast, constant_node
from ...tracing.rules import Rule
from ...tracing.speculation import unsupported_in_region
from ...values import protocols
from ...values.arrays.array import result
from ...values.base import Value
from ...values.constant import FALSE, NONE
from ..numbers.arithmetic import bounds_of
from .elementwise import supported
from .gather_scatter import Selection
from .inner_loops import made, reduction, search
from .masked_reductions import is_cheap, reduce_where_it_lies
from .matmul import multiplied
from .sizes import Size, as_value, node_of, require_equal
from .views import ArrayExpression, Index, RegionArray, as_array

if TYPE_CHECKING:
    from ...tracing.trace import Trace


@dataclass(frozen=True)
class Reduced:
    """An array and the axes of it that a reduction goes over."""

    array: RegionArray
    axes: tuple[int, ...]
    keeps_rank: bool = False

    @property
    def shape(self) -> tuple[Size, ...]:
        """The shape of the result; where ranks are kept, the axes that are reduced have size 1."""
        if self.keeps_rank:
            return tuple(1 if axis in self.axes else size for axis, size in enumerate(self.array.shape))
        return tuple(size for axis, size in enumerate(self.array.shape) if axis not in self.axes)

    @property
    def over(self) -> tuple[Size, ...]:
        return tuple(self.array.shape[axis] for axis in self.axes)

    def part(self, trace: Trace, index: Index) -> ArrayExpression:
        """The elements that are reduced to the one at an index of the result."""

        def compute(inner: Index) -> Node:
            rank = len(self.array.shape)
            outer = iter([at for axis, at in enumerate(index) if not (self.keeps_rank and axis in self.axes)])
            reduced = iter(inner)
            return self.array.at(trace, [next(reduced if axis in self.axes else outer) for axis in range(rank)])

        return ArrayExpression(self.over, self.array.dtype, compute, [])

    def result(self, trace: Trace, dtype: DType, compute: Callable[[Index], Node]) -> Value:
        """The array of what `compute` gives for each index of the result; a number where it has no axes."""
        if not self.shape:
            return result(trace, compute([]), is_numpy_scalar=True)
        expression = made(trace, ArrayExpression(self.shape, dtype, compute, self.array.reads()))
        if all(map(is_whole, self.shape)):
            expression.materialize(trace)  # an element may be asked for many times, and is dear
        return expression


def _picked_by_mask(trace: Trace, a: Value, axis: Value, keepdims: Value) -> Selection | None:
    """The selection of a mask, yet to be copied, if it is reduced to a number and may be where it lies; else None."""
    if not isinstance(a, Selection) or a.is_kept or not is_cheap(trace, a) or keepdims.constant(trace):
        return None
    return a if axis.constant(trace) in (None, 0, -1, (0,), (-1,)) else None


def _reduced(trace: Trace, a: Value, axis: Value, keepdims: Value) -> Reduced:
    array = as_array(trace, a)
    if array is None:
        raise unsupported_in_region("a reduction of a number")
    if array.dtype.is_complex:
        raise unsupported_in_region("a reduction of complex numbers")
    rank = len(array.shape)
    given = axis.constant(trace)
    listed = range(rank) if given is None else given if isinstance(given, tuple) else (given,)
    if not all(type(each) is int and -rank <= each < rank for each in listed):
        raise unsupported_in_region("a reduction along an axis that is not there")
    return Reduced(array, tuple(sorted({each % rank for each in listed})), bool(keepdims.constant(trace)))


def reduction_rule(combine: str, ufunc: np.ufunc | None) -> Rule:
    """The rule of a reduction; `ufunc` tells the dtype of its result, where that is not the operand's or bool."""

    def result_dtype(dtype: DType) -> DType:
        if ufunc is not None:
            return supported(ufunc.reduce(np.ones((1,), dtype.numpy)).dtype)
        return dtypes.bool_ if combine in ("any", "all") else dtype

    def rule(trace: Trace, a: Value, axis: Value = NONE, *, keepdims: Value = FALSE) -> Value:
        picked = _picked_by_mask(trace, a, axis, keepdims)
        if picked is not None:
            found, count = reduce_where_it_lies(trace, picked, combine, result_dtype(picked.dtype))
            if combine in ("max", "min"):
                _require_some(trace, count)
            return result(trace, found, is_numpy_scalar=True)
        reduced = _reduced(trace, a, axis, keepdims)
        dtype = result_dtype(reduced.array.dtype)
        if combine in ("max", "min"):
            _require_elements(trace, reduced.over)
        return reduced.result(trace, dtype, lambda index: reduction(trace, reduced.part(trace, index), combine, dtype))

    return rule


def _require_elements(trace: Trace, shape: tuple[Size, ...]) -> None:
    """Leaves the region for an array without elements, where NumPy raises or warns."""
    assert trace.region is not None
    for size in shape:
        low, _ = bounds_of(as_value(size))
        if low < 1:
            _require_some(trace, node_of(trace, size))


def _require_some(trace: Trace, count: Node) -> None:
    """Leaves the region where an int64 is 0: NumPy raises or warns."""
    assert trace.region is not None
    zero = constant_node(trace, 0, (), dtypes.int64)
    trace.region.leave_if(trace.add(p.EQUAL, trace.region.let_of(count), zero))


def mean(trace: Trace, a: Value, axis: Value = NONE, *, keepdims: Value = FALSE) -> Value:
    """`np.mean(a, axis)`."""
    picked, region = _picked_by_mask(trace, a, axis, keepdims), trace.region
    assert region is not None
    if picked is not None and picked.dtype.is_float:
        total, count = reduce_where_it_lies(trace, picked, "sum", picked.dtype)
        count = region.let_of(count)
        _require_some(trace, count)
        return result(trace, trace.add(p.DIVIDE, total, cast(trace, count, picked.dtype)), is_numpy_scalar=True)
    reduced = _reduced(trace, a, axis, keepdims)
    _require_elements(trace, reduced.over)
    dtype = reduced.array.dtype if reduced.array.dtype.is_float else dtypes.float64
    wide = half_floats.computed_in(dtype)

    def compute(index: Index) -> Node:
        total = reduction(trace, reduced.part(trace, index), "sum", wide)
        count = constant_node(trace, 1.0, (), wide)
        for size in reduced.over:
            count = trace.add(p.MULTIPLY, region.let_of(cast(trace, node_of(trace, size), wide)), count)
        return cast(trace, trace.add(p.DIVIDE, total, count), dtype)

    return reduced.result(trace, dtype, compute)


def searched(combine: str) -> Rule:
    """The rule of `np.argmin` or `np.argmax`, as `combine` says."""

    def rule(trace: Trace, a: Value, axis: Value = NONE, *, keepdims: Value = FALSE) -> Value:
        reduced = _reduced(trace, a, axis, keepdims)
        if len(reduced.axes) != 1:
            raise unsupported_in_region(f"{combine} over several axes")
        _require_elements(trace, reduced.over)
        return reduced.result(trace, dtypes.int64, lambda index: search(trace, reduced.part(trace, index), combine))

    return rule


def summed_in(dtype: DType) -> DType:
    """The dtype in which the products of a matrix product are added; integers wrap in a wide one as in their own."""
    if dtype.is_integer:
        return dtypes.uint64 if dtype.kind == "u" else dtypes.int64
    return half_floats.computed_in(dtype)


def matmul(trace: Trace, left: Value, right: Value) -> Value:
    """`left @ right` of vectors and matrices."""
    one, other = as_array(trace, left), as_array(trace, right)
    if one is None or other is None or len(one.shape) > 2 or len(other.shape) > 2:
        raise unsupported_in_region("a product of other things than vectors and matrices")
    inner, depth = one.shape[-1], other.shape[0] if len(other.shape) == 1 else other.shape[-2]
    require_equal(trace, inner, depth)
    region = trace.region
    assert region is not None
    outer, across = len(one.shape) - 1, len(other.shape) - 1
    shape = (*one.shape[:outer], *other.shape[1:])
    dtype = supported(np.result_type(one.dtype.numpy, other.dtype.numpy))
    if dtype.is_complex:
        raise unsupported_in_region("a product of complex numbers")
    wide, combine = summed_in(dtype), "any" if dtype.is_bool else "sum"
    if shape:  # elements that are looked at again need not be computed again
        one, other = (each.materialize(trace) if isinstance(each, ArrayExpression) else each for each in (one, other))

    def compute(index: Index) -> Node:
        row, column = index[:outer], index[outer : outer + across]

        def term(at: Index) -> Node:
            a = cast(trace, region.let_of(one.at(trace, [*row, at[0]])), wide)
            b = cast(trace, region.let_of(other.at(trace, [at[0], *column])), wide)
            return trace.add(p.BITWISE_AND if dtype.is_bool else p.MULTIPLY, a, b)

        return cast(trace, reduction(trace, ArrayExpression((inner,), wide, term, []), combine, wide), dtype)

    if not shape:
        return result(trace, compute([]), is_numpy_scalar=True)
    return multiplied(trace, one, other, ArrayExpression(shape, dtype, compute, [*one.reads(), *other.reads()]))


def square_product(trace: Trace, left: Value, right: Value) -> Value:
    """The product that `left @= right` stores. Errors: a break for other than matrices."""
    one, other = as_array(trace, left), as_array(trace, right)
    if one is None or other is None or not len(one.shape) == len(other.shape) == 2:
        raise unsupported_in_region("an in-place product of other things than matrices")
    require_equal(trace, *other.shape)
    return matmul(trace, left, right)


def norm(trace: Trace, x: Value) -> Value:
    """`np.linalg.norm` of a vector: the root of its product with itself."""
    array = as_array(trace, x)
    if array is None or len(array.shape) != 1 or not array.dtype.is_float:
        raise unsupported_in_region("the norm of other than a vector of floats")
    return protocols.call_ufunc(trace, np.sqrt, [matmul(trace, x, x)])
