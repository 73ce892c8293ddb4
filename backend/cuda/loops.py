"""A loop of a plan on a device: its rounds are launched one after the other, over addresses that move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..memory import Buffer, View
from ..schedule_loops import LoopCall

if TYPE_CHECKING:
    from .plan import CudaPlan

Addresses = dict[int, int]
"""The address on the device of each slot of a plan."""


@dataclass(frozen=True, slots=True)
class LoopStep:
    """All rounds of a loop. body: the plan of one round, by slots of its own."""

    call: LoopCall
    body: CudaPlan

    def run(self, place: Callable[[View], int], launch: Callable[[CudaPlan, Addresses], None]) -> None:
        """Launches every round. place: the address of a view; launch: issues the body over the addresses of a round."""
        call = self.call
        turns = [(place(each.start), place(each.first), place(each.second)) for each in call.carried]
        rows = [place(each.row) for each in (*call.scanned, *call.given)]
        steps = [each.step * each.row.buffer.dtype.itemsize for each in (*call.scanned, *call.given)]
        same, block, scanned = [place(view) for view in call.same], place(call.block), len(call.scanned)
        temporaries = [block + offset for offset, _ in call.body.temporaries]
        for _ in range(call.trips):
            inputs = [*(read for read, _, _ in turns), *rows[:scanned], *same]
            outputs = [*(written for _, written, _ in turns), *rows[scanned:]]
            launch(self.body, dict(enumerate((*inputs, *outputs, *temporaries))))
            turns = [(written, other, written) for _, written, other in turns]
            rows = [row + step for row, step in zip(rows, steps, strict=True)]


def place_of(view: View, slots: Mapping[Buffer, int], addresses: Addresses) -> int:
    """The address of the first element of a view."""
    return addresses[slots[view.buffer]] + view.offset * view.buffer.dtype.itemsize
