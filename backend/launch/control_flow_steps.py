"""The steps of loops and conds in a launch plan: those of their bodies, over the slots of the plan around them.

A loop has one step that begins it and one that ends an iteration; in a cond, jumps go over the other branch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...core.records import replace
from ..cpu.plan.plan import ForeachStep, GemmOperand, GemmStep, Jump, KernelStep, LoopBegin, LoopEnd, Step
from ..schedule.conds import CondCall
from ..schedule.loops import LoopCall
from .steps import Place, Slots, View, steps_of


@steps_of.register(LoopCall)
def _loop_steps(call: LoopCall, slots: Slots) -> Sequence[Step]:
    starts: list[tuple[int, Place]] = []
    moves: list[tuple[int, int]] = []

    def moves_from(view: View) -> int:
        slot = slots.take()
        starts.append((slot, slots.at(view)))
        return slot

    counter = slots.take()
    buffers = [(moves_from(each.start), moves_from(each.first), moves_from(each.second)) for each in call.carried]
    rows = []
    for rows_of in (*call.scanned, *call.given):
        rows.append(moves_from(rows_of.row))
        moves.append((rows[-1], rows_of.step * rows_of.row.buffer.dtype.itemsize))
    scanned, given = rows[: len(call.scanned)], rows[len(call.scanned) :]
    block, _ = slots.at(call.block)
    program = call.body.lazy.program
    places = [(read, 0) for read, _, _ in buffers] + [(slot, 0) for slot in scanned] + [*map(slots.at, call.same)]
    places += [(written, 0) for _, written, _ in buffers] + [(slot, 0) for slot in given]
    places += [(block, offset) for offset, _ in program.temporaries]
    places += [(slots.take(), 0) for _ in range(program.moving)]
    begin = LoopBegin(counter, call.trip_count, tuple((slot, *place) for slot, place in starts))
    return [begin, *moved(program.steps, places), LoopEnd(counter, tuple(moves), tuple(buffers))]


@steps_of.register(CondCall)
def _cond_steps(call: CondCall, slots: Slots) -> Sequence[Step]:
    places = [*map(slots.at, (*call.operands, *call.given))]
    block, _ = slots.at(call.block)
    branches: list[list[Step]] = []
    for branch in call.branches:
        program = branch.lazy.program
        inside = [(block, offset) for offset, _ in program.temporaries]
        inside += [(slots.take(), 0) for _ in range(program.moving)]
        branches.append(moved(program.steps, [*places, *inside]))
    true, false = branches
    if not false:
        return [Jump(len(true), slots.at(call.test)), *true]
    return [Jump(len(true) + 1, slots.at(call.test)), *true, Jump(len(false)), *false]


# -- the steps of a body in the plan around it -------------------------------------------------------------------------
def moved(steps: Sequence[Step], places: Sequence[Place]) -> list[Step]:
    """The steps of a body, of which each slot is at a place of the plan around it."""

    def placed(slot: int, offset: int) -> Place:
        outer, base = places[slot]
        return outer, base + offset

    return [_moved(step, placed) for step in steps]


def _moved(step: Step, placed: Callable[[int, int], Place]) -> Step:
    """A step over other slots."""
    match step:
        case KernelStep():
            return replace(step, slots=tuple(placed(*each) for each in step.slots))
        case GemmStep():
            a, b, c = (_operand(each, placed) for each in (step.a, step.b, step.c))
            return replace(step, a=a, b=b, c=c)
        case ForeachStep():
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
            buffers = tuple((placed(a, 0)[0], placed(b, 0)[0], placed(c, 0)[0]) for a, b, c in step.double_buffers)
            return replace(step, counter=placed(step.counter, 0)[0], moves=moves, double_buffers=buffers)
        case Jump():
            return step if step.unless is None else replace(step, unless=placed(*step.unless))


def _operand(operand: GemmOperand, placed: Callable[[int, int], Place]) -> GemmOperand:
    slot, offset = placed(operand.slot, operand.offset)
    return replace(operand, slot=slot, offset=offset)
