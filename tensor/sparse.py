"""The public module `gl.sparse`: making sparse tensors, and products with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..ops.indexing import TAKE
from ..ops.movement import RESHAPE
from .creation import as_tensor, tensor
from .devices import is_host
from .dispatch import apply
from .layouts import Layout, strided
from .layouts import sparse_coo as sparse_coo_layout
from .promotion import to_dtype
from .python_types import as_dtype
from .sparse_rules import matmul
from .sparse_tensor import SparseTensor, places_in
from .surface import value_method
from .tensor import Array, Tensor

__all__ = ["mm", "sparse_coo_tensor"]

mm = matmul
_MOST_PLACES = 2**63 - 1


def sparse_coo_tensor(
    indices: Any,
    values: Any = None,
    size: Sequence[int] | None = None,
    *,
    dtype: DType | None = None,
    device: str | None = None,
    requires_grad: bool = False,
    is_coalesced: bool | None = None,
) -> SparseTensor:
    """A sparse tensor with ``values[k]`` at the place ``indices[:, k]``; values at one place add up.

    It shares the memory of tensors, and is differentiable with respect to `values`.
    Shapes: indices [sparse_dim, nnz]; values [nnz, *dense axes]; size as small as can be unless it is given.
    `indices` alone, a shape, makes a tensor without entries.
    Errors: RuntimeError where shapes do not fit together, or a place lies outside of `size`.
    """
    if not is_host(device):
        raise NotImplementedError("sparse tensors lie on 'cpu'; make a dense one with to_dense() and move that")
    dtype = dtype if dtype is None else as_dtype(dtype, "sparse_coo_tensor")
    if values is None:
        return _empty(tuple(index(each) for each in (indices if size is None else size)), dtype, requires_grad)
    places, held = _as_indices(indices), _as_values(values, dtype)
    _check_entries(places, held)
    shape = _inferred(places._array, held) if size is None else tuple(index(each) for each in size)
    _check_fit(places, held, shape)
    if requires_grad:
        held = held.detach().requires_grad_()
    else:
        held = apply(RESHAPE, held, shape=held.shape) if held.requires_grad else held.detach()
    result = SparseTensor(places.detach(), held, shape)
    if is_coalesced:
        _check_merged(result)
        result._merged = True
    return result


def _empty(shape: tuple[int, ...], dtype: DType | None, requires_grad: bool) -> SparseTensor:
    held = tensor([], dtype=dtype, requires_grad=requires_grad)
    return SparseTensor(Tensor._wrap(np.empty((len(shape), 0), np.int64)), held, shape)


def _as_indices(given: Any) -> Tensor:
    places = as_tensor(given)
    if not places.dtype.is_integer and places._array.size:
        raise RuntimeError(f"indices must be a tensor of integers, got {places.dtype}")
    return to_dtype(places, dtypes.int64)


def _as_values(given: Any, dtype: DType | None) -> Tensor:
    held = as_tensor(given)
    return held if dtype is None else to_dtype(held, dtype)


def _inferred(places: Array, held: Tensor) -> tuple[int, ...]:
    """The smallest size that has room for every place."""
    if not places.shape[1]:
        return (*(0,) * places.shape[0], *held.shape[1:])
    for axis, row in enumerate(places):
        if row.min() < 0:
            raise RuntimeError(f"found negative index {row.min()} for dim {axis}")
    return (*(int(row.max()) + 1 for row in places), *held.shape[1:])


def _check_entries(places: Tensor, held: Tensor) -> None:
    """Errors: RuntimeError unless there are as many places as values."""
    if places.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    if not held.ndim or held.shape[0] != places.shape[1]:
        found = held.shape[0] if held.ndim else 1
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{places.shape[1]}, nnz from values: {found}"
        )


def _check_fit(places: Tensor, held: Tensor, shape: tuple[int, ...]) -> None:
    sparse_dim, dense = places.shape[0], held.shape[1:]
    if len(shape) != sparse_dim + len(dense):
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(shape)}, "
            f"sparse_dim = {sparse_dim}, dense_dim = {len(dense)}"
        )
    if any(size < 0 for size in shape):
        raise RuntimeError(f"a size is not to be negative, got {list(shape)}")
    if shape[sparse_dim:] != dense:
        wanted = [held.shape[0], *shape[sparse_dim:]]
        raise RuntimeError(f"values has incorrect size, expected {wanted}, got {list(held.shape)}")
    if math.prod(shape[:sparse_dim]) > _MOST_PLACES:
        raise RuntimeError(f"a sparse tensor of size {list(shape)} has more places than an int64 can count")
    for axis, (row, size) in enumerate(zip(places._array, shape)):
        if row.size and row.min() < 0:
            raise RuntimeError(f"found negative index {row.min()} for dim {axis}")
        if row.size and row.max() >= size:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {axis}, size is {size} but found index {row.max()}"
            )


def _check_merged(sparse: SparseTensor) -> None:
    flat = sparse._flat_places()
    if (flat[1:] <= flat[:-1]).any():
        raise RuntimeError("cannot set is_coalesced to true: indices are repeated or not sorted; call coalesce()")


@value_method("to_sparse")
def to_sparse(self: Tensor, sparse_dim: int | None = None, *, layout: Layout | None = None) -> SparseTensor:
    """The sparse tensor with an entry for each element that is not 0.

    sparse_dim: how many axes, the first ones, have coordinates; the others are kept whole. All unless it is given.
    """
    if layout not in (None, sparse_coo_layout):
        raise RuntimeError(f"to_sparse gives the layout gl.sparse_coo, not {layout}")
    count = self.ndim if sparse_dim is None else sparse_dim
    if not 0 <= count <= self.ndim or (self.ndim and not count):
        raise RuntimeError(f"sparse_dim is at least 1 and at most {self.ndim}, got {count}")
    sizes, dense = self.shape[:count], self.shape[count:]
    rows = apply(RESHAPE, self, shape=(math.prod(sizes), *dense))
    filled = (rows._array != 0).any(axis=tuple(range(1, rows.ndim)))
    flat = np.flatnonzero(filled)
    held = apply(TAKE, rows, Tensor._wrap(flat), axis=0)
    return SparseTensor(places_in(flat, sizes), held, self.shape, True)


@value_method("to_dense")
def to_dense(self: Tensor) -> Tensor:
    """Itself, which is dense."""
    return self


@value_method("sparse_dim")
def sparse_dim(self: Tensor) -> int:
    """The number of its axes that have coordinates: none."""
    return 0


@value_method("dense_dim")
def dense_dim(self: Tensor) -> int:
    """The number of its axes that are kept whole: all."""
    return self.ndim


def _only_sparse(name: str) -> None:
    def method(self: Tensor) -> Any:
        raise RuntimeError(f"{name} expected sparse coordinate tensor layout but got {strided.name.capitalize()}")

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "Errors: RuntimeError: only a sparse tensor has that."
    value_method(name)(method)


for _name in ("coalesce", "is_coalesced", "indices", "values", "_indices", "_values", "_nnz"):
    _only_sparse(_name)
