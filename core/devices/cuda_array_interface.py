"""``__cuda_array_interface__``, by which CuPy, Numba and PyTorch show memory on a GPU to each other, and to us.

Source: Numba's text of the interface, version 3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from .arrays import DeviceArray
from .layout import dense_strides, span
from .memory import ForeignMemory

DEFAULT_STREAM = 1
"""The legacy default stream, by the number that the interface and DLPack give it: that of most threads."""


def foreign(
    address: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any], owner: object
) -> DeviceArray:
    """An array over memory of a device that `owner` keeps. Units: `strides` count bytes."""
    low, high = span(shape, strides, dtype.itemsize)
    memory = ForeignMemory(address + low, high - low, owner)
    return DeviceArray(memory, address, shape, strides, dtype)


def of_cuda_array(data: Any, interface: dict[str, Any]) -> DeviceArray:
    """An array over the memory that ``__cuda_array_interface__`` of `data` tells of; work on its stream comes first.

    Errors: TypeError for a dtype that tensors have not, or a mask.
    """
    dtype = np.dtype(interface["typestr"])
    if dtypes.held(dtype) in (None, *dtypes.COMPLEX) or interface.get("mask") is not None:
        raise TypeError(f"a tensor cannot see an array of {dtype} on a GPU, or one with a mask; convert it first")
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or dense_strides(shape, dtype.itemsize)
    address, read_only = interface["data"]
    found = foreign(int(address), shape, tuple(strides), dtype, data)
    found.writeable = not read_only
    stream, copies = interface.get("stream"), found.memory.copies
    if stream not in (None, copies.stream_number()):
        copies.wait_for(int(stream))
    return found


def cuda_array_interface(array: DeviceArray) -> dict[str, Any]:
    """``__cuda_array_interface__``, version 3. Errors: TypeError for a dtype that NumPy has no name for."""
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{array.dtype} has no name in __cuda_array_interface__; use DLPack")
    array.memory.copies.look_at_checks()
    return {
        "shape": array.shape,
        "typestr": array.dtype.str,
        "data": (array.address if math.prod(array.shape) else 0, not array.writeable),
        "strides": None if array.flags.c_contiguous else array.strides,
        "version": 3,
        "stream": array.memory.copies.stream_number(),
    }
