"""Reductions of the elements that a mask picks, where they lie: the others count as nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.dtypes import DType
from ....graph.node import Node
from ....loop_ir.ir import Apply, Let
from ....loop_ir.reductions import identity
from ....ops import pointwise as p
from ...tracing.nodes import constant_node
from .inner_loops import reduce_together
from .views import Index

if TYPE_CHECKING:
    from ...tracing.trace import Trace
    from .gather_scatter import Selection


_CHEAP = frozenset("if else absolute maximum minimum cast float32 float64 int8 int16 int32 int64".split())


_CHEAP_STATEMENTS = 24


def is_cheap(trace: Trace, selection: Selection) -> bool:
    """Whether its elements may be computed where the mask is false too: nothing can fail, and little is done."""
    region = trace.region
    assert region is not None
    if selection.rest or selection.dtype.is_complex or selection.dtype.is_narrow:
        return False
    with region.block() as trial:
        index = [region.local(region.name("j"), dtypes.int64) for _ in selection.mask.shape]
        selection.mask.at(trace, index)
        selection.full(index)
    return len(trial) <= _CHEAP_STATEMENTS and all(isinstance(each, Let) and _is_cheap(each) for each in trial)


def _is_cheap(let: Let) -> bool:
    if not isinstance(let.expression, Apply):
        return True
    return all(word.partition("_")[0] in _CHEAP for word in re.findall(r"[a-z]\w*", let.expression.text))


def reduce_where_it_lies(trace: Trace, selection: Selection, combine: str, dtype: DType) -> tuple[Node, Node]:
    """The elements of a cheap selection reduced, and how many there are, an int64: where its mask is false they count
    as nothing."""
    region, neutral = trace.region, identity(combine, selection.dtype)
    assert region is not None
    nothing = constant_node(trace, selection.dtype.numpy.type(neutral).item(), (), selection.dtype)

    def elements(index: Index) -> Sequence[Node]:
        chosen = region.let_of(selection.mask.at(trace, index))
        full, none = region.let_of(selection.full(index)), region.let_of(nothing)
        return trace.add(p.WHERE, chosen, full, none), chosen

    made, count = reduce_together(trace, selection.mask.shape, elements, [(combine, dtype), ("sum", dtypes.int64)])
    return made, count
