"""Simulated blocks of threads: one thread runs at a time, to its end or a barrier; then it is the next one's turn.

So the order is the same in every run, nobody polls, and a block whose threads do not wait for each other needs one
thread of the system. What runs is `threading.current_thread()`, where Numba's simulator looks for indices and barriers.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from math import prod
from typing import Any

from numba.cuda.simulator.kernelapi import Dim3

from .launch_grid import Sizes


def run_block(function: Callable[[], Any], place: Sizes, size: Sizes) -> None:
    """Calls `function` in each thread of the block at `place` of the grid; raises what the first that raises raised."""
    block = _Block(function, Dim3(*place), size)
    block.hand_on()
    block.ended.acquire()
    if block.failure is not None:
        raise block.failure


class _Aborted(Exception):
    """Another thread of the block has raised."""


class _Block:
    """The threads of one block, which take turns. Only the thread whose turn it is touches this."""

    def __init__(self, function: Callable[[], Any], place: Any, size: Sizes) -> None:
        self.function, self.place = function, place
        self.size = size
        self.starting = deque(range(prod(size)))
        self.waiting: deque[_Worker] = deque()
        self.votes: dict[int, bool] = {}
        self.failure: Exception | None = None
        self.ended = threading.Semaphore(0)

    def hand_on(self) -> None:
        """Lets another thread run: one that has not started, else the one that has waited longest."""
        if self.starting:
            worker = _idle.pop() if _idle else _Worker()
            worker.block = self
            worker.turn.release()
        elif self.waiting:
            self.waiting.popleft().turn.release()
        else:
            self.ended.release()

    def fail(self, error: Exception) -> None:
        """Threads that wait are woken to end, none starts any more."""
        self.failure = self.failure or error
        self.starting.clear()


_idle: list[_Worker] = []
"""Workers without a block."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # their threads are not in the child


class _Worker(threading.Thread):
    """A thread of the system that runs threads of blocks to their ends, one after the other."""

    block: _Block

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.turn = threading.Lock()
        self.turn.acquire()
        self.start()

    def run(self) -> None:
        while True:
            self.turn.acquire()
            block = self.block
            while block.starting:
                self._run_one(block, block.starting.popleft())
            _idle.append(self)
            block.hand_on()

    def _run_one(self, block: _Block, number: int) -> None:
        wide, high, _ = block.size
        place = number % wide, number // wide % high, number // wide // high
        self.blockIdx, self.threadIdx, self.thread_id = block.place, Dim3(*place), number
        self.barriers = 0  # that it has passed
        try:
            block.function()
        except _Aborted:
            pass
        except Exception as error:
            error.add_note(f"in thread {place} of block {tuple(block.place)}")
            block.fail(error)

    def syncthreads(self) -> None:
        """Waits until every thread of the block that has not ended waits too."""
        block = self.block
        self.barriers += 1
        if not block.starting and not block.waiting:
            return
        block.waiting.append(self)
        block.hand_on()
        self.turn.acquire()
        if block.failure is not None:
            raise _Aborted

    def syncthreads_or(self, value: Any) -> int:
        """1 when a thread of the block gave something true, else 0."""
        votes = self.block.votes
        votes[self.thread_id] = bool(value)
        self.syncthreads()
        found = int(any(votes.values()))
        self.syncthreads()
        return found
