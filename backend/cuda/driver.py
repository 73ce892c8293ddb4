"""The GPU, by the CUDA driver's C interface: memory, kernels from PTX, launches. Needs no package but the driver.

Everything is issued on one stream in order. The context is the device's primary one, which other libraries share.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ...core.errors import KernelError
from .device import Bytes
from .device_code import device_image
from .launch_grid import DeviceLimits, Launch
from .matmul import Tiling

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76
MULTIPROCESSORS = 16
BLOCKS_A_MULTIPROCESSOR = 16
ATTACH_GLOBAL = 1
"""CU_MEM_ATTACH_GLOBAL: managed memory that every stream may reach."""
GRANULE = 512
"""Units: bytes; blocks of memory are kept for use again by size, rounded up to this."""


def driver_library() -> Any:
    """The driver's library. Errors: KernelError when this machine has none."""
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise KernelError(f"no CUDA driver on this machine: {error}") from error


class Gpu:
    """See `device.CudaDevice`; the first GPU of the process."""

    def __init__(self, library: Any = None) -> None:
        self._library = library or driver_library()
        self._call("cuInit", ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context = context
        self._call("cuCtxSetCurrent", context)
        self.capability = (
            self._attribute(COMPUTE_CAPABILITY_MAJOR, device),
            self._attribute(COMPUTE_CAPABILITY_MINOR, device),
        )
        self.limits = DeviceLimits(blocks=self._attribute(MULTIPROCESSORS, device) * BLOCKS_A_MULTIPROCESSOR)
        self.tiling = Tiling()
        self._kinds: dict[int, tuple[int, bool]] = {}
        """By address: how many bytes there are, and whether the host sees them."""
        self._free: dict[tuple[int, bool], list[int]] = {}
        self.load = lru_cache(maxsize=None)(self._load)

    def allocate(self, nbytes: int) -> int:
        return self._block(nbytes, False)

    def allocate_shared(self, nbytes: int) -> int:
        return self._block(nbytes, True)

    def _block(self, nbytes: int, shared: bool) -> int:
        size = max(-(-nbytes // GRANULE), 1) * GRANULE
        kept = self._free.get((size, shared))
        if kept:
            try:
                return kept.pop()
            except IndexError:  # another thread was faster
                pass
        address = ctypes.c_uint64()
        self._current()
        if shared:
            flags = ctypes.c_uint(ATTACH_GLOBAL)
            self._call("cuMemAllocManaged", ctypes.byref(address), ctypes.c_size_t(size), flags)
        else:
            self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        self._kinds[address.value] = size, shared
        return address.value

    def wait(self) -> None:
        self._current()
        self._call("cuCtxSynchronize")

    def free(self, address: int) -> None:
        # One stream in order: whoever gets the block next comes after all that was launched before.
        self._free.setdefault(self._kinds[address], []).append(address)

    def upload(self, address: int, data: Bytes) -> None:
        self._current()
        source = ctypes.c_void_p(data.ctypes.data)
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), source, ctypes.c_size_t(data.nbytes))

    def download(self, address: int, data: Bytes) -> None:
        self._current()
        target = ctypes.c_void_p(data.ctypes.data)
        self._call("cuMemcpyDtoH_v2", target, ctypes.c_uint64(address), ctypes.c_size_t(data.nbytes))

    def _load(self, text: str) -> Any:
        code = device_image(text, self.capability)
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._current()
        self._call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code.image))
        self._call("cuModuleGetFunction", ctypes.byref(function), module, ctypes.c_char_p(code.entry.encode()))
        return function

    def launch(self, kernel: Any, sizes: Launch, arguments: Sequence[int]) -> None:
        values = (ctypes.c_int64 * len(arguments))(*arguments)
        first = ctypes.addressof(values)
        pointers = (ctypes.c_void_p * len(arguments))(*(first + 8 * k for k in range(len(arguments))))
        dimensions = [ctypes.c_uint(size) for size in (*sizes.grid, *sizes.block)]
        self._current()
        self._call("cuLaunchKernel", kernel, *dimensions, ctypes.c_uint(0), None, pointers, None)

    def _current(self) -> None:
        self._call("cuCtxSetCurrent", self._context)

    def _attribute(self, which: int, device: Any) -> int:
        found = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(found), ctypes.c_int(which), device)
        return found.value

    def _call(self, name: str, *arguments: Any) -> None:
        """Calls the driver. Errors: KernelError with the driver's own words."""
        status = getattr(self._library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(ctypes.c_int(status), ctypes.byref(text))
            raise KernelError(f"{name} failed with CUDA error {status}: {(text.value or b'unknown').decode()}")
