"""Memory that processes share: with those that are forked, and with files."""

from __future__ import annotations

from mmap import mmap
from typing import Any

import numpy as np

from ..core.dtypes import DType
from .promotion import get_default_dtype
from .python_types import as_dtype
from .surface import value_method
from .tensor import Array, Tensor


def shared_copy(array: Array) -> Array:
    """A copy of an array in memory that processes forked from here on share."""
    # An anonymous map cannot be empty. The array keeps the map.
    shared: Array = np.ndarray(array.shape, array.dtype, mmap(-1, max(array.nbytes, 1)))
    shared[...] = array
    return shared


@value_method()
def is_shared(self: Tensor) -> bool:
    """Whether its memory is shared with processes forked from here on; that of a GPU is."""
    if self.is_cuda:
        return True
    owner: Any = self._storage
    while isinstance(owner, np.ndarray):
        owner = owner.base
    return isinstance(owner.obj if isinstance(owner, memoryview) else owner, mmap)


@value_method()
def share_memory_(self: Tensor) -> Tensor:
    """`self`, its elements moved to memory that processes forked from here on share, and can write to.

    Views of it that there are already keep the memory they have. Tensors on a GPU are left as they are.
    Errors: RuntimeError for a view.
    """
    if is_shared(self):
        return self
    if self._base is not None:
        raise RuntimeError("share_memory_() is for a tensor with memory of its own: share the tensor that is viewed")
    # Seen in the order in which the elements lie, so that a column-major tensor stays one.
    order = sorted(range(self.ndim), key=lambda axis: -abs(self._array.strides[axis]))
    shared = shared_copy(self._array.transpose(order)).transpose(np.argsort(order))
    self.data = Tensor._wrap(shared)
    return self


def from_file(
    filename: str,
    shared: bool | None = None,
    size: int | None = 0,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A vector over the first `size` elements of a file, which is made or made longer where it is `shared`.

    shared: what is written to the tensor is written to the file, and the other way round; else it is a copy that is
        read where it is needed.
    Errors: OSError where the file cannot be mapped, ValueError where it is too short and not shared.
    """
    kind = get_default_dtype() if dtype is None else as_dtype(dtype, "from_file")
    count = int(size or 0)
    with open(filename, "a+b" if shared else "rb") as file:
        end = file.seek(0, 2)
        if shared and end < count * kind.itemsize:
            file.truncate(count * kind.itemsize)
        elif end < count * kind.itemsize:
            raise ValueError(f"{filename} has {end} bytes, fewer than {count} elements of {kind} take")
    if not count:
        made = Tensor._wrap(np.zeros(0, kind.numpy))
    else:
        mapped = np.memmap(filename, kind.numpy, "r+" if shared else "c", shape=(count,))
        made = Tensor._wrap(mapped.view(np.ndarray))
    made = made if device is None else made.to(device)
    return made.requires_grad_() if requires_grad else made
