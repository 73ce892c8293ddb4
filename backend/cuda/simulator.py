"""A simulated device: kernel text run by CPython over host memory, with Numba's simulator of the module `cuda`.

It is slow and strict: every access is checked against the memory that was allocated, and results keep their dtype.
Imports numba; only for processes started with NUMBA_ENABLE_CUDASIM=1.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import cache, cached_property, partial
from operator import getitem
from typing import Any

import numpy as np
from numba.cuda.simulator.kernelapi import FakeCUDAModule

from ...core import dtypes
from ...core.devices.cuda_array_interface import DEFAULT_STREAM
from ...core.devices.memory import DeviceKernels
from ...core.dtypes import DType
from ..math.table import TABLE
from .access.wide_loops import WIDE_WORD, alignment
from .device import Bytes
from .kernels.atomic_sums import INSTRUCTIONS
from .kernels.tickets import TICKET_BYTES
from .launch_grid import WARP, WORDS, DeviceLimits, Launch
from .memory.allocator import DeviceAllocator
from .products.tensor_tiles import TensorTiling
from .products.tiles import GROUP_WORD, Tiling
from .simulated_blocks import run_block
from .simulated_tensor_cores import TENSOR_FUNCTIONS
from .streams import ImmediateStreams

ALIGNMENT = 256
SIMULATED_BYTES = 1 << 32
ONE_LAUNCH = threading.Lock()
"""The simulator runs one kernel at a time."""
NOISE = 0xA5
"""The byte that fills fresh memory, so that elements nobody stored show."""


class Simulator:
    """See `device.CudaDevice`."""

    launches_natively = has_libraries = False

    def __init__(self) -> None:
        self.memory = DeviceAllocator(SimulatedPool(), _free_bytes, exact=True)
        self.streams = ImmediateStreams()
        self.pinned: dict[int, Bytes] = {}
        self.allocate, self.free = self.memory.allocate, self.memory.free
        self.limits = DeviceLimits(threads=16, blocks=2, warps=1, row_threads=64, row_lanes=2, sorted_elements=16)
        self.tensor_tiling: TensorTiling | None = TensorTiling(
            warps_down=1, warps_across=1, down=1, across=2, depth=16, stages=3
        )
        self.tilings: Sequence[Tiling] = (Tiling(threads=2, across=2, down=2, each=4, depth=4),)

    @cached_property
    def kernels(self) -> DeviceKernels:
        """The operations of eager mode."""
        from .eager.kernels import EagerKernels  # which needs all of the back end

        return EagerKernels(self)

    def allocate_pinned(self, nbytes: int) -> int:
        made = np.empty(nbytes, np.uint8)
        self.pinned[made.ctypes.data] = made
        return int(made.ctypes.data)

    def free_pinned(self, address: int) -> None:
        del self.pinned[address]

    def upload_pinned(self, address: int, data: Bytes, wait: bool) -> None:
        self.upload(address, data)

    def wait(self) -> None:
        """Launches are done when they return."""

    def upload(self, address: int, data: Bytes) -> None:
        BLOCKS.bytes_at(address, data.nbytes)[...] = data

    def download(self, address: int, data: Bytes) -> None:
        data[...] = BLOCKS.bytes_at(address, data.nbytes)

    def upload_rows(self, address: int, pitch: int, data: Bytes) -> None:
        for number, row in enumerate(data):
            self.upload(address + number * pitch, row)

    def download_rows(self, address: int, pitch: int, data: Bytes) -> None:
        for number, row in enumerate(data):
            self.download(address + number * pitch, row)

    def copy(self, target: int, source: int, nbytes: int) -> None:
        self.upload(target, BLOCKS.bytes_at(source, nbytes).copy())

    def clear(self, address: int, nbytes: int) -> None:
        BLOCKS.bytes_at(address, nbytes)[...] = 0

    def stream_number(self) -> int:
        return self.streams.current().handle or DEFAULT_STREAM

    def look_at_checks(self) -> None:
        """Every call is waited for."""

    def let_wait(self, stream: int) -> None:
        """Everything is done at once."""

    wait_for = let_wait

    def load(self, text: str) -> Any:
        return simulated_kernel(text)

    def load_all(self, texts: Collection[str]) -> dict[str, Any]:
        return {text: self.load(text) for text in texts}

    def launch(self, kernel: Any, sizes: Launch, arguments: Sequence[int]) -> None:
        with ONE_LAUNCH:
            kernel.__globals__["cuda"] = FakeCUDAModule(sizes.grid, sizes.block, 0)
            for place in np.ndindex(sizes.grid):
                run_block(partial(kernel, *arguments), place, sizes.block)


def _free_bytes() -> tuple[int, int]:
    return SIMULATED_BYTES - BLOCKS.nbytes, SIMULATED_BYTES


class SimulatedPool:
    """See `blocks.BlockSource`: blocks of the host's memory, which are of no use to anybody once given back."""

    def take(self, nbytes: int) -> int | None:
        if BLOCKS.nbytes + nbytes > SIMULATED_BYTES:
            return None
        memory = np.full(nbytes + 2 * ALIGNMENT, NOISE, np.uint8)
        address = -(-memory.ctypes.data // ALIGNMENT) * ALIGNMENT
        BLOCKS.add(address, nbytes, memory)
        return address

    def give(self, address: int) -> None:
        BLOCKS.remove(address)

    def trim(self) -> None:
        """Nothing is kept."""


class SimulatedBlocks:
    """The memory that is allocated, by address."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._blocks: dict[int, tuple[int, Any]] = {}

    def add(self, address: int, nbytes: int, owner: Any) -> None:
        self._blocks[address] = nbytes, owner
        self._starts = sorted(self._blocks)

    def remove(self, address: int) -> None:
        del self._blocks[address]
        self._starts = sorted(self._blocks)

    @property
    def nbytes(self) -> int:
        """Bytes of all blocks."""
        return sum(nbytes for nbytes, _ in self._blocks.values())

    def bounds(self, address: int) -> tuple[int, int]:
        """First and last-plus-one address of the block that holds `address`; of nothing when none does."""
        place = bisect_right(self._starts, address) - 1
        if place < 0:
            return 0, 0
        start = self._starts[place]
        return start, start + self._blocks[start][0]

    def bytes_at(self, address: int, nbytes: int) -> Bytes:
        """The bytes there. Errors: IndexError where they are not all of one block."""
        low, high = self.bounds(address)
        if not low <= address <= address + nbytes <= high:
            raise IndexError(f"{nbytes} bytes at {address:#x} lie outside of every block")
        owner = self._blocks[low][1]
        first = address - owner.ctypes.data
        return owner[first : first + nbytes]  # type: ignore[no-any-return]


BLOCKS = SimulatedBlocks()


class SimulatedPointer:
    """The pointer that a call such as `pointer_f32(address)` gives in kernel text."""

    def __init__(self, address: int, dtype: DType) -> None:
        self.address, self.dtype = int(address), dtype
        self.native = np.ctypeslib.as_ctypes_type(dtype.numpy)
        self.low, self.high = BLOCKS.bounds(self.address)

    def _cell(self, index: Any) -> Any:
        place = self.address + int(index) * self.dtype.itemsize
        if not self.low <= place <= self.high - self.dtype.itemsize:
            raise IndexError(f"element {index} of {self.dtype} lies outside of its block")
        return self.native.from_address(place)

    def __getitem__(self, index: Any) -> Any:
        return self.dtype.numpy.type(self._cell(index).value)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(value, self.dtype.numpy.type):
            raise TypeError(f"a {type(value).__name__} stored as {self.dtype}")
        self._cell(index).value = value.item()


_EXCHANGED: dict[tuple[int, int], Any] = {}


def exchanged(value: Any, apart: int) -> Any:
    """The value of the thread whose lane differs by the bit `apart`. Every thread of the block must call."""
    thread: Any = threading.current_thread()
    mine = thread.threadIdx.x, thread.threadIdx.y
    _EXCHANGED[mine] = value
    thread.syncthreads()
    theirs = _EXCHANGED[mine[0] ^ int(apart), mine[1]]
    thread.syncthreads()
    return theirs


def lanes_alike(number: Any) -> Any:
    """The lanes of the warp that give the same number, as bits. Every thread of the block must call."""
    thread: Any = threading.current_thread()
    mine = thread.threadIdx.x, thread.threadIdx.y
    _EXCHANGED[mine] = number
    thread.syncthreads()
    alike = [lane for lane in range(WARP) if _EXCHANGED.get((lane, mine[1])) == number]
    thread.syncthreads()
    return np.int64(sum(1 << lane for lane in alike))


def voted(condition: Any) -> Any:
    """A bit for each thread of the warp for which it is true. Every thread of the block must call."""
    thread: Any = threading.current_thread()
    mine = thread.threadIdx.x, thread.threadIdx.y
    _EXCHANGED[mine] = condition
    thread.syncthreads()
    first = mine[0] - mine[0] % WARP
    found = sum(bool(_EXCHANGED[first + lane, mine[1]]) << lane for lane in range(WARP))
    thread.syncthreads()
    return np.int64(found)


def lowest_bit(bits: Any) -> Any:
    """The number of the lowest bit that is set; one must be."""
    return np.int64((int(bits) & -int(bits)).bit_length() - 1)


def take_ticket(address: int, count: int) -> Any:
    """The word there, which is counted on, from `count` - 1 to 0. One thread runs at a time."""
    word = BLOCKS.bytes_at(int(address), TICKET_BYTES).view(np.uint32)
    taken = np.int64(word[0])
    word[0] = 0 if taken >= count - 1 else taken + 1
    return taken


def add_atomically(pointer: Any, index: Any, value: Any) -> None:
    """Adds to an element. One thread runs at a time."""
    cell = pointer._cell(index)
    cell.value = (pointer.dtype.numpy.type(cell.value) + value).item()


def join_warp() -> None:
    """A barrier: here blocks are of one warp where warps work alone."""
    thread: Any = threading.current_thread()
    thread.syncthreads()


def group_words(text: str) -> dict[str, Any]:
    """The words of a text that load and store groups of elements."""
    return {
        word[0]: partial(_load_group if word[2] == "load" else _store_group, int(word[4]), bool(word[3]))
        for word in GROUP_WORD.finditer(text)
    }


def _load_group(most: int, partial: bool, place: Any, index: Any, count: Any = None, wide: Any = True) -> list[Any]:
    count = most if count is None else max(0, min(int(count), most))
    if count == most and wide:
        _check_group(place, index, most)
    zero = place.dtype.numpy.type(0) if count < most else None
    return [place[index + k] if k < count else zero for k in range(most)]


def _store_group(most: int, partial: bool, place: Any, index: Any, *given: Any) -> None:
    (count, wide), values = (given[:2], given[2:]) if partial else ((most, True), given)
    assert len(values) == most
    if count >= most and wide:
        _check_group(place, index, most)
    for k in range(max(0, min(int(count), most))):
        place[index + k] = values[k]


def _check_group(place: Any, index: Any, most: int) -> None:
    """Errors: ValueError where a group is not where one access could reach it. Arrays in shared memory begin at 0."""
    size = place.dtype.itemsize
    first, nbytes = getattr(place, "address", 0) + int(index) * size, min(16, most * size)
    if first % nbytes or first < 0:
        raise ValueError(f"{most} elements of {place.dtype} at {first:#x}, which is no multiple of {nbytes}")


def shared_quad(array: Any, place: Any) -> list[Any]:
    """Four neighbours of an array in shared memory. Errors: IndexError where no access of 16 bytes reaches them."""
    if place < 0 or place % 4:
        raise IndexError(f"four elements of shared memory from {place} on, which is no multiple of four")
    return [array[place + k] for k in range(4)]


def wide_words(text: str) -> dict[str, Any]:
    """The words of a text that load and store several elements."""
    return {
        word[0]: partial(_load_elements if word[1] == "load" else _store_elements, int(word[2]))
        for word in WIDE_WORD.finditer(text)
    }


def _load_elements(count: int, pointer: SimulatedPointer, index: Any) -> list[Any]:
    _check_alignment(count, pointer, index)
    return [pointer[index + k] for k in range(count)]


def _store_elements(count: int, pointer: SimulatedPointer, index: Any, *values: Any) -> None:
    _check_alignment(count, pointer, index)
    assert len(values) == count
    for k, value in enumerate(values):
        pointer[index + k] = value


def _check_alignment(count: int, pointer: SimulatedPointer, index: Any) -> None:
    place, needed = pointer.address + int(index) * pointer.dtype.itemsize, alignment(pointer.dtype, count)
    if place % needed:
        raise ValueError(f"{count} elements of {pointer.dtype} at {place:#x}, which is no multiple of {needed}")


def _power(power: Any) -> Any:
    """An integer power that goes on where Python would raise, as a GPU does; the kernel has set its failure word."""
    return lambda base, exponent: power(base, exponent if exponent >= 0 else type(exponent)(0))


@cache
def names() -> dict[str, Any]:
    """The meaning of the names in kernel text on the simulated device."""
    found: dict[str, Any] = dict(TABLE)
    for dtype in dtypes.ALL:
        found["boolean" if dtype.is_bool else dtype.name] = dtype.numpy.type
        found[f"pointer_{dtype.code}"] = lambda address, dtype=dtype: SimulatedPointer(address, dtype)
        found[f"exchanged_{dtype.code}"] = exchanged
        found[f"shared_quad_{dtype.code}"] = shared_quad
        found[f"shared_element_{dtype.code}"] = getitem
    for dtype in INSTRUCTIONS:
        found[f"add_atomically_{dtype.code}"] = add_atomically
    for dtype in WORDS:
        found[f"{dtype.code}_of_word"] = lambda word, dtype=dtype: np.int64(word).view(dtype.numpy)
    for dtype in dtypes.FLOATS:
        found[f"multiply_add_{dtype.code}"] = lambda a, b, c: a * b + c
    for dtype in dtypes.INTEGERS:
        found[f"power_{dtype.code}"] = _power(found[f"power_{dtype.code}"])
    found |= {"lanes_alike": lanes_alike, "count_bits": lambda bits: np.int64(int(bits).bit_count())}
    return {
        **found,
        **TENSOR_FUNCTIONS,
        "join_warp": join_warp,
        "take_ticket": take_ticket,
        "voted": voted,
        "lowest_bit": lowest_bit,
        "errstate": np.errstate,
    }


@cache
def simulated_kernel(text: str) -> Any:
    """The function for a text; launches put `cuda` into its globals. Each thread silences NumPy for itself."""
    namespace = names() | group_words(text) | wide_words(text)
    quiet = "def quiet_kernel(*arguments):\n    with errstate(all='ignore'):\n        kernel(*arguments)\n"
    exec(compile(text, "<cuda kernel>", "exec"), namespace)
    exec(compile(quiet, "<quiet kernel>", "exec"), namespace)
    return namespace["quiet_kernel"]
