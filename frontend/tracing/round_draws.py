"""Draws of random tensors in a loop over tensors that is one node: where each round reads."""

# Note [Draws in rounds]
# A round draws as many numbers as any other, since shapes are the same in all. So round i of a loop reads behind what
# was drawn before it, `i` times the blocks of one round further. How many these are is known only when the round has
# been evaluated. So its body takes the place at which a round begins to read as a row, an int for each round, and the
# rows are computed when the loop is left; what is around it has then drawn `rounds` times as much. A loop within a
# round is such a draw of the round's: its rows are computed from where the round stood. Whoever evaluates a body again,
# a backward pass above all, is given the same rows, and so draws the same. All draws of a loop come from one generator,
# told by the name it is read at: draws from two would have to be taken in turns.

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.records import dataclass
from ...core.types import TensorType
from ...graph.node import Node
from ...ops.creation import ARANGE
from ...ops.movement import EXPAND
from ...ops.pointwise import ADD, MULTIPLY
from ..breaks import PART_DRAW
from .nodes import constant_node

if TYPE_CHECKING:
    from ..control_flow.tensors.subgraph import Subgraph
    from .inputs import Input
    from .trace import Trace

NUMBER = TensorType((), dtypes.int64)


@dataclass(eq=False)
class RoundDraws:
    """The draws of a round. offset: of the generator, as an input of the whole graph. node: where the round begins.

    row: which of the body's rows that is.   blocks: how many the round has read so far.
    """

    offset: Input
    node: Node
    row: int
    blocks: Any = 0


def reader(trace: Trace, offset: Input) -> Input | RoundDraws:
    """The reader of the generator whose draw comes next: the call, or the iteration that is being evaluated.

    Errors: a break in an arm of a branch on data, and where a round has drawn from another generator.
    """
    found: Input | RoundDraws = offset
    for body in trace.iterations:
        if not body.is_loop:
            raise PART_DRAW.stop(what="random numbers drawn")
        if body.draws is not None and body.draws.offset is not offset:
            raise PART_DRAW.stop(what="random numbers drawn from two generators")
        if body.draws is None:
            node = body.builder.placeholder(NUMBER, "draws")
            body.draws = RoundDraws(offset, node, len(body.rows))
            body.rows.append((node, node))  # what it is a row of comes at the end
        found = body.draws
    return found


def unrecorded(trace: Trace) -> AbstractContextManager[None]:
    """A context for the nodes of draws: no history is kept of them, but in a round, which has one of all or none."""
    return nullcontext() if trace.iterations else trace.no_grad()


def next_place(trace: Trace, where: Input | RoundDraws) -> Node:
    """The number of the block that is read next."""
    if isinstance(where.blocks, int) and not where.blocks:
        return where.node
    return trace.add(ADD, where.node, constant_node(trace, where.blocks, (), dtypes.int64))


def leave(trace: Trace, body: Subgraph) -> None:
    """Computes where each round begins to read, when a loop is left; its nodes go to what is around it."""
    draws = body.draws
    if draws is None:
        return
    around = reader(trace, draws.offset)
    with unrecorded(trace):
        start = next_place(trace, around)
        numbers = trace.add(ARANGE, start=0, step=1, size=body.trip_count, dtype=dtypes.int64)
        shape = (body.trip_count,)
        before = trace.add(MULTIPLY, numbers, constant_node(trace, draws.blocks, shape, dtypes.int64))
        starts = trace.add(ADD, before, trace.add(EXPAND, start, shape=shape))
    body.rows[draws.row] = (starts, draws.node)
    around.blocks += body.trip_count * draws.blocks
