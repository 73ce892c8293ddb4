"""Where a region begins and ends: a loop of the program that is worth a kernel of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.config import config
from ...graph.node import Node
from ..breaks import GraphBreak
from ..values.array import ArrayValue, result
from ..values.base import Shared, Value
from ..values.host_number import HostNumber
from ..values.iterators import made_in
from .builder import Region
from .control import Evaluation, run_of
from .knowledge import Again, refused
from .loops import evaluate_loop
from .loose import Loose
from .meetings import holds_elements, loops_of
from .numbers import is_symbolic

if TYPE_CHECKING:
    from ..frame import Frame


def may_be_native(frame: Frame, head: int, length: int) -> bool:
    """Whether the loop over a range that begins next may become a region."""
    return length > 1 and _may_begin(frame, head)


def _may_begin(frame: Frame, head: int) -> bool:
    trace, key = frame.trace, (frame.code.raw, head)
    if not config.native_loops or trace.region is not None or key in trace.loops.plain:
        return False
    inside = loops_of(frame.code.raw).get(head)
    return inside is not None and holds_elements(frame.code.raw, inside)


def enter(frame: Frame, head: int) -> bool:
    """Evaluates the loop whose head the frame is at as a region; False when it is to be unrolled.

    Errors: `Again` when the trace must be made anew.
    """
    if frame.code.instructions[head].name == "FOR_ITER":
        run = run_of(frame.stack[-1])
        may = run is not None and run.known_length is not None and may_be_native(frame, head, run.known_length)
    else:
        may = bool(frame.trace.storages) and _may_begin(frame, head)
    if may:
        _enter(frame, head)
    return may


def _enter(frame: Frame, head: int) -> None:
    trace, key = frame.trace, (frame.code.raw, head)
    changes = Shared.changes_noted()
    region = trace.region = Region(trace, key)
    frame.position = head
    try:
        with made_in(region):
            evaluate_loop(Evaluation(frame, region), head, ())
        if Shared.changes_noted() != changes:
            raise refused("a change of an object that is no array")
        _leave(frame, region)
    except GraphBreak as stop:
        trace.loops.plain[key] = stop
        raise Again from None


def _leave(frame: Frame, region: Region) -> None:
    """Ends the region; what the frame holds of it becomes values of the graph."""
    trace = frame.trace
    if not region.storages:
        raise refused("a loop without elements of arrays")
    living = [(key, value) for key, value in _held(frame) if is_symbolic(trace, value)]
    nodes: list[Node] = []
    for _, value in living:
        array = value.array if isinstance(value, (HostNumber, Loose)) else value
        assert isinstance(array, ArrayValue)
        nodes.append(array.storage.node)
        if isinstance(value, Loose):
            nodes.append(region.let_of(value.numpy))
    results = iter(region.finish(nodes))
    for key, value in living:
        number = result(trace, next(results), generic=True)
        made: Value = number
        if isinstance(value, HostNumber):
            made = HostNumber(number, value.bounds)
        elif isinstance(value, Loose):
            made = Loose(number, value.python, next(results))
        if key is None:
            frame.returned = made
        elif isinstance(key, str):
            frame.variables[key] = made
        else:
            frame.stack[key] = made


def _held(frame: Frame) -> list[tuple[str | int | None, Value]]:
    """Everything the frame holds: by the name of a variable, the place on the stack, or None for what it returns."""
    slots: list[tuple[str | int | None, Value | None]] = [(None, frame.returned)]
    if frame.returned is None:
        slots += [*frame.variables.items(), *enumerate(frame.stack)]
    else:
        frame.variables = {}
        frame.stack.clear()
    return [(key, value) for key, value in slots if value is not None]
