"""The arrays of a list that may share memory with another one, found without asking each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.devices.arrays import ARRAY_TYPES
from ...core.devices.host_or_device import byte_bounds, overlap
from ...core.records import dataclass

if TYPE_CHECKING:
    from .inputs import Input


@dataclass(slots=True)
class _Cluster:
    """Arrays of which each overlaps another one, in the bytes from `low` up to `high`."""

    low: int
    high: int
    entries: list[Input] = field(default_factory=list)


class Spans:
    """The inputs of a list by where their arrays lie. The list may grow, and another one may take its place."""

    def __init__(self) -> None:
        self._start([])

    def _start(self, entries: list[Input]) -> None:
        self._entries, self._count = entries, 0
        self._lows: list[int] = []
        self._clusters: list[_Cluster] = []

    def meeting(self, array: np.ndarray[Any, Any], entries: list[Input]) -> Iterator[Input]:
        """The inputs of `entries` whose arrays may share memory with `array`, as `np.may_share_memory` says."""
        if entries is not self._entries or len(entries) < self._count:
            self._start(entries)
        for entry in entries[self._count :]:
            if isinstance(entry.example, ARRAY_TYPES) and entry.example.size:
                self._add(entry)
        self._count = len(entries)
        if array.size:
            low, high = byte_bounds(array)
            for cluster in self._clusters[slice(*self._touched(low, high))]:
                yield from (each for each in cluster.entries if overlap(array, each.example))

    def _touched(self, low: int, high: int) -> tuple[int, int]:
        """The first of the clusters that have a byte from `low` up to `high`, and the one behind the last."""
        first = bisect_right(self._lows, low)
        if first and self._clusters[first - 1].high > low:
            first -= 1
        return first, max(bisect_left(self._lows, high), first)

    def _add(self, entry: Input) -> None:
        low, high = byte_bounds(entry.example)
        first, behind = self._touched(low, high)
        one = _Cluster(low, high, [entry])
        for each in self._clusters[first:behind]:
            one.low, one.high = min(one.low, each.low), max(one.high, each.high)
            one.entries = each.entries + one.entries
        self._clusters[first:behind] = [one]
        self._lows[first:behind] = [one.low]
