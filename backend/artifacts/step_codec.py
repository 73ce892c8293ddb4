"""Steps of launch plans as plain data: texts of kernels, and numbers. No graph is loaded to read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.records import dataclass
from ..cpu.compiler import kernels
from ..cpu.compiler.loader import LoadedKernel
from ..cpu.plan.parallel_split import ParallelSplit
from ..cpu.plan.plan import ForeachStep, GemmOperand, GemmStep, KernelStep, LoopBegin, LoopEnd, Step

_TYPES: dict[str, np.dtype[Any]] = {"float32": np.dtype(np.float32), "float64": np.dtype(np.float64)}
_OPERAND = ("slot", "leading", "offset", "transposed", "batch_stride")


# -- writing ----------------------------------------------------------------------------------------------------------
def written_steps(
    steps: Sequence[Step], temporaries: Sequence[tuple[int, int]], arena: int, *, large: bool, moving: int
) -> dict[str, Any] | None:
    """The part of a plan that is no layout, as data; None where it has a step that only this process can run."""
    texts: dict[str, int] = {}
    written = []
    for step in steps:
        data = _written_step(step, texts)
        if data is None:
            return None
        written.append(data)
    return {
        "texts": list(texts),
        "steps": written,
        "temporaries": [list(each) for each in temporaries],
        "arena": arena,
        "large": large,
        "moving": moving,
    }


def _written_step(step: Step, texts: dict[str, int]) -> list[Any] | None:
    """A step as data. texts: the numbers of kernels' texts so far; it learns of more."""
    if isinstance(step, KernelStep | ForeachStep):
        kernel = step.kernel
        if not isinstance(kernel, LoadedKernel) or kernels.known(kernel.source) is not kernel:
            return None
        text = texts.setdefault(kernel.source, len(texts))
        if isinstance(step, KernelStep):
            return ["kernel", text, *map(list, (step.slots, step.sizes)), step.extent, _shared(step)]
        tables = [each.tolist() for each in (step.slots, step.offsets, step.extents)]
        return ["table", text, list(step.slots.shape), *tables, list(step.sizes), _shared(step)]
    if isinstance(step, LoopBegin):
        return ["begin", step.counter, step.trip_count, list(map(list, step.starts))]
    if isinstance(step, LoopEnd):
        return ["end", step.counter, list(map(list, step.moves)), list(map(list, step.double_buffers))]
    if type(step) is not GemmStep:
        return None
    operands = [[getattr(each, name) for name in _OPERAND] for each in (step.a, step.b, step.c)]
    return ["product", step.dtype.name, [step.m, step.n, step.k, step.batch], *operands]


def _shared(step: KernelStep | ForeachStep) -> list[int | bool]:
    how = step.parallel_split
    return [how.chunk, how.chunks_per_thread, how.asks, how.wakes]


# -- reading ----------------------------------------------------------------------------------------------------------
def read_steps(data: dict[str, Any]) -> tuple[Step, ...]:
    """The steps in data that `check_steps` has let through. Errors: KernelError when a kernel does not compile."""
    kernels.prepare(data["texts"])
    loaded = [kernels.get_kernel(text) for text in data["texts"]]
    return tuple(_read_step(each, loaded) for each in data["steps"])


def _read_step(step: list[Any], loaded: Sequence[LoadedKernel]) -> Step:
    if step[0] == "kernel":
        _, text, slots, sizes, extent, parallel_split = step
        return KernelStep(loaded[text], tuple(map(tuple, slots)), tuple(sizes), extent, ParallelSplit(*parallel_split))
    if step[0] == "table":
        _, text, shape, slots, offsets, extents, sizes, parallel_split = step
        places, bytes_on = (np.array(each, np.int64).reshape(shape) for each in (slots, offsets))
        return ForeachStep(
            loaded[text], places, bytes_on, np.array(extents, np.int64), tuple(sizes), ParallelSplit(*parallel_split)
        )
    if step[0] == "begin":
        return LoopBegin(step[1], step[2], tuple(map(tuple, step[3])))
    if step[0] == "end":
        return LoopEnd(step[1], *(tuple(map(tuple, each)) for each in step[2:]))
    _, dtype, (m, n, k, batch), *operands = step
    a, b, c = (GemmOperand(**dict(zip(_OPERAND, each, strict=True))) for each in operands)
    return GemmStep(_TYPES[dtype], m, n, k, a, b, c, batch)


# -- checking ---------------------------------------------------------------------------------------------------------
def check_steps(data: Any, operands: int) -> None:
    """Errors: KeyError, TypeError, ValueError, IndexError unless it was written for a plan with so many operands."""
    parts = {"texts", "steps", "temporaries", "arena", "large", "moving"}
    need(type(data) is dict and set(data) == parts, "the parts")
    need(all(type(text) is str for text in data["texts"]), "the texts")
    need(type(data["large"]) is bool, "the flag")
    (arena,) = numbers([data["arena"]], 0)
    for temporary in data["temporaries"]:
        offset, nbytes = numbers(temporary, 0, arena + 1)
        need(offset + nbytes <= arena, "a temporary")
    (moving,) = numbers([data["moving"]], 0, 2**31)
    fixed = operands + len(data["temporaries"])
    room = _Room(fixed, fixed + moving, len(data["texts"]), [])
    for step in data["steps"]:
        _CHECKS[step[0]](step, room)
    need(not room.counters, "a loop")


@dataclass(frozen=True, slots=True)
class _Room:
    """The slots, texts and loop counters that the numbers of a step may name.

    fixed, slots: how many slots there are, without and with those that move in loops.   texts: how many texts.
    counters: of the loops that have begun, the innermost last.
    """

    fixed: int
    slots: int
    texts: int
    counters: list[int]


def _check_kernel(step: list[Any], room: _Room) -> None:
    _, text, slots, sizes, extent, parallel_split = step
    numbers([text], 0, room.texts)
    for slot, offset in slots:
        numbers([slot], 0, room.slots)
        numbers([offset])
    numbers(sizes)
    numbers([extent], 0)
    _check_split(parallel_split)


def _check_table(step: list[Any], room: _Room) -> None:
    _, text, shape, slots, offsets, extents, sizes, parallel_split = step
    numbers([text], 0, room.texts)
    rows, columns = numbers(shape, 0)
    need(len(slots) == len(offsets) == len(numbers(extents, 0)) == rows, "a table")
    for row, places in zip(slots, offsets, strict=True):
        need(len(numbers(row, 0, room.slots)) == len(numbers(places)) == columns, "a row of a table")
    numbers(sizes)
    _check_split(parallel_split)


def _check_split(parallel_split: list[Any]) -> None:
    chunk, chunks_per_thread, asks, wakes = parallel_split
    numbers([chunk], 0)
    numbers([chunks_per_thread], 1, 2**16)
    need(type(asks) is type(wakes) is bool, "a split")


def _check_product(step: list[Any], room: _Room) -> None:
    _, dtype, sizes, *operands = step
    need(dtype in _TYPES and len(numbers(sizes, 0)) == 4 and len(operands) == 3, "a product")
    for slot, leading, offset, transposed, batch in operands:
        numbers([slot], 0, room.slots)
        numbers([leading, offset, batch])
        need(type(transposed) is bool, "a product")


def _check_begin(step: list[Any], room: _Room) -> None:
    _, counter, trip_count, starts = step
    numbers([counter], room.fixed, room.slots)
    numbers([trip_count], 1)
    for moving, slot, offset in starts:
        numbers([moving], room.fixed, room.slots)
        numbers([slot], 0, room.slots)
        numbers([offset])
    need(counter not in room.counters, "a loop")
    room.counters.append(counter)


def _check_end(step: list[Any], room: _Room) -> None:
    _, counter, moves, buffers = step
    need(type(counter) is int and bool(room.counters) and room.counters.pop() == counter, "a loop")
    for slot, nbytes in moves:
        numbers([slot], room.fixed, room.slots)
        numbers([nbytes])
    for three in buffers:
        need(len(numbers(three, room.fixed, room.slots)) == 3, "a loop")


_CHECKS: dict[str, Callable[[list[Any], _Room], None]] = {
    "kernel": _check_kernel,
    "table": _check_table,
    "product": _check_product,
    "begin": _check_begin,
    "end": _check_end,
}


def numbers(values: Any, low: int = -(2**63), high: int = 2**63) -> list[int]:
    """The list of numbers that `values` is. Errors: ValueError unless each is an int from `low` up to below `high`."""
    need(type(values) is list and all(type(each) is int and low <= each < high for each in values), "a number")
    return values  # type: ignore[no-any-return]


def need(holds: bool, what: str) -> None:
    """Errors: ValueError unless it holds."""
    if not holds:
        raise ValueError(f"{what} of the file cannot be right")
