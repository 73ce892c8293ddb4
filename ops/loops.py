"""Loops over whole arrays: a body that is a graph of its own, run once for each iteration.

A loop takes what it carries from iteration to iteration, then arrays of which each iteration is given one row, then
what is the same in all iterations. It gives what it carries at the end, then arrays with one row for each iteration.
"""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.errors import OpError
from ..core.types import TensorType
from .several import define_several

Body = tuple[Any, ...]
"""A graph as nested tuples: see `graph.bodies`, which writes and reads them. The types of its inputs come first."""


def _loop_meta(*types: TensorType, body: Body, trips: int, carried: int, scanned: int, reverse: bool) -> TensorType:
    wanted, _, results = body
    if len(types) != len(wanted) or carried + scanned > len(types) or carried > len(results):
        raise OpError(
            f"a loop over a body of {len(wanted)} inputs and {len(results)} results got {len(types)} operands"
        )
    for place, (operand, (shape, dtype)) in enumerate(zip(types, wanted, strict=True)):
        rows = (trips,) if carried <= place < carried + scanned else ()
        if operand.dtype is not dtype or operand.shape != (*rows, *shape):
            raise OpError(f"operand {place} of a loop of {trips} rounds is {operand}; its body takes {dtype}{shape}")
    return TensorType((), dtypes.int64)


LOOP, LOOP_RESULT = define_several("loop", meta=_loop_meta)
"""The node itself is only a token; what the loop gives are `loop_result` nodes: the carried values at
its end, then the arrays with a row for each iteration.

body:    takes the carried values, a row of each scanned array, and what is the same in all iterations; gives the
         carried values of the next iteration, then one row of each array that the loop gives. See `graph.bodies`.
trips:   how many iterations, one at least. carried, scanned: how many operands, in this order.
reverse: the first iteration is given the last rows, and gives the last rows.
Its derivative is a step of the walk back, since it has several results: see `graph.aot.loops`.
"""
