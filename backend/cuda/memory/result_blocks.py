"""The blocks that the results of a compiled call lie in, taken by each call and given back by the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .allocator import DeviceAllocator
from .blocks import LARGE, TENSORS


class ResultBlocks:
    """Blocks for results of these sizes. frees: for each result, the function that takes its block back.

    Small blocks wait in a list for the next call, so that neither taking nor giving back asks the allocator.
    Units: bytes."""

    def __init__(self, memory: DeviceAllocator, sizes: Sequence[int]) -> None:
        self._memory = memory
        self._wanted = [memory.wanted(nbytes, TENSORS) for nbytes in sizes]
        self.are_large = any(each.size >= LARGE for each in self._wanted)
        """Whether the driver is asked for one at each call."""
        self._waiting = [memory.waiting_blocks() for _ in self._wanted]
        self.frees: list[Callable[[int], object]] = [
            waiting.append if each.size < LARGE else memory.free
            for each, waiting in zip(self._wanted, self._waiting, strict=True)
        ]

    def take(self) -> list[int]:
        """An address for each result. Errors: OutOfMemoryError."""
        if self._memory.streams is not None:  # any of which may still use what waits
            for blocks in self._waiting:
                while blocks:
                    self._memory.note(blocks.pop())
            return self._memory.allocate_all(self._wanted)
        found: list[int] = []
        try:
            for waiting in self._waiting:
                found.append(waiting.pop())
        except IndexError:
            return self._taken(found)
        return found

    def _taken(self, found: list[int]) -> list[int]:
        """As `take`, where the first addresses are found by now and the next one is not at hand."""
        missing: list[int] = []
        for k in range(len(found), len(self._waiting)):
            try:
                found.append(self._waiting[k].pop())
            except IndexError:
                missing.append(k)
                found.append(0)
        try:
            made = self._memory.allocate_all([self._wanted[k] for k in missing])
        except BaseException:
            self.give(found)
            raise
        for k, address in zip(missing, made, strict=True):
            found[k] = address
        return found

    def give(self, addresses: Sequence[int]) -> None:
        """Takes back addresses that no result was made over. 0: there is none."""
        for free, address in zip(self.frees, addresses, strict=True):
            if address:
                free(address)
