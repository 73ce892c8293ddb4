"""Calls to programs: the steps that they become, with their kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiled_program import CompiledProgram
from ..evaluate.buffers import Buffer
from ..schedule.calls import Call
from ..status_line import doing
from .steps import Slots, kernel_texts, steps_of

if TYPE_CHECKING:
    from ..cpu.plan.plan import Step

LARGE_WORK = 200_000
"""Additions from which a call lets other Python threads run."""


def program_of(
    calls: tuple[Call, ...],
    slots: dict[Buffer, int],
    operands: int,
    temporaries: tuple[tuple[int, int], ...],
    arena_nbytes: int,
) -> CompiledProgram:
    """The program of a lowered graph, its kernels compiled or loaded. Errors: KernelError when one does not compile.

    operands: how many inputs and outputs a call has.
    """
    from ..cpu.compiler import kernels

    large = sum(call.work for call in calls) > LARGE_WORK
    places = Slots(slots, operands + len(temporaries))
    steps: list[Step] = []
    texts = dict.fromkeys(text for call in calls for text in kernel_texts(call))
    kernels.prepare(texts, lambda begun: doing(f"{begun} of {len(texts)} kernels"))
    for call in calls:
        steps += steps_of(call, places)
    return CompiledProgram(tuple(steps), temporaries, arena_nbytes, large, places.moving)
