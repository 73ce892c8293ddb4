"""The steps of a cond in a launch plan: those of both branches, with jumps over the one that is not taken."""

from __future__ import annotations

from collections.abc import Mapping

from ..cpu.plan.plan import Jump, Step
from ..evaluate.buffers import Buffer, BufferView
from ..schedule.conds import CondCall
from .moved_steps import MovingSlots, Place, moved


def cond_steps(call: CondCall, slots: Mapping[Buffer, int], moving: MovingSlots) -> list[Step]:
    """The steps that run a cond."""

    def at(view: BufferView) -> Place:
        return slots[view.buffer], view.offset * view.buffer.dtype.itemsize

    places = [at(view) for view in (*call.operands, *call.given)]
    branches: list[list[Step]] = []
    for branch in call.branches:
        program = branch.making.program
        inside = [(slots[call.block.buffer], offset) for offset, _ in branch.temporaries]
        inside += [(moving.take(), 0) for _ in range(program.moving)]
        branches.append(moved(program.steps, [*places, *inside]))
    true, false = branches
    if not false:
        return [Jump(len(true), at(call.test)), *true]
    return [Jump(len(true) + 1, at(call.test)), *true, Jump(len(false)), *false]
