"""A pass over a data set whose batches worker processes make."""

# Note [Who waits for whom]
# Each worker has a pipe of its own, so that a worker that is killed breaks nothing for the others. The loader waits for
# an answer or for the end of a process, whichever comes first, and so never waits for one that is dead. At most
# `prefetch_factor` batches of a worker are on their way.

from __future__ import annotations

import contextlib
import os
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any

from . import transport
from .errors import WorkerDiedError
from .resuming import Progress
from .worker import ANEW, BATCH, FAILED, STOP, Failure, Job, work

GRACE = 5.0
"""Seconds that workers have to end by themselves."""


class WorkerTeam:
    """The worker processes of a loader."""

    def __init__(self, context: Any, count: int, job: Callable[[int], Job]) -> None:
        self.processes: list[Any] = []
        self.ends: list[Connection] = []
        forked = context.get_start_method() == "fork"
        try:
            for number in range(count):
                own, theirs = context.Pipe(duplex=True)
                self.ends.append(own)
                others = tuple(self.ends) if forked else ()
                process = context.Process(target=work, args=(job(number), theirs, others), daemon=True)
                process.start()
                theirs.close()
                self.processes.append(process)
        except BaseException:
            stop(self.processes, self.ends)
            raise
        self.stop = weakref.finalize(self, _stop_here, os.getpid(), self.processes, self.ends)

    def tell(self, worker: int, message: tuple[int, int, Any]) -> None:
        """Sends a message to a worker. Errors: WorkerDiedError where it is not there any more."""
        try:
            transport.send(self.ends[worker], message)
        except (BrokenPipeError, ConnectionResetError):
            raise self._died(worker) from None

    def answers(self, timeout: float | None) -> list[tuple[int, tuple[int, int, Any]]]:
        """At least one answer, with the number of the worker; none where the time is over.

        Errors: WorkerDiedError where a worker has ended.
        """
        ready = connection.wait(self.ends, timeout)
        return [(worker, self._answer(worker)) for worker, end in enumerate(self.ends) if end in ready]

    def _answer(self, worker: int) -> Any:
        try:
            return transport.received(self.ends[worker])
        except (EOFError, ConnectionResetError):
            raise self._died(worker) from None

    def _died(self, worker: int) -> WorkerDiedError:
        process = self.processes[worker]
        process.join(GRACE)
        code = process.exitcode
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        return WorkerDiedError(
            f"DataLoader worker (pid {process.pid}) exited unexpectedly: it {how}; set num_workers=0 to see what "
            "happens there in this process"
        )


def _stop_here(parent: int, processes: list[Any], ends: list[Connection]) -> None:
    if os.getpid() == parent:  # a forked process has a copy of the team, which is not its own
        stop(processes, ends)


def stop(processes: list[Any], ends: list[Connection]) -> None:
    """Ends the processes: they are told to, and those that do not within a time are killed."""
    for end in ends:
        with contextlib.suppress(OSError, ValueError):
            transport.send(end, (STOP, 0, None))
        with contextlib.suppress(OSError):
            end.close()
    until = time.monotonic() + GRACE
    for process in processes:
        process.join(max(until - time.monotonic(), 0.0))
    for process in processes:
        if process.exitcode is None:
            process.kill()
            process.join()


class ParallelPass:
    """An iterator over the batches of one pass.

    batches: what workers are told, one for each batch. timeout: seconds to wait for a batch, 0 for ever.
    in_order: whether batches come in the order of `batches`, or as they are ready. keep: whether workers stay when the
    pass is over.
    """

    def __init__(
        self,
        team: WorkerTeam,
        batches: Iterator[Any],
        prefetch: int,
        timeout: float,
        in_order: bool,
        keep: bool,
        progress: Progress,
    ) -> None:
        self.team = team
        self._batches = batches
        self._timeout = timeout
        self._in_order = in_order
        self._keep = keep
        self._sent = 0
        self._waiting: dict[int, int] = {}
        """The worker of each batch that is on its way, by number."""
        self._ready: dict[int, tuple[int, Any]] = {}
        self._order: deque[int] = deque()
        self._active = [True] * len(team.ends)
        self._progress = progress
        self._turn = progress.batches % len(team.ends)  # each batch has the worker that it had
        for _ in range(prefetch * len(team.ends)):
            self._send()

    def __iter__(self) -> ParallelPass:
        return self

    def __next__(self) -> Any:
        while self._order:
            number = self._order[0] if self._in_order else next((n for n in self._order if n in self._ready), None)
            if number is None or number not in self._ready:
                self._receive()
                continue
            self._order.remove(number)
            kind, content = self._ready.pop(number)
            self._progress.batches += 1
            if kind == BATCH:
                self._send()
                return content
            if kind == FAILED:
                self._send()
                assert isinstance(content, Failure)
                raise content.error()
        self._progress.over = True
        self._finish()
        raise StopIteration

    def _send(self) -> None:
        """Tells the next worker that is active the places of the next batch, if there are any."""
        if not any(self._active):
            return
        try:
            places = next(self._batches)
        except StopIteration:
            return
        while not self._active[self._turn]:
            self._turn = (self._turn + 1) % len(self._active)
        worker, self._turn = self._turn, (self._turn + 1) % len(self._active)
        self._waiting[self._sent] = worker
        self._order.append(self._sent)
        self._told(worker, (BATCH, self._sent, places))
        self._sent += 1

    def _told(self, worker: int, message: tuple[int, int, Any]) -> None:
        try:
            self.team.tell(worker, message)
        except BaseException:
            self.close()
            raise

    def _receive(self) -> None:
        try:
            answers = self.team.answers(self._timeout or None)
        except BaseException:
            self.close()
            raise
        if not answers:
            self.close()
            raise WorkerDiedError(
                f"DataLoader timed out after {self._timeout} seconds; raise `timeout`, or look what the data set does"
            )
        for worker, (kind, number, content) in answers:
            self._waiting.pop(number, None)
            if kind in (BATCH, FAILED):
                self._ready[number] = kind, content
            else:
                if self._active[worker]:
                    self._active[worker] = False
                    self._send()
                self._order.remove(number)

    def drain(self) -> None:
        """Takes all answers that are still to come, so that a new pass can begin with the same workers."""
        self._batches = iter(())
        while self._waiting:
            self._receive()
        self._order.clear()
        self._ready.clear()
        for worker in range(len(self.team.ends)):
            self._told(worker, (ANEW, 0, None))

    def _finish(self) -> None:
        if not self._keep:
            self.close()

    def close(self) -> None:
        """Ends the workers."""
        self._order.clear()
        self.team.stop()
