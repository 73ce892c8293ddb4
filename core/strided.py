"""Views with strides of one's own choice, for every dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def strided(array: Array, shape: tuple[int, ...], strides: tuple[int, ...], *, writeable: bool = True) -> Array:
    """`np.lib.stride_tricks.as_strided`, which by itself fails for dtypes that have no name in an array interface."""
    if not isinstance(array, np.ndarray):  # it lies on a device
        return array.strided(shape, strides, writeable)  # type: ignore[no-any-return]
    held = np.asarray(array)
    view = np.lib.stride_tricks.as_strided(held.view(raw(held.dtype)), shape, strides, writeable=writeable)
    return view.view(held.dtype) if type(array) is np.ndarray else view.view(held.dtype, type(array))


def within(memory: Any, shape: tuple[int, ...], dtype: np.dtype[Any], offset: int, strides: tuple[int, ...]) -> Any:
    """A view of dense memory as elements of another layout, on a device too. Units: bytes."""
    if not isinstance(memory, np.ndarray):
        return memory.seen(offset, shape, strides, dtype)
    return np.ndarray(shape, dtype, memory.reshape(-1).view(np.uint8), offset, strides)  # type: ignore[arg-type]


def raw(dtype: np.dtype[Any]) -> str:
    """The name of a dtype of as many bytes that mean nothing."""
    return f"V{dtype.itemsize}"
