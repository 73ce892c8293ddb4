"""Whether a native loop is worth its while: one whose iterations do little but call NumPy is quicker in Python.

A call of NumPy from a kernel goes through Python all the same, and costs more than one from Python: its arguments are
made arrays again, and its result is copied. What a native loop saves is the time that Python takes for everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ....backend.cpu.call_outs import KIND
from ....loop_ir.ir import Count, If, InnerLoop, Invoke, Let, Repeat, Statement, Store

if TYPE_CHECKING:
    from ...regions.builder import Region

CALL = 4000.0
"""Units: nanoseconds that a call of NumPy from a kernel takes longer than one from Python."""
OPERATION = 1000.0
"""Units: nanoseconds that NumPy takes for an operation on small arrays."""
STEP = 30.0
"""Units: nanoseconds of Python for what one statement of a region stands for."""
ROUNDS = 8
"""Rounds of a loop inside the loop, where their number is not known."""


def is_quicker_in_python(region: Region) -> bool:
    """Whether the calls of NumPy in the region's loops cost more than is gained by running the rest natively."""
    called = {f"s{k}" for k, size in enumerate(region.sizes) if size[0] == "function" and _is_pythons(size[1])}
    lost, gained = _costs(region.blocks[0], called)
    return lost > gained


def _is_pythons(name: object) -> bool:
    return isinstance(name, tuple) and name[0] == KIND


def _costs(body: Iterable[Statement], called: set[str]) -> tuple[float, float]:
    """The time that calls of these functions lose, and that everything else gains, in nanoseconds an iteration."""
    lost = gained = 0.0
    for each in body:
        if isinstance(each, Invoke) and each.function in called:
            lost += CALL
        elif isinstance(each, InnerLoop):
            gained += OPERATION
        elif isinstance(each, (Count, Repeat)):
            inner = _costs(each.body, called)
            lost, gained = lost + ROUNDS * inner[0], gained + ROUNDS * inner[1]
        elif isinstance(each, If):
            branches = _costs(each.then, called), _costs(each.otherwise, called)
            lost, gained = (
                lost + sum(branch[0] for branch in branches) / 2,
                gained + STEP + sum(branch[1] for branch in branches) / 2,
            )
        elif isinstance(each, (Let, Store)):
            gained += STEP
    return lost, gained
