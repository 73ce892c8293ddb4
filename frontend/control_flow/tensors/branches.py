"""Branches on the data of tensors: which of them become one node of the graph, and what becomes of the others."""

# Note [Branches]
# Where a jump asks for the value of a tensor, both branches are evaluated, each into a graph of its own, up to the
# place where they meet; where both return, up to their returns. They must leave the same things: tensors of the same
# shape, dtype, strides and flags, or what was there before. Whatever else a branch does (a write, a change of an
# object, an error, a gradient that goes where the other branch's does not) makes the branch a graph break, as it would
# be without this; the trace is then made anew. A branch that does nothing but raise is left to Python with the whole
# call, by a check in the compiled code, as for an index that is out of range.

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from bytecode import Compare

from ....core import dtypes
from ....core.config import config
from ....graph.node import Node
from ....ops.checks import CHECKED_INDEX
from ....ops.pointwise import INVERT
from ...breaks import GraphBreak, Unwinding
from ...bytecode.cfg import join_point_of, reached, surely_raises
from ...bytecode.code_flags import GENERATOR_FLAGS
from ...bytecode.dataflow import flow_of
from ...bytecode.opcode_table import TABLE
from ...opcodes.operators import comparison
from ...python.operators import compare
from ...tracing.nodes import cast
from ...tracing.restarts import SplitReached
from ...tracing.speculation import LoopKey, unsupported_in_region
from ...values.arrays.view_steps import reshape
from ...values.base import Value
from ...values.containers.sequences import TupleValue
from ...values.numbers.computed import ComputedNumber
from ...values.tensors.tensor import TensorValue
from ..elements.enter import asked_at, read_variables
from ..snapshot import BranchTarget, FrameSnapshot, agreed, differences, put
from .branch_evaluation import evaluated
from .branch_merge import BranchMerge
from .loop_carried import made_anew
from .loops import has_no_hooks

if TYPE_CHECKING:
    from ...interpreter.frame import Frame
    from ...tracing.trace import Trace


def enter_cond(frame: Frame) -> bool:
    """Evaluates the branch that the frame is at as one node; False when it asks for no tensor, or may be none.

    Errors: `Restart` when the trace must be made anew.
    """
    at = frame.position
    jump = frame.tests.get(at)
    if jump is None or not _asks_for_data(frame, at) or not _may_begin(frame, at, jump):
        return False
    trace, key = frame.trace, (frame.code.raw, at)
    try:
        _evaluate(frame, at, jump, key)
    except Unwinding as stop:
        _refuse_cond(trace, key, stop.as_break())
    except SplitReached:
        _refuse_cond(trace, key, unsupported_in_region("a split inside"))
    return True


def _asks_for_data(frame: Frame, at: int) -> bool:
    """Whether what decides is the value of a tensor, or a number that is made of one."""
    asked = asked_at(frame, at)
    if any(isinstance(each, ComputedNumber) for each in asked):
        return len(asked) == 1 and any(storage.roots for storage in frame.trace.inputs.storages)
    return any(isinstance(each, TensorValue) for each in asked)


def _may_begin(frame: Frame, at: int, jump: int) -> bool:
    trace, code = frame.trace, frame.code.raw
    if not config.tensor_conds or not trace.backend.is_native or trace.region is not None or trace.deferred is not None:
        return False
    tape = trace.tape
    if (
        (code, at) in trace.speculation.not_cond
        or trace.speculation.no_conds is not None
        or tape.pair is not None
        or tape.in_custom_backward
        or tape.in_hook
        or trace.batches.levels  # `vmap` writes what it finds in a graph for all calls, and no branch as a node
    ):
        return False
    if code.co_flags & GENERATOR_FLAGS:  # generators stop in the middle
        return False
    ends = _ends(frame, jump)
    successors = flow_of(code).successors
    if any(jump in reached(successors, [each], ends) for each in successors[jump] if each not in ends):
        return False  # a branch goes on with the next iteration of a loop
    return not tape.enabled or has_no_hooks(trace)


def _ends(frame: Frame, jump: int) -> tuple[int, ...]:
    join_point = join_point_of(flow_of(frame.code.raw).successors, [jump], ())
    return () if join_point is None else (join_point,)


def _evaluate(frame: Frame, at: int, jump: int, key: LoopKey) -> None:
    trace = frame.trace
    value = _asked(frame, at)
    with trace.no_grad():
        test = cast(trace, reshape(trace, _node(trace, value), ()), dtypes.bool_)
    targets = _ways(frame, jump, value)
    raising = [surely_raises(frame.code.raw, target.position) for target in targets]
    if any(raising) and not all(raising) and not trace.iterations:
        _leave_if(frame, test, targets, raises=raising[0])
        return
    read_variables(frame, at)
    before = {id(each) for held in (*frame.variables.values(), *frame.stack) for each in _parts(held)}
    (join_point,) = _ends(frame, jump) or (None,)
    true, false = (evaluated(frame, target, join_point) for target in targets)
    met = BranchMerge(trace, key, (true, false), before)
    live: Container[str] = ()
    one, other = true.frame, false.frame
    if join_point is None:  # both have returned: nothing else is of use any more
        one, other = (FrameSnapshot({}, [], each.returned) for each in (one, other))
    else:
        live = flow_of(frame.code.raw).live[join_point]
    found = {place: met.merged(place, a, b) for place, a, b in differences(one, other, live)}
    nodes = met.finish(test)
    agreed(one, other, live).restore(frame)
    for place, made in found.items():
        put(frame, place, made(nodes))
    met.note_saved(nodes)
    frame.position = jump + 1 if join_point is None else join_point


def _leave_if(frame: Frame, test: Node, targets: tuple[BranchTarget, BranchTarget], *, raises: bool) -> None:
    """Goes on with the branch that does not raise; compiled code leaves the call to Python where the other is taken.

    raises: what the test is then.
    """
    trace, other = frame.trace, targets[1 if raises else 0]
    with trace.no_grad():
        index = cast(trace, test if raises else trace.add(INVERT, test), dtypes.int64)
        trace.add(CHECKED_INDEX, index, size=1, ignore=None)
    frame.position = other.position
    if other.kept is not None:
        frame.push(other.kept)


def _asked(frame: Frame, at: int) -> Value:
    """The value that decides, off the stack. Errors: a break for one without a truth value, or a known one."""
    instruction = frame.code.instructions[at]
    value = frame.pop()
    if isinstance(instruction.arg, Compare):
        value = compare(frame.trace, comparison(instruction.arg), frame.pop(), value)
    if isinstance(value, TensorValue) and value.array.type.size != 1:
        raise unsupported_in_region("the truth value of a tensor that has not one element")
    if not isinstance(value, (TensorValue, ComputedNumber)):
        raise unsupported_in_region(f"the truth value of {value.describe()}")
    return value


def _node(trace: Trace, value: Value) -> Node:
    assert isinstance(value, (TensorValue, ComputedNumber))
    return value.read() if isinstance(value, TensorValue) else value.node(trace)


def _ways(frame: Frame, jump: int, value: Value) -> tuple[BranchTarget, BranchTarget]:
    """The targets of the branches: that for true, and that for false."""
    instruction = frame.code.instructions[jump]
    entry = TABLE[instruction.name]
    jumping = BranchTarget(instruction.arg, value if entry.keeps else None)
    falling = BranchTarget(jump + 1)
    return (jumping, falling) if entry.jumps_if else (falling, jumping)


def _parts(value: Value | None) -> list[Value | None]:
    """A value, and what a tuple holds."""
    return [value, *(part for each in value.items for part in _parts(each))] if type(value) is TupleValue else [value]


def _refuse_cond(trace: Trace, key: LoopKey, stop: GraphBreak) -> None:
    """Errors: `Restart`, always."""
    trace.speculation.not_cond[key] = stop
    raise made_anew(trace) from None
