"""A launch plan's requests to a device, and the device that answers: Numba's simulator where it is on, else the GPU."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Protocol

from ...core.devices.memory import Bytes, DeviceCopies
from .launch_grid import DeviceLimits, Launch
from .memory.allocator import DeviceAllocator
from .products.tensor_tiles import TensorTiling
from .products.tiles import Tiling

__all__ = ["Bytes", "CudaDevice", "current", "is_simulated"]


class CudaDevice(DeviceCopies, Protocol):
    """Memory by address, kernels by text, launches in order."""

    limits: DeviceLimits
    tilings: Sequence[Tiling]
    """The tilings of products, the larger first."""
    tensor_tiling: TensorTiling | None
    """The tiling of products by tensor cores, where it has such."""
    has_libraries: bool
    """Whether libraries for its maker's GPUs may compute on it."""
    memory: DeviceAllocator
    streams: Any
    """Its streams: see `DriverStreams`."""
    launches_natively: bool
    """Whether it is a driver's, whose functions native code calls: see `native_call`."""

    def clear(self, address: int, nbytes: int) -> None:
        """Sets bytes to zero, in the order of the current stream."""
        ...

    def wait(self) -> None:
        """Returns when everything launched before is done."""
        ...

    def load(self, text: str) -> Any:
        """The kernel that a text defines. Errors: KernelError when it does not compile."""
        ...

    def load_all(self, texts: Collection[str]) -> dict[str, Any]:
        """The kernels of several texts, by text; those that are new are compiled at once. Errors: see `load`."""
        ...

    def launch(self, kernel: Any, sizes: Launch, arguments: Sequence[int]) -> None:
        """Runs a kernel after everything launched before. Every argument is an int64."""
        ...


def is_simulated() -> bool:
    """Whether Numba runs CUDA kernels in its simulator in this process (NUMBA_ENABLE_CUDASIM). It need not be there."""
    numba = sys.modules.get("numba")
    return bool(numba.config.ENABLE_CUDASIM) if numba else os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


@cache
def current() -> CudaDevice:
    """The device of this process. Errors: CudaError when there is neither a simulator nor a GPU."""
    if is_simulated():
        from .simulator import Simulator

        return Simulator()
    from .driver import Gpu

    return Gpu()
