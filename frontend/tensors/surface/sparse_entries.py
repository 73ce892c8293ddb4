"""Sums and forms of sparse tensors while tracing, computed of their entries in the order of eager mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.sizes import is_symbolic
from ....graph.aot.emitter import GraphEmitter
from ....graph.node import Node
from ....ops.ordering import LARGEST_PLACE
from ...breaks import RAISES, TENSOR_FEATURE
from ...values.tensors.sparse_tensor import Entries
from ...values.tensors.tensor import TensorValue, fresh

if TYPE_CHECKING:
    from ...tracing.trace import Trace

Sizes = tuple[Any, ...]


def emitter(trace: Trace) -> GraphEmitter:
    """The emitter of nodes for the graph that are not recorded."""
    return GraphEmitter(trace.builder, trace.progress.location)


def value_of(trace: Trace, tensor: TensorValue) -> Node:
    """The value of a tensor now, without history."""
    with trace.no_grad():
        return tensor.read()


def new_entries(trace: Trace, places: Node, values: Node, kept: Node | None, merged: bool | Node) -> Entries:
    """Entries in memory of their own; fewer than two are coalesced, as they are."""
    with trace.no_grad():
        held = fresh(trace, places), fresh(trace, values)
    return Entries(*held, kept, _or_few(trace, places.shape[1], kept, merged))


def _or_few(trace: Trace, count: Any, kept: Node | None, merged: bool | Node) -> bool | Node:
    if merged is True or (not is_symbolic((count,)) and count < 2):  # a size that is a symbol is no less than two
        return True
    if kept is None:
        return merged
    f = emitter(trace)
    few = f.less(f.sum(f.cast(kept, dtype=dtypes.int64), axes=(0,)), 2)
    return f.any(f.cat(*(f.reshape(each, shape=(1,)) for each in (merged, few)), axis=0), axes=(0,)) if merged else few


def rows(trace: Trace, entries: Entries, size: Sizes) -> Node:
    """The place of each entry in the row of all places; shape [nnz]."""
    f, places = emitter(trace), value_of(trace, entries.places)
    dims, count = places.shape
    total: Node | None = None
    for axis in range(dims):
        row = f.slice(places, starts=(axis, 0), sizes=(1, count), steps=(1, 1))
        row = f.multiply(f.reshape(row, shape=(count,)), math.prod(size[axis + 1 : dims]))
        total = row if total is None else f.add(total, row)
    if total is None:
        raise TENSOR_FEATURE.stop(feature="a sparse tensor none of whose axes has coordinates")
    return total


def addends(trace: Trace, entries: Entries, values: Node) -> Node:
    """`values`, one for each entry, as they may be added up: those of entries that are left out change nothing."""
    if entries.kept is None:
        return values
    f, count = emitter(trace), values.shape[0]
    kept = f.reshape(entries.kept, shape=(count, *(1,) * (len(values.shape) - 1)))
    return f.where(kept, values, -0.0)  # type: ignore[no-any-return]


def added_to_dense(trace: Trace, dense: Node, entries: Entries, size: Sizes, values: Node | None = None) -> Node:
    """`dense` with the entries added at their places, one after the other. values: in place of theirs."""
    f, dims = emitter(trace), entries.places.shape[0]
    given = value_of(trace, entries.values) if values is None else values
    given = addends(trace, entries, _cast(f, given, dense))
    if dims == 1:
        return f.scatter_add(dense, rows(trace, entries, size), given, axis=0)  # type: ignore[no-any-return]
    table = f.reshape(dense, shape=(math.prod(size[:dims]), *size[dims:]))
    summed = f.scatter_add(table, rows(trace, entries, size), given, axis=0)
    return f.reshape(summed, shape=size)  # type: ignore[no-any-return]


def dense(trace: Trace, entries: Entries, size: Sizes) -> Node:
    """All elements."""
    zeros = emitter(trace).full(value=0, shape=size, dtype=entries.values.dtype)
    return added_to_dense(trace, zeros, entries, size)


def _cast(f: GraphEmitter, node: Node, like: Node) -> Node:
    dtype = like.type.dtype
    return node if node.type.dtype is dtype else f.cast(node, dtype=dtype)  # type: ignore[no-any-return]


def appended(trace: Trace, left: Entries, right: Entries, size: Sizes) -> Entries:
    """The entries of both, one after the other; coalesced if both are."""
    dims = left.places.shape[0], right.places.shape[0]
    if dims[0] != dims[1]:
        raise RAISES.stop(error="RuntimeError: add: sparse tensors of sparse_dim {} and {}".format(*dims))
    f = emitter(trace)
    first, second = value_of(trace, left.values), value_of(trace, right.values)
    places = f.cat(value_of(trace, left.places), value_of(trace, right.places), axis=1)
    values = f.cat(first, _cast(f, second, first), axis=0)
    kept = None
    if left.kept is not None or right.kept is not None:
        kept = f.cat(*(_kept(f, each) for each in (left, right)), axis=0)
    joined = new_entries(trace, places, values, kept, False)
    if left.merged is False or right.merged is False or joined.merged is True:
        return joined
    merged = coalesced(trace, joined, size)
    flags = [each for each in (left.merged, right.merged) if isinstance(each, Node)]
    return _chosen(trace, flags, merged, joined) if flags else merged


def _kept(f: GraphEmitter, entries: Entries) -> Node:
    count = entries.places.shape[1]
    return f.full(value=True, shape=(count,), dtype=dtypes.bool_) if entries.kept is None else entries.kept


def coalesced(trace: Trace, entries: Entries, size: Sizes) -> Entries:
    """One entry for each place, sorted. Those of one place are added up in their order."""
    if entries.merged is True:
        return entries
    f, values = emitter(trace), value_of(trace, entries.values)
    (count, *axes), dims = values.shape, entries.places.shape[0]
    flat = rows(trace, entries, size)
    if entries.kept is not None:
        flat = f.where(entries.kept, flat, LARGEST_PLACE)
    found = f.distinct(flat)
    distinct, entry = (
        f.reshape(f.slice(found, starts=(row, 0), sizes=(1, count), steps=(1, 1)), shape=(count,)) for row in (0, 1)
    )
    zeros = f.full(value=0, shape=(count, *axes), dtype=values.type.dtype)
    summed = f.scatter_add(zeros, entry, values, axis=0)
    kept = f.not_equal(distinct, LARGEST_PLACE)
    places = _coordinates(f, f.where(kept, distinct, 0), size[:dims])
    made = new_entries(trace, places, summed, kept, True)
    return _chosen(trace, [entries.merged], entries, made) if isinstance(entries.merged, Node) else made


def _coordinates(f: GraphEmitter, flat: Node, sizes: Sizes) -> Node:
    """The coordinates, a column each, of numbers in the row of all places."""
    count = flat.shape[0]
    found = []
    for size in reversed(sizes[1:]):
        rest = f.floor_divide(flat, size)
        found.append(f.subtract(flat, f.multiply(rest, size)))
        flat = rest
    columns = [f.reshape(each, shape=(1, count)) for each in (flat, *reversed(found))]
    return f.cat(*columns, axis=0) if len(columns) > 1 else columns[0]


def _chosen(trace: Trace, flags: list[Node], first: Entries, second: Entries) -> Entries:
    """The first entries where all flags hold, else the second: as many of both."""
    f = emitter(trace)
    flag = f.all(f.cat(*(f.reshape(each, shape=(1,)) for each in flags), axis=0), axes=(0,))

    def choose(one: Node, other: Node) -> Node:
        return f.where(flag, one, other)  # type: ignore[no-any-return]

    places, values = (
        choose(value_of(trace, one), value_of(trace, other))
        for one, other in ((first.places, second.places), (first.values, second.values))
    )
    kept = choose(_kept(f, first), _kept(f, second))
    whole = [each.merged if isinstance(each.merged, Node) else _flag(f, each.merged) for each in (first, second)]
    return new_entries(trace, places, values, kept, choose(*whole))


def _flag(f: GraphEmitter, value: bool) -> Node:
    return f.full(value=value, shape=(), dtype=dtypes.bool_)  # type: ignore[no-any-return]
