"""A sampler for training by several processes, each of which visits a part of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...distributed.program_group import get_rank, get_world_size, is_initialized
from ...tensor.generator import Generator
from ...tensor.random import randperm
from .samplers import Sampler


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th place of a data set, from the place `rank` on; all replicas get as many.

    shuffle: in an order by chance that `seed` and the number told by `set_epoch` decide, the same for all replicas.
    drop_last: whether places are left out to make the parts even; else some are given twice.
    num_replicas, rank: those of the process group unless given.
    Errors: RuntimeError without a process group, unless `num_replicas` and `rank` are given; ValueError for a rank
    that is
        not one of them.
    """

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if (num_replicas is None or rank is None) and not is_initialized():
            raise RuntimeError(
                "there is no process group to ask: give num_replicas and rank, or call "
                "gl.distributed.init_process_group() first"
            )
        num_replicas = get_world_size() if num_replicas is None else num_replicas
        rank = get_rank() if rank is None else rank
        if not 0 <= rank < num_replicas:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        whole, rest = divmod(len(dataset), num_replicas)
        self.num_samples = whole if drop_last else whole + (rest > 0)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        count = len(self.dataset)
        if self.shuffle:
            order = randperm(count, generator=Generator(self.seed + self.epoch)).tolist()
        else:
            order = list(range(count))
        while order and len(order) < self.total_size:
            order += order[: self.total_size - len(order)]
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Says which pass comes next, so that its order is another one."""
        self.epoch = epoch
