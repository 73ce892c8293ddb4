"""Data sets for loaders with workers; here, where processes that start anew can import them."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import guardlift as gl
from guardlift.utils.data import Dataset, IterableDataset, get_worker_info


class Mixed(Dataset[Any]):
    """Samples of many kinds, some large and some small."""

    def __init__(self, count: int = 20, size: int = 5000) -> None:
        self.count, self.size = count, size

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Any:
        return {
            "large": gl.full((self.size,), float(index)),
            "narrow": gl.full((3,), index, dtype=gl.bfloat16),
            "array": np.full(self.size, index, np.int16),
            "rest": (index, float(index), str(index), gl.zeros(0)),
        }


class Told(Dataset[Any]):
    """All that a worker knows of itself, and its random numbers."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> Any:
        info = get_worker_info()
        assert info is not None and isinstance(info.dataset, Told)
        drawn = (gl.rand(()).item(), random.random(), float(np.random.rand()))
        return index, info.id, info.num_workers, info.seed, drawn, os.getpid(), gl.get_num_threads()


class Part(IterableDataset[int]):
    """The numbers below `count`, shared out among the workers, with a length that it says."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __iter__(self) -> Iterator[int]:
        info = get_worker_info()
        return iter(range(self.count) if info is None else range(info.id, self.count, info.num_workers))


class OddError(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} {second}")


class Failing(Dataset[int]):
    """Does something that goes wrong at the place 5."""

    def __init__(self, how: str) -> None:
        self.how = how

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> Any:
        if index != 5:
            return index
        if self.how == "value":
            raise ValueError("sample 5 is bad")
        if self.how == "key":
            return {}["five"]
        if self.how == "odd":
            raise OddError(1, 2)
        if self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "exit":
            os._exit(3)
        if self.how == "hang":
            time.sleep(600)
        if self.how == "not sent":
            return lambda: 0
        return index


class Slow(Dataset[int]):
    """The first sample takes long."""

    def __len__(self) -> int:
        return 6

    def __getitem__(self, index: int) -> int:
        time.sleep(0.5 if index == 0 else 0.0)
        return index


class Views(Dataset[Any]):
    """Rows of a large tensor."""

    def __init__(self) -> None:
        self.data = gl.arange(1_000_000.0).reshape(1000, 1000)

    def __len__(self) -> int:
        return 1000

    def __getitem__(self, index: int) -> Any:
        return self.data[index]


def as_they_are(samples: Any) -> Any:
    return samples


def failing_start(number: int) -> None:
    if number == 1:
        raise OSError("no disk")


def seeded_start(number: int) -> None:
    gl.manual_seed(100 + number)
    random.seed(number)
    np.random.seed(number)
