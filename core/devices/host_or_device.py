"""Functions of arrays that may lie on the host or on a device: where they lie, and how they get to the other's side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import CPU, CUDA
from .arrays import DeviceArray, empty, fetched, kernels_for, moved


def kind_of(device: str) -> type[Any]:
    """The type of the arrays of tensors on a device."""
    return np.ndarray if device == CPU else DeviceArray


def device_of(array: Any) -> str:
    """The name of the device that an array lies on."""
    return CUDA if type(array) is DeviceArray else CPU


def address_of(array: Any) -> int:
    """The address of its first element."""
    return array.address if type(array) is DeviceArray else int(array.__array_interface__["data"][0])


def byte_bounds(array: Any) -> tuple[int, int]:
    """The addresses of the first byte of an array, and of the one behind its last."""
    if type(array) is DeviceArray:
        return array.span
    if not array.size:
        return (address_of(array),) * 2
    low, high = np.lib.array_utils.byte_bounds(array)
    return int(low), int(high)


def on_host(value: Any) -> Any:
    """The value for the host to compute with: a copy of the elements if `value` lies on a device."""
    return fetched(value) if type(value) is DeviceArray else value


def as_array(value: Any) -> Any:
    """`value` as an array: itself if it is one, on a device too."""
    return value if type(value) is DeviceArray else np.asarray(value)


def on_device(array: Any, device: str) -> Any:
    """`array` on a device: itself if it lies there."""
    if type(array) is kind_of(device):
        return array
    return fetched(array) if device == CPU else moved(array)


def beside(array: Any, like: Any) -> Any:
    """`array` on the device of `like`: itself if it lies there."""
    return on_device(array, device_of(like))


def empty_beside(like: Any, shape: Sequence[int], dtype: np.dtype[Any]) -> Any:
    """A new array in rows, whose elements are anything, on the device of `like`."""
    return empty(tuple(shape), dtype) if type(like) is DeviceArray else np.empty(shape, dtype)


def in_rows(array: Any) -> Any:
    """An array whose elements lie row by row, with at least the axes that it has: itself where they do."""
    if type(array) is not DeviceArray:
        return np.ascontiguousarray(array)
    return array if array.flags.c_contiguous else array.copy()


def overlap(one: Any, other: Any) -> bool:
    """Whether the memory of two arrays may be shared, as `np.may_share_memory` says."""
    if type(one) is DeviceArray and type(other) is DeviceArray:
        (low, high), (start, stop) = one.span, other.span
        return low < stop and start < high
    if type(one) is DeviceArray or type(other) is DeviceArray:
        return False
    return bool(np.may_share_memory(one, other))


def by_device(op: Any, function: Callable[..., Any], arrays: tuple[Any, ...], attrs: Mapping[str, Any]) -> DeviceArray:
    """The result of an op for arrays, some of them on a device: by a kernel, else by `function` for dense copies."""
    from .host_computation import note, placed  # which needs this module

    kernels = kernels_for(arrays)
    found = NotImplemented if kernels is None else kernels.operation(op, arrays, attrs)
    if found is not NotImplemented:
        return found  # type: ignore[no-any-return]
    note(op.name)
    return placed(function(*map(on_host, arrays), **attrs))  # type: ignore[no-any-return]
