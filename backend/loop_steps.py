"""The steps of a loop in a launch plan: those of its body, between one that begins it and one that ends a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from .cpu.plan import GemmOperand, GemmStep, KernelStep, LoopBegin, LoopEnd, Step, TableStep
from .memory import Buffer, View
from .schedule_loops import LoopCall

Place = tuple[int, int]
"""A slot, and bytes from where it begins."""
Placing = Callable[[int, int], Place]


class MovingSlots:
    """Hands out the slots of addresses that change from round to round; they come after all others."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.count = 0

    def take(self) -> int:
        """A new one."""
        self.count += 1
        return self.first + self.count - 1


def loop_steps(
    call: LoopCall, body: Sequence[Step], moving_inside: int, slots: Mapping[Buffer, int], moving: MovingSlots
) -> list[Step]:
    """The steps that run a loop. body: those of its body, by the slots of the body's own plan, `moving_inside` of which
    move in loops within it."""
    places: list[Place] = []
    starts: list[tuple[int, Place]] = []
    moves: list[tuple[int, int]] = []
    turns: list[tuple[int, int, int]] = []

    def at(view: View) -> Place:
        return slots[view.buffer], view.offset * view.buffer.dtype.itemsize

    def moves_from(view: View) -> int:
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

    def placed(slot: int, offset: int) -> Place:
        outer, base = places[slot]
        return outer, base + offset

    inside = [_moved(step, placed) for step in body]
    begin = LoopBegin(counter, call.trips, tuple((slot, *place) for slot, place in starts))
    return [begin, *inside, LoopEnd(counter, tuple(moves), tuple(turns))]


def _moved(step: Step, placed: Placing) -> Step:
    """A step over other slots."""
    match step:
        case KernelStep():
            return replace(step, slots=tuple(placed(*each) for each in step.slots))
        case GemmStep():
            a, b, c = (_operand(each, placed) for each in (step.a, step.b, step.c))
            return replace(step, a=a, b=b, c=c)
        case TableStep():
            pairs = [
                [placed(int(slot), int(offset)) for slot, offset in zip(*row, strict=True)]
                for row in zip(step.slots, step.offsets, strict=True)
            ]
            table = np.array(pairs, np.int64).reshape(*step.slots.shape, 2)
            return replace(step, slots=table[..., 0], offsets=table[..., 1])
        case LoopBegin():
            starts = tuple((placed(moving, 0)[0], *placed(slot, offset)) for moving, slot, offset in step.starts)
            return replace(step, counter=placed(step.counter, 0)[0], starts=starts)
        case LoopEnd():
            moves = tuple((placed(slot, 0)[0], step) for slot, step in step.moves)
            turns = tuple((placed(a, 0)[0], placed(b, 0)[0], placed(c, 0)[0]) for a, b, c in step.turns)
            return replace(step, counter=placed(step.counter, 0)[0], moves=moves, turns=turns)


def _operand(operand: GemmOperand, placed: Placing) -> GemmOperand:
    slot, offset = placed(operand.slot, operand.offset)
    return replace(operand, slot=slot, offset=offset)
