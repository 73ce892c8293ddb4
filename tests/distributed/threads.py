"""Ranks that are threads of this process: a backend of locks and lists, for tests that MPI would take seconds for."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np

from guardlift.distributed import CollectiveBackend
from guardlift.distributed.process_group import ProcessGroup

FOLDS: dict[str, Any] = {"sum": np.add, "max": np.maximum, "min": np.minimum, "product": np.multiply}


class World:
    """The memory that the ranks share: what each has given to the communication of each number."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.given: dict[Any, dict[int, Any]] = {}
        self.lock = threading.Lock()
        self.parts: dict[Any, World] = {}


class Pending:
    """A communication that is done when `ready` is."""

    def __init__(self, ready: Callable[[], bool], take: Callable[[], None] = lambda: None) -> None:
        self.ready, self.take, self.done = ready, take, False

    def test(self) -> bool:
        if not self.done and self.ready():
            self.done = True
            self.take()
        return self.done


class ThreadBackend:
    """The backend of one rank."""

    def __init__(self, world: World, rank: int) -> None:
        self.world, self.rank, self.size = world, rank, world.size
        self.number = 0
        self.messages: dict[Any, int] = {}

    def collect(self, mine: Any, take: Callable[[list[Any]], None]) -> Pending:
        """Gives `mine` to the next communication; `take` gets what all have given, in the order of ranks."""
        self.number += 1
        with self.world.lock:
            given = self.world.given.setdefault(self.number, {})
            given[self.rank] = None if mine is None else mine.copy()
        return Pending(lambda: len(given) == self.size, lambda: take([given[k] for k in range(self.size)]))

    def all_reduce(self, array: Any, op: str) -> Pending:
        def take(all: list[Any]) -> None:
            array[...] = FOLDS[op].reduce(np.stack(all))

        return self.collect(array, take)

    def reduce(self, array: Any, root: int, op: str) -> Pending:
        def take(all: list[Any]) -> None:
            if self.rank == root:
                array[...] = FOLDS[op].reduce(np.stack(all))

        return self.collect(array, take)

    def reduce_scatter(self, array: Any, rows: Any, op: str) -> Pending:
        def take(all: list[Any]) -> None:
            array[...] = FOLDS[op].reduce(np.stack(all))[self.rank]

        return self.collect(rows, take)

    def broadcast(self, array: Any, root: int) -> Pending:
        def take(all: list[Any]) -> None:
            array[...] = all[root]

        return self.collect(array, take)

    def all_gather(self, rows: Any, array: Any) -> Pending:
        def take(all: list[Any]) -> None:
            rows[...] = np.stack(all)

        return self.collect(array, take)

    def gather(self, rows: Any, array: Any, root: int) -> Pending:
        def take(all: list[Any]) -> None:
            if rows is not None:
                rows[...] = np.stack(all)

        return self.collect(array, take)

    def scatter(self, array: Any, rows: Any, root: int) -> Pending:
        def take(all: list[Any]) -> None:
            array[...] = all[root][self.rank]

        return self.collect(rows, take)

    def barrier(self) -> Pending:
        return self.collect(None, lambda all: None)

    def message(self, source: int, to: int, tag: int) -> Any:
        key = (source, to, tag)
        self.messages[key] = self.messages.get(key, 0) + 1
        return (*key, self.messages[key])

    def send(self, array: Any, to: int, tag: int) -> Pending:
        with self.world.lock:
            self.world.given[self.message(self.rank, to, tag)] = {0: array.copy()}
        return Pending(lambda: True)

    def receive(self, array: Any, source: int, tag: int) -> Pending:
        key = self.message(source, self.rank, tag)

        def take() -> None:
            array[...] = self.world.given[key][0]

        return Pending(lambda: key in self.world.given, take)

    def subgroup(self, ranks: tuple[int, ...]) -> ThreadBackend | None:
        self.number += 1
        with self.world.lock:
            world = self.world.parts.setdefault((ranks, self.number), World(len(ranks)))
        return ThreadBackend(world, ranks.index(self.rank)) if self.rank in ranks else None

    def abort(self, code: int) -> None:
        raise AssertionError("nothing in these tests ends the process")

    def close(self) -> None:
        pass


class WrittenByUsers:
    """A backend with what `CollectiveBackend` says and nothing else, which looks at what it is given."""

    NAMES = {name for name in (*vars(CollectiveBackend), *CollectiveBackend.__annotations__) if name[0] != "_"}

    def __init__(self, world: World, rank: int) -> None:
        self._inner = ThreadBackend(world, rank)
        self._thread: threading.Thread | None = None
        self.given: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name not in self.NAMES:
            raise AttributeError(name)
        found = getattr(self._inner, name)
        if not callable(found):
            return found

        def looked_at(*arguments: Any) -> Any:
            if name not in ("abort", "close"):
                thread = threading.current_thread()
                assert self._thread in (None, thread), "from one thread"
                self._thread = thread
            for each in arguments:
                if not isinstance(each, (int, str, type(None))):
                    assert type(each) is np.ndarray and each.flags.c_contiguous and each.dtype.kind in "iufc"
                    assert each.dtype != np.float16
            self.given.append(name)
            return found(*arguments)

        return looked_at


def on_ranks(
    size: int,
    program: Callable[[ProcessGroup], Any],
    seconds: float = 20.0,
    kind: Callable[[World, int], Any] = ThreadBackend,
) -> list[Any]:
    """The answers of `program(group)`, or the exceptions that it raised, by rank. kind: makes the backend of a rank."""
    world = World(size)
    answers: list[Any] = [None] * size

    def run(rank: int) -> None:
        group = ProcessGroup(kind(world, rank), "threads", timedelta(seconds=seconds))
        try:
            answers[rank] = program(group)
        except Exception as error:
            error.add_note(traceback.format_exc())
            answers[rank] = error
        finally:
            group.close()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return answers


def results(answers: list[Any]) -> list[Any]:
    """The answers. Errors: the first exception among them."""
    for each in answers:
        if isinstance(each, BaseException):
            raise each
    return answers
