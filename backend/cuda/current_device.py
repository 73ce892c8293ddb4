"""The device that tensors on ``cuda`` lie on, and whether there is one."""

from __future__ import annotations

from ...core.errors import CudaError, NoDeviceError
from .device import CudaDevice, current


def the_device() -> CudaDevice:
    """The device. Errors: CudaError where there is none, which says what it takes."""
    try:
        return current()
    except ImportError as error:
        raise NoDeviceError(f"there is no device 'cuda:0': {error}. It takes guardlift[cuda12] or [cuda13]") from error
    except CudaError as error:
        raise type(error)(f"there is no device 'cuda:0': {error}") from error


def is_available() -> bool:
    """Whether tensors can be put on ``cuda:0``."""
    try:
        the_device()
    except CudaError:
        return False
    return True
