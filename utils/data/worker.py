"""A worker of a loader: a process that makes batches when it is told their places."""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ...runtime.threads import set_num_threads
from ...tensor.random import manual_seed
from . import transport
from .collate import Collate
from .fetching import END, Fetcher

LOOK_FOR_PARENT = 2.0
"""Seconds after which a worker that has nothing to do looks whether its parent is still there."""
BATCH, LAST, FAILED, ANEW, STOP = range(5)
"""Kinds of messages: a batch; no more of them; an error; begin a pass anew; end."""


@dataclass(frozen=True)
class WorkerInfo:
    """The worker that a process is: its number, how many there are, its seed, and its copy of the data set."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """The worker that this process is; None in the process of the loader."""
    return _info


@dataclass(frozen=True)
class Job:
    """All that a worker is told when it starts."""

    dataset: Any
    batched: bool
    collate: Collate
    drop_last: bool
    seed: int
    number: int
    num_workers: int
    init: Callable[[int], Any] | None


@dataclass(frozen=True)
class Failure:
    """An error in a worker: its class, and its text with the traceback there."""

    kind: type[BaseException]
    text: str
    where: str

    @staticmethod
    def now(where: str) -> Failure:
        """The error that is being handled."""
        kind = sys.exc_info()[0]
        assert kind is not None
        return Failure(kind, "".join(traceback.format_exc()), where)

    def error(self) -> BaseException:
        """The error to be raised by who waits for the batch; a RuntimeError where the class takes more than a text."""
        text = f"Caught {self.kind.__name__} {self.where}.\nOriginal {self.text}"
        if issubclass(self.kind, KeyError):
            return _WorkerKeyError.of(self.kind, text)
        try:
            return self.kind(text)
        except Exception:  # a class with parameters of its own
            return RuntimeError(text)


class _WorkerKeyError(str):
    """A text that prints as it is, where KeyError would print its repr."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    @staticmethod
    def of(kind: type[KeyError], text: str) -> KeyError:
        return kind(_WorkerKeyError(text))


def work(job: Job, end: Connection, others: tuple[Connection, ...]) -> None:
    """Makes batches until it is told to stop, or nobody is there who could tell.

    others: ends of other pipes that a forked process has got and does not need.
    """
    global _info
    for each in others:
        each.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who reads the batches gets it too, and ends this process
    set_num_threads(1)
    seed = job.seed + job.number
    random.seed(seed)
    manual_seed(seed)
    np.random.seed(np.random.SeedSequence((job.seed, job.number)).generate_state(4))
    _info = WorkerInfo(job.number, job.num_workers, seed, job.dataset)
    try:
        _serve(job, end)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the loader is gone
    finally:
        end.close()


def _serve(job: Job, end: Connection) -> None:
    broken: Failure | None = None
    if job.init is not None:
        try:
            job.init(job.number)
        except Exception:
            broken = Failure.now(f"in DataLoader worker process {job.number}")
    fetcher: Fetcher | None = None
    parent = os.getppid()
    while True:
        kind, number, places = _told(end, parent)
        if kind == STOP:
            return
        if kind == ANEW:
            fetcher = None
            continue
        if broken is None:
            try:
                if fetcher is None:
                    fetcher = Fetcher(job.dataset, job.batched, job.collate, job.drop_last)
                batch = fetcher.batch(places)
                answer = (LAST, number, None) if batch is END else (BATCH, number, batch)
                transport.send(end, answer)
                continue
            except (BrokenPipeError, ConnectionResetError):
                raise
            except Exception:
                failure = Failure.now(f"in DataLoader worker process {job.number}")
        else:
            failure = broken
        _send_failure(end, number, failure)


def _send_failure(end: Connection, number: int, failure: Failure) -> None:
    try:
        transport.send(end, (FAILED, number, failure))
    except (AttributeError, TypeError, ValueError, LookupError, pickle.PicklingError):
        transport.send(end, (FAILED, number, Failure(RuntimeError, failure.text, failure.where)))


def _told(end: Connection, parent: int) -> Any:
    """The next message. Errors: EOFError where the parent, or what starts processes for it, is gone."""
    while not connection.wait([end], LOOK_FOR_PARENT):
        if os.getppid() != parent:
            raise EOFError
    return transport.received(end)
