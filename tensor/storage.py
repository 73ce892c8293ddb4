"""The memory under a tensor: where its elements lie, views at will, and other sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.devices.arrays import ARRAY_TYPES, DeviceArray
from ..core.devices.host_or_device import address_of, beside, byte_bounds
from ..core.dtypes import DType
from ..core.strided import raw, strided
from ..core.watched_slots import changing_tensor
from ..ops.bitcasts import BITCAST
from ..ops.movement import AS_STRIDED, RESHAPE
from .dispatch import apply
from .shapes import given_sizes, sizes
from .surface import value_method
from .tensor import Array, Tensor


def owner_of(array: Array) -> Array:
    """The array at the root of its chain of views, the same one for all views, however they came about."""
    while isinstance(array.base, ARRAY_TYPES):
        array = array.base
    return array


class UntypedStorage:
    """The bytes that a tensor and all its views share."""

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return byte_bounds(self._array)[0] if self._array.size else 0

    def nbytes(self) -> int:
        """The number of bytes."""
        if not self._array.size:
            return 0
        first, last = byte_bounds(self._array)
        return last - first

    size = __len__ = nbytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and other._array is self._array

    def __hash__(self) -> int:
        return id(self._array)

    def __repr__(self) -> str:
        return f"<UntypedStorage of {self.nbytes()} bytes>"


def over_memory(storage: Array, array: Array) -> Array:
    """The elements of `array`, a view of the memory of `storage`, as a view that may be written where that may be."""
    if array.dtype != storage.dtype:  # a view of bits, or of the parts of complex numbers
        if not isinstance(array, np.ndarray):
            return strided(array, array.shape, array.strides)
        return np.asarray(_Held(array, 0, writeable=True)).view(array.dtype, type(array))
    whole = strided(storage, array.shape, array.strides)
    shift = address_of(array) - address_of(storage)
    return _moved(whole, shift) if shift else whole


@value_method()
def untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory that it shares with its views; equal for tensors that share it."""
    return UntypedStorage(self._storage)


@value_method()
def storage_offset(self: Tensor) -> int:
    """The number of elements from the start of the memory to its first one."""
    if not self._array.size:
        return 0
    return (address_of(self._array) - untyped_storage(self).data_ptr()) // self._array.itemsize


@value_method()
def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether both are the same elements of the same memory."""
    left, right = self._array, tensor._array
    return self._storage is tensor._storage and (
        address_of(left) == address_of(right) and left.shape == right.shape and left.strides == right.strides
    )


@value_method()
def _is_view(self: Tensor) -> bool:
    return self._base is not None


@value_method()
def as_strided(self: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A view of the memory with that shape, neighbours so many elements apart, from a place in it.

    Errors: RuntimeError where it would leave the memory; NotImplementedError for what requires grad and is a view of
        what does not lie row by row.
    """
    shape, steps = sizes((size,)), sizes((stride,))
    if len(shape) != len(steps):
        raise RuntimeError(f"mismatch in length of strides and shape: {list(steps)} and {list(shape)}")
    item = self._array.itemsize
    memory = untyped_storage(self)
    start = (self.storage_offset() if storage_offset is None else storage_offset) * item
    reach = sum((extent - 1) * step for extent, step in zip(shape, steps)) * item + item if 0 not in shape else 0
    if start < 0 or min(steps, default=0) < 0 or start + reach > memory.nbytes():
        raise RuntimeError(
            f"setStorage: sizes {list(shape)}, strides {list(steps)}, storage offset {start // item}, and itemsize "
            f"{item} requiring a storage size of {start + reach} are out of bounds for storage of size "
            f"{memory.nbytes()}"
        )
    root = self if self._base is None else self._base
    follows = root._array.flags.c_contiguous and root._array.nbytes == memory.nbytes() and (self is root or self._path)
    follows = follows and root._array.dtype == self._array.dtype  # the steps of a view of parts are those of floats
    if follows and (self is root or not self.requires_grad or _lies_within(self, root, shape, steps, start // item)):
        flat = apply(RESHAPE, root, shape=(root._array.size,))
        return apply(AS_STRIDED, flat, shape=shape, strides=steps, offset=start // item)  # type: ignore[no-any-return]
    if self.requires_grad:
        raise NotImplementedError(
            "as_strided of a view has a derivative where it sees elements of that view, in memory that lies row by "
            "row; use it on the tensor that is viewed"
        )
    whole = strided(self._array, shape, tuple(step * item for step in steps), writeable=self._array.flags.writeable)
    shift = memory.data_ptr() + start - address_of(self._array)
    result = Tensor._wrap(_moved(whole, shift) if shift else whole)
    result._storage, result._counter = self._storage, self._counter
    result._base = self if self._base is None else self._base
    return result


def _lies_within(x: Tensor, root: Tensor, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> bool:
    """Whether `as_strided` sees only elements that the view `x` of `root` has too."""
    numbers = np.arange(root._array.size)
    start = (address_of(x._array) - address_of(root._array)) // x._array.itemsize
    steps = tuple(step // x._array.itemsize for step in x._array.strides)
    own = AS_STRIDED.eager(numbers, shape=x.shape, strides=steps, offset=start)
    return bool(np.isin(AS_STRIDED.eager(numbers, shape=shape, strides=strides, offset=offset), own).all())


def seen_as(x: Any, dtype: DType) -> Any:
    """The bytes of `x` as elements of another dtype, which has no gradient; along the last axis, where sizes differ.

    Errors: RuntimeError where the bytes of the last axis do not make whole elements, or do not lie side by side.
    """
    if not isinstance(x, Tensor):
        return apply(BITCAST, x, dtype=dtype)
    array, own = x._array, x._array.itemsize
    if own != dtype.itemsize:
        if not array.ndim:
            raise RuntimeError(f"self.dim() cannot be 0 to view {x.dtype} as {dtype} (different element sizes)")
        if array.strides[-1] != own or array.shape[-1] * own % dtype.itemsize:
            raise RuntimeError(
                f"view of {x.dtype} as {dtype} takes a last axis whose elements lie side by side and whose size in "
                f"bytes is a multiple of {dtype.itemsize}, got shape {list(x.shape)}"
            )
    result = Tensor._wrap(array.view(dtype.numpy))
    result._storage, result._counter = x._storage, x._counter
    result._base = x if x._base is None else x._base
    return result


def _moved(array: Array, shift: int) -> Array:
    """An array like `array`, `shift` bytes further on in the memory, which it keeps alive."""
    if type(array) is DeviceArray:  # type: ignore[comparison-overlap]
        return array.seen(shift, array.shape, array.strides)  # type: ignore[return-value]
    held = _Held(array, shift)
    return np.asarray(held).view(array.dtype, type(array))


class _Held:
    """The array interface of `array` with `shift` added to its address; NumPy takes an array from it.

    writeable: it may be written in any case.
    """

    def __init__(self, array: Array, shift: int, writeable: bool = False) -> None:
        interface = dict(array.view(raw(array.dtype)).__array_interface__)
        address, read_only = interface["data"]
        interface["data"] = (address + shift, read_only and not writeable)
        interface["strides"] = array.strides
        self.__array_interface__ = interface
        self.array = array


@value_method()
def resize_(self: Tensor, *sizes_: Any, size: Any = None) -> Tensor:
    """`self` in another shape, with as many of its elements, in a row, as fit; more are zeros. Its memory is another.

    Errors: RuntimeError if it requires grad, or is an inference tensor outside of inference mode.
    """
    if self.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    shape = given_sizes("resize_", sizes_, size)
    if shape != self.shape:
        version = self._counter.value  # an error for an inference tensor, before anything is changed
        fresh = beside(np.zeros(math.prod(shape), self._array.dtype), self._array)
        count = min(fresh.size, self._array.size)
        fresh[:count] = self._array.reshape(-1)[:count]
        with changing_tensor(self, "data", "it was resized"):
            self._array = self._storage = fresh.reshape(shape)
            self._counter.value = version + 1
    return self


@value_method()
def resize_as_(self: Tensor, the_template: Tensor) -> Tensor:
    """`self` in the shape of another tensor."""
    return resize_(self, the_template.shape)


@value_method()
def apply_(self: Tensor, callable: Any) -> Tensor:
    """`self`, after each element became what a Python function makes of it. No tensor that requires grad is taken."""
    if self.requires_grad:
        raise RuntimeError("Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.")
    flat = [callable(each) for each in self._array.reshape(-1).tolist()]
    self.copy_(Tensor._wrap(np.array(flat, self._array.dtype).reshape(self._array.shape)))
    return self
