"""The steps of a loop in a launch plan: those of its body, between one that begins it and one that ends an
iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..cpu.plan.plan import LoopBegin, LoopEnd, Step
from ..evaluate.buffers import Buffer, BufferView
from ..schedule.loops import LoopCall
from .moved_steps import MovingSlots, Place, moved


def loop_steps(
    call: LoopCall, body: Sequence[Step], moving_inside: int, slots: Mapping[Buffer, int], moving: MovingSlots
) -> list[Step]:
    """The steps that run a loop. body: those of its body, by the slots of the body's own plan, `moving_inside` of which
    move in loops within it."""
    places: list[Place] = []
    starts: list[tuple[int, Place]] = []
    moves: list[tuple[int, int]] = []
    turns: list[tuple[int, int, int]] = []

    def at(view: BufferView) -> Place:
        return slots[view.buffer], view.offset * view.buffer.dtype.itemsize

    def moves_from(view: BufferView) -> int:
        slot = moving.take()
        starts.append((slot, at(view)))
        return slot

    counter = moving.take()
    for each in call.carried:
        turns.append((moves_from(each.start), moves_from(each.first), moves_from(each.second)))
    rows = []
    for rows_of in (*call.scanned, *call.given):
        rows.append(moves_from(rows_of.row))
        moves.append((rows[-1], rows_of.step * rows_of.row.buffer.dtype.itemsize))
    scanned, given = rows[: len(call.scanned)], rows[len(call.scanned) :]
    places += [(read, 0) for read, _, _ in turns] + [(slot, 0) for slot in scanned] + [at(view) for view in call.same]
    places += [(written, 0) for _, written, _ in turns] + [(slot, 0) for slot in given]
    places += [(slots[call.block.buffer], offset) for offset, _ in call.body.temporaries]
    places += [(moving.take(), 0) for _ in range(moving_inside)]

    begin = LoopBegin(counter, call.trips, tuple((slot, *place) for slot, place in starts))
    return [begin, *moved(body, places), LoopEnd(counter, tuple(moves), tuple(turns))]
