"""`gl.cuda`: whether there is a GPU, and what it is asked. Names and meanings are PyTorch's."""

from __future__ import annotations

from typing import Any

from ..core.devices import FIRST_CUDA, cuda_device, resolved


def is_available() -> bool:
    """Whether tensors can be put on ``cuda:0``: there is a GPU with its driver, or Numba's simulator of one."""
    from ..backend.cuda.memory import is_available as found

    return found()


def device_count() -> int:
    """The number of GPUs that are used: one, or none."""
    return int(is_available())


def current_device() -> int:
    """The number of the GPU that ``cuda`` names."""
    return FIRST_CUDA.index or 0


def synchronize(device: Any = None) -> None:
    """Returns when the device has done all it was given. Compiled calls return no sooner.

    Errors: RuntimeError where there is no such device.
    """
    from ..backend.cuda.memory import the_device

    if resolved(cuda_device(device)) == FIRST_CUDA:
        the_device().wait()


__all__ = ["current_device", "device_count", "is_available", "synchronize"]
