"""Products of a region's matrices: by the BLAS that NumPy calls, element by element where they are tiny."""

# Note [Layouts at run time]
# A region knows the shape of its memory, not how it lies there: the plan may put a value into memory of another order.
# So a kernel asks at run time whether a matrix lies in one of the two ways that BLAS reads, row by row or column by
# column, and computes element by element where one does not.

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...backend.cpu import blas
from ...backend.loops import Address, Argument, If, IndexValue
from ...core import dtypes
from ...core.dtypes import DType
from ...core.types import TensorType
from ...graph.node import Node
from ...ops import pointwise as p
from ..nodes import constant_node
from .arrays import ArrayExpression, Dim, RegionArray, View, in_memory, view_of
from .numbers import bounds_of
from .sizes import Size, as_value, node_of
from .sweeps import over, scratch

if TYPE_CHECKING:
    from ..trace import Trace

TINY = 200
"""Multiply-adds up to which a product is computed element by element: a call of BLAS takes as long."""
ROW_MAJOR, NO_TRANSPOSE, TRANSPOSE = 101, 111, 112


def multiplied(trace: Trace, left: RegionArray, right: RegionArray, product: ArrayExpression) -> ArrayExpression:
    """The product, stored; `product` computes its elements one by one."""
    target = _room(trace, product)
    if (
        isinstance(left, View)
        and isinstance(right, View)
        and left.dtype is right.dtype
        and blas.gemm(np.dtype(product.dtype.numpy)) is not None
        and _work(left, right) > TINY
        and all(dim.axis >= 0 for view in (left, right) for dim in view.dims)
    ):
        _by_blas(trace, left, right, target, product)
    else:
        _one_by_one(trace, target, product)
    return in_memory(trace, target)


def _room(trace: Trace, product: ArrayExpression) -> View:
    most = tuple(bounds_of(as_value(size))[1] for size in product.shape)
    whole = view_of(trace, scratch(trace, TensorType(most, product.dtype)))
    dims = tuple(Dim(dim.axis, dim.step, size) for dim, size in zip(whole.dims, product.shape, strict=True))
    return View(whole.storage, whole.base, dims, writeable=True)


def _one_by_one(trace: Trace, target: View, product: ArrayExpression) -> None:
    region = trace.region
    assert region is not None
    with over(trace, target.shape, []) as index:
        region.store(target.storage, target.place(trace, index), product.at(trace, index))


def _work(left: View, right: View) -> int:
    """How many multiply-adds a product takes at most."""
    sizes = [*left.shape, *right.shape[1:]]
    work = 1
    for size in sizes:
        work *= bounds_of(as_value(size))[1]
    return work


@dataclass(frozen=True)
class _Matrix:
    """A matrix as BLAS reads it. `fits`: whether it lies in one of the two ways."""

    place: Address
    leading: Node
    order: Node
    fits: Node


def _by_blas(trace: Trace, left: View, right: View, target: View, product: ArrayExpression) -> None:
    region = trace.region
    assert region is not None
    region.change(target.storage)
    fits, call = (_matrices if len(target.dims) == 2 else _matrix_and_vector)(trace, left, right, target)
    with region.block() as fast:
        region.invoke(*call)
    with region.block() as slow:
        _one_by_one(trace, target, product)
    region.put(If(region.text(fits), tuple(fast), tuple(slow)))


Call = tuple[str, DType | None, list[Node | Address | Argument]]


def _matrices(trace: Trace, left: View, right: View, target: View) -> tuple[Node, Call]:
    one, other, made = (_matrix(trace, view) for view in (left, right, target))
    row_by_row = trace.add(p.EQUAL, made.order, _own(trace, _int(trace, NO_TRANSPOSE)))
    sizes = [*left.shape, right.shape[1]]
    fits = _all(trace, [one.fits, other.fits, made.fits, row_by_row, *_some(trace, sizes)])
    rows, inner, columns = (_whole(trace, size, target.dtype) for size in sizes)
    alpha, beta = _scales(trace, target.dtype)
    operands: list[Node | Address | Argument] = [one.place, _wide(trace, one.leading, target.dtype), other.place]
    operands += [_wide(trace, other.leading, target.dtype), beta, made.place, _wide(trace, made.leading, target.dtype)]
    arguments = [_flag(trace, ROW_MAJOR), _flag(trace, one.order), _flag(trace, other.order)]
    return fits, (_routine(target.dtype, "gemm"), None, [*arguments, rows, columns, inner, alpha, *operands])


def _matrix_and_vector(trace: Trace, left: View, right: View, target: View) -> tuple[Node, Call]:
    """The product of a matrix and a vector, or of a vector and a matrix, which is that of its transpose."""
    if len(left.dims) == 2:
        view, vector = left, right
    else:
        view = View(right.storage, right.base, (right.dims[1], right.dims[0]), writeable=False)
        vector = left
    matrix = _matrix(trace, view)
    steps = [_stride(trace, each, 0) for each in (vector, target)]
    one = _int(trace, 1)
    rise = [trace.add(p.LESS_EQUAL, one, step) for step in steps]
    fits = _all(trace, [matrix.fits, *rise, *_some(trace, view.shape)])
    # BLAS wants the rows and columns as they lie in memory, row by row.
    turned = trace.add(p.EQUAL, matrix.order, _int(trace, TRANSPOSE))
    rows, columns = (_own(trace, node_of(trace, size)) for size in view.shape)
    high, wide = trace.add(p.WHERE, turned, columns, rows), trace.add(p.WHERE, turned, rows, columns)
    alpha, beta = _scales(trace, target.dtype)
    arguments = [_flag(trace, ROW_MAJOR), _flag(trace, matrix.order)]
    arguments += [_wide(trace, each, target.dtype) for each in (high, wide)]
    operands: list[Node | Address | Argument] = [
        alpha,
        matrix.place,
        _wide(trace, matrix.leading, target.dtype),
        _start(trace, vector),
    ]
    operands += [
        _wide(trace, steps[0], target.dtype),
        beta,
        _start(trace, target),
        _wide(trace, steps[1], target.dtype),
    ]
    return fits, (_routine(target.dtype, "gemv"), None, [*arguments, *operands])


def _matrix(trace: Trace, view: View) -> _Matrix:
    row, column = _stride(trace, view, 0), _stride(trace, view, 1)
    rows, columns = (_own(trace, node_of(trace, size)) for size in view.shape)
    one = _int(trace, 1)
    by_rows = _all(trace, [trace.add(p.EQUAL, column, one), trace.add(p.LESS_EQUAL, columns, row)])
    by_columns = _all(trace, [trace.add(p.EQUAL, row, one), trace.add(p.LESS_EQUAL, rows, column)])
    leading = trace.add(p.WHERE, by_rows, row, column)
    order = trace.add(p.WHERE, by_rows, _int(trace, NO_TRANSPOSE), _int(trace, TRANSPOSE))
    return _Matrix(_start(trace, view), leading, order, trace.add(p.BITWISE_OR, by_rows, by_columns))


def _start(trace: Trace, view: View) -> Address:
    assert trace.region is not None
    zero = constant_node(trace, 0, (), dtypes.int64)
    return trace.region.address(view.storage, view.place(trace, [zero] * len(view.dims)))


def _stride(trace: Trace, view: View, axis: int) -> Node:
    """The step from one element to the next along an axis of a view, in elements."""
    region = trace.region
    assert region is not None
    number = region.number_of(view.storage)
    dim = view.dims[axis]
    step = region.let(dtypes.int64, IndexValue((), region.size(("stride", number, dim.axis))))
    if dim.step == 1:
        return step
    return trace.add(p.MULTIPLY, step, constant_node(trace, dim.step, (), dtypes.int64))


def _some(trace: Trace, sizes: tuple[Size, ...] | list[Size]) -> list[Node]:
    """That sizes which change are not 0."""
    changing = [node_of(trace, size) for size in sizes if not isinstance(size, int)]
    return [trace.add(p.LESS_EQUAL, _int(trace, 1), node) for node in changing]


def _all(trace: Trace, conditions: list[Node]) -> Node:
    made = conditions[0]
    for each in conditions[1:]:
        made = trace.add(p.BITWISE_AND, made, each)
    return made


def _own(trace: Trace, node: Node) -> Node:
    assert trace.region is not None
    return trace.region.let_of(node)


def _int(trace: Trace, value: int) -> Node:
    return constant_node(trace, value, (), dtypes.int64)


def _scales(trace: Trace, dtype: DType) -> tuple[Node, Node]:
    """By what BLAS multiplies the product, and what was in the result's memory."""
    return constant_node(trace, 1.0, (), dtype), constant_node(trace, 0.0, (), dtype)


def _flag(trace: Trace, value: int | Node) -> Argument:
    return _argument(trace, _int(trace, value) if isinstance(value, int) else value, dtypes.int32)


def _whole(trace: Trace, size: Size, dtype: DType) -> Argument:
    return _wide(trace, node_of(trace, size), dtype)


def _wide(trace: Trace, node: Node, dtype: DType) -> Argument:
    """A number in the width of the library's integers."""
    found = blas.gemm(np.dtype(dtype.numpy))
    assert found is not None
    return _argument(trace, node, dtypes.int64 if found.integer_bits == 64 else dtypes.int32)


def _argument(trace: Trace, node: Node, dtype: DType) -> Argument:
    assert trace.region is not None
    return Argument(trace.region.text(node), dtype)


def _routine(dtype: DType, name: str) -> str:
    return f"blas {'s' if dtype is dtypes.float32 else 'd'}{name}"
