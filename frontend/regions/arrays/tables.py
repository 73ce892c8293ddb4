"""Tuples and lists of numbers at an index that a region computes: `weights[k]`, `moves[state]`."""

# Note [Tables]
# To pick from a tuple or a list by a number that changes, its elements are in memory of the region, written ahead of
# everything else. Nothing in a region changes an object from before it, so they stay what they are; of one that an
# iteration makes, the elements are written where it is asked. What is picked is of the elements' kind, Python's or
# NumPy's, so they all have one kind. A tuple of tuples, as `moves = ((0, 1), (1, 0))`, gives a tuple of what is picked.
# A short loop over layers, `for k in range(6): x = np.tanh(x * weights[k])`, is better unrolled, as ever.

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import dtypes
from ....core.types import TensorType
from ....graph.node import Node
from ....loop_ir.ir import Store
from ...breaks import LOOP_INDEX
from ...tracing.nodes import cast, constant_node
from ...tracing.speculation import unsupported_in_region
from ...values.arrays.array import ArrayValue, result
from ...values.base import Value
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import INT64, Bounds, ComputedNumber
from ..numbers.arithmetic import bounds_of, host_number, is_of_region, is_symbolic, number_node
from ..variables import kind_of
from .indices import checked_index
from .inner_loops import scratch
from .views import Index

if TYPE_CHECKING:
    from ...tracing.speculation import VariableKind
    from ...tracing.trace import Trace
    from ..builder import Region

MOST = 1024
"""Elements of a table: each is a statement of the kernel."""


def picked_from(trace: Trace, items: list[Value], key: Value) -> Value | None:
    """The element of a sequence at an index that the region computes; None for a known index.

    Errors: a break for elements that are no numbers of one kind.
    """
    region = trace.region
    if region is None or not is_symbolic(trace, key):
        return None
    kinds = [kind_of(each) for each in items]
    kind = kinds[0] if kinds else None
    if kind is None or any(each != kind for each in kinds) or kind.python_or_numpy or len(items) > MOST:
        raise LOOP_INDEX.stop(what="an index that changes, of a sequence whose elements are no numbers of one kind")
    if isinstance(key, ComputedNumber) and key.python_type is bool:
        key = host_number(trace, cast(trace, number_node(trace, key), dtypes.int64), (0, 1))
    index = region.let_of(checked_index(trace, region, key, len(items)))
    if region.may_unroll and _counts_rounds(region, index):
        raise unsupported_in_region("an element of a sequence for each round, of a loop short enough to be unrolled")
    return _at(trace, region, items, kind, [index])


def _counts_rounds(region: Region, index: Node) -> bool:
    """Whether an index is made of the counters of loops alone, so that it is known where they are unrolled."""
    terms, _ = region.sum_of(index)
    return all(region.lets.get(node, "").startswith("i") for node, _ in terms)


def _at(trace: Trace, region: Region, items: list[Value], kind: VariableKind, index: Index) -> Value:
    if kind.parts is not None:
        columns = zip(*(each.items for each in items if isinstance(each, TupleValue)), strict=True)
        return TupleValue(
            [_at(trace, region, [*column], part, index) for column, part in zip(columns, kind.parts, strict=True)]
        )
    found = region.load(_table(trace, region, items, kind).storage, index)
    if kind.python is None:
        return result(trace, found, is_numpy_scalar=True)
    return host_number(trace, found, _bounds(items) if kind.python is int else INT64)


def _table(trace: Trace, region: Region, items: list[Value], kind: VariableKind) -> ArrayValue:
    """The memory that holds these elements."""
    same = tuple(map(id, items))
    if same in region.tables:
        return region.tables[same][0]
    nodes = [each.read(trace) if isinstance(each, ArrayValue) else number_node(trace, each) for each in items]
    room = scratch(trace, TensorType((len(items),), kind.dtype))
    region.change(room.storage)
    is_made_here = any(is_of_region(trace, each) for each in items)
    for place, node in enumerate(nodes):
        access = region.access(room.storage, [constant_node(trace, place, (), dtypes.int64)])
        store = Store(access, region.text(node), kind.dtype)
        (region.put if is_made_here else region.prologue.append)(store)
    if not is_made_here:
        region.tables[same] = room, items
    return room


def _bounds(items: list[Value]) -> Bounds:
    every = [bounds_of(each) for each in items]
    return min(low for low, _ in every), max(high for _, high in every)
