"""float16 in the graph: computed with as float32, rounded to float16 where NumPy rounds. See Note [Half floats]."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...graph.node import Node
from ...ops import narrow
from ...ops import pointwise as p
from ...ops.creation import FULL
from ..breaks import DTYPE
from . import complex_numbers

if TYPE_CHECKING:
    from .trace import Trace

KEEPING = complex_numbers.KEEPING | narrow.KEEPING
"""The ops that take narrow floats, or make them, as they are."""


def refuse(used: Iterable[object]) -> None:
    """Errors: a break for a narrow float among the dtypes that an op uses."""
    for dtype in used:
        if isinstance(dtype, DType) and dtype.is_narrow:
            raise DTYPE.stop(dtype=dtype)


def computed_in(dtype: DType) -> DType:
    """The dtype in which kernels compute with numbers of a dtype."""
    return dtypes.float32 if dtype.is_half else dtype


def widened(trace: Trace, node: Node) -> Node:
    """float16 as float32, a known number as one; anything else as it is."""
    value = node.kwargs["value"] if node.op is FULL else None
    if node.type.dtype.is_half and isinstance(value, float):
        with np.errstate(over="ignore"):  # where the program computes it, it has its own say in that
            known = float(node.type.dtype.numpy.type(value))
        return trace.add(FULL, value=known, shape=node.shape, dtype=dtypes.float32)
    return trace.add(p.CAST, node, dtype=dtypes.float32) if node.type.dtype.is_narrow else node


def rounding(lowered: Callable[..., Node], result: DType) -> Callable[..., Node]:
    """The lowering that computes on float16 as on float32, and rounds once, to the dtype NumPy's loop gives."""

    def lower(trace: Trace, *nodes: Node) -> Node:
        made = lowered(trace, *(widened(trace, node) for node in nodes))
        return trace.add(p.CAST, made, dtype=result) if made.type.dtype is not result else made

    return lower
