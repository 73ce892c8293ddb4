"""The arrays of a call as dense bytes: inputs on their way to the device and back, results on their way from it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ....core.devices.arrays import DeviceArray
from ....core.devices.host_or_device import address_of, byte_bounds
from ....core.records import dataclass
from ..device import Bytes, CudaDevice

Array = np.ndarray[Any, Any]
ALIGNMENT = 256


@dataclass(frozen=True, slots=True)
class Block:
    """A run of host memory that inputs lie in; those that overlap lie in one. Units: addresses of bytes."""

    low: int
    high: int
    inputs: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class InputBlocks:
    """The memory of some arrays, and where it lies on the device. `addresses` are those of the first elements."""

    arrays: Sequence[Array]
    blocks: tuple[Block, ...]
    places: tuple[int, ...]
    allocated: tuple[int, ...]
    addresses: tuple[int, ...]
    device: CudaDevice

    @classmethod
    def of(cls, arrays: Sequence[Array], device: CudaDevice, allocate: Callable[[int], int]) -> InputBlocks:
        """The blocks of `arrays`, as well aligned on the device as on the host; nothing is copied yet.

        Arrays that lie on the device stay where they are."""
        blocks = _blocks({k: each for k, each in enumerate(arrays) if type(each) is not DeviceArray})  # type: ignore[comparison-overlap]
        allocated = tuple(allocate(block.nbytes + block.low % ALIGNMENT) for block in blocks)
        places = tuple(base + block.low % ALIGNMENT for base, block in zip(allocated, blocks, strict=True))
        addresses = [address_of(each) for each in arrays]
        for block, place in zip(blocks, places, strict=True):
            for k in block.inputs:
                addresses[k] = place + arrays[k].ctypes.data - block.low
        return cls(arrays, blocks, places, allocated, tuple(addresses), device)

    def upload(self) -> None:
        """Copies every block to the device."""
        for block, place in zip(self.blocks, self.places, strict=True):
            if block.nbytes:
                window = Window(self.arrays, block.low, "|u1", (block.nbytes,))
                self.device.upload(place, window.array(writeable=False))

    def download(self, written: Collection[int]) -> None:
        """Copies back the elements of the arrays that were written, and no byte between them."""
        for block, place in zip(self.blocks, self.places, strict=True):
            changed = [k for k in block.inputs if k in written]
            if not changed or not block.nbytes:
                continue
            data: Bytes = np.empty(block.nbytes, np.uint8)
            self.device.download(place, data)
            for k in changed:
                array = self.arrays[k]
                offset = array.ctypes.data - block.low
                array[...] = np.ndarray(array.shape, array.dtype, data.data, offset, array.strides)


def _blocks(arrays: Mapping[int, Array]) -> tuple[Block, ...]:
    """Runs of memory that hold the arrays; arrays whose memory overlaps lie in one."""
    blocks: list[Block] = []
    for low, high, k in sorted((*byte_bounds(array), k) for k, array in arrays.items()):
        if blocks and low < blocks[-1].high:
            last = blocks.pop()
            blocks.append(Block(last.low, max(last.high, high), (*last.inputs, k)))
        else:
            blocks.append(Block(low, high, (k,)))
    return tuple(blocks)


class Window:
    """Host memory as an array; keeps its owners alive. Units: strides count bytes; dense without them."""

    def __init__(
        self, owners: object, address: int, typestr: str, shape: tuple[int, ...], strides: tuple[int, ...] | None = None
    ) -> None:
        self.owners = owners
        self.__array_interface__ = {"version": 3, "typestr": typestr, "shape": shape, "strides": strides}
        self._address = address

    def array(self, writeable: bool) -> Array:
        """The array over this memory."""
        self.__array_interface__["data"] = (self._address, not writeable)
        return np.asarray(self)


def bytes_of(dense: Array) -> Bytes:
    """The memory of an array without gaps, whatever the order of its axes."""
    return Window(dense, dense.ctypes.data, "|u1", (dense.nbytes,)).array(writeable=True)


@dataclass(frozen=True, slots=True)
class Intervals:
    """Runs of memory apart from each other, in order. Units: addresses of bytes."""

    lows: tuple[int, ...]
    highs: tuple[int, ...]

    @classmethod
    def of(cls, arrays: Iterable[Array]) -> Intervals:
        """The memory that some arrays span."""
        lows: list[int] = []
        highs: list[int] = []
        for low, high in sorted(byte_bounds(array) for array in arrays if array.size):
            if highs and low <= highs[-1]:
                highs[-1] = max(highs[-1], high)
            else:
                lows.append(low)
                highs.append(high)
        return cls(tuple(lows), tuple(highs))

    def meet(self, low: int, high: int) -> bool:
        """Whether a byte from `low` up to `high` is in one of them."""
        place = bisect_left(self.lows, high)
        return place > 0 and self.highs[place - 1] > low


def overlapping(arrays: Sequence[Array]) -> Iterator[tuple[int, int]]:
    """The pairs of places of arrays whose runs of memory overlap, the smaller one first; found by one pass in order."""
    reaching: list[tuple[int, int]] = []
    for low, high, place in sorted((*byte_bounds(array), place) for place, array in enumerate(arrays) if array.size):
        reaching = [each for each in reaching if each[0] > low]
        for _, other in reaching:
            yield min(place, other), max(place, other)
        reaching.append((high, place))


def host_array(shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array that owns dense memory laid out by `strides`. Units: strides count elements."""
    return np.ndarray(shape, dtype, strides=tuple(stride * dtype.itemsize for stride in strides))
