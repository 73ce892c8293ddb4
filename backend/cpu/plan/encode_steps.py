"""The steps of a launch plan as records of its table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.records import dataclass
from ..compiler.loader import LoadedKernel
from ..runner import thread_team
from . import table_layout as at
from .encode_gemm import gemm_record
from .encoder import Encoding, record, refuse
from .parallel_split import ONE_THREAD, ROUND, ParallelSplit
from .plan import ForeachStep, GemmStep, Jump, KernelStep, LoopBegin, LoopEnd, Step

MOST_STARTS = 256
"""Least chunks of a table: a few for each of many threads. Where each begins stands in the table of the plan."""


def operand_count(step: Step) -> int:
    """The number of addresses that a step's kernel is given at once; of a call-out the sizes behind them count too."""
    if isinstance(step, ForeachStep):
        return int(step.slots.shape[1])
    if not isinstance(step, KernelStep):
        return 0
    return len(step.slots) + (len(step.sizes) if not isinstance(step.kernel, LoadedKernel) else 0)


def write_steps(encoding: Encoding) -> None:
    """The records of all steps; of the end of a loop's round, with the way back to its first step, of a jump on."""
    words = encoding.words
    begun: list[tuple[int, int]] = []
    jumps: list[_OpenJump] = []
    for number, step in enumerate(encoding.plan.steps):
        jumps = _landed(words, jumps, number, begun)
        if isinstance(step, Jump):
            jumps.append(_OpenJump(number + 1 + step.over, len(words), tuple(begun)))
        if isinstance(step, LoopEnd):
            if not begun:
                refuse("a loop ends that has not begun")
            position, first = begun.pop()
            words.extend(record(_loop_end_record(encoding, step, len(words) - position, first)))
            continue
        words.extend(record(_step_record(encoding, step)))
        if isinstance(step, LoopBegin):
            begun.append((len(words), number + 1))
    if begun:
        refuse("a loop begins that does not end")
    if _landed(words, jumps, len(encoding.plan.steps), begun):
        refuse("a jump leads out of the plan")


@dataclass(frozen=True, slots=True)
class _OpenJump:
    """A jump to the step number `target`, whose record begins at `position`. inside: the loops that it is in."""

    target: int
    position: int
    inside: tuple[tuple[int, int], ...]


def _landed(words: list[int], jumps: list[_OpenJump], number: int, begun: list[tuple[int, int]]) -> list[_OpenJump]:
    """The jumps that lead beyond the step of that number, which comes next; the others are told where it is."""
    for each in jumps:
        if each.target == number:
            if each.inside != tuple(begun):
                refuse("a jump leads into a loop or out of one")
            words[each.position + at.JUMP_WORDS] = len(words) - each.position
    return [each for each in jumps if each.target > number]


def _loop_end_record(encoding: Encoding, step: LoopEnd, back: int, first: int) -> list[int]:
    counts = [len(step.moves), len(step.double_buffers)]
    fields = [at.STEP_LOOP_END, 0, encoding.place(step.counter).word, back, first, *counts]
    for slot, nbytes in step.moves:
        fields += [encoding.place(slot).word, nbytes]
    for three in step.double_buffers:
        fields += [encoding.place(slot).word for slot in three]
    return fields


def _loop_begin_record(encoding: Encoding, step: LoopBegin) -> list[int]:
    if step.trip_count < 1:
        refuse(f"a loop has {step.trip_count} rounds")
    fields = [at.STEP_LOOP_BEGIN, 0, encoding.place(step.counter).word, step.trip_count, len(step.starts)]
    for moving, slot, offset in step.starts:
        fields += [encoding.place(moving).word, *encoding.operand(slot, offset)]
    return fields


def _jump_record(encoding: Encoding, step: Jump) -> list[int]:
    if step.over < 1:
        refuse(f"a jump leads over {step.over} steps")
    asked = [0, 0, 0] if step.unless is None else [1, *encoding.operand(*step.unless)]
    return [at.STEP_JUMP, 0, 0, step.over, *asked]


def _step_record(encoding: Encoding, step: KernelStep | ForeachStep | GemmStep | LoopBegin | Jump) -> list[int]:
    if isinstance(step, Jump):
        return _jump_record(encoding, step)
    if isinstance(step, LoopBegin):
        return _loop_begin_record(encoding, step)
    if isinstance(step, GemmStep):
        return gemm_record(encoding, step)
    if isinstance(step, ForeachStep):
        return _table_record(encoding, step)
    parallel_split = step.parallel_split if _is_shared(encoding, step.parallel_split, step.extent) else ONE_THREAD
    how = parallel_split
    shared = [how.chunk, how.chunks_per_thread, int(how.asks), int(how.wakes)]
    tag = at.STEP_KERNEL if isinstance(step.kernel, LoadedKernel) else at.STEP_CALL_OUT
    fields = [tag, 0, step.kernel.address, step.extent, len(step.slots), *shared]
    for slot, offset in step.slots:
        fields += encoding.operand(slot, offset)
    return fields + list(step.sizes)


def _table_record(encoding: Encoding, step: ForeachStep) -> list[int]:
    rows, count = step.slots.shape
    known = encoding.places_of_slots()
    if step.slots.size and not (0 <= step.slots.min() and step.slots.max() < len(known)):
        refuse(f"a table names slot {step.slots.max()}; the plan has {len(known)}")
    places, offsets = known[step.slots], step.offsets.astype(known.dtype)
    outside = np.asarray((offsets < places[..., 2]) | (offsets > places[..., 3]), bool)
    if outside.any():
        row, column = (int(each[0]) for each in np.nonzero(outside))
        encoding.operand(int(step.slots[row, column]), int(step.offsets[row, column]))  # says what is wrong
    words = np.empty((rows, 1 + 2 * count), known.dtype)
    words[:, 0] = step.extents
    words[:, 1::2] = places[..., 0]
    words[:, 2::2] = places[..., 1] + offsets
    total, starts = int(step.extents.sum()), words[:0]
    if count <= at.SHARED_OPERANDS and _is_shared(encoding, step.parallel_split, total):
        starts = _chunk_starts(step.extents, max(step.parallel_split.chunk, -(-total // MOST_STARTS)))
    how = step.parallel_split
    shared = [max(len(starts) - 1, 0), how.chunks_per_thread, int(how.wakes)]
    fields = [at.STEP_TABLE, 0, step.kernel.address, rows, count, len(step.sizes), *shared, *step.sizes]
    return fields + words.ravel().tolist() + starts.ravel().tolist()


def _is_shared(encoding: Encoding, parallel_split: ParallelSplit, extent: int) -> bool:
    """Whether the extent makes more than one chunk; if so, the plan's table names the team."""
    if not 0 < parallel_split.chunk < extent:
        return False
    encoding.words[at.TEAM] = thread_team.words_address()
    return True


def _chunk_starts(extents: np.ndarray[Any, Any], chunk: int) -> np.ndarray[Any, Any]:
    """(row, element) where each chunk of a table begins, and where the last one ends. See Note [Chunks] in `chunks`."""
    ends = extents.cumsum()
    starts = np.arange(0, ends[-1], chunk)
    rows = np.searchsorted(ends, starts, side="right")
    elements = starts - (ends - extents)[rows]
    starts = np.stack([rows, elements - elements % ROUND], axis=1)
    return np.concatenate([starts, [[len(extents) - 1, extents[-1]]]])
