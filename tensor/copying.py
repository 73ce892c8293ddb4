"""Pickle and deepcopy. Tensors that share memory still do afterwards, where it lies row by row."""

from __future__ import annotations

import copy
import weakref
from typing import Any

import numpy as np

from ..core.devices.host_or_device import address_of
from ..core.dtypes import TENSORS_ONLY, DType, held
from ..core.strided import within
from .surface import value_method
from .tensor import Array, Tensor, _fill_slots

Place = tuple[Any, ...]
"""The places of the elements of a view: bytes from the start of the storage, shape, strides; the dtype, if another."""


def _memory(self: Tensor) -> tuple[Array, Place | None]:
    """The storage, and where in it the elements are; the elements alone where that cannot be said."""
    array, storage = self._array, self._storage
    if array is storage or not storage.flags.c_contiguous:
        return array, None
    place = address_of(array) - address_of(storage), array.shape, array.strides
    return storage, place if array.dtype == storage.dtype else (*place, held(array.dtype))


def _rebuilt(cls: type[Tensor], storage: Array, place: Place | None, requires_grad: bool, state: Any) -> Tensor:
    """The tensor that `_reduce` took apart."""
    array = storage
    if place is not None:
        offset, shape, strides, *other = place
        array = within(storage, shape, other[0].numpy if other else storage.dtype, offset, strides)
    self = object.__new__(cls)
    _fill_slots(self, array)
    self._storage = storage
    self._requires_grad = requires_grad
    if state:
        self.__dict__.update(state)
    return self


def _rebuilt_of_bits(cls: type[Tensor], bits: Array, dtype: DType, *rest: Any) -> Tensor:
    """The tensor of a dtype that NumPy pickles by copying, whose elements were taken as unsigned integers."""
    return _rebuilt(cls, bits.view(dtype.numpy), *rest)


_bits: weakref.WeakValueDictionary[int, np.ndarray[Any, Any]] = weakref.WeakValueDictionary()
"""By the storage's id: a pickler knows memory that it has seen by the object that stood for it."""


def _bits_of(storage: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements of a storage as unsigned integers; the same array as long as somebody has it."""
    made = storage.view(f"u{storage.itemsize}")
    known = _bits.get(id(storage))
    if known is not None and known.__array_interface__ == made.__array_interface__:
        return known
    _bits[id(storage)] = made
    return made


@value_method("__reduce_ex__")
def _reduce(self: Tensor, protocol: Any = None) -> tuple[Any, ...]:
    """Its class, elements, `requires_grad` and attributes; history, gradient and hooks stay behind.

    By protocol 5 the elements are a buffer, which a pickler may hand on without a copy.
    """
    storage, place = _memory(self)
    dtype = held(storage.dtype)
    if type(protocol) is int and protocol >= 5 and type(storage) is np.ndarray and dtype in TENSORS_ONLY:
        bits = _bits_of(storage)
        state = getattr(self, "__dict__", None)
        return _rebuilt_of_bits, (type(self), bits, dtype, place, self.requires_grad, state)
    return _rebuilt, (type(self), storage, place, self.requires_grad, getattr(self, "__dict__", None))


@value_method("__deepcopy__")
def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf with memory and a gradient of its own. Errors: RuntimeError for a tensor that is no leaf."""
    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol; clone() makes a "
            "copy that is part of the graph."
        )
    storage, place = _memory(self)
    state = copy.deepcopy(getattr(self, "__dict__", None), memo)
    twin = _rebuilt(type(self), copy.deepcopy(storage, memo), place, self._requires_grad, state)
    memo[id(self)] = twin
    twin._grad = copy.deepcopy(self._grad, memo)
    return twin
