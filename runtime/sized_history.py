"""The history of results whose sizes are symbolic in the entry: one for each set of sizes that calls come with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from ..core.locks import ForkSafeLock
from ..tensor import Tensor
from .node import NodeHistory

KEPT = 64
"""Histories that are kept; of more, those go that were not asked for longest."""


class SizedHistory:
    """Makes the history for given sizes when it is first asked for.

    make: gives the history for these values of the symbols.
    """

    def __init__(self, make: Callable[[tuple[int, ...]], NodeHistory]) -> None:
        self._make = make
        self._made: OrderedDict[tuple[int, ...], NodeHistory] = OrderedDict()
        self._lock = ForkSafeLock()  # what is freed meanwhile may call the function

    def at(self, values: tuple[int, ...]) -> NodeHistory:
        """The history for these values of the symbols."""
        with self._lock:
            found = self._made.get(values)
            if found is None:
                found = self._made[values] = self._make(values)
                if len(self._made) > KEPT:
                    self._made.popitem(last=False)
            else:
                self._made.move_to_end(values)
            return found

    def __call__(
        self, sizes: tuple[int, ...], values: Sequence[Any], leaves: Sequence[Any], roots: Sequence[Any]
    ) -> tuple[Tensor, ...]:
        """The results of one call of these sizes; see `NodeHistory`."""
        return self.at(sizes)(values, leaves, roots)


__all__ = ["SizedHistory"]
