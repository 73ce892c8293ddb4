"""Finds races in simulated kernels: two threads at one place in memory, one of them storing, with no barrier between.

The simulator runs threads in some order and would show a race only by luck. An exchange between lanes orders no memory
on a GPU, so it counts as no barrier here, though the simulator makes it of two. Blocks are ordered by the tickets that
they take.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

Block = tuple[int, int, int]
Access = tuple[Block, int, int]
"""Block, thread, and how many barriers the thread has passed."""


class Watch:
    """The accesses of one launch, by place."""

    def __init__(self) -> None:
        self.excused: object = None
        self.seen: dict[Hashable, set[tuple[Access, bool]]] = {}
        self.told: dict[Hashable, dict[Block, int]] = {}
        """The blocks, by the word of tickets, that have taken one, and how many barriers they had passed then."""
        self.known: dict[Block, tuple[int, dict[Block, int]]] = {}
        """By the block: how many barriers it had passed at its last ticket, and those of others that it knows of."""

    def start(self, excused: object) -> None:
        self.seen, self.told, self.known, self.excused = {}, {}, {}, excused

    def take_ticket(self, place: Hashable) -> None:
        """Orders what the block has done before its last barrier before what those do that take a ticket later."""
        thread: Any = threading.current_thread()
        block, told = tuple(thread.blockIdx), self.told.setdefault(place, {})
        _, known = self.known.get(block, (0, {}))
        known = {each: max(known.get(each, 0), told.get(each, 0)) for each in {*known, *told}}
        self.known[block] = thread.barriers, known
        told.update({**known, block: thread.barriers})

    def are_ordered(self, theirs: Access, mine: Access) -> bool:
        """Whether a ticket orders the access of another block before one."""
        barriers, known = self.known.get(mine[0], (0, {}))
        return mine[2] > barriers and theirs[2] < known.get(theirs[0], 0)

    def note(self, place: Hashable, stores: bool) -> None:
        thread: Any = threading.current_thread()
        mine = (tuple(thread.blockIdx), thread.thread_id, thread.barriers)
        seen = self.seen.setdefault(place, set())
        for theirs, stored in seen:
            if (stores or stored) and races(mine, theirs) and not self.are_ordered(theirs, mine):
                raise RuntimeError(f"a race at {place}: {mine} and {theirs}")
        seen.add((mine, stores))


def races(one: Access, other: Access) -> bool:
    """Whether nothing orders two accesses."""
    return one[:2] != other[:2] and (one[0] != other[0] or one[2] == other[2])


class SharedArray:
    """An array in shared memory whose accesses are noted. Each block has its own, though the simulator keeps one."""

    def __init__(self, array: Any, watch: Watch) -> None:
        self.array, self.watch = array, watch
        self.dtype = array.dtype

    def __getitem__(self, index: Any) -> Any:
        self.watch.note(self._place(index), stores=False)
        return self.array[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.watch.note(self._place(index), stores=True)
        self.array[index] = value

    def view(self, dtype: Any) -> SharedArray:
        """The memory of the array as elements of another dtype."""
        return SharedArray(self.array.view(dtype), self.watch)

    def _place(self, index: Any) -> Hashable:
        thread: Any = threading.current_thread()
        return self.array.ctypes.data, str(self.dtype), tuple(thread.blockIdx), str(index)


def watch_for_races(patch: pytest.MonkeyPatch) -> None:
    """From now on a race raises RuntimeError in the launch that has it."""
    from numba.cuda.simulator.kernelapi import FakeCUDAShared

    from guardlift.backend.cuda import simulator

    watch = Watch()
    cell, launch, names = simulator.SimulatedPointer._cell, simulator.Simulator.launch, simulator.names

    def load(pointer: Any, index: Any) -> Any:
        if pointer.address != watch.excused:
            watch.note(pointer.address + int(index) * pointer.dtype.itemsize, stores=False)
        return pointer.dtype.numpy.type(cell(pointer, index).value)

    def store(pointer: Any, index: Any, value: Any) -> None:
        assert isinstance(value, pointer.dtype.numpy.type)
        if pointer.address != watch.excused:
            watch.note(pointer.address + int(index) * pointer.dtype.itemsize, stores=True)
        cell(pointer, index).value = value.item()

    def watched_launch(device: Any, kernel: Any, sizes: Any, arguments: Any) -> None:
        watch.start(arguments[-1])  # the word that says a check failed: whoever stores there stores 1
        launch(device, kernel, sizes, arguments)

    def uncounted(function: Any) -> Any:
        def exchange(*operands: Any) -> Any:
            thread: Any = threading.current_thread()
            before = thread.barriers
            found = function(*operands)
            thread.barriers = before
            return found

        return exchange

    def take_ticket(address: int, count: int) -> Any:
        watch.take_ticket(int(address))
        return simulator.take_ticket(address, count)

    def shared_array(owner: Any, shape: Any, dtype: Any) -> SharedArray:
        caller = sys._getframe(1)
        array = owner._allocations.setdefault((caller.f_code, caller.f_lineno), np.empty(shape, dtype))
        return SharedArray(array, watch)

    def watched_names() -> dict[str, Any]:
        watched = {each: uncounted(each) for each in (simulator.exchanged, simulator.voted)}
        watched[simulator.take_ticket] = take_ticket
        return {name: watched.get(meaning, meaning) for name, meaning in names().items()}

    patch.setattr(simulator.SimulatedPointer, "__getitem__", load)
    patch.setattr(simulator.SimulatedPointer, "__setitem__", store)
    patch.setattr(simulator.Simulator, "launch", watched_launch)
    patch.setattr(simulator, "names", watched_names)
    patch.setattr(FakeCUDAShared, "array", shared_array)
    simulator.simulated_kernel.cache_clear()
