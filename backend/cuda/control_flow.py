"""Loops and branches of a plan on a device: the host launches round after round, and the branch that is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..evaluate.buffers import BufferView
from ..schedule.conds import CondCall
from ..schedule.loops import LoopCall

if TYPE_CHECKING:
    from .plan import CudaPlan

Addresses = dict[int, int]
"""The address on the device of each slot of a plan."""


class Issuer(Protocol):
    """What runs the steps of a call."""

    def place(self, view: BufferView) -> int:
        """The address of the first element of a view of the plan that a step belongs to."""
        ...

    def read(self, address: int) -> bool:
        """The bool at an address, once everything launched before is done."""
        ...

    def launch(self, plan: CudaPlan, addresses: Addresses) -> None:
        """Issues the steps of a body over these addresses."""
        ...


@dataclass(frozen=True, slots=True)
class CudaLoopStep:
    """All rounds of a loop. body: the plan of one round, by slots of its own."""

    call: LoopCall
    body: CudaPlan

    def run(self, issuer: Issuer) -> None:
        """Launches every round."""
        call, place = self.call, issuer.place
        turns = [(place(each.start), place(each.first), place(each.second)) for each in call.carried]
        rows = [place(each.row) for each in (*call.scanned, *call.given)]
        steps = [each.step * each.row.buffer.dtype.itemsize for each in (*call.scanned, *call.given)]
        same, block, scanned = [place(view) for view in call.same], place(call.block), len(call.scanned)
        temporaries = [block + offset for offset, _ in call.body.temporaries]
        for _ in range(call.trips):
            inputs = [*(read for read, _, _ in turns), *rows[:scanned], *same]
            outputs = [*(written for _, written, _ in turns), *rows[scanned:]]
            issuer.launch(self.body, dict(enumerate((*inputs, *outputs, *temporaries))))
            turns = [(written, other, written) for _, written, other in turns]
            rows = [row + step for row, step in zip(rows, steps, strict=True)]


@dataclass(frozen=True, slots=True)
class CudaCondStep:
    """A branch. branches: the plans of both, by slots of their own."""

    call: CondCall
    branches: tuple[CudaPlan, CudaPlan]

    def run(self, issuer: Issuer) -> None:
        """Waits for the bool that decides, and launches one branch."""
        call, place = self.call, issuer.place
        places = [place(view) for view in (*call.operands, *call.given)]
        taken = self.branches[0 if issuer.read(place(call.test)) else 1]
        block = place(call.block)
        temporaries = [block + offset for offset, _ in taken.compiled.temporaries]
        issuer.launch(taken, dict(enumerate((*places, *temporaries))))
