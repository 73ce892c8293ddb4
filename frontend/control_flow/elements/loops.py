"""Loops of a region: one iteration is evaluated, over variables that hold what the iteration before it left."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from ....core import dtypes
from ....core.sizes import Size, is_small
from ....loop_ir.ir import Continue, Count, Repeat, Statement
from ....ops import pointwise as p
from ...bytecode.cfg import EnclosingLoop, Stops, join_point_of
from ...bytecode.opcode_table import traits_of
from ...regions.materialize import materialize_pending, require_materialized
from ...regions.numbers.arithmetic import host_number, number_node, reach_of
from ...tracing.nodes import constant_node
from ...tracing.speculation import unsupported_in_region
from ...values.base import Value
from ...values.constant import Constant
from ...values.containers.iterators import Iterator
from ...values.numbers.computed import INT64, Bounds
from ...values.numbers.symbolic_int import whole
from ..snapshot import FrameSnapshot
from .evaluator import Ended, Evaluation, Reached, iteration_space_of
from .iteration import ElementIteration, LoopExit, entered

if TYPE_CHECKING:
    from ....loop_ir.ir import Amount
    from ...regions.builder import Region
    from ...regions.numbers.ranges import IterationSpace


def evaluate_loop(evaluation: Evaluation, head: int, stops: Container[int]) -> Reached:
    """Evaluates the loop whose head the frame is at, and what follows on different ways out of it."""
    frame, region, trace = evaluation.frame, evaluation.region, evaluation.trace
    key = frame.code.raw, head
    space = None
    if traits_of(frame.code.instructions[head].name).iterates:
        iterator = frame.loop_iterator
        space = iteration_space_of(iterator)
        assert isinstance(iterator, Iterator) and space is not None
        region.spent += iterator.spend()
    waiting = materialize_pending(region, key)
    here = entered(evaluation, key, head, counts=space is not None)
    evaluation.iterations.append(here)
    before, below = FrameSnapshot.of(evaluation.frame), frame.without_loop_iterator()
    if space is None:
        with region.block() as statements, region.own_expressions():
            here.begin(evaluation)
            _one_iteration(evaluation, here, space)
        region.put(Repeat(_without_last_continue(statements)))
    else:
        exhausted = evaluation.flow.successors[head][1]
        names = {*here.carried, *here.slots}
        here.exits.append(LoopExit(exhausted, below, names if space.surely else set()))
        bounds = _amounts(evaluation, space)
        var = region.name("i")
        with region.block() as statements, region.own_expressions():
            here.begin(evaluation)
            frame.stack.append(
                space.element(trace, host_number(trace, region.local(var, dtypes.int64), _reach(region, space)))
            )
            _one_iteration(evaluation, here, space)
        region.put(Count(var, *bounds, _without_last_continue(statements)))
    evaluation.iterations.pop()
    require_materialized(region, key, waiting)
    surely = space is None or space.surely
    return _go_on(evaluation, here, before, stops, surely=surely)


def _one_iteration(evaluation: Evaluation, here: ElementIteration, space: IterationSpace | None) -> None:
    """Evaluates an iteration, up to its end or out of the loop."""
    frame = evaluation.frame
    # The head itself is where the iteration begins and where it ends: the first instruction is evaluated by hand.
    if space is not None:
        frame.position = here.head + 1
        reached = evaluation.run(EnclosingLoop(here.inside, here.head))
    else:
        reached = evaluation.run(StopsAfterStart(EnclosingLoop(here.inside, here.head), here.head))
    if not isinstance(reached, Ended):
        here.arrived(evaluation, reached)


class StopsAfterStart:
    """Stops of which one does not count when it is asked for the first time: an iteration begins where it ends."""

    def __init__(self, stops: Container[int], position: int) -> None:
        self._stops = stops
        self._skipped = False
        self._position = position

    def __contains__(self, position: object) -> bool:
        if not self._skipped and position == self._position:
            self._skipped = True
            return False
        return position in self._stops


def _without_last_continue(statements: list[Statement]) -> tuple[Statement, ...]:
    return tuple(statements[:-1] if statements and isinstance(statements[-1], Continue) else statements)


def _go_on(
    evaluation: Evaluation, here: ElementIteration, before: FrameSnapshot, stops: Container[int], *, surely: bool
) -> Reached:
    """Evaluates what follows the loop: straight on with one way out, else along each up to where they meet."""
    frame, region, trace = evaluation.frame, evaluation.region, evaluation.trace
    before.restore(evaluation.frame)
    exits = here.exits
    if not exits:
        raise unsupported_in_region("a loop without an end")
    if len(exits) == 1:
        here.leave(evaluation, exits[0], iterations=surely)
        frame.position = exits[0].position
        return frame.position
    join_point = join_point_of(
        evaluation.flow.successors, [loop_exit.position for loop_exit in exits], evaluation.ends()
    )
    inner = stops if join_point is None else Stops(stops, join_point)

    def along(number: int) -> Reached:
        loop_exit = exits[number]
        here.leave(evaluation, loop_exit, iterations=surely or number > 0)
        frame.position = loop_exit.position
        return evaluation.run(inner)

    def first_of(number: int) -> Reached:
        if number == len(exits) - 1:
            return along(number)
        chosen = region.now(here.chosen, dtypes.int64)
        test = trace.add(p.EQUAL, chosen, constant_node(trace, number, (), dtypes.int64))
        return evaluation.fork(test, lambda: along(number), lambda: first_of(number + 1))

    return first_of(0)


def _amounts(evaluation: Evaluation, space: IterationSpace) -> tuple[Amount, Amount, Amount]:
    start, stop = (_amount(evaluation, each) for each in (space.start, space.stop))
    step = space.step.value if isinstance(space.step, Constant) else _amount(evaluation, space.step)
    return start, stop, step


def _amount(evaluation: Evaluation, value: Value) -> Amount:
    if isinstance(value, Constant):
        number: Any = whole(value)
        number = number if isinstance(number, Size) else int(number)
        return number if is_small(number) else evaluation.region.size(("value", number, 0))
    return evaluation.region.text(number_node(evaluation.trace, value))


def _reach(region: Region, space: IterationSpace) -> Bounds:
    """Between which numbers the loop's variable lies."""
    (low, high), (first, last) = reach_of(region, space.start), reach_of(region, space.stop)
    if space.rises:
        return low, max(low, min(last - 1, INT64[1]))
    return min(high, max(first + 1, INT64[0])), high
