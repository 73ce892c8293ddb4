"""Loops over elements that are left to Python as a whole."""

# Note [Loops that are left to Python]
# A loop that no region can hold is traced as other code: unrolled, and split where the graph breaks. That is right for
# a few iterations of heavy work. Where an iteration picks elements by a number that changes, each iteration would be
# compiled for itself, to be slower than Python. So once the graph breaks inside such a loop, the split moves to where
# the loop begins, Python runs all of it, and compiled code takes over behind it.
#
# Other loops break where compiled code meets the data of an element that it picked: a search through a grid, a walk
# over a graph. Behind such a break each iteration takes up compiled code again, to pick a few elements more. To ask an
# entry's guards takes longer than Python takes for that, so a point in a loop is left where its entry would do no more.

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ...breaks import LEFT_LOOP, LONG_LOOP, LONG_TENSOR_LOOP, LOOP_COST, LOOP_PICKS, TENSOR_ELEMENT, GraphBreak
from ...bytecode.cfg import holds_elements, indexes_by, loops_of, stored_in
from ...bytecode.decode import decode
from ...bytecode.opcode_table import traits_of

if TYPE_CHECKING:
    from ....graph.node import Graph
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace


MOST_PICKS = 24
"""Operations on single elements up to which Python is the faster."""


def leaves_to_python(graph: Graph, code: types.CodeType, position: int) -> GraphBreak | None:
    """The break for a point in a loop whose entry only picks single elements; None for any other point.

    graph: of the entry, which ends in a graph break."""
    if not any(position in inside for inside in loops_of(code).values()) or len(graph.nodes) > MOST_PICKS:
        return None
    picks = False
    for node in graph.nodes:
        if node.op.name in ("slice", "slice_store"):
            moved = node if node.op.name == "slice" else node.inputs[1]
            picks = picks or node.inputs[0].type.size > 1
            light = moved.type.size == 1
        else:
            light = node.op.name not in _WHOLE and all(each.type.size == 1 for each in (node, *node.inputs))
        if not light:
            return None
    if not picks:
        return None
    return LEFT_LOOP.because(LOOP_PICKS.stop())


_WHOLE = ("region", "call_out", "loop", "cond")


def note_head(frame: Frame, head: int) -> None:
    """Notes that the frame has come to a loop's head."""
    loops = loops_of(frame.code.raw)
    for other in [each for each in frame.heads_reached if head not in loops[each]]:
        del frame.heads_reached[other]
    if head in loops:
        frame.heads_reached.setdefault(head, frame.trace.progress.instructions)


def left_loop(trace: Trace, stop: GraphBreak) -> tuple[GraphBreak, int] | None:
    """The break that leaves a loop around the break `stop` to Python, and the count of instructions at the loop's head.

    None where no loop around it is better left to Python.
    """
    frame = trace.progress.root
    if frame is None or stop.program_raises or trace.progress.split_at is not None:
        return None
    code, at = frame.code.raw, max(frame.position - 1, 0)
    loops = loops_of(code)
    ways = [(head, began) for head, began in frame.heads_reached.items() if at in loops[head]]
    is_long = stop.kind in (LONG_LOOP, LONG_TENSOR_LOOP)
    if is_long and at + 1 in loops and not traits_of(decode(code).instructions[at].name).iterates:
        ways.append((at + 1, frame.began))
    for head, began in ways:
        if (code, head) in trace.speculation.not_region and _is_left(trace, code, head):
            made = _because(trace, code, head)
            around = [each for each in loops if head in loops[each] and each != head and _is_left(trace, code, each)]
            made.around = min(around, default=None)
            return made, began
    return None


def _is_left(trace: Trace, code: types.CodeType, head: int) -> bool:
    """Whether a loop, with those inside it, is no region, and each of its iterations would be compiled for itself."""
    inside, refused = loops_of(code)[head], trace.speculation.not_region_ever
    if (code, head) in refused and refused[code, head].kind is LOOP_COST:
        return True
    if (code, head) not in refused or not indexes_by(code, inside, stored_in(code, inside)):
        return False
    inner = [each for each in loops_of(code) if each in inside]
    return all((code, each) in refused or not holds_elements(code, loops_of(code)[each]) for each in inner)


def _because(trace: Trace, code: types.CodeType, head: int) -> GraphBreak:
    refused = trace.speculation.not_region_ever
    inner = [each for each in sorted(loops_of(code)[head]) if (code, each) in refused]
    reason = refused[code, inner[-1]]  # of the innermost loop: those around it cannot be native before it is
    place = reason
    if reason.kind is TENSOR_ELEMENT:
        reason = trace.speculation.not_loop_node.get((code, head), reason)
    made = LEFT_LOOP.because(reason).at(reason if reason.location else place)
    made.loop = head
    return made
