"""Loops and branches of a plan on a device: the host launches each iteration, and the branch that is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.records import dataclass
from ..schedule.conds import CondCall
from ..schedule.loops import LoopCall
from .issuer import Issuer

if TYPE_CHECKING:
    from .plan import CudaPlan


@dataclass(frozen=True, slots=True)
class CudaLoopStep:
    """All iterations of a loop. body: the plan of one, by slots of its own."""

    call: LoopCall
    body: CudaPlan

    @property
    def text(self) -> str:
        return ""

    def run(self, issuer: Issuer, kernel: object) -> None:
        """Launches every iteration."""
        call, place = self.call, issuer.place
        buffers = [(place(each.start), place(each.first), place(each.second)) for each in call.carried]
        rows = [place(each.row) for each in (*call.scanned, *call.given)]
        steps = [each.step * each.row.buffer.dtype.itemsize for each in (*call.scanned, *call.given)]
        same, block, scanned = [place(view) for view in call.same], place(call.block), len(call.scanned)
        temporaries = [block + offset for offset, _ in call.body.temporaries]
        for _ in range(call.trip_count):
            inputs = [*(read for read, _, _ in buffers), *rows[:scanned], *same]
            outputs = [*(written for _, written, _ in buffers), *rows[scanned:]]
            issuer.launch(self.body, dict(enumerate((*inputs, *outputs, *temporaries))))
            buffers = [(written, other, written) for _, written, other in buffers]
            rows = [row + step for row, step in zip(rows, steps, strict=True)]


@dataclass(frozen=True, slots=True)
class CudaCondStep:
    """A branch. branches: the plans of both, by slots of their own."""

    call: CondCall
    branches: tuple[CudaPlan, CudaPlan]

    @property
    def text(self) -> str:
        return ""

    def run(self, issuer: Issuer, kernel: object) -> None:
        """Waits for the bool that decides, and launches one branch."""
        call, place = self.call, issuer.place
        places = [place(view) for view in (*call.operands, *call.given)]
        taken = self.branches[0 if issuer.read(place(call.test)) else 1]
        block = place(call.block)
        temporaries = [block + offset for offset, _ in taken.compiled.temporaries]
        issuer.launch(taken, dict(enumerate((*places, *temporaries))))
