"""A launch plan's requests to a device, and the device that answers: Numba's simulator where it is on, else the GPU."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from .launch_grid import DeviceLimits, Launch
from .matmul import Tiling

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class CudaDevice(Protocol):
    """Memory by address, kernels by text, launches in order."""

    limits: DeviceLimits
    tiling: Tiling

    def allocate(self, nbytes: int) -> int:
        """The address of a fresh block, aligned to 256 bytes; its contents are undefined."""
        ...

    def allocate_shared(self, nbytes: int) -> int:
        """The address of a fresh block, aligned to 256 bytes, in memory that the host reads and writes too.

        The host does so at that address, while nothing runs on the device. The contents are undefined.
        """
        ...

    def wait(self) -> None:
        """Returns when everything launched before is done."""
        ...

    def free(self, address: int) -> None:
        """Gives a block back, once what was launched before is done with it."""
        ...

    def upload(self, address: int, data: Bytes) -> None:
        """Copies dense bytes to the device; they may change once this returns."""
        ...

    def download(self, address: int, data: Bytes) -> None:
        """Copies bytes from the device, after everything launched before; returns when they are there."""
        ...

    def load(self, text: str) -> Any:
        """The kernel that a text defines. Errors: KernelError when it does not compile."""
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
    """The device of this process. Errors: KernelError when there is neither a simulator nor a GPU."""
    if is_simulated():
        from .simulator import Simulator

        return Simulator()
    from .driver import Gpu

    return Gpu()
