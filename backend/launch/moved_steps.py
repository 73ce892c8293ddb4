"""The steps of a body in the plan of the graph around it: the same, over that plan's slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..cpu.plan.plan import GemmOperand, GemmStep, Jump, KernelStep, LoopBegin, LoopEnd, Step, TableStep

Place = tuple[int, int]
"""A slot, and bytes from where it begins."""


class MovingSlots:
    """Hands out the slots of addresses that change from iteration to iteration; they come after all others."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.count = 0

    def take(self) -> int:
        """A new one."""
        self.count += 1
        return self.first + self.count - 1


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
        case Jump():
            return step if step.unless is None else replace(step, unless=placed(*step.unless))


def _operand(operand: GemmOperand, placed: Callable[[int, int], Place]) -> GemmOperand:
    slot, offset = placed(operand.slot, operand.offset)
    return replace(operand, slot=slot, offset=offset)
