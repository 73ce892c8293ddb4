"""Products of a region's matrices, by a function that calls NumPy's own BLAS. See `backend.cpu.matmul.blas`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....backend.cpu.compiler.c_functions import is_there
from ....core import dtypes
from ....core.dtypes import DType
from ....core.sizes import is_whole
from ....graph.node import Node
from ....loop_ir.ir import Address, Argument, IndexValue
from ....ops import pointwise as p
from ...tracing.nodes import constant_node
from ...tracing.speculation import unsupported_in_region
from .inner_loops import made, over, room_for
from .sizes import Size, node_of
from .views import ArrayExpression, RegionArray, RegionView, in_memory

if TYPE_CHECKING:
    from ...tracing.trace import Trace

SMALL = 16
"""Sizes up to which matrices of floats are multiplied element by element where there is no BLAS."""
SMALL_INTEGERS = 64
"""Sizes up to which matrices of integers are: there is none for them, but large ones are better taken in tiles."""
MANY_ELEMENTS = 2**14
"""Elements of a product from which on a loop that may be unrolled is: products between loops run on all threads, by our
own tiles. See Note [Whose product] in `backend.launch.matmul_steps`."""


def multiplied(trace: Trace, left: RegionArray, right: RegionArray, product: ArrayExpression) -> ArrayExpression:
    """The product, stored; `product` computes its elements one by one."""
    assert trace.region is not None
    if trace.region.may_unroll and _has_many_elements(product):
        raise unsupported_in_region("a product of large matrices, which other code computes faster")
    target = room_for(trace, product.shape, product.dtype)
    if (
        product.dtype.is_float
        and not product.dtype.is_half
        and is_there("multiply", product.dtype.code)
        and isinstance(left, RegionView)
        and isinstance(right, RegionView)
        and left.dtype is right.dtype
        and all(dim.axis >= 0 for dim in (*left.dims, *right.dims))
    ):
        _by_blas(trace, left, right, target)
    else:
        if len(product.shape) == 2 and _is_large(product):
            raise unsupported_in_region("a product of large matrices, which other code computes faster")
        with over(trace, target.shape, []) as index:
            trace.region.store(target.storage, target.place(trace, index), product.at(trace, index))
    return made(trace, in_memory(trace, target))


def _is_large(product: ArrayExpression) -> bool:
    if not product.dtype.is_float:
        return any(is_whole(each) and each > SMALL_INTEGERS for each in product.shape)
    return not all(is_whole(each) and each <= SMALL for each in product.shape)


def _has_many_elements(product: ArrayExpression) -> bool:
    known = [size for size in product.shape if is_whole(size)]
    return len(known) == len(product.shape) == 2 and math.prod(known) >= MANY_ELEMENTS


def _by_blas(trace: Trace, left: RegionView, right: RegionView, target: RegionView) -> None:
    region = trace.region
    assert region is not None
    region.change(target.storage)
    one: Size = 1
    rows = left.shape[0] if len(left.shape) == 2 else one
    columns = right.shape[1] if len(right.shape) == 2 else one
    narrow = _steps(trace, target)
    steps = [_steps(trace, left), _steps(trace, right), narrow]
    if len(left.shape) == 1:
        steps[0] = [*steps[0], *steps[0]]
    if len(right.shape) == 1:
        steps[1] = [*steps[1], _int(trace, 1)]
    if len(target.shape) == 1:
        steps[2] = [*narrow, _int(trace, 1)] if len(left.shape) == 2 else [*narrow, *narrow]
    arguments: list[Node | Address | Argument] = []
    for view, (row, column) in zip((left, right, target), steps, strict=True):
        arguments += [_start(trace, view), row, column]
    arguments += [node_of(trace, size) for size in (rows, columns, left.shape[-1])]
    arguments += [_function(trace, product, target.dtype) for product in ("gemm", "gemv")]
    region.invoke(("multiply", target.dtype.code), None, arguments)


def _steps(trace: Trace, view: RegionView) -> list[Node | Argument]:
    """The steps from one element to the next along each axis of a view, in elements: known at run time only."""
    region = trace.region
    assert region is not None
    number = region.number_of(view.storage)
    steps: list[Node | Argument] = []
    for dim in view.dims:
        size = region.size(("stride", number, dim.axis))
        if dim.step == 1:
            steps.append(Argument(size, dtypes.int64))
        else:
            steps.append(
                trace.add(p.MULTIPLY, region.let(dtypes.int64, IndexValue((), size)), node_of(trace, dim.step))
            )
    return steps


def _start(trace: Trace, view: RegionView) -> Address:
    assert trace.region is not None
    zero = _int(trace, 0)
    return trace.region.address(view.storage, view.place(trace, [zero] * len(view.dims)))


def _int(trace: Trace, value: int) -> Node:
    return constant_node(trace, value, (), dtypes.int64)


def _function(trace: Trace, name: str, dtype: DType) -> Argument:
    assert trace.region is not None
    letter = "s" if dtype is dtypes.float32 else "d"
    return Argument(trace.region.size(("function", ("blas", f"{letter}{name}"), 0)), dtypes.int64)
