"""Memory of the device for tensors, which the host reaches at the same addresses."""

from __future__ import annotations

from ...core.device_arrays import DeviceMemory
from ...core.errors import KernelError
from .device import CudaDevice, current


def the_device() -> CudaDevice:
    """The device. Errors: RuntimeError where there is none, which says what it takes."""
    try:
        return current()
    except (KernelError, ImportError) as error:
        raise RuntimeError(
            f"there is no device 'cuda:0': {error}. It takes an NVIDIA GPU and guardlift[cuda12] or [cuda13]; "
            "NUMBA_ENABLE_CUDASIM=1 simulates one, slowly"
        ) from error


def allocate(nbytes: int) -> DeviceMemory:
    """A block whose contents are undefined, aligned to 256 bytes. Errors: those of `the_device`."""
    device = the_device()
    return DeviceMemory(device.allocate_shared(nbytes), nbytes, device.free)


def is_available() -> bool:
    """Whether tensors can be put on ``cuda:0``."""
    try:
        the_device()
    except RuntimeError:
        return False
    return True
