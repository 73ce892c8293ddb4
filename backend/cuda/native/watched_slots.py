"""Watched slots of a call on a GPU: what `backend/cpu/plan/watched_slots.py` is for the CPU's plans."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from ....core.devices.arrays import DeviceArray
from ....core.watched_slots import MOVES
from ...call_layout import AccessPath, InputLayout
from ...cpu.plan import issue_table as at
from ..slot_paths import follow, laid_out

WatchedSlot = tuple[int, InputLayout | None, AccessPath, Any]
"""A watched slot: its frame word, what is asked of the array there, or None for a check, its path, and the owner."""


class LookAgain:
    """`look_again(number)` of `plan.build`: has the table know where the array of a watched slot lies now.

    The array stays alive until another one takes its place. What is stored is looked at once more, so that of several
    threads the last one to store has seen the last change."""

    __slots__ = ("__weakref__", "_arrays", "_cells", "_frame", "_slots", "_table")

    def __init__(self, table: Any, cells: Any, watched: Sequence[WatchedSlot]) -> None:
        self._table, self._cells, self._frame = table, cells, int(table[at.ISSUE_FRAME])
        self._slots = [(word, entry, path, weakref.ref(owner)) for word, entry, path, owner in watched]
        self._arrays: list[Any] = [None] * len(watched)

    def __call__(self, number: int) -> Any:
        """Looks again at one slot. -1: NotImplemented if a slot does not hold what is known of it; else None."""
        if number >= 0:
            return self._look(number)
        self.everywhere()
        known = all(self._found(k) is array for k, array in enumerate(self._arrays))
        return None if known else NotImplemented

    def everywhere(self) -> bool:
        """Looks at all slots, if anything may have moved of which their owners do not know; whether it did."""
        moves = int(MOVES[0])
        if self._cells[at.ISSUE_SEEN] == moves:
            return False
        for number in range(len(self._slots)):
            self._look(number)
        self._cells[at.ISSUE_SEEN] = moves
        return True

    def _look(self, number: int) -> None:
        place = self._frame + self._slots[number][0]
        while True:
            found = self._found(number)
            address = 0 if found is None else found.address if type(found) is DeviceArray else 1
            if self._cells[place] != address:
                self._cells[place] = 0  # so that no call of another thread finds arrays apart before the last line
                self._cells[at.ISSUE_APART] = 0
                self._cells[place] = address
            self._arrays[number] = found
            if self._found(number) is found:
                return

    def _found(self, number: int) -> Any:
        """The array that a slot leads to if it fits, or the end of a check's path; None otherwise."""
        _, entry, path, owner = self._slots[number]
        found = follow(path, owner())
        return found if entry is None or found is None else laid_out(entry, found)
