"""Sparse tensors while tracing: the places of their entries and the values at them, which are traced tensors."""

# Note [Entries that may be left out]
# How many entries a sparse gradient has may be known only when the plan runs: lookups of the padding have none, and
# entries at one place become one. In the graph every array has its size. So entries that are not there stay in it, and
# a vector of bools says of each whether it is `kept`; whoever adds entries to something adds -0.0 for the others,
# which changes no number. Where a sparse tensor leaves the call, they are left out.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.devices import HOST
from ....core.dtypes import DType
from ....core.records import dataclass
from ....graph.node import Node
from ....guards.guard import Equals, Is, TypeIs
from ....guards.sources import Attribute, Named, Source
from ....runtime.sparse_results import change_entries, sparse_tensor
from ....tensor.sparse_tensor import SparseTensor
from ...breaks import TENSOR_FEATURE
from .. import protocols
from ..base import MutableValue, Value, wrap, wraps
from .tensor import TensorValue

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace

COUNTED_LATE = "{}() of a sparse tensor, the number of whose entries is known only when it was computed"


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a sparse tensor.

    places: int64 [sparse_dim, nnz].   values: [nnz, *dense axes].
    kept:   of each whether it is there; None where all are.
    merged: whether they are sorted and none shares its place; a node where that is known only when the plan runs.
    """

    places: TensorValue
    values: TensorValue
    kept: Node | None = None
    merged: bool | Node = False


class SparseTensorValue(MutableValue):
    """A `SparseTensor` without a history. Its own operations are those of `tensors.surface.sparse_methods`."""

    identity_kind = "sparse tensor"

    def __init__(self, trace: Trace, size: tuple[int, ...], dtype: DType, entries: Entries | None) -> None:
        self.trace = trace
        self.size = size
        self.dtype = dtype
        self._entries = entries
        self.real: SparseTensor | None = None
        self.writes = 0
        """The number of writes that the call has made to it."""
        self.is_replaced = False
        """Whether it is one from outside, and has other entries by now."""

    @property
    def python_type(self) -> type:
        return SparseTensor

    @property
    def device(self) -> Any:
        """The CPU."""
        return HOST

    @property
    def entries(self) -> Entries:
        """Its entries now; those of one from outside are read when they are first asked for."""
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    def _read(self) -> Entries:
        real, source, trace = self.real, self.source, self.trace
        assert real is not None and source is not None
        places = wrap(trace, real._places, Named(Attribute(source, "_places"), f"{source}._indices()"))
        values = wrap(trace, real._held, Named(Attribute(source, "_held"), f"{source}._values()"))
        if not isinstance(places, TensorValue) or not isinstance(values, TensorValue):
            raise TENSOR_FEATURE.stop(feature=f"{source}, a sparse tensor of which other classes hold the entries")
        return Entries(places, values, merged=self.known_merged())

    def known_merged(self) -> bool:
        """Whether it is coalesced. Errors: a break where only the run knows."""
        if self._entries is None:
            assert self.real is not None and self.source is not None
            self.trace.guard(Is, Attribute(self.source, "_merged"), expected=self.real._merged)
            return self.real._merged
        merged = self._entries.merged
        if isinstance(merged, Node):
            raise TENSOR_FEATURE.stop(feature=COUNTED_LATE.format("is_coalesced"))
        return merged

    def dense_dim(self) -> int:
        """The number of its axes, the last ones, that are kept whole in each entry."""
        if self._entries is not None:
            return len(self._entries.values.shape) - 1
        assert self.real is not None
        return self.real.dense_dim()

    def become(self, entries: Entries) -> None:
        """Have other entries from now on, which is a write."""
        self.note_write()
        self._entries = entries
        self.is_replaced = True

    def note_write(self) -> None:
        """Count a write. Errors: a break in a round of a loop that stands for all of them, and in a branch."""
        self.trace.refuse_in_iterations(self.describe())
        self.note_change()
        self.writes += 1

    def attribute(self, trace: Trace, name: str) -> Value:
        return protocols.sparse_attribute(trace, self, name)

    def unary(self, trace: Trace, name: str) -> Value:
        raise TENSOR_FEATURE.stop(feature=f"the operator `{name}` of a sparse tensor")

    def rebuild(self, writer: EntryWriter) -> str:
        if self.source is not None:
            return self.source.text(writer.pool)
        return writer.once(self, lambda: self._made(writer, self.writes))

    def _made(self, writer: EntryWriter, writes: int) -> str:
        """The expression that makes a sparse tensor of its entries."""
        entries, pool = self.entries, writer.pool
        kept = "None" if entries.kept is None else writer.extra_array(entries.kept)
        merged = writer.extra_array(entries.merged) if isinstance(entries.merged, Node) else str(entries.merged)
        parts = f"{entries.places.rebuild(writer)}, {entries.values.rebuild(writer)}"
        return f"{pool.add(sparse_tensor)}({parts}, {pool.add(self.size)}, {merged}, {kept}, {writes})"

    def changes(self, writer: EntryWriter, owner: str) -> list[str]:
        if not self.is_replaced:
            return [f"{owner}._counter.value += {self.writes}"] if self.writes else []
        made = writer.fetched(self._made(writer, 0))
        return [f"{writer.pool.add(change_entries)}({owner}, {made}, {self.writes})"]


@wraps(SparseTensor)
def wrap_sparse_tensor(trace: Trace, value: Any, source: Source) -> SparseTensorValue:
    """A sparse tensor from outside, with its size. Errors: a break for one that requires grad."""
    trace.guard(TypeIs, source, expected=SparseTensor)
    held = Attribute(source, "_held")
    if value._held.requires_grad or trace.deferred is not None:
        raise TENSOR_FEATURE.stop(feature=f"{source}, a sparse tensor that requires grad or is read in a backward")
    if value._counter.inference or trace.tape.inference:
        raise TENSOR_FEATURE.stop(feature=f"{source}, a sparse tensor that belongs to inference mode")
    trace.guard(Is, Attribute(Attribute(source, "_counter"), "inference"), expected=False)
    trace.guard(TypeIs, held, expected=type(value._held))
    trace.guard(Is, Attribute(held, "_requires_grad"), expected=False)
    trace.guard(Equals, Attribute(source, "_size"), expected=value._size)
    array = Attribute(held, "_array")
    trace.guard(Is, Attribute(array, "dtype"), expected=value._held._array.dtype)
    trace.guard(Equals, Attribute(array, "ndim"), expected=value._held.ndim)
    found = SparseTensorValue(trace, value._size, value.dtype, None)
    found.real, found.source = value, source
    return found


__all__ = ["COUNTED_LATE", "Entries", "SparseTensorValue"]
