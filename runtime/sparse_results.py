"""Sparse tensors that compiled code gives or changes, and the edges by which gradients come to sparse lookups."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.edges import GradientEdge, edges_of
from ..autograd.sparse_lookup import EmbeddingBackward0
from ..tensor import Tensor
from ..tensor.sparse_tensor import SparseTensor

Array = np.ndarray[Any, Any]


def sparse_tensor(
    places: Tensor, values: Tensor, size: tuple[int, ...], merged: Any, kept: Array | None, writes: int
) -> SparseTensor:
    """A new sparse tensor with these entries, written `writes` times since it was made.

    kept: which of the entries it has; None for all.
    """
    if kept is not None:
        places, values = _compressed(places, kept, 1), _compressed(values, kept, 0)
    made = SparseTensor(places, values, size, bool(merged))
    made._counter.value = writes
    return made


def _compressed(part: Tensor, kept: Array, axis: int) -> Tensor:
    made = Tensor._wrap(np.compress(kept, part._array, axis))
    made._counter.value = part._counter.value
    return made


def change_entries(target: SparseTensor, entries: SparseTensor, writes: int) -> None:
    """Gives a sparse tensor the entries of another one, and counts the writes by which it came to them."""
    target._places, target._held, target._merged = entries._places, entries._held, entries._merged
    target._counter.value += writes


def lookup_edge(indices: Any, weight: Tensor, padding: int | None) -> GradientEdge:
    """The edge to a new node that makes of the gradient of looked-up rows a sparse one of `weight`."""
    saved = indices if isinstance(indices, Tensor) else Tensor._wrap(indices)
    return GradientEdge(EmbeddingBackward0(saved, weight.shape, padding, edges_of((weight,))), 0)
