"""The GPU, by the CUDA driver's C interface: memory, kernels from PTX, launches. Needs no package but the driver.

A thread issues everything on its current stream: unless told otherwise the legacy default one, in order with what CuPy
and PyTorch issue there. The context is the device's primary one, which other libraries share.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

from ...core.config import config
from ...core.devices.cuda_array_interface import DEFAULT_STREAM
from ...core.devices.memory import DeviceKernels
from ...core.errors import KernelError, OldDriverError
from .compiler import device_code
from .compiler.device_code import DeviceImage
from .device import Bytes
from .driver_library import OUT_OF_MEMORY, DriverLibrary
from .launch_grid import DeviceLimits, Launch
from .memory.allocator import DeviceAllocator
from .memory.staging import Staging
from .native.late_checks import LateChecks
from .products.launches import TILINGS
from .products.library_products import NO_GRID
from .products.tensor_tiles import TENSOR_CAPABILITY, TensorTiling
from .products.tiles import Tiling
from .streams import DriverStreams, pointer

COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76
MULTIPROCESSORS = 16
MEMORY_POOLS_SUPPORTED = 115
BLOCKS_A_MULTIPROCESSOR = 16
RELEASE_THRESHOLD = 4
"""CU_MEMPOOL_ATTR_RELEASE_THRESHOLD."""


class PoolProperties(ctypes.Structure):
    """CUmemPoolProps of cuda.h. kind and location: 1, page-locked memory of a device."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("handles", ctypes.c_int),
        ("location", ctypes.c_int),
        ("device", ctypes.c_int),
        ("security", ctypes.c_void_p),
        ("most", ctypes.c_size_t),
        ("usage", ctypes.c_ushort),
        ("reserved", ctypes.c_ubyte * 54),
    )


class DriverPool:
    """Blocks from a pool of the driver, in the order of the stream. It keeps half of the memory that was free at most.

    It is a pool of our own: the one that other libraries share is left as it is."""

    def __init__(self, gpu: Gpu, device: Any) -> None:
        self._gpu = gpu
        self._pool = ctypes.c_void_p()
        properties = PoolProperties(kind=1, location=1, device=device.value)
        gpu.call("cuMemPoolCreate", ctypes.byref(self._pool), ctypes.byref(properties))
        most = ctypes.c_uint64(gpu.free_bytes()[0] // 2)
        gpu.call("cuMemPoolSetAttribute", self._pool, ctypes.c_int(RELEASE_THRESHOLD), ctypes.byref(most))

    def take(self, nbytes: int) -> int | None:
        """See `BlockSource`. Errors: CudaError for what is no lack of memory."""
        address, stream = ctypes.c_uint64(), self._gpu.stream()
        return self._gpu.taken(
            address, "cuMemAllocFromPoolAsync", ctypes.byref(address), ctypes.c_size_t(nbytes), self._pool, stream
        )

    def give(self, address: int, stream: int = 0) -> None:
        """See `BlockSource`."""
        self._gpu.given("cuMemFreeAsync", ctypes.c_uint64(address), pointer(stream))

    def trim(self) -> None:
        """See `BlockSource`."""
        self._gpu.call("cuCtxSynchronize")
        self._gpu.call("cuMemPoolTrimTo", self._pool, ctypes.c_size_t(0))


class PlainBlocks:
    """Blocks by plain allocations, which wait for the GPU, where its driver has no pools."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu

    def take(self, nbytes: int) -> int | None:
        """See `BlockSource`. Errors: CudaError for what is no lack of memory."""
        address = ctypes.c_uint64()
        return self._gpu.taken(address, "cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(nbytes))

    def give(self, address: int, stream: int = 0) -> None:
        """See `BlockSource`. It waits for the GPU."""
        self._gpu.given("cuMemFree_v2", ctypes.c_uint64(address))

    def trim(self) -> None:
        """Nothing is kept."""


class Gpu:
    """See `device.CudaDevice`; the first GPU of the process."""

    launches_natively = has_libraries = True

    def __init__(self, library: Any = None) -> None:
        self.driver = DriverLibrary(library)
        self.driver("cuInit", ctypes.c_uint(0))
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.driver("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0))
        self.driver("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context = context
        self.capability = (
            self._attribute(COMPUTE_CAPABILITY_MAJOR, device),
            self._attribute(COMPUTE_CAPABILITY_MINOR, device),
        )
        self.limits = DeviceLimits(blocks=self._attribute(MULTIPROCESSORS, device) * BLOCKS_A_MULTIPROCESSOR)
        self.tilings: Sequence[Tiling] = TILINGS
        self.tensor_tiling = TensorTiling() if self.capability >= TENSOR_CAPABILITY else None
        pools = self._attribute(MEMORY_POOLS_SUPPORTED, device)
        self.memory = DeviceAllocator(DriverPool(self, device) if pools else PlainBlocks(self), self.free_bytes)
        self.allocate, self.free = self.memory.allocate, self.memory.free
        self.streams = DriverStreams(self)
        self.late_checks = LateChecks()
        self.staging = Staging(self.driver, self.streams.current)
        self._kernels: dict[tuple[str, str], Any] = {}
        """The kernels that were loaded, by text and by who compiles."""

    @cached_property
    def kernels(self) -> DeviceKernels:
        """The operations of eager mode."""
        from .eager.kernels import EagerKernels  # which needs all of the back end

        return EagerKernels(self)

    def call(self, name: str, *arguments: Any) -> None:
        """Calls the driver in the context. Errors: CudaError."""
        self.driver("cuCtxSetCurrent", self._context)
        self.driver(name, *arguments)

    def taken(self, address: Any, name: str, *arguments: Any) -> int | None:
        """The address that an allocation gave; None where there is no memory left. Errors: CudaError otherwise."""
        self.driver("cuCtxSetCurrent", self._context)
        status = self.driver.status(name, *arguments)
        if status and status != OUT_OF_MEMORY:
            raise self.driver.error(name, status)
        return None if status else int(address.value)

    def given(self, name: str, *arguments: Any) -> None:
        """Gives memory back, if anybody still takes it: finalizers run when the driver is gone, too."""
        if self.driver.is_usable:
            self.driver.status("cuCtxSetCurrent", self._context)
            self.driver.status(name, *arguments)

    def free_bytes(self) -> tuple[int, int]:
        """The bytes of the GPU that are free, and all of its bytes."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def wait(self) -> None:
        self.call("cuCtxSynchronize")
        self.late_checks.look()

    def look_at_checks(self) -> None:
        self.late_checks.look()

    def upload(self, address: int, data: Bytes) -> None:
        self.driver("cuCtxSetCurrent", self._context)
        self.staging.upload(address, data)

    def download(self, address: int, data: Bytes) -> None:
        self.late_checks.look()
        self.fetch(address, data)

    def fetch(self, address: int, data: Bytes) -> None:
        """As `download`, whether a check has failed or not."""
        self.driver("cuCtxSetCurrent", self._context)
        self.staging.download(address, data)

    def upload_rows(self, address: int, pitch: int, data: Bytes) -> None:
        self.driver("cuCtxSetCurrent", self._context)
        self.staging.rows(address, pitch, data, upload=True)

    def download_rows(self, address: int, pitch: int, data: Bytes) -> None:
        self.late_checks.look()
        self.driver("cuCtxSetCurrent", self._context)
        self.staging.rows(address, pitch, data, upload=False)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        addresses = ctypes.c_uint64(target), ctypes.c_uint64(source)
        self.call("cuMemcpyDtoDAsync_v2", *addresses, ctypes.c_size_t(nbytes), self.stream())

    def clear(self, address: int, nbytes: int) -> None:
        self.call(
            "cuMemsetD8Async", ctypes.c_uint64(address), ctypes.c_ubyte(0), ctypes.c_size_t(nbytes), self.stream()
        )

    def stream_number(self) -> int:
        return self.streams.current().handle or DEFAULT_STREAM

    def let_wait(self, stream: int) -> None:
        self.streams.order(self.streams.current().handle, stream)

    def wait_for(self, stream: int) -> None:
        self.streams.order(stream, self.streams.current().handle)

    def allocate_pinned(self, nbytes: int) -> int:
        place = ctypes.c_void_p()
        self.call("cuMemAllocHost_v2", ctypes.byref(place), ctypes.c_size_t(nbytes))
        return int(place.value or 0)

    def free_pinned(self, address: int) -> None:
        self.given("cuMemFreeHost", ctypes.c_void_p(address))

    def upload_pinned(self, address: int, data: Bytes, wait: bool) -> None:
        self.driver("cuCtxSetCurrent", self._context)
        self.staging.upload_pinned(address, data, wait)

    def load(self, text: str) -> Any:
        return self.load_all([text])[text]

    def load_all(self, texts: Collection[str]) -> dict[str, Any]:
        maker, known = config.kernel_compiler, self._kernels
        new = [text for text in texts if (text, maker) not in known]
        made = device_code.device_images(new, self.capability) if len(new) > 1 else {}
        for text in new:
            known.setdefault((text, maker), self._load(text, made.get(text)))
        return {text: known[text, maker] for text in texts}

    def _load(self, text: str, code: DeviceImage | None) -> Any:
        code = device_code.device_image(text, self.capability) if code is None else code
        try:
            return self._function(code)
        except OldDriverError as refused:
            if not code.was_kept:
                raise
            try:
                code = device_code.device_image(text, self.capability, anew=True)
            except KernelError:  # there is no compiler here
                raise refused from None
        warnings.warn(
            f"the driver refused a GPU's kernel from {config.cache_folder}; it was compiled anew",
            RuntimeWarning,
            stacklevel=2,
        )
        return self._function(code)

    def _function(self, code: DeviceImage) -> ctypes.c_void_p:
        """The kernel of a piece of code. Errors: OldDriverError where the driver does not take it, CudaError."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.driver("cuCtxSetCurrent", self._context)
        status = self.driver.status("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code.image))
        if status:
            raise self.driver.error("cuModuleLoadData", status, code.maker)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, ctypes.c_char_p(code.entry.encode()))
        return function

    def launch(self, kernel: Any, sizes: Launch, arguments: Sequence[int]) -> None:
        if sizes == NO_GRID:
            status = kernel.run(self.driver.address("cuLaunchKernel"), arguments, self.stream())
            if status:
                raise self.driver.error("cublasLtMatmul", status)
            return
        values = (ctypes.c_int64 * len(arguments))(*arguments)
        first = ctypes.addressof(values)
        pointers = (ctypes.c_void_p * len(arguments))(*(first + 8 * k for k in range(len(arguments))))
        dimensions = [ctypes.c_uint(size) for size in (*sizes.grid, *sizes.block)]
        self.call("cuLaunchKernel", kernel, *dimensions, ctypes.c_uint(0), self.stream(), pointers, None)

    def stream(self) -> Any:
        """The stream of this thread, as the driver takes it."""
        return pointer(self.streams.current().handle)

    def make_current(self) -> None:
        """Has this thread use the GPU's context. Errors: CudaError."""
        self.driver("cuCtxSetCurrent", self._context)

    def _attribute(self, which: int, device: Any) -> int:
        found = ctypes.c_int()
        self.driver("cuDeviceGetAttribute", ctypes.byref(found), ctypes.c_int(which), device)
        return found.value
