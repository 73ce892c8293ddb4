"""`gl.cuda`: whether there is a GPU, its memory, who holds it, and streams. Names and meanings are PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.devices import FIRST_CUDA, cuda_device, resolved
from ..core.errors import (
    CudaError,
    DeviceLostError,
    ForkedProcessError,
    LateCheckError,
    NoDeviceError,
    NoDriverError,
    OldDriverError,
    OutOfMemoryError,
)
from ..core.package import PACKAGE

if TYPE_CHECKING:
    from ..backend.cuda.device import CudaDevice
    from .cuda_seeds import manual_seed, manual_seed_all  # noqa: F401
    from .cuda_streams import Event, Stream, current_stream, default_stream, set_stream, stream

_LATER = {
    **dict.fromkeys(("Event", "Stream", "current_stream", "default_stream", "set_stream", "stream"), ".cuda_streams"),
    **dict.fromkeys(("manual_seed", "manual_seed_all"), ".cuda_seeds"),
}
"""The modules of names that few programs use, or that are made of tensors."""


def __getattr__(name: str) -> Any:
    """A name of another module, which is imported for it."""
    if name == "amp":  # under PyTorch's path, by core/names/import_paths.py: it is made of what stands above this
        return import_module(f"{PACKAGE}.cuda.amp")
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(_LATER[name], __package__), name)
    return found


def is_available() -> bool:
    """Whether tensors can be put on ``cuda:0``: there is a GPU with its driver, or Numba's simulator of one."""
    from ..backend.cuda.current_device import is_available as found

    return found()


def device_count() -> int:
    """The number of GPUs that are used: one, or none."""
    return int(is_available())


def current_device() -> int:
    """The number of the GPU that ``cuda`` names."""
    return FIRST_CUDA.index or 0


def _device(device: Any) -> CudaDevice:
    """The GPU. Errors: CudaError where there is none, RuntimeError for a device that is no GPU."""
    from ..backend.cuda.current_device import the_device

    found = resolved(cuda_device(device))
    if found != FIRST_CUDA:
        raise RuntimeError(f"Expected a cuda device, but got: {found}")
    return the_device()


def synchronize(device: Any = None) -> None:
    """Returns when the device has done all it was given. Reading a value waits by itself.

    Errors: RuntimeError where there is no such device; DeviceLostError after a kernel has failed; LateCheckError after
    a check has failed and no read has waited for it.
    """
    _device(device).wait()


# Memory.


def memory_allocated(device: Any = None) -> int:
    """The bytes of blocks that are in use."""
    return int(_device(device).memory.statistics()["allocated"])


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes that were in use at a time, since the process or `reset_peak_memory_stats` began."""
    return int(_device(device).memory.statistics()["most allocated"])


def memory_reserved(device: Any = None) -> int:
    """The bytes of blocks that are in use or kept at hand; the driver's pool may keep more."""
    return int(_device(device).memory.statistics()["reserved"])


def max_memory_reserved(device: Any = None) -> int:
    """The most bytes that were in use or kept at hand at a time."""
    return int(_device(device).memory.statistics()["most reserved"])


def reset_peak_memory_stats(device: Any = None) -> None:
    """Counts the most bytes from now on."""
    _device(device).memory.reset_peaks()


def memory_stats(device: Any = None) -> dict[str, Any]:
    """All counts by name; ``holders``: bytes and blocks in use, by who holds them. Units: bytes."""
    return _device(device).memory.statistics()


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The memory that is held and by whom, as text."""
    return _device(device).memory.summary()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """The bytes of the GPU that are free, to all processes, and all of its bytes."""
    return _device(device).memory.free_bytes()


def empty_cache() -> None:
    """Gives back to the system all memory that is not in use."""
    _device(None).memory.empty()


def set_allocator(allocate: Callable[[int], int] | str | None, free: Callable[[int], object] | None = None) -> None:
    """Takes memory from somewhere else from now on; blocks in use stay where they are.

    allocate: gives the address of so many bytes, aligned to 256 bytes, or raises MemoryError; ``"pytorch"`` or
        ``"cupy"`` for the pool of that library; None for the driver's own pool again.
    free: takes an address back. Whatever was given to the default stream before may use the memory until it is done.
    Errors: TypeError for one function without the other, ValueError for a name of no library.
    """
    from ..backend.cuda.memory.blocks import UserAllocator
    from ..backend.cuda.memory.other_pools import pool_of

    memory = _device(None).memory
    if allocate is None or isinstance(allocate, str):
        if free is not None:
            raise TypeError("set_allocator() takes `free` beside a function that allocates only")
        memory.use(None if allocate is None else pool_of(allocate))
    elif free is None:
        raise TypeError("set_allocator() takes two functions: one that allocates, and `free`")
    else:
        memory.use(UserAllocator(allocate, free))


def host_computations() -> dict[str, int]:
    """The number of times that the host computed something of tensors on a GPU, by operation.

    Each copies its operands to the host and its result back. `GUARDLIFT_LOGS=hints` names them as they come.
    """
    from ..core.devices.host_computation import HOST_COMPUTATIONS

    return dict(HOST_COMPUTATIONS)


__all__ = [
    "CudaError",
    "DeviceLostError",
    "Event",
    "ForkedProcessError",
    "LateCheckError",
    "NoDeviceError",
    "NoDriverError",
    "OldDriverError",
    "OutOfMemoryError",
    "Stream",
    "current_device",
    "current_stream",
    "default_stream",
    "device_count",
    "empty_cache",
    "host_computations",
    "is_available",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_peak_memory_stats",
    "set_allocator",
    "set_stream",
    "stream",
    "synchronize",
]
