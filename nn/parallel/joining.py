"""Processes that have no more batches, and take part in the steps of the others until all are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...distributed.collectives import all_gather_into_tensor
from ..errors import EarlyEndError

if TYPE_CHECKING:
    from .distributed import DistributedDataParallel


class Joining:
    """The talk of the processes in one `join` at each forward: whether they take part, and in what."""

    def __init__(self, model: DistributedDataParallel, divide_by_initial_world_size: bool, throws: bool) -> None:
        self._model, self._by_initial, self._throws = model, divide_by_initial_world_size, throws
        self._group = model.process_group

    def step(self, is_reducing: bool, syncs_buffers: bool) -> int:
        """The rank that buffers come from, after all have told each other. Errors: EarlyEndError if asked for."""
        rows = self._told(1, is_reducing, syncs_buffers)
        active = [rank for rank, row in enumerate(rows) if row[0]]
        self._model.reducer.divisor = self._group.size if self._by_initial else len(active)
        return active[0]

    def shadow(self) -> None:
        """Takes part until all are done; then this process has the parameters of one that was the last."""
        is_last = True
        while True:
            rows = self._told(0, False, False)
            active = [rank for rank, row in enumerate(rows) if row[0]]
            if not active:
                break
            is_last = False
            if any(row[2] for row in rows):
                self._model.sync_buffers(active[0])
            if any(row[1] for row in rows):
                self._model.reducer.shadow()
        rows = self._told(int(is_last), False, False, at_end=True)
        self._model.sync_parameters(max(rank for rank, row in enumerate(rows) if row[0]))

    def _told(self, takes_part: int, is_reducing: bool, syncs_buffers: bool, at_end: bool = False) -> list[list[int]]:
        rows = np.zeros((self._group.size, 3), np.int64)
        mine = np.array([takes_part, is_reducing, syncs_buffers], np.int64)
        all_gather_into_tensor(rows, mine, group=self._group)
        told: list[list[int]] = rows.tolist()
        if self._throws and not at_end and len({row[0] for row in told}) > 1:
            gone = [rank for rank, row in enumerate(told) if not row[0]]
            raise EarlyEndError(
                f"rank {', '.join(map(str, gone))} has no more batches while others do, and "
                f"throw_on_early_termination is set"
            )
        return told
