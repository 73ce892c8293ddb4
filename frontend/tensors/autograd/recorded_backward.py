"""Backward passes that are recorded, so that they can be differentiated again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....graph.aot.vjp import passed
from ....graph.node import Node
from ....ops.conds import COND_RESULT
from ....ops.derivative import reads
from ....ops.loops import LOOP_RESULT
from ...values.arrays.array import Storage

if TYPE_CHECKING:
    from ...tracing.trace import Trace


Read = tuple[tuple[Storage, int], ...]
"""Storages, each with the version that was read."""


def record_backward(trace: Trace, nodes: Sequence[Node], read: Read = ()) -> None:
    """Puts the nodes that derivative rules have made on the tape. read: the storages that the rules may have read.

    Eager's nodes save some of these again, so a write into any of them is taken for one into what was saved.
    """
    tape = trace.tape
    tape.recorded.update(nodes)
    recorded = tape.recorded.difference(tape.leaves)
    active = passed(trace.builder, nodes, tape.leaves, recorded, steps=tape.steps)
    for node in nodes:
        if node in active and node.op in (LOOP_RESULT, COND_RESULT):
            tape.saved[node] = read
        elif node in active and node.op.vjp is not None:
            wanted = tuple(operand in active or operand in tape.leaves for operand in node.inputs)
            if node.op.variadic or reads(node.op, wanted):
                tape.saved[node] = read


def has_history(trace: Trace, nodes: Sequence[Node]) -> set[Node]:
    """The values below `nodes`, themselves included, that lead to a leaf by what is recorded so far."""
    tape = trace.tape
    return passed(trace.builder, nodes, tape.leaves, tape.recorded.difference(tape.leaves), steps=tape.steps)
