"""Arrays in the memory of a device, as the host sees them."""

# Note [Memory that both see]
# Tensors on a device lie in memory that the device and the host both reach at the same addresses (CUDA's managed
# memory; in the simulator, the host's own). The array of such a tensor is a `DeviceArray`: an ndarray over a block of
# that memory. Kernels get its address. What NumPy computes of it, the host computes, and the result is put on the
# device; views stay views. So every operation has a meaning on a device from the start, and what is compiled runs
# there. Calls of kernels return when they are done, so the host never sees memory in the midst of a write.
# No DeviceArray ever lies in other memory: one that NumPy allocates is refused when it is made.

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .devices import CPU, CUDA, FIRST_CUDA, Device
from .floors import DEVICE_MEMORY, asked

Array = np.ndarray[Any, Any]


class DeviceMemory:
    """Bytes on a device, which the host reaches too, at the same address; given back when nothing refers to them."""

    __slots__ = ("__array_interface__", "__weakref__", "_free", "address")

    def __init__(self, address: int, nbytes: int, free: Callable[[int], None]) -> None:
        self.address = address
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (nbytes,), "data": (address, False)}
        self._free = free

    def __del__(self) -> None:
        self._free(self.address)


class DeviceArray(np.ndarray[Any, Any]):
    """An array whose elements lie on a device; see Note [Memory that both see]."""

    __slots__ = ()

    device: Device = FIRST_CUDA  # type: ignore[assignment]

    def __array_finalize__(self, source: Any) -> None:
        if self.flags.owndata:
            raise TypeError(
                "NumPy was about to put elements of a tensor on cuda:0 into the host's memory; "
                "use Tensor.cpu() to copy the tensor there first"
            )

    def __reduce_ex__(self, protocol: Any = 2) -> tuple[Any, ...]:
        return moved, (fetched(self),)

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **keywords: Any) -> Any:
        result = _computed(getattr(ufunc, method), inputs, keywords)
        out = keywords.get("out")
        if out is None:
            return result
        if len(out) == 1:
            return out[0]
        return tuple(made if given is None else given for given, made in zip(out, result))

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, keywords: Any) -> Any:
        return _computed(function, args, keywords)


def _computed(function: Callable[..., Any], args: Any, keywords: Any) -> Any:
    """The result that the host computes from device arrays, on the device."""
    met: list[Array] = []
    result = function(*_all_on_host(args, met), **_all_on_host(keywords, met))
    return placed(result, met)


def _through_host(name: str) -> Callable[..., Any]:
    """The method of arrays called so, computed by the host."""
    plain = getattr(np.ndarray, name)

    def method(self: DeviceArray, *args: Any, **keywords: Any) -> Any:
        return _computed(plain, (self, *args), keywords)

    method.__name__ = method.__qualname__ = name
    return method


_COMPUTED = (
    "__getitem__ __copy__ __deepcopy__ all any argmax argmin argpartition argsort astype byteswap choose clip compress "
    "conj conjugate copy cumprod cumsum diagonal dot flatten max mean min nonzero prod ravel repeat reshape round "
    "searchsorted squeeze std sum swapaxes take trace transpose var"
)
for _name in _COMPUTED.split():
    setattr(DeviceArray, _name, _through_host(_name))


def kind_of(device: str) -> type[Array]:
    """The type of the arrays of tensors on a device."""
    return np.ndarray if device == CPU else DeviceArray


def device_of(array: Array) -> str:
    """The name of the device that an array lies on."""
    return CUDA if type(array) is DeviceArray else CPU


def on_host(value: Any) -> Any:
    """The value for the host to compute with: an ordinary array over the same memory if `value` is on a device."""
    return value.view(np.ndarray) if type(value) is DeviceArray else value


def _all_on_host(value: Any, met: list[Array]) -> Any:
    """`value` with host arrays, noted in `met`, in place of device arrays, in lists, tuples and dicts too."""
    kind = type(value)
    if kind is DeviceArray:
        met.append(value.view(np.ndarray))
        return met[-1]
    if kind is list or kind is tuple:
        return kind([_all_on_host(each, met) for each in value])
    if kind is dict:
        return {key: _all_on_host(each, met) for key, each in value.items()}
    return value


def placed(value: Any, given: Sequence[Array] = ()) -> Any:
    """A result of NumPy, on the device: views of what was `given` as they are, others copied. Scalars become arrays."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind([placed(each, given) for each in value])
    if isinstance(value, np.generic):
        return moved(np.asarray(value))
    if kind is not np.ndarray:
        return value
    is_view = any(np.may_share_memory(value, each) for each in given)
    return value.view(DeviceArray) if is_view else moved(value)


def empty(shape: tuple[int, ...], dtype: np.dtype[Any], strides: tuple[int, ...] | None = None) -> DeviceArray:
    """An array in fresh device memory, whose elements are anything. Units: `strides` count bytes, and leave no gaps.

    Errors: RuntimeError where there is no device.
    """
    nbytes = math.prod(shape) * dtype.itemsize
    memory = np.asarray(asked(DEVICE_MEMORY)(max(nbytes, 1)))
    return np.ndarray.__new__(DeviceArray, shape, dtype, memory, 0, strides)  # type: ignore[arg-type]


def moved(array: Array) -> DeviceArray:
    """A copy of an array in device memory, whose axes lie in the same order."""
    host = np.empty_like(on_host(array), subok=False)  # in NumPy's layout of a copy
    made = empty(host.shape, host.dtype, host.strides)
    np.copyto(made.view(np.ndarray), on_host(array))
    return made


def on_device(array: Array, device: str) -> Array:
    """`array` on a device: itself if it lies there."""
    if type(array) is kind_of(device):
        return array
    return fetched(array) if device == CPU else moved(array)


def beside(array: Array, like: Array) -> Array:
    """`array` on the device of `like`: itself if it lies there."""
    return on_device(array, device_of(like))


def empty_beside(like: Array, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """A new array in rows, whose elements are anything, on the device of `like`."""
    return empty(tuple(shape), dtype) if type(like) is DeviceArray else np.empty(shape, dtype)


def fetched(array: Array) -> Array:
    """A copy of an array on a device in the host's memory."""
    return on_host(array).copy(order="K")
