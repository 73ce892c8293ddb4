"""Finds races in simulated kernels: two threads at one place in memory, one of them storing, with no barrier between.

The simulator runs threads in some order and would show a race only by luck. An exchange between lanes orders no memory
on a GPU, so it counts as no barrier here, though the simulator makes it of two.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

Access = tuple[tuple[int, int, int], int, int]
"""Block, thread, and how many barriers the thread has passed."""


class Watch:
    """The accesses of one launch, by place."""

    def __init__(self) -> None:
        self.excused: object = None
        self.seen: dict[Hashable, set[tuple[Access, bool]]] = {}

    def start(self, excused: object) -> None:
        self.seen, self.excused = {}, excused

    def note(self, place: Hashable, stores: bool) -> None:
        thread: Any = threading.current_thread()
        mine = (tuple(thread.blockIdx), thread.thread_id, thread.barriers)
        seen = self.seen.setdefault(place, set())
        for theirs, stored in seen:
            if (stores or stored) and races(mine, theirs):
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

    def _place(self, index: Any) -> Hashable:
        thread: Any = threading.current_thread()
        return id(self.array), tuple(thread.blockIdx), str(index)


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

    def uncounted_exchange(value: Any, apart: int) -> Any:
        thread: Any = threading.current_thread()
        before = thread.barriers
        found = simulator.exchanged(value, apart)
        thread.barriers = before
        return found

    def shared_array(owner: Any, shape: Any, dtype: Any) -> SharedArray:
        caller = sys._getframe(1)
        array = owner._allocations.setdefault((caller.f_code, caller.f_lineno), np.empty(shape, dtype))
        return SharedArray(array, watch)

    def watched_names() -> dict[str, Any]:
        return {
            name: uncounted_exchange if meaning is simulator.exchanged else meaning for name, meaning in names().items()
        }

    patch.setattr(simulator.SimulatedPointer, "__getitem__", load)
    patch.setattr(simulator.SimulatedPointer, "__setitem__", store)
    patch.setattr(simulator.Simulator, "launch", watched_launch)
    patch.setattr(simulator, "names", watched_names)
    patch.setattr(FakeCUDAShared, "array", shared_array)
    simulator.simulated_kernel.cache_clear()
