"""Loops of kernel text over ranges, in LLVM IR."""

# Note [Where the rows of one memory overlap]
# A loop that reads one row of an array and writes another is vectorised behind a check that the two do not overlap.
# Where a loop around it goes from row to row, LLVM makes that check once, of all rows: those that are read and those
# that are written, which are mostly the same, and so the loop stays slow. The variable of such an outer loop is hidden
# from it, and the check is of two rows, each time.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from ...core.records import dataclass
from .loop_facts import LoopFacts
from .text_target import TextTarget
from .values import constant, hidden, mark_loop

_BLOCKS = ("head", "body", "next", "after")


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop whose body is being emitted.

    counter, left: the memory of its variable, and of the number of rounds left where these are counted.
    step:          what is added to the variable.   now: the variable in this round.
    head, following, after: the blocks that decide about a round, go on to the next, and come after the last.
    """

    counter: Any
    left: Any | None
    step: Any
    now: Any
    head: Any
    following: Any
    after: Any


def open_loop(builder: Any, name: str, bounds: Sequence[Any], facts: LoopFacts, target: TextTarget) -> OpenLoop:
    """Emits the beginning of a loop over `range(*bounds)`, up to its body.

    name: of its variable.   bounds: int64 values of LLVM; a step is never 0.
    Errors: TypeError for another number of bounds than one to three.
    """
    if not 1 <= len(bounds) <= 3:
        raise TypeError(f"a range has one to three bounds, got {len(bounds)}")
    zero, one = constant(0, "i64").value, constant(1, "i64").value
    first, stop, step = (zero, *bounds, one) if len(bounds) == 1 else (*bounds, one)[:3]
    number = step.constant if isinstance(step, ir.Constant) else 0
    by_one = number == 1 or (target.steps_are_small and number >= 0)
    rounds = None if by_one else _rounds(builder, first, stop, step)
    with builder.goto_entry_block():
        counter = builder.alloca(first.type)
        left = None if by_one else builder.alloca(first.type)
    builder.store(first, counter)
    if left is not None:
        builder.store(rounds, left)
    head, inside, following, after = (builder.append_basic_block(f"{name}.{each}") for each in _BLOCKS)
    builder.branch(head)
    builder.position_at_end(head)
    now = builder.load(counter)
    if left is None:
        goes_on = builder.icmp_signed("<", now, stop)
    else:
        goes_on = builder.icmp_unsigned("!=", builder.load(left), zero)
    builder.cbranch(goes_on, inside, after)
    builder.position_at_end(inside)
    shown = hidden(builder, now) if target.hides_rows and facts.moves_within else now
    return OpenLoop(counter, left, step, shown, head, following, after)


def close_loop(builder: Any, loop: OpenLoop, facts: LoopFacts, target: TextTarget, is_one_of_many: bool) -> None:
    """Emits the end of a loop; what comes next stands after it.

    is_one_of_many: the text has so many loops that to compile each quickly counts for more.
    """
    builder.position_at_end(loop.following)
    flags = ("nsw",) if loop.left is None else ()
    builder.store(builder.add(builder.load(loop.counter), loop.step, flags=flags), loop.counter)
    if loop.left is not None:
        builder.store(builder.sub(builder.load(loop.left), constant(1, "i64").value), loop.left)
    back = builder.branch(loop.head)
    if not target.has_wishes:
        pass
    elif facts.has_long_loop:
        mark_loop(back, "llvm.loop.unroll.disable")  # copies of whole loops gain nothing
    elif is_one_of_many or facts.has_branch:
        mark_loop(back, "llvm.loop.unroll.runtime.disable")  # copies of branches are harder to foresee
    builder.position_at_end(loop.after)


def _rounds(builder: Any, first: Any, stop: Any, step: Any) -> Any:
    """The number of rounds. They are counted where a step is not 1, because the last sum may overflow."""
    zero, one = ir.Constant(first.type, 0), ir.Constant(first.type, 1)
    upward = builder.icmp_signed(">", step, zero)
    distance = builder.select(upward, builder.sub(stop, first), builder.sub(first, stop))
    each = builder.select(upward, step, builder.neg(step))
    runs = builder.select(upward, builder.icmp_signed("<", first, stop), builder.icmp_signed(">", first, stop))
    return builder.select(runs, builder.add(builder.udiv(builder.sub(distance, one), each), one), zero)
