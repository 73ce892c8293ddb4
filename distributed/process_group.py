"""A group of processes, and the thread that carries out its communications in order."""

# Note [Order of communications]
# One thread carries out all communications of a process, one after the other, in the order in which they were asked
# for: `async_op` ones too. So every process has the same order if every program does, whatever finishes first, MPI is
# called from one thread, and a communication goes on while the program computes.
#
# Each begins with an exchange of 16 bytes, a digest of what it is (function, shape, dtype, settings), by a reduction
# that is the same for all of them. Where the digests differ, the descriptions are exchanged, every process gets an
# error that lists them, and the group can go on: nothing was moved yet. Nobody ever waits for good: after the time
# limit of the group, whoever waits gets an error, and the group can only be given up.
#
# Groups of a part of the processes (`new_group`) have the thread of the whole group, so that there is one order for all
# groups of a process, and MPI is still called from one thread. Where one of them has failed all have: a communication
# that was begun and not ended stays with MPI.

from __future__ import annotations

import hashlib
import itertools
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from datetime import timedelta

import numpy as np

from ..core.records import dataclass
from .backend import CollectiveBackend, StartedRequest
from .errors import CollectiveMismatchError, DistBackendError, DistError, DistTimeoutError, WorldSizeError
from .work import Work

_DESCRIPTION_BYTES = 512
_SPINS = 200
"""The number of times that a communication is asked for its end before the thread sleeps in between."""
_LONGEST_PAUSE = 1e-3
"""Seconds."""


@dataclass
class CommunicationStatistics:
    """The communications of a group since it was made.

    calls: their number. bytes: of the arrays that this process gave to them. seconds: the time that they took.
    waited: seconds that the program waited for them. So `seconds - waited` went by while it computed.
    """

    calls: int = 0
    bytes: int = 0
    seconds: float = 0.0
    waited: float = 0.0

    @property
    def overlapped(self) -> float:
        """The share of the communications' time in which the program computed, from 0 to 1."""
        return max(0.0, 1.0 - self.waited / self.seconds) if self.seconds else 0.0


@dataclass(eq=False)
class _Job:
    group: ProcessGroup
    work: Work
    start: Callable[[], StartedRequest]
    is_between_two: bool


class ProcessGroup:
    """The processes of a program, and the thread that communicates for this one. See Note [Order of communications]."""

    def __init__(
        self,
        backend: CollectiveBackend,
        name: str,
        timeout: timedelta,
        whole: ProcessGroup | None = None,
        ranks: Sequence[int] | None = None,
    ) -> None:
        """whole, ranks: the group of all processes, and the members among them in the order of their ranks here."""
        self.backend, self.name, self.timeout = backend, name, timeout
        self.whole = self if whole is None else whole
        self.ranks = tuple(range(backend.size)) if ranks is None else tuple(ranks)
        """By rank in this group: the rank among all processes, which collectives take as `src` and `dst`."""
        self.number = next(_NUMBERS)
        """The number by which compiled code knows the group."""
        _GROUPS[self.number] = self
        self.rank, self.size = backend.rank, backend.size
        self.figures = CommunicationStatistics()
        self._failure: DistError | None = None
        self._process = os.getpid()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        if whole is not None:
            self._jobs, self._thread = whole._jobs, whole._thread if self.size > 1 else None
        elif self.size > 1:
            self._thread = threading.Thread(target=self._serve, name="guardlift communication", daemon=True)
            self._thread.start()

    def rank_of(self, rank: int, argument: str) -> int:
        """The rank in this group of the process with this rank among all. Errors: ValueError for one not in it."""
        if self.whole is not self:
            if rank not in self.ranks:
                raise WorldSizeError(f"{argument} is {rank}; the group has the ranks {', '.join(map(str, self.ranks))}")
            return self.ranks.index(rank)
        if not 0 <= rank < self.size:
            raise WorldSizeError(f"{argument} is {rank}; the {self.size} processes have the ranks 0 to {self.size - 1}")
        return rank

    def subgroup(self, ranks: Sequence[int], timeout: timedelta | None = None) -> ProcessGroup | None:
        """A group of some of the processes; None on those that are no members. All processes call this alike.

        Errors: ValueError for no ranks, or one that stands there twice or belongs to no process; DistError where the
            backend has no such groups; CollectiveMismatchError on every process where they ask for other ranks.
        """
        if self.whole is not self:
            raise DistError("a group of a part of the processes is made by all of them, of the group of all")
        members = tuple(ranks)
        if not members or len(set(members)) != len(members):
            raise WorldSizeError(f"ranks is {list(members)}; it has to name one process or more, each once")
        for each in members:
            self.rank_of(each, "a rank of the new group")
        from .self_backend import SelfBackend  # not needed where no group is made

        divide = getattr(self.backend, "subgroup", None)
        if divide is None:
            raise DistError(f"the backend {self.name!r} has no method `subgroup`, which makes groups of some processes")
        found: list[CollectiveBackend | None] = []

        def start() -> StartedRequest:
            if len(members) > 1:
                found.append(divide(members))
            else:  # nothing is sent: such a group has no need of the thread that alone may call MPI
                found.append(SelfBackend() if self.rank == members[0] else None)
            return self.backend.barrier()

        self.submit(f"new_group({list(members)})", start).wait()
        (backend,) = found
        return None if backend is None else ProcessGroup(backend, self.name, timeout or self.timeout, self, members)

    def submit(
        self,
        description: str,
        start: Callable[[], StartedRequest],
        store: Callable[[], None] = lambda: None,
        *,
        bytes: int = 0,
        is_between_two: bool = False,
    ) -> Work:
        """The work of a communication, which the thread carries out after those before.

        description: what has to be equal on all processes. start: begins it, in the thread. store: puts the result in
            its place, called by `wait`. is_between_two: whether only two processes take part, who compare by
            themselves.
        Errors: DistError where the group has failed, was given up, or belongs to the parent process.
        """
        self.check_alive()
        work = Work(description, store, self._add_waited)
        self.figures.calls += 1
        self.figures.bytes += bytes
        if self._thread is None:
            begun = time.perf_counter()
            request = start()
            work.end(None if request.test() else DistBackendError(f"{description} of one process is not done"))
            self.figures.seconds += (took := time.perf_counter() - begun)
            self.figures.waited += took
        else:
            self._jobs.put(_Job(self, work, start, is_between_two))
        return work

    def check_alive(self) -> None:
        """Errors: DistError where nothing can be communicated any more, or not from here."""
        failure = self._failure or self.whole._failure
        if failure is not None:
            raise DistError(
                f"the process group has failed before, and nothing can be communicated any more: {failure}"
            ) from failure
        if os.getpid() != self._process:
            raise DistError(
                "this process was forked from one with a process group, and is not part of it: workers of a loader "
                "load, and the training process communicates"
            )

    def _add_waited(self, seconds: float) -> None:
        self.figures.waited += seconds

    def close(self) -> None:
        """Ends the thread, after what it was given; that of all processes alone."""
        if self.whole is not self:
            self._failure = self._failure or DistError("the process group was destroyed")
            return
        if self._thread is not None and os.getpid() == self._process:
            self._jobs.put(None)
            self._thread.join(self.timeout.total_seconds())
        if self._failure is None:
            self.backend.close()
        self._failure = self._failure or DistError("the process group was destroyed")

    @property
    def has_failed(self) -> bool:
        """Whether a communication never came to its end."""
        return isinstance(self._failure, DistBackendError)

    # -- in the thread -------------------------------------------------------------------------------------------------
    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None:
            begun = time.perf_counter()
            error: BaseException | None = None
            try:
                if self._failure is not None:
                    raise self._failure
                if not job.is_between_two:
                    job.group._compare(job.work.description)
                job.group._finish(job.start(), job.work.description)
            except DistBackendError as failure:
                error = self._failure = failure
            except BaseException as failure:
                error = failure
            job.group.figures.seconds += time.perf_counter() - begun
            job.work.end(error)

    def _compare(self, description: str) -> None:
        digest = int.from_bytes(hashlib.blake2b(description.encode(), digest_size=8).digest(), "little") >> 2
        extremes = np.array([digest, -digest], np.int64)
        self._finish(self.backend.all_reduce(extremes, "max"), description)
        if extremes[0] == -extremes[1]:
            return
        told = description.encode()[:_DESCRIPTION_BYTES].ljust(_DESCRIPTION_BYTES, b"\0")
        rows = np.zeros((self.size, _DESCRIPTION_BYTES), np.uint8)
        self._finish(self.backend.all_gather(rows, np.frombuffer(told, np.uint8).copy()), description)
        raise CollectiveMismatchError(
            _differing([row.tobytes().rstrip(b"\0").decode(errors="replace") for row in rows])
        )

    def _finish(self, request: StartedRequest, description: str) -> None:
        limit = time.monotonic() + self.timeout.total_seconds()
        turns, pause = 0, 1e-5
        while not request.test():
            turns += 1
            if turns < _SPINS:
                time.sleep(0)
                continue
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            if time.monotonic() > limit:
                raise DistTimeoutError(
                    f"{description}: the other processes did not take part within {self.timeout.total_seconds():g} s; "
                    "one of them has ended, is stuck, or calls fewer collectives. The limit is the `timeout` of "
                    "init_process_group"
                )


def _differing(descriptions: Sequence[str]) -> str:
    ranks: dict[str, list[int]] = {}
    for rank, each in enumerate(descriptions):
        ranks.setdefault(each, []).append(rank)
    lines = [f"  rank {', '.join(map(str, who))}: {what}" for what, who in ranks.items()]
    return "\n".join(
        [
            "the processes do not ask for the same communication, so nothing was exchanged:",
            *lines,
            "Every process has to call the same collectives in the same order, with equal shapes, dtypes and settings",
        ]
    )


_NUMBERS = itertools.count()
_GROUPS: weakref.WeakValueDictionary[int, ProcessGroup] = weakref.WeakValueDictionary()


def numbered_group(number: int) -> ProcessGroup:
    """The group of that number. Errors: DistError where it has ended."""
    found = _GROUPS.get(number)
    if found is None:
        raise DistError("the process group that this communication was meant for was destroyed")
    return found
