"""Blocks of a GPU's memory one by one: how large they are, who holds them, and where they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

GRANULE = 512
LARGE = 1 << 20
"""Units: bytes; blocks from this size on are of no size class."""
TENSORS, CALLS = "tensors", "compiled calls"
"""Who holds blocks: arrays, results among them; what a call of compiled code needs while it runs, and its buffers."""


class BlockSource(Protocol):
    """A place where blocks come from."""

    def take(self, nbytes: int) -> int | None:
        """The address of a block, aligned to 256 bytes; None where there is no memory left."""
        ...

    def give(self, address: int) -> None:
        """Takes a block back, behind what the default stream was given.

        A source that is the device's own is also called with a stream, and gives and takes blocks behind its work."""
        ...

    def trim(self) -> None:
        """Gives back to the system what is not in use."""
        ...


class StreamOrder(Protocol):
    """The streams of a device and what they were given: see `backend/cuda/streams.py`."""

    def current(self) -> Any: ...
    def others(self, handle: int) -> list[int]: ...
    def marked(self, handle: int) -> Any: ...
    def is_done(self, event: Any) -> bool: ...
    def finish_event(self, event: Any) -> bool: ...
    def forget(self, event: Any) -> None: ...
    def order(self, first: int, then: int) -> None: ...


class HeldBlock(NamedTuple):
    """A block that is in use. Units: bytes, as asked for and in fact. stream: by its handle."""

    asked: int
    size: int
    holder: str
    source: BlockSource
    stream: int = 0


class WaitingBlocks(list[int]):
    """Blocks that results of a compiled call were in, and the next one takes. What is left in the end is given back."""

    __slots__ = ("__weakref__", "note")

    note: Callable[[int], object]

    def __del__(self) -> None:
        while self:
            self.note(self.pop())


class UserAllocator:
    """Blocks from functions of the user: ``allocate(nbytes) -> address`` and ``free(address)``."""

    def __init__(self, allocate: Callable[[int], int], free: Callable[[int], object]) -> None:
        self._allocate, self._free = allocate, free

    def take(self, nbytes: int) -> int | None:
        """Errors: those of the user's function, but for MemoryError."""
        try:
            return int(self._allocate(nbytes)) or None
        except MemoryError:
            return None

    def give(self, address: int) -> None:
        """See `BlockSource`."""
        self._free(address)

    def trim(self) -> None:
        """The user's own pool knows when."""


def size_of(nbytes: int) -> int:
    """The size of the block for so many bytes: eight steps of 512 bytes, then four in each doubling."""
    size = max(-(-nbytes // GRANULE), 1) * GRANULE
    if size >= LARGE or size <= 8 * GRANULE:
        return size
    step = 1 << (size - 1).bit_length() - 3
    return -(-size // step) * step
