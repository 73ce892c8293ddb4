"""NumPy's protocols, by which its own functions take tensors, and DLPack.

A ufunc that names one of our operations gives a tensor, recorded as ours are: ``np.exp(t)`` is ``t.exp()``, and
``array * t`` is ``t * array``. Everything else of NumPy (other ufuncs, their methods, an `out`, functions such as
`np.concatenate`) works on the elements and gives arrays; since that would lose the history, a tensor that requires grad
is refused there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.devices.arrays import DeviceArray, fetched
from ..core.devices.cuda_array_interface import cuda_array_interface
from ..core.floors import ARRAY_NAMESPACE, DLPACK, asked
from . import arithmetic as a
from . import contraction as c
from . import pointwise as p
from .creation import from_numpy
from .devices import made_on
from .surface import method, surface, value_method
from .tensor import Array, Tensor

HOST_KIND, CUDA_KIND = (1, 0), 2
"""The CPU, and the kind of GPUs, in DLPack's numbers."""
_RULES: dict[np.ufunc, Callable[..., Any]] = {
    np.add: a.add,
    np.subtract: a.sub,
    np.multiply: a.mul,
    np.divide: a.div,
    np.floor_divide: a.floor_divide,
    np.remainder: a.remainder,
    np.power: a.pow,
    np.negative: a.neg,
    np.absolute: a.abs,
    np.maximum: a.maximum,
    np.minimum: a.minimum,
    np.matmul: c.matmul,
    np.exp: p.exp,
    np.expm1: p.expm1,
    np.log: p.log,
    np.log1p: p.log1p,
    np.sin: p.sin,
    np.cos: p.cos,
    np.tan: p.tan,
    np.tanh: p.tanh,
    np.sqrt: p.sqrt,
    np.square: p.square,
    np.sign: p.sign,
    np.floor: p.floor,
    np.ceil: p.ceil,
    np.equal: p.eq,
    np.not_equal: p.ne,
    np.less: p.lt,
    np.less_equal: p.le,
    np.greater: p.gt,
    np.greater_equal: p.ge,
    np.isnan: p.isnan,
    np.isinf: p.isinf,
    np.isfinite: p.isfinite,
    np.logical_not: p.logical_not,
    np.bitwise_and: p.bitwise_and,
    np.bitwise_or: p.bitwise_or,
    np.bitwise_xor: p.bitwise_xor,
    np.invert: p.bitwise_not,
}


@value_method("__array__")
def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Array:
    """Its elements as an array, over the same memory unless another dtype or `copy` asks for a copy."""
    array = self.numpy()
    if copy is False and dtype is not None and array.dtype != dtype:
        raise ValueError(f"a tensor of {self.dtype} gives an array of {dtype} only as a copy")
    return array.astype(array.dtype if dtype is None else dtype, copy=bool(copy))


@value_method("__array_ufunc__")
def _array_ufunc(self: Tensor, ufunc: np.ufunc, how: str, *inputs: Any, **keywords: Any) -> Any:
    rule = _RULES.get(ufunc)
    if how == "__call__" and rule is not None and not keywords:
        return rule(*(from_numpy(each) if type(each) is np.ndarray else each for each in inputs))
    if any(isinstance(each, Tensor) for each in keywords.get("out", ())):
        return NotImplemented
    return getattr(ufunc, how)(*_elements(inputs), **_elements(keywords))


@value_method("__array_function__")
def _array_function(self: Tensor, function: Callable[..., Any], types: Any, args: Any, keywords: Any) -> Any:
    return function(*_elements(args), **_elements(keywords))


def _elements(value: Any) -> Any:
    """`value` with arrays in place of tensors, in lists, tuples and dicts too."""
    if isinstance(value, Tensor):
        return _array(value)
    if type(value) in (list, tuple):
        return type(value)(_elements(each) for each in value)
    if type(value) is dict:
        return {key: _elements(each) for key, each in value.items()}
    return value


@value_method("__dlpack__")
def _dlpack(
    self: Tensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A DLPack capsule over its memory, or over a copy on `dl_device`, in DLPack's numbers.

    stream: of a GPU, that of the consumer, which then comes after what was done before.
    Errors: BufferError if it requires grad, or where `copy` is False and it lies on another device.
    """
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    array = self._array
    if type(array) is not DeviceArray:  # type: ignore[comparison-overlap]
        known = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        return array.__dlpack__(**{name: value for name, value in known.items() if value is not None})
    if dl_device is None or tuple(dl_device) == _dlpack_device(self):
        return asked(DLPACK).exported(array, stream, max_version, copy)
    if tuple(dl_device) != HOST_KIND or copy is False:
        raise BufferError(
            f"a tensor on {self.device} is exported there, or as a copy to the CPU; use Tensor.to() first"
        )
    return fetched(array).__dlpack__(**({} if max_version is None else {"max_version": max_version}))


@surface
def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of an array of another library, or with a copy of it. It lies where the array does."""
    if hasattr(ext_tensor, "__dlpack_device__") and ext_tensor.__dlpack_device__()[0] == CUDA_KIND:
        found = from_numpy(asked(DLPACK).imported(ext_tensor, copy))
    else:
        found = from_numpy(np.from_dlpack(ext_tensor))
        found = found.clone() if copy else found
    return found if device is None else found.to(device)


@value_method("__dlpack_device__")
def _dlpack_device(self: Tensor) -> Any:
    """The kind and number of the device its memory is on: (1, 0) for the CPU, (2, number) for a GPU."""
    array = self._array
    return (CUDA_KIND, array.device.index or 0) if type(array) is DeviceArray else array.__dlpack_device__()  # type: ignore[comparison-overlap]


VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
"""The versions of the array API standard whose programs the namespace serves."""


@value_method("__array_namespace__")
def _array_namespace(self: Tensor, /, *, api_version: str | None = None) -> Any:
    """The module `guardlift.array_api`, the functions of the array API standard over tensors.

    Errors: ValueError for a version of the standard that it does not serve.
    """
    if api_version is not None and api_version not in VERSIONS:
        raise ValueError(f"the array API standard {api_version!r} is not served; versions are {', '.join(VERSIONS)}")
    return asked(ARRAY_NAMESPACE)


@method("to_device")
def to_device(self: Any, device: Any, /, *, stream: Any = None) -> Any:
    """Itself, or a copy on another device. Errors: ValueError for a stream: copies are ordered without one."""
    if stream is not None:
        raise ValueError("to_device(): takes no stream, since copies come after all that was done before")
    return made_on(device, self)


def _cuda_array_interface(self: Tensor) -> dict[str, Any]:
    """The dict by which CuPy, Numba and PyTorch read memory on a GPU, version 3. Errors: AttributeError on the CPU, and
    RuntimeError if it requires grad."""
    if type(self._array) is not DeviceArray:  # type: ignore[comparison-overlap]
        raise AttributeError("a tensor on the CPU has no __cuda_array_interface__; use Tensor.cuda() first")
    if self.requires_grad:
        raise RuntimeError("Can't get __cuda_array_interface__ on Variable that requires grad. Use tensor.detach()")
    return cuda_array_interface(self._array)


Tensor.__cuda_array_interface__ = property(_cuda_array_interface)  # type: ignore[attr-defined]
