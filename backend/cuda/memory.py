"""Memory of the device for tensors, which the host reaches at the same addresses."""

from __future__ import annotations

from ...core.device_arrays import Memory
from ...core.errors import KernelError
from .device import current


def allocate(nbytes: int) -> Memory:
    """A block whose contents are undefined, aligned to 256 bytes. Errors: RuntimeError where there is no GPU."""
    try:
        device = current()
    except KernelError as error:
        raise RuntimeError(
            f"there is no device 'cuda:0': {error}. It takes an NVIDIA GPU and guardlift[cuda12] or [cuda13]; "
            "NUMBA_ENABLE_CUDASIM=1 simulates one, slowly"
        ) from error
    return Memory(device.allocate_shared(nbytes), nbytes, device.free)


def is_available() -> bool:
    """Whether tensors can be put on ``cuda:0``."""
    try:
        current()
    except (KernelError, ImportError):
        return False
    return True
