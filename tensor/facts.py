"""Introspection of tensors: the dtype in words, the size in bytes, where they lie, what Python's protocols ask."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.devices import HOST
from ..core.dtypes import DType
from .conversion import _only_element
from .dispatch import is_tensor_like
from .promotion import to_dtype
from .surface import attribute, method, value_method
from .tensor import Tensor

Value = Any


@attribute("itemsize")
def _itemsize(self: Value) -> int:
    """Bytes of one element."""
    return self.dtype.itemsize


@attribute("nbytes")
def _nbytes(self: Value) -> int:
    """Bytes of all elements."""
    return self.dtype.itemsize * math.prod(self.shape)


@method("type")
def type(self: Value, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Its dtype in words, as ``gl.FloatTensor``; or `self` in another dtype, which may be given in words too."""
    return f"gl.{_TYPE_NAMES[self.dtype]}Tensor" if dtype is None else to_dtype(self, dtype_of(dtype))


def dtype_of(given: Any) -> DType:
    """The dtype that is meant by itself, by ``gl.FloatTensor`` or by its name. Errors: ValueError for others."""
    if isinstance(given, DType):
        return given
    name = given if isinstance(given, str) else getattr(given, "__name__", "")
    found = _BY_TYPE_NAME.get(name.rpartition(".")[2].removesuffix("Tensor"))
    if found is None:
        raise ValueError(f"a dtype is gl.float32, gl.FloatTensor or 'gl.FloatTensor', got {given!r}")
    return found


_TYPE_NAMES = {
    dtypes.float32: "Float",
    dtypes.float64: "Double",
    dtypes.float16: "Half",
    dtypes.bfloat16: "BFloat16",
    dtypes.float8_e4m3fn: "Float8_e4m3fn",
    dtypes.float8_e5m2: "Float8_e5m2",
    dtypes.int8: "Char",
    dtypes.int16: "Short",
    dtypes.int32: "Int",
    dtypes.int64: "Long",
    dtypes.uint8: "Byte",
    dtypes.uint16: "UInt16",
    dtypes.uint32: "UInt32",
    dtypes.uint64: "UInt64",
    dtypes.bool_: "Bool",
    dtypes.complex64: "ComplexFloat",
    dtypes.complex128: "ComplexDouble",
}


_BY_TYPE_NAME = {name: dtype for dtype, name in _TYPE_NAMES.items()}


@method("is_complex")
def is_complex(self: Value) -> bool:
    """Whether its elements are complex numbers."""
    return self.dtype.is_complex


@method("is_signed")
def is_signed(self: Value) -> bool:
    """Whether its dtype has negative numbers."""
    return self.dtype.is_signed


@method("is_same_size")
def is_same_size(self: Value, other: Value) -> bool:
    """Whether both have one shape."""
    return tuple(self.shape) == tuple(other.shape)


@value_method("is_nonzero")
def is_nonzero(self: Tensor) -> bool:
    """Whether its only element is not 0. Errors: RuntimeError if it has more, or none."""
    return bool(self)


@attribute("is_cpu")
def _is_cpu(self: Value) -> bool:
    """Whether it lies in the host's memory."""
    return self.device == HOST


@attribute("is_cuda")
def _is_cuda(self: Value) -> bool:
    """Whether it lies on a CUDA device."""
    return self.device != HOST


@method("get_device")
def get_device(self: Value) -> int:
    """The number of the CUDA device it lies on; -1 in the host's memory."""
    return -1 if self.device == HOST else self.device.index or 0


@attribute("is_quantized")
def _is_quantized(self: Value) -> bool:
    """Whether its elements stand for others: never."""
    return False


@value_method("__contains__")
def _contains(self: Tensor, element: Any) -> bool:
    """Whether an element equals a number or a tensor. Errors: RuntimeError for anything else."""
    if not is_tensor_like(element) and not isinstance(element, (int, float, complex, np.generic)):
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {element.__class__}."
        )
    return bool((self == element).any())


@method("__reversed__")
def _reversed(self: Value) -> Value:
    """A copy with the first axis backwards."""
    return self.flip(0) if self.ndim else self


@value_method("__complex__")
def _complex(self: Tensor) -> complex:
    return complex(_only_element(self))
