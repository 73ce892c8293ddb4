"""Where a region begins and ends: a loop of the program that is worth a kernel of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...graph.node import Node
from ..breaks import GraphBreak
from ..values.array import ArrayValue, result
from ..values.base import Shared, Value
from ..values.host_number import HostNumber
from .builder import Region
from .control import Evaluation, run_of
from .knowledge import Again, LoopKey, refused
from .loose import Loose
from .numbers import is_symbolic

if TYPE_CHECKING:
    from ..frame import Frame

SHORT = 4
"""Loops of so many rounds are unrolled."""


def next_key(frame: Frame, head: int) -> LoopKey:
    """What tells the loop that would begin now at this place from all others of the trace."""
    code = frame.code.raw
    return code, head, frame.trace.loops_met.get((code, head), -1) + 1


def may_be_native(frame: Frame, head: int, length: int) -> bool:
    """Whether the loop over a range that begins next may become a region."""
    return length > SHORT and frame.trace.region is None and next_key(frame, head) not in frame.trace.loops.plain


def enter_loop(frame: Frame, head: int) -> bool:
    """Evaluates the loop whose head the frame is at as a region; False when it is to be evaluated as other code is.

    Errors: `Again` when the trace must be made anew.
    """
    run, trace = run_of(frame.stack[-1]), frame.trace
    if run is None or run.known_length is None or not may_be_native(frame, head, run.known_length):
        return False
    key = next_key(frame, head)
    changes = Shared.changes_noted()
    region = trace.region = Region(trace)
    evaluation = Evaluation(frame, region)
    try:
        evaluation.count(head, run)
        if Shared.changes_noted() != changes:
            raise refused("a change of an object that is no array")
        _leave(frame, region)
    except GraphBreak as stop:
        trace.loops.plain[key] = stop
        raise Again from None
    return True


def _leave(frame: Frame, region: Region) -> None:
    """Ends the region; what the frame holds of it becomes values of the graph."""
    trace = frame.trace
    if not region.written and not region.storages:
        raise refused("a loop without elements of arrays")
    for storage in region.written.values():
        if id(storage) in region.read_before:
            raise refused("an array that the loop writes and reads as a whole")
        if not any(storage is each for each in trace.storages[: region.older]):
            raise refused("an array that is made anew in each round")
    slots: list[tuple[str | int, Value]] = [
        *((name, value) for name, value in frame.variables.items() if value is not None),
        *((place, value) for place, value in enumerate(frame.stack) if value is not None),
    ]
    living = [(key, value) for key, value in slots if isinstance(value, Loose) or is_symbolic(trace, value)]
    nodes: list[Node] = []
    for key, value in living:
        if isinstance(value, Loose):
            raise refused(f"the variable {key}, which may be a Python number or a NumPy one behind the loop")
        array = value.array if isinstance(value, HostNumber) else value
        assert isinstance(array, ArrayValue)
        nodes.append(array.storage.node)
    for (key, value), node in zip(living, region.finish(nodes), strict=True):
        made: Value = result(trace, node, generic=True)
        if isinstance(value, HostNumber):
            assert isinstance(made, ArrayValue)
            made = HostNumber(made, value.bounds)
        if isinstance(key, str):
            frame.variables[key] = made
        else:
            frame.stack[key] = made
