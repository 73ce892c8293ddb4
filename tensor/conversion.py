"""Other dtypes, other homes, copies, and plain Python values."""

from __future__ import annotations

import warnings
from typing import Any

from ..core import dtypes
from ..core.devices import HOST, cuda_device, resolved
from ..core.devices.arrays import DeviceArray, fetched
from ..core.devices.host_or_device import address_of, in_rows
from ..core.devices.memory import is_pinned, pinned, without_waiting
from ..core.dtypes import DType
from ..ops.activations import ALIAS
from ..ops.pointwise import CAST
from .devices import placed_on
from .dispatch import apply, is_tensor_like
from .layouts import MemoryFormat, back, checked_format, contiguous_format, preserve_format
from .promotion import to_dtype
from .python_types import as_dtype
from .shaping import permute
from .surface import method, value_method
from .tensor import Array, Tensor
from .tracing import tracing

Value = Any


@method("clone")
def clone(self: Value, *, memory_format: MemoryFormat = preserve_format) -> Value:
    """A copy with memory of its own, and the history of `self`.   memory_format: how its elements are to lie."""
    if memory_format is preserve_format:
        return apply(ALIAS, self)
    return in_format(self, checked_format("clone", memory_format), True)


@method("contiguous")
def contiguous(self: Value, memory_format: MemoryFormat = contiguous_format) -> Value:
    """`self` if its elements lie row by row (or as the format says), otherwise a copy whose do.

    Errors: RuntimeError for a format of another number of axes.
    """
    if memory_format is not contiguous_format:
        return in_format(self, checked_format("contiguous", memory_format))
    return self if is_contiguous(self) else clone_in_rows(self)


def in_format(x: Value, memory_format: MemoryFormat, copy: bool = False) -> Value:
    """`x` itself if its elements lie as the format says, unless a copy is asked for, else a copy whose do."""
    order = memory_format.order
    if not order:
        lies = memory_format is preserve_format or is_contiguous(x)
        return (clone(x) if memory_format is preserve_format else clone_in_rows(x)) if copy or not lies else x
    if x.ndim != len(order):
        raise RuntimeError(f"required rank {len(order)} tensor to use {memory_format.name} format, got {x.ndim} axes")
    turned = permute(x, order)
    if not copy and is_contiguous(turned):
        return x
    return permute(clone_in_rows(turned), back(order))


def with_own_memory(result: Value, source: Value) -> Value:
    """`result`, or a copy of it where it may lie in the memory of `source`: a write to it is none to `source`."""
    if isinstance(result, Tensor) and isinstance(source, Tensor) and result._storage is not source._storage:
        return result
    return apply(ALIAS, result)


def clone_in_rows(x: Value) -> Value:
    """A copy whose elements lie row by row."""
    copy = apply(ALIAS, x)
    if type(copy) is Tensor:
        copy._array = copy._storage = in_rows(copy._array)
    elif hasattr(copy, "lie_in_rows"):
        copy.lie_in_rows()  # a value of a trace, or of many calls
    return copy


@method("is_contiguous")
def is_contiguous(self: Value, memory_format: MemoryFormat = contiguous_format) -> bool:
    """Whether its elements lie row by row, or as the format says.

    A value of a trace has no place yet, but knows how it will lie.
    """
    if memory_format is not contiguous_format:
        order = checked_format("is_contiguous", memory_format).order
        if order:
            return self.ndim == len(order) and is_contiguous(permute(self, order))
        if memory_format is preserve_format:
            return True
    if hasattr(self, "lies_in_rows"):
        return self.lies_in_rows()  # type: ignore[no-any-return]
    array = self._array if isinstance(self, Tensor) else self.array.fake
    return array.flags.c_contiguous  # type: ignore[no-any-return]


@method("to")
def to(
    self: Value,
    *args: Any,
    dtype: DType | None = None,
    device: str | None = None,
    other: Value = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: MemoryFormat = preserve_format,
) -> Value:
    """`self` on another device, or in another dtype: ``to(dtype)``, ``to(device)``, ``to(device, dtype)``, ``to(x)``.

    memory_format: how the elements are to lie.   non_blocking: a copy from pinned memory to a GPU goes on while the
        program does, which leaves the elements as they are meanwhile; other copies return when they are done.
    It is `self` itself where nothing changes, unless `copy` asks for one. Gradients come back to the device of `self`.
    Errors: RuntimeError for a device that is not there.
    """
    for each in args if other is None else (*args, other):
        if isinstance(each, (DType, type)):
            dtype = as_dtype(each, "to")
        elif is_tensor_like(each):
            dtype, device = each.dtype, each.device
        elif isinstance(each, str):
            device = each
        elif not isinstance(each, bool):
            raise TypeError(f"to() takes a dtype, a device or a tensor, got {type(each).__name__}")
    dtype = dtype if dtype is None else as_dtype(dtype, "to")
    if non_blocking and device is not None and type(self) is Tensor and is_pinned(self._array):
        with without_waiting():
            found = placed_on(resolved(device), self)
    else:
        found = self if device is None else placed_on(resolved(device), self)
    if dtype is not None and dtype is not self.dtype:
        _warn_of_lost_part(self, dtype)
        found = apply(CAST, found, dtype=dtype)
    elif copy and found is self:
        found = clone(self)
    return found if memory_format is preserve_format else in_format(found, checked_format("to", memory_format))


def _warn_of_lost_part(x: Value, dtype: DType) -> None:
    """Warns, as PyTorch does, where complex numbers are to become real ones."""
    if not x.dtype.is_complex or dtype.is_complex or dtype.is_bool:
        return
    text = "Casting complex values to real discards the imaginary part"
    handler = tracing()
    if handler is None:
        warnings.warn(text, UserWarning, stacklevel=3)
    else:
        handler.warn(text)


@method("type_as")
def type_as(self: Value, other: Value) -> Value:
    """`self` in the dtype of `other`."""
    return to_dtype(self, other.dtype)


@method("cpu")
def cpu(self: Value) -> Value:
    """`self` in the host's memory; itself if it lies there."""
    return to(self, HOST)


@method("cuda")
def cuda(self: Value, device: Any = None, non_blocking: bool = False) -> Value:
    """`self` on the GPU; itself if it lies there. Errors: RuntimeError where there is none."""
    return to(self, cuda_device(device), non_blocking=non_blocking)


@value_method()
def pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """Its elements in memory that a GPU reads at full speed, and without anybody waiting; itself if they lie there.

    Errors: RuntimeError for a tensor on a GPU, CudaError where there is none.
    """
    if self.device != HOST:
        raise RuntimeError(f"cannot pin 'tensor on {self.device}': only dense CPU tensors can be pinned")
    if is_pinned(self._array):
        return self
    return Tensor._wrap(pinned(self._array))


@value_method("is_pinned")
def _is_pinned(self: Tensor, device: Any = None) -> bool:
    """Whether its elements lie in memory that `pin_memory` made."""
    return is_pinned(self._array)


def _cast(name: str, dtype: DType) -> None:
    def cast(self: Value) -> Value:
        _warn_of_lost_part(self, dtype)
        return to_dtype(self, dtype)

    cast.__name__ = cast.__qualname__ = name
    cast.__doc__ = f"`self` in {dtype}."
    method(name)(cast)


for _name, _dtype in (
    ("float", dtypes.float32),
    ("double", dtypes.float64),
    ("half", dtypes.float16),
    ("bfloat16", dtypes.bfloat16),
    ("int", dtypes.int32),
    ("long", dtypes.int64),
    ("short", dtypes.int16),
    ("byte", dtypes.uint8),
    ("char", dtypes.int8),
    ("bool", dtypes.bool_),
    ("cfloat", dtypes.complex64),
    ("cdouble", dtypes.complex128),
):
    _cast(_name, _dtype)
method("astype")(to)


# Out of the tensor world. These need values.


@value_method()
def numpy(self: Tensor, *, force: bool = False) -> Array:
    """Its elements as a new array over the same memory, whose shape and flags are not the tensor's.

    Errors: RuntimeError if it requires grad, unless `force`d.
    """
    if self.requires_grad and not force:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if type(self._array) is DeviceArray:  # type: ignore[comparison-overlap]
        if not force:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host "
                "memory first."
            )
        return fetched(self._array)
    return self._array.view()


@value_method()
def item(self: Tensor) -> Any:
    """Its only element as a Python number. Errors: RuntimeError if it has more, or none."""
    if self._array.size != 1:
        raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
    return self._array.item()


@value_method()
def tolist(self: Tensor) -> Any:
    """Its elements as nested lists of Python numbers; one number if it has no axes."""
    return self._array.tolist()


@value_method("__bool__")
def _bool(self: Tensor) -> bool:
    if self._array.size != 1:
        how_many = "more than one value" if self._array.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {how_many} is ambiguous")
    return bool(self._array.item())


def _real_element(self: Tensor, kind: str) -> Any:
    """Its only element. Errors: RuntimeError for one with an imaginary part."""
    found = _only_element(self)
    if type(found) is not complex:
        return found
    if found.imag:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow: {found} is complex")
    return found.real


def _only_element(self: Tensor) -> Any:
    if self._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return self._array.item()


@value_method("__float__")
def _float(self: Tensor) -> float:
    return float(_real_element(self, "double"))


@value_method("__int__")
def _int(self: Tensor) -> int:
    return int(_real_element(self, "int64_t"))


@value_method("__index__")
def _index(self: Tensor) -> int:
    if self._array.size != 1 or self._array.dtype.kind not in "iu":
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._array.item())


# How it lies in memory.


@value_method()
def stride(self: Tensor, dim: int | None = None) -> Any:
    """The elements from one neighbour along each axis to the next, or along axis `dim`."""
    steps = tuple(step // self._array.itemsize for step in self._array.strides)
    return steps if dim is None else steps[dim]


@value_method()
def data_ptr(self: Tensor) -> int:
    """The address of its first element."""
    return address_of(self._array)


@value_method()
def element_size(self: Tensor) -> int:
    """Bytes of one element."""
    return self._array.itemsize


@method("is_floating_point")
def is_floating_point(self: Value) -> bool:
    """Whether its elements are floats."""
    return self.dtype.is_float
