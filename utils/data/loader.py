"""`DataLoader`: batches of a data set, pass after pass."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ...tensor.generator import Generator
from .collate import default_collate, default_convert
from .datasets import Dataset, IterableDataset
from .fetching import END, Fetcher
from .parallel import ParallelPass, WorkerTeam
from .resuming import Progress, restored
from .samplers import BatchSampler, RandomSampler, SequentialSampler, drawn_seed
from .worker import Job

T_co = TypeVar("T_co", covariant=True)
_FIXED = frozenset({"batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers"})


class DataLoader(Generic[T_co]):
    """Batches of a data set, an iterator for each pass.

    batch_size: samples in a batch, None for samples alone. shuffle: in an order by chance, another one in each pass,
    drawn from `generator`; or `sampler` gives the places, or `batch_sampler` the lists of them. collate_fn: makes a
    batch of a list of samples (`default_collate`). drop_last: leaves out a last batch that is shorter.
    num_workers: processes that make batches ahead, `prefetch_factor` (2) each; `worker_init_fn(number)` runs first
    there, with random numbers seeded by a number drawn from `generator` plus the worker's; `get_worker_info` tells them
    apart. They start as `multiprocessing_context` says, and stay for the next pass if `persistent_workers`. Batches
    come through shared memory, in order unless `in_order` is False. timeout: seconds to wait for a batch, 0 for ever.
    state_dict, load_state_dict: a pass goes on in the middle, with the batches that would have come; see the methods.
    pin_memory: taken, and changes nothing: batches go to a device by way of pinned memory anyhow.
    The orders are not PyTorch's for the same seed.
    Errors: ValueError for settings that exclude each other. While iterating: an error in a worker is raised again with
        its traceback in the text; RuntimeError for a worker that died, and when the time is over.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.in_order = in_order
        self.multiprocessing_context = multiprocessing_context
        iterated = isinstance(dataset, IterableDataset)
        if iterated:
            _check_iterated(shuffle, sampler, batch_sampler)
        _check_batches(batch_size, bool(shuffle), sampler, batch_sampler, drop_last)
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        if sampler is None:
            sampler = _Endless() if iterated else _order(dataset, bool(shuffle), generator)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self.persistent_workers = persistent_workers
        self._team: WorkerTeam | None = None
        self._pass: ParallelPass | None = None
        self._progress: Progress | None = None
        self._left: Progress | None = None
        self._made = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and getattr(self, "_made", False):
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    @property
    def multiprocessing_context(self) -> Any:
        """The context in which workers start; None for the usual one."""
        return self._context

    @multiprocessing_context.setter
    def multiprocessing_context(self, given: Any) -> None:
        if given is None:
            self._context = None
            return
        if not self.num_workers:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
                f"num_workers={self.num_workers}"
            )
        if isinstance(given, str):
            known = multiprocessing.get_all_start_methods()
            if given not in known:
                raise ValueError(f"multiprocessing_context should be one of {known}, but got {given!r}")
            given = multiprocessing.get_context(given)
        if not isinstance(given, multiprocessing.context.BaseContext):
            raise TypeError(f"multiprocessing_context is a context or its name, got {type(given).__name__}")
        self._context = given

    @property
    def _generators(self) -> list[Generator]:
        """The generators that the loader and its samplers have of their own."""
        inner = getattr(self.batch_sampler, "sampler", None)
        held = (getattr(each, "generator", None) for each in (self, self.sampler, self.batch_sampler, inner))
        return list(dict.fromkeys(each for each in held if isinstance(each, Generator)))

    @property
    def _batches(self) -> Iterable[Any]:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __len__(self) -> int:
        """The number of batches, where the data set or the sampler says how many samples there are."""
        if not isinstance(self.dataset, IterableDataset):
            return len(self._batches)  # type: ignore[arg-type]
        samples = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return samples
        return samples // self.batch_size if self.drop_last else -(-samples // self.batch_size)

    def state_dict(self) -> dict[str, Any]:
        """The progress of the pass that was begun last, as numbers and tensors, for `load_state_dict`.

        With a data set that has a `state_dict`, and no workers, its state is part of it.
        Errors: ValueError where batches come from workers in any order.
        """
        if self.num_workers and not self.in_order:
            raise ValueError(
                "a pass with in_order=False has no place to go on from; make the loader with in_order=True"
            )
        progress = self._progress
        if progress is None:  # nothing has begun: as after a pass
            progress = Progress(self._generators)
            progress.over = True
        found = progress.state()
        if not self.num_workers and hasattr(self.dataset, "state_dict"):
            found["dataset"] = self.dataset.state_dict()
        return found

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Makes the next pass the rest of the one that a loader made alike was in, batch by batch the same.

        After a pass that was over, the next one is the one that would have come. The default generator of random
        numbers is left where it is; keep `get_rng_state()` beside the state. In workers, random numbers start anew.
        Errors: ValueError for what `state_dict` did not give.
        """
        self._left = restored(state_dict, self._generators)
        self._progress = None
        if "dataset" in state_dict and not self.num_workers:
            self.dataset.load_state_dict(state_dict["dataset"])
            if self._left is not None:
                self._left.has_data = True

    def __iter__(self) -> Iterator[Any]:
        left, self._left = self._left, None
        if left is None:
            self._progress = Progress(self._generators)
            return self._begun(self._progress)
        self._progress = left
        with left.redone():
            return self._begun(left)

    def _begun(self, progress: Progress) -> Iterator[Any]:
        """A new pass, behind the batches of which it has given some."""
        seed = drawn_seed(self.generator)
        batches, given = iter(self._batches), progress.batches
        is_dropped = isinstance(self.dataset, IterableDataset) and not progress.has_data
        if is_dropped:
            progress.batches = 0
        elif not progress.has_data:
            for _ in itertools.islice(batches, given):
                pass
        found: Iterator[Any] = (
            self._parallel(seed, batches, progress) if self.num_workers else _Serial(self, batches, progress)
        )
        if is_dropped:
            for _ in itertools.islice(found, given):
                pass
        return found

    def _parallel(self, seed: int, batches: Iterator[Any], progress: Progress) -> ParallelPass:
        if self._pass is not None:  # of workers that stay
            if self._team is not None and self._team.stop.alive:
                self._pass.drain()
            else:
                self._team = None
        team = self._team or WorkerTeam(
            self._context or multiprocessing.get_context(), self.num_workers, self._job(seed)
        )
        assert self.prefetch_factor is not None
        found = ParallelPass(
            team, batches, self.prefetch_factor, self.timeout, self.in_order, self.persistent_workers, progress
        )
        if self.persistent_workers:
            self._team, self._pass = team, found
        return found

    def _job(self, seed: int) -> Callable[[int], Job]:
        batched = self.batch_sampler is not None
        return lambda number: Job(
            self.dataset,
            batched,
            self.collate_fn,
            self.drop_last,
            seed,
            number,
            self.num_workers,
            self.worker_init_fn,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_team": None, "_pass": None}


class _Serial:
    """A pass whose batches are made in this process, when they are asked for."""

    def __init__(self, loader: DataLoader[Any], batches: Iterator[Any], progress: Progress) -> None:
        self._batches = batches
        self._progress = progress
        batched = loader.batch_sampler is not None
        self._fetcher = Fetcher(loader.dataset, batched, loader.collate_fn, loader.drop_last)

    def __iter__(self) -> _Serial:
        return self

    def __next__(self) -> Any:
        try:
            places = next(self._batches)
        except StopIteration:
            self._progress.over = True
            raise
        batch = self._fetcher.batch(places)
        if batch is END:
            self._progress.over = True
            raise StopIteration
        self._progress.batches += 1
        return batch


class _Endless:
    """A sampler for data sets that are iterated over: it gives no places, and has no end."""

    def __iter__(self) -> Iterator[Any]:
        return itertools.repeat(None)


def _order(dataset: Dataset[Any], shuffle: bool, generator: Generator | None) -> Iterable[int]:
    return RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)


def _check_workers(count: int, timeout: float, prefetch: int | None, persistent: bool) -> None:
    if count < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing, got "
            f"num_workers={count}"
        )
    if timeout < 0:
        raise ValueError(f"timeout option should be non-negative, got timeout={timeout}")
    if not count and prefetch is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing; let num_workers > 0 to enable it"
        )
    if prefetch is not None and prefetch < 1:
        raise ValueError(f"prefetch_factor option should be positive, got prefetch_factor={prefetch}")
    if persistent and not count:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_iterated(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    if shuffle not in {None, False}:
        raise ValueError(
            f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}"
        )
    for name, given in (("sampler", sampler), ("batch_sampler", batch_sampler)):
        if given is not None:
            raise ValueError(
                f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={given}"
            )


def _check_batches(size: int | None, shuffle: bool, sampler: Any, batch_sampler: Any, drop_last: bool) -> None:
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
            )
    elif size is None and drop_last:
        raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
