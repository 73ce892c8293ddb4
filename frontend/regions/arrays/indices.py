"""Indices that a region computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core import dtypes
from ....core.sizes import is_small
from ....graph.node import Node
from ....ops import pointwise as p
from ...breaks import LOOP_INDEX, LOOP_STORE, ProgramRaised
from ...tracing.nodes import cast, constant_node
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.constant import Constant
from ...values.numbers.computed import INT64, Bounds, ComputedNumber
from ...values.numbers.input_scalar import InputNumber
from ...values.numbers.symbolic_int import whole
from ..numbers.arithmetic import bounds_of, host_number, leave_unless_within
from ..numbers.python_or_numpy import PythonOrNumpyNumber

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from ..builder import Region


def checked_index(trace: Trace, region: Region, part: Value, size: int) -> Node:
    """An index from 0 to `size` - 1; a negative one counts from the end. The region is left where it is out of range.

    Errors: a break for what is no integer, and for a known index out of range.
    """
    if isinstance(part, Constant) and part.python_type is int:
        index = whole(part)
        if not -size <= index < size:
            raise ProgramRaised(IndexError(f"index {index} is out of bounds for axis 0 with size {size}"))
        return known_index(trace, region, index + size if index < 0 else index)
    given, (low, high) = index_node(trace, region, part)
    zero = constant_node(trace, 0, (), dtypes.int64)
    node, below, above = given, False, high >= size
    if low < 0:
        wrapped = trace.add(p.ADD, given, known_index(trace, region, size))
        below = low < -size
        node = wrapped if high < 0 else trace.add(p.WHERE, trace.add(p.LESS, given, zero), wrapped, given)
    if below and above:  # as an unsigned number, what is below zero lies above any size
        most = cast(trace, region.let_of(known_index(trace, region, size)), dtypes.uint64)
        region.leave_if(trace.add(p.LESS_EQUAL, most, cast(trace, region.let_of(node), dtypes.uint64)), given)
    elif below:
        region.leave_if(trace.add(p.LESS, node, zero), given)
    elif above:
        region.leave_if(trace.add(p.LESS_EQUAL, known_index(trace, region, size), node), given)
    if type(size) is int:
        region.learn(given, (-size if low < 0 else 0, size - 1))
        region.learn(node, (0, size - 1))
    return node


def known_index(trace: Trace, region: Region, value: int) -> Node:
    """A known index. A large one is passed to the kernel, which serves arrays of other sizes then."""
    return constant_node(trace, value, (), dtypes.int64) if is_small(value) else region.integer(value)


def index_node(trace: Trace, region: Region, part: Value) -> tuple[Node, Bounds]:
    """An index as an int64 of the region, and between which numbers it lies. Errors: a break for what is no integer."""
    if isinstance(part, PythonOrNumpyNumber):
        part = part.array
    if isinstance(part, ComputedNumber) and part.python_type is int:
        node = part.node(trace)
        return node, region.facts.of(node, part.bounds)
    if isinstance(part, InputNumber) and part.python_type is int:
        return region.let_of(part.node(trace)), bounds_of(part)
    if isinstance(part, ArrayValue) and part.is_numpy_scalar and part.dtype.is_integer:
        if part.dtype is dtypes.uint64:
            raise LOOP_INDEX.stop(what="an index of uint64")
        info = np.iinfo(part.dtype.numpy)
        node = region.let_of(cast(trace, part.read(trace), dtypes.int64))
        return node, region.facts.of(node, (int(info.min), int(info.max)))
    raise LOOP_INDEX.stop(what="an index that is no integer")


def index_value(trace: Trace, value: Value) -> Value:
    """The Python int that `operator.index` gives. Errors: a break for what is no integer."""
    if isinstance(value, (Constant, ComputedNumber)) and value.python_type is int:
        return value
    region = trace.region
    assert region is not None
    node, bounds = index_node(trace, region, value)
    return host_number(trace, node, bounds)


def narrowed(trace: Trace, region: Region, value: ComputedNumber | ArrayValue, dtype: dtypes.DType) -> Value:
    """An int as a number of another dtype. The region is left for one that does not fit: NumPy raises."""
    node = region.let_of(value.read(trace) if isinstance(value, ArrayValue) else value.node(trace))
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        low, high = bounds_of(value)
        if isinstance(value, ArrayValue):
            if value.dtype is dtypes.uint64:
                raise LOOP_STORE.stop(what="a uint64 in an array of other integers")
            held = np.iinfo(value.dtype.numpy)
            low, high, node = int(held.min), int(held.max), region.let_of(cast(trace, node, dtypes.int64))
        leave_unless_within(trace, region, node, int(info.min), min(int(info.max), INT64[1]), (low, high))
    return result(trace, cast(trace, node, dtype), is_numpy_scalar=True)
