"""The beginning and the end of a region: a loop of the program that is worth a kernel of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ....core.config import config
from ....core.package import PACKAGE
from ....core.sizes import hinted, is_whole
from ....graph.node import Node
from ...breaks import CHANGE_IN_LOOP, LOOP_COST, GraphBreak, Unwinding
from ...bytecode.cfg import holds_elements, join_point_of, loops_of, reached, read_in, while_heads, written_in
from ...bytecode.dataflow import flow_of
from ...bytecode.opcode_table import TABLE, traits_of
from ...regions.arrays.swapped import Exchange, Exchanged, SwappedArrays, begin, end
from ...regions.builder import Region
from ...regions.finish import finish_region
from ...regions.numbers.arithmetic import is_of_region
from ...regions.numbers.optional import Optional, bind_all, holds_optional
from ...regions.numbers.python_or_numpy import PythonOrNumpyNumber
from ...tracing.restarts import RegionRestart, Restart, StaticSizes
from ...tracing.speculation import LoopKey, unsupported_in_region
from ...values.arrays.array import ArrayValue, result
from ...values.arrays.operand import is_array
from ...values.base import MutableValue, Value
from ...values.containers.iterators import made_in
from ...values.containers.sequences import TupleValue
from ...values.lazy import LazyValue
from ...values.numbers.computed import ComputedNumber
from ...values.objects.random_generators import RandomGenerator
from .cost import is_quicker_in_python
from .evaluator import Evaluation, iteration_space_of
from .fallback import note_head
from .loops import evaluate_loop
from .region_start import RegionStart

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace


def may_be_native(frame: Frame, head: int, length: int | None, *, of_arrays: bool = False) -> bool:
    """Whether the loop that begins next may become a region.

    length: of what it runs over; None where only the run knows. of_arrays: whether it goes over elements of arrays.
    """
    return (length is None or length > 1) and _may_begin(frame, head, length, of_arrays=of_arrays)


def _may_begin(frame: Frame, head: int, length: int | None = None, *, of_arrays: bool = False) -> bool:
    trace, key = frame.trace, (frame.code.raw, head)
    if not _has_native_loops(trace) or trace.region is not None or key in trace.speculation.not_region:
        return False
    return of_arrays and head in loops_of(frame.code.raw) or _holds_arrays(frame, head, length)


MOST_IN_AN_ITERATION = 32768
"""Elements of the arrays that a long loop reads, up to which its iterations are rather run natively than one by one by
compiled code: what is between two iterations costs as much as work on so many."""


def _is_long_and_small(frame: Frame, head: int) -> bool:
    """Whether a loop that is too long to be unrolled works on small arrays, or draws numbers."""
    values = [frame.variables.get(name) for name in read_in(frame.code.raw, loops_of(frame.code.raw)[head])]
    arrays = [each for each in values if isinstance(each, ArrayValue) and not each.is_numpy_scalar]
    draws = any(isinstance(each, RandomGenerator) for each in values)
    if not (draws or arrays) or not all(is_whole(size) for each in arrays for size in each.shape):
        return False
    return sum(each.type.size for each in arrays) <= MOST_IN_AN_ITERATION


def _has_native_loops(trace: Trace) -> bool:
    return config.native_loops and trace.backend.is_native


def _holds_arrays(frame: Frame, head: int, length: int | None = None) -> bool:
    """Whether a loop has to do with elements; where it will not be unrolled, with arrays.

    length: how many iterations it has; None where nobody can count them before."""
    inside = loops_of(frame.code.raw).get(head)
    if inside is None or holds_elements(frame.code.raw, inside):
        return inside is not None
    if length is not None:
        return length > config.unroll_limit and _is_long_and_small(frame, head)
    values = (frame.variables.get(name) for name in read_in(frame.code.raw, inside))
    return any(is_array(value) for value in values if value is not None)


def enter_region(frame: Frame, heads: frozenset[int]) -> bool:
    """Evaluates what begins at the frame's position as a region, if it is a loop or branch that may be one.

    Errors: `Restart` when the trace must be made anew.
    """
    at = frame.position
    if at not in heads:
        return _enter_branch(frame, at)
    note_head(frame, at)
    if not traits_of(frame.code.instructions[at].name).iterates:
        return _enter_while(frame, at)
    return _enter_range(frame, at) or _enter_loop_node(frame, at)


def _enter_loop_node(frame: Frame, head: int) -> bool:
    """Evaluates the loop over tensors whose head the frame is at as one node; False when it is to be unrolled."""
    if f"{PACKAGE}.tensor" not in sys.modules:
        return False
    from ..tensors.loops import enter_loop_node

    return enter_loop_node(frame, head)


def may_be_loop_node(frame: Frame, head: int, length: int) -> bool:
    """Whether the loop that begins next, over a range of that length, may become one node over tensors."""
    if f"{PACKAGE}.tensor" not in sys.modules:
        return False
    from ..tensors.loops import may_be_loop_node as may_be

    return may_be(frame, head, length)


def _enter_range(frame: Frame, head: int) -> bool:
    """Evaluates the loop over a range or an array whose head the frame is at; False when it is to be unrolled."""
    space = iteration_space_of(frame.loop_iterator)
    if space is None or not may_be_native(frame, head, space.known_length, of_arrays=space.holds):
        return False
    # Whether it is short is no fact about the call: nothing of its result depends on it.
    length = hinted(space.known_length)
    return _enter(frame, head, unrolls=length is not None and length <= config.unroll_limit)


def _enter_while(frame: Frame, head: int) -> bool:
    """Evaluates the `while` loop whose head the frame is at; False when it is to be unrolled."""
    if not frame.trace.inputs.storages or not _may_begin(frame, head):
        return False
    return _enter(frame, head)


def _enter_branch(frame: Frame, at: int) -> bool:
    """Evaluates the branch that the frame is at, if it is the first test of a `while` loop and nobody knows it."""
    trace, code = frame.trace, frame.code.raw
    jump = frame.tests.get(at)
    if (
        jump is None
        or not any(map(_is_unknown, asked_at(frame, at)))
        or trace.region is not None
        or not _has_native_loops(trace)
    ):
        return False
    if (code, at) in trace.speculation.not_region:
        return False
    successors = flow_of(code).successors
    join_point = join_point_of(successors, [jump], ())
    inner = reached(successors, [jump], () if join_point is None else (join_point,))
    if not any(head in while_heads(code) and _holds_arrays(frame, head) for head in inner):
        return False
    return _enter(frame, at, frozenset() if join_point is None else frozenset({join_point}), inside=frozenset(inner))


def asked_at(frame: Frame, at: int) -> list[Value | None]:
    """The values on top of the stack that the test at a position asks."""
    instruction = frame.code.instructions[at]
    return frame.stack[-TABLE[instruction.name].pops(instruction.arg) :]


def _is_unknown(value: Value | None) -> bool:
    """Whether a number is known at run time only, as the graph's value."""
    return (
        isinstance(value, (ComputedNumber, PythonOrNumpyNumber))
        or isinstance(value, ArrayValue)
        and value.is_numpy_scalar
    )


def _enter(
    frame: Frame,
    head: int,
    stops: frozenset[int] | None = None,
    *,
    inside: frozenset[int] | None = None,
    unrolls: bool = True,
) -> bool:
    """Evaluates a loop from its head, or with `stops` what lies before these. False where it is to be unrolled instead.

    inside: the positions that are evaluated, by default those of the loop.
    unrolls: whether a loop may be unrolled if it is no region; else it would be left to Python."""
    trace, key = frame.trace, (frame.code.raw, head)
    read_variables(frame, head)
    foresee_writes(frame, key, loops_of(frame.code.raw).get(head, frozenset()) if inside is None else inside)
    start = RegionStart.of(frame)
    while True:
        region = Region(trace, key)
        region.may_unroll = unrolls
        evaluation = Evaluation(frame, region)
        try:
            _evaluate(evaluation, head, stops, unrolls=unrolls)
        except RegionRestart:
            if not start.come_back(region):
                raise
        except Unwinding as stop:
            _note_refusal(evaluation, head, stop.as_break())
            if not unrolls or trace.facts.sizes.symbols or not start.come_back(region):
                raise Restart from None
            return False
        else:
            trace.speculation.not_region_ever.pop(key, None)
            return True


def _evaluate(evaluation: Evaluation, head: int, stops: frozenset[int] | None, *, unrolls: bool) -> None:
    """Evaluates a region. Errors: a break for what has no form in one, as is a change of an object from before it."""
    frame, region = evaluation.frame, evaluation.region
    trace, changes = frame.trace, MutableValue.changes_noted()
    trace.region = region
    try:
        with made_in(region), MutableValue.changes_only_of_new(CHANGE_IN_LOOP):
            begin(trace, region, frame)
            if stops is None:
                evaluate_loop(evaluation, head, ())
            else:
                evaluation.run(stops)
        if MutableValue.changes_noted() != changes:
            raise CHANGE_IN_LOOP.stop(name="one made in the loop")
        if not unrolls and is_quicker_in_python(region):
            raise LOOP_COST.stop()
        _leave(frame, region)
    except Unwinding:
        if trace.region is not None:
            _require_foreseen(region)  # it may be refused for what is not so
        raise


def _note_refusal(evaluation: Evaluation, head: int, stop: GraphBreak) -> None:
    """Notes why a loop is no region, and the loops in it that were being evaluated then.

    Errors: `StaticSizes` where it may be one if no size is a symbol."""
    frame, trace, key = evaluation.frame, evaluation.trace, evaluation.region.key
    if trace.facts.sizes.symbols and not trace.inputs.tensors and key not in trace.speculation.not_region_ever:
        raise StaticSizes(f"the loop at {trace.progress.where} has no form with symbolic ones") from None
    if trace.facts.sizes.symbols:
        # What is refused because sizes are symbols is no news to other traces: this one gets a copy.
        trace.speculation.not_region_ever = dict(trace.speculation.not_region_ever)
    stop.location = stop.location or trace.progress.location
    trace.speculation.not_region[key] = stop
    iterations = [each.head for each in evaluation.iterations]
    trace.speculation.not_region_ever.update({(frame.code.raw, each): stop for each in (head, *iterations)})


def read_variables(frame: Frame, head: int) -> None:
    """Looks at what the loop or what follows may read: neither branch may be the first to do so."""
    for name in flow_of(frame.code.raw).live[head]:
        value = frame.variables.get(name)
        if type(value) is LazyValue:
            frame.variables[name] = value.read()


def foresee_writes(frame: Frame, key: LoopKey, inside: frozenset[int]) -> None:
    """Lets the region of a loop that no trace has seen write the arrays that its code looks like writing.

    Each array that it comes to write and that was not foreseen costs a trace of the whole function.
    """
    trace = frame.trace
    if key in trace.speculation.written:
        return
    held = [frame.variables.get(name) for name in written_in(frame.code.raw, inside)]
    written = {id(each.storage) for each in held if isinstance(each, ArrayValue) and not each.is_numpy_scalar}
    trace.speculation.written[key] = frozenset(k for k, each in enumerate(trace.inputs.storages) if id(each) in written)


def _require_foreseen(region: Region) -> None:
    """Errors: `RegionRestart`, once for a loop, where it does not write all that it was foreseen to write."""
    known, key = region.trace.speculation, region.key
    written = frozenset(k for k, each in enumerate(region.trace.inputs.storages) if id(each) in region.memory.written)
    if key not in known.exact and known.written.get(key, written) - written:
        known.exact.add(key)
        known.written[key] = written & known.written[key]
        raise RegionRestart


def _leave(frame: Frame, region: Region) -> None:
    """Ends the region; what the frame holds of it becomes values of the graph."""
    trace = frame.trace
    if not region.memory.storages:
        raise unsupported_in_region("a loop without elements of arrays")
    if region.doubts:
        raise region.doubts[0]
    end(trace, region)
    _require_foreseen(region)
    if frame.returned is None:
        bind_all(frame, flow_of(frame.code.raw).live[frame.position])
    swapped = region.swapped
    assert swapped is not None
    held = _held(frame)
    parts = [part for _, value in held for part in _parts(value)]
    living = [part for part in parts if is_of_region(trace, part) or swapped.of(part) is not None]
    exchanges = [swapped.of(part) for part in living]
    nodes = [node for part in living for node in _nodes_of(region, swapped, part)]
    results = iter(finish_region(region, nodes))
    behind: dict[int, Value] = {}
    for part, exchange in zip(living, exchanges, strict=True):
        behind[id(part)] = _value_behind(trace, part, None if exchange is None else exchange[0], results)
    _hold(frame, {key: _rebuilt(value, behind) for key, value in held})


def _nodes_of(region: Region, swapped: SwappedArrays, part: Value) -> list[Node]:
    """The nodes of a value of the region that its kernel has to give."""
    found = swapped.of(part)
    if found is not None:
        return [found[1]]
    if isinstance(part, PythonOrNumpyNumber):
        return [part.array.storage.node, region.let_of(part.numpy)]
    array = part.array if isinstance(part, ComputedNumber) else part
    assert isinstance(array, ArrayValue)
    return [array.storage.node]


def _value_behind(trace: Trace, part: Value, exchange: Exchange | None, results: Iterator[Node]) -> Value:
    """The value of the graph that a value of the region becomes. results: the kernel's, from its own on."""
    number = result(trace, next(results), is_numpy_scalar=True)
    if exchange is not None:
        return Exchanged(exchange.arrays, number)
    if isinstance(part, ComputedNumber):
        return ComputedNumber(number, part.bounds)
    if isinstance(part, PythonOrNumpyNumber):
        return PythonOrNumpyNumber(number, part.python, next(results))
    return number


def _hold(frame: Frame, values: Mapping[str | int | None, Value]) -> None:
    """Lets the frame hold these values, by the keys of `_held`."""
    for key, value in values.items():
        if key is None:
            frame.returned = value
        elif isinstance(key, str):
            frame.variables[key] = value
        else:
            frame.stack[key] = value
        frame.trace.holds_optionals = frame.trace.holds_optionals or holds_optional(value)


def _parts(value: Value) -> list[Value]:
    """The elements of a tuple, and of tuples in it; of an optional number, this and the bool; else the value."""
    if isinstance(value, Optional):
        return [*_parts(value.number), value.present]
    return [part for each in value.items for part in _parts(each)] if type(value) is TupleValue else [value]


def _rebuilt(value: Value, known: dict[int, Value]) -> Value:
    """A value with parts exchanged for others; the same where it has no such parts."""
    if isinstance(value, Optional) and id(value.present) in known:
        present = known[id(value.present)]
        assert isinstance(present, ComputedNumber)
        return Optional(_rebuilt(value.number, known), present, unbound=value.unbound)
    if type(value) is not TupleValue or not any(id(part) in known for part in _parts(value)):
        return known.get(id(value), value)
    return TupleValue([_rebuilt(each, known) for each in value.items])


def _held(frame: Frame) -> list[tuple[str | int | None, Value]]:
    """Everything the frame holds: by the name of a variable, the place on the stack, or None for what it returns."""
    slots: list[tuple[str | int | None, Value | None]] = [(None, frame.returned)]
    if frame.returned is None:
        slots += [*frame.variables.items(), *enumerate(frame.stack)]
    else:
        frame.variables = {}
        frame.stack.clear()
    return [(key, value) for key, value in slots if value is not None]
