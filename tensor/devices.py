"""The device that new tensors lie on, and bringing them there."""

from __future__ import annotations

from typing import Any

from ..core.devices import HOST, Device, resolved
from ..core.devices.memory import device_kernels
from ..ops.devices import TO_DEVICE
from ..ops.registry import OpDef
from .dispatch import apply
from .tensor import Tensor
from .tracing import tracing

Value = Any


class DefaultDevice:
    """The device on which tensors are made that nothing else decides about."""

    device: Device = HOST


def get_default_device() -> Device:
    """The device that new tensors lie on unless told otherwise; the CPU unless set."""
    return DefaultDevice.device


def set_default_device(device: Any) -> None:
    """Sets the device that new tensors lie on unless told otherwise; None for the CPU.

    Errors: RuntimeError for a name that no device has. Whether it is there, the next new tensor finds out.
    """
    DefaultDevice.device = HOST if device is None else resolved(device)


def chosen(device: Any) -> Device:
    """The device of a new tensor for the argument `device`. Errors: RuntimeError for one that is not there."""
    if device is not None:
        return resolved(device)
    handler = tracing()
    if handler is not None:
        handler.rely_on_default_device()
    return DefaultDevice.device


def is_host(device: Any) -> bool:
    """Whether a new tensor for the argument `device` lies in the host's memory. Errors: those of `chosen`."""
    return chosen(device) == HOST


def by_kernel(op: OpDef, numbers: tuple[Any, ...], attrs: dict[str, Any]) -> Tensor | None:
    """The result of an op that makes an array, of numbers at most, on the GPU; None where the host has to make it."""
    if tracing() is not None:
        return None
    kernels = device_kernels()
    found = NotImplemented if kernels is None else kernels.create(op, attrs, numbers)
    return None if found is NotImplemented else Tensor._wrap(found)


def placed_on(device: Device, result: Value, requires_grad: bool = False) -> Value:
    """`result` on a device: itself if it lies there.   requires_grad: as a leaf that does.

    Errors: NotImplementedError for complex numbers on another device than the CPU.
    """
    if device != result.device:
        if result.dtype.is_complex:
            raise NotImplementedError(
                f"complex tensors are on the CPU alone, and this one of {result.dtype} was to be on {device}; take its "
                "parts there, by view_as_real"
            )
        result = apply(TO_DEVICE, result, device=str(device), source=str(result.device))
    return result.requires_grad_() if requires_grad else result


def made_on(device: Any, result: Value, requires_grad: bool = False) -> Value:
    """`result`, which a creation function has computed, where the argument `device` wants it. Errors: as `chosen`."""
    return placed_on(chosen(device), result, requires_grad)
