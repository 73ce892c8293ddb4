"""Lookups in a table whose gradient is sparse, while tracing: an entry for each lookup."""

# Note [Rows of a sparse lookup]
# To the tape, the rows that a sparse lookup gives end a history: they are a leaf that nobody sees, which knows the
# table and what was looked up. What arrives there in a backward pass of the call becomes entries of the table's
# gradient. Where the history leaves the call, the gradient of the rows goes to a node as eager mode makes it.

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.devices import CPU
from ....core.records import dataclass
from ....graph.node import Node
from ....ops.activations import ALIAS
from ....runtime.sparse_results import lookup_edge
from ....tensor.indexing import index_select
from ....tensor.shaping import reshape_to
from ...breaks import TENSOR_FEATURE
from ...values.constant import Constant
from ...values.tensors.autograd_identity import AutogradIdentity
from ...values.tensors.inference_mode import refuse_saving
from ...values.tensors.sparse_tensor import Entries, SparseTensorValue
from ...values.tensors.tensor import TensorValue, detached, fresh
from ..surface.numbers import known
from ..surface.sparse_entries import added_to_dense, appended, emitter, new_entries
from .leaf_gradients import grad_of, set_grad

if TYPE_CHECKING:
    from ...codegen.reconstruct import EntryWriter
    from ...tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class SparseLookup:
    """One lookup. number: that of a node behind all lookups before it.

    indices: what was looked up, with its value then.
    """

    number: int
    weight: AutogradIdentity
    size: tuple[Any, ...]
    indices: TensorValue
    node: Node
    padding: int | None


def sparse_lookup(input: Any, weight: Any, padding: int | None) -> TensorValue:
    """The rows of a table whose gradient is sparse. Errors: a break for a table that is no plain leaf on the CPU."""
    if not isinstance(input, TensorValue) or not isinstance(weight, TensorValue):
        raise TENSOR_FEATURE.stop(feature="an embedding with sparse=True of a tensor of unknown origin")
    trace, shape = weight.trace, (*input.shape, weight.shape[1])
    found = index_select(detached(weight), 0, reshape_to(input, (input.array.type.size,)))
    with trace.no_grad():
        rows = fresh(trace, reshape_to(found, shape).read())
    if not (trace.grad_enabled and weight.requires_grad):
        return rows
    _check(trace, input, weight)
    with trace.no_grad():
        indices = input.read()
    rows.root.requires_grad = True
    number, size = len(trace.builder.nodes), weight.shape
    rows.root.lookup = SparseLookup(number, weight.root, size, input, indices, known(padding))
    node = trace.add(ALIAS, rows.read())
    storage = input.array.storage
    trace.tape.saved[node] = ((storage, storage.version),)
    return fresh(trace, node, requires_grad=True, leaf=False)


def _check(trace: Trace, input: TensorValue, weight: TensorValue) -> None:
    if not weight.root.leaf or weight.array.path:
        raise TENSOR_FEATURE.stop(feature="an embedding with sparse=True whose weight is no leaf")
    if weight.device != CPU or not weight.dtype.is_float or weight.dtype.is_narrow or not weight.shape[1]:
        raise TENSOR_FEATURE.stop(feature=f"an embedding with sparse=True of {weight.dtype} on {weight.device}")
    if trace.iterations or trace.deferred is not None:
        raise TENSOR_FEATURE.stop(feature="an embedding with sparse=True in a loop, a branch or a custom backward")
    if trace.tape.pair is not None:
        raise TENSOR_FEATURE.stop(feature="an embedding with sparse=True under saved-tensor hooks")
    refuse_saving(trace, input.root)


def lookups_of(trace: Trace, weight: AutogradIdentity) -> bool:
    """Whether rows of a tensor have been looked up whose gradient is sparse."""
    return any(root.lookup is not None and root.lookup.weight is weight for root in trace.tape.leaves.values())


def accumulate_sparse(trace: Trace, found: Iterable[tuple[SparseLookup, Node]]) -> None:
    """Adds the gradients of looked-up rows to the `.grad` of their tables, in the order in which they come in eager
    mode: that of the latest lookup first."""
    sums: dict[AutogradIdentity, Entries] = {}
    for lookup, gradient in sorted(found, key=lambda each: -each[0].number):
        entries, before = _entries(trace, lookup, gradient), sums.get(lookup.weight)
        sums[lookup.weight] = entries if before is None else appended(trace, before, entries, lookup.size)
    for weight, entries in sums.items():
        _accumulate(trace, weight, entries)


def _entries(trace: Trace, lookup: SparseLookup, gradient: Node) -> Entries:
    """One entry for each lookup; those of the padding are left out."""
    f = emitter(trace)
    count = lookup.indices.array.type.size
    rows = f.reshape(lookup.node, shape=(count,))
    rows = rows if rows.type.dtype is dtypes.int64 else f.cast(rows, dtype=dtypes.int64)
    values = f.reshape(gradient, shape=(count, lookup.size[1]))
    kept = None if lookup.padding is None else f.not_equal(rows, lookup.padding)
    return new_entries(trace, f.reshape(rows, shape=(1, count)), values, kept, False)


def _accumulate(trace: Trace, weight: AutogradIdentity, entries: Entries) -> None:
    before, size = grad_of(trace, weight), weight.storage.fake.shape
    if isinstance(before, SparseTensorValue):
        before.become(appended(trace, before.entries, entries, size))
    elif isinstance(before, TensorValue):
        with trace.no_grad():
            before.write(added_to_dense(trace, before.read(), entries, size), requires_grad=False)
    else:
        assert isinstance(before, Constant)
        dtype = entries.values.dtype
        set_grad(trace, weight, SparseTensorValue(trace, size, dtype, entries))


def edge_text(writer: EntryWriter, lookup: SparseLookup, indices: str) -> str:
    """The variable for the edge at which the gradient of the rows arrives outside of the call; one for each lookup.

    indices: the expression for what was looked up.
    """
    weight, pool = lookup.weight, writer.pool
    if weight.real is None or weight.source is None:
        raise TENSOR_FEATURE.stop(feature="a gradient for a tensor that is made inside")
    text = f"{pool.add(lookup_edge)}({indices}, {weight.source.text(pool)}, {lookup.padding})"
    name = writer.name_for(lookup)
    writer.made.append(f"{name} = {text}")
    return name


TensorValue.__guardlift_sparse_lookup__ = staticmethod(sparse_lookup)  # type: ignore[attr-defined]

__all__ = ["SparseLookup", "accumulate_sparse", "edge_text", "lookups_of"]
