"""Sparse tensors in coordinate form: the entries that are there, each with its place."""

# Note [The history of a sparse tensor]
# A sparse tensor is two dense ones: the places, and the values at them. Every operation on it is made of operations on
# its values, which are recorded as any others. So what autograd knows of a sparse tensor is what it knows of its
# values; there are no nodes for sparse tensors, and the gradient of a sparse leaf has the places of the leaf.

# Note [No array]
# Dense code reads `_array`. A sparse tensor has none: reading it raises a SparseError, which the funnel (`dispatch`)
# takes as the sign to look for a rule in `__guardlift_apply__`. What does not go through the funnel ends with that
# error, and nothing dense ever computes with part of a sparse tensor. Dense tensors pay nothing for it.

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

from ..core.devices import HOST, Device
from ..core.dtypes import DType
from ..core.errors import SparseError
from ..ops.indexing import SCATTER_ADD, TAKE
from ..ops.movement import RESHAPE
from . import layouts
from . import tensor as tensors
from .dispatch import apply
from .layouts import Layout
from .tensor import Array, Tensor

_NO_NODE = "the history of a sparse tensor is that of its values; differentiate what to_dense() gives instead"
_UNMERGED = "Cannot get {} on an uncoalesced tensor, please call .coalesce() first"


def _no_array(self: SparseTensor) -> Any:
    raise SparseError(
        f"this needs every element of a tensor, and a sparse one of shape {list(self._size)} keeps {self._nnz()} "
        "entries; call to_dense() first"
    )


class SparseTensor(Tensor):
    """A tensor of which only some entries are kept; the others are 0, and entries at one place add up.

    Shapes: indices int64 [sparse_dim, nnz]; values [nnz, *dense axes]; size = sparse sizes, then the dense ones.
    Made by `gl.sparse_coo_tensor` and `Tensor.to_sparse`; the constructor checks nothing.
    """

    __slots__ = ("_held", "_merged", "_places", "_size")

    def __init__(self, indices: Tensor, values: Tensor, size: tuple[int, ...], merged: bool = False) -> None:
        self._places = indices
        self._held = values
        self._size = size
        self._merged = merged or indices.shape[1] < 2
        self._marked = False
        self._output_nr = self._seen = 0
        self._counter = tensors.new_counter()
        self._base = self._path = self._hooks = self._accumulator = self._watchers = None

    # What it does not have, and what its values have in its stead.

    _array = property(_no_array)  # type: ignore[assignment]
    _storage = property(_no_array)  # type: ignore[assignment]

    @property
    def _node(self) -> Any:  # type: ignore[override]
        if self._held.requires_grad:
            raise SparseError(_NO_NODE)
        return None

    @_node.setter
    def _node(self, value: Any) -> None:
        raise SparseError(_NO_NODE)

    @property
    def _requires_grad(self) -> bool:  # type: ignore[override]
        return self._held.requires_grad

    @property
    def requires_grad(self) -> bool:
        """Whether operations on it are recorded."""
        return self._held.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self._held.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> SparseTensor:
        """Itself, with operations on it recorded from now on, or no longer."""
        self._held.requires_grad_(requires_grad)
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether it was not computed from something that requires grad."""
        return self._held.is_leaf

    @property
    def grad_fn(self) -> Any:
        """The node that its values came from; None for a leaf."""
        return self._held.grad_fn

    @property
    def grad(self) -> Tensor | None:
        """The gradient of a sparse leaf: sparse too, with an entry for each of its own."""
        found = self._held.grad
        return None if found is None else self._with(found)

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            raise SparseError("the gradient of a sparse tensor cannot be set; set it to None, or use a dense leaf")
        self._held.grad = None

    # What it is.

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of its axes."""
        return self._size

    @property
    def ndim(self) -> int:
        """Number of its axes."""
        return len(self._size)

    @property
    def device(self) -> Device:
        """The CPU: sparse tensors lie nowhere else."""
        return HOST

    @property
    def dtype(self) -> DType:
        """The type of its values."""
        return self._held.dtype

    @property
    def is_sparse(self) -> bool:
        """True."""
        return True

    @property
    def layout(self) -> Layout:
        """`gl.sparse_coo`."""
        return layouts.sparse_coo

    def sparse_dim(self) -> int:
        """The number of its axes, the first ones, that have coordinates."""
        return self._places.shape[0]

    def dense_dim(self) -> int:
        """The number of its axes, the last ones, that are kept whole in each entry."""
        return len(self._size) - self._places.shape[0]

    def _nnz(self) -> int:
        return self._places.shape[1]

    def is_coalesced(self) -> bool:
        """Whether no two entries have one place, and they are sorted by it."""
        return self._merged

    def indices(self) -> Tensor:
        """The places of the entries, a column each. Errors: RuntimeError unless it is coalesced."""
        if not self._merged:
            raise RuntimeError(_UNMERGED.format("indices"))
        return self._indices()

    def values(self) -> Tensor:
        """The values of the entries. Errors: RuntimeError unless it is coalesced."""
        if not self._merged:
            raise RuntimeError(_UNMERGED.format("values"))
        return apply(RESHAPE, self._held, shape=self._held.shape)

    def _indices(self) -> Tensor:
        return self._places.detach()

    def _values(self) -> Tensor:
        return self._held.detach()

    # Its other forms.

    def _with(self, values: Tensor) -> SparseTensor:
        """A sparse tensor with the same places and other values."""
        return SparseTensor(self._places, values, self._size, self._merged)

    def _flat_places(self) -> Array:
        """The place of each entry in the row of all places."""
        sizes = self._size[: self.sparse_dim()]
        if not sizes:
            return np.zeros(self._nnz(), np.int64)
        return np.ravel_multi_index(tuple(self._places._array), sizes).astype(np.int64, copy=False)

    def _rows_of_zeros(self, count: int) -> Tensor:
        return Tensor._wrap(np.zeros((count, *self._held.shape[1:]), self.dtype.numpy))

    def to_dense(self) -> Tensor:
        """The dense tensor with the same elements."""
        rows = self._rows_of_zeros(math.prod(self._size[: self.sparse_dim()]))
        summed = apply(SCATTER_ADD, rows, Tensor._wrap(self._flat_places()), self._held, axis=0)
        return apply(RESHAPE, summed, shape=self._size)

    def to_sparse(self, sparse_dim: int | None = None) -> SparseTensor:
        """Itself. Errors: RuntimeError where other axes than its own shall have coordinates."""
        if sparse_dim not in (None, self.sparse_dim()):
            raise RuntimeError(f"to_sparse({sparse_dim}) of a sparse tensor whose sparse_dim is {self.sparse_dim()}")
        return self

    def coalesce(self) -> SparseTensor:
        """This tensor with one entry for each place, sorted; itself if it is so already."""
        if self._merged:
            return self
        sizes = self._size[: self.sparse_dim()]
        flat, entry = np.unique(self._flat_places(), return_inverse=True)
        summed = apply(SCATTER_ADD, self._rows_of_zeros(flat.size), Tensor._wrap(entry.reshape(-1)), self._held, axis=0)
        return SparseTensor(places_in(flat, sizes), summed, self._size, True)

    def detach(self) -> SparseTensor:
        """A sparse tensor with the same places and values, without history."""
        return self._with(self._held.detach())

    def detach_(self) -> SparseTensor:
        """Itself, without history from now on."""
        self._held = self._held.detach()
        return self

    @property
    def data(self) -> Tensor:
        """A sparse tensor with the same places and values, without history, with a version counter of its own."""
        return self._with(self._held.data)

    @data.setter
    def data(self, new: Any) -> None:
        raise SparseError("the data of a sparse tensor cannot be replaced; make another with gl.sparse_coo_tensor")

    def numpy(self, *, force: bool = False) -> Array:
        """Errors: TypeError."""
        raise TypeError("can't convert a sparse tensor to numpy. Use Tensor.to_dense() first.")

    # Writing: entries are replaced, so that whoever shares the old ones keeps them.

    def _become(self, other: SparseTensor) -> SparseTensor:
        """Itself, with the entries of `other` from now on.

        Errors: RuntimeError for a leaf that requires grad, and for an inference tensor outside of inference mode.
        """
        version = self._counter.value
        if self.requires_grad and self.is_leaf:
            if other.requires_grad:
                raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
            other._held.requires_grad_()
        self._places, self._held, self._merged = other._places, other._held, other._merged
        self._counter.value = version + 1
        return self

    def zero_(self) -> SparseTensor:
        """Itself, with no entries left."""
        held = apply(TAKE, self._held, Tensor._wrap(np.empty(0, np.int64)), axis=0)
        return self._become(SparseTensor(Tensor._wrap(self._places._array[:, :0].copy()), held, self._size, True))

    # Copies.

    def __reduce_ex__(self, protocol: Any = None) -> tuple[Any, ...]:
        return SparseTensor, (self._places, self._held, self._size, self._merged)

    def __deepcopy__(self, memo: dict[int, Any]) -> SparseTensor:
        if id(self) not in memo:
            parts = copy.deepcopy(self._places, memo), copy.deepcopy(self._held, memo)
            memo[id(self)] = SparseTensor(*parts, self._size, self._merged)
        return memo[id(self)]

    def __repr__(self) -> str:
        parts = [_named("indices", self._places), _named("values", self._held)]
        known = ""
        if self.grad_fn is not None:
            known = f", grad_fn=<{self.grad_fn.name()}>"
        elif self.requires_grad:
            known = ", requires_grad=True"
        lines = ",\n       ".join([*parts, f"size={self._size}, nnz={self._nnz()}, layout=gl.sparse_coo{known})"])
        return f"tensor({lines}"

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)


def places_in(flat: Array, sizes: tuple[int, ...]) -> Tensor:
    """The coordinates, a column each, of numbers in the row of all places of these sizes."""
    places = np.stack(np.unravel_index(flat, sizes)) if sizes else np.empty((0, flat.size))
    return Tensor._wrap(places.astype(np.int64, copy=False))


def _named(name: str, part: Tensor) -> str:
    """``name=tensor(...)``, for a place seven columns from the left."""
    indent = "\n" + " " * (len("tensor(") + len(name) + 1)
    return f"{name}={part.detach()!r}".replace("\n", indent)
