"""Other dtypes, devices and memory for what a module holds, while its parameters stay the same objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.dtypes import DType
from ..tensor import Tensor
from ..tensor.conversion import in_format
from ..tensor.creation import empty_like
from ..tensor.facts import dtype_of
from ..tensor.layouts import checked_format, preserve_format
from ..tensor.python_types import as_dtype
from ..tensor.shared_memory import shared_copy
from ..tensor.uninitialized import is_lazy
from .errors import ModuleConversionError

if TYPE_CHECKING:
    from .module import Module

M = TypeVar("M", bound="Module")


def to(
    module: M,
    *args: Any,
    device: Any = None,
    dtype: DType | None = None,
    non_blocking: bool = False,
    memory_format: Any = preserve_format,
) -> M:
    """`module`, its float and complex parameters, their gradients and such buffers converted.

    Positional arguments: a dtype, a device, both (device first), or a tensor that has them.
    memory_format: how the elements of tensors with as many axes as it has are to lie.   non_blocking: changes nothing.
    Errors: ModuleConversionError for a dtype of integers or bools; whatever `Tensor.to` says of a device.
    """
    for each in args:
        if isinstance(each, (DType, type)):
            dtype = as_dtype(each, "to")
        elif isinstance(each, Tensor):
            device, dtype = each.device, each.dtype
        elif isinstance(each, bool):
            continue
        else:
            device = each
    dtype = dtype if dtype is None else as_dtype(dtype, "to")
    if dtype is not None and not dtype.is_differentiable:
        raise ModuleConversionError(f"a module is converted to a dtype of floats or complex numbers, got {dtype}")
    order = checked_format("to", memory_format).order
    if order:
        _replace(module, lambda tensor: in_format(tensor, memory_format) if tensor.ndim == len(order) else tensor, True)
    for place in module.modules():
        for param in place._parameters.values():
            if param is not None:
                _convert_parameter(param, device, dtype)
        for name, buffer in place._buffers.items():
            if buffer is not None:
                new = _converted(buffer, device, dtype)
                if new is not buffer:
                    place._buffers[name] = new
    return module


def cast(module: M, dtype: Any) -> M:
    """`module` with all parameters, their gradients and all buffers in a dtype, whatever they were."""
    wanted = dtype_of(dtype)
    _replace(module, lambda tensor: tensor.to(wanted), True)
    return module


def to_empty(module: M, device: Any, recurse: bool) -> M:
    """`module` with parameters, gradients and buffers on a device, whose elements are anything."""
    _replace(module, lambda tensor: empty_like(tensor, device=device), recurse)
    return module


def share_memory(module: M) -> M:
    """`module` with parameters, gradients and buffers in memory that forked processes share, and can write to."""
    _replace(module, _shared, True)
    return module


def _shared(tensor: Any) -> Any:
    """A copy in memory that is shared with forked processes; on a GPU, the tensor."""
    if tensor.is_cuda:
        return tensor
    return Tensor._wrap(shared_copy(tensor.detach()._array))


def _replace(module: Module, converted: Callable[[Any], Any], recurse: bool) -> None:
    for place in module.modules() if recurse else (module,):
        for param in place._parameters.values():
            if param is not None:
                gradient, param.grad = param.grad, None
                param.data = converted(param.data)
                param.grad = None if gradient is None else converted(gradient.detach())
        for name, buffer in place._buffers.items():
            if buffer is not None:
                place._buffers[name] = converted(buffer)


def _convert_parameter(param: Any, device: Any, dtype: DType | None) -> None:
    if is_lazy(param):
        param.converted(device, dtype)
        return
    data = param.data
    new = _converted(data, device, dtype)
    gradient = param.grad
    if new is data:
        return
    param.grad = None
    param.data = new
    if gradient is not None:
        param.grad = _converted(gradient, device, dtype)


def _converted(tensor: Any, device: Any, dtype: DType | None) -> Any:
    """The tensor itself when nothing is to be done."""
    if is_lazy(tensor):
        return tensor.converted(device, dtype)
    if device is not None:
        tensor = tensor.to(device)
    if dtype is not None and tensor.dtype.is_differentiable and tensor.dtype is not dtype:
        tensor = tensor.to(dtype)
    return tensor
