"""Functions that count: `np.bincount`, `np.histogram`, `np.add.at` and its like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...core.types import TensorType
from ...ops import pointwise as p
from ..breaks import DATA_SHAPE, NUMPY_ARGUMENT, RAISES
from ..regions.arrays.indices import checked_index
from ..regions.arrays.inner_loops import scratch
from ..regions.arrays.ordered_statements import counted
from ..regions.arrays.sizes import equal
from ..regions.arrays.views import as_array, view_of
from ..regions.standalone import operation
from ..tracing.nodes import cast, constant_node
from ..tracing.rules import traces
from ..values.arrays.array import ArrayValue, result
from ..values.base import Value
from ..values.constant import Constant, is_none

if TYPE_CHECKING:
    from ..tracing.trace import Trace


@traces(np.bincount)
def bincount(trace: Trace, x: Value, /, weights: Value = Constant(None), minlength: Value = Constant(0)) -> Value:  # noqa: B008
    """The counts, as long as `minlength` says; where a number is not below it, Python runs the call."""
    length = minlength.constant(trace)
    if type(length) is not int:
        raise NUMPY_ARGUMENT.stop(name="np.bincount", argument="a minlength that is no int")
    if length == 0:
        raise DATA_SHAPE.stop(name="np.bincount without minlength")
    dtype = dtypes.int64 if is_none(weights) else dtypes.float64
    with operation(trace) as region:
        places, amounts = as_array(trace, x), None if is_none(weights) else as_array(trace, weights)
        if places is None or len(places.shape) != 1 or length < 0:
            raise RAISES.stop(error="ValueError: object of too small depth for desired array")
        if not (places.dtype.is_integer or places.dtype.is_bool) or places.dtype is dtypes.uint64:
            raise RAISES.stop(error="TypeError: Cannot cast array data according to the rule 'safe'")
        if amounts is not None and equal(trace, places.shape[0], 0) is not False:
            # NumPy forgets the weights of nothing: it gives integers then.
            raise NUMPY_ARGUMENT.stop(name="np.bincount", argument="weights that may be none")
        if amounts is not None and (len(amounts.shape) != 1 or not equal(trace, amounts.shape[0], places.shape[0])):
            raise NUMPY_ARGUMENT.stop(name="np.bincount", argument="weights that may have another length")
        room = scratch(trace, TensorType((length,), dtype))
        counts = view_of(trace, room)
        zero, one = constant_node(trace, 0, (), dtypes.int64), constant_node(trace, 1, (), dtype)
        with counted(trace, length) as at:
            region.store(room.storage, [at], constant_node(trace, 0, (), dtype))
        with counted(trace, places.shape[0]) as at:
            place = region.let_of(cast(trace, places.at(trace, [at]), dtypes.int64))
            region.leave_if(trace.add(p.LESS, place, zero))
            index = region.let_of(checked_index(trace, region, result(trace, place, is_numpy_scalar=True), length))
            amount = one if amounts is None else region.let_of(cast(trace, amounts.at(trace, [at]), dtype))
            region.store(room.storage, [index], trace.add(p.ADD, counts.at(trace, [index]), amount))
    return room


__all__ = ["ArrayValue", "bincount"]
