"""Regions: a part of a program with loops and branches of its own, run as one kernel.

A region takes whole arrays and numbers, and gives the arrays that it writes, as they are afterwards, and numbers.
Its `program` is loop IR as nested tuples (see `loop_ir.encoding`); this floor knows only what goes in and comes out.
"""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.dtypes import DType
from ..core.errors import OpError
from ..core.types import TensorType
from .several import define_several

Program = tuple[Any, ...]


def _region_meta(
    *types: TensorType,
    program: Program,
    sizes: tuple[tuple[str, int | Program, int], ...],
    written: tuple[int, ...],
    results: tuple[DType, ...],
    leaves: bool,
) -> TensorType:
    if any(not 0 <= number < len(types) for number in written):
        raise OpError(f"a region of {len(types)} operands writes operand {max(written)}")
    return TensorType((), dtypes.int64)


REGION, REGION_RESULT = define_several("region", meta=_region_meta, may_raise=True)
"""The node itself is only a token; what the region gives are `region_result` nodes: the written operands
in their order, then the numbers.

program: what runs, over one pointer for each operand, then one for each number it gives.
sizes:   what its sizes are: ``("shape", operand, axis)``, ``("stride", operand, axis)``, ``("value", number, 0)``, or
         the address of a C function, ``("function", name, 0)``.
written: the numbers of the operands whose memory it changes. results: the dtypes of the numbers it gives.
leaves:  whether it may find that Python has to run the call, or does what no value of the graph shows: it draws.
"""
