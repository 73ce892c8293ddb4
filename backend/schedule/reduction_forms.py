"""The form of a reduction: along which way of memory it goes, and who shares it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ...core.devices import CPU
from ..evaluate.expressions import Evaluator

if TYPE_CHECKING:
    from .groups import Group, GroupRoot, Schedule

SERIAL_SIZE = 32768
"""Elements below which a full reduction and what uses it share a kernel: too few for a second thread."""
FEW_ROWS = 32
"""Rows, on a device, that leave most of it idle where a block reduces each."""


def orientation(evaluator: Evaluator, root: GroupRoot) -> str:
    """ "row" when the reduction runs along the memory of most of what it reads, else "column".

    What does not change along the reduction has no say."""
    votes = 0
    for _, place in evaluator.read:
        steps = [(abs(step), var) for var, step in place.terms if var.dim >= 0]
        if any(var.dim in root.axes for _, var in steps):
            weight = prod(var.extent for _, var in steps)
            votes += weight if min(steps, key=lambda entry: entry[0])[1].dim in root.axes else -weight
    return "row" if votes >= 0 else "column"


def is_shared_out(schedule: Schedule, group: Group) -> bool:
    """Whether several threads, or blocks of a device, share each of the group's reductions: what uses one of them needs
    a kernel of its own then."""
    if not group.kept:
        return prod(group.dims) > SERIAL_SIZE
    if schedule.graph.device == CPU:
        return False
    return prod(group.dims[axis] for axis in group.axes) > SERIAL_SIZE and prod(group.kept_dims) < FEW_ROWS
