"""Memory of a device: blocks by address, which the host reaches through copies alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from ..floors import DEVICE_MEMORY, asked
from . import FIRST_CUDA, Device
from .layout import PitchedRows, StraightCopies

Array = np.ndarray[Any, Any]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class DeviceKernels(Protocol):
    """The operations that a device computes itself; each answers NotImplemented where the host has to, and has written
    nothing then. See `backend/cuda/eager/kernels.py`."""

    def operation(self, op: Any, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """The result of an op, in memory of its own."""
        ...

    def ufunc(self, ufunc: Any, inputs: tuple[Any, ...], target: Any) -> Any:
        """The result of one of NumPy's ufuncs, written to `target` unless that is None."""
        ...

    def create(self, op: Any, attrs: Mapping[str, Any], numbers: tuple[Any, ...] = ()) -> Any:
        """The result of an op that makes an array, of numbers at most."""
        ...

    def in_place(self, op: Any, target: Any, operands: tuple[Any, ...], attrs: Mapping[str, Any]) -> Any:
        """Makes the elements of `target` those of the op of it and of `operands`."""
        ...

    def assign(self, target: Any, value: Any) -> Any:
        """Makes the elements of `target` those of `value`, broadcast and cast."""
        ...

    def copy(self, array: Any, strides: tuple[int, ...], dtype: Any = None) -> Any:
        """A copy with such strides, in another dtype if one is given."""
        ...

    def gradients(self, rules: Any, g: Any, values: Any, shapes: Any, dtypes: Any, attrs: Any) -> Any:
        """The gradients that the rules of an op give."""
        ...

    def step(self, body: Any, rows: Any, numbers: Any, written: Any) -> Any:
        """Does the calls of an optimizer's step in rows of arrays, in place; gives the last rows, that are left."""
        ...

    def nonzero(self, array: Any, by_axis: bool) -> Any:
        """The places of what is not zero in an array with axes: [count, axes], or [axes, count] if `by_axis`."""
        ...


class DeviceCopies(Protocol):
    """A device as what is asked of it here. Everything is done after what was asked of it before."""

    @property
    def kernels(self) -> DeviceKernels | None:
        """The kernels of the device; None where it only holds memory."""
        ...

    def allocate(self, nbytes: int) -> int:
        """The address of a fresh block, aligned to 256 bytes; its contents are undefined."""
        ...

    def free(self, address: int) -> None:
        """Gives a block back, once what was asked before is done with it."""
        ...

    def upload(self, address: int, data: Bytes) -> None:
        """Copies dense bytes to the device; they may change once this returns."""
        ...

    def download(self, address: int, data: Bytes) -> None:
        """Copies bytes from the device; returns when they are there."""
        ...

    def upload_rows(self, address: int, pitch: int, data: Bytes) -> None:
        """Copies the rows of dense bytes to places `pitch` bytes apart.   Shapes: data u8[count, width]."""
        ...

    def download_rows(self, address: int, pitch: int, data: Bytes) -> None:
        """Copies rows of bytes, `pitch` bytes apart; returns when they are there.   Shapes: data u8[count, width]."""
        ...

    def copy(self, target: int, source: int, nbytes: int) -> None:
        """Copies bytes within the device."""
        ...

    def allocate_pinned(self, nbytes: int) -> int:
        """The address of fresh memory of the host that stays where it is, which the device reads at full speed."""
        ...

    def free_pinned(self, address: int) -> None:
        """Gives such memory back."""
        ...

    def upload_pinned(self, address: int, data: Bytes, wait: bool) -> None:
        """Copies dense bytes of such memory to the device, which reads them later unless told to `wait`."""
        ...

    def stream_number(self) -> int:
        """The stream that this thread gives its work to, by its handle; 1 is the legacy default one."""
        ...

    def look_at_checks(self) -> None:
        """Waits for checks that nobody has waited for yet. Errors: LateCheckError where one has failed."""
        ...

    def let_wait(self, stream: int) -> None:
        """Work that is given to another stream from now on comes after what this thread asked of the device before.

        stream: by its handle; 1 and 2 are the driver's default ones."""
        ...

    def wait_for(self, stream: int) -> None:
        """Orders the work that this thread asks of the device from now on after what another stream was given."""
        ...


def device_kernels() -> DeviceKernels | None:
    """The kernels of the device; None where nothing does. Errors: those of the device, such as that there is none."""
    copies: DeviceCopies = asked(DEVICE_MEMORY)()
    return copies.kernels


class DeviceMemory:
    """A block on a device, given back when nothing refers to it.

    Native code makes those of results of compiled calls, slot by slot: see `backend/cpu/runner/device_calls.py`.
    Errors: those of the device, such as `OutOfMemoryError` or that there is none."""

    __slots__ = ("__weakref__", "_free", "address", "copies", "nbytes")

    device: Device = FIRST_CUDA

    def __init__(self, nbytes: int) -> None:
        self.copies: DeviceCopies = asked(DEVICE_MEMORY)()
        self.nbytes = nbytes
        self._free: Callable[[int], None] = self.copies.free
        self.address = self.copies.allocate(max(nbytes, 1))

    def __del__(self) -> None:
        try:
            free, address = self._free, self.address
        except AttributeError:  # there was nothing to be had
            return
        free(address)


class ForeignMemory:
    """A block on a device that another library owns: `owner` keeps it alive, and is let go of with this."""

    __slots__ = ("__weakref__", "address", "copies", "nbytes", "owner")

    device: Device = FIRST_CUDA

    def __init__(self, address: int, nbytes: int, owner: object) -> None:
        self.copies: DeviceCopies = asked(DEVICE_MEMORY)()
        self.address, self.nbytes, self.owner = address, nbytes, owner


class PinnedMemory:
    """Memory of the host that stays where it is, which the GPU reads at full speed; given back with the last array.

    Errors: those of the device."""

    __slots__ = ("__array_interface__", "__weakref__", "_address", "_free")

    def __init__(self, nbytes: int) -> None:
        copies: DeviceCopies = asked(DEVICE_MEMORY)()
        self._free: Callable[[int], None] = copies.free_pinned
        self._address = copies.allocate_pinned(max(nbytes, 1))
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (nbytes,), "data": (self._address, False)}

    def __del__(self) -> None:
        if hasattr(self, "_address"):
            self._free(self._address)


def is_pinned(array: Any) -> bool:
    """Whether an array of the host lies in `PinnedMemory`."""
    while isinstance(array, np.ndarray):
        array = array.base
    return type(array) is PinnedMemory


def pinned(array: Array) -> Array:
    """A copy of an array of the host in `PinnedMemory`, with axes in the same order."""
    like = np.empty_like(array, subok=False)
    memory = np.asarray(PinnedMemory(array.nbytes))
    found: Array = np.ndarray(array.shape, array.dtype, memory, 0, like.strides)
    np.copyto(found, array)
    return found


class CopiesWait(threading.local):
    """Whether copies from pinned memory are waited for, in this thread."""

    needed = True


_WAITING = CopiesWait()


@contextmanager
def without_waiting() -> Iterator[None]:
    """A context in which copies from pinned memory to a device go on while the program does."""
    before, _WAITING.needed = _WAITING.needed, False
    try:
        yield
    finally:
        _WAITING.needed = before


def upload(copies: DeviceCopies, address: int, dense: Array) -> None:
    """Copies an array without gaps to a device, whatever the order of its axes."""
    if is_pinned(dense):
        copies.upload_pinned(address, bytes_of(dense), _WAITING.needed)
    else:
        copies.upload(address, bytes_of(dense))


def fetch(
    copies: DeviceCopies, address: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]
) -> Array:
    """The elements of an array on a device in the host's memory, dense, with axes in the same order where they can be.

    address: of the first element."""
    straight = StraightCopies.of(shape, strides, dtype.itemsize)
    dense: Bytes = np.empty(straight.nbytes, np.uint8)
    for rows in straight.rows():
        part = dense[rows.place : rows.place + rows.count * rows.width]
        if rows.count == 1:
            copies.download(address + rows.start, part)
        else:
            copies.download_rows(address + rows.start, rows.pitch, part.reshape(rows.count, rows.width))
    found = straight.restored(dense.view(dtype), shape)
    return found if found.flags.writeable and not any(straight.flipped) else found.copy(order="K")


def store(copies: DeviceCopies, address: int, strides: tuple[int, ...], host: Array) -> None:
    """Writes the elements of a host array to an array on a device; no byte between them.

    address: of the first element. strides: of the array on the device, of the same shape and dtype, in bytes."""
    straight = StraightCopies.of(host.shape, strides, host.itemsize)
    dense = bytes_of(straight.in_order(host))
    for rows in straight.rows():
        _store_rows(copies, address, rows, dense)


def _store_rows(copies: DeviceCopies, address: int, rows: PitchedRows, dense: Bytes) -> None:
    part = dense[rows.place : rows.place + rows.count * rows.width]
    if rows.count == 1:
        copies.upload(address + rows.start, part)
    else:
        copies.upload_rows(address + rows.start, rows.pitch, part.reshape(rows.count, rows.width))


def bytes_of(dense: Array) -> Bytes:
    """The memory of an array without gaps, whatever the order of its axes; a view."""
    return dense.ravel(order="K").view(np.uint8) if dense.size else np.empty(0, np.uint8)
