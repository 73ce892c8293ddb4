"""Loops over whole arrays: a body that is a graph of its own, run once for each round.

A loop takes what it carries from round to round, then arrays of which each round is given one row, then what is the
same in all rounds. It gives what it carries at the end, then arrays with one row for each round.
"""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from .registry import Array, Structural, define_op

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


def _not_alone(*_arrays: Array, **_attrs: object) -> Array:
    raise OpError("a loop gives several values; they are `loop_result` nodes")


LOOP = define_op(
    "loop",
    meta=_loop_meta,
    eager=_not_alone,
    lower=Structural(),
    samples=tuple,
    exact=False,
    operands=("operands",),
    variadic=True,
)
"""The node itself is only a token; what the loop gives are `loop_result` nodes.

body:    takes the carried values, a row of each scanned array, and what is the same in all rounds; gives the carried
         values of the next round, then one row of each array that the loop gives. See `graph.bodies`.
trips:   how many rounds, one at least. carried, scanned: how many operands, in this order.
reverse: the first round is given the last rows, and gives the last rows.
Its derivative is a step of the walk back, since it has several results: see `graph.aot.loops`.
"""


def _result_meta(loop: TensorType, *, index: int, shape: tuple[int, ...], dtype: DType) -> TensorType:
    return TensorType(shape, dtype)


LOOP_RESULT = define_op(
    "loop_result",
    meta=_result_meta,
    eager=_not_alone,
    lower=Structural(),
    samples=tuple,
    exact=False,
    operands=("loop",),
)
"""Result `index` of a loop: the carried values at its end, then the arrays with a row for each round."""
