"""Looking rows up in a table whose gradient is sparse: an entry for each lookup, and no zeros for the other rows."""

from __future__ import annotations

import numpy as np

from ..core.devices import HOST
from ..core.errors import SparseError
from ..ops.indexing import TAKE
from ..ops.movement import RESHAPE
from ..tensor.dispatch import apply
from ..tensor.indexing import index_select
from ..tensor.sparse_tensor import SparseTensor
from ..tensor.tensor import Array, Tensor
from .edges import edges_of
from .history import attach
from .modes import MODES
from .node import Edge, Gradients, Node
from .saved import SavedTensor


class EmbeddingBackward0(Node):
    """Makes of the gradient of the rows that were looked up a sparse one of the table."""

    __slots__ = ("indices", "padding", "size")

    def __init__(self, input: Tensor, size: tuple[int, ...], padding: int | None, edges: tuple[Edge, ...]) -> None:
        super().__init__(edges)
        self.indices = SavedTensor(input, False, self, "indices")
        self.size = size
        self.padding = padding

    def apply(self, gradients: Gradients) -> Gradients:
        """A sparse gradient that is not coalesced; lookups of the padding have no entry."""
        g = gradients[0]
        if g is None:
            return (None,)
        array = self.indices.unpack_array(self)
        assert array is not None
        rows = array.reshape(-1).astype(np.int64)  # a copy: the indices are the caller's
        values = self._values(g, None if self.padding is None else rows != self.padding)
        if self.padding is not None:
            rows = rows[rows != self.padding]
        return (SparseTensor(Tensor._wrap(rows.reshape(1, -1)), values, self.size),)

    def _values(self, g: Tensor, kept: Array | None) -> Tensor:
        """One row of `g` for each lookup, of those that are `kept`."""
        if g.is_sparse:
            g = g.to_dense()
        if MODES.grad_enabled:
            values = apply(RESHAPE, g, shape=(-1 if g.numel() else 0, self.size[1]))
            return values if kept is None else apply(TAKE, values, Tensor._wrap(np.flatnonzero(kept)), axis=0)
        array = g._array.reshape(-1 if g.numel() else 0, self.size[1])
        values = Tensor._wrap(array if kept is None else array[kept])
        if kept is None:
            values._storage, values._counter = g._storage, g._counter
        return values

    def release(self) -> None:
        """Drops the indices."""
        self.indices.release()


def sparse_lookup(input: Tensor, weight: Tensor, padding: int | None) -> Tensor:
    """The row of `weight` that each element of `input` names.

    Shapes: input integers [*], weight [n, k] -> [*, k].
    Errors: IndexError for a row that is not there; SparseError on a device, and for other values without a rule.
    """
    if not isinstance(input, Tensor) or not isinstance(weight, Tensor):
        for each in (weight, input):
            rule = getattr(type(each), "__guardlift_sparse_lookup__", None)
            if rule is not None:
                return rule(input, weight, padding)  # type: ignore[no-any-return]
        raise SparseError(f"a sparse gradient needs tensors at hand, got {type(weight).__name__}")
    if weight.device != HOST:
        raise SparseError(f"sparse gradients are for weights on the CPU, and this one is on {weight.device}")
    edges = edges_of((weight,)) if MODES.grad_enabled and weight.requires_grad else None
    flat = Tensor._wrap(input._array.reshape(-1))
    rows = index_select(weight.detach(), 0, flat)._array.reshape(*input.shape, weight.shape[1])
    result = Tensor._wrap(rows)
    if edges is not None:
        attach(result, EmbeddingBackward0(input, weight.shape, padding, edges))
    return result
