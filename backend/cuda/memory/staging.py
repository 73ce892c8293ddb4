"""Copies between the host and a GPU, by way of a ring of buffers in memory that the GPU reads at full speed."""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from ....core.devices.memory import Bytes
from ....core.errors import CudaError
from ..driver_library import DriverLibrary
from .stream_arena import StreamArena

SMALL = 1 << 16
"""Units: bytes; up to this size the driver copies from the program's memory at once."""
SLOTS, SLOT_BYTES = 4, 1 << 21
WITHOUT_TIMING = 2
"""CU_EVENT_DISABLE_TIMING."""
HOST, DEVICE = 1, 2
"""CU_MEMORYTYPE_HOST and DEVICE."""


class Copy2D(ctypes.Structure):
    """CUDA_MEMCPY2D of cuda.h."""

    _fields_ = (
        *((f"source_{name}", kind) for name, kind in (("x", ctypes.c_size_t), ("y", ctypes.c_size_t))),
        ("source_type", ctypes.c_uint),
        ("source_host", ctypes.c_void_p),
        ("source_device", ctypes.c_uint64),
        ("source_array", ctypes.c_void_p),
        ("source_pitch", ctypes.c_size_t),
        *((f"target_{name}", kind) for name, kind in (("x", ctypes.c_size_t), ("y", ctypes.c_size_t))),
        ("target_type", ctypes.c_uint),
        ("target_host", ctypes.c_void_p),
        ("target_device", ctypes.c_uint64),
        ("target_array", ctypes.c_void_p),
        ("target_pitch", ctypes.c_size_t),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
    )


class _Slot:
    """A buffer of the ring, and the event after which the GPU is done with it."""

    def __init__(self, driver: DriverLibrary) -> None:
        self.place, self.event = ctypes.c_void_p(), ctypes.c_void_p()
        driver("cuMemAllocHost_v2", ctypes.byref(self.place), ctypes.c_size_t(SLOT_BYTES))
        driver("cuEventCreate", ctypes.byref(self.event), ctypes.c_uint(WITHOUT_TIMING))


class Staging:
    """Copies in the order of the stream that `current` gives."""

    def __init__(self, driver: DriverLibrary, current: Callable[[], StreamArena]) -> None:
        self._driver, self._current = driver, current
        self._ring: list[_Slot] | None = None
        self._next = 0
        self._flying: deque[tuple[Any, Bytes]] = deque()
        """The memory that the GPU still reads, with the events after which it does not."""
        self._lock = threading.Lock()
        self.counts = {"uploads": 0, "downloads": 0, "uploaded bytes": 0, "downloaded bytes": 0}

    def upload(self, address: int, data: Bytes) -> None:
        """Copies dense bytes to the GPU; they may change once this returns."""
        self._note("upload", data.nbytes)
        source = data.ctypes.data
        stream = self._stream()
        if data.nbytes <= SMALL or not self._has_ring():
            given = ctypes.c_uint64(address), ctypes.c_void_p(source), ctypes.c_size_t(data.nbytes)
            if stream is not None:  # the driver reads pageable memory before it returns
                return self._driver("cuMemcpyHtoDAsync_v2", *given, stream)
            return self._driver("cuMemcpyHtoD_v2", *given)
        with self._lock:
            for start in range(0, data.nbytes, SLOT_BYTES):
                size = min(SLOT_BYTES, data.nbytes - start)
                slot = self._turn()
                self._driver("cuEventSynchronize", slot.event)  # nothing, where it was never recorded
                ctypes.memmove(slot.place, source + start, size)
                target, nbytes = ctypes.c_uint64(address + start), ctypes.c_size_t(size)
                self._driver("cuMemcpyHtoDAsync_v2", target, slot.place, nbytes, stream)
                self._driver("cuEventRecord", slot.event, stream)
        return None

    def upload_pinned(self, address: int, data: Bytes, wait: bool) -> None:
        """Copies bytes of page-locked memory to the GPU, which keeps them alive until it has them."""
        self._note("upload", data.nbytes)
        place, nbytes, stream = ctypes.c_void_p(data.ctypes.data), ctypes.c_size_t(data.nbytes), self._stream()
        self._driver("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(address), place, nbytes, stream)
        if wait:
            return self._driver("cuStreamSynchronize", stream)
        event = ctypes.c_void_p()
        self._driver("cuEventCreate", ctypes.byref(event), ctypes.c_uint(WITHOUT_TIMING))
        self._driver("cuEventRecord", event, stream)
        with self._lock:
            self._flying.append((event, data))
            while not self._driver.status("cuEventQuery", self._flying[0][0]):
                done, _ = self._flying.popleft()
                self._driver("cuEventDestroy_v2", done)
                if not self._flying:
                    break
        return None

    def download(self, address: int, data: Bytes) -> None:
        """Copies bytes from the GPU; returns when they are there."""
        self._note("download", data.nbytes)
        target = data.ctypes.data
        stream = self._stream()
        if data.nbytes <= SMALL or not self._has_ring():
            given = ctypes.c_void_p(target), ctypes.c_uint64(address), ctypes.c_size_t(data.nbytes)
            if stream is None:
                return self._driver("cuMemcpyDtoH_v2", *given)
            self._driver("cuMemcpyDtoHAsync_v2", *given, stream)
            return self._driver("cuStreamSynchronize", stream)
        with self._lock:
            coming: list[tuple[_Slot, int, int]] = []
            for start in range(0, data.nbytes, SLOT_BYTES):
                if len(coming) == SLOTS:
                    self._arrived(target, *coming.pop(0))
                slot, size = self._turn(), min(SLOT_BYTES, data.nbytes - start)
                self._driver("cuEventSynchronize", slot.event)
                source, nbytes = ctypes.c_uint64(address + start), ctypes.c_size_t(size)
                self._driver("cuMemcpyDtoHAsync_v2", slot.place, source, nbytes, stream)
                self._driver("cuEventRecord", slot.event, stream)
                coming.append((slot, start, size))
            for each in coming:
                self._arrived(target, *each)
        return None

    def rows(self, address: int, pitch: int, data: Bytes, *, upload: bool) -> None:
        """Copies rows of bytes, which lie `pitch` bytes apart on the GPU.   Shapes: data u8[count, width], dense."""
        self._note("upload" if upload else "download", data.nbytes)
        count, width = data.shape
        copy = Copy2D(width=width, height=count)
        if upload:
            copy.source_type, copy.source_host, copy.source_pitch = HOST, data.ctypes.data, width
            copy.target_type, copy.target_device, copy.target_pitch = DEVICE, address, pitch
        else:
            copy.source_type, copy.source_device, copy.source_pitch = DEVICE, address, pitch
            copy.target_type, copy.target_host, copy.target_pitch = HOST, data.ctypes.data, width
        stream = self._stream()
        if stream is not None:  # this copy is on the default stream alone
            self._driver("cuStreamSynchronize", stream)
        self._driver("cuMemcpy2DUnaligned_v2", ctypes.byref(copy))
        if stream is not None and upload:
            self._driver("cuStreamSynchronize", None)

    def _stream(self) -> Any:
        handle = self._current().handle
        return ctypes.c_void_p(handle) if handle else None

    def _arrived(self, target: int, slot: _Slot, start: int, size: int) -> None:
        self._driver("cuEventSynchronize", slot.event)
        ctypes.memmove(target + start, slot.place, size)

    def _turn(self) -> _Slot:
        assert self._ring
        self._next = (self._next + 1) % SLOTS
        return self._ring[self._next]

    def _has_ring(self) -> bool:
        """Whether there is the ring; without page-locked memory for it, the driver copies by itself."""
        with self._lock:
            if self._ring is None:
                try:
                    self._ring = [_Slot(self._driver) for _ in range(SLOTS)]
                except CudaError:
                    if not self._driver.is_usable:
                        raise
                    self._ring = []
            return bool(self._ring)

    def _note(self, what: str, nbytes: int) -> None:
        self.counts[f"{what}s"] += 1
        self.counts[f"{what}ed bytes"] += nbytes
